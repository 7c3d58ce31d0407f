// What the model writes at this point of its training, and what the chosen head learned since, or
// has still to learn: the link that grows most.

import { languageOf } from "../../../assets/kit/languages.js";
import { weightText } from "../../../assets/kit/numbers.js";
import { wordsOf } from "../../../assets/kit/payload.js";

/** @typedef {import("./points.js").Point} Point */
/** The cell of a head whose weight grows most, and the weight at both points.
 * @typedef {{row: number, col: number, from: number, to: number}} Growth */

const LONGEST = 16; // letters of a translation in the sentence
const LEAST = 0.05; // what a weight must grow by to be worth a word

/** The finding. @param {import("./view.js").Scene} s */
export function finding({ t, say, now, shares, link, rows, columns }) {
  if (shares.length === 1) return t("none");
  const isLast = now.share === shares[shares.length - 1];
  const key = isLast ? "trained" : now.share === 0 ? "random" : "share";
  const writes = say(`writes.${key}`, {
    percent: Math.round(now.share * 100),
    text: { text: shortened(now.translation) || t("nothing"), kind: "phrase" },
  });
  if (link === null) return [writes, " …"];
  if (link.to - link.from < LEAST) return [writes, " ", t("link.still")];
  const weights = { from: weightText(link.from), to: weightText(link.to) };
  const labels = { row: rows[link.row], col: columns[link.col] };
  return [writes, " ", say(isLast ? "link.grown" : "link.grows", { ...labels, ...weights })];
}

/** The start of a text; "U+0003 × 30", a character without a shape, is not cut or parted by a line.
 * @param {string} text */
export function shortened(text) {
  let start = "";
  for (const part of text.match(/U\+[0-9A-F]{4,6}(?: × \d+)?|./gsu) ?? []) {
    if ([...start, ...part].length > LONGEST) return `${start.trimEnd()}…`;
    start += part.replaceAll(" × ", "\u00a0×\u00a0");
  }
  return start;
}

const isTelling = (/** @type {string} */ text) =>
  /\p{L}{4}/u.test(text) || (/\p{L}/u.test(text) && !languageOf(text).is_spaced);

/** The words that mean something by themselves, or all if none does: "the" is no example. */
export function tellingWords(/** @type {import("../../../assets/kit/types.js").Label[]} */ labels) {
  const words = wordsOf(labels);
  const telling = words.filter((i) => isTelling(labels[i].text));
  return telling.length > 0 ? telling : words;
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
