// Two runs topic by topic, as charts and as a searchable table.

const PAGE = 50;
const SIDES = { all: "all", higher: "B higher", lower: "A higher", same: "equal" };
const sideOf = (found) => (found === null ? "none" : found > 0 ? "higher" : found < 0 ? "lower" : "same");

const topicFilter = { text: "", group: "", side: "all", page: 0 };
let topicTable = null;

function topicLink(topic) {
  return el("a", { class: "topic", href: linkTo({ topic }), click: (event) => openTopic(event, topic) }, core.topics.ids[topic]);
}

function openTopic(event, topic) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return; // the browser opens the link in a new tab
  event.preventDefault();
  change({ topic });
}

// A bar from the middle to one side; its length is the difference.
function sidebar(found, most) {
  if (!found) return null;
  const width = most ? (50 * Math.abs(found)) / most : 0;
  return el("span", { class: `sidebar ${sideOf(found)}`, style: { "--start": `${found > 0 ? 50 : 50 - width}%`, "--width": `${width}%` }, "aria-hidden": "true" });
}

function topicColumns() {
  const { a, b, m } = state;
  const paired = b !== null;
  const count = isCount(m);
  const most = paired ? Math.max(...core.topics.ids.map((_, topic) => Math.abs(difference(a, b, m, topic) ?? 0))) : 0;
  const query = (topic) => core.topics.queries?.[topic] ?? "";
  return [
    { key: "topic", label: "topic", head: true, sort: (topic) => core.topics.ids[topic], cell: topicLink },
    core.topics.queries && { key: "text", label: "text", class: "text", sort: query, cell: query },
    core.groups && { key: "group", label: core.field, class: "group", sort: groupOf, cell: groupOf },
    { key: "a", label: paired ? "A" : measure(m).name, help: runName(a), numeric: true, sort: (topic) => valueOf(a, m, topic), cell: (topic) => shown(valueOf(a, m, topic), count) },
    paired && { key: "b", label: "B", help: runName(b), numeric: true, sort: (topic) => valueOf(b, m, topic), cell: (topic) => shown(valueOf(b, m, topic), count) },
    paired && {
      key: "difference",
      label: "B − A",
      numeric: true,
      class: "difference",
      sort: (topic) => difference(a, b, m, topic),
      cell: (topic) => {
        const found = difference(a, b, m, topic);
        return [sidebar(found, most), el("span", { class: "figure" }, found === 0 ? "=" : signed(found, count))];
      },
    },
  ].filter(Boolean);
}

const groupOf = (topic) => (core.groups ? core.groups[core.topics.group[topic]].name : "");

function chosenTopics() {
  const { a, b, m } = state;
  const words = topicFilter.text.toLowerCase().split(/\s+/).filter(Boolean);
  return core.topics.ids
    .map((_, topic) => topic)
    .filter((topic) => {
      if (topicFilter.group !== "" && core.topics.group[topic] !== Number(topicFilter.group)) return false;
      if (b !== null && topicFilter.side !== "all" && sideOf(difference(a, b, m, topic)) !== topicFilter.side) return false;
      if (!words.length) return true;
      const text = `${core.topics.ids[topic]} ${core.topics.queries?.[topic] ?? ""} ${groupOf(topic)}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
}

// The topics in the order of the table, over all its pages, for "next topic".
let topicOrder = [];

function showTopics() {
  topicTable.rows = chosenTopics();
  topicOrder = topicTable.sorted();
  const pages = Math.max(1, Math.ceil(topicOrder.length / PAGE));
  topicFilter.page = Math.min(topicFilter.page, pages - 1);
  const first = topicFilter.page * PAGE;
  Table.prototype.show.call(topicTable, topicOrder.slice(first, first + PAGE));
  const all = core.topics.ids.length;
  const n = topicOrder.length;
  $("topic-count").textContent =
    (n === all ? plural(all, "topic") : `${n.toLocaleString("en")} of ${plural(all, "topic")}`) +
    (pages > 1 ? `, ${(first + 1).toLocaleString("en")} to ${Math.min(first + PAGE, n).toLocaleString("en")} shown` : "");
  $("pages").hidden = pages < 2;
  $("page-before").disabled = topicFilter.page === 0;
  $("page-after").disabled = topicFilter.page === pages - 1;
}

function buildTopicTable() {
  const [by, falling] = topicTable ? [topicTable.by, topicTable.falling] : state.b === null ? ["a", true] : ["difference", true];
  topicTable = new Table({ caption: "Scores by topic", columns: topicColumns(), rows: [], by, falling, hidden: true, kind: "cards" });
  topicTable.show = () => {
    topicFilter.page = 0;
    showTopics();
  };
  $("topic-table").replaceChildren(scrolling(topicTable.node, "Topics"));
  showTopics();
}

const refilter = (name) => (value) => {
  topicFilter[name] = value;
  topicFilter.page = 0;
  showTopics();
};

function filters() {
  const id = fresh("search");
  const turn = (by) => () => {
    topicFilter.page += by;
    showTopics();
    $("topic-table").scrollIntoView({ block: "nearest" });
  };
  return [
    el(
      "form",
      { class: "controls", role: "search", "aria-label": "Topics", submit: (event) => event.preventDefault() },
      el("div", { class: "field wide" }, el("label", { for: id }, "Find topics"), el("input", { id, type: "search", placeholder: core.topics.queries ? "words or id" : "id", autocomplete: "off", input: (event) => refilter("text")(event.target.value) })),
      core.groups ? choice(core.field, [["", "all"], ...core.groups.map((one, place) => [place, one.name])], "", refilter("group")) : null,
      state.b === null ? null : choice("Show", Object.entries(SIDES), "all", refilter("side")),
    ),
    el("p", { id: "topic-count", class: "count", role: "status" }),
    el("div", { id: "topic-table" }),
    el(
      "div",
      { id: "pages", class: "pages", role: "group", "aria-label": "Pages of the table" },
      el("button", { type: "button", id: "page-before", click: turn(-1) }, "← Previous"),
      el("button", { type: "button", id: "page-after", click: turn(1) }, "Next →"),
    ),
  ];
}

function pairControls() {
  const runs = core.runs.map((name, place) => [place, name]);
  const measures = core.measures.map((one, place) => [place, one.name]);
  if (state.b === null) return el("div", { class: "controls" }, choice("Measure", measures, state.m, (value) => change({ m: Number(value) })));
  return el(
    "div",
    { class: "controls" },
    choice("A", runs, state.a, (value) => change({ a: Number(value) })),
    el("button", { type: "button", class: "swap", title: "Swap A and B", "aria-label": "Swap A and B", click: () => change({ a: state.b, b: state.a }) }, "⇄"),
    choice("B", runs, state.b, (value) => change({ b: Number(value) })),
    choice("Measure", measures, state.m, (value) => change({ m: Number(value) })),
  );
}

// The result for the two runs in a sentence, with the number of topics.
function pairWords() {
  const { a, b, m } = state;
  if (b === null) return [];
  const sides = { higher: 0, lower: 0, same: 0, none: 0 };
  for (let topic = 0; topic < core.topics.ids.length; topic += 1) sides[sideOf(difference(a, b, m, topic))] += 1;
  const test = testOf(a, b, m);
  const parts = [
    el("span", { class: "tally higher" }, el("b", {}, sides.higher.toLocaleString("en")), " B higher"),
    el("span", { class: "tally lower" }, el("b", {}, sides.lower.toLocaleString("en")), " A higher"),
    el("span", { class: "tally same" }, el("b", {}, sides.same.toLocaleString("en")), " equal"),
    sides.none ? el("span", { class: "tally" }, el("b", {}, sides.none.toLocaleString("en")), " without a value") : null,
  ];
  return [el("p", { class: "tallies" }, parts), test ? el("p", { class: "verdict" }, test.verdict) : null];
}

function topics() {
  const chosen = el("div", { id: "pair" });
  const words = el("div", { id: "pair-words", role: "status" });
  const update = () => {
    // Keep the focus on the chosen element.
    const held = [...chosen.querySelectorAll("select, button")].indexOf(document.activeElement);
    chosen.replaceChildren(pairControls());
    if (held >= 0) chosen.querySelectorAll("select, button")[held]?.focus();
    words.replaceChildren(...pairWords().filter(Boolean));
    buildTopicTable();
  };
  whenever((before) => (before.a !== state.a || before.b !== state.b || before.m !== state.m) && update());
  queueMicrotask(update);
  return [chosen, words, el("div", { id: "topic-charts", class: "charts" }), filters()];
}
