// Answers to views about a modified model: experiments, and the masks' batch.

import { pack } from "../../kit/packing.js";
import { mulberry32 } from "../../kit/sampling.js";
import { bucketsOf } from "../distances.js";
import { tokenEntries } from "../labels.js";
import { readLabels, textOf } from "./explainer.js";
import { farthest } from "./layers.js";
import { KINDS, refusal } from "./request.js";
import { turn } from "./turns.js";

/** @typedef {import("./explainer.js").Question} Question */
/** @typedef {import("./explainer.js").Explainer} Explainer */
/** @typedef {import("./explainer.js").Interventions} Interventions */
/** @typedef {import("./explainer.js").Pass} Pass */
/** @typedef {import("./explainer.js").Maps} Maps */
/** @typedef {import("./request.js").Request} Request */
/** @typedef {import("./request.js").Arguments} Arguments */
/** @typedef {{trace: Pass}} Explained */

const HEADS = 4; // heads to switch off between checks of the time

const sum = (/** @type {ArrayLike<number>} */ all) => Array.from(all).reduce((a, b) => a + b, 0);
const untouched = (/** @type {Explainer} */ { facts }) => facts.interventions.defaults;

// ------------------------------------------------------------------- experiments

/**
 * The loss of the current output without each head of the model, from head `first` on.
 * @type {Question}
 */
export function headsOff(explainer, request, args) {
  const { trace } = explainer.explain(request);
  const heads = KINDS.flatMap((kind) => {
    const { layers, heads: count } = trace.attention[kind];
    /** @type {(i: number) => Required<Interventions>["heads_off"][0]} */
    const head = (i) => [kind, Math.floor(i / count), i % count];
    return Array.from({ length: layers * count }, (_, i) => head(i));
  });
  const source = trace.src.ids.slice(0, trace.src.ids.length - request.interventions.padding);
  const first = args.whole("first", 0, heads.length - 1);
  const { found, next } = turn(args, heads.length, HEADS, (from, to) =>
    heads.slice(from, to).map((head) => {
      const off = [...request.interventions.heads_off, head];
      const interventions = { ...request.interventions, heads_off: off };
      const now = explainer.logProbs(source, trace, interventions);
      return sum(now.map((x, t) => x - trace.logProb[t]));
    }),
  );
  const changes = found.flat();
  return {
    text: textOf(trace.written),
    heads: heads.slice(first, first + changes.length),
    changes,
    count: heads.length,
    next,
  };
}

/** The original model and the modified one without pads and painted cells, which are one text's.
 * @param {Explainer} explainer @param {Request} request @returns {[string, Interventions][]} */
const models = (explainer, { interventions }) =>
  Object.entries({
    before: untouched(explainer),
    after: { ...interventions, padding: 0, cells: [] },
  });

/**
 * The source encoded in its own order and in a drawn one, by the original and modified model.
 * @type {Question}
 */
export function equivariance(explainer, request, args) {
  const { ids } = explainer.engine.read(request.text);
  const order = otherOrder(ids, mulberry32(args.whole("seed", 0, 2 ** 31)));
  const runs = models(explainer, request).map(([name, interventions]) => {
    const own = explainer.encoded(ids, interventions);
    const moved = explainer.encoded(
      order.map((i) => ids[i]),
      interventions,
    );
    const width = own.length / ids.length;
    const row = (/** @type {Float32Array} */ rows, /** @type {number} */ i) =>
      rows.subarray(i * width, (i + 1) * width);
    const off = ids.map((_, i) => farthest(row(moved, order.indexOf(i)), row(own, i)));
    return { name, off, size: Math.sqrt(sum(own.map((x) => x * x)) / own.length) };
  });
  const deviations = Object.fromEntries(runs.map(({ name, off }) => [name, off]));
  return { order, ...deviations, size: runs[0].size };
}

/** A random order that differs from the original, if there is one. */
function otherOrder(/** @type {number[]} */ ids, /** @type {() => number} */ random) {
  for (;;) {
    const drawn = ids.map((_, i) => i);
    for (let i = drawn.length - 1; i > 0; i -= 1) {
      const other = Math.floor(random() * (i + 1));
      [drawn[i], drawn[other]] = [drawn[other], drawn[i]];
    }
    if (new Set(ids).size < 2 || drawn.some((from, i) => ids[from] !== ids[i])) return drawn;
  }
}

// ------------------------------------------------------------------- the masks

/**
 * Two to four sentences, each with the model's own greedy translation, as tokens.
 * @type {Question}
 */
export function batch(explainer, request, args) {
  const { fewest: least, most, longest, tokens } = explainer.facts.constants.masks;
  const sentences = args.texts("sentences", { least, most, longest });
  const { defaults } = explainer.sheet;
  const config = {
    ...defaults,
    method: "greedy",
    max_length: Math.min(tokens, defaults.max_length),
  };
  const plain = { ...request, shown: 0, prefix: [], begin: "", node: null };
  const asked = { ...plain, interventions: untouched(explainer) };
  const counts = sentences.map((text, i) => {
    if (!text.trim()) throw refusal("masks.empty", { n: i + 1 });
    const count = explainer.tokenizer.encodeSource(text).ids.length;
    if (count > tokens) throw refusal("masks.long", { n: i + 1, count, limit: tokens });
    return count;
  });
  const rows = sentences.map((text) => {
    const { trace } = explainer.explain({ ...asked, text, config });
    return { src: tokenEntries(trace.src), tgt: readLabels(trace) };
  });
  const shortest = Math.min(...counts);
  const which = counts.indexOf(shortest);
  const padding = Math.max(...counts) - shortest;
  return {
    rows,
    scores: scores(explainer, asked, sentences[which], padding),
    which,
    biases: biases(explainer.network, tokens - 1),
  };
}

/** The least and the greatest bias of all layers and heads by distance; null if there are none.
 * @param {Explainer["network"]} network @param {number} reach the farthest distance */
function biases(network, reach) {
  if (network.config.positions !== "relative") return null;
  const extremes = (/** @type {"encoder"|"decoder"} */ stack) => {
    const buckets = bucketsOf(network.config, stack === "encoder", reach);
    const tables = network.distanceTables(stack);
    const by = (/** @type {(...values: number[]) => number} */ most) =>
      pack(
        Float32Array.from(buckets, (bucket) =>
          most(
            ...tables.flatMap(({ shape: [, heads], data }) => [
              ...data.subarray(bucket * heads, (bucket + 1) * heads),
            ]),
          ),
        ),
      );
    return { low: by(Math.min), high: by(Math.max) };
  };
  return { reach, source: extremes("encoder"), target: extremes("decoder") };
}

/** The encoder's scores for a padded sentence, before mask and softmax.
 * @param {Explainer} explainer @param {Request} asked @param {string} text @param {number} n */
function scores(explainer, asked, text, n) {
  const interventions = { ...untouched(explainer), padding: n };
  const config = { ...explainer.sheet.defaults, method: "greedy", max_length: 1 };
  const { trace } = explainer.explain({ ...asked, text, config, interventions });
  const { layers, heads, queries, keys } = trace.attention.encoder_self;
  const rows = queries - n;
  const count = layers * heads * rows * keys;
  const values = new Float32Array(count);
  const bias = trace.encoder.self[0].bias ? new Float32Array(count) : null;
  const width = trace.encoder.self[0].keys[0].length / heads;
  const divisor = explainer.network.config.scaling ? Math.sqrt(width) : 1;
  let at = 0;
  for (const record of trace.encoder.self)
    for (let head = 0; head < heads; head += 1)
      for (let row = 0; row < rows; row += 1)
        for (let key = 0; key < keys; key += 1, at += 1) {
          values[at] = product(record, { row, key, head, heads, width }) / divisor;
          if (bias && record.bias) bias[at] = record.bias[(head * queries + row) * keys + key];
        }
  const added = bias ? values.map((value, i) => value + bias[i]) : values;
  const worst = worstRow(added, keys, n || 1);
  const [layer, head] = [Math.floor(worst / (heads * rows)), Math.floor(worst / rows) % heads];
  return {
    layers, heads, queries: rows, keys, padding: n,
    worst: { layer, head, query: worst % rows },
    values: pack(values),
    bias: bias && pack(bias),
  }; // biome-ignore format: names
}

/** @param {import("./explainer.js").Attention} record
 * @param {{row: number, key: number, head: number, heads: number, width: number}} at */
function product(record, { row, key, head, heads, width }) {
  const all = heads * width;
  let found = 0;
  for (let i = head * width; i < (head + 1) * width; i += 1)
    found += record.queries[row * all + i] * record.keys[key][i];
  return found;
}

/** The row that gives the most attention to its last keys if their scores are set to 0.
 * @param {Float32Array} values @param {number} keys @param {number} masked */
function worstRow(values, keys, masked) {
  let [worst, most] = [0, -1];
  for (let row = 0; row < values.length / keys; row += 1) {
    const own = Array.from(values.subarray(row * keys, (row + 1) * keys)).fill(0, keys - masked);
    const peak = Math.max(...own);
    const powers = own.map((one) => Math.exp(one - peak));
    const leak = sum(powers.slice(keys - masked)) / sum(powers);
    if (leak > most) [worst, most] = [row, leak];
  }
  return worst;
}
