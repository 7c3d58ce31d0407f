// Answers to views about decoding: the next token's distribution, methods side by side, label
// smoothing, two models on one sentence.

import { pack } from "../../kit/packing.js";
import { tokenEntry } from "../labels.js";
import { logSum, rowsOf, token } from "./explainer.js";
import { MAX_WRITTEN } from "./request.js";
import { turn } from "./turns.js";

/** @typedef {import("./explainer.js").Question} Question */
/** @typedef {import("./explainer.js").Explainer} Explainer */
/** @typedef {import("./explainer.js").Pass} Pass */
/** @typedef {import("./request.js").Request} Request */
/** @typedef {ReturnType<Explainer["explain"]>} Explained */

const ORDER = ["beam", "greedy", "sampling", "beam_sampling"];
const SHOWN = 8; // tokens that have a row of their own
const MAX_STEPS = 512;

/** The log-probs of the token after some target ids. @type {Question} */
export function nextToken(explainer, { text, interventions, config }, args) {
  const bounds = { low: 0, high: explainer.engine.network.config.vocab_size - 1 };
  const ids = args.wholeList("ids", MAX_WRITTEN, bounds);
  return { log_probs: pack(explainer.nextLogProbs(text, ids, interventions, config)) };
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
export function times(explainer, request, args) {
  const { found, next } = turn(args, ORDER.length, 1, (/** @type {number} */ i) => {
    const config = configOf(explainer, request, args, ORDER[i]);
    const own = explained(explainer, request, config);
    return explainer.searchSeconds({ ...request, config, prefix: own.prefix, begin: "" });
  });
  return { seconds: found, next };
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
