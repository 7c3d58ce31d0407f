// What the model writes at this point of its training, and what the chosen head learned since, or
// has still to learn: the link that grows most.

import { isAlone, languageNamed } from "../../../assets/kit/languages.js";
import { roundPercent } from "../../../assets/kit/numbers.js";
import { marked, phrase } from "../../../assets/kit/sentence.js";

/** @typedef {import("./points.js").Point} Point */
/** The cell of a head whose weight grows most, and the weight at both points.
 * @typedef {{row: number, col: number, from: number, to: number}} Growth */

// Of a translation in the sentence: words and their letters, or letters where each can be a word.
const LONGEST = { words: 3, letters: 32, alone: 16 };
const SHAPELESS = /U\+[0-9A-F]{4,6}/; // a character that is shown by its number
const LATER = 0.3; // of the training
const LEAST = 0.05; // what a weight must grow by to be worth a word

/** The finding. @param {import("./view.js").Scene} s */
export function finding({ t, say, page, now, shares, link, rows, columns }) {
  if (shares.length === 1) return t("none");
  const isLast = now.share === shares[shares.length - 1];
  const phase = now.share === 0 ? "random" : now.share < LATER ? "early" : "later";
  const writes = say(`writes.${isLast ? "trained" : phase}`, { text: textOf(t, now.translation) });
  const gap = languageNamed(page.language.get()).is_spaced ? " " : "";
  if (link === null) return [writes, gap, t("link.waits")];
  if (link.to - link.from < LEAST) return [writes, gap, t("link.still")];
  const weights = { from: marked(roundPercent(link.from)), to: marked(roundPercent(link.to)) };
  const labels = { row: rows[link.row], col: columns[link.col] };
  return [writes, gap, say(isLast ? "link.grown" : "link.grows", { ...labels, ...weights })];
}

/** What it writes, if that can be read. @param {(key: string) => string} t @param {string} text */
function textOf(t, text) {
  if (SHAPELESS.test(text)) return t("unreadable");
  return text.trim() === "" ? t("nothing") : phrase(shortened(text));
}

/** The start of a text. @param {string} text */
export function shortened(text) {
  const areWords = ![...text].some(isAlone);
  const [most, words] = areWords ? [LONGEST.letters, LONGEST.words] : [LONGEST.alone, Infinity];
  const first = text
    .split(/(?<=\s)/u)
    .slice(0, words)
    .join("");
  const start = [...first].slice(0, most).join("");
  return start === text ? text : `${start.replace(/[\s\p{P}]+$/u, "")}…`;
}

/**
 * The cell of a head, among these rows and columns, whose weight grows most from one point to
 * another; null while one of them is not there.
 * @param {import("../../../assets/kit/heads.js").Head} selection
 * @param {{rows: number[], columns: number[]}} places @param {Point|null} early
 * @param {Point|null} late @returns {Growth|null}
 */
export function growthOf(selection, { rows, columns }, early, late) {
  if (early === null || late === null) return null;
  const { kind, layer, head } = selection;
  const [from, to] = [early, late].map(({ attention }) => attention[kind].head(layer, head));
  const { keys } = late.attention[kind];
  const places = rows.flatMap((row) => columns.map((col) => row * keys + col));
  const growth = places.map((at) => (Number.isNaN(to[at]) ? -1 : to[at] - from[at]));
  const best = places[growth.indexOf(Math.max(...growth))];
  return { row: Math.floor(best / keys), col: best % keys, from: from[best], to: to[best] };
}
