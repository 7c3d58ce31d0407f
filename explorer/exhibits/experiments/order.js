// The order of words: two sentences of the same words, and one encoded in two orders.

import { button } from "../../../assets/kit/choice.js";
import { ownOf } from "../../../assets/kit/languages.js";
import { signedText, smallText } from "../../../assets/kit/numbers.js";
import { marked } from "../../../assets/kit/sentence.js";
import { langOf, token } from "../../../assets/kit/token.js";
import { html } from "../../../assets/vendor/lit-html.js";

const MODELS = ["before", "after"];

/** What either model makes of the two sentences. */
export const pair = ({ t, answer: { sentences } }) => html`<table class="hl-experiments-pairs">
  <thead><tr><td></td>${sentences.map(
    ({ text }) => html`<th scope="col" lang=${langOf(text)}>${text}</th>`,
  )}</tr></thead>
  <tbody>${MODELS.map(
    (model) => html`<tr data-model=${model}><th scope="row">${t(model)}</th>
      ${sentences.map((one) => translation(one[model]))}</tr>`,
  )}</tbody></table>`;

const translation = ({ text, log_prob }) =>
  html`<td><span lang=${langOf(text)}>${text}</span> <small>${signedText(log_prob)}</small></td>`;

/** The pairs of sentences to choose from. */
export function pairs({ page, set, record, pair: chosen }) {
  const all = Object.entries(ownOf(page.facts.pairs, record.text));
  return html`<div class="hl-row">${all.map(([name, texts]) =>
    button({
      label: /** @type {string[]} */ (texts).join(" / "),
      pressed: name === chosen,
      onClick: () => set({ pair: name }),
    }),
  )}</div>`;
}

/** Whether each model tells the sentences apart. */
export function pairFinding({ t, answer: { sentences }, start }) {
  const [before, after] = MODELS.map((model) =>
    sentences[0][model].text === sentences[1][model].text ? "alike" : "other",
  );
  const isUnordered = start === "pair" && before === "other" && after === "alike";
  return t(isUnordered ? "finding.pair.none" : `finding.pair.${before}.${after}`);
}

const farthest = (answer) => MODELS.map((model) => smallText(Math.max(...answer[model])));

/** The sentence in both orders, and how far a word's vector moves with the word. */
export function encoder({ t, answer, record: { src } }) {
  const { order } = answer;
  const line = (labels) =>
    html`<div class="hl-experiments-line">${labels.map((label) => token(label))}</div>`;
  const moved = farthest(answer);
  return html`<div class="hl-experiments-encoder">
    ${line(src.slice(0, order.length))} ${line(order.map((i) => src[i]))}
    <dl>${MODELS.map(
      (model, i) => html`<dt>${t(`encoder.${model}`)}</dt><dd data-model=${model}>${moved[i]}</dd>`,
    )}</dl></div>`;
}

export const otherOrder = ({ t, set, draw }) =>
  button({ label: t("encoder.again"), onClick: () => set({ draw: draw + 1 }) });

export function encoderFinding({ t, say, answer, start }) {
  const [before, after] = farthest(answer);
  if (start === "encoder") return t("finding.encoder.none");
  return say("finding.encoder", { before: marked(before), after: marked(after) });
}
