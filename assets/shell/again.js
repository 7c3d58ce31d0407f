// Repeats the server's answers in the browser: the engine in a worker, with the shipped model's own
// files. It starts from the page's requests; of the replies it takes only the order of candidates
// that are equal to rounding.

import { parse } from "../engine/answers/request.js";
import { startEngine } from "../engine/client.js";
import { COMPARED } from "../engine/questions.js";
import { decode } from "../kit/payload.js";

/**
 * @typedef {object} Again
 * @property {string[]} compared the questions of views that it can answer
 * @property {(record: any) => number} bytes of the weights
 * @property {(record: any) => string} sha256 of the weights, as announced
 * @property {(record: any) => boolean} isOpen true if the weights are loaded
 * @property {(record: any) => boolean} fits true if the model of a record can be run
 * @property {(record: any, tell: Tell, signal: AbortSignal) => Promise<Run>} run
 *
 * @typedef {(progress: any) => void} Tell
 * @typedef {{own: any, ties: number[], sha256: string, ask: Ask}} Run the browser's own record, the
 * steps with equal candidates, the SHA-256 of its weights, and a function for the views' questions
 * @typedef {(request: any, question: string, args: any) => Promise<any>} Ask
 * @typedef {{engine: ReturnType<typeof startEngine>, sha256: string, sheet: any}} Opened
 */

/**
 * Runs the shipped model here; null if the page has no server or the weights are too large. @param
 * {any} page @param {string} assets @returns {Again|null}
 */
export function createAgain(page, assets) {
  const facts = page.shared;
  const { name, weights } = facts.shipped;
  if (weights === null || facts.saved || facts.published) return null;
  const folder = new URL(`${assets}model/`, window.location.href).href;
  const sheet = { name, revision: null, defaults: facts.defaults, examples: [] };
  const files = {
    config: `${folder}config.json`,
    weights: `${folder}model.safetensors`,
    tokenizers: [`${folder}source.spm`, `${folder}target.spm`],
    thresholds: `${folder}doubt.json`,
  };
  /** @type {Opened|null} */
  let opened = null;

  return {
    compared: COMPARED,
    bytes: () => weights.bytes,
    sha256: () => weights.sha256,
    isOpen: () => opened !== null,
    fits: ({ asked }) =>
      asked && facts.models.some((one) => one.key === asked.model && one.name === name),
    async run(record, tell, signal) {
      opened ??= await open({ files, sheet }, tell, signal);
      const { ask, ...made } = await run({ record, opened, facts }, tell, signal);
      return { ...made, sha256: opened.sha256, ask };
    },
  };
}

/**
 * A model in a new engine; stopping the call meanwhile takes it down. @returns {Promise<Opened>}
 */
async function open({ files, sheet }, /** @type {Tell} */ tell, /** @type {AbortSignal} */ signal) {
  const engine = startEngine();
  const stop = () => engine.end();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const call = engine.call("open", { files, about: sheet }, tell);
    const { sha256 } = await unlessStopped(call, signal);
    return { engine, sha256, sheet };
  } catch (error) {
    engine.end();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** The browser's own version of a record. */
async function run({ record, opened: { engine, sheet }, facts }, /** @type {Tell} */ tell, signal) {
  const { asked } = record;
  const { config: settings, ...request } = parse(asked, sheet, facts);
  const guide = record.search.steps.map(({ parents, ids }) => ({ parents, ids }));
  const given = { ...request, settings, guide };
  const { payload, ties } = await engine.call("explain", given, tell, signal);
  const own = await decode({ ...payload, model: { ...payload.model, key: asked.model } });
  /** @type {Ask} */
  async function ask(about, question, args) {
    const request = { ...about, question, arguments: args };
    try {
      return await engine.call("ask", { sheet, facts, request }, tell, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      return { refused: error.message }; // which is no answer like the one shown
    }
  }
  return { own, ties, ask };
}

/** @template T @param {Promise<T>} work @param {AbortSignal} signal @returns {Promise<T>} */
const unlessStopped = (work, signal) =>
  new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
