// A question and its guesses, as the strip shows them.

import { html, nothing } from "../../vendor/lit-html.js";
import { page } from "../state.js";
import { lessonKey } from "./question.js";

/** @typedef {import("./question.js").Question} Question */
/** @typedef {import("./question.js").Choice} Choice */

/** The question and the counts, when the teacher has shown them; before that, `between`.
 * @param {Question} question @param {unknown} between */
const guesses = (question, between) => html`<div class="hl-class-guesses" data-part="guesses">
    <p><b>${question.text[page.language.get()]}</b></p>
    ${question.isShown ? counted(question) : between}
  </div>`;

/** @param {Question} question @param {{here: number, guessed: number}} inside
 * @param {{reveal: () => void, ask: (asked: null) => void}} room */
export function teachersGuesses(question, { here, guessed }, room) {
  const shown = html`<p role="status">
      ${page.t("class.guessed", { count: guessed, here: Math.max(here, guessed) })}</p>
    <button type="button" class="hl-primary" @click=${room.reveal}>
      ${page.t("class.reveal")}</button>`;
  return html`${guesses(question, shown)}
    <button type="button" @click=${() => room.ask(null)}>${page.t("class.ask.done")}</button>`;
}

/** A lesson's card has its choices; any other question has them here.
 * @param {Question} question @param {(key: string, choice: number) => void} guess */
export function studentsGuesses(question, guess) {
  const { key, choices, own, isShown } = question;
  const language = page.language.get();
  if (own === null && !isShown && key === lessonKey()) return nothing;
  const buttons = choices.map(
    ({ label }, i) =>
      html`<button type="button" @click=${() => guess(key, i)}>${label[language]}</button>`,
  );
  const label = own === null ? "" : choices[own].label[language];
  const made = html`<p role="status">${page.t("class.guess.own", { label })}</p>`;
  return guesses(question, own === null ? html`<div role="group">${buttons}</div>` : made);
}

/** @param {Question} question */
function counted({ choices, counts, right, own }) {
  const language = page.language.get();
  const all = counts.reduce((sum, count) => sum + count, 0);
  const row = (/** @type {Choice} */ { label, value }, /** @type {number} */ i) =>
    html`<li class=${i === right ? "hl-chosen" : ""}>
      <span>${i === right ? "✓ " : ""}${label[language]}
        ${i === own ? html`<small>${page.t("class.guess.yours")}</small>` : nothing}</span>
      <i style="width:${all === 0 ? 0 : (counts[i] / all) * 100}%"></i>
      <b>${counts[i]}</b><small>${value}</small></li>`;
  const said =
    right === null
      ? page.t("class.guess.all", { all })
      : page.t("class.guess.right", {
          count: counts[right],
          all,
          label: choices[right].label[language],
        });
  return html`<ul>${choices.map(row)}</ul><p role="status">${said}</p>`;
}
