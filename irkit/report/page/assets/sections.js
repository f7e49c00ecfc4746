// The other parts of the page: what was compared, groups, curves, significance, fusion, provenance.

// A section with its heading; the navigation is built from these headings.
const sections = [];

function section(id, title, short, ...content) {
  const inside = content.flat().filter(Boolean);
  if (!inside.length) return null;
  sections.push([id, short]);
  return el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title`, tabindex: "-1" }, title), inside);
}

function head() {
  const facts = [plural(core.runs.length, "run"), plural(core.topics.ids.length, "topic"), plural(core.measures.length, "measure")];
  return el(
    "div",
    { id: "head", class: "intro" },
    el("h1", {}, core.title),
    el("p", { class: "facts" }, facts.join(" · ")),
    core.cautions.length ? el("div", { class: "cautions" }, core.cautions.map((one) => el("p", {}, one))) : null,
    el("ul", { class: "sentences" }, core.sentences.map((one) => el("li", {}, one))),
  );
}

function groups() {
  if (!core.groups) return [];
  const place = el("div", { class: "stacked" });
  let m = state.m;
  const show = () => {
    const scale = (() => {
      const ends = core.groups.flatMap((group) => group.means.flatMap((means) => means[m].slice(0, 3))).filter((value) => value !== null);
      return [Math.min(...ends), Math.max(...ends)];
    })();
    const columns = [
      { key: "group", label: core.field, head: true, sort: (group) => group.name, cell: (group) => group.name },
      { key: "topics", label: "topics", numeric: true, sort: (group) => group.topics, cell: (group) => group.topics.toLocaleString("en") },
      ...core.runs.map((name, run) => ({
        key: `run${run}`,
        label: name,
        numeric: true,
        sort: (group) => group.means[run][m][0],
        cell: (group) => meanCell(run, m, scale, group.means[run], true),
      })),
    ];
    const table = new Table({ caption: `${measure(m).name} by ${core.field}`, columns, rows: core.groups, hidden: true });
    place.replaceChildren(...[figure(`groups ${m}`), scrolling(table.node, `Values of ${core.field}`)].filter(Boolean));
  };
  show();
  return [
    el("div", { class: "controls" }, choice("Measure", core.measures.map((one, n) => [n, one.name]), m, (value) => { m = Number(value); show(); })),
    place,
    el("p", { class: "quiet" }, "Means over the topics of each value, with their intervals. Means of few topics are uncertain; nothing is tested here."),
  ];
}

function matrix() {
  if (!core.tests?.pairs || core.runs.length < 2) return core.tests?.not_paired ? [el("p", {}, `All pairs of ${core.tests.not_paired} runs are too many to test here; irkit compare --all-pairs tests them.`)] : [];
  const place = el("div", {});
  let m = core.measures.findIndex((one) => one.tested);
  const show = () => {
    const most = Math.max(...core.tests.pairs.filter((one) => one.m === m).map((one) => Math.abs(one.difference)));
    const cell = (row, column) => {
      if (row === column) return el("td", { class: "self" }, el("span", { "aria-hidden": "true" }, "·"), said("the same run"));
      const test = testOf(column, row, m);
      const side = test.difference > 0 ? "higher" : test.difference < 0 ? "lower" : "same";
      const strength = test.shown && most ? Math.round(40 + (60 * Math.abs(test.difference)) / most) : 0;
      return el(
        "td",
        { class: `pair ${side}${test.shown ? " shown" : ""}`, style: { "--strength": `${strength}%` }, title: test.verdict },
        el(
          "button",
          { type: "button", click: () => showPair(column, row, m) },
          said(`${runName(row)} less ${runName(column)}: `),
          el("span", { class: "figure" }, signed(test.difference)),
          el("span", { class: "p" }, `p ${shownP(test.adjusted)}`),
          said(test.shown ? ", shown" : ", not shown"),
        ),
      );
    };
    const rows = core.runs.map((_, run) => run);
    place.replaceChildren(
      scrolling(
        el(
          "table",
          { class: "matrix" },
          el("caption", { class: "said" }, `Differences in ${measure(m).name}, row less column`),
          el("thead", {}, el("tr", {}, el("td", { class: "corner" }, "row − column"), rows.map((run) => el("th", { scope: "col" }, runLabel(run))))),
          el("tbody", {}, rows.map((row) => el("tr", {}, el("th", { scope: "row" }, runLabel(row)), rows.map((column) => cell(row, column))))),
        ),
        "Significance of all pairs",
      ),
    );
  };
  show();
  const tested = core.measures.map((one, n) => [n, one.name]).filter(([n]) => core.measures[n].tested);
  return [
    el("div", { class: "controls" }, choice("Measure", tested, m, (value) => { m = Number(value); show(); })),
    place,
    el("p", { class: "quiet" }, `Row less column, and its p of a paired t test${ofSkewed(core.tests.pairs)}, corrected (${core.tests.pairs_family}). Coloured where it is below ${core.tests.alpha}: the difference is shown. Choose a pair to see it topic by topic.`),
  ];
}

function showPair(a, b, m) {
  change({ a, b, m });
  $("topics").scrollIntoView();
  $("topics-title").focus({ preventScroll: true });
}

function contributions() {
  if (!core.alone || core.runs.length < 2) return [];
  const depth = core.rankings.depth;
  const most = Math.max(...core.alone.map((one) => one.found), 1);
  const columns = [
    { key: "run", label: "run", head: true, sort: (run) => runName(run), cell: (run) => el("span", { class: "run" }, runLabel(run)) },
    { key: "found", label: `relevant in first ${depth}`, numeric: true, sort: (run) => core.alone[run].found, cell: (run) => core.alone[run].found.toLocaleString("en") },
    { key: "alone", label: "found by no other run", numeric: true, sort: (run) => core.alone[run].alone, cell: (run) => core.alone[run].alone?.toLocaleString("en") ?? MISSING },
    { key: "share", label: "as a bar", class: "share", cell: (run) => el("span", { class: "stack", "aria-hidden": "true" }, el("span", { class: "alone", style: { "--width": `${(100 * core.alone[run].alone) / most}%` } }), el("span", { class: "rest", style: { "--width": `${(100 * (core.alone[run].found - core.alone[run].alone)) / most}%` } })) },
  ];
  const table = new Table({ caption: "Relevant documents that each run alone has among its first", columns, rows: core.runs.map((_, run) => run), hidden: true });
  return [
    ...core.fusions.map(fusion),
    el("h3", {}, "What each run brings"),
    scrolling(table.node, "What each run brings"),
    el("p", { class: "quiet" }, `Relevant documents (grade 1 or more, or a gain above 0) among the first ${depth} of each topic, over all topics. ${core.fusions.length ? "A fused run and its parts are not compared with each other; – means that no other run is left." : ""}`),
    core.fusions.length ? null : el("p", { class: "quiet" }, "A fused run is shown with its parts if its record, which irkit writes beside the run, names other runs of this page."),
  ];
}

function fusion(one) {
  const depth = core.rankings.depth;
  const parts = [
    ["by all parts", one.by_all],
    one.parts.length > 2 ? ["by several parts", one.by_some] : null,
    ...one.parts.map((part, n) => [`by ${runName(part)} alone`, one.by_one[n]]),
    ["by no part there", one.by_none],
  ].filter(Boolean);
  const lost = one.parts.map((part, n) => `${one.lost[n].toLocaleString("en")} of ${runName(part)}`);
  return el(
    "div",
    { class: "fusion" },
    el("h3", {}, el("span", { class: "name" }, broken(runName(one.run))), " = ", listed(one.parts.map(runName))),
    figure(`contribution ${one.run}`),
    el("p", {}, `It has ${plural(one.found, "relevant document")} among its first ${depth}. Among the first ${depth} of its parts these were found:`),
    el("ul", { class: "parts" }, parts.map(([text, n]) => el("li", {}, el("b", {}, n.toLocaleString("en")), ` ${text}`))),
    el("p", {}, `Of the relevant documents among the first ${depth} of its parts it lost ${listed(lost)}.`),
    el("p", {}, `${measure(one.m).name} by topic: above its best part on ${one.above.toLocaleString("en")}, below its worst on ${one.below.toLocaleString("en")}, between on ${one.between.toLocaleString("en")}.`),
  );
}

function provenance() {
  const states = {
    recorded: "The file matches its record.",
    changed: "The file does not match its record: it was changed later.",
    unread: "There is a record of this run, but it cannot be read.",
    none: "There is no record of how this run was made.",
  };
  const rows = (its, name) => el("table", { class: "facts" }, el("caption", { class: "said" }, name), el("tbody", {}, its.map(([name, value]) => el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value)))));
  return [
    el("h3", {}, "The evaluation"),
    scrolling(rows(core.facts, "The evaluation"), "The evaluation"),
    el("h3", {}, "The runs"),
    core.provenance.map((one, run) =>
      el("details", { class: "record", open: core.provenance.length === 1 }, el("summary", {}, runLabel(run), el("span", { class: `state ${one.state}` }, { recorded: "as recorded", changed: "changed", unread: "record unreadable", none: "no record" }[one.state])), el("p", { class: "quiet" }, states[one.state]), scrolling(rows(one.rows, runName(run)), runName(run))),
    ),
  ];
}

function notes() {
  const found = [...(core.tests?.notes ?? []), ...core.left_out];
  return found.length ? [el("ul", { class: "sentences" }, found.map((one) => el("li", {}, one)))] : [];
}
