// What a class is asked: the question of a lesson, by itself, or one that the teacher types. The
// server counts the guesses; a page learns the counts and the answer when the teacher shows them.

import { lessonsOf } from "../kit/lessons.js";
import { percentText } from "../kit/numbers.js";
import { fill } from "../kit/page.js";
import { textOf } from "../kit/pieces.js";
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
 * @typedef {(asked: Asked|null) => Promise<boolean>} Ask resolves to whether the class heard it
 */

const CANDIDATES = 4; // tokens to choose from
const BEFORE = 60; // characters of the translation that a question about the next token names

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

/** Calls `ask` whenever a lesson asks something, and with null when it goes on; what was not heard
 * is asked at the next `look`. @param {Ask} ask */
export function watchLesson(ask) {
  /** @type {string|null|undefined} */
  let last; // null: of what was asked last, the class has not heard
  async function look() {
    const asked = lessonQuestion();
    const key = asked?.key;
    if (key === last) return;
    last = key;
    if (!(await ask(asked)) && last === key) last = null;
  }
  return { look, end: quiz.watch(look) };
}

/** Calls `guess` whenever the visitor has guessed in a lesson.
 * @param {(key: string, choice: number) => void} guess */
export function watchGuess(guess) {
  return quiz.watch(({ expected }) => expected !== null && guess(lessonKey(), expected));
}

const both = (/** @type {string} */ text) => ({ en: text, zh: text });
const typedKey = () => `typed.${Date.now().toString(36)}`;

/** A key of the token that is selected: of its step, and of all that is written until then. */
function nextKey() {
  const { step } = page.selection.get();
  const written = page.record.get()?.tgt_out.slice(0, step + 1) ?? [];
  const sum = written.reduce((all, { id }) => (all * 31 + id) % 1_000_003, 7);
  return `next.${step + 1}.${sum}`;
}

/** Ends a question about the next token when the page shows another one.
 * @param {{get: () => {question: Question|null}}} now @param {Ask} ask */
export function watchNext(now, ask) {
  const look = () => {
    const key = now.get().question?.key ?? "";
    if (key.startsWith("next.") && page.record.get() !== null && key !== nextKey()) ask(null);
  };
  const ends = [page.record, page.selection].map((store) => store.watch(look));
  return () => {
    for (const end of ends) end();
  };
}

/** The words of that question, which name those before the token.
 * @param {import("../kit/types.js").Label[]} written */
function nextText(written) {
  const all = [...textOf(written.map(({ piece }) => piece))];
  if (all.length === 0) return page.words["class.ask.first"];
  const before = (all.length > BEFORE ? "… " : "") + all.slice(-BEFORE).join("").trim();
  const { en, zh } = page.words["class.ask.after"];
  return { en: fill(en, { before }), zh: fill(zh, { before }) };
}

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
  const text = nextText(record.tgt_out.slice(0, page.selection.get().step));
  return { key: nextKey(), text, choices, right: all.indexOf(written) };
}

/** What a teacher asks. @param {(asked: Asked|null) => void} ask */
export function askForm(ask) {
  const close = (/** @type {Event} */ { target }) => {
    const sheet = /** @type {Element} */ (target).closest("details");
    if (sheet) sheet.open = false;
  };
  const next = nextToken();
  const askNext = (/** @type {Event} */ event) => {
    ask(next);
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
      <button type="button" ?disabled=${next === null} @click=${askNext}>
        ${page.t("class.ask.next")}</button>
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
