// What a model has in place of the paper's waves: a table of vectors with their similarities, or
// a bias of the scores by distance, as the curve of each head and as the matrix of this sentence.

import { dot } from "../../../assets/kit/algebra.js";
import { plot } from "../../../assets/kit/chart.js";
import { diverging } from "../../../assets/kit/colour.js";
import { matrix } from "../../../assets/kit/map.js";
import { memo } from "../../../assets/kit/memo.js";
import { signedText } from "../../../assets/kit/numbers.js";
import { unpack } from "../../../assets/kit/packing.js";
import { marked } from "../../../assets/kit/sentence.js";
import { mostOf, placed } from "../../../assets/kit/signed.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { counted, numbered } from "./table.js";

const LEAST = 44; // em of a picture with both halves side by side
const SIDES = ["source", "target"];

/**
 * @typedef {{kind: "table", rows: number, size: number, vectors: Record<string, Float32Array>}} Table
 * @typedef {{kind: "distance", reach: number, count: number, heads: Record<string, number>, layers:
 *   Record<string, number>, buckets: Record<string, Float32Array>, tables: Record<string,
 *   Float32Array>}} Distances
 * @typedef {{layer: number, head: number}} Place of a bias
 */

/** @param {any} own as Python sends it @param {number} size @returns {Promise<Table|Distances|null>} */
export async function decodeOwn(own, size) {
  if (own === null) return null;
  /** @type {(given: Record<string, string>, kind: any) => Promise<Record<string, any>>} */
  const bySide = async (given, kind) => {
    const arrays = await Promise.all(SIDES.map((side) => unpack(given[side], kind)));
    return Object.fromEntries(SIDES.map((side, i) => [side, arrays[i]]));
  };
  const arrays = await bySide(own, Float32Array);
  if (own.kind === "table") return { kind: "table", rows: own.rows, size, vectors: arrays };
  const buckets = await bySide(own.buckets, Float32Array);
  const layers = Object.fromEntries(
    SIDES.map((side) => [side, arrays[side].length / (own.heads[side] * own.count)]),
  );
  return { ...own, layers, buckets, tables: arrays };
}

/** A bias at a distance, key minus query.
 * @param {Distances} own @param {string} side @param {Place} place @param {number} distance */
function biasAt({ buckets, tables, heads, count, reach }, side, { layer, head }, distance) {
  const bucket = buckets[side][distance + reach];
  return tables[side][(layer * count + bucket) * heads[side] + head];
}

/**
 * The bias on show: of the chosen layer and head, or the one that says most about this sentence,
 * because it differs most between its distances.
 * @param {{own: Distances, record: any, side: string, head: number|null, layer: number|null}} s
 * @returns {Place}
 */
export function placeOf({ own, record, side, head, layer }) {
  const farthest = labelsOf(record, side).length - 1;
  const distances = between(-farthest, side === "source" ? farthest : 0);
  const range = (/** @type {Place} */ place) => {
    const values = distances.map((distance) => biasAt(own, side, place, distance));
    return Math.max(...values) - Math.min(...values);
  };
  const every = (/** @type {number|null} */ chosen, /** @type {number} */ count) =>
    chosen === null ? between(0, count - 1) : [Math.min(chosen, count - 1)];
  const places = every(layer, own.layers[side]).flatMap((one) =>
    every(head, own.heads[side]).map((other) => ({ layer: one, head: other })),
  );
  const ranges = places.map(range);
  return places[ranges.indexOf(Math.max(...ranges))];
}

const labelsOf = (/** @type {any} */ record, /** @type {string} */ side) =>
  side === "source" ? record.src : record.tgt_in;

/** The whole numbers from one to another. @param {number} from @param {number} to */
const between = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

export function ownView(s, { width, height, em }) {
  const { t, own } = s;
  if (!own) return html`<p class="hl-note">${t("none")}</p>`;
  const isWide = width > LEAST * em;
  const half = isWide ? { width: width / 2 - em, height } : { width, height: height / 2 };
  const [first, second] = own.kind === "table" ? [vectors, likeness] : [curves, sentence];
  return html`<div class="hl-positions-distance ${isWide ? "" : "hl-narrow"}">
    <div class="hl-positions-curve">${first(s, { ...half, em })}</div>
    ${second(s, { ...half, em })}</div>`;
}

// ------------------------------------------------------------------------------ a table

/** Cosines of all pairs of rows. @type {(rows: Float32Array, count: number) => Float32Array} */
const cosinesOf = memo((rows, count) => {
  const size = rows.length / count;
  const row = (/** @type {number} */ i) => rows.subarray(i * size, (i + 1) * size);
  const norms = Array.from({ length: count }, (_, i) => Math.sqrt(dot(row(i), row(i))) || 1);
  return Float32Array.from({ length: count * count }, (_, cell) => {
    const [a, b] = [Math.floor(cell / count), cell % count];
    return dot(row(a), row(b)) / (norms[a] * norms[b]);
  });
});

/** The mean cosine of the positions that are k apart. @param {any} s @param {number} k */
export function meanCosine({ own, side }, k) {
  const cosines = cosinesOf(own.vectors[side], own.rows);
  const pairs = Math.max(1, own.rows - k);
  let sum = 0;
  for (let i = 0; i + k < own.rows; i += 1) sum += cosines[i * own.rows + i + k];
  return sum / pairs;
}

const shadesOf = memo((rows) => placed(rows, mostOf(rows)));

function vectors(s, { width, height, em }) {
  const { t, page, own, side, position, dimension, set } = s;
  return matrix(
    {
      cells: shadesOf(own.vectors[side]),
      width,
      height,
      font: em,
      fine: true,
      queries: own.rows,
      keys: own.size,
      rows: counted(own.rows),
      columns: numbered(own.size),
      ramp: diverging[page.theme.get()],
      name: t("own.table", { count: own.rows, side: page.t(`strip.${side}`) }),
      chosen: { row: Math.min(position, own.rows - 1), col: dimension },
    },
    { isDragged: true, onChoose: ({ row, col }) => set({ position: row, dimension: col }) },
  );
}

function likeness(s, { width, height, em }) {
  const { t, page, own, side, position, k, set, farthest } = s;
  const row = Math.min(position, own.rows - 1);
  return matrix(
    {
      cells: placed(cosinesOf(own.vectors[side], own.rows), 1),
      width,
      height,
      font: em,
      fine: true,
      queries: own.rows,
      keys: own.rows,
      rows: counted(own.rows),
      columns: counted(own.rows),
      ramp: diverging[page.theme.get()],
      name: t("own.cosines", { count: own.rows }),
      chosen: { row, col: row + k < own.rows ? row + k : Math.max(0, row - k) },
    },
    {
      isDragged: true,
      onChoose: ({ row: at, col }) =>
        set({ position: at, k: Math.min(farthest, Math.abs(col - at)) }),
    },
  );
}

// ------------------------------------------------------------------------------ a bias by distance

/** The first and the last distance drawn. @param {any} s @returns {[number, number]} */
const ends = ({ own, side }) => [-own.reach, side === "source" ? own.reach : 0];

function curves(s, size) {
  const { t, page, own, side, k, place } = s;
  const { head } = place;
  const [from, to] = ends(s);
  const points = (/** @type {number} */ one) =>
    between(from, to).map((distance) => [
      distance,
      biasAt(own, side, { ...place, head: one }, distance),
    ]);
  const others = between(0, own.heads[side] - 1).filter((i) => i !== head);
  const all = [...others, head].flatMap((one) => points(one).map(([, value]) => value));
  const room = (Math.max(...all) - Math.min(...all)) * 0.05 || 1;
  return plot(page, size, {
    name: t("own.curves", { stack: t(`own.${side}`) }),
    file: "biases",
    legend: false,
    x: { from, to, name: t("own.axis") },
    y: { from: Math.min(...all) - room, to: Math.max(...all) + room, name: t("own.bias") },
    lines: [
      ...others.map((one) => ({ points: points(one), look: 4, name: nameOf(t, one) })),
      { points: points(head), look: 1, name: nameOf(t, head) },
      { points: [[-k, biasAt(own, side, place, -k)]], look: "dots", name: "" },
    ],
  });
}

const nameOf = (/** @type {any} */ t, /** @type {number} */ head) =>
  t("own.head", { head: head + 1 });

/** What the chosen head's bias adds to the scores of this sentence; NaN where it may not read. */
function sentence(s, { width, height, em }) {
  const { t, page, own, side, place, record, set, farthest, selection } = s;
  const labels = labelsOf(record, side);
  const n = labels.length;
  const values = Float32Array.from({ length: n * n }, (_, cell) => {
    const distance = (cell % n) - Math.floor(cell / n);
    return side === "target" && distance > 0 ? NaN : biasAt(own, side, place, distance);
  });
  const most = mostOf(values.filter(Number.isFinite)); // of this head: others may be far stronger
  const at = Math.min(side === "source" ? selection.src : selection.step, n - 1);
  return matrix(
    {
      cells: placed(values, most),
      width,
      height,
      font: em,
      large: true,
      queries: n,
      keys: n,
      rows: labels,
      columns: labels,
      ramp: diverging[page.theme.get()],
      name: t("own.matrix", { head: place.head + 1 }),
      text: (_, i) => (Number.isNaN(values[i]) ? "" : signedText(values[i], 1)),
      chosen: { row: at, col: Math.max(0, at - s.k) },
    },
    {
      onChoose: ({ row, col }) => {
        set({ k: Math.min(farthest, Math.abs(row - col)) });
        page.choose(side === "source" ? { src: row } : { step: row });
      },
    },
  );
}

// ------------------------------------------------------------------------------ in words

export function ownFinding(s) {
  const { t, say, own, side, k, place } = s;
  if (!own) return t("none");
  if (own.kind === "table")
    return t("finding.own", {
      near: signedText(meanCosine(s, 1), 2),
      far: signedText(meanCosine(s, Math.min(k, own.rows - 1)), 2),
    });
  const value = (/** @type {number} */ distance) =>
    signedText(biasAt(own, side, place, distance), 2);
  return say("finding.distances", {
    head: place.head + 1,
    near: marked(value(0)),
    far: marked(value(-Math.max(1, k))),
    k: Math.max(1, k),
  });
}

export const ownReading = ({ t, own }) =>
  html`<p>${t(own?.kind === "distance" ? "own.reading.distance" : "own.reading.table")}</p>`;

/** The biases of every head, or the table with the cosines of its rows. @param {any} s */
export function ownRows(s) {
  const { own, side, place } = s;
  if (!own) return [];
  if (own.kind === "table")
    return Array.from({ length: own.rows }, (_, i) => [
      i,
      ...own.vectors[side].subarray(i * own.size, (i + 1) * own.size),
    ]);
  const heads = between(0, own.heads[side] - 1);
  return [
    ["distance", ...heads.map((head) => `head ${head + 1}`)],
    ...between(...ends(s)).map((distance) => [
      distance,
      ...heads.map((head) => biasAt(own, side, { ...place, head }, distance)),
    ]),
  ];
}
