// The possible changes, and how one leads to another. Pure functions of interventions.

import { causalMask, paddingMask } from "../../../assets/kit/masks.js";

const SHIFT = 20; // positions, to begin with
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const toggled = (list, entry) =>
  list.some((one) => same(one, entry)) ? list.filter((one) => !same(one, entry)) : [...list, entry];

export const isOff = (changes, head) => changes.heads_off.some((one) => same(one, head));

export const toggleHead = (changes, head) => ({
  ...changes,
  heads_off: toggled(changes.heads_off, head),
});

export const toggleLayer = (changes, layer) => ({
  ...changes,
  cross_off: toggled(changes.cross_off, layer),
});

/** The mask of a kind before anything is painted, true = may read: (queries, keys), row by row. */
export function maskOf(changes, kind, src, tgt) {
  const queries = kind === "encoder_self" ? src + changes.padding : tgt;
  const keys = kind === "decoder_self" ? tgt : src + changes.padding;
  const isCausal = kind === "decoder_self" && changes.causal_mask;
  const valid = kind !== "decoder_self" && changes.padding_mask ? src : keys;
  return { queries, keys, allowed: isCausal ? causalMask(tgt) : paddingMask(queries, keys, valid) };
}

/** The same with the painted cells, which `marks` lists. */
export function paintedMask(changes, kind, src, tgt) {
  const { queries, keys, allowed } = maskOf(changes, kind, src, tgt);
  const marks = [];
  for (const [which, row, col, on] of changes.cells) {
    if (which !== kind || row >= queries || col >= keys) continue;
    allowed[row * keys + col] = on;
    marks.push({ row, col });
  }
  return { queries, keys, allowed, marks };
}

/** Toggles one cell; a cell equal to the mask is no longer painted. */
export function toggleCell(changes, kind, { row, col }, src, tgt) {
  const { keys, allowed } = maskOf(changes, kind, src, tgt);
  const others = changes.cells.filter(([which, r, c]) => which !== kind || r !== row || c !== col);
  if (others.length < changes.cells.length) return { ...changes, cells: others };
  return { ...changes, cells: [...others, [kind, row, col, !allowed[row * keys + col]]] };
}

/** Positions changed in one of the possible ways, as it begins. */
export const positioned = (/** @type {string} */ positions) => ({
  positions,
  sides: positions === "shuffled" ? "source" : "both",
  shift: positions === "shifted" ? SHIFT : 0,
  position_seed: 0,
});

/** The experiments that start with one click; one named as a picture is seen in that. */
export const presets = (/** @type {number} */ lastLayer) => ({
  cheat: { causal_mask: false },
  leak: { padding: 4, padding_mask: false },
  blind: { cross_off: [lastLayer] },
  unscaled: { scaling: false },
  unordered: positioned("none"),
  shuffled: positioned("shuffled"),
  shifted: positioned("shifted"),
  pair: { positions: "none", sides: "source" },
  encoder: { positions: "none", sides: "source" },
});

/**
 * What the numbers say beyond the finding, as words to fill in: [{key, values}]. `differs`: the
 * changed fields.
 */
export function stories({ log_probs, next, tgt_out: written, padding }, differs, format) {
  const [before, after] = log_probs;
  const isOpen = differs.causal_mask === false;
  return [
    ...(isOpen ? cheat(before, after, next[1], written, format) : []),
    ...(padding ? leak(padding, "padding_mask" in differs, format) : []),
  ];
}

function cheat(before, after, next, written, format) {
  const lost = after.filter((one, i) => one < before[i]).length;
  const falls = lost * 2 > after.length;
  /** @type {{key: string, values: object}[]} */
  const told = [
    {
      key: falls ? "experiments.cheat.falls" : "experiments.cheat.rises",
      values: { n: lost, count: after.length },
    },
  ];
  const [first] = next[0];
  if (first.id !== written[0].id) {
    const end = first.piece === "</s>" ? "experiments.cheat.ends" : "experiments.cheat.first";
    const chance = format.percent(Math.exp(first.log_prob));
    told.push({ key: end, values: { token: first.text, chance } });
  }
  return [
    ...told,
    { key: "experiments.cheat.why", values: {} },
    { key: "experiments.cheat.steps", values: {} },
  ];
}

function leak({ count, largest, encoder_self: own, cross, log_probs }, leaks, format) {
  const [before, after] = log_probs;
  return [
    { key: "experiments.leak.respected", values: { n: count, largest: format.tiny(largest) } },
    {
      key: leaks ? "experiments.leak.forgotten" : "experiments.leak.would",
      values: {
        encoder: format.percent(own),
        cross: format.percent(cross),
        before: format.signed(before),
        after: format.signed(after),
        change: format.change(after - before),
      },
    },
  ];
}
