// One run of the proof: gathers the evidence about a record, part by part, until it is complete, is
// stopped, or a reply fails; it can then resume from there.

import { createMatrices } from "../../../assets/kit/sublayer.js";
import { layerResults } from "./attention.js";
import { gather, nothingYet, openKept } from "./evidence.js";
import { recordProves } from "./identities.js";

/**
 * @typedef {object} Run
 * @property {any} record
 * @property {import("./evidence.js").Evidence} evidence
 * @property {Map<string, Record<string, import("./result.js").Result>>} layers the Results of each
 * @property {Record<string, import("./result.js").Result>} alone the Results of the record alone
 * @property {boolean} isRunning
 * @property {import("../../../assets/kit/types.js").Message|null} error
 */

const STOPPED = new Error("stopped");

/** @returns {Run} */
const newRun = (record) => ({
  record,
  evidence: nothingYet(),
  layers: new Map(),
  alone: recordProves(record),
  isRunning: false,
  error: null,
});

/** The Results of the latest sub-layers. @param {Run} run */
function judge({ record, evidence, layers }) {
  for (const [name, numbers] of evidence.layers) {
    if (layers.has(name)) continue;
    const [kind, index] = name.split(" ");
    layers.set(name, layerResults(record, kind, Number(index), numbers));
  }
}

/**
 * Returns {start, go, stop}: `start(record)` begins a new run and returns it.
 * @param {import("../../../assets/kit/types.js").Page} page @param {() => void} changed
 */
function createRuns(page, changed) {
  const matrices = createMatrices();
  /** @type {Run|null} */
  let current = null;
  const isOn = (/** @type {Run} */ run) => run === current && run.isRunning && !page.signal.aborted;

  /** @returns {Run} */
  function start(record) {
    current = newRun(record);
    go(current);
    return current;
  }

  async function go(/** @type {Run} */ run) {
    run.isRunning = true;
    run.error = null;
    changed();
    try {
      if (page.shared.saved) await openKept(run.evidence, await ask(run, "proof_kept"));
      else
        await gather(run.record, run.evidence, {
          ask: (question, args) => ask(run, question, args),
          arrived: () => arrived(run),
          facts: page.facts,
          matrices,
        });
    } catch (error) {
      if (error === STOPPED) return;
      if (!error.sentence && error.name === "TypeError") reportError(error);
      run.error = error.sentence ? { sentence: error.sentence } : { words: "error.unreachable" };
    }
    run.isRunning = false;
    changed();
  }

  async function ask(/** @type {Run} */ run, /** @type {string} */ question, args = {}) {
    for (;;) {
      if (!isOn(run)) throw STOPPED;
      const reply = await page.ask(question, args, run.record);
      if (!isOn(run)) throw STOPPED;
      if (reply !== null) return reply; // null: a different view asked the same meanwhile
    }
  }

  async function arrived(/** @type {Run} */ run) {
    judge(run);
    changed();
    await new Promise((resolve) => setTimeout(resolve)); // the page stays responsive
  }

  function stop(/** @type {Run} */ run) {
    run.isRunning = false;
    changed();
  }
  return { start, go, stop };
}

/**
 * The run for the current record: `of(record)` begins one if there is none. Includes the result of
 * createRuns.
 * @param {import("../../../assets/kit/types.js").Page} page @param {() => void} changed
 */
export function followRecords(page, changed) {
  const runs = createRuns(page, changed);
  /** @type {Run|null} */
  let current = null;
  function start(record) {
    current = runs.start(record);
    return current;
  }
  return {
    ...runs,
    start,
    of: (/** @type {any} */ record) => (current?.record === record ? current : start(record)),
  };
}
