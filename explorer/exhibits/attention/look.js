// The visitor's display options for one head: words instead of tokens, no special tokens, the
// strongest part of each row. Always in this order. Pure functions.

export const LEAST = 0.01; // a lighter link would be invisible and is not drawn
export const LEVELS = 20; // widths and shades of the lines
const HIDDEN = new Set(["<s>", "</s>", "<pad>"]);
const ENOUGH = 1e-6; // possible loss of a sum by rounding

export const isHidden = ({ kind, piece }) => kind === "special" && HIDDEN.has(piece);

// map: {cells, queries, keys, rows, columns}, cells row by row, NaN where masked. Returns it with
//   rowTokens, columnTokens   the tokens that each row and column stands for
//   kept                      what was left of each row when special tokens went; else null
//   strong                    1 for each cell among the strongest of its row; null if all are shown
export function viewOf(map, { words, specials, mass }) {
  let view = { ...map, ...tokensOf(map, words), kept: null, strong: null };
  if (words) view = merged(view);
  if (!specials) view = withoutSpecials(view);
  if (mass < 100) view.strong = strongestOf(view, mass / 100);
  return view;
}

function tokensOf({ rows, columns }, words) {
  return { rowTokens: groups(rows, words), columnTokens: groups(columns, words) };
}

// The tokens of each word: a token that touches the one before it belongs to the same word.
export function groups(labels, words) {
  const found = [];
  labels.forEach(({ joined }, i) => {
    if (words && joined && i > 0) found[found.length - 1].push(i);
    else found.push([i]);
  });
  return found;
}

// The label of a word. The byte pieces of one character all show that character, so it is written
// once.
export function wordLabel(labels) {
  if (labels.length === 1) return labels[0];
  const text = labels
    .filter(({ part }) => !part || part[0] === 1)
    .map((label) => label.text)
    .join("");
  return {
    text,
    kind: "word",
    piece: labels.map(({ piece }) => piece).join(""),
    joined: labels[0].joined,
  };
}

// Words: the sum over the keys of a word, the mean over the queries of a word.
function merged(view) {
  const { cells, keys, rowTokens, columnTokens } = view;
  const queries = rowTokens.length;
  const width = columnTokens.length;
  const out = new Float32Array(queries * width);
  for (const [r, row] of rowTokens.entries()) {
    for (const [c, column] of columnTokens.entries()) {
      const weights = row
        .flatMap((i) => column.map((j) => cells[i * keys + j]))
        .filter((weight) => !Number.isNaN(weight));
      const sum = weights.reduce((total, weight) => total + weight, 0);
      out[r * width + c] = weights.length > 0 ? sum / row.length : NaN;
    }
  }
  const named = (labels, tokens) => tokens.map((group) => wordLabel(group.map((i) => labels[i])));
  return {
    ...view,
    cells: out,
    queries,
    keys: width,
    rows: named(view.rows, rowTokens),
    columns: named(view.columns, columnTokens),
  };
}

// Removes the start, end and padding tokens from rows and columns, and divides the rest of each row
// by its sum. A row that read nothing else gets 0.
function withoutSpecials(view) {
  const { cells, keys, rows, columns } = view;
  const staying = (labels) => labels.map((_, i) => i).filter((i) => !isHidden(labels[i]));
  const [up, across] = [staying(rows), staying(columns)];
  if (up.length === 0 || across.length === 0) return view; // nothing but special tokens: they stay
  const out = new Float32Array(up.length * across.length);
  const kept = new Float32Array(up.length);
  up.forEach((row, r) => {
    for (const column of across) kept[r] += cells[row * keys + column] || 0;
    across.forEach((column, c) => {
      const weight = cells[row * keys + column];
      out[r * across.length + c] = kept[r] > 0 ? weight / kept[r] : weight;
    });
  });
  return {
    ...view,
    cells: out,
    queries: up.length,
    keys: across.length,
    kept,
    rows: up.map((i) => rows[i]),
    columns: across.map((i) => columns[i]),
    rowTokens: up.map((i) => view.rowTokens[i]),
    columnTokens: across.map((i) => view.columnTokens[i]),
  };
}

// Marks (with 1) in each row the fewest cells whose weights reach that share of the row's sum. In a
// tie the first is taken.
export function strongestOf({ cells, queries, keys }, share) {
  const strong = new Uint8Array(cells.length);
  for (let row = 0; row < queries; row += 1) {
    const first = row * keys;
    const order = [];
    let whole = 0;
    for (let i = first; i < first + keys; i += 1) {
      if (Number.isNaN(cells[i])) continue;
      order.push(i);
      whole += cells[i];
    }
    order.sort((a, b) => cells[b] - cells[a] || a - b);
    let sum = 0;
    for (const i of order) {
      if (sum >= share * whole - ENOUGH) break;
      sum += cells[i];
      strong[i] = 1;
    }
  }
  return strong;
}

// The end of the colour scale: 1 for all heads alike, or the largest weight of this one.
export function scaleOf(cells, own) {
  if (!own) return 1;
  let most = 0;
  for (const weight of cells) if (weight > most) most = weight;
  return most || 1;
}

// The row or column of the view that holds a token; -1 where it was hidden, null for null.
export const placeOf = (tokens, token) =>
  token === null ? null : tokens.findIndex((group) => group.includes(token));

/**
 * The links to draw as lines, by strength: `level` is from 1 to LEVELS.
 * @returns {{level: number, row: number, col: number, weight: number}[]}
 */
export function linesOf({ cells, keys, strong }, most) {
  const found = [];
  for (let i = 0; i < cells.length; i += 1) {
    if (!(cells[i] >= LEAST) || (strong !== null && !strong[i])) continue;
    const level = Math.max(1, Math.round((cells[i] / most) * LEVELS));
    found.push({ level, row: Math.floor(i / keys), col: i % keys, weight: cells[i] });
  }
  return found;
}
