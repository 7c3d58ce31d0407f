// What the model writes at this point of its training, and what the chosen head learned since, or
// has still to learn: the link that grows most.

import { weightText } from "../../../assets/kit/numbers.js";
import { wordsOf } from "../../../assets/kit/payload.js";

const LONGEST = 16; // letters of a translation in the sentence
const LEAST = 0.05; // what a weight must grow by to be worth a word

/** The finding. */
export function finding({ t, say, now, shares, link, rows, columns }) {
  if (shares.length === 1) return t("none");
  const key = { 0: "random", [shares.at(-1)]: "trained" }[now.share] ?? "share";
  const writes = say(`writes.${key}`, {
    percent: Math.round(now.share * 100),
    text: { text: shortened(now.translation) || t("nothing"), kind: "phrase" },
  });
  if (link === null) return [writes, " …"];
  if (link.to - link.from < LEAST) return [writes, " ", t("link.still")];
  const weights = { from: weightText(link.from), to: weightText(link.to) };
  const labels = { row: rows[link.row], col: columns[link.col] };
  return [
    writes,
    " ",
    say(key === "trained" ? "link.grown" : "link.grows", { ...labels, ...weights }),
  ];
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

/** The words that mean something by themselves, or all if none does: "the" is no example. */
export function tellingWords(/** @type {import("../../../assets/kit/types.js").Label[]} */ labels) {
  const words = wordsOf(labels);
  const telling = words.filter((i) => /\p{Script=Han}|\p{L}{4}/u.test(labels[i].text));
  return telling.length > 0 ? telling : words;
}

/**
 * The cell of a head, among these rows and columns, whose weight grows most from one point to
 * another: {row, col, from, to}; null while one of them is not there.
 */
export function growthOf(selection, { rows, columns }, early, late) {
  if (early === null || late === null) return null;
  const { kind, layer, head } = selection;
  const [from, to] = [early, late].map((point) => point.attention[kind].head(layer, head));
  const { keys } = late.attention[kind];
  const places = rows.flatMap((row) => columns.map((col) => row * keys + col));
  const growth = places.map((at) => (Number.isNaN(to[at]) ? -1 : to[at] - from[at]));
  const best = places[growth.indexOf(Math.max(...growth))];
  return { row: Math.floor(best / keys), col: best % keys, from: from[best], to: to[best] };
}
