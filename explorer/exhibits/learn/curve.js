// The losses and scores of the shipped model's training: a chart, every epoch, the final scores.

import { plot } from "../../../assets/kit/chart.js";
import { countText } from "../../../assets/kit/numbers.js";
import { html, nothing, svg } from "../../../assets/vendor/lit-html.js";
import { pointText } from "./points.js";

/** @typedef {import("./view.js").Scene} Scene */
/** @typedef {import("./view.js").Charted} Charted */
/** @typedef {import("../../../assets/kit/chart.js").Place} Place */
/**
 * @template R
 * @typedef {import("../../../assets/kit/sheet.js").Sheet<R>} Sheet
 */

/** What the training recorded at an epoch's end, by name: run, epoch, updates, lr, losses, scores.
 * @typedef {Record<string, number>} Epoch */

/**
 * A shipped model's training: its epochs, the final scores of its card on the held-out sentences,
 * and for the scores of an epoch the number of sentences.
 * @typedef {{lines: Epoch[],
 *   scores: {method: string, bleu: number, chrf: number, others: Record<string, number>}[],
 *   held_out: import("../../../assets/kit/types.js").HeldOut, smoothing: number,
 *   sentences: number}} Curves
 */

/** The scores of a method by the card's columns.
 * @typedef {{method: string, scores: Record<string, number>}} ScoreRow */

// Series of known names; a training may have recorded more of the same kinds.
/** @type {Record<string, string[]>} */
const SERIES = { loss: ["train_loss", "dev_loss"], score: ["bleu", "chrf"] };
const NAMES = Object.values(SERIES).flat();
/** Columns of the card. @type {Record<string, string>} */
const KNOWN = { "BLEU, unlike": "bleu_novel", "chrF, unlike": "chrf_novel" };
const WORDS = [...NAMES, "run", "epoch", "updates", "seconds", "lr"]; // columns with a name here

/** Whether the training's curves are there. @param {Scene} s @returns {s is Charted} */
export const isCharted = (s) => s.curves !== null;

/** The place of the number that is nearest to another. @param {number[]} numbers */
export function nearest(numbers, /** @type {number} */ to) {
  const away = numbers.map((one) => Math.abs(one - to));
  return to === Infinity ? numbers.length - 1 : away.indexOf(Math.min(...away));
}

const nameOf = (/** @type {Pick<Scene, "t">} */ { t }, /** @type {string} */ name) =>
  WORDS.includes(name) ? t(name) : name;

const textOf = (/** @type {Epoch} */ line, /** @type {string} */ name) =>
  Number.isInteger(line[name]) ? countText(line[name]) : String(Number(line[name].toPrecision(4)));

/** Pressed or dragged, the chart goes to the nearest point; pointed at, it reads the epoch.
 * @param {Charted} s @param {import("../../../assets/kit/exhibit.js").Size} size */
export function curve(s, size) {
  const { t, page, record, set, series, shares, updates, counts, player, read } = s;
  const { lines } = s.curves;
  const names = Object.keys(lines[0]).filter((name) =>
    SERIES[series].some((one) => name.startsWith(one)),
  );
  const points = shares.map((share) => (record.model.training.updates ?? 0) * share);
  const most = Math.max(...names.flatMap((name) => lines.map((line) => line[name])));
  return plot(page, size, {
    name: t(`${series}.name`),
    file: `training-${series}`,
    x: { from: 0, to: counts[counts.length - 1], name: t("axis"), text: countText },
    y: { from: 0, to: 1.05 * most, name: t(`axis.${series}`) },
    marks: [
      { x: counts[read], quiet: true },
      ...beginnings(s),
      ...(updates === null ? [] : [{ x: updates }]),
    ],
    lines: names.map((name, i) => ({
      name: nameOf(s, name),
      look: 1 + (i % 4),
      points: lines.map((line) => [line.updates, line[name]]),
    })),
    over: (place) =>
      updates === null ? nothing : points.map((x, i) => dot(s, shares[i], place, x)),
    onPoint(x, event) {
      if (updates === null || (event.buttons === 0 && event.type !== "pointerdown"))
        return set({ epoch: nearest(counts, x) });
      player.stop();
      set({ at: shares[nearest(points, x)], epoch: null });
    },
  });
}

/** A point of the training on the axis of updates.
 * @param {Scene} s @param {number} share @param {Place} place @param {number} x */
const dot = (s, share, place, x) =>
  svg`<circle class="hl-learn-dot ${share === s.now.share ? "hl-here" : ""}" r="4.5"
    cx=${place.x(x)} cy=${place.y(0)}><title>${pointText(s, share)}</title></circle>`;

/** Where the runs after the first begin; numbers alone up to the last, so that all have room.
 * @param {Charted} s */
function beginnings({ t, curves: { lines } }) {
  const last = lines[lines.length - 1].run;
  return lines.flatMap(({ run }, i) => {
    if (i === 0 || run === lines[i - 1].run) return [];
    const name = run === last ? t("run.name", { n: run }) : String(run);
    return [{ x: lines[i - 1].updates, quiet: true, name }];
  });
}

/** The numbers of the epoch that is read. @param {Charted} s */
export function epochText(s) {
  const line = s.curves.lines[s.read];
  const shown = Object.keys(line).map((name) => [name, textOf(line, name)]);
  return s.t(`epoch.${s.series}`, Object.fromEntries(shown));
}

/** What the curves are. @param {Charted} s */
export function meansOf({ t, curves: { lines, smoothing, sentences } }) {
  const above = lines.filter((line) => line.train_loss > line.dev_loss).length;
  const values = { smoothing, above, count: lines.length, sentences };
  return html`<dl class="hl-learn-means">${NAMES.map(
    (name) => html`<dt>${t(name)}</dt><dd>${t(`${name}.means`, values)}</dd>`,
  )}</dl><p>${t("scores.note")}</p>`;
}

export const curveSheets = (/** @type {Charted} */ s) => [scoreSheet(s), epochSheet(s)];

/** Every epoch as a row, with all that the training recorded. @param {Charted} s @returns {Sheet<Epoch>} */
function epochSheet(s) {
  const { lines } = s.curves;
  /** @type {(name: string) => [string, Sheet<Epoch>["columns"][string]]} */
  const column = (name) => [
    name,
    { head: nameOf(s, name), cell: (line) => textOf(line, name), csv: (line) => line[name] },
  ];
  return {
    name: s.t("epochs", { n: lines.length }),
    file: "training",
    class: "hl-learn-epochs",
    rows: lines,
    chosen: (_, i) => i === s.read,
    onChoose: (_, i) => s.set({ epoch: i }),
    columns: Object.fromEntries(Object.keys(lines[0]).map(column)),
  };
}

/** The final scores, with every column that the card has. @param {Charted} s @returns {Sheet<ScoreRow>} */
function scoreSheet({ t, curves: { scores, held_out: heldOut } }) {
  const methodOf = (/** @type {string} */ method) => {
    const n = /^beam (\d+)/.exec(method)?.[1];
    if (n !== undefined) return t("method.beam", { n });
    return method === "greedy" ? t("method.greedy") : method;
  };
  const rows = scores.map(({ method, bleu, chrf, others }) => {
    return { method, scores: { BLEU: bleu, chrF: chrf, ...others } };
  });
  /** @type {(name: string) => [string, Sheet<ScoreRow>["columns"][string]]} */
  const column = (name) => [
    name,
    {
      head: name in KNOWN ? t(KNOWN[name]) : name,
      cell: (row) => row.scores[name]?.toFixed(2) ?? "",
      csv: (row) => row.scores[name] ?? null,
    },
  ];
  return {
    name: t("scores", { name: heldOut.name, count: countText(heldOut.sentences) }),
    file: "training-scores",
    class: "hl-learn-scores",
    rows,
    columns: {
      method: { text: true, cell: (row) => methodOf(row.method), csv: (row) => row.method },
      ...Object.fromEntries(Object.keys(rows[0].scores).map(column)),
    },
  };
}
