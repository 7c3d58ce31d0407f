// A run of the model in the browser: loaded and run at the press of a button, and for the next
// sentence at once if the weights are already loaded.

import { answersAbout } from "../../../assets/kit/proved.js";
import { compareAnswer } from "./answers.js";
import { compare, difference } from "./compare.js";

/**
 * @typedef {object} Rerun of one record
 * @property {any} record
 * @property {any} own the browser's own version of the record; null until it is there
 * @property {string} sha256 of the weights used
 * @property {number[]} ties steps of the search with equal candidates, compared in the order shown
 * @property {import("./compare.js").Row[]} answers the comparisons of the answers to views
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
    current = { record, own: null, sha256: "", ties: [], answers: [], progress: null, error: null };
    return current;
  }

  async function start(record) {
    const run = take(record);
    life = new AbortController();
    const { signal } = life;
    run.progress = page.again.isOpen(record) ? { step: 1 } : { loaded: 0 };
    changed();
    const tell = (/** @type {any} */ progress) => {
      run.progress = progress;
      changed();
    };
    try {
      const { ask, ...made } = await page.again.run(record, tell, signal);
      const answers = await compareAnswers(page, record, ask);
      Object.assign(run, { ...made, answers: [...answers.values()] });
      const rows = compared(run, record, page.again.sha256(record)) ?? [];
      const holds = rows.every(({ name, off }) => name === "answers" || off === 0);
      const results = new Map([...answers].map(([answer, row]) => [answer, isSame(row)]));
      page.proved.set({ record, holds, at: Date.now(), answers: results });
    } catch (error) {
      if (!signal.aborted)
        run.error = { words: "proof.again.failed", values: { why: error.message } };
    }
    run.progress = null;
    changed();
  }

  function of(record) {
    if (current?.record === record) return current;
    if (page.again.isOpen(record)) start(record);
    else take(record);
    return /** @type {Rerun} */ (/** @type {unknown} */ (current));
  }
  return { start, stop: () => life.abort(), of };
}

const isSame = (/** @type {import("./compare.js").Row} */ { count, off }) => count > 0 && off === 0;

/** The comparison of each answer about a record that can be compared. */
async function compareAnswers(page, record, ask) {
  const rows = new Map();
  for (const answer of answersAbout(page, record)) {
    const { request, question, payload } = answer;
    if (payload === null || !page.again.compared.includes(question)) continue;
    rows.set(answer, await compareAnswer(answer, (args) => ask(request, question, args)));
  }
  return rows;
}

/**
 * The comparisons of a rerun with a record as shown, the weights first; null until it is there.
 * @param {Rerun} run @param {any} shown @param {string} announced the SHA-256 of the weights
 * @returns {import("./compare.js").Row[]|null}
 */
export function compared({ own, sha256, answers }, shown, announced) {
  if (own === null) return null;
  const weights = difference("weights", announced, sha256);
  return [weights, ...compare(shown, own), together("answers", answers)];
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
