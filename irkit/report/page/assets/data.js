// The page's data: small data as JSON, large data deflated and unpacked on first use.

const unpacked = new Map();

function data(name) {
  if (!unpacked.has(name)) unpacked.set(name, unpack($(name)));
  return unpacked.get(name);
}

async function unpack(element) {
  if (element.type === "application/json") return JSON.parse(element.textContent);
  const bytes = Uint8Array.from(atob(element.textContent), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

// Data for all parts of the page; main.js sets it before it builds them.
let core = null;

const runName = (place) => core.runs[place];
const measure = (place) => core.measures[place];
const isCount = (m) => measure(m).count;
const valueOf = (run, m, topic) => core.topics.values[run][m][topic];

// B minus A, and 0 if they are equal in all stored digits.
function difference(a, b, m, topic) {
  const [left, right] = [valueOf(a, m, topic), valueOf(b, m, topic)];
  if (left === null || right === null) return null;
  const found = right - left;
  return Math.abs(found) < 1e-9 ? 0 : found;
}

// The test of two runs on a measure, in either order; null if it was not made.
function testOf(a, b, m) {
  const found = core.tests?.pairs?.find((one) => one.m === m && ((one.a === a && one.b === b) || (one.a === b && one.b === a)));
  if (!found || found.a === a) return found ?? null;
  const turned = (value) => (value === null ? null : -value);
  return {
    ...found,
    a,
    b,
    difference: turned(found.difference),
    interval: found.interval.toReversed().map(turned),
    wins: found.losses,
    losses: found.wins,
  };
}
