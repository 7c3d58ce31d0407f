// The reader's lines, the twin of explorer/exchange/lines.py.

import { finish } from "../engine.js";
import { lost } from "../lost.js";
import { doubtOf } from "../payload.js";
import { Refusal } from "../refusal.js";
import { textOf } from "./explainer.js";
import { parse } from "./request.js";

export const LINES = "lines"; // the question

/** The lines of some texts, in their order; null for one that the model refuses. `of` is what the
 * first one translates, whose lost words are in the answer then.
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
  const texts = args.texts("texts", bounds);
  const found = texts.map(line);
  if (!args.given("of")) return { [LINES]: found };
  const [source, back, { glossary }] = [args.text("of", facts.characters), found[0], engine];
  return {
    [LINES]: found,
    lost: back && glossary ? lost(source, texts[0], back.text, glossary) : [],
  };
}
