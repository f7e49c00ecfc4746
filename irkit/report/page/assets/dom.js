// Elements made from text; text from files is never parsed as HTML.

const $ = (id) => document.getElementById(id);

function put(node, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function") node.addEventListener(name, value);
    else if (name === "style") for (const [key, one] of Object.entries(value)) node.style.setProperty(key, one);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
  return node;
}

const el = (tag, properties, ...children) => put(document.createElement(tag), properties, children);
const drawn = (tag, properties, ...children) =>
  put(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);

// Text only for screen readers.
const said = (text) => el("span", { class: "said" }, text);

// A name that may break after points and dashes.
const broken = (name) => name.split(/(?<=[._/:-])/).flatMap((part, n) => (n ? [el("wbr"), part] : [part]));

const plural = (n, thing) => `${n.toLocaleString("en")} ${thing}${n === 1 ? "" : "s"}`;
const listed = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`);

const MISSING = "–";

// Four decimals as in Python: a tie (an odd multiple of 1/32) rounds to the even digit.
function decimals(value) {
  const size = Math.abs(value);
  if ((size * 32) % 2 !== 1) return value.toFixed(4);
  const down = Math.floor(size * 10000);
  return ((Math.sign(value) * (down + (down % 2))) / 10000).toFixed(4);
}

const shown = (value, count = false) => (value === null ? MISSING : count ? String(Math.round(value)) : decimals(value).replace(/^-(0\.0000)$/, "$1"));
const signed = (value, count = false) =>
  value === null ? MISSING : `${value < 0 && Number(decimals(value)) !== 0 ? "−" : "+"}${shown(Math.abs(value), count)}`;
const shownP = (value) => (value === null ? MISSING : value < 0.0001 ? "< 0.0001" : shown(value));

let labels = 0;
const fresh = (stem) => `${stem}-${(labels += 1)}`;

// A select element with its label.
function choice(label, options, value, change) {
  const id = fresh("choice");
  const select = el(
    "select",
    { id, change: (event) => change(event.target.value) },
    options.map(([key, text]) => el("option", { value: key, selected: String(key) === String(value) }, text)),
  );
  return el("div", { class: "field" }, el("label", { for: id }, label), select);
}

// A table that scrolls inside the page if it is wider.
const scrolling = (table, name) => el("div", { class: "scroll", role: "region", tabindex: "0", "aria-label": `${name}, table` }, table);

const inOrder = new Intl.Collator("en", { numeric: true }).compare;

/*
 * A table that can be sorted by its columns.
 *
 * Roles are explicit, because narrow screens show some rows as cards, which removes them.
 * columns: {key, label, help, sort(row), cell(row), numeric, head}: `head` makes the row's header, `sort` a sortable one.
 */
class Table {
  constructor({ caption, columns, rows, by = null, falling = false, hidden = false, kind = null }) {
    Object.assign(this, { columns, rows, by, falling });
    this.body = el("tbody", { role: "rowgroup" });
    this.heads = new Map();
    this.node = el(
      "table",
      { class: kind, role: "table" },
      el("caption", { class: hidden ? "said" : null }, caption),
      el("thead", { role: "rowgroup" }, el("tr", { role: "row" }, columns.map((column) => this.head(column)))),
      this.body,
    );
    this.show();
  }

  head(column) {
    const inside = column.sort
      ? el("button", { type: "button", class: "sort", title: column.help, click: () => this.sortBy(column.key) }, column.label, el("span", { class: "arrow", "aria-hidden": "true" }))
      : el("span", { title: column.help }, column.label);
    const node = el("th", { scope: "col", role: "columnheader", class: column.numeric ? "number" : column.class }, inside);
    this.heads.set(column.key, node);
    return node;
  }

  sortBy(key) {
    const column = this.columns.find((one) => one.key === key);
    this.falling = this.by === key ? !this.falling : Boolean(column.numeric);
    this.by = key;
    this.show();
  }

  sorted() {
    const column = this.columns.find((one) => one.key === this.by);
    if (!column) return this.rows;
    const sign = this.falling ? -1 : 1;
    const keyed = this.rows.map((row, place) => [column.sort(row), row, place]);
    keyed.sort(([a, , i], [b, , j]) => {
      // Rows without a value are last in both orders.
      if (a === null || b === null) return (a === null) - (b === null) || i - j;
      return sign * (typeof a === "string" ? inOrder(a, b) : a - b) || i - j;
    });
    return keyed.map(([, row]) => row);
  }

  show(rows = this.sorted()) {
    for (const [key, node] of this.heads) {
      const column = this.columns.find((one) => one.key === key);
      if (column.sort) node.setAttribute("aria-sort", key !== this.by ? "none" : this.falling ? "descending" : "ascending");
    }
    this.body.replaceChildren(
      ...rows.map((row) =>
        el(
          "tr",
          { role: "row" },
          this.columns.map((column) => {
            const kind = [column.numeric ? "number" : "", column.class ?? ""].join(" ").trim() || null;
            const [tag, scope, role] = column.head ? ["th", "row", "rowheader"] : ["td", null, "cell"];
            return el(tag, { scope, role, class: kind, "data-label": column.label }, column.cell(row));
          }),
        ),
      ),
    );
  }
}
