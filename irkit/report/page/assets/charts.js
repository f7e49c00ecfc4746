// Charts: Vega-Lite specifications in the colours of the page; no text is evaluated as code.

const drawings = [];
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const whenIdle = (task) => (globalThis.requestIdleCallback ?? setTimeout)(task);
const dark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

/*
 * An element with a chart: `make(width)` returns its specification, or null if there is nothing to draw.
 *
 * The chart is drawn when the browser is idle, and again if its width or the colours change.
 */
function drawing(place, make, { click = null } = {}) {
  const one = { place, make, click, width: 0, begun: false, view: null, turn: 0 };
  drawings.push(one);
  whenIdle(() => {
    one.begun = true;
    draw(one);
  });
  new ResizeObserver(([entry]) => {
    if (Math.abs(entry.contentRect.width - one.width) > 2) draw(one);
  }).observe(place);
  return one;
}

async function draw(one) {
  if (!one.begun || !globalThis.vegaEmbed) return;
  const turn = (one.turn += 1);
  const width = Math.floor(one.place.clientWidth);
  const given = width ? one.make(width) : null;
  one.width = width;
  if (!given) return;
  const box = el("div", { class: "canvas" });
  const theme = core.themes[dark() ? "dark" : "light"];
  const spec = { ...given, config: { ...theme, font: getComputedStyle(document.body).fontFamily, axisX: { titleLimit: 0.7 * width }, axisY: { titleLimit: 0.95 * (given.height ?? 200) } } };
  for (const part of spec.layer ?? [spec]) for (const channel of Object.values(part.encoding ?? {})) if (channel?.legend?.columns) channel.legend.columns = Math.max(1, Math.floor(width / 220));
  const drawn = await vegaEmbed(box, spec, { ast: true, actions: false, renderer: given.usermeta?.renderer ?? "svg", defaultStyle: false, logLevel: 1, tooltip: showTip, loader: { load: refuse, sanitize: refuse } });
  if (turn !== one.turn) return drawn.finalize();
  one.view?.finalize();
  one.view = drawn;
  if (one.click) drawn.view.addEventListener("click", (_, item) => item?.datum && one.click(item.datum));
  one.place.replaceChildren(box);
}

// A specification contains its data; nothing is fetched.
const refuse = () => Promise.reject(new Error("this page loads nothing"));

// Wait until the change is on the screen, because a chart of many topics takes time.
const redraw = (chosen = drawings) => chosen.forEach((one) => setTimeout(() => draw(one)));

// Tooltip of the mark under the mouse, as text.
function showTip(_, event, __, value) {
  const tip = $("tip");
  tip.hidden = value === null || value === undefined || value === "";
  if (tip.hidden) return;
  const rows = typeof value === "object" ? Object.entries(value).filter(([, one]) => one !== "" && one !== null) : [["", value]];
  tip.replaceChildren(el("dl", {}, rows.map(([name, one]) => [el("dt", {}, name), el("dd", {}, String(one))])));
  const room = 14;
  const left = event.clientX + room + tip.offsetWidth > innerWidth ? event.clientX - room - tip.offsetWidth : event.clientX + room;
  const top = event.clientY + room + tip.offsetHeight > innerHeight ? event.clientY - room - tip.offsetHeight : event.clientY + room;
  tip.style.left = `${Math.max(4, left)}px`;
  tip.style.top = `${Math.max(4, top)}px`;
}

// A figure with its title, its basis, and its numbers as a table.
function figure(name, { table = null } = {}) {
  const its = core.charts[name];
  if (!its) return null;
  const place = el("div", { class: "drawing" });
  const curve = "curve" in its.spec.datasets;
  drawing(place, (width) => ({ ...its.spec, width, ...(curve ? { height: 240 } : {}) }));
  return el(
    "figure",
    {},
    el("figcaption", {}, el("b", {}, its.title), its.basis ? el("span", { class: "quiet" }, its.basis) : null),
    place,
    table ? el("details", { class: "numbers" }, el("summary", {}, "As a table"), table(its.spec.datasets)) : null,
  );
}

// A row for each level, a column for each run; the figure's rows are ordered by run.
function curveTable(title, along, label) {
  return ({ curve }) => {
    const levels = curve.length / core.runs.length;
    const columns = [
      { key: along, label, head: true, numeric: true, cell: (level) => String(curve[level][along]) },
      ...core.runs.map((name, run) => ({ key: `run${run}`, label: name, numeric: true, cell: (level) => shown(curve[run * levels + level].value) })),
    ];
    return scrolling(new Table({ caption: title, columns, rows: Array.from({ length: levels }, (_, level) => level), hidden: true }).node, title);
  };
}

function curves() {
  const found = [
    figure("precision_recall", { table: curveTable("Interpolated precision by recall", "recall", "recall") }),
    figure("recall", { table: curveTable("Recall by depth", "depth", "depth") }),
  ].filter(Boolean);
  return found.length ? [el("div", { class: "charts" }, found)] : [];
}

function unjudged() {
  const found = figure("unjudged", { table: curveTable("Share of documents not judged, by depth", "depth", "depth") });
  return found ? [el("div", { class: "charts" }, found), el("p", { class: "quiet" }, "Unjudged documents count as not relevant. If many are among the first, the other numbers are less certain than they seem.")] : [];
}

// Two runs topic by topic, as dots and as sorted differences, with the data of the chosen runs.
function pairDrawings() {
  if (state.b === null || !core.charts.scatter) return;
  const made = ["differences", "scatter"].map((name) => {
    const place = el("div", { class: "drawing clickable" });
    const one = drawing(place, (width) => pairSpec(name, width), { click: (datum) => datum.index !== undefined && change({ topic: datum.index }) });
    const caption = { differences: "Difference of each topic, largest first", scatter: "Scores of each topic, B against A" }[name];
    $("topic-charts").append(el("figure", {}, el("figcaption", {}, el("b", {}, caption), el("span", { class: "quiet" }, "Choose a topic to see its rankings; the table below has the same numbers.")), place));
    return one;
  });
  whenever((before) => (before.a !== state.a || before.b !== state.b || before.m !== state.m) && redraw(made));
}

function pairSpec(name, width) {
  const { a, b, m } = state;
  const rows = core.topics.ids
    .map((topic, index) => ({ index, topic, a: valueOf(a, m, index), b: valueOf(b, m, index), difference: difference(a, b, m, index), text: core.topics.queries?.[index] ?? "", group: groupOf(index) }))
    .filter((row) => row.difference !== null);
  if (!rows.length) return null;
  const spec = structuredClone(core.charts[name].spec);
  const titles = { a: `A: ${runName(a)}, ${measure(m).name}`, b: `B: ${runName(b)}, ${measure(m).name}`, difference: `${measure(m).name}, B − A` };
  const short = (text) => (text.length > width / 7 ? `${text.slice(0, Math.floor(width / 7) - 1)}…` : text);
  for (const part of spec.layer ?? [spec]) {
    for (const channel of [part.encoding?.x, part.encoding?.y]) if (channel?.field in titles) channel.title = short(titles[channel.field]);
    if (part.encoding?.color?.scale) part.encoding.color.scale = { domain: ["B higher", "A higher", "equal"], range: ["--above", "--below", "--quiet"].map(colour) };
    if (typeof part.mark === "object" && "aria" in part.mark) part.mark.aria = false;
  }
  const sides = rows.map((row) => sideOf(row.difference));
  const n = (side) => sides.filter((one) => one === side).length;
  return {
    ...spec,
    width,
    height: Math.round(Math.min(340, width * 0.7)),
    autosize: { type: "fit", contains: "padding" },
    datasets: { topics: rows },
    description: `${measure(m).name} of ${plural(rows.length, "topic")}, A ${runName(a)}, B ${runName(b)}: B higher on ${n("higher")}, A higher on ${n("lower")}, equal on ${n("same")}. The table below has the numbers.`,
    usermeta: { renderer: rows.length > 1500 ? "canvas" : "svg" },
  };
}
