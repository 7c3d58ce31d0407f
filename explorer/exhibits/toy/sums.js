// What the picture and the sentences say, from the search's record. Pure functions.

const NEAR = 1e-9; // two probabilities nearer than this are the same

/** Three digits: 0.16 -> ".16", 0.04321 -> ".0432", 1 -> "1". @param {number} probability */
export function shortText(probability) {
  const text = String(Number(probability.toPrecision(3)));
  return text.startsWith("0.") ? text.slice(1) : text;
}

/** Every candidate of a search (kit/payload.js), step by step, in the record's order: its text is
 * its parent's and its own letter. */
export function nodesOf({ steps, labels }) {
  const columns = [];
  for (const [step, found] of steps.entries()) {
    const nodeOf = (_, /** @type {number} */ candidate) => {
      const before = step === 0 ? null : columns[step - 1][found.parents[candidate]];
      return {
        step,
        candidate,
        parent: found.parents[candidate],
        fate: found.fates[candidate],
        total: found.totals[candidate],
        before,
        text: (before?.text ?? "") + labels[found.ids[candidate]].text,
        own: Math.exp(found.log_probs[candidate]),
        probability: Math.exp(found.totals[candidate]),
      };
    };
    columns.push(Array.from({ length: found.count }, nodeOf));
  }
  return columns;
}

/** Where the search lost a text: the step (from 0) and the candidate that was pruned there (null
 * where the text was no candidate); null for a text that was found. @param {string} text */
export function lostAt(columns, text) {
  for (let step = 0; step < text.length; step += 1) {
    const node = columns[step]?.find((one) => one.text === text.slice(0, step + 1)) ?? null;
    if (node === null || node.fate === "pruned") return { step, node };
  }
  return null;
}

/** The rank (from 0) among all texts, and whether that is as good as the best. */
export function standing(all, /** @type {string} */ text, /** @type {number} */ best) {
  const rank = all.findIndex(([one]) => one === text);
  return { rank, isBest: all[rank][1] >= best - NEAR };
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
