// Where the strips and ribbons of the whole model stand, and how wide a ribbon is. Pure; px.

import { GLOSS_LINE, glossOf, glossWidth, SMALL } from "../../../assets/kit/gloss.js";
import { lineOf, textWidth, written } from "../../../assets/kit/heatplan.js";
import { BARS, WIDE } from "./layout.js";

/** @typedef {import("./layout.js").Stack} Stack */
/** @typedef {[number, number]} Point */
/** @typedef {import("../../../assets/kit/types.js").Rec} Rec */

const PITCH = { least: 12, most: 6.5 }; // px and em from one token to the next
const BAND = 20; // px between two rows of strips at least
const TRUNK = { wide: 8, narrow: 2.6 }; // em between the stacks
const OUTPUT = 14; // em at the right, for the next token
const HEAD = { caption: 0.8, arms: 2.2, strips: 3.6 }; // em from the top
const LINE = 1.45; // em of a bar
const LOWEST = 34; // em of a picture that may be as tall as it likes
const FOOT = 1.5; // em below the names, for the way back
const SLANT = 55; // degrees of a name that cannot lie flat; upright where slanted ones would touch
const LINE_OF_NAMES = 0.95; // of a letter, from one name to the next
const LEAST = 12; // px of a letter
const GLOSSES = { least: 2.4, share: 0.42 }; // em that they may add to slanted names; more, while
// the names take that share of the picture's height
export const GAP_OF_GLOSS = 0.35; // em between a slanted name and its gloss
const APART = 15; // px between two names; where tokens are closer, not all of them have theirs
const LETTERS = 9; // of a name before it is cut
const THINNEST = 0.3; // px of a ribbon; thinner ones are left out
const STACKS = /** @type {Stack[]} */ (["encoder", "decoder"]);

/** A name in the picture, cut where it is long. */
export const nameOf = (label) => {
  const letters = [...lineOf(label)];
  return letters.length > LETTERS ? `${letters.slice(0, LETTERS - 1).join("")}…` : letters.join("");
};

/**
 * How the names of the tokens stand: flat where no two neighbours touch, if need be in the smallest
 * letters; px of a letter, of their height, and of what the first takes at the left of its strip.
 */
function namesOf(
  /** @type {Rec} */ { src, tgt_in: tgt },
  /** @type {number} */ pitch,
  { height, em },
) {
  const closest = (of) => (labels) =>
    Math.max(...labels.map((one, i) => (of(one) + of(labels[i + 1] ?? one)) / 2));
  const fits = (of, /** @type {number} */ letter) =>
    [src, tgt].map(closest(of)).every((wide) => (wide + 0.2) * letter <= pitch);
  const letter = fits(glossWidth, em) && [em, LEAST].find((one) => fits(wide, one));
  const isTold = [...src, ...tgt].some((label) => glossOf(label) !== "");
  const flat = (1.9 + (isTold ? GLOSS_LINE * 0.8 : 0)) * em;
  if (letter) return { isFlat: true, slant: 0, letter, height: flat, over: 0 };
  return turned([...src, ...tgt], pitch, { height, em });
}

/** em of a token's name. */
const wide = (label) => textWidth(nameOf(label));

/**
 * Slanted or upright names, in letters so small that no two touch, as far as they can be read; and
 * how long a name may be with what it stands for.
 */
function turned(labels, /** @type {number} */ pitch, { height, em }) {
  const sine = (/** @type {number} */ degrees) => Math.sin((degrees * Math.PI) / 180);
  const fits = (/** @type {number} */ degrees) => (pitch * sine(degrees)) / LINE_OF_NAMES;
  const slant = fits(SLANT) < em ? 90 : SLANT;
  const letter = Math.max(LEAST, Math.min(em, fits(slant)));
  const told = Math.min(em, letter / SMALL); // a gloss is no higher than its name
  const besides = (label) =>
    glossOf(label) === "" ? 0 : GAP_OF_GLOSS * letter + glossWidth(label) * told;
  const long = (label, more) => wide(label) * letter + Math.min(more, besides(label));
  const longest = (/** @type {number} */ more) => Math.max(...labels.map((one) => long(one, more)));
  const most = Math.max(
    longest(GLOSSES.least * letter),
    Math.min(longest(Infinity), (GLOSSES.share * height) / sine(slant)),
  );
  const first = Math.min(most, long(labels[0], Infinity));
  const over = Math.max(0, sine(90 - slant) * first - pitch / 2);
  return { isFlat: false, slant, letter, told, height: sine(slant) * most + 1.4 * em, over, most };
}

/** Which names of a side are written, and always those marked.
 * @param {any} plan @param {number} count @param {number[]} marked */
export const namedOf = ({ names, pitch }, count, marked) =>
  written(count, pitch, names.isFlat ? 0 : APART, marked);

const besidesOf = (/** @type {boolean} */ isWide, /** @type {number} */ em) =>
  (isWide ? TRUNK.wide + OUTPUT + 2 : TRUNK.narrow) * em;

const countOf = (/** @type {Rec} */ { src, tgt_in: tgt }) => src.length + tgt.length;

/** True where the next token has room at the right: beyond the frame nobody would see it. */
const hasRoomBeside = (/** @type {Rec} */ record, { width, em }) =>
  width >= WIDE * em && besidesOf(true, em) + countOf(record) * PITCH.least <= width;

/** px from one token to the next where both stacks share the room. */
function spacing(/** @type {Rec} */ record, { width, height, em }, isWide) {
  const besides = besidesOf(isWide, em);
  const count = countOf(record);
  const fits = (over) => (width - besides - over) / count;
  const own = (over) => Math.max(PITCH.least, Math.min(PITCH.most * em, fits(over)));
  const names = namesOf(record, own(0), { height, em });
  return { names, pitch: own(names.over) };
}

/**
 * The picture's plan: the same blocks as Figure 1's with all layers folded, so that the pointer,
 * the keys and the player need not know which of the two is drawn.
 * @param {Record<Stack, number>} layers @param {Rec} record
 * @param {import("./layout.js").Room} room
 */
export function layWhole(layers, record, room) {
  const { em } = room;
  const isWide = hasRoomBeside(record, room);
  const { names, pitch } = spacing(record, room, isWide);
  const above = isWide ? 0 : (BARS * LINE + 2.5) * em; // the next token
  const foot = names.height + (isWide ? FOOT * em : 0);
  const top = above + HEAD.strips * em;
  const lowest = room.width < WIDE * em ? above + LOWEST * em : 0;
  const free = Math.max(room.height, lowest) - top - foot;
  const { stacks, tall, solid, end } = stacksOf(layers, record, {
    em,
    isWide,
    names,
    pitch,
    top,
    free,
  });
  const out = { x: 0, y: 0, width: room.width, height: (BARS * LINE + 2) * em };
  if (isWide) Object.assign(out, { x: end + 2 * em, y: top - 1.6 * em, width: OUTPUT * em });
  const plan = {
    ...{ em, isWide, names, pitch, stacks, out },
    strip: { wide: Math.max(5, Math.min(0.4 * pitch, 1.7 * em)), tall },
    trunk: stacks.decoder.x - (isWide ? 2.2 : 1) * em,
    arms: above + HEAD.arms * em,
    caption: above + HEAD.caption * em,
    below: top + solid,
    width: isWide ? Math.max(room.width, end + 2 * em + out.width) : end,
    height: top + solid + foot,
    free: { x: out.x + 2.2 * em, top: out.y + out.height + 2.4 * em, bottom: top + solid + foot },
  };
  return { ...plan, blocks: blocksOf(plan) };
}

/**
 * Where the columns and the rows of strips stand; both stacks are as tall, however deep they are.
 */
function stacksOf(layers, record, { em, isWide, names, pitch, top, free }) {
  const counts = { encoder: record.src.length, decoder: record.tgt_in.length };
  const deepest = Math.max(layers.encoder, layers.decoder);
  const tall = Math.max(8, Math.min(2.5 * em, (0.42 * free) / deepest));
  const solid = Math.max(free, deepest * (tall + BAND) + tall);
  const trunk = (isWide ? TRUNK.wide : TRUNK.narrow) * em;
  const x = { encoder: names.over, decoder: names.over + counts.encoder * pitch + trunk };
  const levelsOf = (/** @type {number} */ count) =>
    Array.from({ length: count + 1 }, (_, i) => top + (solid - tall) * (1 - i / count));
  const one = (/** @type {Stack} */ stack) => ({
    x: x[stack],
    count: counts[stack],
    levels: levelsOf(layers[stack]),
  });
  const stacks = { encoder: one("encoder"), decoder: one("decoder") };
  return { stacks, tall, solid, end: x.decoder + counts.decoder * pitch };
}

/** What can be pointed at: the tokens, what the first layer reads, each layer, the next token. */
function blocksOf({ stacks, pitch, strip, names, below, out }) {
  const stackOf = (/** @type {Stack} */ stack) => {
    const { x, count, levels } = stacks[stack];
    const one = (id, type, layer, y, height) => ({
      id: `${stack}.${id}`,
      type,
      stack,
      layer,
      x,
      y,
      width: count * pitch,
      height,
    });
    return [
      one("tokens", "tokens", null, below + 3, names.height - 3),
      one("sum", "sum", null, levels[0] - 3, strip.tall + 6),
      ...levels.slice(1).map((y, i) => one(`${i}.layer`, "layer", i, y - 3, levels[i] - y - 3)),
    ];
  };
  const end = { id: "decoder.softmax", type: "softmax", stack: "decoder", layer: null, ...out };
  return [...STACKS.flatMap(stackOf), end];
}

/** The middle of a token's strip, and its upper or lower end. @returns {Point} */
export function placeOf({ stacks, pitch, strip }, stack, i, level, isTop) {
  const { x, levels } = stacks[stack];
  return [x + (i + 0.5) * pitch, levels[level] + (isTop ? 0 : strip.tall)];
}

/** The way from a strip up to one of the next row. */
export const wayOf = (/** @type {Point} */ [x, y], /** @type {Point} */ [toX, toY]) =>
  `M${r(x)} ${r(y)}C${r(x)} ${r((y + toY) / 2)} ${r(toX)} ${r((y + toY) / 2)} ${r(toX)} ${r(toY)}`;

/** The same as a shape of that width. @param {Point} from @param {Point} to */
export function ribbon([x, y], [toX, toY], /** @type {number} */ width) {
  const [half, middle] = [width / 2, (y + toY) / 2];
  const side = (from, to, end) =>
    `C${r(from)} ${r(middle)} ${r(to)} ${r(middle)} ${r(to)} ${r(end)}`;
  return `M${r(x - half)} ${r(y)}${side(x - half, toX - half, toY)}H${r(toX + half)}${side(toX + half, x + half, y)}Z`;
}

const r = (/** @type {number} */ px) => Math.round(px * 10) / 10;

/** @typedef {(maps: import("../../../assets/kit/types.js").Maps, layer: number) => Float32Array}
 *   Mean of all heads of a layer, row by row; 0 where the mask forbids */

/** The means, each worked out once. @returns {Mean} */
export function createMean() {
  /** @type {WeakMap<object, Map<number, Float32Array>>} */
  const means = new WeakMap();
  return (maps, layer) => {
    const own = means.get(maps) ?? new Map();
    means.set(maps, own);
    if (!own.has(layer)) own.set(layer, meanOf(maps, layer));
    return own.get(layer);
  };
}

/** @type {Mean} */
function meanOf(maps, layer) {
  const mean = new Float32Array(maps.queries * maps.keys);
  for (let head = 0; head < maps.heads; head += 1) {
    const cells = maps.head(layer, head);
    for (let i = 0; i < mean.length; i += 1) mean[i] += (cells[i] || 0) / maps.heads;
  }
  return mean;
}

/** What the step reads of each source token: the mean of all heads of all layers.
 * @param {Mean} mean @param {Rec} record @param {number} step */
export function crossOf(mean, { attention: { cross } }, step) {
  const row = new Float32Array(cross.keys);
  for (let layer = 0; layer < cross.layers; layer += 1) {
    const weights = mean(cross, layer);
    for (let j = 0; j < row.length; j += 1) row[j] += weights[step * cross.keys + j] / cross.layers;
  }
  return row;
}

/** The source tokens that a step reads most, strongest first, two at most: words where there are
 * any, the second only where it has a third of the first one's weight.
 * @param {Mean} mean @param {Rec} record @param {number} step */
export function lookedAt(mean, record, step) {
  const row = crossOf(mean, record, step);
  const isWord = ({ kind, text }) => kind !== "special" && /[\p{L}\p{N}]/u.test(text);
  const hasWords = record.src.some(isWord);
  const all = record.src
    .map((label, i) => ({ label, i, weight: row[i] }))
    .filter(({ label }) => !hasWords || isWord(label))
    .sort((one, two) => two.weight - one.weight);
  return all.slice(0, 2).filter(({ weight }, i) => i === 0 || weight > all[0].weight / 3);
}

/** px of a ribbon of weight 1. */
const widest = ({ pitch, em }) => Math.min(0.5 * pitch, 0.9 * em);

/** The ribbons of a layer's rows as one path. @param {any} plan @param {Stack} stack */
export function ribbonsOf(
  plan,
  stack,
  /** @type {number} */ layer,
  /** @type {Float32Array} */ weights,
  /** @type {number[]} */ rows,
) {
  const keys = plan.stacks[stack].count;
  const most = widest(plan);
  const shapes = rows.flatMap((row) =>
    Array.from({ length: keys }, (_, key) => {
      const width = weights[row * keys + key] * most;
      if (width < THINNEST) return "";
      const from = placeOf(plan, stack, key, layer, true);
      return ribbon(from, placeOf(plan, stack, row, layer + 1, false), width);
    }),
  );
  return shapes.join("");
}

/** The way of a source token's vector from the top of the encoder to the trunk; with `to`, on to
 * that layer of the decoder. */
export function armOf(plan, /** @type {number} */ i, /** @type {Point|null} */ to = null) {
  const { stacks, arms, trunk } = plan;
  const [x, y] = placeOf(plan, "encoder", i, stacks.encoder.levels.length - 1, true);
  const bend = Math.min(14, y - arms, Math.max(1, trunk - x));
  const along = `M${r(x)} ${r(y)}V${r(arms + bend)}Q${r(x)} ${r(arms)} ${r(x + bend)} ${r(arms)}`;
  return to === null ? `${along}H${r(trunk - 8)}` : `${along}H${r(trunk)}V${r(to[1])}H${r(to[0])}`;
}

/** Where the cross-attention of a decoder layer reads: just below what the layer hands on. */
export function branchOf(plan, /** @type {number} */ layer, /** @type {number} */ step) {
  const [x, y] = placeOf(plan, "decoder", step, layer + 1, false);
  return /** @type {Point} */ ([x - boxOf(plan) / 2, y + 0.9 * plan.em]);
}

/** px of the frame around the column that is computed. */
export const boxOf = ({ strip, pitch }) =>
  Math.min(strip.wide + 14, Math.max(pitch, strip.wide + 4));

/** The strongest vectors that come into a layer: the ways that they take, and the token whose
 * vector it is. The encoder computes all its tokens at once, the decoder one.
 * @param {any} plan @param {{mean: Mean, record: Rec, step: number}} scene @param {Stack} stack
 * @param {number} layer */
export function comers(plan, { mean, record: { attention }, step }, stack, layer) {
  const maps = attention[`${stack}_self`];
  const isEncoder = stack === "encoder";
  const rows = isEncoder ? Array.from({ length: maps.queries }, (_, i) => i) : [step];
  const each = isEncoder ? 1 : 4;
  const own = rows.flatMap((row) =>
    strongestOf(rowOf(mean(maps, layer), maps.keys, row), each).map((i) => ({
      i,
      stack,
      level: layer,
      way: wayOf(placeOf(plan, stack, i, layer, true), placeOf(plan, stack, row, layer + 1, false)),
    })),
  );
  if (isEncoder) return own;
  const read = rowOf(mean(attention.cross, layer), attention.cross.keys, step);
  const level = plan.stacks.encoder.levels.length - 1;
  const across = strongestOf(read, 3).map((i) => ({
    i,
    stack: "encoder",
    level,
    way: armOf(plan, i, branchOf(plan, layer, step)),
  }));
  return [...own, ...across];
}

const rowOf = (weights, /** @type {number} */ keys, /** @type {number} */ row) =>
  Array.from(weights.subarray(row * keys, (row + 1) * keys));

const strongestOf = (/** @type {number[]} */ row, /** @type {number} */ count) =>
  row
    .map((weight, i) => ({ weight, i }))
    .filter(({ weight }) => weight > 0)
    .sort((one, two) => two.weight - one.weight)
    .slice(0, count)
    .map(({ i }) => i);
