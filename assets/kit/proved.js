// The mark on every view of a sentence: the browser ran the model again and got the same, and how
// long ago. It follows from the comparisons of the sentence and of the view's own answers; what the
// browser cannot compute is named beside it.

import { html, nothing } from "../vendor/lit-html.js";
import { lostOf } from "./lost.js";
import { linesOnShow } from "./readersline.js";

const MINUTE = 60_000; // ms
export const RECORD = "record"; // the question for the whole record of a subject's request
const OTHER_MODEL = "model_there"; // a record of a model whose weights are not here

/** Questions whose answers follow from the model, or from their own texts: they stay on show when
 * the sentence changes. */
export const OF_THE_MODEL = [
  "anatomy",
  "catalogue",
  "cost",
  "curves",
  "gold",
  "schedule",
  "scores",
  "times",
  "toy",
  "toy_table",
  "transplant",
  "transplant_heads",
  "vocabulary",
];

/**
 * The mark of a view for the record on the page; none if the record was not proved.
 * @param {any} page @param {string} view its name
 */
export function provedMark(page, view) {
  const proved = page.proved.get();
  if (proved === null || proved.record !== page.record.get()) return nothing;
  const { state, without } = standing(page, view);
  const minutes = Math.floor((Date.now() - proved.at) / MINUTE);
  const age = page.t(minutes ? "proved.minutes" : "proved.now", { minutes });
  const names = without.map((name) => page.t(`proved.question.${name}`));
  const areLinesProved = linesOnShow(page).every(([key]) => proved.lines.includes(key));
  if (!areLinesProved) names.push(page.t("proved.lines"));
  if (lostOf(page, proved.record) !== null && !proved.isLostProved)
    names.push(page.t("proved.lost"));
  const what = names.join(page.t("proved.comma"));
  const rest = what ? page.t("proved.without", { what }) : "";
  const title = `${page.t(`proved.${state}`)} ${rest}`.trim();
  return html`<button type="button" class="hl-proved" data-holds=${String(state !== "fails")}
    data-state=${state} title=${title} aria-label="${title} ${age}"
    @click=${() => page.choose({ exhibit: "proof" })}>${state === "fails" ? "✗" : "✓"} ${
      state === "older" ? page.t("proved.sentence", { age }) : age
    }${what ? html` <span class="hl-proved-without">${rest}</span>` : nothing}</button>`;
}

/** The answers about the text and model of a record. @returns {import("./types.js").Asked[]} */
export const answersAbout = (/** @type {any} */ page, /** @type {any} */ record) =>
  [...page.answers.values()].filter(
    ({ text, model }) => (text === null || text === record.text) && model === record.model.key,
  );

/** What the mark calls an answer that is not compared; null if the engine can repeat it.
 * @param {import("./types.js").Asked} asked @param {string[]} comparable questions */
export function namedAs({ question, request, model }, comparable) {
  if (question === RECORD && request.weights)
    return request.weights === "cheat" ? "cheat" : "learn";
  if (question === RECORD) return request.model === model ? null : OTHER_MODEL;
  return comparable.includes(question) ? null : question;
}

/**
 * What the comparisons say about a view: it fails if the sentence or an answer differs; it is older
 * if an answer was not compared. `without`: what it asked that the browser cannot compute.
 * @param {any} page @param {string} view
 * @returns {{state: "holds"|"older"|"fails", without: string[]}}
 */
export function standing(page, view) {
  const { record, holds, answers } = page.proved.get();
  /** @type {{name: string, questions: string[]}[]} */
  const exhibits = page.shared.exhibits;
  const { questions = [] } = exhibits.find(({ name }) => name === view) ?? {};
  const own = answersAbout(page, record).filter(
    ({ question, view: asker }) => asker === view || questions.includes(question),
  );
  const names = own.map((answer) => namedAs(answer, page.again.compared));
  const repeated = own.filter((_, i) => names[i] === null);
  const results = repeated.map((answer) => answers.get(answer)); // undefined: not compared
  const isWrong = !holds || results.includes(false);
  const state = isWrong ? "fails" : results.includes(undefined) ? "older" : "holds";
  const without = names.filter((name) => name !== null);
  return { state, without: [...new Set(without)] };
}
