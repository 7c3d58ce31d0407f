// The visitor's display options for heads: one store.

import { flag, listOf, oneOf, whole } from "../../../assets/kit/keep.js";
import { KINDS } from "../../../assets/kit/selection.js";
import { MEASURES } from "./measures.js";

export const MOST_HEADS = 8; // drawn as lines at a time
export const VIEWS = ["map", "lines", "both", "beside"];
export const hasLines = (/** @type {string} */ view) => view === "lines" || view === "both";
const NAME = new RegExp(`^(${KINDS.join("|")})\\.\\d{1,3}\\.\\d{1,3}$`); // of a head

/**
 * @typedef {object} Options
 * @property {string} measure the measure that marks and orders the tiles
 * @property {boolean} sorted
 * @property {number} least how much of the measure keeps a tile bright, 0 to 100
 * @property {string} view the large picture: map, lines, both, or a map beside another measure
 * @property {number} mass percent of each row's weight that stays strong
 * @property {boolean} specials whether special tokens are shown
 * @property {boolean} words true if sub-words are merged
 * @property {boolean} own whether the scale ends at the head's own largest weight
 * @property {string[]} heads names "kind.layer.head" drawn as lines together
 * @property {boolean} isolated true if only one of them is shown
 * @property {boolean} adding whether a click on a tile adds it to them
 */

/** @type {Options} */
export const PLAIN = {
  measure: "none",
  sorted: false,
  least: 0,
  view: "lines",
  mass: 100,
  specials: true,
  words: true,
  own: false,
  heads: [],
  isolated: false,
  adding: false,
};

/** @type {Record<keyof Options, (value: any) => boolean>} */
export const CHECKS = {
  measure: oneOf([PLAIN.measure, ...MEASURES]),
  sorted: flag,
  least: whole(0, 100),
  view: oneOf(VIEWS),
  mass: whole(5, 100),
  specials: flag,
  words: flag,
  own: flag,
  heads: listOf((name) => NAME.test(name), MOST_HEADS),
  isolated: flag,
  adding: flag,
};

/** The changes to the weights, for the end of a file's name. @param {Options} now */
export const suffix = ({ words, specials, mass, own }) =>
  [words && "words", !specials && "nospecials", mass < 100 && `strongest${mass}`, own && "ownscale"]
    .filter(Boolean)
    .map((part) => `-${part}`)
    .join("");

/**
 * The effects of the options on the picture, in sentences.
 * @param {import("../../../assets/kit/types.js").Page} page
 * @param {Options} now
 */
export const sentences = ({ t }, { words, specials, mass }) =>
  [
    words ? t("options.says.words") : "",
    specials ? "" : t("options.says.specials"),
    mass < 100 ? t("options.says.mass", { mass }) : "",
  ].filter(Boolean);
