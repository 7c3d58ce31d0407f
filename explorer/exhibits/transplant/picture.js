// Both sentences, and below them maps of layers: by position of a state, or by head.

import { diverging } from "../../../assets/kit/colour.js";
import { legend } from "../../../assets/kit/legend.js";
import { matrix } from "../../../assets/kit/map.js";
import { signedText } from "../../../assets/kit/numbers.js";
import { pending } from "../../../assets/kit/request.js";
import { langOf } from "../../../assets/kit/token.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";

/** @typedef {import("./view.js").Done} Scene */
/** @typedef {import("./shares.js").Shares} Shares */
/** @typedef {import("../../../assets/kit/map.js").MapScene} MapScene */
/** What is of one map alone. @typedef {Pick<MapScene, "cells"|"queries"|"keys"|"rows"|"columns"|
 *   "name"|"marks">} OwnMap */

const BESIDE = 46; // em of a picture with room for the maps side by side
const GAP = 1.5; // em between two of them
const TEXTS = { beside: 3.4, below: 6 }; // em of both sentences
const CAPTION = 2; // em above a map
const FOOT = 3; // em of the legend
const LEAST = 0.28; // of the width, for the narrower map

/** @param {Scene} s @param {import("../../../assets/kit/exhibit.js").Size} size */
export function picture(s, { width, height, em }) {
  const { t, page, answer, heads } = s;
  if (heads?.open) return pending(page, heads.open);
  const maps = heads ? headMaps(s, heads.kinds) : stateMaps(s);
  const isBeside = width >= BESIDE * em;
  const texts = (isBeside ? TEXTS.beside : TEXTS.below) * em;
  const room = height - texts - FOOT * em;
  const shares = sharesOf(maps.map(({ columns }) => columns.length));
  const boxes = maps.map((_, i) => ({
    width: isBeside ? shares[i] * (width - (maps.length - 1) * GAP * em) : width,
    height: (isBeside ? room : room / maps.length) - CAPTION * em,
  }));
  const names = [s.giver === null ? "giver.example" : "giver", "receiver"];
  return html`<dl class="hl-transplant-texts" style="height:${texts}px">
      ${answer.texts.map(
        ([source, translation], i) => html`<dt>${t(names[i])}</dt>
          <dd>${source} → <span lang=${langOf(translation) || nothing}>${translation}</span></dd>`,
      )}</dl>
    <div class="hl-transplant-maps ${isBeside ? "" : "hl-narrow"}">${maps.map(
      (one, i) => html`<figure><figcaption>${one.name}</figcaption>
        <div class="hl-map hl-transplant-map" style="height:${boxes[i].height}px">${matrix({
          ...common(page),
          ...one,
          ...boxes[i],
          font: em,
        })}</div></figure>`,
    )}</div>
    ${legend({
      name: t("share"),
      ramp: diverging[page.theme.get()],
      ends: ["−1", "0", t("whole")],
    })}`;
}

/** Shares of the width by content, none too narrow. @param {number[]} counts */
function sharesOf(counts) {
  const least = Math.min(LEAST, 1 / counts.length);
  const whole = counts.reduce((sum, one) => sum + one, 0);
  const wanted = counts.map((one) => Math.max(least, one / whole));
  const sum = wanted.reduce((all, one) => all + one, 0);
  return wanted.map((one) => one / sum);
}

/** What all maps share. @param {Scene["page"]} page */
const common = (page) => ({
  large: true,
  fine: true,
  ramp: diverging[page.theme.get()],
  along: (/** @type {number} */ share) => 0.5 + Math.max(-1, Math.min(1, share)) / 2,
  text: (/** @type {number} */ share) => signedText(share, 2),
});

/** Layers from the top down, as the data flows upwards. @param {Shares} rows */
const cellsOf = (rows) => ({
  cells: Float32Array.from(rows.toReversed().flat()),
  queries: rows.length,
  keys: rows[0].length,
});

/** @returns {import("../../../assets/kit/map.js").Name} */
const nameOf = (/** @type {string} */ text) => ({ text, kind: "word" });

/** @param {Scene} s @returns {OwnMap[]} */
function stateMaps({ t, answer, states, columns, best }) {
  const names = (/** @type {Shares} */ rows) =>
    rows.map((_, i) => nameOf(i ? t("layer.n", { n: i }) : t("layer.input")));
  /** @type {(stack: "encoder"|"decoder", labels: MapScene["columns"]) => OwnMap} */
  const map = (stack, labels) => ({
    ...cellsOf(states[stack]),
    rows: names(states[stack]).toReversed(),
    columns: labels,
    name: t(stack),
  });
  const mark = { row: states.encoder.length - 1 - best.layer, col: best.position, own: "best" };
  return [{ ...map("encoder", columns), marks: [mark] }, map("decoder", answer.read)];
}

/** @param {Scene} s @param {Record<string, Shares>} kinds @returns {OwnMap[]} */
const headMaps = ({ t, page }, kinds) =>
  Object.entries(kinds).map(([kind, rows]) => ({
    ...cellsOf(rows),
    rows: rows.map((_, i) => nameOf(t("layer.n", { n: i + 1 }))).toReversed(),
    columns: rows[0].map((_, i) => nameOf(String(i + 1))),
    name: page.t(`kind.${kind}`),
  }));
