// A run of the model in the browser: loaded and run at the press of a button, and for the next
// sentence at once if the weights are already loaded.

import { openAnswer } from "./answers.js";
import { compare, difference } from "./compare.js";

export const ROUGH = 1e-3; // of an answer: views also receive scores and states, before any softmax

/**
 * @typedef {object} Rerun of one record
 * @property {any} record
 * @property {any} own the browser's own version of the record; null until it is there
 * @property {string} sha256 of the weights used
 * @property {{name: string, shown: any, own: any}[]} answers to views, Python's and the browser's
 * @property {any} progress {loaded} in bytes, or {step} of the search; null while nothing runs
 * @property {import("../../../assets/kit/types.js").Message|null} error
 */

/** @param {import("../../../assets/kit/types.js").Page} page @param {() => void} changed */
export function createReruns(page, changed) {
  /** @type {Rerun|null} */
  let current = null;
  let life = new AbortController();
  page.signal.addEventListener("abort", () => life.abort());

  /** @returns {Rerun} */
  function take(record) {
    life.abort();
    current = { record, own: null, sha256: "", answers: [], progress: null, error: null };
    return current;
  }

  async function start(record) {
    const run = take(record);
    life = new AbortController();
    const { signal } = life;
    run.progress = page.again.isOpen() ? { step: 1 } : { loaded: 0 };
    changed();
    const tell = (/** @type {any} */ progress) => {
      run.progress = progress;
      changed();
    };
    try {
      const { known, ...made } = await page.again.run(record, tell, signal);
      const answers = await Promise.all(made.answers.map(openAnswer));
      Object.assign(run, { ...made, answers });
      const { rows } = /** @type {import("./compare.js").Comparison} */ (
        found(run, record, page.again.sha256)
      );
      const holds = rows.every(({ off }) => off === 0);
      page.proved.set({ record, holds, at: Date.now(), known });
    } catch (error) {
      if (!signal.aborted)
        run.error = { words: "proof.again.failed", values: { why: error.message } };
    }
    run.progress = null;
    changed();
  }

  function of(record) {
    if (current?.record === record) return current;
    if (page.again.isOpen()) start(record);
    else take(record);
    return /** @type {Rerun} */ (/** @type {unknown} */ (current));
  }
  return { start, stop: () => life.abort(), of };
}

/**
 * The result of a rerun for a record as shown, the weights first; null until it is there.
 * @param {Rerun} run @param {any} shown @param {string} card the card's SHA-256
 */
export function found({ own, sha256, answers }, shown, card) {
  if (own === null) return null;
  const { rows, tie } = compare(shown, own);
  const of = (/** @type {"shown"|"own"} */ side) =>
    Object.fromEntries(answers.map((one) => [one.name, one[side]]));
  const asked = difference("answers", of("shown"), of("own"), ROUGH);
  return { rows: [difference("weights", card, sha256), ...rows, asked], tie };
}
