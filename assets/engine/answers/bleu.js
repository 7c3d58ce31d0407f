// BLEU of a candidate against its references, with its parts: counted like sacrebleu, which
// explorer/exhibits/bleu uses.

import { LANGUAGES } from "../../kit/languagetable.js";
import { refusal } from "./request.js";

/** @typedef {import("./explainer.js").Question} Question */

const [LONGEST, REFERENCES] = [500, 3]; // characters of a text; texts
const ORDERS = [1, 2, 3, 4];
const NEVER = -9_999_999_999; // sacrebleu's value for the log of 0
/** @type {Record<string, [string, boolean]>} */
const WAYS = { none: ["none", false], exp: ["exp", false], sentence: ["exp", true] };
const TOKENISERS = ["13a", "zh"];
const OWN = Object.values(LANGUAGES).filter(({ metric }) => TOKENISERS.indexOf(metric) > 0);
// sacrebleu's table, with the two entries of five digits as Python reads them there.
const CHINESE = new RegExp(
  "[\\u2001-\\u2a6d\\u2e80-\\u2fdf\\u2ff0-\\u303f\\u3100-\\u312f\\u31a0-\\u31bf\\u31c0-\\u31ef" +
    "\\u3200-\\u33ff\\u3400-\\u4db5\\u4e00-\\u9fbb\\uf900-\\ufa2d\\ufa30-\\ufa6a\\ufa70-\\ufad9" +
    "\\ufe10-\\ufe1f\\ufe30-\\ufe4f\\uff00-\\uffef]",
  "gu",
);

/** The score of a candidate against its references. @type {Question} */
export function bleu({ sheet }, _, args) {
  const candidate = args.text("candidate", LONGEST);
  const given = args.texts("references", { least: 1, most: REFERENCES, longest: LONGEST });
  const references = given.filter((/** @type {string} */ text) => text.trim());
  if (references.length === 0) throw refusal("bleu.empty");
  const asked = args.choice("tokeniser", ["auto", ...TOKENISERS]);
  const text = [candidate, ...references].join(" ");
  const own = OWN.find(({ letters }) => new RegExp(`[${letters}]`, "u").test(text));
  const tokeniser = asked === "auto" ? (own?.metric ?? TOKENISERS[0]) : asked;
  const [smoothing, shortened] = WAYS[args.choice("way", Object.keys(WAYS))];
  const { scores, held_out } = sheet.answers.curves;
  return {
    ...score(candidate, references, { tokeniser, smoothing, shortened }),
    tokeniser,
    smoothing,
    scores: scores.map((/** @type {any} */ row) => row.bleu),
    held_out,
  };
}

/** @param {string} candidate @param {string[]} references
 * @param {{tokeniser: string, smoothing: string, shortened: boolean}} how */
function score(candidate, references, { tokeniser, smoothing, shortened }) {
  const tokens = tokenised(candidate, tokeniser);
  const others = references.map((text) => tokenised(text, tokeniser));
  const grams = ORDERS.map((order) => counted(tokens, others, order));
  const sum = (/** @type {any[]} */ all, /** @type {string} */ name) =>
    all.reduce((so, one) => so + one[name], 0);
  const matches = grams.map((all) => sum(all, "clipped"));
  const totals = grams.map((all) => sum(all, "count"));
  const [c, r] = [tokens.length, closest(tokens.length, others)];
  const bp = c >= r ? 1 : c > 0 ? Math.exp(1 - r / c) : 0;
  const precisions = precisionsOf(matches, totals, smoothing);
  const isNone = matches.every((count) => count === 0);
  const longEnough = totals.filter((total) => total > 0).length || ORDERS.length;
  const orders = shortened ? longEnough : ORDERS.length;
  const logs = precisions.slice(0, orders).map((p) => (p === 0 ? NEVER : Math.log(100 * p)));
  const whole = isNone ? 0 : bp * Math.exp(logs.reduce((a, b) => a + b, 0) / orders);
  const mean = bp > 0 ? whole / 100 / bp : 0;
  return {
    tokens, references: others, grams, matches, totals, precisions, orders, c, r, bp, mean,
    score: whole,
  }; // biome-ignore format: names
}

/** The share of each order that counts; without any match all are 0.
 * @param {number[]} matches @param {number[]} totals @param {string} smoothing */
function precisionsOf(matches, totals, smoothing) {
  if (matches.every((count) => count === 0)) return matches.map(() => 0);
  let halved = 1;
  return matches.map((count, i) => {
    if (totals[i] === 0) return 0;
    if (count > 0) return count / totals[i];
    if (smoothing !== "exp") return 0;
    halved *= 2;
    return 1 / (halved * totals[i]);
  });
}

/** The length of the reference nearest in length; the shorter one in a tie. */
const closest = (/** @type {number} */ length, /** @type {string[][]} */ others) =>
  others
    .map((other) => other.length)
    .sort((a, b) => Math.abs(a - length) - Math.abs(b - length) || a - b)[0];

const gramsOf = (/** @type {string[]} */ tokens, /** @type {number} */ order) => {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (let i = 0; i + order <= tokens.length; i += 1) {
    const gram = tokens.slice(i, i + order).join(" ");
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
};

/** The n-grams of one order, those of the candidate in its order.
 * @param {string[]} tokens @param {string[][]} references @param {number} order */
function counted(tokens, references, order) {
  const others = references.map((other) => gramsOf(other, order));
  return [...gramsOf(tokens, order)].map(([gram, count]) => {
    const most = Math.max(...others.map((other) => other.get(gram) ?? 0));
    return { gram, count, most, clipped: Math.min(count, most) };
  });
}

/** @returns {string[]} */
function tokenised(/** @type {string} */ text, /** @type {string} */ tokeniser) {
  const trimmed = text.trimEnd();
  const line = LINES[tokeniser](trimmed);
  return line
    .replace(/([{-~[-` -&(-+:-@/])/g, " $1 ")
    .replace(/([^0-9])([.,])/gu, "$1 $2 ")
    .replace(/([.,])([^0-9])/gu, " $1 $2")
    .replace(/([0-9])(-)/g, "$1 $2 ")
    .split(/\s+/u)
    .filter(Boolean);
}

/** What is parted first: Chinese signs, or nothing. @type {Record<string, (text: string) => string>} */
const LINES = {
  "13a": (text) => ` ${unescaped(text)} `,
  zh: (text) => text.trim().replace(CHINESE, " $& "),
};

const unescaped = (/** @type {string} */ line) =>
  line
    .replaceAll("<skipped>", "")
    .replaceAll("-\n", "")
    .replaceAll("\n", " ")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">");
