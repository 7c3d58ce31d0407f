// The data of both maps: the summary of the chosen heads, and the occlusion.

import { diverging, ramps } from "../../../assets/kit/colour.js";
import { isSwitchedOff } from "../../../assets/kit/interventions.js";
import { cellText, signedText } from "../../../assets/kit/numbers.js";
import { unpack } from "../../../assets/kit/packing.js";
import { rowOf, strongest } from "../../../assets/kit/payload.js";
import { inTurns } from "../../../assets/kit/request.js";
import { axes, pointedLines } from "../../../assets/kit/selection.js";

/** The question to Python; a model with fewer layers is summarised up to its last one. */
export const askedOf = ({ record, selection: { kind }, way, layer }) => ({
  kind,
  way,
  layer: Math.min(layer, record.attention[kind].layers),
});

/** A summary with its subject, or some rows of the occlusion. */
export async function prepare(reply, _, asked) {
  if (reply.changes) return { ...reply, changes: await unpack(reply.changes, Float32Array) };
  return { ...reply, ...asked, cells: await unpack(reply.cells, Float32Array) };
}

/** While a new summary is pending the last one stays: the drawing follows the answer. */
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
    isOld: Object.entries(asked).some(([name, value]) => answer[name] !== value),
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

/** The number of the map's heads that are switched off in the running model. */
function offIn(record, { kind, way, layer }) {
  const { layers, heads } = record.attention[kind];
  const isIn = (one) => layer === 0 || (way === "rollout" ? one < layer : one === layer - 1);
  const all = Array.from({ length: layers * heads }, (_, i) => [Math.floor(i / heads), i % heads]);
  return all.filter(([l, h]) => isIn(l) && isSwitchedOff(record, { kind, layer: l, head: h }))
    .length;
}

/** The Answer of all turns: the map of the occlusion, or the first missing one. */
function occluded({ values, open }, record, made) {
  if (open !== null) return { ...open, value: null };
  const last = values.at(-1);
  if (!made.has(last)) made.set(last, occlusionOf(values, record));
  return { value: made.get(last) };
}

/**
 * A map of the cross kind: rows are written, columns are removed; NaN for tokens that always stay.
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
  return { cells, queries, keys, removed, largest, worst, agreement: turns.at(-1).agreement };
}

/** Both maps for drawing; the occlusion is null until it arrives. */
export function mapsOf({ t, page, record, answer, labels, occlusion: { value } }) {
  const { cells, queries, keys, kind, way } = answer;
  const theme = page.theme.get();
  const text = (write) => (one) => (Number.isNaN(one) ? "" : write(one));
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
    along: (change) => 0.5 + change / value.largest / 2,
    text: text((change) => signedText(change, 1)),
    name: t("occlusion"),
  };
  return { summary, occlusion };
}
