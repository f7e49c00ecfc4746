// A topic: the rankings of two runs side by side, grades as colours and words, texts if the page has them.

const NOT_JUDGED = "not judged";

function gradeText(grade) {
  if (grade === null) return NOT_JUDGED;
  return grade < 0 ? "pooled, not judged" : `grade ${grade}`;
}

// Strength of a grade's colour: 0 for not relevant, up to 1 for the highest grade of all topics.
function gradeStrength(grade) {
  if (grade === null || grade <= 0) return 0;
  return core.top_grade > 0 ? 0.35 + (0.65 * grade) / core.top_grade : 1;
}

function gradeChip(grade) {
  const kind = grade === null || grade < 0 ? "unjudged" : grade > 0 ? "relevant" : "nonrelevant";
  return el("span", { class: `grade ${kind}`, style: { "--strength": `${Math.round(100 * gradeStrength(grade))}%` } }, gradeText(grade));
}

// The rank of a document in the other run, compared with its rank here.
function moved(rank, other, name, length) {
  if (other === 0) return el("span", { class: "moved absent" }, length ? `not in ${name}` : `${name} returned nothing`);
  const by = other - rank;
  if (by === 0) return el("span", { class: "moved same" }, `= ${name}`, said(": the same rank"));
  const sign = by > 0 ? "▲" : "▼";
  return el("span", { class: `moved ${by > 0 ? "up" : "down"}` }, el("span", { "aria-hidden": "true" }, `${sign} ${Math.abs(by).toLocaleString("en")} `), `(${name}: rank ${other.toLocaleString("en")})`);
}

function textOf(id, texts, withTexts) {
  if (!texts) return null;
  // An id may be the name of an inherited property, such as constructor.
  const its = Object.hasOwn(texts.documents, id) ? texts.documents[id] : null;
  if (!its) return el("p", { class: "missing" }, withTexts ? "This document is not in the documents file." : "The text was left out to keep the page small.");
  const [title, text, fields] = its;
  const names = Object.keys(fields);
  const short = text.length > 220;
  return [
    title ? el("p", { class: "title" }, title) : null,
    short || names.length
      ? el(
          "details",
          {},
          el("summary", {}, el("span", { class: "snippet" }, text || listed(names))),
          el("p", { class: "whole" }, text),
          names.length ? el("dl", { class: "fields" }, names.map((name) => [el("dt", {}, name), el("dd", {}, fields[name])])) : null,
        )
      : el("p", { class: "whole" }, text || "(no text)"),
  ];
}

// Contribution of the document at a rank to the chosen measure.
function adds(shares, rank) {
  const value = measure(state.m).shared ? shares?.find(([one]) => one === rank)?.[1 + state.m] : 0;
  return value ? el("span", { class: "adds" }, `adds ${shown(value)} to ${measure(state.m).name}`) : null;
}

function documentItem(place, run, other, found, texts, withTexts) {
  const [documents, grades, ranks, scores, , , lengths, shares] = found;
  const id = documents[place];
  const rank = ranks[run][place];
  const score = scores[run]?.[rank - 1];
  return el(
    "li",
    { "data-document": place, class: grades[place] > 0 ? "relevant" : grades[place] === null ? "unjudged" : "nonrelevant", style: { "--strength": `${Math.round(100 * gradeStrength(grades[place]))}%` }, mouseenter: light, mouseleave: light },
    el("div", { class: "line" }, el("span", { class: "rank" }, said("rank "), String(rank)), el("bdi", { class: "id" }, id), gradeChip(grades[place])),
    el("div", { class: "line quiet" }, score === undefined ? null : el("span", { class: "score" }, `score ${score}`), other === null ? null : moved(rank, ranks[other][place], "AB"[other === state.a ? 0 : 1], lengths[other]), adds(shares[run], rank)),
    textOf(id, texts, withTexts),
  );
}

// Highlight the same document in the other ranking.
function light(event) {
  const place = event.currentTarget.dataset.document;
  for (const item of $("topic").querySelectorAll(`[data-document="${place}"]`)) item.classList.toggle("lit", event.type === "mouseenter");
}

// Lines between the places of a document in both rankings.
function links(rankings) {
  const canvas = drawn("svg", { class: "links", "aria-hidden": "true" });
  const draw = () => {
    const [left, right] = rankings.querySelectorAll("ol");
    const frame = rankings.getBoundingClientRect();
    canvas.replaceChildren();
    if (!left || !right || left.getBoundingClientRect().bottom < right.getBoundingClientRect().top) return; // the rankings are stacked, not side by side
    const from = left.getBoundingClientRect().right - frame.left;
    const to = right.getBoundingClientRect().left - frame.left;
    put(canvas, { viewBox: `${from} 0 ${to - from} ${frame.height}`, style: { left: `${from}px`, width: `${to - from}px`, height: `${frame.height}px` } }, []);
    const middle = (item) => item.getBoundingClientRect().top - frame.top + 22;
    for (const item of left.children) {
      const other = right.querySelector(`[data-document="${item.dataset.document}"]`);
      if (!other) continue;
      const [y, z, half] = [middle(item), middle(other), (from + to) / 2];
      canvas.append(drawn("path", { class: item.className.replace("lit", ""), "data-document": item.dataset.document, d: `M${from} ${y}C${half} ${y} ${half} ${z} ${to} ${z}`, style: { "--strength": item.style.getPropertyValue("--strength") } }));
    }
  };
  new ResizeObserver(draw).observe(rankings);
  rankings.append(canvas);
  return rankings;
}

function rankingList(run, other, found, texts, withTexts) {
  const [documents, , ranks, , , , lengths] = found;
  const depth = core.rankings.depth;
  const places = documents.map((_, place) => place).filter((place) => ranks[run][place] > 0 && ranks[run][place] <= depth);
  places.sort((x, y) => ranks[run][x] - ranks[run][y]);
  const name = fresh("ranking");
  const letter = run === state.a ? "A" : "B";
  return el(
    "section",
    { class: "ranking", "aria-labelledby": name },
    el("h3", { id: name }, other === null ? null : el("span", { class: `side ${letter.toLowerCase()}` }, letter), el("span", { class: "name" }, broken(runName(run))), el("span", { class: "of" }, lengths[run] ? ` first ${places.length} of ${lengths[run].toLocaleString("en")}` : "")),
    places.length ? el("ol", {}, places.map((place) => documentItem(place, run, other, found, texts, withTexts))) : el("p", { class: "empty" }, "This run returned nothing for the topic."),
  );
}

// Relevant documents that neither run has among its first.
function missedList(runs, found, texts, withTexts) {
  const [documents, grades, ranks, , more] = found;
  const depth = core.rankings.depth;
  const places = documents
    .map((_, place) => place)
    .filter((place) => grades[place] > 0 && runs.every((run) => ranks[run][place] === 0 || ranks[run][place] > depth));
  if (!places.length && !more) return null;
  places.sort((x, y) => grades[y] - grades[x]);
  const where = (run, place) => (ranks[run][place] ? `rank ${ranks[run][place].toLocaleString("en")}` : "not retrieved");
  const which = runs.length > 1 ? "Relevant, and in neither's" : "Relevant, and not in the";
  return el(
    "section",
    { class: "missed", "aria-labelledby": "missed-title" },
    el("h3", { id: "missed-title" }, `${which} first ${depth}`),
    el(
      "ul",
      {},
      places.map((place) =>
        el(
          "li",
          { class: "relevant", style: { "--strength": `${Math.round(100 * gradeStrength(grades[place]))}%` } },
          el("div", { class: "line" }, el("bdi", { class: "id" }, documents[place]), gradeChip(grades[place])),
          el("div", { class: "line quiet" }, runs.map((run, n) => el("span", {}, runs.length > 1 ? `${"AB"[n]}: ` : "", where(run, place)))),
          textOf(documents[place], texts, withTexts),
        ),
      ),
    ),
    more ? el("p", { class: "quiet" }, `And ${plural(more, "more relevant document")} that no run has among its first.`) : null,
  );
}

function topicFigures(topic) {
  const paired = state.b !== null;
  const name = (run, n) => [paired ? el("span", { class: `side ${"ab"[n]}` }, "AB"[n]) : null, el("span", { class: "name" }, broken(runName(run)))];
  const rows = (paired ? [state.a, state.b] : [state.a]).map((run, n) => ({ head: name(run, n), cell: (m) => shown(valueOf(run, m, topic), isCount(m)) }));
  const gap = (m) => {
    const found = difference(state.a, state.b, m, topic);
    return el("span", { class: `gap ${sideOf(found)}` }, found === 0 ? "=" : signed(found, isCount(m)));
  };
  if (paired) rows.push({ head: "B − A", cell: gap });
  const columns = [
    { key: "run", label: "run", head: true, cell: (row) => row.head },
    ...core.measures.map((one, m) => ({ key: `m${m}`, label: one.name, help: one.meaning, numeric: true, cell: (row) => row.cell(m) })),
  ];
  return scrolling(new Table({ caption: "Scores of this topic", columns, rows, hidden: true }).node, "Scores of this topic");
}

function aboutTopic(topic, found) {
  const words = [];
  if (core.groups) words.push(`${core.field}: ${groupOf(topic)}`);
  const judged = found?.[5] ?? [];
  if (found && core.graded) words.push(judged.length ? `judged: ${judged.map(([grade, n]) => `${n.toLocaleString("en")} of ${gradeText(grade)}`).join(", ")}` : "no document judged");
  return words.length ? el("p", { class: "about" }, words.join(" · ")) : null;
}

function topicFields(topic, texts) {
  const fields = texts?.topics?.[topic];
  const names = Object.keys(fields ?? {}).filter((name) => name !== core.field);
  return names.length ? el("details", { class: "fields" }, el("summary", {}, `More of the topic: ${listed(names)}`), el("dl", {}, names.map((name) => [el("dt", {}, name), el("dd", {}, fields[name])]))) : null;
}

function step(by) {
  const place = topicOrder.indexOf(state.topic);
  const next = place < 0 ? topicOrder[0] : topicOrder[place + by];
  return next === undefined ? null : next;
}

function stepButton(by, text, key) {
  const next = step(by);
  return el("button", { type: "button", disabled: next === null, title: `${text} (${key})`, click: () => change({ topic: next }) }, by < 0 ? "← " : "", text, by > 0 ? " →" : "");
}

async function showTopic() {
  const dialog = $("topic");
  const topic = state.topic;
  if (topic === null) {
    if (dialog.open) dialog.close();
    return;
  }
  // Restore the keyboard focus; if its element is gone, focus the title, so that keys still work.
  const controls = () => [...dialog.querySelectorAll(".steps button, .controls select, .controls button")];
  const held = dialog.open ? controls().indexOf(document.activeElement) : null;
  const [found, texts] = await Promise.all([rankingsOf(topic), core.rankings.texts ? data("texts") : null]);
  if (state.topic !== topic) return; // another topic was opened meanwhile
  const { a, b } = state;
  const runs = b === null ? [a] : [a, b];
  const withTexts = !core.rankings.texts || core.rankings.order.indexOf(topic) < core.rankings.texts;
  const query = core.topics.queries?.[topic];
  dialog.replaceChildren(
    el(
      "div",
      { class: "sheet" },
      el(
        "header",
        {},
        el("div", { class: "steps" }, stepButton(-1, "Previous", "←"), stepButton(1, "Next", "→"), el("button", { type: "button", class: "close", "aria-label": "Close", title: "Close (Escape)", click: () => closeTopic() }, "✕")),
        el("h2", { id: "topic-title", tabindex: "-1" }, el("span", { class: "quiet" }, "Topic "), el("bdi", {}, core.topics.ids[topic])),
        query ? el("p", { class: "query" }, query) : null,
        aboutTopic(topic, found),
        topicFields(topic, texts),
      ),
      pairControls(),
      topicFigures(topic),
      found
        ? [
            core.graded ? null : el("p", { class: "note" }, "These judgments do not give a document a single grade, so no grades are shown."),
            links(el("div", { class: runs.length > 1 ? "rankings two" : "rankings" }, runs.map((run, n) => rankingList(run, b === null ? null : runs[1 - n], found, texts, withTexts)))),
            missedList(runs, found, texts, withTexts),
          ]
        : el("p", { class: "note" }, "The rankings of this topic were left out to keep the page small; it holds those of the topics with the largest differences between runs."),
    ),
  );
  if (!dialog.open) {
    dialog.showModal();
    $("topic-title").focus();
  } else {
    const control = controls()[held];
    (control && !control.disabled ? control : $("topic-title")).focus();
  }
  dialog.scrollTop = 0;
}

async function rankingsOf(topic) {
  const place = core.rankings.order.indexOf(topic);
  return place < 0 || place >= core.rankings.carried ? null : (await data("rankings"))[place];
}

function closeTopic() {
  // Go back if the topic was opened on this page; else remove it from the address.
  if (history.state?.opened) history.back();
  else change({ topic: null });
}

function watchTopic() {
  const dialog = $("topic");
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    closeTopic();
  });
  dialog.addEventListener("click", (event) => event.target === dialog && closeTopic());
  dialog.addEventListener("keydown", (event) => {
    if (event.target.closest("select, input, .scroll") || event.altKey || event.ctrlKey || event.metaKey) return;
    const next = { ArrowLeft: step(-1), ArrowRight: step(1) }[event.key];
    if (next !== undefined && next !== null) change({ topic: next });
  });
  whenever(() => showTopic());
}
