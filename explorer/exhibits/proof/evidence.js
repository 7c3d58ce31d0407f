// The data requested from Python, so that the browser can recompute every number on the page.
// Replies are bounded: longer data comes in several.

import { unpack } from "../../../assets/kit/packing.js";
import { matrixKey, openLayer } from "../../../assets/kit/sublayer.js";
import { KINDS } from "./attention.js";
import { prefixesOf } from "./search.js";

/**
 * @typedef {object} Evidence
 * @property {any} rules of the search: start, end, limit, forced_end, shared
 * @property {any} inputs the inputs of the first layers: {source, target}
 * @property {Map<string, any>} layers "kind layer" -> one sub-layer
 * @property {import("./tokens.js").Sides} words
 * @property {{state: Float32Array, logits: Float32Array, norm: any}[]} steps
 * @property {Map<string, Map<number, number>>} following prefix -> id -> log-prob
 * @property {boolean} isWhole
 * @property {boolean} isKept it came with a saved file, without the sub-layers and the search's
 */

/** @returns {Evidence} */
export const nothingYet = () => ({
  rules: null,
  inputs: null,
  layers: new Map(),
  words: { source: new Map(), target: new Map() },
  steps: [],
  following: new Map(),
  isWhole: false,
  isKept: false,
});

const floats = (/** @type {string} */ text) => unpack(text, Float32Array);

export const layersOf = (record) =>
  KINDS.flatMap((kind) =>
    Array.from({ length: record.attention[kind].layers }, (_, layer) => ({ kind, layer })),
  );

/** Every id of a side on the page. */
export function idsOf({ src, tgt_in, tgt_out, steps, search }, /** @type {string} */ side) {
  if (side === "source") return [...new Set(src.map(({ id }) => id))];
  const ids = new Set([...tgt_in, ...tgt_out].map(({ id }) => id));
  for (const { top, chosen } of steps)
    for (const id of [chosen, ...top.map((one) => one.id)]) ids.add(id);
  for (const step of search.steps) for (const id of step.ids) ids.add(id);
  return [...ids];
}

/** The number of parts of the evidence, and of missing ones. */
export function progress(
  record,
  /** @type {Evidence} */ { inputs, layers, words, steps, following },
) {
  const prefixes = record.search.steps.reduce(
    (n, _, t) => n + prefixesOf(record.search.steps, t).length,
    0,
  );
  const all = 1 + layersOf(record).length + 1 + record.steps.length + prefixes;
  const hasWords = Object.entries(words).every(([side, known]) =>
    idsOf(record, side).every((id) => known.has(id)),
  );
  const done = (inputs ? 1 : 0) + layers.size + (hasWords ? 1 : 0) + steps.length + following.size;
  return { all, done: Math.min(done, all) };
}

/**
 * Gathers the missing evidence and calls `arrived` after each part. `ask` rejects when the work
 * should stop.
 * @param {any} record @param {Evidence} evidence
 * @param {{ask: (question: string, args?: object) => Promise<any>, arrived: () => Promise<void>,
 *   facts: any, matrices: any}} by
 */
export async function gather(record, evidence, { ask, arrived, facts, matrices }) {
  if (evidence.inputs === null) {
    await openInputs(evidence, await ask("proof_inputs"));
    await arrived();
  }
  for (const side of ["source", "target"]) await gatherWords(record, side, evidence, ask, facts);
  await arrived();
  for (const { kind, layer } of layersOf(record)) {
    const name = `${kind} ${layer}`;
    if (evidence.layers.has(name)) continue;
    const key = matrixKey(record.model, kind, layer);
    const signs = signsFor(evidence.inputs.source);
    const reply = await ask("proof_layer", { kind, layer, signs, matrix: !matrices.has(key) });
    const opened = await openLayer(reply);
    const isMine = signs.every((sign, i) => sign === opened.signs[i]);
    opened.signs = isMine ? opened.signs : opened.signs.fill(NaN);
    evidence.layers.set(name, matrices.complete(key, opened));
    await arrived();
  }
  await gatherSteps(record, evidence, ask, arrived);
  await gatherFollowing(record, evidence, ask, arrived, facts);
  evidence.isWhole = true;
}

/** The evidence in a saved file. @param {Evidence} evidence */
export async function openKept(evidence, { inputs, words, logits }) {
  evidence.isKept = true;
  await openInputs(evidence, inputs);
  for (const side of ["source", "target"])
    await openWords(evidence.words[side], words[side].ids, words[side]);
  if (logits !== null) await openSteps(evidence, logits);
}

async function openInputs(evidence, { rules, source, target }) {
  evidence.rules = rules;
  evidence.inputs = { source: await openSide(source), target: await openSide(target) };
}

async function openSide(side) {
  const [tokens, positions, first] = await Promise.all(
    [side.tokens, side.positions, side.first].map(floats),
  );
  return { ...side, tokens, positions, first };
}

/** A random sign for each number of a vector. */
const signsFor = ({ tokens, count }) =>
  Array.from({ length: tokens.length / count }, () => (Math.random() < 0.5 ? -1 : 1));

async function gatherWords(record, /** @type {string} */ side, evidence, ask, facts) {
  const words = evidence.words[side];
  const missing = idsOf(record, side).filter((id) => !words.has(id));
  for (let from = 0; from < missing.length; from += facts.words) {
    const ids = missing.slice(from, from + facts.words);
    await openWords(words, ids, await ask("proof_words", { side, ids }));
  }
}

async function openWords(words, ids, { labels, rows, out, bias }) {
  const [all, biases] = [await floats(rows), await floats(bias)];
  const outs = out && (await floats(out));
  const width = all.length / ids.length;
  ids.forEach((id, i) => {
    /** @type {[number, number]} */
    const own = [i * width, (i + 1) * width];
    const row = all.subarray(...own);
    const output = outs?.subarray(...own) ?? row;
    words.set(id, { label: labels[i], row, output, bias: biases[i] });
  });
}

async function gatherSteps(record, evidence, ask, arrived) {
  while (evidence.steps.length < record.steps.length) {
    await openSteps(evidence, await ask("proof_logits", { first: evidence.steps.length }));
    await arrived();
  }
}

async function openSteps(evidence, reply) {
  const [states, logits] = [await floats(reply.states), await floats(reply.logits)];
  const [width, size] = [states.length / reply.count, logits.length / reply.count];
  const norm = reply.norm && {
    ...reply.norm,
    gamma: await floats(reply.norm.gamma),
    beta: await floats(reply.norm.beta),
  };
  for (let i = 0; i < reply.count; i += 1) {
    evidence.steps.push({
      state: states.subarray(i * width, (i + 1) * width),
      logits: logits.subarray(i * size, (i + 1) * size),
      norm,
    });
  }
}

async function gatherFollowing(record, evidence, ask, arrived, facts) {
  const { steps } = record.search;
  let left = steps
    .flatMap((step, t) =>
      prefixesOf(steps, t).map(({ prefix, candidates }) => ({
        prefix,
        ids: [...new Set(candidates.map((c) => step.ids[c]))],
      })),
    )
    .filter(({ prefix }) => !evidence.following.has(prefix.join(" ")));
  while (left.length > 0) {
    const some = within(left, facts);
    const reply = await ask("proof_following", {
      lengths: some.map(({ prefix }) => prefix.length),
      prefixes: some.flatMap(({ prefix }) => prefix),
      counts: some.map(({ ids }) => ids.length),
      ids: some.flatMap(({ ids }) => ids),
    });
    const found = await floats(reply.log_probs);
    let at = 0;
    for (const { prefix, ids } of some.slice(0, reply.count)) {
      evidence.following.set(prefix.join(" "), new Map(ids.map((id, i) => [id, found[at + i]])));
      at += ids.length;
    }
    left = left.slice(reply.count);
    await arrived();
  }
}

/** As many of the first prefixes as fit into one question. */
function within(left, { prefixes, asked }) {
  let total = 0;
  const some = left.slice(0, prefixes).filter(({ ids }) => {
    total += ids.length;
    return total <= asked;
  });
  return some;
}
