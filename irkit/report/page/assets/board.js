// The leaderboard: means of all runs on all measures, with intervals and significant differences.

// A bar with the mean and its interval, on the scale of the column.
function whisker([mean, low, high], [least, most]) {
  const x = (value) => (most > least ? 4 + (92 * (value - least)) / (most - least) : 50);
  return drawn(
    "svg",
    { class: "whisker", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    drawn("line", { class: "rail", x1: 0, x2: 100, y1: 5, y2: 5 }),
    low === null ? null : drawn("line", { class: "reach", x1: x(low), x2: x(high), y1: 5, y2: 5 }),
    drawn("line", { class: "mean", x1: x(mean), x2: x(mean), y1: 0.5, y2: 9.5 }),
  );
}

function scaleOf(m) {
  const ends = core.board.means.flatMap((means) => means[m].slice(0, 3)).filter((value) => value !== null);
  return [Math.min(...ends), Math.max(...ends)];
}

// ▲ or ▼ for a significant difference from the baseline.
function mark(run, m) {
  const test = core.tests?.against.find((one) => one.m === m && one.b === run);
  if (!test?.shown) return null;
  const above = test.difference > 0;
  const baseline = runName(core.tests.baseline);
  return el(
    "span",
    { class: above ? "mark above" : "mark below", title: test.verdict },
    el("span", { "aria-hidden": "true" }, above ? "▲" : "▼"),
    said(` shown to be ${above ? "above" : "below"} ${baseline}`),
  );
}

// Which p-value decides if some differences are skewed.
function ofSkewed(tests) {
  return tests?.some((one) => one.skewed) ? ", of skewed differences the larger p of t and bootstrap-t" : "";
}

function letters(run, m) {
  const its = core.tests?.letters?.[run][m];
  if (!its) return null;
  const names = [...its].map((letter) => runName(LETTERS.indexOf(letter)));
  return el("sup", { class: "letters", title: `shown to be above ${listed(names)}` }, el("span", { "aria-hidden": "true" }, its), said(` shown to be above ${listed(names)}`));
}

const LETTERS = "abcdefghijklmnoprstu";

function meanCell(run, m, scale, means = core.board.means[run], plain = false) {
  const [mean, low, high] = means[m];
  const best = !plain && core.board.best[m].includes(run);
  const number = el(best ? "strong" : "span", { class: best ? "best" : null }, shown(mean, isCount(m)), best ? said(" (best)") : null);
  return el(
    "div",
    { class: "mean" },
    el("div", { class: "value" }, plain ? null : letters(run, m), plain ? null : mark(run, m), number),
    low === null ? null : el("div", { class: "interval" }, `${shown(low)} to ${shown(high)}`),
    mean === null || isCount(m) ? null : whisker([mean, low, high], scale),
  );
}

const COLOURS = 7;

function runLabel(run) {
  const coloured = core.runs.length <= COLOURS; // with more runs, each figure colours its best ones
  return [coloured && el("span", { class: "dot", style: { "--colour": `var(--run-${run})` }, "aria-hidden": "true" }), el("span", { class: "name" }, broken(runName(run)))];
}

function leaderboard() {
  const lettered = Boolean(core.tests?.letters);
  const columns = [
    {
      key: "run",
      label: "run",
      head: true,
      sort: (run) => runName(run),
      cell: (run) =>
        el(
          "span",
          { class: "run" },
          lettered ? el("span", { class: "letter" }, LETTERS[run]) : null,
          runLabel(run),
          core.tests?.baseline === run ? el("span", { class: "badge" }, "baseline") : null,
        ),
    },
    ...core.measures.map((one, m) => {
      const scale = scaleOf(m);
      return {
        key: `m${m}`,
        label: one.name,
        help: one.meaning,
        numeric: true,
        sort: (run) => core.board.means[run][m][0],
        cell: (run) => meanCell(run, m, scale),
      };
    }),
  ];
  const table = new Table({ caption: "Means over topics, by run", columns, rows: core.runs.map((_, run) => run), hidden: true });
  const first = core.measures.findIndex((one) => one.quality);
  if (first >= 0 && core.runs.length > 1) table.sortBy(`m${first}`);
  return [scrolling(table.node, "Leaderboard"), legend(lettered)];
}

function legend(lettered) {
  const level = `${Math.round(core.board.level * 100)}%`;
  const lines = [`Below each mean is its ${level} t interval over topics, drawn on the scale of the column.`];
  if (core.runs.length > 1) lines.push("The best of a column is bold.");
  const tests = core.tests;
  const items = [el("p", {}, lines.join(" "))];
  if (tests) {
    items.push(
      el(
        "p",
        {},
        el("span", { class: "mark above" }, "▲"),
        " and ",
        el("span", { class: "mark below" }, "▼"),
        `: shown to be above or below the baseline, ${runName(tests.baseline)}, at ${tests.alpha} (paired t test, two-sided${ofSkewed(tests.against)}; ${tests.family}).`,
        tests.against.some((one) => one.shown) ? null : " No difference is significant here; this does not show that there is none.",
      ),
    );
    if (tests.letters?.flat().some(Boolean))
      items.push(el("p", {}, el("sup", { class: "letters" }, "ab"), `: shown to be above the runs of these letters, among all pairs (${tests.pairs_family}). As more is tested there than against the baseline, less of it is shown.`));
  }
  const untested = core.measures.filter((one) => !one.tested).map((one) => one.name);
  if (tests && untested.length) items.push(el("p", {}, `Not tested, because a higher value is not better or the summary is not a mean: ${listed(untested)}.`));
  return el(
    "div",
    { class: "legend" },
    items,
    el("details", {}, el("summary", {}, "What the measures mean"), el("dl", {}, core.measures.map((one) => [el("dt", {}, one.name), el("dd", {}, one.meaning)]))),
  );
}
