// What is looked at: two runs, a measure, a topic. It stands in the address behind #, so that a view can be linked.

const state = { a: 0, b: 1, m: 0, topic: null };
const watchers = [];
const whenever = (watcher) => watchers.push(watcher);

function linkTo(changes) {
  const next = { ...state, ...changes };
  const words = new URLSearchParams();
  words.set("a", runName(next.a));
  if (next.b !== null) words.set("b", runName(next.b));
  words.set("m", measure(next.m).name);
  if (next.topic !== null) words.set("topic", core.topics.ids[next.topic]);
  return `#${words}`;
}

// Whatever is higher in A, or in B, has the colour of that run.
function colourSides() {
  const coloured = state.b !== null && core.runs.length <= COLOURS;
  for (const [side, run] of [["--below", state.a], ["--above", state.b]]) {
    if (coloured) document.documentElement.style.setProperty(side, `var(--run-${run})`);
    else document.documentElement.style.removeProperty(side);
  }
}

// What the address says; what it does not say, or says of what there is not, stays.
function readAddress() {
  const text = location.hash.slice(1);
  if (!text.includes("=")) return { topic: null };
  const words = new URLSearchParams(text);
  const place = (names, name) => (words.has(name) ? names.indexOf(words.get(name)) : -1);
  const found = { topic: null };
  const [a, b] = [place(core.runs, "a"), place(core.runs, "b")];
  if (a >= 0) found.a = a;
  if (b >= 0) found.b = b;
  const m = place(core.measures.map((one) => one.name), "m");
  if (m >= 0) found.m = m;
  const topic = place(core.topics.ids, "topic");
  if (topic >= 0) found.topic = topic;
  return found;
}

function change(changes, { keep = true } = {}) {
  const before = { ...state };
  Object.assign(state, changes);
  if (core.runs.length > 1 && state.a === state.b) {
    // The two change places where one is chosen for both.
    if ("a" in changes) state.b = before.a;
    else state.a = before.b;
  }
  if (keep) {
    const address = linkTo({});
    if (before.topic === null && state.topic !== null) history.pushState({ opened: true }, "", address);
    else history.replaceState(history.state, "", address);
  }
  colourSides();
  for (const watcher of watchers) watcher(before);
}

addEventListener("popstate", () => core && change(readAddress(), { keep: false }));
