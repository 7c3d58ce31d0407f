// Why a head looks there: a score as a sum of parts of its query times parts of its key, the twin
// of model/labs/looks.py, which names the parts and says what they are.

import { pack } from "../../kit/packing.js";
import { dot } from "../linear.js";
import { inputs, KIND_OF, NAMES, normOf, statesOf, subLayers, throughNorm } from "./dissect.js";
import { scoreWithout } from "./removal.js";
import { KINDS, refusal } from "./request.js";

/** @typedef {Pick<import("./explainer.js").Explainer, "network">} Explainer */
/** @typedef {import("./explainer.js").Pass} Pass */
/** @typedef {import("./dissect.js").AttentionPart} AttentionPart */
/** @typedef {import("./dissect.js").Norm} Norm */
/** @typedef {"encoder"|"decoder"} Stack */

/**
 * @typedef {Map<string, Float64Array[]>} Parts of some rows of the stream: a vector (D) for each
 * row, by the name of what wrote it
 *
 * @typedef {object} Cell a score, counted from 0; with `against`, the difference to that key's
 * @property {import("../edits.js").Kind} kind @property {number} layer @property {number} head
 * @property {number} row @property {number} column @property {number|null} [against]
 *
 * @typedef {object} Look its parts
 * @property {string[]} queryParts @property {string[]} keyParts
 * @property {Float64Array} table (query parts, key parts): these products and the distance add up
 * to the score
 * @property {number|null} distance null: this attention adds nothing by distance
 * @property {number} recorded the score of the record
 */

const LONGEST = 60; // characters of a part's name

/** The score of a key minus that of another as a table of parts.
 * @type {import("./explainer.js").Question} */
export function looks(explainer, request, args) {
  const { trace } = explainer.explain(request);
  const found = look(explainer, trace, cellOf(trace, args));
  const { queryParts, keyParts, table, distance, recorded } = found;
  const products = pack(Float32Array.from(table));
  return { query: queryParts, key: keyParts, products, distance, score: recorded };
}

/** The same score, or difference, in a run without some parts of the key.
 * @type {import("./explainer.js").Question} */
export function looksWithout(explainer, request, args) {
  const { trace } = explainer.explain(request);
  const cell = cellOf(trace, args);
  const { keyParts, distance } = look(explainer, trace, cell);
  const known = distance === null ? keyParts : [...keyParts, "distance"];
  const parts = args.texts("parts", { least: 1, most: known.length, longest: LONGEST });
  if (parts.some((one) => !known.includes(one))) throw refusal("error.request");
  return { score: scoreWithout(explainer, trace, cell, parts) };
}

/** @param {Pass} trace @param {import("./request.js").Arguments} args @returns {Cell} */
function cellOf(trace, args) {
  const kind = args.choice("kind", KINDS);
  const { layers, heads, queries, keys } = trace.attention[kind];
  const against = args.whole("against", -1, keys - 1);
  return {
    kind,
    layer: args.whole("layer", 0, layers - 1),
    head: args.whole("head", 0, heads - 1),
    row: args.whole("row", 0, queries - 1),
    column: args.whole("column", 0, keys - 1),
    against: against < 0 ? null : against,
  };
}

/** @param {Explainer} explainer @param {Pass} trace @param {Cell} cell @returns {Look} */
export function look(explainer, trace, { kind, layer, head, row, column, against = null }) {
  const columns = against === null ? [column] : [column, against];
  const stack = kind === "encoder_self" ? "encoder" : "decoder";
  const stream = new Stream(explainer, trace, stack, kind === "cross" ? [row] : [row, ...columns]);
  const { name, scale } = stream.until(kind, layer);
  const read = kind === "cross" ? memory(explainer, trace, columns) : rowsOf(stream.parts, 1);
  const path = `${stack}.${layer}.${name}`;
  const [record, maps] = [trace.records[kind][layer], trace.attention[kind]];
  const size = record.keys[0].length / maps.heads;
  const map = (/** @type {string} */ name, /** @type {Parts} */ parts) =>
    mapped(explainer, `${path}.${name}`, parts, head * size, size);
  const queries = map("query", rowsOf(stream.parts, 0, 1));
  const keys = map("key", read);
  const difference = (/** @type {Float64Array[]} */ [first, second]) =>
    second ? first.map((one, i) => one - second[i]) : first;
  const byKey = [...keys.values()].map(difference);
  const products = [...queries.values()].flatMap(([query]) =>
    byKey.map((key) => dot(query, 0, key, 0, size) / scale),
  );
  const scores = columns.map((key) => scoreOf({ record, maps, scale }, head, row, key));
  const minus = (/** @type {number[]} */ [first, second = 0]) => first - second;
  return {
    queryParts: [...queries.keys()],
    keyParts: [...keys.keys()],
    table: Float64Array.from(products),
    distance: record.bias && minus(scores.map(({ distance }) => distance)),
    recorded: minus(scores.map(({ product, distance }) => product + distance)),
  };
}

/** The recorded score of a cell, before the mask: product and distance.
 * @param {Pick<AttentionPart, "record"|"maps"|"scale">} part @param {number} head
 * @param {number} row @param {number} key */
function scoreOf({ record, maps, scale }, head, row, key) {
  const width = record.keys[0].length;
  const size = width / maps.heads;
  const at = head * size;
  const product = dot(record.queries, row * width + at, record.keys[key], at, size) / scale;
  const cell = (head * maps.queries + row) * maps.keys + key;
  return { product, distance: record.bias?.[cell] ?? 0 };
}

/** The parts of some of the rows. @param {Parts} parts @param {number} from @param {number} [end]
 * @returns {Parts} */
const rowsOf = (parts, from, end) =>
  new Map([...parts].map(([name, rows]) => [name, rows.slice(from, end)]));

/** The parts of queries or keys (d_k): those of the stream, and the map's own bias.
 * @param {Explainer} explainer @param {string} path @param {Parts} parts @param {number} from the
 * head's first row of the weight @param {number} size d_k @returns {Parts} */
function mapped({ network }, path, parts, from, size) {
  const { data, shape } = network.tensor(`${path}.weight`);
  const product = (/** @type {Float64Array} */ vector) =>
    Float64Array.from({ length: size }, (_, i) =>
      dot(vector, 0, data, (from + i) * shape[1], shape[1]),
    );
  const all = new Map([...parts].map(([name, rows]) => [name, rows.map(product)]));
  if (!network.config.biases) return all;
  const bias = Float64Array.from(network.shift(path, shape[0]).subarray(from, from + size));
  const [rows] = parts.values();
  return all.set(
    "bias",
    rows.map(() => bias),
  );
}

/** The parts of the encoder's output at some positions.
 * @param {Explainer} explainer @param {Pass} trace @param {number[]} rows */
function memory(explainer, trace, rows) {
  const { network } = explainer;
  const stream = new Stream(explainer, trace, "encoder", rows);
  stream.run();
  if (network.config.norm !== "pre") return stream.parts;
  const last = /** @type {Float32Array} */ (statesOf(stream.trace, "encoder").at(-1));
  return stream.normed(stream.parts, last, normOf(network, "encoder_norm"), "encoder");
}

/** Some rows of a matrix. @param {Float32Array} x @param {number} width @param {number[]} rows */
function taken(x, width, rows) {
  const found = new Float32Array(rows.length * width);
  for (const [i, row] of rows.entries())
    found.set(x.subarray(row * width, (row + 1) * width), i * width);
  return found;
}

/** A pass with only some rows of a stack's states and queries: what the others wrote is in keys and
 * values. @param {Pass} trace @param {Stack} stack @param {number[]} rows @param {number} size
 * @returns {Pass} */
function narrowed(trace, stack, rows, size) {
  const records = { ...trace.records };
  const attention = { ...trace.attention };
  for (const kind of Object.values(KIND_OF[stack])) {
    const { heads, queries, keys } = attention[kind];
    const all = Array.from({ length: heads }, (_, head) => rows.map((row) => head * queries + row));
    records[kind] = records[kind].map((one) => ({
      ...one,
      weights: taken(one.weights, keys, all.flat()),
      queries: taken(one.queries, one.keys[0].length, rows),
    }));
    attention[kind] = { ...attention[kind], queries: rows.length };
  }
  const states = trace[stack].states.map((x) => taken(x, size, rows));
  return { ...trace, records, attention, [stack]: { ...trace[stack], states } };
}

/** What was written into a stack's stream at some positions, as the norms since then left it. */
class Stream {
  /** @param {Explainer} explainer @param {Pass} trace @param {Stack} stack @param {number[]} rows */
  constructor(explainer, trace, stack, rows) {
    this.explainer = explainer;
    this.stack = stack;
    this.rows = rows;
    this.config = explainer.network.config;
    this.trace = narrowed(trace, stack, rows, this.config.d_model);
    this.parts = this.embedded();
  }

  /** Runs through the layers below an attention; `parts` are then those that it reads.
   * @param {string} kind @param {number} layer @returns {AttentionPart} */
  until(kind, layer) {
    return /** @type {AttentionPart} */ (this.run(kind, layer));
  }

  /** Runs to an attention, which it returns, or to the end.
   * @param {string} [kind] @param {number} [layer] */
  run(kind, layer) {
    const { explainer, trace, stack } = this;
    for (let i = 0; i < this.config[`n_${stack}_layers`]; i += 1) {
      for (const part of subLayers(explainer, trace, stack, i)) {
        const place = `${stack} ${i + 1} ${NAMES[part.name]}`;
        if ("kind" in part && part.kind === kind && i === layer) {
          if (part.pre) this.parts = this.normed(this.parts, part.before, part, place);
          return part;
        }
        for (const [name, rows] of this.written(part, place)) this.parts.set(name, rows);
        if (!part.pre) this.parts = this.normed(this.parts, part.total, part, place);
      }
    }
    return null;
  }

  /** The rows of a matrix (rows, D). @param {Float32Array} x */
  rowsOf(x) {
    const size = this.config.d_model;
    return this.rows.map((_, i) => Float64Array.from(x.subarray(i * size, (i + 1) * size)));
  }

  /** The parts after a norm of the states x (rows, D), and what the norm adds.
   * @param {Parts} parts @param {Float32Array} x @param {Norm} norm @param {string} place
   * @returns {Parts} */
  normed(parts, x, norm, place) {
    const through = this.rowsOf(x).map((row) => throughNorm(norm, row));
    const left = [...parts].map(([name, rows]) => [name, rows.map((row, i) => through[i](row))]);
    const all = new Map(/** @type {[string, Float64Array[]][]} */ (left));
    if (norm.rms || !this.config.biases) return all;
    return all.set(
      `${place} norm bias`,
      this.rows.map(() => Float64Array.from(norm.beta)),
    );
  }

  /** The parts of the stack's input. @returns {Parts} */
  embedded() {
    const side = this.stack === "encoder" ? "source" : "target";
    const given = inputs(this.explainer, this.trace, side);
    const [tokens, positions] = [given.tokens, given.positions].map((x) =>
      taken(x, this.config.d_model, this.rows),
    );
    const { positions: kind, sinusoids, embedding_norm: how } = this.config;
    const hasPlace = kind === "learned" || (kind === "sinusoids" && sinusoids !== "none");
    const token = /** @type {Parts} */ (new Map([["embedding", this.rowsOf(tokens)]]));
    const place = hasPlace ? this.rowsOf(positions) : null;
    const isAlone = this.explainer.network.normsToken(side);
    const norm = () => normOf(this.explainer.network, `embedding.${side}_norm`);
    const first = isAlone ? this.normed(token, tokens, norm(), "embedding") : token;
    if (place) first.set("position", place);
    if (how === "none" || isAlone) return first;
    return this.normed(
      first,
      tokens.map((one, i) => one + positions[i]),
      norm(),
      "embedding",
    );
  }

  /** What a sub-layer writes into the stream.
   * @param {ReturnType<typeof subLayers>[number]} part @param {string} place
   * @returns {[string, Float64Array[]][]} */
  written(part, place) {
    if (!("kind" in part)) return [[place, this.rowsOf(part.output)]];
    const { network } = this.explainer;
    const path = `${this.stack}.${part.layer}.${part.name}.output`;
    const { data, shape } = network.tensor(`${path}.weight`);
    const [out, width] = shape;
    const size = width / part.kept.length;
    const heads = part.kept.map((_, head) => {
      const rows = this.rows.map((_, row) =>
        Float64Array.from({ length: out }, (_, i) =>
          part.off
            ? 0
            : dot(part.context, row * width + head * size, data, i * width + head * size, size),
        ),
      );
      return /** @type {[string, Float64Array[]]} */ ([`${place} ${head + 1}`, rows]);
    });
    if (!this.config.biases) return heads;
    const bias = Float64Array.from(network.shift(path, out), (one) => (part.off ? 0 : one));
    return [...heads, [`${place} bias`, this.rows.map(() => bias)]];
  }
}
