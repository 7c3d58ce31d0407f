// How large the cells of a map are, and which of its labels have room. Pure functions of sizes.

import { GLOSS_LINE, glossOf, glossWidth } from "./gloss.js";

export const SLANT = 50; // degrees of the labels of columns where they have no room to lie
export const RADIANS = (SLANT * Math.PI) / 180;
const LINE = 1.1; // em from one label to the next
export const ACROSS = LINE / Math.sin(RADIANS); // em between slanted ones, along the columns
const NICE = [1, 2, 5, 10, 20, 25, 50, 100, 200, 500];

/** em of a cell and of the labels: of one map alone, and of several side by side. */
const LARGE = {
  wide: 8, // of a cell's width
  high: 5,
  longer: 2, // how much longer than the other one a side of a cell may be,
  labelled: 1.2, // unless it takes more to label every row of them
  letter: 1,
  letters: 14, // of a label before it is cut
  names: 13, // at the left
  least: 3, // px
};
const SMALL = {
  wide: 1.9,
  high: 1.9,
  longer: 1.4,
  labelled: 1.15,
  letter: 0.86,
  letters: 7,
  names: 5.2,
  least: 5,
};

const GAPS = 24; // px, both together, between three maps in line
const FINEST = 7; // px of a cell's side where maps stand in line

/** @typedef {{text: string, line?: string, gloss?: import("./types.js").Gloss}} Name */

/** A token on one line. @param {Name} label */
export const lineOf = (label) => label.line ?? label.text;

const WIDE = new Set("mwMW…—"); // the letters of "homework" would be cut with the mean of all

/** About how wide a text is, in em; Chinese letters are wider. @param {string} text */
export const textWidth = (text) => [...text].reduce((sum, letter) => sum + widthOf(letter), 0);

/** @param {string} letter */
const widthOf = (letter) => (letter > "\u2e80" ? 1 : WIDE.has(letter) ? 0.86 : 0.56);

/** Cut where it is long. @param {Name} label */
export function shortLine(label, most = LARGE.letters) {
  const letters = [...lineOf(label)];
  return letters.length <= most ? letters.join("") : `${letters.slice(0, most - 1).join("")}…`;
}

/**
 * Which labels are written: all, or every n-th where there is no room, and always those marked.
 * @param {number} count
 * @param {number} spacing px from one to the next
 * @param {number} space px that one takes
 * @param {(number|null)[]} marked
 * @param {boolean} [isRound] every 2nd, 5th or 10th of numbers, and not every 3rd or 7th
 */
export function written(count, spacing, space, marked, isRound = false) {
  const least = Math.max(1, Math.ceil(space / spacing));
  const every = isRound ? (NICE.find((n) => n >= least) ?? least) : least;
  const chosen = marked.filter((i) => i !== null);
  const near = (/** @type {number} */ i) => chosen.some((j) => j !== i && Math.abs(i - j) < every);
  return Array.from({ length: count }, (_, i) => i).filter(
    (i) => chosen.includes(i) || (i % every === 0 && !near(i)),
  );
}

/** How wide the longest label is, in em of its own letters.
 * @param {Name[]} labels @param {number} letters */
const longest = (labels, letters) =>
  Math.max(0, ...labels.map((label) => textWidth(shortLine(label, letters))));

/** px that slanted labels reach beyond the last column, where no column is narrower than `cell`.
 * @param {Name[]} columns @param {typeof LARGE} how @param {number} letter */
const overhang = (columns, how, letter) =>
  columns.reduce((most, label, i) => {
    const long = textWidth(shortLine(label, how.letters)) * letter * Math.cos(RADIANS);
    return Math.max(most, Math.ceil(long - (columns.length - 1 - i) * how.least));
  }, 0);

/** px that labels at the left take.
 * @param {Name[]} rows @param {typeof LARGE} how @param {number} font @param {boolean} isTold */
const besides = (rows, how, font, isTold) => {
  const wide = Math.max(longest(rows, how.letters), isTold ? mostGloss(rows) : 0);
  return Math.ceil(Math.min(how.names, wide * how.letter + 1) * font);
};

/** em of the widest gloss. @param {Name[]} labels */
const mostGloss = (labels) => Math.max(0, ...labels.map(glossWidth));

/**
 * How large a cell is and how much room the labels need, all in px.
 * @param {import("./map.js").MapScene} scene
 */
export function layOut(scene) {
  const how = scene.large ? LARGE : SMALL;
  const { font, bare, room = scene, large = false, told = false } = scene;
  const letter = how.letter * font;
  const left = bare ? 2 : besides(room.rows, how, font, large || told);
  const long = longest(room.columns, how.letters) * letter;
  const isRound = scene.columns[0]?.kind === "number";
  const common = { left, font, letter, letters: how.letters, isRound, large };
  const isTold = Boolean(scene.large) && room.columns.some((one) => glossOf(one) !== "");
  const flat = Math.ceil(letter * (1.7 + (isTold ? GLOSS_LINE * 0.8 : 0)));
  const lying = cellSize(scene, how, { left, top: flat, right: 0 });
  const space = long + letter * (isRound ? 1.2 : 0.3);
  if (isRound || space <= lying.width) {
    return { ...lying, ...common, isTold, top: flat, right: 0, slant: 0, space };
  }
  const right = overhang(room.columns, how, letter);
  const top = Math.ceil(long * Math.sin(RADIANS) + letter * 1.3);
  const size = cellSize(scene, how, { left, top, right });
  return { ...size, ...common, top, right, slant: SLANT, isTold: false, space: letter * ACROSS };
}

/** @param {import("./map.js").MapScene} scene @param {typeof LARGE} how
 * @param {{left: number, top: number, right: number}} around px of the labels */
function cellSize(scene, how, { left, top, right }) {
  const { queries, keys, width, height = Infinity, font, largest, zoom = 1 } = scene;
  if (scene.side) return { width: scene.side, height: scene.side };
  const [wide, high] = [(width - left - right - 2) / keys, (height - top - 2) / queries];
  if (scene.fine) return { width: Math.max(1, wide), height: Math.max(1, high) };
  const own = {
    width: Math.min((largest ?? how.wide) * font, wide),
    height: Math.min((largest ?? how.high) * font, high),
  };
  const side = (
    /** @type {number} */ one,
    /** @type {number} */ other,
    /** @type {number} */ label,
  ) => {
    const fits = Math.min(one, Math.max(how.longer * other, label));
    return Math.max(how.least, Math.floor(fits * zoom));
  };
  return {
    width: side(own.width, own.height, Math.ceil(how.letter * ACROSS * font)),
    height: side(own.height, own.width, how.labelled * font),
  };
}

/** px that labels at the left of a small map take. @param {Name[]} rows @param {number} font */
export const roomForRows = (rows, font) => besides(rows, SMALL, font, false);

/**
 * The widths of three small maps in line, px: the first has the labels of all, and no larger cells.
 * Where their cells would be too small, each map has a line of its own.
 * @param {{rows: Name[], columns: Name[]}} labels
 * @param {number} room
 * @param {number} font
 */
export function inLine({ rows, columns }, room, font, count = 3) {
  const names = roomForRows(rows, font);
  const each = (room - names - GAPS) / count;
  const over = overhang(columns, SMALL, SMALL.letter * font);
  const isBeside = (each - 4 - over) / columns.length >= FINEST;
  return { isBeside, first: isBeside ? each + names : room, next: isBeside ? each : room };
}
