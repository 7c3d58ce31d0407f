// The question of a lesson, which a class is asked by itself. The server counts the guesses; a page
// learns the counts and the answer when the teacher shows them.

import { lessonsOf } from "../../kit/lessons.js";
import { valueText } from "../../kit/values.js";
import { quiz } from "../lesson.js";
import { lessonModel } from "../model.js";
import { page } from "../state.js";

/** @typedef {import("../../kit/types.js").Texts} Texts */
/**
 * @typedef {{label: Texts, value: string}} Choice `value`: the model's number
 * @typedef {{key: string, text: Texts, choices: Choice[], right: number|null}} Asked
 * @typedef {Asked & {own: number|null, isShown: boolean, counts: number[]}} Question without the
 *   answer and the counts until they are shown
 * @typedef {(asked: Asked|null) => Promise<boolean>} Ask resolves to whether the class heard it
 */

/** The lesson's question that is on the page, by a key; another model makes it another question. */
export function lessonKey() {
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
