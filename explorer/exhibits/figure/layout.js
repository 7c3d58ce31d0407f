// Where the blocks and arrows of Figure 1 stand, for a model of any depth. Pure functions; px.

import { arrowsOf, between } from "./arrows.js";

/** @typedef {"encoder"|"decoder"} Stack */
/**
 * @typedef {object} Block
 * @property {string} id
 * @property {string} type
 * @property {Stack} stack
 * @property {number|null} layer
 * @property {string} [part] the sub-layer it belongs to
 * @property {string} [kind] of attention
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {number} [share] of the column's width, where two stand side by side
 */
/** @typedef {{id: string, to: string, path: string, end: [number, number, string]}} Arrow */
/**
 * @typedef {object} Shape
 * @property {"post"|"pre"} norm
 * @property {Record<Stack, number>} layers
 * @property {Record<Stack, Set<number>>} open
 */
/** @typedef {{width: number, height: number, em: number}} Room */

const HEIGHTS = {
  tokens: 1.9,
  embedding: 2.1,
  position: 2.1,
  sum: 1.9,
  attention: 3.3,
  feed_forward: 2.3,
  add_norm: 1.8,
  norm: 1.8,
  add: 1.8,
  layer: 1.9,
  final: 1.9,
  linear: 1.9,
  next: 2.1,
};
const CAPTION = 1.5; // em of the line that says which stack it is
export const GAP = 0.85; // em between blocks: an arrow
const PAD = 0.55; // em of a layer's frame above and below its blocks
const TITLE = 1.15; // em of a title's line, where it does not fit beside the data
export const SIDE = 21; // em of a block whose title stands beside its data
export const WIDE = 58; // em of a window in which the output stands beside the stacks
const MOST = 1.7; // how far blocks may grow to fill the room
const BAR = 1.45; // em of one of the next token's bars
export const BARS = 6; // of the next token

const ENDS = ["linear", "softmax", "next"];
const STACKS = /** @type {Stack[]} */ (["encoder", "decoder"]);

/** The blocks of one sub-layer in the order of the data, where its LayerNorm stands included. */
function subLayer(stack, layer, part, norm) {
  const kind = { self_attention: `${stack}_self`, cross_attention: "cross" }[part];
  const type = part === "feed_forward" ? "feed_forward" : "attention";
  const types = norm === "pre" ? ["norm", type, "add"] : [type, "add_norm"];
  return types.map((one) => ({
    id: `${stack}.${layer}.${part}.${one}`,
    type: one,
    stack,
    layer,
    part,
    kind: one === "attention" ? kind : undefined,
  }));
}

const PARTS = {
  encoder: ["self_attention", "feed_forward"],
  decoder: ["self_attention", "cross_attention", "feed_forward"],
};

/** The blocks of an open layer.
 * @param {Stack} stack @param {number} layer @param {"post"|"pre"} norm @returns {any[]} */
export const partsOf = (stack, layer, norm) =>
  PARTS[stack].flatMap((part) => subLayer(stack, layer, part, norm));

/** @typedef {{layer?: number, blocks: any[]}} Row */

/** The rows of a stack from its tokens upwards; a row is a list of blocks side by side, an open
 * layer is one row with blocks of its own. @param {Stack} stack @param {Shape} shape
 * @returns {Row[]} */
export function rowsOf(stack, { norm, layers, open }) {
  /** @type {(type: string, more?: object) => any} */
  const one = (type, more = {}) => ({ id: `${stack}.${type}`, type, stack, layer: null, ...more });
  const layer = (_, i) =>
    open[stack].has(i)
      ? { layer: i, blocks: partsOf(stack, i, norm) }
      : { blocks: [one("layer", { id: `${stack}.${i}.layer`, layer: i })] };
  return [
    { blocks: [one("tokens")] },
    { blocks: [one("embedding", { share: 0.5 }), one("position", { share: 0.5 })] },
    { blocks: [one("sum")] },
    ...Array.from({ length: layers[stack] }, layer),
    ...(norm === "pre" ? [{ blocks: [one("final")] }] : []),
  ];
}

/** All blocks in the order in which the model computes them. @param {Shape} shape */
export const blocksOf = (shape) => [
  ...STACKS.flatMap((stack) => rowsOf(stack, shape).flatMap((row) => row.blocks)),
  ...ENDS.map((type) => ({ id: `decoder.${type}`, type, stack: "decoder", layer: null })),
];

/** Their ids. @param {Shape} shape */
export const orderOf = (shape) => blocksOf(shape).map(({ id }) => id);

/** @param {Shape} shape @param {Room} room */
export function layOut(shape, room) {
  const { em } = room;
  const places = columnsOf(room);
  const isStacked = places.column < SIDE * em;
  const natural = (type) => HEIGHTS[type] + (isStacked && type !== "tokens" ? TITLE : 0);
  const rows = { encoder: rowsOf("encoder", shape), decoder: rowsOf("decoder", shape) };
  const tall = { linear: natural("linear") * em, next: natural("next") * em };
  const above = places.isWide ? 0 : (BARS * BAR + 2 * GAP + 2) * em + tall.linear + tall.next;
  const tallest = STACKS.map((stack) => heightOf(rows[stack], natural));
  const spaces = Math.max(...tallest.map(({ spaces }) => spaces)) * em;
  const solid = Math.max(...tallest.map(({ solid }) => solid)) * em;
  const caption = CAPTION * em;
  const free = room.height - spaces - above - caption - 2;
  const grow = Math.max(1, Math.min(MOST, free / solid));
  const least = places.isWide ? (BARS * BAR + 14) * em : 0;
  const height = Math.max(least, solid * grow + spaces + 2) + above;
  const side = (type) => natural(type) * em * grow;
  const foot = places.isWide ? height + caption : height; // in a small window it stands below
  const stacks = STACKS.map((stack) => place(stack, rows[stack], places, foot, { em, side }));
  const end = outputOf(places, em, stacks[1], tall);
  const blocks = [...stacks.flatMap((stack) => stack.blocks), ...end];
  return {
    width: room.width,
    height: height + caption,
    isStacked,
    isWide: places.isWide,
    em,
    blocks,
    free: freeOf(end, em, height),
    captions: STACKS.map((stack, i) => ({
      stack,
      x: places[stack],
      y: places.isWide ? topOf(stacks[i]) - caption * 0.45 : height + caption * 0.6,
    })),
    frames: stacks.flatMap((stack) => stack.frames),
    arrows: [
      ...stacks.flatMap((stack) => stack.arrows),
      ...between(blocks, places, shape.layers, em * GAP),
    ],
  };
}

/** What is free in a wide window: beside the way back of the written token, or, where that is more,
 * above the output. */
function freeOf(end, em, bottom) {
  const { x, y, height } = end.at(-1);
  const below = { x: x + 2 * em, top: y + height + em, bottom };
  const above = { x, top: em, bottom: end[0].y - em };
  return above.bottom - above.top > below.bottom - below.top ? above : below;
}

/** Where a stack ends: above its last block, or the frame of its last layer. */
const topOf = ({ blocks, frames }) =>
  Math.min(...[...blocks, ...frames].map((/** @type {{y: number}} */ { y }) => y));

/** Where the columns are: both stacks, and the output beside them or, in a small window, above. */
function columnsOf({ width, em }) {
  const isWide = width >= WIDE * em;
  const margin = (isWide ? 3.2 : 1.2) * em; // for the residual connections and names of layers
  const trunk = (isWide ? 2.6 : 1.5) * em;
  const output = isWide ? Math.min(19 * em, width * 0.24) : 0;
  const loop = isWide ? 2.6 * em : 0;
  const column = (width - 2 * margin - trunk - output - loop) / 2;
  const decoder = margin + column + trunk;
  return {
    isWide,
    column,
    margin,
    encoder: margin,
    decoder,
    trunk: margin + column + trunk * 0.4,
    output: isWide ? decoder + column + margin + loop : margin,
    outputWidth: isWide ? output - 2 : width - 2 * margin,
    width,
  };
}

function heightOf(rows, /** @type {(type: string) => number} */ natural) {
  let [solid, spaces] = [0, 0];
  for (const { layer, blocks } of rows) {
    const inside = layer !== undefined;
    solid += inside
      ? blocks.reduce((sum, { type }) => sum + natural(type), 0)
      : natural(blocks[0].type);
    spaces += GAP + (inside ? 2 * PAD + (blocks.length - 1) * GAP : 0);
  }
  return { solid, spaces };
}

/** The blocks of a stack, from the bottom up, with their arrows. */
function place(stack, rows, places, /** @type {number} */ height, { em, side }) {
  const left = places[stack];
  /** @type {Block[]} */
  const blocks = [];
  /** @type {any[]} */
  const frames = [];
  let bottom = height - 1;
  const put = (given, share = 1, at = 0) => {
    const [tall, gap] = [side(given.type), share < 1 ? 0.6 * em : 0];
    const x = left + at * (places.column + gap);
    blocks.push({
      ...given,
      x,
      y: bottom - tall,
      width: places.column * share - gap / 2,
      height: tall,
    });
  };
  for (const { layer, blocks: own } of rows) {
    const from = bottom;
    if (layer !== undefined) bottom -= PAD * em;
    own.forEach((block, i) => {
      put(block, block.share, block.share ? i * block.share : 0);
      if (!block.share || i === own.length - 1) bottom -= side(block.type) + GAP * em;
    });
    if (layer === undefined) continue;
    bottom += (GAP - PAD) * em;
    const inset = 0.45 * em;
    frames.push({ stack, layer, x: left - inset - places.margin * 0.5, y: bottom, inset });
    Object.assign(frames[frames.length - 1], {
      width: places.column + 2 * inset + places.margin * 0.5,
      height: from - bottom,
      ...(stack === "decoder" ? { x: left - inset } : {}),
    });
    bottom -= GAP * em;
  }
  return { blocks, frames, arrows: arrowsOf(stack, blocks, places, em * GAP) };
}

/** Linear, softmax with the bars, the written token: beside the decoder or above both stacks. */
function outputOf(places, em, { blocks }, tall) {
  const { output: x, outputWidth: width, isWide } = places;
  const softmax = (BARS * BAR + 2) * em;
  const one = (type, y, size) => ({
    id: `decoder.${type}`,
    type,
    stack: "decoder",
    layer: null,
    x,
    y,
    width,
    height: size,
  });
  if (isWide) {
    const top = Math.max(1, blocks[blocks.length - 1].y);
    const second = top + tall.linear + GAP * em;
    const next = second + softmax + GAP * em;
    return [
      one("linear", top, tall.linear),
      one("softmax", second, softmax),
      one("next", next, tall.next),
    ];
  }
  const second = tall.next + GAP * em + 1;
  const linear = second + softmax + GAP * em;
  return [
    one("linear", linear, tall.linear),
    one("softmax", second, softmax),
    one("next", 1, tall.next),
  ];
}
