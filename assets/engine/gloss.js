// What the tokens of an answer stand for in the other language, put on their labels: the twin of
// explorer/exchange/gloss.py, which has the explanations. Pure functions.

import { isAlone } from "./labels.js";

/** @typedef {import("../kit/types.js").Gloss} Gloss */
/** The file beside a model, see model/text/glossary.py.
 * @typedef {{pairs: number, words: Record<string, Gloss>}} Glossary */

const SPACE = "▁";

/** @template T @param {T} value @param {Glossary|null} glossary @returns {T} */
export function glossed(value, glossary) {
  if (glossary !== null) visit(value, glossary.words);
  return value;
}

/** @template {{model: object}} T @param {T} record @param {Glossary|null} glossary */
export function glossedRecord(record, glossary) {
  record.model = { ...record.model, glossed: glossary?.pairs ?? 0 };
  return glossed(record, glossary);
}

/** @param {any} value @param {Record<string, Gloss>} words */
function visit(value, words) {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return;
  if (!Array.isArray(value)) {
    tell([value], words);
    for (const one of Object.values(value)) visit(one, words);
  } else if (typeof value[0] === "object") {
    tell(value, words);
    for (const one of value) for (const part of Object.values(one ?? {})) visit(part, words);
  }
}

/** @param {any[]} labels @param {Record<string, Gloss>} words */
function tell(labels, words) {
  const isLabel = (/** @type {any} */ one) =>
    typeof one === "object" && one !== null && "text" in one && "kind" in one && "piece" in one;
  if (!labels.every(isLabel)) return;
  for (const [first, last] of runs(labels)) {
    const run = labels.slice(first, last);
    const word = run
      .map(({ text }) => text)
      .join("")
      .toLowerCase();
    if (!Object.hasOwn(words, word) || !isWhole(labels, first)) continue;
    for (const one of run) one.gloss = words[word];
  }
}

/** @param {any[]} labels @returns {[number, number][]} */
function runs(labels) {
  const starts = labels.flatMap(({ joined }, i) => (joined && i > 0 ? [] : [i]));
  return starts.map((first, i) => [first, starts[i + 1] ?? labels.length]);
}

/** @param {any[]} labels @param {number} first */
function isWhole(labels, first) {
  const { piece, text, kind } = labels[first];
  if (kind !== "word") return false;
  if (piece.startsWith(SPACE) || isAlone(text)) return true;
  const before = first > 0 ? labels[first - 1].text : "";
  return before !== "" && !/[\p{L}\p{N}]$/u.test(before);
}
