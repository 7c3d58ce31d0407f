// The points of the training in words and numbers: how far, what the model writes, how likely it
// finds the current translation, which links of the chosen head are strongest.

import { countText, percentText, signedText, weightText } from "../../../assets/kit/numbers.js";
import { strongest } from "../../../assets/kit/payload.js";
import { forced } from "../../../assets/kit/requests.js";
import { token } from "../../../assets/kit/token.js";
import { html } from "../../../assets/vendor/lit-html.js";

/** @typedef {import("../../../assets/kit/types.js").Label} Label */
/** @typedef {import("../../../assets/kit/types.js").Rec} Rec */
/**
 * @template R
 * @typedef {import("../../../assets/kit/sheet.js").Sheet<R>} Sheet
 */

/**
 * The model after a share of its training, reading the sentence and the output on the page.
 * @typedef {object} Point
 * @property {number} share
 * @property {Record<string, import("../../../assets/kit/types.js").Maps>} attention by kind
 * @property {number[]} log_probs of each token of the output
 * @property {string} translation the model's own, greedy
 * @property {boolean} finished
 */

/** A cell of a head. @typedef {import("../../../assets/kit/map.js").Cell} Place */
/** What is needed to write about a point.
 * @typedef {Pick<import("./view.js").Scene, "t"|"record">} About */

const LINKS = 8; // that the numbers list
const SHAPELESS = /[\p{C}\p{Z}]|[\ufe00-\ufe0f]/u;

/** The requests for the output on the page, forced, and for what the model writes by itself, at
 * most twice as much. @param {Rec} record @param {number} share @returns {[Rec, Rec]} */
export function requestsOf(record, share) {
  const weights = share === 1 ? "" : share.toFixed(2);
  const output = forced(record, weights, {}, ["attention", "steps"]);
  const settings = { ...record.model.defaults, method: "greedy" };
  const longest = Math.min(2 * output.prefix.length + 10, record.model.tokens);
  return [output, { ...output, settings, prefix: [], longest, ...(weights && { parts: [] }) }];
}

/** @param {[import("../../../assets/kit/types.js").Partly<"attention"|"steps">, Pick<Rec,
 *   "hypotheses">]} records the answers to both requests @returns {Point} */
export function pointOf([{ model, attention, steps }, { hypotheses }]) {
  const { text, finished } = hypotheses[0];
  return {
    share: model.weights ? Number(model.weights) : 1,
    attention,
    log_probs: steps.map((step) => step.log_prob),
    translation: legible(text),
    finished,
  };
}

/** A text with every invisible character but the space as its code point: "U+0003 × 50".
 * @param {string} text */
export function legible(text) {
  if (!/\S/u.test(text)) return text;
  const shown = text.replace(/(.)\1*/gsu, (same, /** @type {string} */ one) => {
    if (one === " " || !SHAPELESS.test(one)) return same;
    const count = [...same].length;
    const code = (one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return `U+${code}${count > 1 ? ` × ${count} ` : ""}`;
  });
  return shown.trimEnd();
}

/** "31 % of training"; the two ends have names. @param {Pick<About, "t">} s @param {number} share */
export function pointText({ t }, share) {
  if (share === 0) return t("random");
  return share === 1 ? t("trained") : t("share", { percent: Math.round(share * 100) });
}

/** "about 6,700 updates", "" where the training is not known. @param {About} s @param {number} share */
export function updatesText({ t, record }, share) {
  const { updates } = record.model.training;
  const count = Number(((updates ?? 0) * share).toPrecision(share === 1 ? 9 : 2));
  if (count === 0) return "";
  return t(share === 1 ? "updates.all" : "updates.about", { n: countText(count) });
}

/** What a checkpoint writes by itself. @param {Pick<About, "t">} s @param {Point} point */
export const written = ({ t }, { translation, finished }) =>
  translation === "" ? t("nothing") : `${translation}${finished ? "" : " …"}`;

/** The same, where each character without a shape is a chip, as a token of it is everywhere.
 * @param {string} text */
export const spelled = (text) =>
  text
    .split(/(U\+[0-9A-F]{4,6})/)
    .map((part, i) => (i % 2 ? html`<span class="hl-token hl-word">${part}</span>` : part));

export const pointSheets = (/** @type {import("./view.js").Scene} */ s) => [
  pointSheet(s),
  linkSheet(s),
];

/** @param {import("./view.js").Scene} s @returns {Sheet<Point>} */
function pointSheet(s) {
  const { t, record, shares, known, now, set } = s;
  const { updates } = record.model.training;
  const total = (/** @type {Point} */ { log_probs: logProbs }) =>
    logProbs.reduce((sum, one) => sum + one, 0);
  const perToken = (/** @type {Point} */ one) => Math.exp(total(one) / one.log_probs.length);
  return {
    name: t("way"),
    class: "hl-learn-points",
    rows: shares.flatMap((share) => known.get(share) ?? []),
    chosen: ({ share }) => share === now.share,
    onChoose: ({ share }) => set({ at: share }),
    columns: {
      share: {
        head: t("point"),
        text: true,
        cell: ({ share }) => pointText(s, share),
        csv: ({ share }) => share,
      },
      updates: {
        cell: ({ share }) => updatesText(s, share),
        csv: ({ share }) => (updates === null ? null : Math.round(updates * share)),
      },
      translation: {
        text: true,
        cell: (one) => spelled(written(s, one)),
        csv: (one) => one.translation,
      },
      log_prob: { cell: (one) => signedText(total(one), 2), csv: total },
      per_token: { cell: (one) => percentText(perToken(one)), csv: perToken },
    },
  };
}

/** The strongest links of the chosen head, with their weights at the other point.
 * @param {import("./view.js").Scene} s @returns {Sheet<Place>} */
function linkSheet(s) {
  const { kind, layer, head } = s.selection;
  const { keys } = s.now.attention[kind];
  const cellsOf = (/** @type {Point} */ point) => point.attention[kind].head(layer, head);
  /** @type {(labels: Label[], name: "row"|"col") => Sheet<Place>["columns"][string]} */
  const label = (labels, name) => ({
    text: true,
    cell: (link) => token(labels[link[name]]),
    csv: (link) => labels[link[name]].piece,
  });
  /** @type {(point: Point) => Sheet<Place>["columns"][string]} */
  const weight = (point) => ({
    head: pointText(s, point.share),
    cell: ({ row, col }) => weightText(cellsOf(point)[row * keys + col]),
  });
  return {
    name: s.t("links"),
    file: "learn-links",
    class: "hl-learn-links",
    rows: strongest(cellsOf(s.now), keys, LINKS),
    columns: {
      row: label(s.rows, "row"),
      col: label(s.columns, "col"),
      now: weight(s.now),
      ...(s.other && { other: weight(s.other) }),
    },
  };
}
