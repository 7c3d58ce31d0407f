// What a teacher asks: a question with choices of its own, or which token the model writes next.

import { percentText } from "../../kit/numbers.js";
import { fill } from "../../kit/page.js";
import { textOf } from "../../kit/pieces.js";
import { html } from "../../vendor/lit-html.js";
import { page } from "../state.js";

/** @typedef {import("./question.js").Asked} Asked */
/** @typedef {import("./question.js").Ask} Ask */
/** @typedef {import("./question.js").Question} Question */

const CANDIDATES = 4; // tokens to choose from
const BEFORE = 60; // characters of the translation that a question about the next token names

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
 * @param {import("../../kit/types.js").Label[]} written */
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
  return html`<details class="hl-class-fold"><summary>${page.t("class.ask")}</summary>
    <form @submit=${send}>
      <label>${page.t("class.ask.text")}<input name="text" required maxlength="150"></label>
      <label>${page.t("class.ask.choices")}<textarea name="choices" rows="3" required
        maxlength="250" @input=${again}></textarea></label>
      <button type="submit" class="hl-primary">${page.t("class.ask.send")}</button>
      <button type="button" ?disabled=${next === null} @click=${askNext}>
        ${page.t("class.ask.next")}</button>
    </form></details>`;
}
