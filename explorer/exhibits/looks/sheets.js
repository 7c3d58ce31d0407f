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

/** All products, and the distance. @param {Scene} s @returns {Product[]} */
function productsOf({ split: { query, key, products, distance } }) {
  const pairs = Array.from(products, (value, i) => ({
    query: query[Math.floor(i / key.length)],
    key: key[i % key.length],
    value,
  }));
  const by = { query: "distance", key: "distance" };
  return distance === null ? pairs : [...pairs, { ...by, value: distance }];
}

/** The sums of one side, the largest first. @param {Product[]} products
 * @param {"query"|"key"} side */
function sumsOf(products, side) {
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const one of products) sums.set(one[side], (sums.get(one[side]) ?? 0) + one.value);
  return bySize([...sums].map(([part, value]) => ({ part, value })));
}

/** @template {{value: number}} T @param {T[]} all */
const bySize = (all) => all.toSorted((one, other) => Math.abs(other.value) - Math.abs(one.value));

/** @param {Scene} s @returns {import("../../../assets/kit/sheet.js").Sheet<any>[]} */
export function sheets(s) {
  const { t, split, parts } = s;
  const products = productsOf(s);
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
    rows: sumsOf(products, side),
    columns: { part: part("part"), points },
  }));
  const largest = {
    name: t("products", { n: products.length }),
    file: "looks-products",
    class: "hl-looks-products",
    note: t("exact", { score: signedText(split.score, 4), left }),
    rows: bySize(products).slice(0, SHOWN),
    columns: { query: part("query"), key: part("key"), points },
  };
  return [...sides, largest];
}

/** Every product, for a file. @param {Scene} s */
export const all = (s) => [
  ["query", "key", "points"],
  ...productsOf(s).map(({ query, key, value }) => [query, key, value]),
];
