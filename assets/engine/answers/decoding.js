// Answers to views about decoding: the next token's distribution, methods side by side, label
// smoothing, two models on one sentence.

import { pack } from "../../kit/packing.js";
import { tokenEntries, tokenEntry } from "../labels.js";
import { tokenChanges } from "./differences.js";
import { logSum, readLabels, rowsOf, token } from "./explainer.js";
import { KINDS, MAX_WRITTEN } from "./request.js";
import { turn } from "./turns.js";

/** @typedef {import("./explainer.js").Question} Question */
/** @typedef {import("./explainer.js").Explainer} Explainer */
/** @typedef {import("./explainer.js").Pass} Pass */
/** @typedef {import("./request.js").Request} Request */
/** @typedef {ReturnType<Explainer["explain"]>} Explained */

const DRAWS = 5; // texts of other seeds
const ORDER = ["beam", "greedy", "sampling", "beam_sampling"];
const MOST = 64; // layers or heads that a number may name
const SHOWN = 8; // tokens that have a row of their own
const MAX_STEPS = 512;

/** The log-probs of the token after some target ids. @type {Question} */
export function nextToken(explainer, { text, interventions }, args) {
  const bounds = { low: 0, high: explainer.engine.network.config.vocab_size - 1 };
  const ids = args.wholeList("ids", MAX_WRITTEN, bounds);
  return { log_probs: pack(explainer.nextLogProbs(text, ids, interventions)) };
}

/** Every token by its id, as it is shown alone. @type {Question} */
export function vocabulary({ engine, tokenizer }) {
  const length = engine.network.config.vocab_size;
  const labels = Array.from({ length }, (_, id) => tokenEntry(tokenizer.piece(id), id));
  /** @type {Record<string, number[]>} */
  const kinds = {};
  labels.forEach(({ kind }, id) => {
    if (kind !== "word") kinds[kind] = [...(kinds[kind] ?? []), id];
  });
  return {
    texts: labels.map(({ text }) => text),
    pieces: labels.map(({ piece }) => piece),
    kinds,
    longest: Math.min(MAX_WRITTEN, engine.maxTokens),
  };
}

// ------------------------------------------------------------------- side by side

/** @type {Question} */
export function methods(explainer, request, args) {
  const beam = explained(explainer, request, { ...request.config, method: "beam" });
  const { found, next } = turn(args, ORDER.length, 1, (/** @type {number} */ i) => {
    const config = configOf(explainer, request, args, ORDER[i]);
    const found = explained(explainer, request, config);
    return { ...outcome(explainer, found, beam), method: config.method };
  });
  return { outcomes: found, next };
}

/** @type {Question} */
export function times(explainer, request, args) {
  const { found, next } = turn(args, ORDER.length, 1, (/** @type {number} */ i) => {
    const config = configOf(explainer, request, args, ORDER[i]);
    const own = explained(explainer, request, config);
    return explainer.searchSeconds({ ...request, config, prefix: own.prefix, begin: "" });
  });
  return { seconds: found, next };
}

/** @type {Question} */
export function seeds(explainer, request, args) {
  const config = configOf(explainer, request, args, "sampling");
  const beam = explained(explainer, request, { ...request.config, method: "beam" });
  const { found, next } = turn(args, DRAWS, 1, (/** @type {number} */ i) => {
    const seed = (config.seed + i) % 2 ** 32;
    const found = explained(explainer, request, { ...config, seed });
    return { ...outcome(explainer, found, beam), seed };
  });
  return { drawn: found, next };
}

/** The current settings with a different method; sampling methods use the requested sampler.
 * @param {Explainer} explainer @param {Request} request
 * @param {import("./request.js").Arguments} args @param {string} method */
function configOf({ facts: { ranges } }, { config }, args, method) {
  const asked = {
    temperature: args.number("temperature", ...ranges.temperature),
    top_k: args.whole("top_k", ...ranges.top_k),
    top_p: args.number("top_p", ...ranges.top_p),
    seed: args.whole("seed", ...ranges.seed),
  };
  return { ...config, ...(method.endsWith("sampling") ? asked : {}), method };
}

/** @param {Explainer} explainer @param {Request} request @param {any} config the settings */
const explained = (explainer, request, config) =>
  explainer.explain({ ...request, config, shown: 0, node: null });

/** The best hypothesis of a search, its difference from beam search's, and the search's cost.
 * @param {Explainer} explainer @param {Explained} explained @param {Explained} beam */
function outcome({ tokenizer }, { search, trace }, beam) {
  const [best] = search.hypotheses;
  const { written } = trace;
  const changes = tokenChanges(written.ids, beam.trace.written.ids);
  const kept = search.steps.map(({ fates }) => fates.filter((fate) => fate === "kept").length);
  const sum = (/** @type {number[]} */ all) => all.reduce((a, b) => a + b, 0);
  return {
    text: tokenizer.decode(best.ids),
    tokens: tokenEntries(written).map(({ text, piece, kind, joined = false }, i) => ({
      text,
      piece,
      kind,
      joined,
      other: changes.isNew[i],
    })),
    gaps: changes.gaps,
    log_prob: best.log_prob,
    score: best.score,
    length: best.path.length,
    finished: best.finished,
    steps: search.steps.length,
    prefixes: 1 + sum(kept),
    candidates: sum(search.steps.map(({ ids }) => ids.length)),
  };
}

/** The best translation of the request's model, and the weights of a head. @type {Question} */
export function translated(explainer, request, args) {
  const kind = args.choice("kind", KINDS);
  const asked = ["layer", "head"].map((name) => args.whole(name, 0, MOST - 1));
  const { search, shown, trace, seconds } = explainer.explain(request);
  const best = search.hypotheses[shown];
  const maps = trace.attention[kind];
  const layer = Math.min(asked[0], maps.layers - 1);
  const head = Math.min(asked[1], maps.heads - 1);
  return {
    name: explainer.sheet.name,
    tokens: tokenEntries(trace.written),
    log_prob: best.log_prob,
    score: best.score,
    length: best.path.length,
    seconds,
    layers: maps.layers,
    heads: maps.heads,
    layer,
    head,
    rows: tokenEntries(kind === "encoder_self" ? trace.src : trace.written),
    columns: kind === "decoder_self" ? readLabels(trace) : tokenEntries(trace.src),
    weights: pack(headOf(maps, layer, head)),
  };
}

/** The weights of one head, NaN where the mask forbids.
 * @param {import("./explainer.js").Maps} maps @param {number} layer @param {number} head */
export function headOf({ heads, weights, mask }, layer, head) {
  const from = (layer * heads + head) * mask.length;
  return Float32Array.from(mask, (isAllowed, cell) => (isAllowed ? weights[from + cell] : NaN));
}

// ------------------------------------------------------------------- label smoothing

/**
 * The logits of one step, and for every step the data for a loss with any epsilon.
 * @type {Question}
 */
export function smoothing(explainer, request, args) {
  const { trace } = explainer.explain(request);
  const { ids } = trace.written;
  const step = args.whole("step", 0, Math.min(ids.length, MAX_STEPS) - 1);
  const rows = rowsOf(explainer.network.logits(trace.top), ids.length);
  const logits = rows[step];
  const order = Array.from(logits, (_, id) => id).sort((a, b) => logits[b] - logits[a] || a - b);
  const named = [...new Set([...order.slice(0, SHOWN), ids[step]])];
  return {
    step,
    logits: pack(logits),
    top: named.map((id) => {
      const { text, kind, piece } = token(explainer, id);
      return { id, text, kind, piece };
    }),
    steps: rows.map((row, t) => {
      const all = logSum(row);
      let sum = 0;
      for (const one of row) sum += one - all;
      return { log_prob: row[ids[t]] - all, mean: sum / row.length };
    }),
  };
}
