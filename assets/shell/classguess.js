// What a class is asked: the question of a lesson, by itself, or one that the teacher types. The
// server counts the guesses; a page learns the counts and the answer when the teacher shows them.

import { lessonsOf } from "../kit/lessons.js";
import { percentText } from "../kit/numbers.js";
import { valueText } from "../kit/values.js";
import { html, nothing } from "../vendor/lit-html.js";
import { quiz } from "./lesson.js";
import { lessonModel } from "./model.js";
import { page } from "./state.js";

/** @typedef {import("../kit/types.js").Texts} Texts */
/**
 * @typedef {{label: Texts, value: string}} Choice `value`: the model's number
 * @typedef {{key: string, text: Texts, choices: Choice[], right: number|null}} Asked
 * @typedef {Asked & {own: number|null, isShown: boolean, counts: number[]}} Question without the
 *   answer and the counts until they are shown
 */

const CANDIDATES = 4; // tokens to choose from

/** The lesson's question that is on the page, by a key; another model makes it another question. */
function lessonKey() {
  const { name, step } = page.lesson.get();
  return `${name}.${step + 1}.${lessonModel()}`;
}

/** That question, once the model has answered it. @returns {Asked|null} */
function lessonQuestion() {
  const { name, step } = page.lesson.get();
  const { answer } = quiz.get();
  const plan = lessonsOf(page).find((one) => one.name === name)?.steps[step];
  if (plan === undefined || answer === null) return null;
  const said = (/** @type {string} */ language) =>
    plan.predict.map((part) => part[language]).join(" ");
  const choices = answer.options.map((/** @type {any} */ option) => ({
    label: option.label,
    value: valueText(option),
  }));
  const text = { en: said("en"), zh: said("zh") };
  return { key: lessonKey(), text, choices, right: answer.right };
}

/** Calls `ask` whenever a lesson asks something, and with null when it goes on.
 * @param {(asked: Asked|null) => void} ask */
export function watchLesson(ask) {
  /** @type {string|undefined} */
  let last;
  return quiz.watch(() => {
    const asked = lessonQuestion();
    if (asked?.key !== last) ask(asked);
    last = asked?.key;
  });
}

/** Calls `guess` whenever the visitor has guessed in a lesson.
 * @param {(key: string, choice: number) => void} guess */
export function watchGuess(guess) {
  return quiz.watch(({ expected }) => expected !== null && guess(lessonKey(), expected));
}

const both = (/** @type {string} */ text) => ({ en: text, zh: text });
const typedKey = () => `typed.${Date.now().toString(36)}`;

/** Which token is written at the step that is selected, of its likeliest. @returns {Asked|null} */
function nextToken() {
  const record = page.record.get();
  const step = record?.steps[page.selection.get().step];
  if (record === null || step === undefined) return null;
  const written = step.top.find(({ id }) => id === step.chosen);
  const others = step.top.filter((one) => one !== written).slice(0, CANDIDATES - 1);
  if (written === undefined || others.length === 0) return null;
  const all = [written, ...others].sort((a, b) => (a.text < b.text ? -1 : 1)); // tells nothing
  const choices = all.map(({ text, log_prob }) => ({
    label: both(text),
    value: percentText(Math.exp(log_prob)),
  }));
  const name = "class.ask.next";
  return { key: typedKey(), text: page.words[name], choices, right: all.indexOf(written) };
}

/** What a teacher asks. @param {(asked: Asked|null) => void} ask */
export function askForm(ask) {
  const close = (/** @type {Event} */ { target }) => {
    const sheet = /** @type {Element} */ (target).closest("details");
    if (sheet) sheet.open = false;
  };
  const next = (/** @type {Event} */ event) => {
    ask(nextToken());
    close(event);
  };
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const [text, lines] = ["text", "choices"].map((name) => String(new FormData(form).get(name)));
    const labels = lines.split("\n").map((one) => one.trim());
    const choices = labels.filter(Boolean).map((label) => ({ label: both(label), value: "" }));
    const field = /** @type {HTMLTextAreaElement} */ (form.elements.namedItem("choices"));
    const isWrong = choices.length < 2 || choices.length > 5;
    field.setCustomValidity(isWrong ? page.t("class.ask.choices") : "");
    if (!form.reportValidity()) return;
    ask({ key: typedKey(), text: both(text.trim()), choices, right: null });
    form.reset();
    close(event);
  };
  const again = (/** @type {any} */ { target }) => target.setCustomValidity("");
  return html`<details class="hl-class-ask"><summary>${page.t("class.ask")}</summary>
    <form @submit=${send}>
      <label>${page.t("class.ask.text")}<input name="text" required maxlength="200"></label>
      <label>${page.t("class.ask.choices")}<textarea name="choices" rows="3" required
        maxlength="400" @input=${again}></textarea></label>
      <button type="submit" class="hl-primary">${page.t("class.ask.send")}</button>
      <button type="button" @click=${next}>${page.t("class.ask.next")}</button>
    </form></details>`;
}

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
