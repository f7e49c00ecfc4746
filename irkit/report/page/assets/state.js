// The view: two runs, a measure, a topic. The address holds it after #, so that views can be linked.

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

// The run with the higher value gives the colour.
function colourSides() {
  const coloured = state.b !== null && core.runs.length <= COLOURS;
  for (const [side, run] of [["--below", state.a], ["--above", state.b]]) {
    if (coloured) document.documentElement.style.setProperty(side, `var(--run-${run})`);
    else document.documentElement.style.removeProperty(side);
  }
}

// Read the view from the address; missing or invalid parts keep their value.
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
    // If the same run is chosen for both, swap the two.
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
