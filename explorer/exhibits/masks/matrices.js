// Masks drawn as matrices of 0 and −∞: the masks of one sentence by kind of layer, and three
// patterns.

import { ramps } from "../../../assets/kit/colour.js";
import { matrix } from "../../../assets/kit/map.js";
import { causalMask } from "../../../assets/kit/masks.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { bidirectionalMask, prefixMask } from "./patterns.js";

const ALLOWED = 0.12; // darkness of a readable cell
const LEAST = 40; // em of a picture with matrices side by side
const CAPTION = 1.8; // em above a matrix
const SIGN = 2.4; // em of + and =
const SIDE = 0.3; // of the width: the two masks that make the third

/** The masks of the chosen sentence: the last one large, after the ones that it combines. */
export function maskPicture(s, row, { width, height, em }) {
  const { t, sentenceMasks: masks } = s;
  const figure = (one, box) => {
    const what = t(`mask.${one.name}`);
    const own = { ...one, map: `${s.at}.${one.name}`, name: t("matrix", { n: s.at + 1, what }) };
    return html`<figure data-mask=${one.name}><figcaption>${what}</figcaption>
      ${mapOf(s, own, { em, ...box, height: box.height - CAPTION * em })}</figure>`;
  };
  if (masks.length === 1)
    return html`<div class="hl-masks-one">${figure(masks[0], { width, height, row })}</div>`;
  const [padding, causal, combined] = masks;
  const isWide = width > LEAST * em;
  const share = isWide ? SIDE : 0.5;
  const part = {
    width: share * width - (isWide ? 0 : SIGN * em),
    height: isWide ? (height - SIGN * em) / 2 : 0.4 * height,
  };
  const rest = isWide
    ? { width: (1 - share) * width - SIGN * em, height }
    : { width, height: 0.6 * height };
  return html`<div class="hl-masks-sum ${isWide ? "" : "hl-narrow"}">
    <div class="hl-masks-parts">${figure(padding, part)}<b class="hl-masks-sign">+</b>
      ${figure(causal, part)}</div>
    <b class="hl-masks-sign">=</b>${figure(combined, { ...rest, row })}</div>`;
}

const sceneOf = (page, { mask, rows, columns, name }) => ({
  rows,
  columns,
  name,
  queries: rows.length,
  keys: columns.length,
  cells: Float32Array.from(mask, (may) => (may ? ALLOWED : Number.NaN)),
  ramp: ramps[page.theme.get()],
  text: (value) => (Number.isNaN(value) ? "−∞" : "0"),
});

/** One matrix; the finding describes the current row. */
function mapOf({ page, lit, set }, one, { em, width, height, row = null }) {
  const scene = { ...sceneOf(page, one), large: true, font: em, width, height };
  const here = lit?.map === one.map ? { row: lit.row, col: lit.col } : { row, col: null };
  return matrix(
    { ...scene, lit: here },
    { onPoint: (cell) => set({ lit: cell && { map: one.map, ...cell } }) },
  );
}

/** Bidirectional, causal and prefix, on the tokens of the first sentence. */
export function patternsOf({ rows: [{ src, srcValid: count }] }, wish) {
  const prefix = Math.min(wish, count);
  const masks = {
    bidirectional: bidirectionalMask(count),
    causal: causalMask(count),
    prefix: prefixMask(count, prefix),
  };
  return { count, prefix, masks, tokens: src.slice(0, count) };
}

/** Side by side, or one below the other. */
export function patternPicture(s, { width, height, em }) {
  const { t, patterns } = s;
  const { tokens: rows } = patterns;
  const isWide = width > LEAST * em;
  const box = isWide
    ? { width: (width - 3 * em) / 3, height: height - (CAPTION + 6) * em }
    : { width: width * 0.55, height: height / 3 - CAPTION * em };
  return html`<div class="hl-masks-patterns ${isWide ? "" : "hl-narrow"}">
    ${Object.entries(patterns.masks).map(([id, mask]) => {
      const name = t(`pattern.${id}`);
      return html`<figure data-pattern=${id}><figcaption>${name}</figcaption>
        ${mapOf(s, { mask, rows, columns: rows, name, map: id }, { em, ...box })}
        <p class="hl-note">${t(`pattern.${id}.who`)}</p></figure>`;
    })}</div>`;
}

/** The named matrices: the masks of a sentence, or the three patterns. */
function shownOf({ t, show, patterns, sentenceMasks, at }) {
  const { tokens } = patterns;
  const named = (id) => t("matrix", { n: at + 1, what: t(`mask.${id}`) });
  if (show !== "patterns") return sentenceMasks.map((one) => ({ ...one, name: named(one.name) }));
  return Object.entries(patterns.masks).map(([id, mask]) => ({
    mask,
    name: t(`pattern.${id}`),
    rows: tokens,
    columns: tokens,
  }));
}

/** The same as maps for a file. */
export const scenesOf = (s) =>
  shownOf(s).map((one) => ({ ...sceneOf(s.page, one), font: 14, width: 0 }));

/** Every cell: the query, the key, and whether it may be read. */
export const cellRows = (s) => [
  ["matrix", "row", "column", "query", "key", "may_read"],
  ...shownOf(s).flatMap(({ name, mask, rows, columns }) =>
    mask.map((may, i) => {
      const [row, column] = [Math.floor(i / columns.length), i % columns.length];
      return [name, row + 1, column + 1, rows[row].text, columns[column].text, Number(may)];
    }),
  ),
];
