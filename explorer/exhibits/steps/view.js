// Step by step: one decoding step in full, beside all of them.

import { bars } from "../../../assets/kit/bars.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { readsAhead } from "../../../assets/kit/interventions.js";
import { percentText, roundPercent, signedText } from "../../../assets/kit/numbers.js";
import { marked } from "../../../assets/kit/sentence.js";
import { runnerUp, steps } from "../../../assets/kit/telling.js";
import { distinct, token } from "../../../assets/kit/token.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";

/** @typedef {import("../../../assets/kit/types.js").Rec} Rec */
/** @typedef {import("../../../assets/kit/types.js").Label} Label */

/**
 * A token that the step could write, its probability, and whether it is the written one.
 * @typedef {{label: Label, share: number, isWritten: boolean}} Choice
 */

/**
 * One step: the token `written`, whether the visitor forced it, whether the decoder reads ahead.
 * @typedef {import("../../../assets/kit/exhibit.js").Base & {step: number, isAhead: boolean,
 *   isForced: boolean, choices: Choice[], written: Label}} Scene
 */

/** @type {import("../../../assets/kit/exhibit.js").View<Scene>} */
const VIEW = {
  name: "steps",
  scene: ({ record, selection: { step } }) => ({
    step,
    isAhead: readsAhead(record),
    isForced: Boolean(record.steps[step].forced),
    choices: choicesOf(record, step),
    written: record.tgt_out[step],
  }),
  telling: ({ record }) => steps(record, (step) => runnerUp(record, step)),
  cell: ({ selection: { step } }) => ({ step, weights: null }),
  finding,
  picture,
  numbers: (s) => [stepSheet(s)],
  reading: ({ t }) => html`<p>${t("own")}</p>`,
  files: ({ record }) => ({ svg: null, json: () => record.steps }),
};

export const { mount } = exhibit(VIEW);

/**
 * The most likely tokens and their probabilities; the written one is added if it is not among them.
 * @param {Rec} record @param {number} step @returns {Choice[]}
 */
function choicesOf(record, step) {
  const { top, chosen, log_prob: logProb } = record.steps[step];
  const own = { ...record.tgt_out[step], log_prob: logProb };
  const listed = top.map((one) => (one.id === chosen ? { ...own, log_prob: one.log_prob } : one));
  if (!listed.some(({ id }) => id === chosen)) listed.push(own);
  return distinct(listed).map((label) => ({
    label,
    share: Math.exp(label.log_prob),
    isWritten: label.id === chosen,
  }));
}

/** The written token and its probability, against the most likely other one. @param {Scene} s */
function finding({ say, choices, written, isForced }) {
  const [own] = choices.filter(({ isWritten }) => isWritten);
  const [other] = choices
    .filter(({ isWritten }) => !isWritten)
    .sort((one, two) => two.share - one.share);
  const values = {
    token: written,
    p: marked(roundPercent(own.share)),
    ...(other && { other: other.label, q: marked(roundPercent(other.share)) }),
  };
  if (other === undefined) return say("finding.alone", values);
  if (isForced) return say("finding.forced", values);
  return say(other.share > own.share ? "finding.behind" : "finding", values);
}

function picture(/** @type {Scene} */ s) {
  return html`<div class="hl-pair">${current(s)} ${all(s)}</div>`;
}

/** The decoder's input, its prediction, and the token fed back. */
function current(/** @type {Scene} */ s) {
  const { t, record, step, choices, written, isAhead } = s;
  const read = isAhead ? record.tgt_in : record.tgt_in.slice(0, step + 1);
  const rest = Math.max(0, 1 - choices.reduce((sum, { share }) => sum + share, 0));
  const others = html`<span>${t("rest")}</span>`;
  return html`<div class="hl-steps-now">
    <h3>${t(isAhead ? "read.ahead" : "read")}</h3>
    <div class="hl-tokens hl-scrolls hl-steps-read">
      ${read.map((label, i) => token(label, { class: i === step ? "hl-lit" : "" }))}
    </div>
    <h3>${t("predicts")}</h3>
    ${bars({
      class: "hl-steps-bars",
      label: t("predicts"),
      bars: [
        ...choices.map((one) => barOf(s, one)),
        { name: others, share: rest, text: percentText(rest), class: "hl-rest" },
      ],
    })}
    <h3>${t("back")}</h3>
    <p class="hl-steps-back">${token(written)} ${nextText(s)}</p>
  </div>`;
}

/** @param {Scene} s @param {Choice} choice */
const barOf = ({ t, page }, { label, share, isWritten }) => ({
  name: token(
    { ...label, line: label.text },
    { title: page.t("token.facts", { place: "–", ...label }) },
  ),
  share,
  text: percentText(share),
  note: isWritten ? t("chosen") : "",
  chosen: isWritten,
});

/** The use of the written token. @param {Scene} s */
function nextText({ t, record, step, written, isForced }) {
  const isLast = step === record.tgt_out.length - 1;
  const isEnd = record.node === null && record.hypotheses[record.shown].finished;
  const cut = record.node === null ? "cut" : "prefix";
  const end = written.piece === "</s>" || isEnd ? "ends" : cut;
  return `${t(isLast ? end : "goes", { n: step + 2 })} ${isForced ? t("forced") : ""}`;
}

/** The probability of every written token; choosing one goes to its step. @param {Scene} s */
function all({ t, page, record, step }) {
  return html`<div class="hl-steps-all-bars">
    <h3>${t("all.bars")}</h3>
    ${bars({
      class: "hl-steps-path",
      label: t("all.bars"),
      bars: record.steps.map(({ log_prob: logProb }, i) => ({
        name: token(record.tgt_out[i]),
        share: Math.exp(logProb),
        text: percentText(Math.exp(logProb)),
        chosen: i === step,
        onChoose: () => page.choose({ step: i }),
      })),
    })}</div>`;
}

/** The sum that the search itself uses. @param {Rec} record @param {number} i */
const totalOf = ({ search, path }, i) => search.steps[i].totals[path[i]];

/** @param {Scene} s @returns {import("../../../assets/kit/sheet.js").Sheet<Rec["steps"][number]>} */
const stepSheet = (s) => ({
  name: s.t("all"),
  class: "hl-steps-all",
  note: html`${s.isAhead ? s.t("ahead") : nothing} <span class="hl-steps-sum">${sumText(s)}</span>`,
  rows: s.record.steps,
  chosen: (_, i) => i === s.step,
  onChoose: (_, i) => s.page.choose({ step: i }),
  columns: {
    step: { text: true, cell: (_, i) => i + 1 },
    reads: labelColumn(s.record.tgt_in),
    writes: labelColumn(s.record.tgt_out),
    probability: {
      cell: ({ log_prob: logProb }) => percentText(Math.exp(logProb)),
      csv: ({ log_prob: logProb }) => Math.exp(logProb),
    },
    log_prob: {
      cell: ({ log_prob: logProb }) => signedText(logProb),
      csv: ({ log_prob: logProb }) => logProb,
    },
    total: {
      cell: (_, i) => signedText(totalOf(s.record, i)),
      csv: (_, i) => totalOf(s.record, i),
    },
  },
});

/** @param {Label[]} labels @returns {import("../../../assets/kit/sheet.js").SheetColumn<unknown>} */
const labelColumn = (labels) => ({
  text: true,
  cell: (_, i) => token(labels[i]),
  csv: (_, i) => labels[i].piece,
});

/** The calculation of the hypothesis's score from the steps. @param {Scene} s */
function sumText({ t, record }) {
  if (record.node !== null) {
    const [step, candidate] = record.node;
    const total = record.search.steps[step].totals[candidate];
    return t("sum.prefix", { log_prob: signedText(total) });
  }
  const { score, log_prob: logProb, length } = record.hypotheses[record.shown];
  const { penalty_form: form, length_penalty: alpha } = record.settings;
  return t(`sum.${form}`, {
    score: signedText(score),
    log_prob: signedText(logProb),
    n: length,
    alpha,
  });
}
