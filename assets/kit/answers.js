// The questions of a declared view and their answers.

import { createRequest, lasting } from "./request.js";

/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Rec} Rec */
/** @typedef {import("./exhibit.js").View} View */
/** @typedef {import("./exhibit.js").Scene} Scene */

/** The recorded example of the start: no model is there to ask, but it may hold an answer. */
const WAITING = { value: null, waiting: true, error: null, retry: () => {} };

/**
 * Answers to the view's questions: to its own, null where there is none; and to further ones. They
 * go out one after another, since only the newest question of a page is answered.
 * @param {View} view @param {any} engine the view's @param {Page} page @param {() => void} changed
 */
export function createAnswers(view, engine, page, changed) {
  const { ask, prepare = (reply) => reply, add = () => ({}) } = view;
  /** @type {Parameters<typeof createRequest>[2]} */
  const how = {
    changed,
    prepare: (reply, record, args) => prepare(reply, record, args, engine),
    add: (args, record) => add(args, record, engine),
    isShown: (answer) => shown.has(answer) || before.has(answer),
  };
  const about = new Map(); // question -> about(record, args)
  const steady = new Map(); // the same by kind of answer, which stays until the next is there
  let [before, shown] = [new Set(), new Set()]; // answers that the last two drawings looked at
  let isWaiting = false; // for an answer that this drawing wants
  const aboutOf = (/** @type {string} */ name) => {
    if (!about.has(name)) about.set(name, createRequest(page, name, how));
    return about.get(name);
  };
  return {
    own(/** @type {Scene} */ s) {
      const question = ask?.(s);
      isWaiting = false;
      [before, shown] = [shown, new Set()];
      if (!question) return null;
      const [name, args, subject = s.record, kind = name] = question;
      if (s.record.recorded && !s.record.answers?.[name]) return WAITING;
      if (!steady.has(kind)) steady.set(kind, lasting(aboutOf(name)));
      const answer = steady.get(kind)(subject, args, s.record);
      shown.add(about.get(name).peek(subject, args));
      isWaiting = answer.waiting;
      return answer;
    },
    further:
      (/** @type {Rec} */ record) =>
      (/** @type {string} */ name, /** @type {object} */ args, subject = record) => {
        const known = aboutOf(name).peek(subject, args);
        if (known === null && (isWaiting || record.recorded)) return WAITING;
        const answer = known ?? aboutOf(name)(subject, args);
        shown.add(answer);
        isWaiting ||= answer.waiting;
        return answer;
      },
  };
}
