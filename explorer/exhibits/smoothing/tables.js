// The tables of label smoothing: the likeliest tokens of one step, and the right one of every step.

import { downloads } from "../../../assets/kit/download.js";
import { countText, percentText, signedText } from "../../../assets/kit/numbers.js";
import { table } from "../../../assets/kit/table.js";
import { distinct, token } from "../../../assets/kit/token.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { gradientOf, lossOf, targetOf } from "./maths.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

/** Where training pushes a logit: against its gradient. Arrow and sign say it beside the colour. */
const push = (/** @type {number} */ gradient) => html`<div
  class="hl-smoothing-push hl-smoothing-${gradient < 0 ? "up" : "down"}">
  <span>${gradient < 0 ? "↑" : "↓"} ${signedText(gradient, 5)}</span>
  <b aria-hidden="true"><i
    style="width:${Math.min(100, Math.abs(gradient) * 100).toFixed(2)}%"></i></b>
</div>`;

/** The likeliest tokens of the step, and all others together.
 * @param {Page} page @param {import("./view.js").Scene} scene */
export function tokenTable(page, { top, logits, logProbs, now, eps, right, step }) {
  const { t } = page;
  const numbers = top.map(({ id, piece }) => {
    const p = Math.exp(logProbs[id]);
    const isRight = id === right;
    const gradient = gradientOf(p, isRight, eps, now.size);
    return { id, piece, logit: logits[id], p, target: targetOf(isRight, eps, now.size), gradient };
  });
  const rest = (name, whole) => numbers.reduce((left, one) => left - one[name], whole);
  const cells = ({ p, target, gradient }) => [p.toFixed(5), target.toFixed(5), push(gradient)];
  const names = ["token", "logit", "probability", "target", "gradient"];
  const others = {
    p: Math.max(0, rest("p", 1)),
    target: Math.max(0, rest("target", 1)),
    gradient: rest("gradient", 0),
  };
  return html`${table({
    label: t("smoothing.logits", { step: step + 1 }),
    class: "hl-smoothing-tokens",
    columns: names.map((name) => ({
      name: t(`smoothing.${name}`),
      text: ["token", "gradient"].includes(name),
    })),
    rows: [
      ...numbers.map((one, i) => ({
        chosen: one.id === right,
        cells: [token(distinct(top)[i]), signedText(one.logit), ...cells(one)],
      })),
      {
        cells: [
          t("smoothing.rest", { count: countText(now.size - top.length) }),
          "",
          ...cells(others),
        ],
      },
    ],
  })}
  ${downloads(page, `smoothing-step${step + 1}`, {
    csv: () => [
      ["token", "id", "logit", "p", "target", "gradient"],
      ...numbers.map((one) => [one.piece, one.id, one.logit, one.p, one.target, one.gradient]),
    ],
  })}`;
}

/** The right token of every step. @param {Page} page @param {import("./view.js").Scene} scene */
export function stepTable(page, { steps, record, now, eps }) {
  const { t } = page;
  const { step } = page.selection.get();
  const names = ["step", "writes", "probability", "plain", "smoothed", "push"];
  return html`${table({
    label: t("smoothing.steps"),
    class: "hl-smoothing-steps",
    columns: names.map((name) => ({
      name: t(`smoothing.${name}`),
      text: ["writes", "push"].includes(name),
    })),
    rows: steps.map((one, i) => ({
      chosen: i === step,
      onChoose: () => page.choose({ step: i }),
      cells: [
        i + 1,
        token(record.tgt_out[i]),
        percentText(Math.exp(one.log_prob)),
        lossOf(one, 0).toFixed(4),
        lossOf(one, eps).toFixed(4),
        push(gradientOf(Math.exp(one.log_prob), true, eps, now.size)),
      ],
    })),
  })}
  ${downloads(page, "smoothing-steps", {
    csv: () => [
      ["step", "token", "log_prob", "mean_log_prob"],
      ...steps.map((one, i) => [i + 1, record.tgt_out[i].piece, one.log_prob, one.mean]),
    ],
  })}`;
}
