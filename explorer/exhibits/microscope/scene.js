// Where the microscope stands, what is marked there, and where an arrow key leads. Pure functions.

import { fixed } from "../../../assets/kit/numbers.js";
import { axes } from "../../../assets/kit/selection.js";
import { headChain, rowChain, weightsOf } from "../../../assets/kit/sublayer.js";
import { GROUPS, placesIn, wayOut } from "./plan.js";
import { KEY_STAGES, keyStagesOf, originOf } from "./trace.js";

/**
 * The numbers of one query and one key, their labels, and what is picked among them: {layer, head,
 * row, at, query, keys, rows, notes, origin, mark, ...}. While another head is asked for, the one
 * that is there stays.
 * @param {any} s
 */
export function scene({ answer: { args, numbers }, record, selection, stage, place }) {
  const row = Math.min(selection.row, numbers.queries - 1);
  const col = Math.min(selection.col ?? mostRead(numbers, args.head, row), numbers.keys - 1);
  const at = { ...args, row, col };
  const { rows, columns } = axes(record, at.kind, selection.labels);
  const head = headChain(numbers, at.head, row, col);
  const made = {
    layer: numbers,
    at,
    head,
    row: rowChain(numbers, row),
    lead: leadOf(head.masked, col),
    query: rows.labels[row],
    keys: columns.labels,
    rows: rows.labels,
    notes: notesOf(numbers, at, record.interventions),
    isCurrent: ["kind", "layer", "head"].every((name) => args[name] === selection[name]),
  };
  return { ...made, ...marksOf(made, { stage, place }) };
}

/** How far the score of a key is above all others, as it is written; null if it is not the highest,
 * or the only one.
 * @param {Float64Array} scores @param {number} col */
function leadOf(scores, col) {
  const others = scores.filter((score, j) => j !== col && Number.isFinite(score));
  const lead = scores[col] - Math.max(...others);
  return others.length > 0 && lead >= 0 ? fixed(lead, lead < 1 ? 2 : 1) : null;
}

/** Without a chosen key the microscope stands at the one that is read most. */
function mostRead(numbers, head, row) {
  const weights = weightsOf(numbers, head, row);
  return weights.indexOf(Math.max(...weights));
}

/** What an intervention changes in this very sub-layer. @returns {string[]} */
function notesOf(layer, { head }, { scaling = true }) {
  const off = { scaling: !scaling && layer.scale === 1, head: !layer.kept[head] };
  return Object.entries({ ...off, layer: layer.off }).flatMap(([name, isOff]) =>
    isOff ? [name] : [],
  );
}

/** The stage that stands for one that this layer does not have.
 * @param {import("../../../assets/kit/sublayer.js").Layer} layer @param {string} stage */
function thereOf(layer, stage) {
  if (stage === "bias" && !layer.bias) return "scaled";
  return stage === "after" && layer.pre ? "sum" : stage;
}

/** What is picked in this scene, where it came from, and which cells are marked for it. */
export function marksOf(made, picked) {
  const stage = thereOf(made.layer, picked.stage);
  const isKeyed = KEY_STAGES.includes(stage);
  const isThere = isKeyed || picked.place < placesIn(stage, made.layer);
  const place = isThere ? picked.place : 0; // a key keeps the place of what one came from
  const origin = originOf(stage, place, made);
  const here = isKeyed ? made.at.col : place;
  const isFrom = (other, at) =>
    origin.from.some(([from, where]) => {
      if (from !== other) return false;
      if (KEY_STAGES.includes(from)) return where === "all" || at === made.at.col;
      return where === undefined || where === at;
    });
  return {
    stage,
    place,
    isKeyed,
    origin,
    mark(/** @type {string} */ other, /** @type {number} */ at) {
      if (other === stage && at === here) return "here";
      return isFrom(other, at) ? "from" : null;
    },
  };
}

/** The numbers of a stage in the chosen row: one for each key, or one for each place. */
export const numbersIn = ({ head, row }, /** @type {string} */ stage) =>
  ({
    query: head.q,
    key: head.k,
    product: head.products,
    dot: head.dots,
    scaled: head.scaled,
    bias: head.bias,
    masked: head.masked,
    exp: head.exps,
    weight: head.weights,
    value: head.v,
    part: head.parts,
    context: head.context,
  })[stage] ?? row[stage];

/** The numbers that the picked one was made of: each stage once, with a place in it. */
export function parentsOf({ origin, place, layer }) {
  return origin.from.map(([stage, where]) => ({
    stage,
    isAll: where === "all" || (where === undefined && !KEY_STAGES.includes(stage)),
    place: Number.isInteger(where) ? where : Math.min(place, placesIn(stage, layer) - 1),
  }));
}

/** The stages that a number goes into. @type {Record<string, string[]>} */
const NEXT = {
  query: ["product"],
  key: ["product"],
  product: ["dot"],
  dot: ["scaled"],
  scaled: ["masked"],
  bias: ["masked"],
  masked: ["exp"],
  exp: ["weight"],
  weight: ["part"],
  value: ["part"],
  part: ["context"],
  context: ["concat"],
  concat: ["output"],
  entering: ["sum"],
  output: ["sum"],
  sum: ["after"],
};

/** Where the picked number goes: [{stage, place}]. */
export const childrenOf = (s) =>
  (NEXT[s.stage] ?? [])
    .filter((stage) => stage !== "after" || !s.layer.pre)
    .map((stage) => ({ stage, place: carried(s, stage) }));

/** The same number in another stage: a head's context has its own part of what follows. */
function carried({ stage, place, at, layer }, /** @type {string} */ to) {
  const own = at.head * layer.dk;
  if (stage === "context" && to === "concat") return own + place;
  if (stage === "concat" && to === "context") {
    return place >= own && place < own + layer.dk ? place - own : 0;
  }
  return Math.min(place, placesIn(to, layer) - 1);
}

const TABLE = "table"; // the numbers of the keys, among the lines that one goes through

/**
 * What an arrow key leads to, as changes for `pick`; null at an end.
 * @param {any} s @param {{rows: number, columns: number}} step
 */
export function neighbour(s, { rows, columns }) {
  const { stage, place, at, layer, keys } = s;
  const lines = [...GROUPS[0], TABLE, ...GROUPS[1], ...wayOut(s)];
  const isKeyed = KEY_STAGES.includes(stage);
  if (isKeyed && columns) {
    const stages = keyStagesOf(layer);
    const next = stages[stages.indexOf(stage) + columns];
    return next ? { stage: next, col: at.col } : null;
  }
  if (columns) {
    const next = place + columns;
    return next >= 0 && next < placesIn(stage, layer) ? { stage, place: next } : null;
  }
  if (isKeyed && keys[at.col + rows]) return { stage, col: at.col + rows };
  const next = lines[lines.indexOf(isKeyed ? TABLE : stage) + rows];
  if (next === TABLE) return { stage: rows > 0 ? "dot" : "weight", col: at.col };
  return next ? { stage: next, place: carried(s, next) } : null;
}
