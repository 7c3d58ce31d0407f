// One cell of both maps in words, how far the maps agree, and what none of them proves.

import { lineOf } from "../../../assets/kit/heatplan.js";
import { isSwitchedOff } from "../../../assets/kit/interventions.js";
import { changeText, fixed, signedText, weightText } from "../../../assets/kit/numbers.js";
import { axes, pointedLines } from "../../../assets/kit/selection.js";
import { piecesOf, shown, spoken } from "../../../assets/kit/sentence.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

/** The cell pointed at, else the chosen one: its weight, and its change without the token. */
function cellsOf(page, { record, args, value, occlusion }, pointed, hovered) {
  const { row, col, step, src, labels } = page.selection.get();
  const lit = pointedLines(record, page.selection.get(), hovered);
  const at = { row: lit.row ?? row, col: lit.col ?? col ?? 0 };
  const sides = axes(record, args.kind, labels);
  const changes = occlusion.value;
  const here = pointed ?? (args.kind === "cross" ? at : { row: step, col: src });
  return {
    at,
    weight: value?.cells[at.row * value.keys + at.col] ?? null,
    reads: piecesOf(page.t("summaries.reads"), {
      row: sides.rows.labels[at.row],
      col: sides.columns.labels[at.col],
    }),
    here,
    change: changes?.cells[here.row * changes.keys + here.col] ?? null,
    loses: { row: record.tgt_out[here.row], col: record.src[here.col] },
  };
}

/** @param {Page} page */
export function readout(page, scene, pointed) {
  const { t } = page;
  const { at, weight, reads, here, change, loses } = cellsOf(
    page,
    scene,
    pointed,
    page.hover.get(),
  );
  if (weight === null) return nothing;
  const hasChange = change !== null && !Number.isNaN(change);
  const key = hasChange ? "summaries.without" : "summaries.stays";
  return html`<p class="hl-words">${shown(reads)}</p>
    <b class="hl-summary-value" data-row=${at.row} data-col=${at.col}>${
      Number.isNaN(weight) ? t("readout.masked") : weightText(weight)
    }</b>
    ${change === null ? nothing : html`<p class="hl-words">${shown(piecesOf(t(key), loses))}</p>`}
    ${
      hasChange
        ? html`<b class="hl-summary-change" data-row=${here.row} data-col=${here.col}
            >${changeText(change)}</b>
          <span class="hl-note">
            ${t("summaries.times", { times: Math.exp(change).toPrecision(3) })}</span>`
        : nothing
    }`;
}

/** The chosen cell in one line, for those who have the page read aloud. */
export function announcement(page, scene) {
  const { weight, reads } = cellsOf(page, scene, null, null);
  if (weight === null) return "";
  return `${spoken(reads)} ${Number.isNaN(weight) ? page.t("readout.masked") : weightText(weight)}`;
}

const rhoText = (rho) => (rho === null ? "–" : signedText(rho));

/** How far the summary and the occlusion put the source tokens in the same order. */
export function agreement(page, { record, args, occlusion, isOld }) {
  const { t } = page;
  const { step } = page.selection.get();
  const isCross = args.kind === "cross";
  const found = isCross && !isOld && occlusion.value?.agreement[args.way][args.layer];
  const entry = (name, rho, count, own) => html`<dt>${name}</dt>
    <dd class=${own} title=${t("summaries.cells", { count })}>${rhoText(rho)}</dd>`;
  return html`<div>
    <h3>${t("summaries.agree")}</h3>
    ${
      found
        ? html`<dl class="hl-agree">
          ${entry(t("summaries.agree.all"), found.all, found.cells[0], "hl-agree-all")}
          ${entry(
            t("summaries.agree.row", { row: lineOf(record.tgt_out[step]) }),
            found.rows[step],
            found.cells[step + 1],
            "hl-agree-row",
          )}
        </dl>`
        : nothing
    }
    <p class="hl-note">${t(isCross ? "summaries.agree.says" : "summaries.agree.cross")}</p>
  </div>`;
}

export const proofs = ({ t }) => html`<div>
  <h3>${t("summaries.proof")}</h3>
  ${["jain", "wiegreffe", "occlusion"].map(
    (one) => html`<p class="hl-note">${t(`summaries.proof.${one}`)}</p>`,
  )}
</div>`;

/** What the summary is, with the numbers of this model. */
export function says({ t }, { record, args, value }) {
  const { kind, way, layer } = args;
  const maps = record.attention[kind];
  const count = maps.heads * (layer || way === "rollout" ? 1 : maps.layers);
  const sum = value.cells.subarray(0, value.keys).reduce((total, one) => total + (one || 0), 0);
  const isPart = way === "rollout" && kind === "cross";
  const off = offIn(record, args);
  return [
    t(`summaries.says.${way}`, { count, layers: layer || maps.layers }),
    isPart ? ` ${t("summaries.rows", { sum: fixed(sum, 3) })}` : "",
    off > 0 ? ` ${t("summaries.off", { off })}` : "",
  ];
}

/** How many heads of the map are switched off in the running model. */
function offIn(record, { kind, way, layer }) {
  const { layers, heads } = record.attention[kind];
  const isIn = (one) => layer === 0 || (way === "rollout" ? one < layer : one === layer - 1);
  const all = Array.from({ length: layers * heads }, (_, i) => [Math.floor(i / heads), i % heads]);
  return all.filter(([l, h]) => isIn(l) && isSwitchedOff(record, { kind, layer: l, head: h }))
    .length;
}
