// A question of a view to Python: waiting, answered, or failed with a sentence and a way to retry.

import { html } from "../vendor/lit-html.js";
import { drawn } from "./elements.js";

/**
 * @template [T=any]
 * @typedef {object} Answer
 * @property {T|null} value Python's reply, prepared; null until it arrives
 * @property {boolean} waiting
 * @property {import("./types.js").Message|null} error
 * @property {() => void} retry asks again
 */

/**
 * Returns about(record, args): the Answer to `question` with `args` about that record. It is asked
 * once and kept as long as the record; `changed` is called whenever an answer changes. Only the
 * newest question is sent: a superseded one is asked again when needed again. Beyond `most(record)`
 * answers about one record, the oldest are dropped.
 * @param {import("./types.js").Page} page
 * @param {string} question
 * @param {{changed: () => void, prepare?: (reply: any, record: any, args: any) => any,
 *   add?: (args: any, record: any) => object, most?: (record: any) => number,
 *   isShown?: (answer: Answer) => boolean}} how `add` gives
 *   arguments that are worked out when the question goes out; the answer does not depend on them
 */
export function createRequest(page, question, how) {
  const { changed, prepare = (reply) => reply, add = () => ({}), most = () => Infinity } = how;
  const { isShown = () => true } = how;
  /** @type {WeakMap<object, Map<string, Answer>>} */
  const kept = new WeakMap();

  /** @param {any} record @param {object} args @returns {Answer} */
  function about(record, args = {}) {
    const answers = kept.get(record) ?? new Map();
    kept.set(record, answers);
    const key = JSON.stringify(args);
    const known = answers.get(key);
    if (known !== undefined) return known;
    /** @type {Answer} */
    const answer = { value: null, waiting: true, error: null, retry };
    answers.set(key, answer);
    for (const old of answers.keys()) if (answers.size > most(record)) answers.delete(old);

    function retry() {
      send().then(() => {}, reportError);
      changed(); // the sentence makes room for the sign of work
    }

    async function send() {
      Object.assign(answer, { waiting: true, error: null });
      try {
        const reply = await page.ask(
          question,
          { ...args, ...add(args, record) },
          record,
          undefined,
          () => isShown(answer),
        );
        if (reply === null) {
          answers.delete(key); // overtaken
          await drawn(); // two views that overtake each other would leave no time for anything else
        } else answer.value = await prepare(reply, record, args);
      } catch (error) {
        const { sentence, isAway } = error;
        answer.error = sentence ? { sentence, isAway } : { words: "error.unreachable" };
      } finally {
        answer.waiting = false;
        if (!page.signal.aborted) changed();
      }
    }
    send().then(() => {}, reportError);
    return answer;
  }
  /**
   * The answer that is known or pending, without asking. @param {any} record @param {object} args
   */
  const peek = (record, args = {}) => kept.get(record)?.get(JSON.stringify(args)) ?? null;
  return Object.assign(about, { peek });
}

/**
 * The same about(record, args), but while an answer is pending it returns the previous one, so that
 * the page keeps its content until something newer replaces it. This holds for the same `base`, by
 * default the record itself.
 * @param {(record: any, args?: object) => Answer} about
 */
export function lasting(about) {
  /** @type {{record: any, value: any}} */
  let last = { record: null, value: null };
  return (/** @type {any} */ record, args = {}, base = record) => {
    const answer = about(record, args);
    if (answer.value !== null) last = { record: base, value: answer.value };
    const bridges = answer.value === null && answer.error === null && last.record === base;
    return bridges ? { ...answer, value: last.value } : answer;
  };
}

/**
 * All turns of a long answer (explorer/exchange/turns.py), each asked after the previous one: the
 * values so far, and the first missing Answer; null when all are there.
 * @param {(record: any, args: object) => Answer} about
 * @param {any} record
 * @param {object} [args]
 */
export function inTurns(about, record, args = {}) {
  const values = [];
  for (let first = 0; first !== null; first = values.at(-1).next) {
    const answer = about(record, { ...args, first });
    if (answer.value === null) return { values, open: answer };
    values.push(answer.value);
  }
  return { values, open: null };
}

/**
 * The placeholder for a missing answer: a quiet sign of work, or the message and a button.
 * @param {import("./types.js").Page} page
 * @param {Answer} answer
 */
export function pending(page, answer) {
  if (answer.error === null) {
    return html`<p class="hl-pending" role="status">${page.t("request.waiting")}</p>`;
  }
  // A question that cannot be answered here is not a failure, and a retry is useless.
  if (answer.error.isAway) return html`<p class="hl-away">${sentenceOf(page, answer.error)}</p>`;
  return html`<p class="hl-failed" role="alert">
    ${sentenceOf(page, answer.error)}
    <button type="button" @click=${() => answer.retry()}>${page.t("request.retry")}</button>
  </p>`;
}

/**
 * @param {import("./types.js").Page} page
 * @param {any} message
 */
export const sentenceOf = (page, message) =>
  message.sentence?.[page.language.get()] ?? page.t(message.words, message.values);
