// Step by step: one decoding step in full, and all of them in a table.

import { bars } from "../../../assets/kit/bars.js";
import { downloads } from "../../../assets/kit/download.js";
import { readsAhead } from "../../../assets/kit/interventions.js";
import { percentText, signedText } from "../../../assets/kit/numbers.js";
import { table } from "../../../assets/kit/table.js";
import { distinct, token } from "../../../assets/kit/token.js";
import { liveView } from "../../../assets/kit/view.js";
import { html } from "../../../assets/vendor/lit-html.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("../../../assets/kit/types.js").Rec} Rec */

const COLUMNS = ["step", "reads", "writes", "probability", "log_prob", "total"];

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const view = liveView({
    el,
    page,
    stores: [page.selection],
    template() {
      const record = page.record.get();
      if (record === null) return null;
      const { step } = page.selection.get();
      return html`<div class="hl-steps hl-split">
        ${current(page, record, step)} ${all(page, record, step)}
      </div>`;
    },
  });
  return view.end;
}

/** @param {Page} page @param {Rec} record @param {number} step */
function current(page, record, step) {
  const { t } = page;
  const isAhead = readsAhead(record);
  const read = isAhead ? record.tgt_in : record.tgt_in.slice(0, step + 1);
  return html`<div class="hl-stack">
    <h2>${t("steps.now", { n: step + 1, count: record.tgt_out.length })}</h2>
    <h3>${t(isAhead ? "steps.read.ahead" : "steps.read")}</h3>
    <div class="hl-tokens hl-steps-read">
      ${read.map((label, i) => token(label, { class: i === step ? "hl-lit" : "" }))}
    </div>
    <h3>${t("steps.predicts")}</h3>
    ${bars({
      class: "hl-steps-bars",
      label: t("steps.predicts"),
      bars: barsOf(page, record, step),
    })}
    <p class="hl-note">${t("steps.own")}</p>
    <h3>${t("steps.back")}</h3>
    <p class="hl-steps-back">${token(record.tgt_out[step])} ${nextText(page, record, step)}</p>
  </div>`;
}

/** The most likely tokens; the chosen one is marked, and added where it is not among them.
 * @param {Page} page @param {Rec} record @param {number} step */
function barsOf({ t }, record, step) {
  const { top, chosen, log_prob: logProb } = record.steps[step];
  const own = { ...record.tgt_out[step], log_prob: logProb };
  const listed = top.map((one) => (one.id === chosen ? { ...own, log_prob: one.log_prob } : one));
  if (!listed.some(({ id }) => id === chosen)) listed.push(own);
  const shares = listed.map((one) => Math.exp(one.log_prob));
  const rest = Math.max(0, 1 - shares.reduce((sum, share) => sum + share, 0));
  const lines = distinct(listed).map((label, i) => ({
    name: token(
      { ...label, line: label.text },
      { title: t("token.facts", { place: "–", ...label }) },
    ),
    share: shares[i],
    text: percentText(shares[i]),
    note: label.id === chosen ? t("steps.chosen") : "",
    chosen: label.id === chosen,
  }));
  const others = html`<span>${t("steps.rest")}</span>`;
  return [...lines, { name: others, share: rest, text: percentText(rest), class: "hl-rest" }];
}

/** What becomes of the token that is written.
 * @param {Page} page @param {Rec} record @param {number} step */
function nextText({ t }, record, step) {
  const isLast = step === record.tgt_out.length - 1;
  const cut = record.node === null ? "steps.cut" : "steps.prefix";
  const end = record.tgt_out[step].piece === "</s>" ? "steps.ends" : cut;
  const forced = record.steps[step].forced ? t("steps.forced") : "";
  return `${t(isLast ? end : "steps.goes", { n: step + 2 })} ${forced}`;
}

/** The sum that the search itself reckons with. @param {Rec} record @param {number} i */
const totalOf = ({ search, path }, i) => search.steps[i].totals[path[i]];

/** @param {Page} page @param {Rec} record @param {number} step */
function all(page, record, step) {
  const { t } = page;
  const rows = record.steps.map(({ log_prob: logProb }, i) => ({
    chosen: i === step,
    onChoose: () => page.choose({ step: i }),
    cells: [
      i + 1,
      token(record.tgt_in[i]),
      token(record.tgt_out[i]),
      percentText(Math.exp(logProb)),
      signedText(logProb),
      signedText(totalOf(record, i)),
    ],
  }));
  return html`<div class="hl-stack">
    <h2>${t("steps.all")}</h2>
    ${table({
      label: t("steps.all"),
      class: "hl-steps-all",
      columns: COLUMNS.map((name, i) => ({ name: t(`steps.${name}`), text: i < 3 })),
      rows,
    })}
    <p class="hl-note">${readsAhead(record) ? t("steps.ahead") : ""} ${sumText(page, record)}</p>
    ${downloads(page, "steps", { csv: () => rowsOf(record) })}
  </div>`;
}

/** @param {Rec} record */
const rowsOf = (record) => [
  COLUMNS,
  ...record.steps.map(({ log_prob: logProb }, i) => [
    i + 1,
    record.tgt_in[i].piece,
    record.tgt_out[i].piece,
    Math.exp(logProb),
    logProb,
    totalOf(record, i),
  ]),
];

/** How the steps make the score of the hypothesis. @param {Page} page @param {Rec} record */
function sumText({ t }, record) {
  if (record.node !== null) {
    const [step, candidate] = record.node;
    const total = record.search.steps[step].totals[candidate];
    return t("steps.sum.prefix", { log_prob: signedText(total) });
  }
  const { score, log_prob: logProb, length } = record.hypotheses[record.shown];
  const { penalty_form: form, length_penalty: alpha } = record.settings;
  return t(`steps.sum.${form}`, {
    score: signedText(score),
    log_prob: signedText(logProb),
    n: length,
    alpha,
  });
}
