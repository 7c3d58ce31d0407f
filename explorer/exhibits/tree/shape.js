// A recorded search as a tree. Every number comes from the record; this file only links candidates
// to their followers, hypotheses and places. Pure functions.

import { glossOf } from "../../../assets/kit/gloss.js";
import { isAlone } from "../../../assets/kit/languages.js";

// em of a column: at least a sum, or a score; what a word takes beside itself; at most; and of the
// letters below a word
const NEEDS = { sum: 4.4, score: 5.7, beside: 1.75, most: 9, below: 0.82 };
const GAP = 0.4; // rows between live or finished candidates and the pruned ones below them

/**
 * A candidate of the search; the root has the step and the rank -1.
 * @typedef {object} Node
 * @property {number} step
 * @property {number} rank
 * @property {string} key
 * @property {Node|null} parent
 * @property {Node[]} children
 * @property {import("../../../assets/kit/types.js").Label} label
 * @property {number} id
 * @property {number} logProb
 * @property {number} total
 * @property {"pruned"|"kept"|"finished"|"beaten"} fate
 * @property {boolean} forced
 * @property {boolean} byVisitor forced, and part of the visitor's prefix
 * @property {boolean} joined it continues the word of its parent
 * @property {boolean} winner
 * @property {boolean} shown it is part of the text on show
 * @property {number|null} ends the number of the hypothesis that ends with it
 * @property {number} [score] of that hypothesis
 */

/** @typedef {{root: Node, steps: Node[][]}} Tree */
/** @typedef {{nodes: Node[], folds: {parent: Node, count: number}[]}} Column */
/** @typedef {{columns: Column[], rows: Map<Node, number>, height: number, need: number,
 *   starts: number[]}} Layout */

const keyOf = (/** @type {number} */ step, /** @type {number} */ rank) => `${step}.${rank}`;

export const nameOf = (label) => label.line ?? label.text;

// The tree of a record: {root, steps: [[node, ...], ...]}. A node keeps its place in the record
// (step, rank) and its parent; `ends` is the number of the hypothesis that ends with it, or null.
// What the record shows as a text (`path`) bears the labels that it has there.
export function grow({ search, hypotheses, prefix, path, tgt_in: read, tgt_out: written }) {
  const place = { step: -1, rank: -1, key: "root" };
  const root = { ...place, parent: null, children: [], label: read[0], ends: null };
  const steps = [];
  search.steps.forEach((step, t) => {
    const before = t === 0 ? null : steps[t - 1];
    steps.push(
      Array.from({ length: step.count }, (_, c) => {
        const parent = before === null ? root : before[step.parents[c]];
        const isShown = c === path[t];
        const label = isShown ? written[t] : search.labels[step.ids[c]];
        const node = {
          step: t,
          rank: c,
          key: keyOf(t, c),
          parent,
          children: [],
          label,
          id: step.ids[c],
          logProb: step.log_probs[c],
          total: step.totals[c],
          fate: step.fates[c],
          forced: step.forced[c] === 1,
          byVisitor: step.forced[c] === 1 && t < prefix.length,
          joined: isShown ? Boolean(label.joined) : goesOn(parent.label, label),
          winner: false,
          shown: isShown,
          ends: null,
        };
        parent.children.push(node);
        return node;
      }),
    );
  });
  hypotheses.forEach(({ path, score }, i) => {
    const nodes = path.map((c, t) => steps[t][c]);
    Object.assign(nodes[nodes.length - 1], { ends: i, score });
    if (i === 0) for (const node of nodes) node.winner = true;
  });
  return { root, steps };
}

// True if a token continues the word of the previous one. Like explorer/labels.py, which has the
// whole text, but from two neighbours only. A letter that can be a word never continues one, nor
// does a byte until its character is known.
export function goesOn(before, label) {
  if (before.kind !== "word" || label.kind !== "word" || label.piece.startsWith("▁")) return false;
  const [end, start] = [[...before.text].pop(), [...label.text][0]];
  return [end, start].every((letter) => /[\p{L}\p{N}\p{M}]/u.test(letter) && !isAlone(letter));
}

// Every candidate in rows for a file, as in the record. Steps, ranks and hypotheses count from
// 1, as on the page; a hypothesis is named at its last token.
export function candidates({ steps }) {
  const named = (place) => (place === null || place < 0 ? null : place + 1);
  const rows = steps.flat().map((node) => ({
    step: node.step + 1,
    rank: node.rank + 1,
    token: nameOf(node.label),
    piece: node.label.piece,
    id: node.id,
    "after rank": named(node.parent.rank),
    after: prefixText(node.parent),
    log_prob: node.logProb,
    total: node.total,
    fate: node.fate,
    forced: Number(node.forced),
    hypothesis: named(node.ends),
  }));
  return [Object.keys(rows[0]), ...rows.map((row) => Object.values(row))];
}

// The nodes from the first step to this one.
export function pathTo(node) {
  const path = [];
  for (let at = node; at.parent !== null; at = at.parent) path.push(at);
  return path.reverse();
}

export const idsTo = (node) => pathTo(node).map(({ id }) => id);

// The text of the tokens on the path to a node.
export function prefixText(node) {
  const path = pathTo(node);
  const letters = (before, after) =>
    /[\p{Script=Latin}\p{N}]$/u.test(before) && /^[\p{Script=Latin}\p{N}]/u.test(after);
  const text = path.reduce((read, { label, joined }) => {
    if (label.part && label.part[0] > 1) return read; // its character is there already
    if (label.kind === "space") return read === "" ? "" : `${read} `;
    return read + (!joined && letters(read, label.text) ? " " : "") + label.text;
  }, "");
  return text || path.map(({ label }) => nameOf(label)).join(""); // spaces alone are not a text
}

export function nodeAt({ root, steps }, key) {
  if (key === "root") return root;
  const [step, rank] = key.split(".").map(Number);
  return steps[step]?.[rank] ?? null;
}

// The nodes of the traced candidates: the hypothesis or prefix shown.
export const shownPath = ({ steps }, path) => path.map((c, t) => steps[t][c]);

// The nodes to draw and their places. `open` has {all, parents, always}: all pruned candidates,
// those of certain parents (keys), and single ones. Continuing or finished candidates keep their
// rows; unfolded pruned ones are below. Returns a Layout; need and starts are told at columnsOf.
export function layOut({ root, steps }, { all, parents, always }) {
  const rows = new Map([[root, 0]]);
  let height = 1;
  const columns = steps.map((step) => {
    const hidden = new Map();
    const living = step.filter(({ fate }) => fate !== "pruned");
    const cut = step.filter((node) => {
      if (node.fate !== "pruned") return false;
      if (all || parents.has(node.parent.key) || always.has(node.key)) return true;
      hidden.set(node.parent, (hidden.get(node.parent) ?? 0) + 1);
      return false;
    });
    for (const [i, node] of living.entries()) rows.set(node, i);
    const below = living.length === 0 ? 0 : living.length + GAP;
    for (const [i, node] of cut.entries()) rows.set(node, below + i);
    height = Math.max(height, cut.length === 0 ? living.length : below + cut.length);
    const folds = Array.from(hidden, ([parent, count]) => ({ parent, count }));
    return { nodes: [...living, ...cut], folds };
  });
  return { columns, rows, height, ...columnsOf(root, steps) };
}

// The widths of the columns, the root's first, so that no continuing or finished word is cut, nor
// what it stands for:
// {need, the mean in em; starts, where each begins and the last ends, in means}.
function columnsOf(root, steps) {
  const wordOf = (text) => [...text].reduce((sum, one) => sum + (one > "\u2e80" ? 1 : 0.66), 0);
  const needOf = ({ label, ends, fate }) => {
    const least = ends === null ? NEEDS.sum : NEEDS.score;
    const told = NEEDS.below * wordOf(glossOf(label));
    const own = Math.max(wordOf(nameOf(label)), told) + NEEDS.beside;
    return fate === "pruned" ? 0 : Math.max(least, own);
  };
  const ends = [0];
  for (const nodes of [[root], ...steps]) {
    const need = Math.max(NEEDS.sum, ...nodes.map(needOf));
    ends.push(ends[ends.length - 1] + Math.min(NEEDS.most, need));
  }
  const need = ends[ends.length - 1] / (ends.length - 1);
  return { need, starts: ends.map((end) => end / need) };
}

// The target of an arrow key from a node: its parent, its best drawn follower, or a neighbour in
// the column. Home is the first candidate, End the end of the winner.
export function neighbour(tree, { columns, rows }, node, key) {
  if (key === "ArrowLeft") return node.parent;
  if (key === "Home") return columns[0].nodes[0] ?? null;
  if (key === "End") return tree.steps.flat().find(({ ends }) => ends === 0) ?? null;
  if (key === "ArrowRight") {
    return columns[node.step + 1]?.nodes.find(({ parent }) => parent === node) ?? null;
  }
  if (node.parent === null) return null;
  const column = columns[node.step].nodes.toSorted((a, b) => rows.get(a) - rows.get(b));
  return column[column.indexOf(node) + (key === "ArrowDown" ? 1 : -1)] ?? null;
}

// The number of a node's pruned followers.
export const prunedOf = (node) => node.children.filter(({ fate }) => fate === "pruned").length;
