// The picked number in words: its name, its formula, the sum with the real numbers, where it comes
// from and where it goes; and whether the chain is the model's own.

import { button } from "../../../assets/kit/choice.js";
import { formula } from "../../../assets/kit/formula.js";
import { smallText } from "../../../assets/kit/numbers.js";
import { whyHere } from "../../../assets/kit/why.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { childrenOf, parentsOf } from "./scene.js";
import { KEY_STAGES, numberText, placesOf } from "./trace.js";

const TOLERANCE = 1e-4; // between the browser's sums and the model's

export function readout(s) {
  const { t, origin, stage, place, isKeyed, lead } = s;
  const { value, expression } = origin;
  return html`<div class="hl-micro-readout">
    <div class="hl-micro-number" aria-live="polite">
      <b>${t(`name.${stage}`)}${isKeyed ? "" : ` ${place + 1}`}</b>
      <b class="hl-micro-value">${numberText(value, placesOf(value))}</b>
      ${lead === null ? nothing : html`<span class="hl-micro-lead">${t("lead.said", { lead })}</span>`}
      <p><span class="hl-micro-formula">${formula(origin.formula)}</span> = ${expression}</p>
    </div>
    <div class="hl-micro-kin">
      ${kin(s, "parents", parentsOf(s))} ${kin(s, "children", childrenOf(s))} 
      ${whyHere(s.page, { row: s.at.row, col: s.at.col })} ${check(s)}</div>
  </div>`;
}

/** The numbers that it was made of, or that it goes into, each a button that leads there. */
function kin(s, /** @type {"parents"|"children"} */ name, all) {
  if (all.length === 0) return nothing;
  return html`<span class="hl-micro-${name}">${s.t(name)} ${all.map(({ stage, place, isAll }) =>
    button({
      label: `${s.t(`name.${stage}`)}${isAll || KEY_STAGES.includes(stage) ? "" : ` ${place + 1}`}`,
      onClick: () => s.pick({ stage, place: isAll ? undefined : place }),
    }),
  )}</span>`;
}

/** How far the chain is from what the model itself gave for this row. */
function check({ t, row }) {
  const off = Math.max(row.deviation, row.deviationAfter);
  const name = off <= TOLERANCE ? "good" : "bad";
  return html`<p class="hl-micro-check hl-micro-${name}" role="status"
    data-deviation=${String(off)}>
    ${t(`check.${name}`, { off: smallText(off), most: smallText(TOLERANCE) })}</p>`;
}
