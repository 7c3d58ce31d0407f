// Where everything stands in the picture, in px. Pure functions of sizes.

import { shortLine, textWidth } from "../../../assets/kit/heatplan.js";
import { KEY_STAGES, keyStagesOf } from "./trace.js";

/** Stages whose numbers belong together, place by place. */
export const GROUPS = [
  ["query", "key", "product"],
  ["value", "part", "context"],
  ["concat"],
  ["entering", "output", "sum", "after"],
];
const LEAST = { px: 12, em: 0.73 }; // of a letter: on a projector 16 px
const NARROW = 54; // em of a picture in which keys and values stand above and below their numbers
// Of a letter's size:
const LINE = { roomy: 1.5, tight: 1.25 };
const NAMES = { least: 6, most: 9 };
const COLUMN = 5.2; // a number of a key
const NUMBER = 4.5; // a number of the band
const BESIDE = 3.8; // between the numbers of the keys and the values
const READOUT = 6.4; // lines of letters below the drawing
const NOTE = 1.8;
const TALLEST = 3.2; // a row of a key
const SMALLEST = 0.55; // a row of a key that is only colour
const MOST_BLOCKS = 2; // of the band, in a narrow window
const COUNTS = [32, 16, 8, 4]; // numbers beside each other

/** @typedef {{x: number, y: number, wide: number, tall: number}} Box */
/** @typedef {{y: number, stages: string[], columns: number, blocks: number, from: number,
 *   count: number}} Band the numbers of the chosen stage, as many as have room: `from` the first */

/**
 * The stages on the way out of the heads; a model that normalises before has no norm behind.
 * @param {{layer: {pre: boolean}}} s
 */
export const wayOut = ({ layer }) => ["concat", ...GROUPS[3].slice(0, layer.pre ? 3 : 4)];

/** @param {any} s @param {import("../../../assets/kit/exhibit.js").Size} size */
export function planOf(s, { width, height, em }) {
  const isNarrow = width < NARROW * em;
  const least = Math.max(LEAST.px, LEAST.em * em);
  const own = Math.max(least, 0.86 * em);
  const letters = isNarrow ? own : Math.max(least, Math.min(own, height / 34));
  const isTight = !isNarrow && letters > height / 34;
  const longest = Math.max(...s.keys.map((one) => textWidth(shortLine(one, 9)))) + 2;
  const names = Math.min(Math.max(NAMES.least, longest), NAMES.most) * letters;
  const given = {
    width,
    letters,
    line: (isTight ? LINE.tight : LINE.roomy) * letters,
    names,
    isNarrow,
    band: null,
  };
  const count = COUNTS.find((n) => names + n * NUMBER * letters <= width) ?? 4;
  const plan = { ...given, columns: count };
  return isNarrow
    ? stacked(s, plan)
    : beside(s, plan, height - (READOUT + NOTE * s.notes.length) * letters);
}

/** The keys at the left of their numbers, the values at the right, the way out below. */
function beside(s, plan, /** @type {number} */ height) {
  const { width, letters, line, names } = plan;
  const table = keyStagesOf(s.layer).length * COLUMN * letters;
  const wide = (width - names - table - (1 + BESIDE) * letters) / 2;
  const ways = wayOut(s);
  const fixed = (5.4 + ways.length) * line;
  const band = bandOf(s, plan, (blocks) => {
    const rows = height - fixed - bandHeight(s, plan, blocks);
    return rows / s.keys.length >= 1.3 * letters;
  });
  const grown = band ? bandHeight(s, plan, band.blocks) : 0;
  const rows = (height - fixed - grown) / s.keys.length;
  const pitch = Math.max(0.3 * letters, Math.min(TALLEST * letters, rows));
  const top = 2.2 * line;
  const end = top + s.keys.length * pitch + 0.2 * line;
  const out = height - ways.length * line - (isAbove(s) ? 0 : grown);
  const right = width - wide;
  const strip = (/** @type {number} */ x, /** @type {number} */ y) => lane(x, y, wide, plan);
  return {
    ...plan,
    height,
    heads: 0,
    sums: end,
    pitch,
    rows: pitch,
    table: { x: names + wide + letters, y: top, column: COLUMN * letters },
    keys: { x: names, y: top, wide },
    values: { x: right, y: top, wide },
    band: band && { ...band, y: isAbove(s) ? end + 2.3 * line : out + ways.length * line },
    strips: {
      query: strip(names, line),
      product: strip(names, end),
      part: strip(right, end),
      context: strip(right, end + line),
      ...lanes(ways, out, plan),
    },
  };
}

/** One below the other, as tall as they are. */
function stacked(s, plan) {
  const { width, letters, line, names } = plan;
  const count = s.keys.length;
  const wide = width - names;
  const ways = wayOut(s);
  const found = bandOf(s, plan, (blocks) => blocks <= MOST_BLOCKS);
  const grown = found ? bandHeight(s, plan, found.blocks) : 0;
  const rows = Math.max(SMALLEST * letters, Math.min(letters, (6 * letters) / count));
  let y = 0;
  const next = (/** @type {number} */ tall) => {
    y += tall;
    return y - tall;
  };
  const strip = () => lane(names, next(line), wide, plan);
  const query = strip();
  const keys = { x: names, y: next(count * rows + 0.2 * line), wide };
  const product = strip();
  const heads = next(line);
  const table = { x: names, y: next(count * line), column: wide / keyStagesOf(s.layer).length };
  const sums = next(line);
  const values = { x: names, y: next(count * rows + 0.2 * line), wide };
  const [part, context] = [strip(), strip()];
  const above = next(isAbove(s) ? grown : 0.5 * line);
  const out = lanes(ways, next(ways.length * line), plan);
  const below = next(isAbove(s) ? 0 : grown);
  const band = found && { ...found, y: isAbove(s) ? above : below };
  const strips = { query, product, part, context, ...out };
  return { ...plan, height: y, heads, sums, pitch: line, rows, table, keys, values, band, strips };
}

const isAbove = ({ stage }) => GROUPS.findIndex((group) => group.includes(stage)) < 2;

/** @returns {Box} */
const lane = (x, y, wide, { letters, line }) => ({
  x,
  wide,
  y: y + (line - 1.15 * letters) / 2,
  tall: 1.15 * letters,
});

/** The strips on the way out, as wide as the picture. */
const lanes = (/** @type {string[]} */ stages, /** @type {number} */ y, plan) =>
  Object.fromEntries(
    stages.map((stage, i) => [
      stage,
      lane(plan.names, y + i * plan.line, plan.width - plan.names, plan),
    ]),
  );

/** How many numbers a stage has in one row. */
export const placesIn = (/** @type {string} */ stage, layer) => {
  if (KEY_STAGES.includes(stage)) return 1;
  if (stage === "concat") return layer.heads * layer.dk;
  return GROUPS.slice(0, 2).flat().includes(stage) ? layer.dk : layer.d_model;
};

/** The stages of the band: those that belong to the chosen one. */
const stagesOf = (s) =>
  GROUPS.find((group) => group.includes(s.stage))?.filter(
    (one) => one !== "after" || !s.layer.pre,
  ) ?? [];

const bandHeight = (s, { line }, /** @type {number} */ blocks) =>
  (stagesOf(s).length * blocks + 0.3 * (blocks - 1) + 0.7) * line;

/** As many blocks as `fits` allows, and one at least. @returns {Omit<Band, "y">|null} */
function bandOf(s, { columns }, /** @type {(blocks: number) => boolean} */ fits) {
  const stages = stagesOf(s);
  if (stages.length === 0) return null;
  const count = placesIn(s.stage, s.layer);
  let blocks = Math.ceil(count / columns);
  while (blocks > 1 && !fits(blocks)) blocks -= 1;
  const all = columns * blocks;
  return { stages, columns, blocks, count, from: Math.floor(s.place / all) * all };
}
