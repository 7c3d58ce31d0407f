// The data of both maps: the summary of the chosen heads, and the occlusion.

import { diverging, ramps } from "../../../assets/kit/colour.js";
import { isSwitchedOff } from "../../../assets/kit/interventions.js";
import { cellText, signedText } from "../../../assets/kit/numbers.js";
import { unpack } from "../../../assets/kit/packing.js";
import { rowOf, strongest } from "../../../assets/kit/payload.js";
import { inTurns } from "../../../assets/kit/request.js";
import { axes, pointedLines } from "../../../assets/kit/selection.js";

/** @typedef {import("../../../assets/kit/types.js").Rec} Rec */
/** @typedef {import("../../../assets/kit/types.js").Label} Label */
/** @typedef {import("../../../assets/kit/map.js").Place} Place */

/** Heads of a kind as one map: how, and of which layer, from 1; 0: of all.
 * @typedef {{kind: string, way: string, layer: number}} Asked */

/** The map: rows read, NaN where masked.
 * @typedef {Asked & {queries: number, keys: number, cells: Float32Array}} Summary */

/**
 * How well a summary ranks the source as the losses do: a rank correlation over all cells and one
 * in each row, null where there is no order to compare; `cells` counts them, all first.
 * @typedef {{all: number|null, rows: (number|null)[], cells: number[]}} Agreement
 */

/** Some rows of the occlusion, each without a source token; `agreement` by way and layer stands in
 * the last turn. @typedef {{columns: number, changes: Float32Array, next: number|null,
 *   agreement?: Record<string, Agreement[]>}} Turn */

/**
 * The occlusion as a map of the cross kind, of changes of log-probs; `removed`: how many of the
 * source tokens can be, `worst`: the costliest of each row.
 * @typedef {{cells: Float32Array, queries: number, keys: number, removed: number, largest: number,
 *   worst: {gone: number, change: number}[], agreement: Record<string, Agreement[]>}} Occlusion
 */

/** @typedef {import("../../../assets/kit/request.js").Answer<Occlusion>} Occluded */

/**
 * `made` keeps the occlusions by the last of their turns; `pointed` is the cell of the occlusion
 * under the pointer.
 * @typedef {import("../../../assets/kit/exhibit.js").Base & {way: string, layer: number,
 *   pointed: import("../../../assets/kit/map.js").Cell|null, made: WeakMap<Turn, Occlusion>,
 *   answer: Summary}} Given
 *
 * `isOld`: the answer is still that of the last question; `row` is the chosen one, `most` its
 * strongest cell, `off` how many of the heads are switched off.
 * @typedef {Given & {isOld: boolean, labels: {rows: Label[], columns: Label[]},
 *   row: {at: number, label: Label}, col: number|null, lit: Place, off: number,
 *   most: ReturnType<typeof strongest>[number], occlusion: Occluded}} Scene
 */

/** The question to Python; a model with fewer layers is summarised up to its last one.
 * @param {Pick<Given, "record"|"selection"|"way"|"layer">} s @returns {Asked} */
export const askedOf = ({ record, selection: { kind }, way, layer }) => ({
  kind,
  way,
  layer: Math.min(layer, record.attention[kind].layers),
});

/** A summary with its subject, or some rows of the occlusion.
 * @param {{changes: string}|{cells: string}} reply @param {Rec} _ @param {object} asked */
export async function prepare(reply, _, asked) {
  if ("changes" in reply) return { ...reply, changes: await unpack(reply.changes, Float32Array) };
  return { ...reply, ...asked, cells: await unpack(reply.cells, Float32Array) };
}

/** While a new summary is pending the last one stays: the drawing follows the answer.
 * @param {Given} s */
export function scene(s) {
  const { record, selection, page, ask, answer, made } = s;
  const { kind, cells, keys } = answer;
  const asked = askedOf(s);
  const isSameKind = asked.kind === kind;
  const sides = axes(record, kind, "writes"); // as the rows of the occlusion are named
  const at = kind === "encoder_self" ? selection.src : selection.step;
  const written = kind === "encoder_self" ? record.src : record.tgt_out;
  const [most] = strongest(rowOf(cells, keys, at), keys, 1);
  const none = { row: null, col: null };
  return {
    isOld: !isSameKind || asked.way !== answer.way || asked.layer !== answer.layer,
    labels: { rows: sides.rows.labels, columns: sides.columns.labels },
    row: { at, label: written[at] },
    col: isSameKind ? selection.col : null,
    lit: isSameKind ? pointedLines(record, selection, page.hover.get()) : none,
    most,
    off: offIn(record, answer),
    occlusion: occluded(
      inTurns((_, args) => ask("occlusion", args), record),
      record,
      made,
    ),
  };
}

/** The number of the map's heads that are switched off in the running model.
 * @param {Rec} record @param {Asked} asked */
function offIn(record, { kind, way, layer }) {
  const { layers, heads } = record.attention[kind];
  const isIn = (/** @type {number} */ one) =>
    layer === 0 || (way === "rollout" ? one < layer : one === layer - 1);
  const all = Array.from({ length: layers * heads }, (_, i) => [Math.floor(i / heads), i % heads]);
  return all.filter(([l, h]) => isIn(l) && isSwitchedOff(record, { kind, layer: l, head: h }))
    .length;
}

/** The Answer of all turns: the map of the occlusion, or the first missing one.
 * @param {ReturnType<typeof inTurns>} turns @param {Rec} record @param {Given["made"]} made
 * @returns {Occluded} */
function occluded({ values, open }, record, made) {
  if (open !== null) return { ...open, value: null };
  const last = values[values.length - 1];
  const value = made.get(last) ?? occlusionOf(values, record);
  made.set(last, value);
  return { value, waiting: false, error: null, retry: () => {} };
}

/**
 * A map of the cross kind: rows are written, columns are removed; NaN for tokens that always stay.
 * @param {Turn[]} turns @param {Rec} record @returns {Occlusion}
 */
function occlusionOf(turns, record) {
  const taken = turns.flatMap(({ changes }) => [...changes]);
  const [{ columns: queries }, keys] = [turns[0], record.src.length];
  const removed = taken.length / queries;
  const cells = new Float32Array(queries * keys).fill(NaN);
  for (let i = 0; i < taken.length; i += 1) {
    cells[(i % queries) * keys + Math.floor(i / queries)] = taken[i];
  }
  const largest = taken.reduce((most, change) => Math.max(most, Math.abs(change)), 0) || 1;
  const worst = Array.from({ length: queries }, (_, row) => {
    const changes = rowOf(cells, keys, row).subarray(0, removed);
    const change = Math.min(...changes);
    return { gone: changes.indexOf(change), change };
  });
  const { agreement = {} } = turns[turns.length - 1];
  return { cells, queries, keys, removed, largest, worst, agreement };
}

/** Both maps for drawing; the occlusion is null until it arrives. @param {Scene} s */
export function mapsOf({ t, page, record, answer, labels, occlusion: { value } }) {
  const { cells, queries, keys, kind, way } = answer;
  const theme = page.theme.get();
  /** @type {(write: (value: number) => string) => (value: number) => string} */
  const text = (write) => (value) => (Number.isNaN(value) ? "" : write(value));
  const summary = {
    ...labels,
    cells,
    queries,
    keys,
    large: true,
    font: 14,
    width: 0,
    ramp: ramps[theme],
    text: text(cellText),
    name: t(`name.${way}`, { kind: page.t(`kind.${kind}`) }),
  };
  const occlusion = value && {
    ...summary,
    rows: record.tgt_out,
    columns: record.src,
    cells: value.cells,
    queries: value.queries,
    keys: value.keys,
    ramp: diverging[theme],
    along: (/** @type {number} */ change) => 0.5 + change / value.largest / 2,
    text: text((change) => signedText(change, 1)),
    name: t("occlusion"),
  };
  return { summary, occlusion };
}
