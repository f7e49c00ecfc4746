// Drawings: specifications of Vega-Lite, drawn without evaluating any text as a program, in the colours of the page.

const drawings = [];
const dark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};

/*
 * A drawing in a place of its own: `make(width)` gives its specification, null where there is nothing to draw.
 *
 * It is drawn when it first comes near the screen, and again when its width or the colours change.
 */
function drawing(place, make, { click = null } = {}) {
  const one = { place, make, click, width: 0, near: false, view: null, turn: 0 };
  drawings.push(one);
  new IntersectionObserver(([entry], observer) => {
    if (!entry.isIntersecting) return;
    observer.disconnect();
    one.near = true;
    draw(one);
  }, { rootMargin: "400px" }).observe(place);
  new ResizeObserver(([entry]) => {
    if (Math.abs(entry.contentRect.width - one.width) > 2 && one.near) draw(one);
  }).observe(place);
  return one;
}

async function draw(one) {
  if (!one.near || !globalThis.vegaEmbed) return;
  const turn = (one.turn += 1);
  const width = Math.floor(one.place.clientWidth);
  const given = width ? one.make(width) : null;
  one.width = width;
  if (!given) return;
  const box = el("div", { class: "canvas" });
  const spec = { ...given, config: { ...core.themes[dark() ? "dark" : "light"], font: getComputedStyle(document.body).fontFamily } };
  const drawn = await vegaEmbed(box, spec, { ast: true, actions: false, renderer: given.usermeta?.renderer ?? "svg", defaultStyle: false, tooltip: showTip, loader: { load: refuse, sanitize: refuse } });
  if (turn !== one.turn) return drawn.finalize();
  one.view?.finalize();
  one.view = drawn;
  if (one.click) drawn.view.addEventListener("click", (_, item) => item?.datum && one.click(item.datum));
  one.place.replaceChildren(box);
}

// A specification has its data in it; nothing else is ever fetched.
const refuse = () => Promise.reject(new Error("this page loads nothing"));

const redraw = (chosen = drawings) => chosen.forEach((one) => draw(one));

// What the mouse points at, as text.
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
