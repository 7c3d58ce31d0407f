// Both sentences, and below them maps of layers: by position of a state, or by head.

import { diverging } from "../../../assets/kit/colour.js";
import { legend } from "../../../assets/kit/legend.js";
import { matrix } from "../../../assets/kit/map.js";
import { signedText } from "../../../assets/kit/numbers.js";
import { pending } from "../../../assets/kit/request.js";
import { langOf } from "../../../assets/kit/token.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";

const BESIDE = 46; // em of a picture with room for the maps side by side
const GAP = 1.5; // em between two of them
const TEXTS = { beside: 3.4, below: 6 }; // em of both sentences
const CAPTION = 2; // em above a map
const FOOT = 3; // em of the legend
const LEAST = 0.28; // of the width, for the narrower map

export function picture(s, { width, height, em }) {
  const { t, page, answer, heads } = s;
  if (heads !== null && heads.value === null) return pending(page, heads);
  const maps = heads === null ? stateMaps(s) : headMaps(s);
  const isBeside = width >= BESIDE * em;
  const texts = (isBeside ? TEXTS.beside : TEXTS.below) * em;
  const room = height - texts - FOOT * em;
  const shares = sharesOf(maps.map(({ columns }) => columns.length));
  const boxes = maps.map((_, i) => ({
    width: isBeside ? shares[i] * (width - (maps.length - 1) * GAP * em) : width,
    height: (isBeside ? room : room / maps.length) - CAPTION * em,
  }));
  return html`<dl class="hl-transplant-texts" style="height:${texts}px">
      ${answer.texts.map(
        ([source, translation], i) => html`<dt>${t(i === 0 ? "giver" : "receiver")}</dt>
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

const common = (page) => ({
  large: true,
  fine: true,
  ramp: diverging[page.theme.get()],
  along: (/** @type {number} */ share) => 0.5 + Math.max(-1, Math.min(1, share)) / 2,
  text: (/** @type {number} */ share) => signedText(share, 2),
});

/** Layers from the top down, as the data flows upwards. @param {number[][]} rows */
const cellsOf = (rows) => ({
  cells: Float32Array.from(rows.toReversed().flat()),
  queries: rows.length,
  keys: rows[0].length,
});

function stateMaps({ t, answer, columns, best }) {
  const names = (rows) =>
    rows.map((_, i) => ({ text: i ? t("layer.n", { n: i }) : t("layer.input"), kind: "word" }));
  const map = (stack, labels) => ({
    ...cellsOf(answer[stack]),
    rows: names(answer[stack]).toReversed(),
    columns: labels,
    name: t(stack),
  });
  const mark = { row: answer.encoder.length - 1 - best.layer, col: best.position, own: "best" };
  return [{ ...map("encoder", columns), marks: [mark] }, map("decoder", answer.read)];
}

const headMaps = ({ t, page, heads }) =>
  Object.entries(heads.value).map(([kind, rows]) => ({
    ...cellsOf(rows),
    rows: rows.map((_, i) => ({ text: t("layer.n", { n: i + 1 }), kind: "word" })).toReversed(),
    columns: rows[0].map((_, i) => ({ text: String(i + 1), kind: "word" })),
    name: page.t(`kind.${kind}`),
  }));
