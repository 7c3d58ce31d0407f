// A run of the model in the browser: loaded and run at the press of a button, and for the next
// sentence at once if the weights are already loaded.

import { lostOf } from "../../../assets/kit/lost.js";
import { answersAbout, namedAs, RECORD } from "../../../assets/kit/proved.js";
import { keyParts, linesOnShow } from "../../../assets/kit/readersline.js";
import { compareAnswer } from "./answers.js";
import { compare, difference } from "./compare.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("../../../assets/kit/types.js").Rec} Rec */
/** @typedef {import("../../../assets/kit/types.js").Again} Again */
/** @typedef {import("../../../assets/kit/types.js").Asked} Asked */
/** @typedef {import("./compare.js").Row} Row */
/** The reader's lines that were compared: their keys; and the lost words, if there are any.
 * @typedef {{keys: string[], rows: Row[], isLostProved: boolean}} Lines */
/** The browser's own answers. @typedef {Pick<import("../../../assets/kit/types.js").Run,
 *   "ask"|"repeat">} Repeats */

/**
 * @typedef {object} Rerun of one record
 * @property {Rec} record
 * @property {Rec|null} own the browser's own version of the record; null until it is there
 * @property {import("../../../assets/kit/types.js").Weights|null} weights as announced; null until
 *   they are known, or where there are none
 * @property {string} sha256 of the weights used
 * @property {boolean} isGiven its tokens are the page's
 * @property {number[]} ties steps of the search with equal candidates, compared in the order shown
 * @property {Map<Asked, Row|null>} answers the comparisons of the answers to views; null: the
 *   browser has none of its own
 * @property {Lines|null} lines the comparison of the reader's lines; null: there was none
 * @property {Repeats|null} repeats null until the browser's own version is there
 * @property {import("../../../assets/kit/types.js").Progress|null} progress null while nothing runs
 * @property {import("../../../assets/kit/types.js").Message|null} error
 */

const UNTOUCHED = {
  weights: null,
  own: null,
  lines: null,
  sha256: "",
  isGiven: false,
  ties: [],
  repeats: null,
  progress: null,
  error: null,
};

/**
 * The run of the record on the page: `of` gives it, and begins one if the weights are loaded.
 * @typedef {{isOpen: Again["isOpen"], start: (record: Rec) => Promise<void>, stop: () => void,
 *   of: (record: Rec) => Rerun}} Reruns
 *
 * @param {Page} page @param {Again} again @param {() => void} changed @returns {Reruns}
 */
export function createReruns(page, again, changed) {
  /** @type {Rerun|null} */
  let current = null;
  let life = new AbortController();
  page.signal.addEventListener("abort", () => life.abort());

  function take(/** @type {Rec} */ record) {
    life.abort();
    /** @type {Rerun} */
    const run = { record, answers: new Map(), ...UNTOUCHED };
    current = run;
    return run;
  }

  async function start(/** @type {Rec} */ record) {
    const weights = current !== null && current.record === record ? current.weights : null;
    const run = take(record);
    run.weights = weights;
    life = new AbortController();
    const { signal } = life;
    run.progress = again.isOpen(record) ? { step: 1 } : { loaded: 0 };
    changed();
    /** @type {Parameters<Again["run"]>[1]} */
    const tell = (progress) => {
      run.progress = progress;
      changed();
    };
    await attempt(run, signal, async () => {
      run.weights ??= await again.measure(record);
      const { ask, repeat, ...made } = await again.run(record, tell, signal);
      const repeats = { ask, repeat };
      await compareAnswers(page, run, repeats);
      const lines = await compareLines({ page, again, record }, tell, signal);
      Object.assign(run, { ...made, repeats, lines });
      const rows = compared(run, record) ?? [];
      const holds = rows.every(({ name, off }) => name === "answers" || off === 0);
      const { keys = [], isLostProved = false } = lines ?? {};
      const proved = { record, holds, at: Date.now(), answers: resultsOf(run) };
      page.proved.set({ ...proved, lines: keys, isLostProved });
    });
    changed();
  }

  page.kept.watch(() => current && compareLate(page, current, life.signal, changed));

  function of(/** @type {Rec} */ record) {
    if (current?.record === record) return current;
    if (again.isOpen(record)) start(record);
    else measure(again, take(record)).then(changed);
    return /** @type {Rerun} */ (/** @type {unknown} */ (current));
  }
  return { isOpen: again.isOpen, start, stop: () => life.abort(), of };
}

/** Finds the size of the weights, or the sentence that says why there are none.
 * @param {Again} again @param {Rerun} run */
async function measure(again, run) {
  try {
    run.weights = await again.measure(run.record);
  } catch (error) {
    run.error = messageOf(error);
  }
}

/** The server's own sentence, or why the browser failed.
 * @returns {import("../../../assets/kit/types.js").Message} */
const messageOf = (/** @type {any} */ { sentence, message }) =>
  sentence ? { sentence } : { words: "proof.again.failed", values: { why: message } };

/** Some work for a run; if it fails, the run says why, unless it was stopped.
 * @param {Rerun} run @param {AbortSignal} signal @param {() => Promise<void>} work */
async function attempt(run, signal, work) {
  try {
    await work();
  } catch (error) {
    if (!signal.aborted) run.error = messageOf(error);
  }
  run.progress = null;
}

/** Compares what views received after a run, so that their marks need no second press.
 * @param {Page} page @param {Rerun} run @param {AbortSignal} signal @param {() => void} changed */
async function compareLate(page, run, signal, changed) {
  const { repeats } = run;
  if (repeats === null || run.progress || run.record !== page.record.get()) return;
  run.progress = { step: 1 };
  await attempt(run, signal, async () => {
    await compareAnswers(page, run, repeats);
    if (!signal.aborted) page.proved.merge({ answers: resultsOf(run) });
  });
  changed();
}

/** Whether each answer that was compared is the same. @param {Rerun} run */
function resultsOf({ answers }) {
  /** @type {Map<Asked, boolean>} */
  const results = new Map();
  for (const [one, row] of answers) {
    if (row !== null) results.set(one, row.count > 0 && row.off === 0);
  }
  return results;
}

/** Compares the answers that are still whole and were not compared yet, and those that arrive
 * meanwhile. @param {Page} page @param {Rerun} run @param {Repeats} repeats */
async function compareAnswers(page, run, repeats) {
  const comparable = page.again?.compared ?? [];
  const next = () =>
    answersAbout(page, run.record).find(
      (one) => one.payload !== null && namedAs(one, comparable) === null && !run.answers.has(one),
    );
  for (let one = next(); one; one = next()) run.answers.set(one, await compareOne(one, repeats));
}

/** Compares the reader's lines on show, as many as one request has, and the lost words with those
 * of the model that wrote them; null if there are none, or its weights are not here.
 * @param {{page: Page, again: Again, record: Rec}} given
 * @param {Parameters<Again["run"]>[1]} tell
 * @param {AbortSignal} signal @returns {Promise<Lines|null>} */
async function compareLines({ page, again, record }, tell, signal) {
  const [all, lost] = [linesOnShow(page), lostOf(page, record)];
  const model = lost?.model ?? (all.length > 0 ? keyParts(all[0][0])[0] : null);
  if (model === null) return null;
  const shown = all
    .filter(([key]) => keyParts(key)[0] === model)
    .slice(0, page.shared.lines - (lost ? 1 : 0));
  const keys = shown.map(([key]) => key);
  const about = lost ? { texts: [lost.translation], of: lost.text } : { texts: [] };
  const args = { ...about, texts: [...about.texts, ...keys.map((key) => keyParts(key)[1])] };
  const own = await again.lines(model, args, tell, signal).catch(() => null); // named, then
  signal.throwIfAborted();
  if (own === null) return null;
  const lines = own.lines.slice(about.texts.length);
  const rows =
    keys.length > 0
      ? [
          difference(
            "lines",
            shown.map(([, line]) => line),
            lines,
          ),
        ]
      : [];
  if (lost) rows.push(difference("lost", lost.words, own.lost));
  return { keys, rows, isLostProved: lost !== null };
}

/** @param {Asked} answer still whole
 * @param {Repeats} repeats */
async function compareOne(answer, { ask, repeat }) {
  const { request, question, payload } = answer;
  return question === RECORD
    ? compareRecord(payload, await repeat({ ...payload, asked: request }))
    : compareAnswer(answer, (args) => ask(request, question, args));
}

/** A record that a view asked for beside the browser's own; one that the engine refuses differs.
 * @param {Rec} shown @param {Rec|{refused: string}|null} own null: it cannot make it */
function compareRecord(shown, own) {
  if (own === null) return null;
  if ("refused" in own) return difference(RECORD, shown.translation, own);
  return together(RECORD, compare(shown, own));
}

/**
 * The comparisons of a rerun with a record as shown, the weights first; null until it is there.
 * @param {Rerun} run @param {Rec} shown
 * @returns {Row[]|null}
 */
export function compared({ own, sha256, answers, lines, weights }, shown) {
  if (own === null || weights === null) return null;
  return [
    difference("weights", weights.sha256, sha256),
    ...compare(shown, own),
    together("answers", rowsOf(answers)),
    ...(lines?.rows ?? []),
  ];
}

/** @param {Rerun["answers"]} answers */
const rowsOf = (answers) => [...answers.values()].filter((row) => row !== null);

/** Some comparisons as one. @param {string} name @param {Row[]} rows */
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
