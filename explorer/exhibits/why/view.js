// Why this word and not another: the difference of two logits as a sum that leaves nothing over,
// opened to a layer, a head, a token; and what happens to it when the head is switched off.

import { button, select } from "../../../assets/kit/choice.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { glossAside } from "../../../assets/kit/gloss.js";
import { whole } from "../../../assets/kit/keep.js";
import { changeText, percentText, smallText } from "../../../assets/kit/numbers.js";
import { steps } from "../../../assets/kit/telling.js";
import { distinct } from "../../../assets/kit/token.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { picture } from "./picture.js";
import { scene } from "./scene.js";
import { sheets } from "./sheets.js";
import { closeness, closest, closestStep, isHead, otherMeaning } from "./split.js";

/** @typedef {import("../../../assets/kit/types.js").Label} Label */
/** @typedef {import("./split.js").Split} Split */
/** A token that may be the rival, and its log-prob if it is a candidate.
 * @typedef {Label & {log_prob?: number}} Alternative */

/**
 * The rival's id, the opened layer and its chosen head: -1 where the view chooses. The answer is
 * null where no other token stands beside the written one.
 * @typedef {import("../../../assets/kit/exhibit.js").Base & {rival: number, layer: number,
 *   head: number, answer: Split|null}} Given
 *
 * With a rival, what scene.js makes of the sum.
 * @typedef {Given & {answer: Split} & ReturnType<typeof scene>} Compared
 *
 * @typedef {Compared|(Given & {answer: null, from?: undefined, written?: undefined,
 *   ahead?: undefined, behind?: undefined, lead?: undefined, read?: undefined})} Scene
 */

const MOST = 2 ** 31 - 1; // of an id

/** @type {import("../../../assets/kit/exhibit.js").View<Scene>} */
const VIEW = {
  name: "why",
  fields: () => ({
    rival: { first: -1, fits: whole(-1, MOST) }, // -1: the closest candidate
    layer: { first: -1, fits: whole(-1, MOST) }, // -1: the one that gives most
    head: { first: -1, fits: whole(-1, MOST) }, // self-attention first, then cross; -1: likewise
  }),
  ask: (s) => {
    const rival = rivalOf(s);
    return rival === null ? null : ["why", { step: s.selection.step, rival }];
  },
  scene: (s) => (s.answer === null ? {} : scene(s, s.ask("why_off", argumentsOf(s)))),
  telling: ({ record }) => steps(record, (step) => closeness(record.steps[step])),
  cell: ({ selection: { step }, from }) => ({ step, src: from ?? null, weights: null }),
  finding,
  nothing: ({ answer }) => answer === null,
  picture: (s, size) => (s.answer === null ? html`<p>${s.t("alone")}</p>` : picture(s, size)),
  controls: [rivals, closestButton],
  numbers: (s) => (s.answer === null ? [] : sheets(s)),
  reading,
};

export const { mount } = exhibit(VIEW);

/** The id that the written token is compared with; null where there is no other.
 * @param {Pick<Given, "record"|"selection"|"rival">} s */
function rivalOf({ record, selection, rival }) {
  const step = record.steps[selection.step];
  const isOther = rival >= 0 && rival < record.model.vocabulary && rival !== step.chosen;
  return isOther ? rival : ((otherMeaning(step) ?? closest(step))?.id ?? null);
}

const argumentsOf = (/** @type {Given & {answer: Split}} */ s) => ({
  step: s.selection.step,
  rival: s.answer.rival.id,
});

/** Which of the two is ahead, and what gives most to it. @param {Scene} s */
function finding({ t, say, answer, written, ahead, behind, lead, read }) {
  if (answer === null) return t("alone");
  const asks = say(ahead === written ? "ahead" : "behind", { ahead, behind });
  const layer = (lead.layer ?? 0) + 1;
  if (!isHead(lead)) return [...asks, ...say(`finding.${lead.name}`, { layer })];
  const head = `${lead.layer + 1}·${lead.head + 1}`;
  return [...asks, ...say(`finding.${lead.kind}`, { layer, head, read })];
}

/** With what the written token is compared, once it is. @param {Given} s */
function rivals({ t, record, selection, answer, set }) {
  if (!answer) return nothing;
  const { top, chosen } = record.steps[selection.step];
  const others = top.filter(({ id }) => id !== chosen);
  const isListed = others.some(({ id }) => id === answer.rival.id);
  /** @type {Alternative[]} */
  const all = distinct(isListed ? others : [answer.rival, ...others]);
  return select({
    label: t("rival"),
    class: "hl-field-rival",
    value: String(answer.rival.id),
    options: all.map((one) => ({
      value: String(one.id),
      label: `${one.line ?? one.text}${glossAside(one)} ${optionText(one)}`,
    })),
    onChange: (id) => set({ rival: Number(id), layer: -1, head: -1 }),
  });
}

const optionText = (/** @type {Alternative} */ { log_prob: logProb }) =>
  logProb === undefined ? "" : percentText(Math.exp(logProb));

/** To the step at which another word came closest. @param {Given} s */
function closestButton({ t, record, selection, set }) {
  const step = closestStep(record.steps);
  return button({
    label: t("closest", { n: step + 1 }),
    class: "hl-why-closest",
    disabled: step === selection.step,
    onClick: () => set({ rival: -1, layer: -1, head: -1, selection: { step } }),
  });
}

function reading(/** @type {Given} */ { t, answer }) {
  return html`<p>${t("picture")}</p><p>${t("direct")}</p>
    <math display="block"><mrow>
      <msub><mi>z</mi><mi>A</mi></msub><mo>−</mo><msub><mi>z</mi><mi>B</mi></msub><mo>=</mo>
      <msup><mrow><mo>(</mo><msub><mi>w</mi><mi>A</mi></msub><mo>−</mo>
        <msub><mi>w</mi><mi>B</mi></msub><mo>)</mo></mrow><mi>T</mi></msup>
      <munder><mo>∑</mo><mi>i</mi></munder><msub><mi>N</mi><mi>i</mi></msub>
      <msub><mi>x</mi><mi>i</mi></msub><mo>+</mo><msub><mi>b</mi><mi>A</mi></msub>
      <mo>−</mo><msub><mi>b</mi><mi>B</mi></msub>
    </mrow></math>
    <p>${t("formula")}</p>
    ${answer === null ? nothing : html`<p>${t("times", timesOf(answer))}</p>`}
    ${answer === null ? nothing : html`<p>${t("left", leftOf(answer))}</p>`}`;
}

const timesOf = (/** @type {Split} */ { difference }) => ({
  difference: Math.abs(difference).toFixed(2),
  times: smallText(Math.exp(Math.abs(difference))),
});

const leftOf = (/** @type {Split} */ { left, difference }) => ({
  left: smallText(Math.abs(left)),
  difference: changeText(difference, 4),
});
