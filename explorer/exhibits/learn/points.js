// The points of the training in words and numbers: how far, what the model writes, how likely it
// finds the current translation, which links of the chosen head are strongest.

import { countText, percentText, signedText, weightText } from "../../../assets/kit/numbers.js";
import { strongest } from "../../../assets/kit/payload.js";
import { token } from "../../../assets/kit/token.js";
import { html } from "../../../assets/vendor/lit-html.js";

/** @typedef {import("../../../assets/kit/types.js").Label} Label */
/**
 * @template R
 * @typedef {import("../../../assets/kit/sheet.js").Sheet<R>} Sheet
 */

/**
 * The model after a share of its training, reading the sentence and the output on the page.
 * @typedef {object} Point
 * @property {number} share
 * @property {number[]} shares of all points, the last is 1
 * @property {number|null} updates of the whole training; null if unknown
 * @property {Record<string, import("../../../assets/kit/types.js").Maps>} attention by kind
 * @property {number[]} log_probs of each token of the output
 * @property {string} translation the model's own, greedy
 * @property {boolean} finished
 */

/** A cell of a head. @typedef {import("../../../assets/kit/map.js").Cell} Place */
/** What is needed to write about a point. @typedef {Pick<import("./view.js").Scene, "t"|"now">} About */

const LINKS = 8; // that the numbers list

/** "31 % of training"; the two ends have names. @param {Pick<About, "t">} s @param {number} share */
export function pointText({ t }, share) {
  if (share === 0) return t("random");
  return share === 1 ? t("trained") : t("share", { percent: Math.round(share * 100) });
}

/** "about 6,700 updates", "" where the training is not known. @param {About} s @param {number} share */
export function updatesText({ t, now }, share) {
  const count = Number(((now.updates ?? 0) * share).toPrecision(share === 1 ? 9 : 2));
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
  const { t, shares, known, now, set } = s;
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
        csv: ({ updates, share }) => (updates === null ? null : Math.round(updates * share)),
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
