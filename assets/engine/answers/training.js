// Answers to views about the model's training: weights of earlier updates, and a decoder trained
// without the causal mask. Both are separate files, fetched on first use.

import { packedMaps } from "../payload.js";
import { createExplainer } from "./explainer.js";
import { KINDS, refusal } from "./request.js";

/** @typedef {import("./explainer.js").Question} Question */

/**
 * The model after a share of its training, reading the current source and output.
 * @type {Question}
 */
export async function learn(explainer, request, args) {
  const { fractions, answers } = explainer.sheet;
  if (fractions.length === 0) throw refusal("error.request");
  const middle = fractions[Math.floor((fractions.length - 1) / 2)];
  const share = args.given("share") ? args.number("share", 0, 1) : middle;
  if (!fractions.includes(share)) throw refusal("error.request");
  const { ids } = explainer.explain(request).trace.written;
  const then = await withWeights(explainer, share === 1 ? "" : share.toFixed(2));
  const trace = then.trace(request.text, ids, {});
  const longest = Math.min(2 * ids.length + 10, explainer.sheet.max_source_tokens);
  const config = { ...explainer.sheet.defaults, method: "greedy", max_length: longest };
  const own = { text: request.text, config, shown: 0, prefix: [], node: null };
  const [best] = then.explain(own).search.hypotheses;
  return {
    share,
    shares: fractions,
    updates: answers.curves.lines.at(-1)?.updates ?? null,
    attention: Object.fromEntries(KINDS.map((kind) => [kind, packedMaps(trace.records[kind])])),
    log_probs: trace.logProb,
    translation: legible(explainer.tokenizer.decode(best.ids)),
    finished: best.finished,
  };
}

const CHEAT = "cheat";

/** A model with other weights of its own, as `with_weights` in explorer/exchange/explain.py names
 * them. @param {import("./explainer.js").Explainer} explainer @param {string} name */
export async function withWeights(explainer, name) {
  const { sheet, facts, open } = explainer;
  if (name === "") return explainer;
  const isCheat = name === CHEAT;
  const isKept = sheet.fractions?.some(
    (/** @type {number} */ one) => one < 1 && one.toFixed(2) === name,
  );
  if (!isCheat && !isKept) throw refusal("error.weights", { name: sheet.name, weights: name });
  const file = isCheat ? "cheat.safetensors" : `snapshots/${name}.safetensors.gz`;
  const engine = await open(file);
  if (engine === null && isKept) throw refusal("published.server"); // too large to come along
  if (engine === null) throw refusal("error.model.no_cheat", { name: sheet.name });
  return createExplainer(engine, { sheet, facts, open });
}

/** A text with every invisible character but the space as its code point: "U+0003 × 50". */
function legible(/** @type {string} */ text) {
  if (!/\S/u.test(text)) return text;
  const shown = text.replace(/(.)\1*/gsu, (same, /** @type {string} */ one) => {
    if (one === " " || !/[\p{C}\p{Z}]|[\ufe00-\ufe0f]/u.test(one)) return same;
    const count = [...same].length;
    const code = (one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return `U+${code}${count > 1 ? ` × ${count} ` : ""}`;
  });
  return shown.trimEnd();
}
