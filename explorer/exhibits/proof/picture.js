// The picture of the proof: a line for each identity, with the deviation of the browser's result
// from the page on a logarithmic scale; beside it both numbers of each written token.

import { textWidth } from "../../../assets/kit/heatplan.js";
import { countText, signedText } from "../../../assets/kit/numbers.js";
import { pending } from "../../../assets/kit/request.js";
import { token } from "../../../assets/kit/token.js";
import { html, nothing, svg } from "../../../assets/vendor/lit-html.js";
import { GROUPS, LINES, SIGNS, stateOf } from "./lines.js";
import { ownLogProb } from "./model.js";
import { TAMPERS } from "./tamper.js";

const LEAST = 12; // px of a letter
const NARROW = 52; // em of a picture with the numbers below
const SHARE = 0.66; // of the width, for the lines
const AXIS = 2; // lines for the ticks
const GAP = 0.3; // lines between two groups
const TALLEST = 1.9; // em of a line
const [LOW, HIGH] = [-9, 1]; // powers of ten at the ends of the scale
const TICKS = [-8, -6, -4, -2, 0];
const POWERS = { "-8": "10⁻⁸", "-6": "10⁻⁶", "-4": "10⁻⁴", "-2": "0.01", 0: "1" };
const DIGITS = 6; // digits of a log-prob in single precision

/** @param {any} s @param {import("../../../assets/kit/exhibit.js").Size} size */
export function picture(s, { width, height, em }) {
  const { run, runs } = s;
  const isNarrow = width < NARROW * em;
  const lines = LINES.length + AXIS + GAP * (Object.keys(GROUPS).length - 1);
  const tall = Math.max(
    1.25 * LEAST,
    isNarrow ? 3 * LEAST : Math.min(TALLEST * em, height / lines),
  );
  const letters = isNarrow ? LEAST : Math.max(LEAST, Math.min(0.93 * em, 0.74 * tall));
  const retry = () => runs.go(run);
  return html`<div class="hl-proof-picture" ?data-narrow=${isNarrow}>
    <div>${run.error ? pending(s.page, { value: null, waiting: false, error: run.error, retry }) : nothing}
      ${chartOf(s, { width: isNarrow ? width : SHARE * width, height: lines * tall, tall, letters, isNarrow })}</div>
    <div class="hl-proof-aside">${changed(s)} ${besides(s)}</div></div>`;
}

function chartOf(s, { width, height, tall, letters, isNarrow }) {
  const { t } = s;
  const names = LINES.map((name) => textWidth(t(`formula.${name}`)));
  const left = isNarrow ? letters : (Math.max(...names) + 2.4) * letters;
  const right = isNarrow ? letters : 5 * letters; // for the counts
  // In a narrow window the identity is above its scale.
  const [text, mark] = isNarrow ? [0.3 * tall, 0.72 * tall] : [tall / 2, tall / 2];
  const exact = left + 2 * letters;
  const plan = { width, tall, letters, left, text, mark, exact, right: width - right };
  const apart = placeOf(1, plan) - placeOf(0.01, plan);
  const isWritten = (power) => apart > 3 * letters || power % 4 === 0; // else every second one
  const tick = (/** @type {number} */ power) => svg`<text class="hl-proof-tick"
      x=${placeOf(10 ** power, plan)} y=${tall / 2}>${isWritten(power) ? POWERS[power] : nothing}</text>
    <path class="hl-proof-grid" d="M${placeOf(10 ** power, plan)} ${tall}V${height}"></path>`;
  let y = AXIS * tall * 0.6;
  const rows = Object.values(GROUPS).flatMap((group, i) => {
    y += i ? GAP * tall : 0;
    return group.map((name) => {
      y += tall;
      return rowOf(s, name, { ...plan, y: y - tall });
    });
  });
  return svg`<svg class="hl-proof-chart" width=${width} height=${height} style="font-size:${letters}px"
    viewBox="0 0 ${width} ${height}" role="group" aria-label=${t("chart")}>
    <text class="hl-proof-tick" x=${plan.exact} y=${tall / 2}>0</text>${TICKS.map(tick)}
    ${rows}</svg>`;
}

/** The place of a deviation; exactly 0 has a special place. */
function placeOf(/** @type {number} */ value, { exact, right, letters }) {
  if (value === 0) return exact;
  const share = (Math.log10(value) - LOW) / (HIGH - LOW);
  const first = exact + 1.5 * letters;
  return first + Math.max(0, Math.min(1, Number.isNaN(share) ? 1 : share)) * (right - first);
}

/** One identity: its deviation, its tolerance, and the button that changes one of its numbers. */
function rowOf(s, /** @type {string} */ name, plan) {
  const { t, results, line, canChange, change } = s;
  const { y, tall, letters, width, left, exact, text } = plan;
  const one = results[name];
  const state = stateOf(one);
  const isThere = !["waiting", "unchecked", "none"].includes(state);
  const end = isThere ? Math.max(placeOf(one.tolerance, plan), exact + 0.5 * letters) : exact;
  const can = canChange(name);
  return svg`<g class="hl-proof-row hl-proof-${state} ${can ? `hl-can hl-proof-change-${name}` : ""}
      ${line === name ? "hl-here" : ""}" transform="translate(0 ${y})" data-line=${name}
    data-state=${state} data-deviation=${one?.deviation ?? nothing} role="img"
    aria-label="${t(`line.${name}`)} ${t(`state.${state}`)}"
    @click=${can ? () => change(name) : nothing}>
    <title>${t(`line.${name}`)}</title>
    <rect class="hl-proof-hit" width=${width} height=${tall} rx="4"></rect>
    <text x=${0.3 * letters} y=${text}><tspan class="hl-proof-sign">${SIGNS[state]}</tspan></text>
    <text x=${1.7 * letters} y=${text}>${t(`formula.${name}`)}</text>
    ${isThere ? marksOf(one, { ...plan, end }) : nothing}
    ${isThere ? svg`<text class="hl-proof-count" x=${width - 4} y=${text}>${countText(one.count)}</text>` : nothing}
    <path class="hl-proof-grid" d="M${left} ${tall}H${width}"></path></g>`;
}

/** The tolerance as a band, and the deviation. */
function marksOf(one, plan) {
  const { exact, letters, end, mark } = plan;
  const tall = Math.min(0.5 * plan.tall, letters);
  return svg`<rect class="hl-proof-allowed" x=${exact - letters} y=${mark - tall / 2}
      width=${end - exact + letters} height=${tall} rx="3"></rect>
    <circle class="hl-proof-dot" cx=${placeOf(one.deviation, plan)} cy=${mark}
      r=${Math.min(5, 0.48 * tall)}></circle>`;
}

/** The visitor's change, or the offer to make one. @param {any} s */
export const changed = ({ t, line }) =>
  line === null
    ? html`<p class="hl-note">${t("try")}</p>`
    : html`<p class="hl-proof-changed" role="status">${t("changed", {
        what: t(`number.${TAMPERS[line]}`),
      })}</p>`;

/** The log-prob of each written token, from the page and from the browser. */
function besides({ t, record, run, shownSteps }) {
  const { steps, words } = run.evidence;
  return html`<div class="hl-proof-beside hl-scroll"><table class="hl-table">
    <thead><tr><th scope="col">${t("beside.token")}</th><th scope="col">${t("beside.shown")}</th>
      <th scope="col">${t("beside.own")}</th></tr></thead>
    <tbody>${record.tgt_out.map((label, i) => {
      const word = words.target.get(label.id);
      const own = steps[i] && word ? ownLogProb(steps[i], word) : null;
      return html`<tr><th scope="row">${token(label)}</th>
        <td>${signedText(shownSteps[i].log_prob, DIGITS)}</td>
        <td>${own === null ? "…" : signedText(own, DIGITS)}</td></tr>`;
    })}</tbody></table></div>`;
}
