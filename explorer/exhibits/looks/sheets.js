// All parts of the score as tables and as a file.

import { changeText, signedText, smallText } from "../../../assets/kit/numbers.js";
import { biasOf, writerOf } from "./parts.js";
import { nameOf } from "./table.js";

/** @typedef {import("./view.js").Scene} Scene */
/** @typedef {{query: string, key: string, value: number}} Product */

const SHOWN = 40; // products of the table; the file has all

/** A part that is not put together with others. @param {Scene} s @param {string} part */
function partName(s, part) {
  if (!part.endsWith("bias")) return nameOf(s, writerOf(part));
  const { key, layer = 0, sub } = biasOf(part);
  return s.t(`bias.${key}`, sub ? { layer, sub: s.t(`sub.${sub}`) } : {});
}

/** The distance as a row, where there is one. @param {Scene} s @returns {Product[]} */
const distanceOf = ({ split: { distance } }) =>
  distance === null ? [] : [{ query: "distance", key: "distance", value: distance }];

/** @param {Scene} s @returns {(i: number) => Product} */
const productOf =
  ({ split: { query, key, products } }) =>
  (i) => ({
    query: query[Math.floor(i / key.length)],
    key: key[i % key.length],
    value: products[i],
  });

/** The places of the largest products, in their order: of a million, no more than these are kept.
 * @param {Float32Array} products */
export function largestOf(products, count = SHOWN) {
  /** @type {number[]} */
  const found = [];
  const size = (/** @type {number} */ i) => Math.abs(products[i]);
  for (let i = 0; i < products.length; i += 1) {
    if (found.length === count && size(i) <= size(found[count - 1])) continue;
    const at = found.findIndex((one) => size(one) < size(i));
    found.splice(at < 0 ? found.length : at, 0, i);
    if (found.length > count) found.pop();
  }
  return found;
}

/** The sums of one side, the largest first. @param {Scene} s @param {"query"|"key"} side */
function sumsOf(s, side) {
  const { products, key } = s.split;
  const rows = s.split[side].map((part) => ({ part, value: 0 }));
  for (const [i, value] of products.entries())
    rows[side === "query" ? Math.floor(i / key.length) : i % key.length].value += value;
  return bySize([...rows, ...distanceOf(s).map(({ value }) => ({ part: "distance", value }))]);
}

/** @template {{value: number}} T @param {T[]} all */
const bySize = (all) => all.toSorted((one, other) => Math.abs(other.value) - Math.abs(one.value));

/** @param {Scene} s @returns {import("../../../assets/kit/sheet.js").Sheet<any>[]} */
export function sheets(s) {
  const { t, split, parts } = s;
  const part = (/** @type {"part"|"query"|"key"} */ name) => ({
    text: true,
    cell: (/** @type {Record<string, string>} */ one) => partName(s, one[name]),
    csv: (/** @type {Record<string, string>} */ one) => one[name],
  });
  const points = {
    cell: (/** @type {{value: number}} */ { value }) => changeText(value, 4),
    csv: (/** @type {{value: number}} */ { value }) => value,
  };
  const left = smallText(Math.abs(split.score - parts.total));
  const sides = /** @type {const} */ (["key", "query"]).map((side) => ({
    name: t(side === "key" ? "keys" : "queries"),
    file: `looks-${side}`,
    class: `hl-looks-${side}s`,
    rows: sumsOf(s, side),
    columns: { part: part("part"), points },
  }));
  const largest = {
    name: t("products", { n: split.products.length + distanceOf(s).length }),
    file: "looks-products",
    class: "hl-looks-products",
    note: t("exact", { score: signedText(split.score, 4), left }),
    rows: bySize([...largestOf(split.products).map(productOf(s)), ...distanceOf(s)]).slice(
      0,
      SHOWN,
    ),
    columns: { query: part("query"), key: part("key"), points },
  };
  return [...sides, largest];
}

/** Every product, for a file. @param {Scene} s */
export function all(s) {
  const { query, key, products } = s.split;
  const at = (/** @type {number} */ i) => [query[Math.floor(i / key.length)], key[i % key.length]];
  const rows = Array.from(products, (value, i) => [...at(i), value]);
  const distances = distanceOf(s).map((one) => [one.query, one.key, one.value]);
  return [["query", "key", "points"], ...rows, ...distances];
}
