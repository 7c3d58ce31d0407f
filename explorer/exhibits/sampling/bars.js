// The most likely tokens as bars: the model's own probability as an outline, the one under the
// settings filled, the drawn share as a diamond. A temperature never changes the order: no bar
// moves.

import { arrow } from "../../../assets/kit/elements.js";
import { memo } from "../../../assets/kit/memo.js";
import { signedText } from "../../../assets/kit/numbers.js";
import { distinct, token } from "../../../assets/kit/token.js";
import { html, repeat } from "../../../assets/vendor/lit-html.js";
import { fateOf, shareText } from "./numbers.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("../../../assets/kit/types.js").Label} Label */
/** @typedef {import("../../../assets/kit/sampling.js").Shape} Shape */
/** @typedef {import("./source.js").Distribution} Distribution */
/** @typedef {import("./source.js").Names} Names */
/** @typedef {import("./view.js").Found} Found */
/** @typedef {ReturnType<typeof rowOf>} Row */

/** What all bars share: the share of a whole track, and the bar that the tab key stops at.
 * @typedef {{shape: Shape, tally: import("./draw.js").Tally|null, picked: number|null,
 *   scale: number, focused: number, onChoose: (id: number) => void}} All */

export const SHOWN = 30;
const SCALES = [0.05, 0.1, 0.2, 0.5, 1]; // largest share for the width of a track
const TICKS = [0, 1];
const THIN = 0.02; // of the track: a narrower outline would be only its border

/**
 * Returns the template of the bars. `onChoose(id)` when one is clicked.
 * @param {import("../../../assets/kit/types.js").Page} page
 * @param {(id: number) => void} onChoose
 */
export function createBars(page, onChoose) {
  const { t } = page;
  let scale = SCALES[0];
  let focused = 0; // the bar that the tab key stops at
  const rowsOf = memo(
    (
      /** @type {Distribution} */ found,
      /** @type {Names} */ names,
      /** @type {string} */ _language,
    ) => firstRows(page, found, names),
  );

  /** The axis grows as it must, and shrinks again when the slider is let go.
   * @param {Distribution} found @param {Shape} shape @param {boolean} isDragging */
  function fit({ shares }, { powers, sums }, isDragging) {
    const most = Math.max(shares[0], powers[0] / sums.p);
    const wanted = SCALES.find((size) => most <= size) ?? 1;
    scale = isDragging ? Math.max(scale, wanted) : wanted;
  }

  function move(/** @type {KeyboardEvent & {currentTarget: HTMLElement}} */ event) {
    const step = arrow(event);
    if (step === null || step.rows === 0) return;
    event.preventDefault();
    const buttons = [...event.currentTarget.querySelectorAll("button")];
    const at = buttons.indexOf(/** @type {any} */ (event.target)) + step.rows;
    focused = Math.max(0, Math.min(buttons.length - 1, at));
    buttons.forEach((button, i) => {
      button.tabIndex = i === focused ? 0 : -1;
    });
    buttons[focused].focus();
  }

  return (/** @type {import("./view.js").Shown} */ s, /** @type {number} */ count) => {
    const { found, names, shape, drawn, picked, isDragging } = s;
    fit(found, shape, isDragging);
    const first = rowsOf(found, names, page.language.get()).slice(0, count);
    const extra = picked === null ? 0 : found.rankOf[picked];
    const isShown = picked === null || extra < first.length;
    const rows = isShown ? first : [...first, rowOf(page, found, names.label(picked), extra)];
    const all = { shape, tally: drawn.tally, picked, scale, focused, onChoose };
    return html`${key(page)}
      <div class="hl-sampling-line hl-sampling-axis" aria-hidden="true">
        <span></span><span class="hl-sampling-ticks">${TICKS.map(
          (at) => html`<span>${Number((at * scale * 100).toFixed(1))} %</span>`,
        )}</span>
        <b>${t("sampling.now")}</b><span>${t("sampling.before")}</span><span></span>
      </div>
      <ol class="hl-sampling-bars" aria-label=${t("sampling.bars")} @keydown=${move}>
        ${repeat(
          rows,
          ({ id }) => id,
          (row, i) => bar(page, row, i, all),
        )}
      </ol>
      ${rest(page, rows, all)}`;
  };
}

/** @param {Page} page @param {Distribution} found @param {Names} names */
function firstRows(page, found, names) {
  const labels = [...found.ranked.order.subarray(0, SHOWN)].map(names.label);
  return distinct(labels).map((label, rank) => rowOf(page, found, label, rank));
}

/** The same tokens as a table, before and after.
 * @param {Found} s @returns {import("../../../assets/kit/sheet.js").Sheet<Row>} */
export function tokenSheet({ t, page, found, names, shape, drawn, picked, actions }) {
  const { counts, sums, powers } = shape;
  const share = (/** @type {number} */ rank) => (rank < counts.p ? powers[rank] / sums.p : 0);
  const fate = (/** @type {Row} */ { rank }) => fateOf(rank, counts);
  const times = (/** @type {Row} */ { id }) => drawn.tally?.counts[id] ?? null;
  return {
    name: t("bars"),
    class: "hl-sampling-tokens",
    rows: firstRows(page, found, names),
    chosen: ({ id }) => id === picked,
    onChoose: ({ id }) => actions.choose(id),
    columns: {
      rank: { cell: ({ rank }) => rank + 1 },
      name: { text: true, cell: (row) => row.name, csv: ({ id }) => names.label(id).piece },
      before: { cell: (row) => row.before, csv: ({ own }) => own },
      now: {
        cell: (row) => (fate(row) === "kept" ? shareText(share(row.rank)) : t(`fate.${fate(row)}`)),
        csv: ({ rank }) => share(rank),
      },
      times: { cell: (row) => times(row) ?? "–", csv: times },
    },
  };
}

/** The parts of a bar that stay while a slider moves.
 * @param {Page} page @param {Distribution} found @param {Label} label @param {number} rank */
function rowOf({ t }, found, label, rank) {
  const logProb = found.logProbs[label.id];
  const facts = { ...label, rank: rank + 1, log_prob: signedText(logProb, 4) };
  return {
    id: label.id,
    rank,
    own: found.shares[rank],
    name: token(label, { title: t("sampling.token", facts) }),
    before: shareText(found.shares[rank]),
    isForbidden: logProb === -Infinity,
  };
}

/** @param {Page} page @param {Row} row @param {number} i @param {All} all */
function bar({ t }, row, i, { shape, tally, picked, scale, focused, onChoose }) {
  const { counts, sums, powers } = shape;
  const fate = fateOf(row.rank, counts);
  const share = fate === "kept" ? powers[row.rank] / sums.p : 0;
  const times = tally === null ? 0 : tally.counts[row.id];
  const note = tally === null ? "" : t("sampling.tally.times", { n: times });
  const percent = (/** @type {number} */ value) => `${Math.min(100, (100 * value) / scale)}%`;
  return html`<li data-fate=${fate}>
    <button type="button" class="hl-sampling-line" data-id=${row.id} ?disabled=${row.isForbidden}
      tabindex=${i === focused ? 0 : -1} aria-pressed=${String(row.id === picked)}
      @click=${() => onChoose(row.id)}>
      ${row.name}
      <span class="hl-sampling-track">
        <i class="hl-sampling-fill" style="transform:scaleX(${Math.min(1, share / scale)})"></i>
        <i class="hl-sampling-own" ?hidden=${row.own / scale < THIN}
          style="width:${percent(row.own)}"></i>
        <i class="hl-sampling-share" ?hidden=${times === 0}
          style="left:${tally === null ? 0 : percent(times / tally.n)}"></i>
      </span>
      <b>${fate === "kept" ? shareText(share) : "–"}</b>
      <span class="hl-sampling-before">${row.before}</span>
      <small>${fate === "kept" ? note : t(`sampling.fate.${fate}`)}</small>
    </button>
  </li>`;
}

/** All tokens that have no bar, together.
 * @param {Page} page @param {Row[]} rows @param {All} all */
function rest({ t }, rows, { shape: { counts, sums, powers }, scale }) {
  const left = (/** @type {(row: Row) => number} */ share) =>
    Math.max(
      0,
      rows.reduce((sum, row) => sum - share(row), 1),
    );
  const own = left((row) => row.own);
  const now = left(({ rank }) => (rank < counts.p ? powers[rank] / sums.p : 0));
  const isOver = Math.max(own, now) > scale; // the scale is that of the bars above
  return html`<div class="hl-sampling-line hl-sampling-rest">
    <span>${t("sampling.rest")}</span>
    <span class="hl-sampling-track ${isOver ? "hl-sampling-over" : ""}">
      <i class="hl-sampling-fill" style="transform:scaleX(${Math.min(1, now / scale)})"></i>
      <i class="hl-sampling-own" ?hidden=${own / scale < THIN}
        style="width:${Math.min(100, (100 * own) / scale)}%"></i></span>
    <b>${shareText(now)}</b><span class="hl-sampling-before">${shareText(own)}</span>
    <small></small></div>`;
}

const key = (/** @type {Page} */ { t }) => html`<p class="hl-sampling-key hl-note">
  ${["own", "fill", "share"].map(
    (name) => html`<span><i class="hl-sampling-${name}"></i>${t(`sampling.key.${name}`)}</span>`,
  )}
</p>`;
