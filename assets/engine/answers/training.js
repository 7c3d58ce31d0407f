// Other weights of a model: those of earlier updates, and a decoder trained without the causal
// mask. Both are separate files, fetched on first use.

import { createExplainer } from "./explainer.js";
import { refusal } from "./request.js";

const CHEAT = "cheat";

/** A model with other weights of its own, as `with_weights` in explorer/exchange/explain.py names
 * them. @param {import("./explainer.js").Explainer} explainer @param {string} name */
export async function withWeights(explainer, name) {
  const { sheet, facts, open } = explainer;
  if (name === "") return explainer;
  const isCheat = name === CHEAT;
  const isKept = sheet.training?.shares.some(
    (/** @type {number} */ one) => one < 1 && one.toFixed(2) === name,
  );
  if (!isCheat && !isKept) throw refusal("error.weights", { name: sheet.name, weights: name });
  const file = isCheat ? "cheat.safetensors" : `snapshots/${name}.safetensors.gz`;
  const engine = await open(file);
  if (engine === null && isKept) throw refusal("published.server"); // too large to come along
  if (engine === null) throw refusal("error.model.no_cheat", { name: sheet.name });
  return createExplainer(engine, { sheet, facts, open });
}
