// A run of the model in the browser: loaded and run at the press of a button, and for the next
// sentence at once if the weights are already loaded.

import { answersAbout } from "../../../assets/kit/proved.js";
import { compareAnswer } from "./answers.js";
import { compare, difference } from "./compare.js";

/**
 * @typedef {object} Rerun of one record
 * @property {any} record
 * @property {any} own the browser's own version of the record; null until it is there
 * @property {{bytes: number, sha256: string, isShipped: boolean}|null} weights as announced; null until
 *   they are known, or where there are none
 * @property {string} sha256 of the weights used
 * @property {boolean} isGiven its tokens are the page's
 * @property {number[]} ties steps of the search with equal candidates, compared in the order shown
 * @property {import("./compare.js").Row[]} answers the comparisons of the answers to views
 * @property {any} progress {loaded} in bytes, or {step} of the search; null while nothing runs
 * @property {import("../../../assets/kit/types.js").Message|null} error
 */

const UNTOUCHED = {
  weights: null,
  own: null,
  sha256: "",
  isGiven: false,
  ties: [],
  answers: [],
  progress: null,
  error: null,
};

/** @param {import("../../../assets/kit/types.js").Page} page @param {() => void} changed */
export function createReruns(page, changed) {
  /** @type {Rerun|null} */
  let current = null;
  let life = new AbortController();
  page.signal.addEventListener("abort", () => life.abort());

  /** @returns {Rerun} */
  function take(record) {
    life.abort();
    current = { record, ...UNTOUCHED };
    return current;
  }

  async function start(record) {
    const weights = current !== null && current.record === record ? current.weights : null;
    const run = take(record);
    run.weights = weights;
    life = new AbortController();
    const { signal } = life;
    run.progress = page.again.isOpen(record) ? { step: 1 } : { loaded: 0 };
    changed();
    const tell = (/** @type {any} */ progress) => {
      run.progress = progress;
      changed();
    };
    try {
      run.weights ??= await page.again.measure(record);
      const { ask, ...made } = await page.again.run(record, tell, signal);
      const answers = await compareAnswers(page, record, ask);
      Object.assign(run, { ...made, answers: [...answers.values()] });
      const rows = compared(run, record) ?? [];
      const holds = rows.every(({ name, off }) => name === "answers" || off === 0);
      const results = new Map([...answers].map(([answer, row]) => [answer, isSame(row)]));
      page.proved.set({ record, holds, at: Date.now(), answers: results });
    } catch (error) {
      if (!signal.aborted) run.error = messageOf(error);
    }
    run.progress = null;
    changed();
  }

  function of(record) {
    if (current?.record === record) return current;
    if (page.again.isOpen(record)) start(record);
    else measure(page, take(record)).then(changed);
    return /** @type {Rerun} */ (/** @type {unknown} */ (current));
  }
  return { start, stop: () => life.abort(), of };
}

/** Finds the size of the weights, or the sentence that says why there are none. */
async function measure(page, /** @type {Rerun} */ run) {
  try {
    run.weights = await page.again.measure(run.record);
  } catch (error) {
    run.error = messageOf(error);
  }
}

/** The server's own sentence, or why the browser failed.
 * @returns {import("../../../assets/kit/types.js").Message} */
const messageOf = (/** @type {any} */ { sentence, message }) =>
  sentence ? { sentence } : { words: "proof.again.failed", values: { why: message } };

const isSame = (/** @type {import("./compare.js").Row} */ { count, off }) => count > 0 && off === 0;

/** The comparison of each answer about a record that can be compared. */
async function compareAnswers(page, record, ask) {
  const rows = new Map();
  for (const answer of answersAbout(page, record)) {
    const { request, question, payload } = answer;
    if (payload === null || !page.again.compared.includes(question)) continue;
    const row = await compareAnswer(answer, (args) => ask(request, question, args));
    if (row !== null) rows.set(answer, row);
  }
  return rows;
}

/**
 * The comparisons of a rerun with a record as shown, the weights first; null until it is there.
 * @param {Rerun} run @param {any} shown
 * @returns {import("./compare.js").Row[]|null}
 */
export function compared({ own, sha256, answers, weights }, shown) {
  if (own === null || weights === null) return null;
  return [
    difference("weights", weights.sha256, sha256),
    ...compare(shown, own),
    together("answers", answers),
  ];
}

/** Some comparisons as one. @param {string} name @param {import("./compare.js").Row[]} rows */
function together(name, rows) {
  const sum = (/** @type {"count"|"off"} */ key) => rows.reduce((all, row) => all + row[key], 0);
  const of = (/** @type {"deviation"|"tolerance"} */ key) =>
    Math.max(0, ...rows.map((row) => row[key]));
  const differences = rows.flatMap((row) =>
    row.differences.map((one) => ({ ...one, path: `${row.name} ${one.path}` })),
  );
  const [count, off] = [sum("count"), sum("off")];
  return { name, count, off, deviation: of("deviation"), tolerance: of("tolerance"), differences };
}
