// How large the cells of a heatmap are, and which of its labels have room. Pure functions of sizes.

const WIDEST = 8; // em of a cell's width
const TALLEST = 5; // em of a cell's height
const LONGISH = 2; // how much longer than the other one a side of a cell may be,
const LABELLED = 1.2; // unless it takes more to label every one of them: em
const LONGEST = 13; // em of a label before it is cut
const MOST_CHARACTERS = 14; // of a label
const SLANT = 50; // degrees of the column labels where they have no room to lie

/** A token on one line. @param {{text: string, line?: string}} label */
export const lineOf = (label) => label.line ?? label.text;

/** Cut where it is long. @param {{text: string, line?: string}} label */
export function shortLine(label) {
  const letters = [...lineOf(label)];
  if (letters.length <= MOST_CHARACTERS) return letters.join("");
  return `${letters.slice(0, MOST_CHARACTERS - 1).join("")}…`;
}

/**
 * How large a cell is and how much room the labels need, all in px.
 * @param {import("./heatmap.js").HeatScene} scene
 * @param {HTMLElement} root
 * @param {any} ruler the drawing context that measures text
 */
export function layOut({ queries, keys, rows, columns, zoom = 1 }, root, ruler) {
  const { fontSize, fontFamily } = getComputedStyle(root);
  const font = parseFloat(fontSize);
  ruler.font = `600 ${fontSize} ${fontFamily}`; // as wide as a label gets when it is marked
  const widest = (labels) =>
    Math.min(
      LONGEST * font,
      Math.max(...labels.map((one) => ruler.measureText(lineOf(one)).width)),
    );
  const left = Math.ceil(widest(rows) + font);
  const long = widest(columns);
  const sized = (top, right) => {
    const height = Math.min(TALLEST * font, (root.clientHeight - top) / queries);
    const width = Math.min(WIDEST * font, (root.clientWidth - left - right) / keys);
    const side = (own, other) =>
      Math.max(3, Math.floor(Math.min(own, Math.max(LONGISH * other, LABELLED * font)) * zoom));
    return { width: side(width, height), height: side(height, width) };
  };
  const top = Math.ceil(font * 1.9);
  const flat = sized(top, 0);
  if (long + font * 0.5 <= flat.width) return { ...flat, left, top, right: 0, font, slant: 0 };
  const angle = (SLANT * Math.PI) / 180;
  const right = Math.ceil(long * Math.cos(angle));
  const tall = Math.ceil(long * Math.sin(angle) + font * 1.5);
  return { ...sized(tall, right), left, top: tall, right, font, slant: SLANT };
}

/**
 * Which labels are written: all, or every n-th where there is no room, and always those marked.
 * @param {number} count
 * @param {number} spacing
 * @param {number} font
 * @param {(number|null)[]} marked
 */
export function written(count, spacing, font, marked) {
  const every = Math.max(1, Math.ceil((font * 1.1) / spacing));
  const chosen = marked.filter((i) => i !== null);
  const near = (/** @type {number} */ i) => chosen.some((j) => j !== i && Math.abs(i - j) < every);
  return Array.from({ length: count }, (_, i) => i).filter(
    (i) => chosen.includes(i) || (i % every === 0 && !near(i)),
  );
}
