// The card of a lesson, beside any exhibit. It sets up the page when a step begins; then the
// visitor is in control. Nothing blocks: every step can be skipped.

import { button } from "../kit/choice.js";
import { drawn } from "../kit/elements.js";
import { lessonsOf } from "../kit/lessons.js";
import { percentText } from "../kit/numbers.js";
import { NO_LESSON } from "../kit/page.js";
import { FIRST } from "../kit/selection.js";
import { createStore } from "../kit/store.js";
import { valueText } from "../kit/values.js";
import { html, nothing, render } from "../vendor/lit-html.js";
import { read } from "./address.js";
import { open, queryOf, restore } from "./history.js";
import { lessonModel } from "./model.js";
import { page } from "./state.js";

/** @typedef {import("../kit/types.js").Texts} Texts */
/** @typedef {import("../kit/types.js").LessonStep} Step */
/** @typedef {import("../kit/types.js").LessonPlan} Plan */
/** @typedef {import("../kit/types.js").LessonReply} Reply */
/** @typedef {Reply["options"][number]} Option */

/** @type {any} the guess and the model's answer, of the current step; whether all are done */
const FRESH = { expected: null, answer: null, failed: null, folded: false, ended: false };
export const quiz = createStore(FRESH);
/** @type {Map<string, boolean>} whether a first guess was right, by lesson and step */
const guesses = new Map();
/** @type {Map<string, string>} reasons that were written, by lesson and step */
const reasons = new Map();
/** @type {string|null} */
let before = null; // the page's state before the lesson; null if it was opened by a link
const PICTURE = '[data-part="picture"]'; // the element to scroll to if a step names none
const PATIENCE = 10_000; // ms to wait for the element that a step names
const PHONE = 640; // px of a window in which the card lies below the picture

export function mount(/** @type {any} */ root) {
  const card = root.querySelector(".hl-lesson");
  let last = NO_LESSON;
  let isPressed = false; // the lesson was begun by a press
  let isMounted = false;
  const draw = () => {
    const now = page.lesson.get();
    const lesson = lessonOf(now.name);
    card.hidden = lesson === undefined;
    // It is the third column, beside the views.
    const hall = document.querySelector(".hl-hall");
    if (lesson !== undefined && card.parentElement !== hall) hall?.append(card);
    document.body.toggleAttribute("data-lesson", lesson !== undefined);
    const { expected, failed } = quiz.get();
    const isAsked = Boolean(lesson?.steps[now.step].asks) && expected === null && failed === null;
    document.body.toggleAttribute("data-guess", isAsked); // what is to be guessed is not told above
    if (lesson !== undefined) render(cardOf(lesson, now.step), card);
    if (lesson !== undefined && isPressed) card.focus(); // a hidden one would not take it
    isPressed = false;
  };
  page.lesson.watch((now) => {
    if (now === last) return;
    if (last.name === null) {
      before = queryOf();
      // Whoever pressed a button goes on in the card, though it may be gone; a link takes the focus
      // from nobody.
      isPressed = isMounted && Boolean(document.activeElement?.matches("button, body"));
    }
    last = now;
    quiz.set(FRESH);
    look(null);
    scrollCard(null);
    const lesson = lessonOf(now.name);
    if (lesson === undefined) return before === null ? undefined : restore(before);
    const placed = setPage(lesson.steps[now.step]);
    if (lesson.steps[now.step].asks) placed.then(() => fetchAnswer(lesson, now.step));
  });
  // In another language the lesson may speak of another model.
  page.language.watch(() => {
    const { name, step } = page.lesson.get();
    if (name !== null && lessonModel() !== page.current.model) page.lesson.set({ name, step });
  });
  for (const store of [page.lesson, page.language, quiz]) store.watch(draw);
  begin();
  isMounted = true;
}

/** @param {string|null} name @returns {Plan|undefined} */
const lessonOf = (name) => lessonsOf(page).find((one) => one.name === name);

/** A teacher's link opens the page with a lesson, `?lesson=one-head`; so does its file. */
function begin() {
  const asked = new URLSearchParams(window.location.search).get("lesson");
  const name = asked ?? page.shared.published?.lesson ?? null;
  if (lessonOf(name) === undefined) return;
  if (lessonModel() === undefined)
    page.choose({ exhibit: "lessons" }); // which says why not
  else page.lesson.set({ name, step: 0 });
}

/**
 * Sets sentence, settings, exhibit, head and step for the lesson; the answer appears only after the
 * guess. @param {Step} step
 */
async function setPage(step) {
  const { show, then, see } = step;
  const { ranges, interventions, aliases, switches } = page.shared;
  const isGuessed = quiz.get().expected !== null && Boolean(then);
  const query = isGuessed && then ? then : show;
  const asked = read(query, ranges, interventions, aliases, switches);
  const chosen = { labels: FIRST.labels, step: FIRST.step, col: null, ...asked.selection };
  await open(chosen, { ...othersThan(chosen.exhibit), ...asked.choices });
  const { text, settings, shown, request } = asked;
  const fresh = { prefix: [], node: null, interventions: {}, begin: "", model: lessonModel() };
  const trouble = await page.explain({ text, settings, shown, ...fresh, ...request }, chosen);
  if (trouble !== null) return;
  await drawn(); // what the step looks at is there
  const marked = isGuessed ? see : step.look;
  const found = await bringOut(marked || PICTURE);
  look(marked ? found : null);
}

/** Frames what a step is about, and nothing else. */
function look(/** @type {Element|null} */ part) {
  for (const one of document.querySelectorAll("[data-looked]")) one.removeAttribute("data-looked");
  part?.setAttribute("data-looked", "");
}

/** The choices in other views; the view of the step restarts. */
const othersThan = (/** @type {string} */ view) =>
  Object.fromEntries(
    Object.entries(page.choices.get()).filter(([name]) => !name.startsWith(`${view}.`)),
  );

/** Scrolls to a step's element, below the strip of tokens, once its view is there and says all. */
async function bringOut(/** @type {string} */ selector) {
  const { step } = page.lesson.get();
  const until = performance.now() + PATIENCE;
  /** @type {Element|null} */
  let found = null;
  const isThere = () => found !== null && !("asking" in document.body.dataset);
  while (!isThere() && page.lesson.get().step === step && performance.now() < until) {
    await drawn();
    found = document.querySelector(`.hl-panel:not([hidden]) ${selector}`);
  }
  await new Promise(requestAnimationFrame); // the last finding takes lines above the picture
  for (let box = found?.parentElement; box?.closest(".hl-panel"); box = box.parentElement)
    box.scrollTop = 0; // an earlier step may have scrolled it
  found?.scrollIntoView({ block: "nearest" }); // in a picture that scrolls by itself
  if (found !== null) {
    uncover(found);
    uncover(found); // the strip has moved up to where it stays
  }
  return found;
}

/** Scrolls a part between the strip of tokens and, on a phone, the card. */
function uncover(/** @type {Element} */ part) {
  const strip = document.querySelector(".hl-sentence")?.getBoundingClientRect().bottom ?? 0;
  const card = document.querySelector(".hl-lesson"); // it grows once its answers are there
  const most = card === null ? 0 : Number.parseFloat(getComputedStyle(card).maxHeight);
  const floor = window.innerHeight - (window.innerWidth <= PHONE ? most : 0);
  const { top, bottom } = part.getBoundingClientRect();
  if (top < strip || bottom > floor) window.scrollBy(0, top - Math.max(0, strip));
}

/** The step's question, answered by the model in advance; shown after the choice.
 * @param {Plan} lesson @param {number} step */
async function fetchAnswer(lesson, step) {
  const isHere = () => page.lesson.get().name === lesson.name && page.lesson.get().step === step;
  quiz.merge({ failed: null });
  try {
    const answer = await page.ask("lesson", { lesson: lesson.name, step });
    if (isHere() && answer !== null) quiz.merge({ answer });
  } catch (error) {
    const lost = page.words["error.unreachable"];
    if (isHere()) quiz.merge({ failed: error.sentence ?? lost });
  }
}

/** @param {Plan} lesson @param {number} at */
function cardOf(lesson, at) {
  const { t } = page;
  const language = page.language.get();
  const step = lesson.steps[at];
  const { folded, ended } = quiz.get();
  const go = (/** @type {number} */ to) => page.lesson.set({ name: lesson.name, step: to });
  const isLast = at === lesson.steps.length - 1;
  const fold = () => quiz.merge({ folded: !folded });
  if (ended) return endOf(lesson, language);
  return html`<header>
      <p><b>${lesson.title[language]}</b>
        <span>${t("lessons.at", { at: at + 1, count: lesson.steps.length })}</span></p>
      ${button({ label: folded ? "▴" : "▾", title: t("lessons.fold"), onClick: fold })}
      ${button({ label: "×", title: t("lessons.close"), onClick: leave })}
    </header>
    ${folded ? nothing : stepOf(lesson, at, step, language)}
    <footer>
      ${button({ label: t("lessons.back"), disabled: at === 0, onClick: () => go(at - 1) })}
      ${button({ label: t("lessons.show"), onClick: () => setPage(step) })}
      ${button({
        label: t(isLast ? "lessons.end" : "lessons.next"),
        class: "hl-primary",
        onClick: isLast ? () => quiz.merge({ ended: true }) : () => go(at + 1),
      })}
    </footer>`;
}

const leave = () => page.lesson.set(NO_LESSON);

/** After the last step: how many guesses were right, and the next lesson.
 * @param {Plan} lesson @param {string} language */
function endOf({ name, title, learn, steps }, language) {
  const { t } = page;
  const own = steps.flatMap((_, at) => guesses.get(`${name}.${at}`) ?? []);
  const right = own.filter(Boolean).length;
  const all = lessonsOf(page);
  const next = all[all.findIndex((one) => one.name === name) + 1];
  return html`<header><p><b>${title[language]}</b></p></header>
    <div class="hl-lesson-step hl-scrolls" role="status">
      ${own.length > 0 ? html`<h2>${t("lessons.score", { right, count: own.length })}</h2>` : nothing}
      <p>${learn[language]}</p>
      ${before === null ? nothing : html`<p class="hl-note">${t("lessons.done.back")}</p>`}
    </div>
    <footer>
      ${button({ label: t("lessons.back"), onClick: () => quiz.merge({ ended: false }) })}
      ${button({ label: t("lessons.close"), onClick: leave })}
      ${
        next
          ? button({
              label: t("lessons.following", { title: next.title[language] }),
              class: "hl-primary hl-lesson-following",
              onClick: () => page.lesson.set({ name: next.name, step: 0 }),
            })
          : nothing
      }
    </footer>`;
}

const paragraphs = (/** @type {Texts[]} */ texts, /** @type {string} */ language) =>
  texts.map((text) => html`<p>${text[language]}</p>`);

const textOf = (/** @type {Step} */ { show }) => new URLSearchParams(show).get("text");

/** @param {Plan} lesson @param {number} at @param {Step} step @param {string} language */
function stepOf(lesson, at, step, language) {
  const text = textOf(step);
  const isOther = at > 0 && textOf(lesson.steps[at - 1]) !== text;
  return html`<div class="hl-lesson-step hl-scrolls">
    <h2>${step.title[language]}</h2>
    ${at === 0 && before !== null ? html`<p class="hl-note">${page.t("lessons.back.later")}</p>` : nothing}
    ${isOther ? html`<p class="hl-note">${page.t("lessons.other", { text })}</p>` : nothing}
    ${paragraphs(step.told, language)}
    ${step.asks ? question(lesson, at, step, language) : nothing}
    ${step.why.length > 0 ? reason(lesson, at, step, language) : nothing}
  </div>`;
}

/** @param {Plan} lesson @param {number} at @param {Step} step @param {string} language */
function question(lesson, at, step, language) {
  const { t } = page;
  const { expected, answer, failed } = quiz.get();
  if (failed !== null)
    return html`<p class="hl-failed" role="alert">${failed[language]}
      ${button({ label: t("request.retry"), onClick: () => fetchAnswer(lesson, at) })}</p>`;
  if (answer === null) return html`<p role="status">…</p>`;
  if (expected !== null)
    return html`${paragraphs(step.predict, language)} ${revealed(step, expected, answer, language)}`;
  return html`${paragraphs(step.predict, language)}
    <div class="hl-lesson-options" role="group" aria-label=${t("lessons.predict")}>
      ${answer.options.map((/** @type {Option} */ { label }, /** @type {number} */ i) =>
        button({ label: label[language], onClick: () => guess(lesson, at, i) }),
      )}</div>`;
}

/** @param {Plan} lesson @param {number} at @param {number} expected */
async function guess({ name, steps }, at, expected) {
  const [key, step] = [`${name}.${at}`, steps[at]];
  if (!guesses.has(key)) guesses.set(key, expected === quiz.get().answer.right);
  quiz.merge({ expected });
  if (step.then) setPage(step);
  await drawn();
  scrollCard(document.querySelector(".hl-lesson-answers"));
}

/** Scrolls what the card says to a part of it; null: to its beginning. */
function scrollCard(/** @type {Element|null} */ part) {
  const box = document.querySelector(".hl-lesson-step");
  if (box === null) return;
  const topOf = (/** @type {Element} */ one) => one.getBoundingClientRect().top;
  box.scrollTop = part === null ? 0 : box.scrollTop + topOf(part) - topOf(box);
}

/** The model's numbers, the correct option and the visitor's, and the explanation.
 * @param {Step} step @param {number} expected @param {Reply} reply @param {string} language */
function revealed(step, expected, { options, right, margin }, language) {
  const { t } = page;
  const { margin: least } = page.shared.constants.lessons;
  const rightText = options[right].label[language];
  const verdict =
    expected === right ? t("lessons.right") : t("lessons.wrong", { right: rightText });
  const closeCall = t("lessons.close_call", { margin: percentText(margin) });
  const most = Math.max(...options.map(({ value }) => value));
  return html`<ul class="hl-lesson-answers">
      ${options.map((option, i) => {
        const { label, value, shown, change } = option;
        const width = `width:${Math.max(0, (value / most) * 100).toFixed(1)}%`;
        const mark = `${i === right ? "✓ " : ""}${i === expected ? t("lessons.yours") : ""}`;
        return html`<li class=${i === right ? "hl-chosen" : ""}>
          <span>${mark}${label[language]}</span><b>${valueText(option)}</b>
          ${shown === "share" && !change ? html`<i style=${width}></i>` : nothing}</li>`;
      })}
    </ul>
    <div role="status"><p><b>${verdict}</b></p>
      ${margin < least ? html`<p>${closeCall}</p>` : nothing}
      ${paragraphs(step.reveal, language)}</div>`;
}

/** @param {Plan} lesson @param {number} at @param {Step} step @param {string} language */
function reason(lesson, at, step, language) {
  const key = `${lesson.name}.${at}`;
  const keep = (/** @type {import("../kit/types.js").Typed} */ event) =>
    reasons.set(key, event.target.value);
  return html`<label class="hl-lesson-why">${paragraphs(step.why, language)}
    <textarea rows="2" maxlength="1000" .value=${reasons.get(key) ?? ""} @input=${keep}
      placeholder=${page.t("lessons.kept")} aria-label=${page.t("lessons.why")}></textarea></label>`;
}
