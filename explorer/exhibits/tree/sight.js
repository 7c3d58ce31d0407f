// The visible part of a tree: the scale, the position, and the node at a point. All in px; `em` is
// the size of a letter. Pure functions.
//
//   sight   {x, y, wide, high, starts}: the place of the root, the mean width of a column, the
//           height of a row, and where the columns begin, in mean widths (shape.js)

import { glossOf } from "../../../assets/kit/gloss.js";
import { textWidth } from "../../../assets/kit/heatplan.js";

const LEGIBLE = 1.45; // em of a row: less only where the visitor asks for it,
const SNUG = { wide: 4.1, high: 1.3 }; // em: or where all of it then fits
const ROOMY = { wide: 9.5, high: 7 };
const LEAST = { wide: 4, high: 1.2 }; // px
const MOST = { wide: 20, high: 8 }; // em
const EDGE = { left: 1.2, right: 0.4, top: 1.7, bottom: 1 }; // em around the tree
const ZOOM = 1.3;
const NUMBER = 3.6; // em of a sum of log-probs
// em of what a word stands for, below it; of a row that has a line for it, and of one where it
// takes the place of the sum
const GLOSS = { line: 0.85, room: 3.7, least: 1.9 };
const SMALL = 0.82; // em of the letters below a word

export const headerHeight = (em) => EDGE.top * em;

// As large as fits; with `legible` never too small to read, even if it does not fit.
export function fitted({ columns, height, need, starts }, size, em, legible) {
  const room = {
    wide: (size.width - (EDGE.left + EDGE.right) * em) / (columns.length + 1),
    high: (size.height - (EDGE.top + EDGE.bottom) * em) / height,
  };
  const least = { wide: need * em, high: (room.high < SNUG.high * em ? LEGIBLE : SNUG.high) * em };
  const side = (name) =>
    Math.max((legible ? least : LEAST)[name], Math.min(ROOMY[name] * em, room[name]));
  return { x: EDGE.left * em, y: EDGE.top * em, wide: side("wide"), high: side("high"), starts };
}

// The size of the whole tree at a sight.
export const extent = ({ columns, height }, { wide, high }, em) => ({
  width: Math.ceil((columns.length + 1) * wide + (EDGE.left + EDGE.right) * em),
  height: Math.ceil(height * high + (EDGE.top + EDGE.bottom) * em),
});

// Zooms around a point, which keeps its place.
export function zoomed(sight, steps, at, em) {
  const wanted = ZOOM ** steps;
  const most = Math.min((MOST.wide * em) / sight.wide, (MOST.high * em) / sight.high);
  const least = Math.max(LEAST.wide / sight.wide, LEAST.high / sight.high);
  const by = Math.max(Math.min(1, least), Math.min(Math.max(1, most), wanted));
  return {
    ...sight,
    x: at.x - (at.x - sight.x) * by,
    y: at.y - (at.y - sight.y) * by,
    wide: sight.wide * by,
    high: sight.high * by,
  };
}

// The same sight, moved within the bounds of the tree.
export function held(sight, { columns, height }, size, em) {
  const along = (start, first, length, room) =>
    Math.min(first, Math.max(start, Math.min(first, room - length)));
  const width = (columns.length + 1) * sight.wide;
  return {
    ...sight,
    x: along(sight.x, EDGE.left * em, width, size.width - EDGE.right * em),
    y: along(sight.y, EDGE.top * em, height * sight.high, size.height - EDGE.bottom * em),
  };
}

// The start and width of a step's column; the root's is that of the step -1.
export const startOf = ({ x, wide, starts }, step) => x + starts[step + 1] * wide;
export const widthOf = (sight, step) => startOf(sight, step + 1) - startOf(sight, step);

// The middle of a node's mark.
export const placeOf = (sight, node, row) => ({
  x: startOf(sight, node.step),
  y: sight.y + (row + 0.5) * sight.high,
});

// The place of the count of a parent's folded candidates: right below its word or number, covering
// none. null: nowhere.
export function foldPlace(sight, parent, row, em) {
  const { x, y } = placeOf(sight, parent, row);
  const { numbers, ends, mark } = detail(sight, em);
  const wide = widthOf(sight, parent.step);
  const told = glossBelow(sight, parent, em);
  const below = numbers && parent.parent !== null ? 1.84 : 1; // em: below the sum, else the word
  if (ends || (below === 1 && sight.high >= 2 * em)) {
    return { x: x + mark + 1.25 * em, y: y + (below + told.line) * em };
  }
  const behind = (length) => x + Math.min(wide - 0.85 * em, mark + (length + 1.1) * em);
  if (below === 1) {
    const length = textWidth(parent.label.line ?? parent.label.text);
    return { x: behind(length), y: y + sight.high * 0.36 };
  }
  const length = told.isForSum ? SMALL * textWidth(told.gloss) : NUMBER;
  return wide < (length + 3) * em ? null : { x: behind(length), y: y + 0.98 * em };
}

// What a node's word stands for, below it: {gloss, line: em of a line of its own}. In low rows that
// of the text on show and of the winner takes the place of the sum, and the others have none.
export function glossBelow({ high }, { label, shown, winner }, em) {
  const gloss = glossOf(label);
  if (gloss !== "" && high >= GLOSS.room * em) return { gloss, line: GLOSS.line, isForSum: false };
  const isForSum = gloss !== "" && (shown || winner) && high >= GLOSS.least * em;
  return { gloss: isForSum ? gloss : "", line: 0, isForSum };
}

// Moved just enough to show a node completely.
export function showing(sight, node, row, size, em) {
  const { x, y } = placeOf(sight, node, row);
  const wide = Math.min(widthOf(sight, node.step), size.width / 2);
  const begin = node.step <= 0 ? sight.x : x - em; // with a first token the root becomes visible
  const into = (from, to, low, high) =>
    (to > high ? Math.min(high - to, 0) : 0) || (from < low ? low - from : 0);
  return {
    ...sight,
    x: sight.x + into(begin, x + wide, EDGE.left * em, size.width),
    y: sight.y + into(y - sight.high / 2, y + sight.high / 2, EDGE.top * em, size.height),
  };
}

// The texts shown at this scale.
export function detail(sight, em) {
  const labels = sight.high >= 1.15 * em && sight.wide >= 3.2 * em;
  return {
    labels,
    numbers: labels && sight.high >= 2.2 * em && sight.wide >= SNUG.wide * em,
    ends: labels && sight.high >= 2.85 * em && sight.wide >= SNUG.wide * em,
    folds: sight.high >= SNUG.high * em && sight.wide >= SNUG.wide * em,
    mark: Math.max(1.2, Math.min(sight.high * 0.2, sight.wide * 0.2, 0.36 * em)),
  };
}

const stepAt = (sight, x) =>
  sight.starts.filter((start) => sight.x + start * sight.wide <= x).length - 2;

// The visible columns and rows: {first, last, top, bottom}.
export function inside(sight, size) {
  return {
    first: stepAt(sight, 0),
    last: stepAt(sight, size.width),
    top: -sight.y / sight.high - 1,
    bottom: (size.height - sight.y) / sight.high,
  };
}

/** The edges beyond which the tree, drawn up to a step, continues.
 * @returns {("left"|"right"|"top"|"bottom")[]} */
export function beyond({ layout, sight, upTo }, { width, height }, em) {
  const some = em / 2; // more than a mark
  const end = startOf(sight, upTo + 1) - 1.2 * em; // without the gap to the next column
  const foot = sight.y + layout.height * sight.high;
  const sides = {
    left: startOf(sight, -1) < -some,
    right: end > width + some,
    top: sight.y < headerHeight(em) - some,
    bottom: foot > height + some,
  };
  return /** @type {any[]} */ (Object.keys(sides)).filter((side) => sides[side]);
}

// The item at a point: {node}, {fold: parent}, or null. `upTo` is the last step drawn.
export function hit(tree, { columns, rows }, sight, upTo, point, em) {
  const { folds, mark } = detail(sight, em);
  const step = stepAt(sight, point.x + mark * 2);
  if (step > upTo || step < -1) return null;
  if (folds && step < upTo) {
    const fold = columns[step + 1]?.folds.find(({ parent }) => {
      const place = foldPlace(sight, parent, rows.get(parent), em);
      const [x, y] = [point.x - (place?.x ?? Infinity), point.y - (place?.y ?? 0)];
      return Math.abs(x) < 1.3 * em && Math.abs(y) < 0.65 * em;
    });
    if (fold) return { fold: fold.parent };
  }
  const nodes = step === -1 ? [tree.root] : columns[step].nodes;
  let best = null;
  let least = Math.max(6, Math.min(sight.high / 2, em));
  for (const node of nodes) {
    const away = Math.abs(placeOf(sight, node, rows.get(node)).y - point.y);
    if (away < least) [best, least] = [node, away];
  }
  return best === null ? null : { node: best };
}
