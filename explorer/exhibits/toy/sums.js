// The numbers of the picture and the sentences, from the search's record. Pure functions.

/** @typedef {import("../../../assets/kit/types.js").Fate} Fate */
/** @typedef {import("../../../assets/kit/types.js").Rec} Rec */

/** A text that a search found. @typedef {{text: string, log_prob: number, path: number[]}} Found */

/**
 * The search on a table: its candidates, a column for each step; greedy's text; and every text with
 * its probability, most likely first.
 * @typedef {{table: number[][], beam: number, length: number, columns: Node[][],
 *   hypotheses: Found[], greedy: Found, all: [string, number][]}} Searched
 */

/**
 * A beginning of a text: the probability of its last letter, of all before that (null: it is the
 * first), and of both.
 * @typedef {{text: string, own: number, before: number|null, probability: number}} Sum
 *
 * A candidate of the search: its place, that of its parent, its total log-prob.
 * @typedef {Sum & {step: number, candidate: number, parent: number, fate: Fate, total: number}} Node
 *
 * A candidate, or a beginning that the search never considered.
 * @typedef {Sum & {step: number, fate: Fate|"unseen", candidate?: number, total?: number}} Seen
 *
 * `from`: the probability of all before it in alphabetical order.
 * @typedef {Sum & {from: number}} Beginning
 */

/** @typedef {{name: "beam"|"greedy"|"missed", rank?: number}} Tag of a text in the list */

const NEAR = 1e-9; // two probabilities nearer than this count as equal

/** Three digits: 0.16 -> ".16", 0.04321 -> ".0432", 1 -> "1". @param {number} probability */
export function shortText(probability) {
  const text = String(Number(probability.toPrecision(3)));
  return text.startsWith("0.") ? text.slice(1) : text;
}

/** Every candidate of a search (kit/payload.js), step by step, in the record's order: its text is
 * its parent's and its own letter. @param {Rec["search"]} search */
export function nodesOf({ steps, labels }) {
  /** @type {Node[][]} */
  const columns = [];
  for (const [step, found] of steps.entries()) {
    /** @type {(_: unknown, candidate: number) => Node} */
    const nodeOf = (_, candidate) => {
      const parent = step === 0 ? null : columns[step - 1][found.parents[candidate]];
      return {
        step,
        candidate,
        parent: found.parents[candidate],
        fate: found.fates[candidate],
        total: found.totals[candidate],
        before: parent?.probability ?? null,
        text: (parent?.text ?? "") + labels[found.ids[candidate]].text,
        own: Math.exp(found.log_probs[candidate]),
        probability: Math.exp(found.totals[candidate]),
      };
    };
    columns.push(Array.from({ length: found.count }, nodeOf));
  }
  return columns;
}

/**
 * Where the search lost a text: the step (from 0) and the candidate pruned there (null if the text
 * was not a candidate); null for a text that was found.
 * @param {Node[][]} columns @param {string} text
 */
export function lostAt(columns, text) {
  for (let step = 0; step < text.length; step += 1) {
    const node = columns[step]?.find((one) => one.text === text.slice(0, step + 1)) ?? null;
    if (node === null || node.fate === "pruned") return { step, node };
  }
  return null;
}

/** The rank (from 0) among all texts, and whether that is as good as the best.
 * @param {Searched["all"]} all @param {string} text @param {number} best */
export function standing(all, text, best) {
  const rank = all.findIndex(([one]) => one === text);
  return { rank, isBest: all[rank][1] >= best - NEAR };
}

/** The methods that found a text, with its place; or that it was missed although more likely than
 * one that the beam found.
 * @param {{text: string, p: number}} row @param {Found[]} hypotheses @param {Found} greedy
 * @returns {Tag[]} */
export function tagsOf({ text, p }, hypotheses, greedy) {
  const rank = hypotheses.findIndex((one) => one.text === text);
  const least = Math.min(...hypotheses.map(({ log_prob: logProb }) => Math.exp(logProb)));
  /** @type {Tag[]} */
  const tags = rank >= 0 ? [{ name: "beam", rank: rank + 1 }] : [];
  if (text === greedy.text) tags.push({ name: "greedy" });
  if (rank < 0 && p > least + NEAR) tags.push({ name: "missed" });
  return tags;
}

/**
 * Every possible text and every prefix of one: a column for each letter, in the order of
 * the alphabet, each with its probability and that of all before it in its column.
 * @param {number[][]} table @param {number} length
 */
export function beginningsOf(table, length, /** @type {string} */ letters) {
  /** @type {Beginning[][]} */
  const columns = [];
  for (let step = 0; step < length; step += 1) {
    const parents = columns[step - 1] ?? [null];
    columns.push(parents.flatMap((parent) => longer(parent, table, letters)));
  }
  return columns;
}

/** The texts one letter longer. @param {Beginning|null} parent @param {number[][]} table
 * @returns {Beginning[]} */
function longer(parent, table, /** @type {string} */ letters) {
  const { text = "", probability = 1, from: first = 0 } = parent ?? {};
  let from = first;
  return table[text === "" ? 0 : letters.indexOf(text.slice(-1)) + 1].flatMap((own, i) => {
    if (own === 0) return [];
    const before = parent?.probability ?? null;
    const one = { text: text + letters[i], own, before, probability: probability * own, from };
    from += one.probability;
    return [one];
  });
}

/** @param {number[]} row */
export const sumOf = (row) => row.reduce((total, cell) => total + cell, 0);

/** The first row that does not sum to 1: {row, sum}, or null. @param {number[][]} table */
export function wrongRow(table, tolerance = 1e-6) {
  const row = table.findIndex((cells) => Math.abs(sumOf(cells) - 1) > tolerance);
  return row < 0 ? null : { row, sum: sumOf(table[row]) };
}

/** The row scaled so that it sums to 1; equal shares where all is 0. @param {number[]} row */
export function shared(row) {
  const sum = sumOf(row);
  return row.map((cell) => (sum > 0 ? cell / sum : 1 / row.length));
}

/** A probability as it was typed, or null: "0.25", ".25", "0,25". @param {string} text */
export function readProbability(text) {
  const value = Number(text.trim().replace(",", ".") || NaN);
  return value >= 0 && value <= 1 ? value : null;
}
