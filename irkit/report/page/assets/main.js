// Builds the page.

function themeSwitch() {
  const kept = (() => { try { return localStorage.getItem("irkit-theme"); } catch { return null; } })();
  const options = [["", "Auto"], ["light", "Light"], ["dark", "Dark"]];
  const chosen = options.some(([key]) => key === kept) ? kept : "";
  const choose = (key) => {
    if (key) document.documentElement.dataset.theme = key;
    else delete document.documentElement.dataset.theme;
    try { localStorage.setItem("irkit-theme", key); } catch { /* without storage, the choice is not kept */ }
    for (const button of $("theme").children) button.setAttribute("aria-pressed", String(button.value === key));
    redraw();
  };
  $("theme").append(...options.map(([key, text]) => el("button", { type: "button", value: key, "aria-pressed": "false", click: () => choose(key) }, text)));
  choose(chosen);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => redraw());
}

async function start() {
  core = await data("core");
  if (core.runs.length < 2) state.b = null;
  else state.a = core.tests?.baseline ?? 0;
  if (state.a === state.b) state.b = state.a === 0 ? 1 : 0;
  Object.assign(state, readAddress());
  colourSides();
  document.title = core.title;
  $("home").textContent = "irkit report";
  const parts = [
    head(),
    section("leaderboard", "Leaderboard", "Leaderboard", leaderboard()),
    section("topics", state.b === null ? "Topic by topic" : "Two runs, topic by topic", "Topics", topics()),
    section("curves", "Precision and recall", "Curves", curves()),
    section("groups", `By ${core.field}`, `By ${core.field}`, groups()),
    section("unjudged", "Unjudged documents", "Unjudged", unjudged()),
    section("significance", "Every run against every other", "Pairs", matrix()),
    section("fusion", "What each run contributes", "Fusion", contributions()),
    section("notes", "Notes", "Notes", notes()),
    section("provenance", "Provenance", "Provenance", provenance()),
  ].filter(Boolean);
  $("main").append(...parts);
  $("nav").append(...sections.map(([id, title]) => el("li", {}, el("a", { href: `#${id}` }, title))));
  $("footer").append(el("p", {}, `Made by irkit ${core.irkit}. This page is a single file and loads nothing from the network.`));
  themeSwitch();
  watchTopic();
  pairDrawings();
  showTopic();
  // Unpack in advance, when the browser is idle.
  whenIdle(() => data("rankings"));
}

start();
