// What the toy's picture and sentences say, from the search's record. Pure functions.

const NEAR = 1e-9; // two probabilities nearer than this are the same

// Three digits, without what can be left out: 0.16 -> ".16", 0.04321 -> ".0432", 1 -> "1".
export function shortText(probability) {
  const text = String(Number(probability.toPrecision(3)));
  return text.startsWith("0.") ? text.slice(1) : text;
}

// Every candidate of a decoded search (payload.js), step by step, in the record's order: its text is
// its parent's and its own letter.
export function nodesOf({ steps, labels }) {
  const columns = [];
  for (const [step, found] of steps.entries()) {
    columns.push(Array.from({ length: found.count }, (_, candidate) => {
      const parent = found.parents[candidate];
      const before = step === 0 ? null : columns[step - 1][parent];
      return {
        step, candidate, parent, fate: found.fates[candidate], total: found.totals[candidate], before,
        text: (before?.text ?? "") + labels[found.ids[candidate]].text,
        own: Math.exp(found.log_probs[candidate]), probability: Math.exp(found.totals[candidate]),
      };
    }));
  }
  return columns;
}

// Where the search lost a text: the step (from 0) and the candidate that was pruned there, or null
// as candidate where it was not even among the candidates; null for a text that was found.
export function lostAt(columns, text) {
  for (let step = 0; step < text.length; step += 1) {
    const node = columns[step]?.find((one) => one.text === text.slice(0, step + 1)) ?? null;
    if (node === null || node.fate === "pruned") return { step, node };
  }
  return null;
}

// How the best that was found stands among all texts: {rank from 0, isBest}.
export function standing(all, text, best) {
  const rank = all.findIndex(([one]) => one === text);
  return { rank, isBest: all[rank][1] >= best - NEAR };
}

// The first row of a table that does not sum to 1: {row, sum}, or null.
export function wrongRow(table, tolerance = 1e-6) {
  for (const [row, cells] of table.entries()) {
    const sum = cells.reduce((total, cell) => total + cell, 0);
    if (Math.abs(sum - 1) > tolerance) return { row, sum };
  }
  return null;
}

// The row scaled so that it sums to 1; equal shares where there is nothing to scale.
export function shared(row) {
  const sum = row.reduce((total, cell) => total + cell, 0);
  return row.map((cell) => (sum > 0 ? cell / sum : 1 / row.length));
}

// A probability as it was typed, or null: "0.25", ".25", "0,25".
export function readProbability(text) {
  const value = Number(text.trim().replace(",", ".") || NaN);
  return value >= 0 && value <= 1 ? value : null;
}
