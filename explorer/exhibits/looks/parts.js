// Who wrote the parts of a query and of a key: their names in the answer, and groups of them.
// Pure functions.

/**
 * What wrote a part: a head or a network of a layer (from 0), the word, its place, biases, or, of a
 * score, the distance. `n` parts are summed up in "others".
 * @typedef {{name: "word"|"place"|"self"|"cross"|"network"|"biases"|"distance"|"others",
 *   stack?: string, layer?: number, head?: number, n?: number}} Writer
 *
 * The answer of Python: `products` (query parts, key parts) and the distance add up to the score.
 * @typedef {{query: string[], key: string[], products: Float32Array, distance: number|null,
 *   score: number}} Split
 *
 * A side's parts in the order of their size, each with the sum of its row or column.
 * @typedef {{writer: Writer, value: number}} Part
 *
 * @typedef {{queries: Part[], keys: Part[], cells: number[][], total: number}} Grouped
 */

/** @type {Record<string, Writer["name"]>} */
const SUBS = { self: "self", cross: "cross", "feed-forward": "network" };
/** @type {Record<string, Writer["name"]>} */
const PLAIN = { embedding: "word", position: "place", distance: "distance" };

/** @param {string} part as model/labs/looks.py names it @returns {Writer} */
export function writerOf(part) {
  if (part.endsWith("bias")) return { name: "biases" };
  if (part in PLAIN) return { name: PLAIN[part] };
  const [stack, layer, sub, head] = part.split(" ");
  const writer = { name: SUBS[sub], stack, layer: Number(layer) - 1 };
  return head === undefined ? writer : { ...writer, head: Number(head) - 1 };
}

/** A writer's name in a link: self.decoder.1.2, network.encoder.0, word. @param {Writer} writer */
export const idOf = ({ name, stack, layer, head }) =>
  [name, stack, layer, head].filter((one) => one !== undefined).join(".");

/** The parts of the key that a writer wrote. @param {Pick<Split, "key">} split @param {Writer} writer */
export const partsOf = ({ key }, writer) =>
  writer.name === "distance"
    ? ["distance"]
    : key.filter((part) => idOf(writerOf(part)) === idOf(writer));

/** Which bias it is: a key of the words, and whose. @param {string} part */
export function biasOf(part) {
  const [stack, layer, sub, what] = part.split(" ");
  if (part === "bias") return { key: "map" };
  if (stack === "embedding") return { key: "first" };
  if (layer === "norm") return { key: "last" };
  return { key: what === "norm" ? "norm" : "output", layer: Number(layer), sub: SUBS[sub] };
}

const sum = (/** @type {number[]} */ all) => all.reduce((one, other) => one + other, 0);

/** A side's parts by writer, in their order: their places. @param {string[]} parts */
function placesByWriter(parts) {
  /** @type {Map<string, {writer: Writer, places: number[]}>} */
  const groups = new Map();
  for (const [i, part] of parts.entries()) {
    const writer = writerOf(part);
    const key = JSON.stringify(writer);
    if (!groups.has(key)) groups.set(key, { writer, places: [] });
    groups.get(key)?.places.push(i);
  }
  return [...groups.values()];
}

/** The table by writers, the largest sums first. @param {Split} split @returns {Grouped} */
export function grouped({ query, key, products, distance }) {
  const [queries, keys] = [query, key].map(placesByWriter);
  const cells = queries.map(({ places }) =>
    keys.map((one) =>
      sum(places.flatMap((i) => one.places.map((j) => products[i * key.length + j]))),
    ),
  );
  const writers = [queries, keys].map((all) => all.map(({ writer }) => writer));
  if (distance !== null) {
    for (const row of cells) row.push(0);
    cells.push([...keys.map(() => 0), distance]);
    for (const all of writers) all.push({ name: "distance" });
  }
  return ordered(writers[0], writers[1], cells);
}

/** @param {Writer[]} rows @param {Writer[]} columns @param {number[][]} cells @returns {Grouped} */
function ordered(rows, columns, cells) {
  const parts = (/** @type {Writer[]} */ writers, /** @type {(i: number) => number[]} */ line) =>
    writers
      .map((writer, i) => ({ writer, value: sum(line(i)), i }))
      .sort((one, other) => Math.abs(other.value) - Math.abs(one.value));
  const queries = parts(rows, (i) => cells[i]);
  const keys = parts(columns, (j) => cells.map((row) => row[j]));
  return {
    queries,
    keys,
    cells: queries.map(({ i }) => keys.map((one) => cells[i][one.i])),
    total: sum(queries.map(({ value }) => value)),
  };
}

const LITTLE = 0.1; // of the largest cell: a part with no larger one is not worth a line

/** How many lines of a table are worth one of their own: those up to the last with a cell that
 * matters. @param {number[][]} lines @param {number} most */
const worth = (lines, most) =>
  1 + lines.findLastIndex((line) => line.some((one) => Math.abs(one) > LITTLE * most));

/** The table with at most so many rows and columns: the smallest parts are one, and so are those in
 * which there is nothing to see.
 * @param {Grouped} all @param {number} rows @param {number} columns @returns {Grouped} */
export function fitted({ queries, keys, cells, total }, rows, columns) {
  const most = Math.max(...cells.flat().map(Math.abs));
  const cut = (/** @type {number[][]} */ lines, /** @type {number} */ room) => {
    const own = Math.max(1, worth(lines, most));
    return lines.length <= Math.min(own + 1, room) ? lines.length : Math.min(own, room - 1);
  };
  const turned = keys.map((_, j) => cells.map((row) => row[j]));
  const [down, across] = [cut(cells, rows), cut(turned, columns)];
  const joined = (/** @type {number[]} */ line, /** @type {number} */ at) =>
    at < line.length ? [...line.slice(0, at), sum(line.slice(at))] : line;
  const short = (/** @type {Part[]} */ parts, /** @type {number} */ at) => {
    const others = parts.slice(at);
    if (others.length === 0) return parts;
    const value = sum(others.map((one) => one.value));
    /** @type {Writer} */
    const writer = { name: "others", n: others.length };
    return [...parts.slice(0, at), { writer, value }];
  };
  const narrow = cells.map((row) => joined(row, across));
  const last = narrow.slice(down);
  const below = last.length ? [narrow[0].map((_, j) => sum(last.map((row) => row[j])))] : [];
  return {
    queries: short(queries, down),
    keys: short(keys, across),
    cells: [...narrow.slice(0, down), ...below],
    total,
  };
}

/** The part of the key that gives most to the score, or takes most where that is below 0, and what
 * biases of the query make of it. @param {Grouped} all */
export function leading({ queries, keys, cells, total }) {
  const way = total < 0 ? -1 : 1;
  const at = keys.reduce(
    (most, { value }, j) => (way * value > way * keys[most].value ? j : most),
    0,
  );
  const row = queries.findIndex(({ writer }) => writer.name === "biases");
  return { ...keys[at], at, row, byBias: row < 0 ? 0 : cells[row][at] };
}
