// Both maps, one of their cells in words, and their agreement.

import { diverging, ramps } from "../../../assets/kit/colour.js";
import { lineOf } from "../../../assets/kit/heatplan.js";
import { legend } from "../../../assets/kit/legend.js";
import { matrix } from "../../../assets/kit/map.js";
import { changeText, fixed, signedText, weightText } from "../../../assets/kit/numbers.js";
import { pending } from "../../../assets/kit/request.js";
import { piecesOf, shown, spoken } from "../../../assets/kit/sentence.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { mapsOf } from "./scene.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("./scene.js").Occlusion} Occlusion */
/** @typedef {import("../../../assets/kit/map.js").Place} Place */

// All in em: a picture with room for both maps side by side; between them; above one; below both.
const BESIDE = 34;
const GAP = 2;
const CAPTION = 1.9;
const FOOT = { beside: 3.4, below: 8.6 };

/** @param {Scene} s @param {import("../../../assets/kit/exhibit.js").Size} size */
export function picture(s, { width, height, em }) {
  const { page, answer, row, col, most, lit, occlusion, isOld } = s;
  const isBeside = width >= BESIDE * em;
  const foot = isBeside ? FOOT.beside : FOOT.below;
  const each = isBeside ? height - foot * em : (height - foot * em) / 2;
  const box = {
    width: isBeside ? (width - GAP * em) / 2 : width,
    height: each - CAPTION * em,
    font: em,
  };
  const { summary, occlusion: changes } = mapsOf(s);
  const describedBy = `${page.uid}-cell`;
  const left = { ...summary, ...box, chosen: { row: row.at, col: col ?? most.col }, lit };
  const { value } = occlusion;
  const right = changes &&
    value && {
      ...changes,
      ...box,
      chosen: costliest(s, value),
      lit: litThere(s),
    };
  return html`<div class="hl-summary-both ${isBeside ? "" : "hl-narrow"}">
    <figure>${caption(s)}
      <div class="hl-map hl-summary-map ${isOld ? "hl-old" : ""}" style="height:${box.height}px"
        data-kind=${answer.kind} data-way=${answer.way} data-layer=${answer.layer}>
        ${matrix(left, { onPoint: page.hover.set, onChoose: page.choose, describedBy })}</div>
    </figure>
    <figure><figcaption><span>${s.t("occlusion")}</span>
        ${value === null ? nothing : changeLegend(s, value)}</figcaption>
      <div class="hl-map hl-occlusion-map" style="height:${box.height}px">${
        right === null ? pending(page, occlusion) : matrix(right, { ...handsOf(s), describedBy })
      }</div>
    </figure>
    <div class="hl-summary-foot">
      <p class="hl-summary-cell" id=${describedBy}>${readout(s)}</p>
      ${agreement(s)}
      <p class="hl-unseen" role="status">${announcement(s)}</p>
    </div>
  </div>`;
}

/** The subject of the map, and any heads that do not count. @param {Scene} s */
const caption = ({ t, page, answer: { kind, way }, off }) => html`<figcaption>
  <span><i class="hl-dot hl-kind-${kind}"></i>${t(`name.${way}`, { kind: page.t(`kind.${kind}`) })}
    ${off > 0 ? html`<small>${t("off.short", { off })}</small>` : nothing}</span>
  ${legend({ name: page.t("legend.name"), ramp: ramps[page.theme.get()], ends: ["0", "", "1"] })}
</figcaption>`;

const changeLegend = (/** @type {Scene} */ { t, page }, /** @type {Occlusion} */ { largest }) =>
  legend({
    name: t("change"),
    ramp: diverging[page.theme.get()],
    ends: [signedText(-largest, 1), "", `+${fixed(largest, 1)}`],
  });

/** A cell of the occlusion is also one of the cross map; elsewhere only its source is lit.
 * @param {Scene} s @returns {import("../../../assets/kit/map.js").Hands} */
const handsOf = ({ page, set, selection }) => ({
  onPoint(cell) {
    set({ pointed: cell });
    const isCell = cell === null || selection.kind === "cross";
    page.hover.set(isCell ? cell : { side: "src", index: cell.col });
  },
  onChoose: ({ row, col }) => page.choose({ step: row, src: col }),
});

/** The chosen cell of the occlusion; if none is, the one of the finding.
 * @param {Scene} s @param {Occlusion} occlusion */
function costliest({ answer, row, col, selection }, { worst }) {
  if (answer.kind !== "cross") return { row: selection.step, col: selection.src };
  return { row: row.at, col: col ?? worst[row.at].gone };
}

/** The current cell of the occlusion. @param {Scene} s @returns {Place} */
function litThere({ pointed, lit, answer: { kind } }) {
  const here = pointed ?? { row: null, col: null };
  return kind === "cross" ? { row: lit.row ?? here.row, col: lit.col ?? here.col } : here;
}

/**
 * The cell pointed at, else the chosen one, else the strongest of its row: its weight, and the
 * token's loss without the other one.
 * @param {Scene} s @param {Pick<Scene, "pointed"|"lit">} looked
 */
function cellsOf(s, { pointed, lit }) {
  const { t, page, record, answer, labels, row, col, most, selection, occlusion } = s;
  const at = { row: lit.row ?? row.at, col: lit.col ?? col ?? most.col };
  const chosen = answer.kind === "cross" ? at : { row: selection.step, col: selection.src };
  const here = pointed ?? chosen;
  const changes = occlusion.value;
  return {
    at,
    weight: answer.cells[at.row * answer.keys + at.col],
    reads: piecesOf(page, t("reads"), { row: labels.rows[at.row], col: labels.columns[at.col] }),
    here,
    change: changes?.cells[here.row * changes.keys + here.col] ?? null,
    loses: { row: record.tgt_out[here.row], col: record.src[here.col] },
  };
}

const readText = (/** @type {Scene} */ { page }, /** @type {number} */ weight) =>
  Number.isNaN(weight) ? page.t("readout.masked") : weightText(weight);

function readout(/** @type {Scene} */ s) {
  const { at, weight, reads, here, change, loses } = cellsOf(s, s);
  const stays = Number.isNaN(change);
  const lost = () => shown(piecesOf(s.page, s.t(stays ? "stays" : "without"), loses));
  return html`<span class="hl-summary-said"><span class="hl-words">${shown(reads)}</span>
      <b class="hl-summary-value" data-row=${at.row} data-col=${at.col}>${readText(s, weight)}</b></span>
    <span class="hl-summary-said">${change === null ? nothing : lost()}
    ${
      change === null || stays
        ? nothing
        : html`<b class="hl-summary-change" data-row=${here.row} data-col=${here.col}
            >${changeText(change)}</b>
          <small>${s.t("times", { times: Math.exp(change).toPrecision(3) })}</small>`
    }</span>`;
}

/** The chosen cell in one line, for screen readers. @param {Scene} s */
function announcement(s) {
  const { weight, reads } = cellsOf(s, { pointed: null, lit: { row: null, col: null } });
  return `${spoken(reads)} ${readText(s, weight)}`;
}

/** The agreement of the summary and the occlusion on the order of source tokens. @param {Scene} s */
function agreement({ t, answer: { kind, way, layer }, occlusion, row, isOld }) {
  if (kind !== "cross" || isOld || occlusion.value === null) return nothing;
  const found = occlusion.value.agreement[way][layer];
  /** @type {(name: string, rho: number|null, count: number, own: string) => unknown} */
  const entry = (name, rho, count, own) => html`<dt>${name}</dt>
    <dd class=${own} title=${t("cells", { count })}>${rhoText(rho)}</dd>`;
  return html`<dl class="hl-agree"><dt class="hl-agree-name">${t("agree.name")}</dt>
    ${entry(t("agree.all"), found.all, found.cells[0], "hl-agree-all")}
    ${entry(
      t("agree.row", { row: lineOf(row.label) }),
      found.rows[row.at],
      found.cells[row.at + 1],
      "hl-agree-row",
    )}</dl>`;
}

export const rhoText = (/** @type {number|null} */ rho) => (rho === null ? "–" : signedText(rho));
