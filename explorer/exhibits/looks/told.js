// A sentence about two keys. Pure functions.

import { lineOf } from "../../../assets/kit/heatplan.js";
import { piecesOf, shown } from "../../../assets/kit/sentence.js";

/** @typedef {import("./view.js").Scene} Scene */

/** One of its sentences; of two keys that read alike it says which comes first.
 * @param {Pick<Scene, "t"|"page"|"keys"|"ahead"|"behind">} s @param {string} key
 * @param {Record<string, any>} values */
export function told({ t, page, keys, ahead, behind }, key, values) {
  const isText = (/** @type {[string, any]} */ [, value]) => typeof value === "string";
  const texts = Object.fromEntries(Object.entries(values).filter(isText));
  const pattern = t(key, texts);
  const areAlike = behind !== null && lineOf(keys[ahead]) === lineOf(keys[behind]);
  if (!areAlike) return shown(piecesOf(page, pattern, values));
  const [first, second] = ahead < behind ? ["earlier", "later"] : ["later", "earlier"];
  const told = pattern
    .replace("{ahead}", t(first, { key: "{ahead}" }))
    .replace("{behind}", t(second, { key: "{behind}" }))
    .replaceAll("） ", "）"); // which leaves room enough by itself
  return shown(piecesOf(page, told, values));
}
