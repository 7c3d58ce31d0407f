// The reader's lines, the twin of explorer/exchange/lines.py.

import { finish } from "../engine.js";
import { doubtOf } from "../payload.js";
import { Refusal } from "../refusal.js";
import { textOf } from "./explainer.js";
import { parse } from "./request.js";

export const LINES = "lines"; // the question

/** The lines of some texts, in their order; null for one that the model refuses.
 * @param {import("./explainer.js").Explainer} explainer
 * @param {import("./request.js").Arguments} args */
export function lines({ engine, sheet, facts }, args) {
  const line = (/** @type {string} */ text) => {
    try {
      const { config: settings, ...request } = parse({ text, settings: {} }, sheet, facts);
      const explanation = finish(engine.explain({ ...request, settings }));
      const written = textOf(explanation.trace.written).split(/\s+/).filter(Boolean).join(" ");
      return { text: written, unsure: doubtOf(engine, explanation) !== null };
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  };
  const bounds = { least: 1, most: facts.lines, longest: facts.characters };
  return { [LINES]: args.texts("texts", bounds).map(line) };
}
