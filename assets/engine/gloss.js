// What the tokens of an answer stand for in the other language, put on their labels: the twin of
// explorer/exchange/gloss.py, which has the explanations. Pure functions.

import { isAlone } from "../kit/languages.js";
import { glossOf, read, wordsOf } from "./glossary.js";
import { tokenEntries } from "./labels.js";

/** @typedef {import("../kit/types.js").Gloss} Gloss */
/** @typedef {import("./glossary.js").Entry} Entry */
/** @typedef {import("./glossary.js").Words} Words */
/** The file beside a model, see model/text/glossary.py.
 * @typedef {{pairs: number, words: Record<string, Entry>, target?: Record<string, Entry>,
 *   languages?: [string, string], forms: import("./english.js").Forms}} Glossary */
/** The words of both sides. @typedef {{source: Words[], target: Words[]}} Texts */
/** @typedef {() => Texts} Source */
/** @typedef {"source"|"target"} Side */

const SPACE = "▁";
const SOURCES = ["src", "source", "giver", "receiver"];
const TARGETS = ["tgt_out", "tgt", "target", "read"];
/** The side under whose name a label stands. @type {Record<string, Side>} */
const SIDES = Object.fromEntries([
  ...SOURCES.map((name) => [name, "source"]),
  ...TARGETS.map((name) => [name, "target"]),
]);
const INSIDE = [".", "@", "_"];
const isBare = (/** @type {any} */ { piece }) => !piece.startsWith(SPACE);
const NONE = () => ({ source: [], target: [] });

/** The texts of an explanation.
 * @param {Pick<import("./engine.js").Trace, "src"|"written">} trace @param {Glossary} glossary
 * @returns {Texts} */
export const textsOf = ({ src, written }, glossary) => ({
  source: [textOf(tokenEntries(src), glossary, "source")],
  target: [textOf(tokenEntries(written), glossary, "target")],
});

/** @template T @param {T} value @param {Glossary|null} glossary @param {Source} page
 * @returns {T} */
export function glossed(value, glossary, page) {
  /** @type {Texts|null} */
  let texts = null;
  const once = () => {
    texts ??= page();
    return texts;
  };
  if (glossary !== null) visit(value, glossary, once, "target");
  return value;
}

/** @template {{model: object}} T @param {T} record @param {Glossary|null} glossary */
export function glossedRecord(record, glossary) {
  record.model = { ...record.model, glossed: glossary?.pairs ?? 0 };
  return glossed(record, glossary, NONE);
}

/** @param {any} value @param {Glossary} glossary @param {Source} texts @param {Side} side */
function visit(value, glossary, texts, side) {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return;
  if (!Array.isArray(value)) {
    tell([value], glossary, texts, side);
    enter(value, glossary, texts, side);
  } else if (typeof value[0] === "object") {
    tell(value, glossary, texts, side);
    for (const one of value) enter(one, glossary, texts, side);
  }
}

/** @param {any} value @param {Glossary} glossary @param {Source} texts @param {Side} side */
function enter(value, glossary, texts, side) {
  const own = Array.isArray(value) ? null : ownTexts(value ?? {}, glossary);
  for (const [name, part] of Object.entries(value ?? {}))
    visit(part, glossary, own ?? texts, SIDES[name] ?? side);
}

/** @param {Record<string, any>} value @param {Glossary} glossary @returns {Source|null} */
function ownTexts(value, glossary) {
  const [source, target] = [SOURCES, TARGETS].map((names) =>
    names.filter((name) => isText(value[name])).map((n) => textOf(value[n], glossary, SIDES[n])),
  );
  return source.length > 0 && target.length > 0 ? () => ({ source, target }) : null;
}

const isText = (/** @type {any} */ value) =>
  Array.isArray(value) && value.length > 0 && value.every(isLabel);
const isLabel = (/** @type {any} */ one) =>
  typeof one === "object" && one !== null && "text" in one && "kind" in one && "piece" in one;

/** @param {any[]} labels @param {Glossary} glossary @param {Side} side */
const textOf = (labels, { forms, languages = ["", ""] }, side) =>
  wordsOf(
    runs(labels).map(([first, last]) => wordOf(labels.slice(first, last))),
    forms,
    languages[side === "source" ? 0 : 1],
  );
const wordOf = (/** @type {any[]} */ run) =>
  run
    .map(({ text }) => text)
    .join("")
    .toLowerCase();

/** @param {any[]} labels @param {Glossary} glossary @param {Source} texts @param {Side} side */
function tell(labels, glossary, texts, side) {
  if (!labels.every(isLabel)) return;
  const isSplit = glossary.target !== undefined;
  const words = (side === "target" && glossary.target) || glossary.words;
  for (const [first, last] of runs(labels)) {
    const run = labels.slice(first, last);
    const word = wordOf(run);
    if (!Object.hasOwn(words, word)) continue;
    if (!isWhole(labels, first) || isPart(labels, first, last)) continue;
    const entry = read(words[word]);
    const hasWords = entry.own[0] !== "" || entry.others.length > 0;
    const beside = hasWords ? besideOf(texts(), isSplit ? side : undefined) : [];
    const gloss = glossOf(entry, beside);
    for (const one of run) one.gloss = isSplit ? [gloss[0], gloss[1], gloss[2] ?? "", side] : gloss;
  }
}

/** The texts in the language of what a word of a side stands for.
 * @param {Texts} texts @param {Side} [side] @returns {Words[]} */
function besideOf({ source, target }, side) {
  if (side === undefined) return [...source, ...target];
  return side === "source" ? target : source;
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

/** @param {any[]} labels @param {number} first @param {number} last */
function isPart(labels, first, last) {
  if (isAlone(labels[first].text)) return false; // Chinese, which has no spaces
  const [sign, next] = labels.slice(last, last + 2).filter(isBare);
  if (INSIDE.includes(sign?.text) && /^[\p{L}\p{N}]/u.test(next?.text ?? ""))
    return !isAlone(next.text);
  return first > 1 && isBare(labels[first]) && INSIDE.includes(labels[first - 1].text);
}
