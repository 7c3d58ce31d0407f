// How the model learned: its heads, its translation and its losses at points of its training.

import { exhibit } from "../../../assets/kit/exhibit.js";
import { choice } from "../../../assets/kit/fields.js";
import { number, orNull, whole } from "../../../assets/kit/keep.js";
import { axes } from "../../../assets/kit/selection.js";
import { slider } from "../../../assets/kit/slider.js";
import { tellingWords } from "../../../assets/kit/telling.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { curveSheets, isCharted, meansOf, nearest } from "./curve.js";
import { finding, growthOf } from "./finding.js";
import { headTiles, isNarrow, picture } from "./picture.js";
import { pointOf, pointSheets, requestsOf, written } from "./points.js";

/** @typedef {import("../../../assets/kit/types.js").Label} Label */
/** @typedef {import("../../../assets/kit/types.js").Rec} Rec */
/** @typedef {import("../../../assets/kit/request.js").Answer} Answer */
/** @typedef {import("./curve.js").Curves} Curves */
/** @typedef {import("./points.js").Point} Point */

/** @typedef {import("../../../assets/kit/exhibit.js").Base & {at: number|null, epoch: number|null,
 *   series: string, player: import("../../../assets/kit/player.js").Player, answer: Point}} Given */

/**
 * `now` is the point on show, `known` those that have arrived, `open` the first Answer that has not;
 * `other` the point to compare with, `link` what grew since or has to; `updates` at this point,
 * `counts` at each epoch's end, `read` the epoch whose numbers stand below the list.
 * @typedef {Given & {now: Point, shares: number[], known: Map<number, Point>, open: Answer|null,
 *   other: Point|null, link: import("./finding.js").Growth|null, updates: number|null,
 *   counts: number[], read: number, curves: Curves|null, rows: Label[], columns: Label[]}} Scene
 *
 * @typedef {Scene & {curves: Curves}} Charted
 */

const PACE = 1300; // ms between two points while it plays

/** @type {import("../../../assets/kit/exhibit.js").View<Scene>} */
const VIEW = {
  name: "learn",
  fields: () => ({
    at: { first: null, fits: orNull(number(0, 1)) }, // the share of the training; null: the middle
    epoch: { first: null, fits: orNull(whole(0, 10_000)) }, // that is read; null: that of `at`
    series: choice(["loss", "score"], { first: "loss" }),
  }),
  ask: (s) => ["record", {}, pointAt(s, s.at ?? middle(s.record.model.training.shares))],
  prepare: (reply) => ("lines" in reply ? reply : pointOf(reply)), // curves, or a point's records
  scene,
  cell,
  finding,
  picture,
  play: {
    pace: PACE,
    next({ shares, now }, isStart) {
      const i = shares.indexOf(now.share) + 1;
      if (i < shares.length) return { at: shares[i] };
      return isStart && i > 1 ? { at: shares[0] } : null;
    },
  },
  controls: [shareSlider],
  adjust: ["series", (s) => (s.now && isNarrow(s.el) ? headTiles(s) : nothing)],
  numbers: (s) => [...pointSheets(s), ...(isCharted(s) ? curveSheets(s) : [])],
  reading: (s) => html`<p>${s.t("rounded")}</p>
    ${hasShapeless(s) ? html`<p>${s.t("shapeless")}</p>` : nothing}
    ${isCharted(s) ? meansOf(s) : nothing}`,
};

export const { mount } = exhibit(VIEW);

/** True if a checkpoint writes a character that is shown by its number. */
const hasShapeless = (/** @type {Scene} */ s) =>
  [...s.known.values()].some((point) => /U\+[0-9A-F]{4}/.test(written(s, point)));

const middle = (/** @type {number[]} */ shares) => shares[(shares.length - 1) >> 1];

/** @param {Given} s @param {number} share */
const pointAt = ({ kept, record }, share) => kept(record, share, () => requestsOf(record, share));

/**
 * What is known of this sentence. After the wished point the curves are asked for, then the last
 * point, then the others, so that the slider never waits again; `open` is the first Answer that is
 * not there. `other` is the point that this one is compared with: the last, or for it the first.
 * @param {Given} s
 */
function scene(s) {
  const { answer: now, ask, page, record, selection, epoch } = s;
  const { shares, updates: all } = record.model.training;
  const last = shares[shares.length - 1];
  const known = new Map([[now.share, now]]);
  /** @type {import("../../../assets/kit/request.js").Answer<Curves>} */
  const curves = ask("curves");
  /** @type {Answer|null} */
  let open = curves.value === null ? curves : null;
  for (const share of [last, ...shares].filter((one) => !known.has(one))) {
    const answer = ask("record", {}, pointAt(s, share));
    if (answer.value === null) open ??= answer;
    else known.set(share, answer.value);
  }
  const isLast = now.share === last;
  const other = (shares.length > 1 && known.get(isLast ? shares[0] : last)) || null;
  const { rows, columns } = axes(record, selection.kind, selection.labels);
  const words = { rows: tellingWords(rows.labels), columns: tellingWords(columns.labels) };
  if (page.chosen.place) words.rows = [selection.row];
  const [early, late] = isLast ? [other, now] : [now, other];
  const link = growthOf(selection, words, early, late);
  const updates = all === null || shares.length === 1 ? null : all * now.share;
  const counts = curves.value?.lines.map((line) => line.updates) ?? [];
  const read = Math.min(epoch ?? nearest(counts, updates ?? Infinity), counts.length - 1);
  return {
    now,
    shares,
    known,
    open,
    other,
    link,
    updates,
    counts,
    read,
    curves: curves.value,
    rows: rows.labels,
    columns: columns.labels,
  };
}

/** The link of the finding. @param {Scene} s @returns {import("../../../assets/kit/types.js").Cell} */
function cell({ link, selection: { kind, labels } }) {
  if (link === null) return {};
  if (kind === "encoder_self") return { src: link.row, weights: null };
  const offset = labels === "reads" ? 0 : 1;
  return { src: kind === "cross" ? link.col : null, step: link.row, offset, weights: null };
}

/** Where the training stands; it waits for the first answer.
 * @param {Pick<Given, "t"|"set"> & Partial<Pick<Scene, "shares"|"now"|"player">>} s */
function shareSlider({ t, shares = [1], now, player, set }) {
  return slider({
    label: t("way"),
    class: "hl-field-at",
    min: 0,
    max: shares.length - 1,
    value: now ? shares.indexOf(now.share) : 0,
    text: (i) => `${Math.round(shares[i] * 100)} %`,
    typed: false,
    disabled: shares.length < 2,
    onInput(i) {
      player?.stop();
      set({ at: shares[i] });
    },
  });
}
