// Repeats the server's answers in the browser: the engine in a worker, with the shipped model's own
// files. It starts from the page's requests, never from the replies.

import { parse } from "../engine/answers/request.js";
import { startEngine } from "../engine/client.js";
import { COMPARED } from "../engine/questions.js";
import { decode } from "../kit/payload.js";
import { requestOf } from "../kit/requests.js";

/**
 * @typedef {object} Again
 * @property {number} bytes of the weights
 * @property {string} sha256 of the weights, from the card
 * @property {() => boolean} isOpen true if the weights are loaded
 * @property {(record: any) => boolean} fits true if a record is from the shipped model
 * @property {(record: any, tell: (progress: any) => void, signal: AbortSignal) =>
 *   Promise<{own: any, sha256: string, answers: Answered[], known: any}>} run resolves to the
 *   browser's own record, the SHA-256 of its weights, the views' answers about it, and the list of
 *   their questions
 *
 * @typedef {{question: string, args: any, shown: any, own: any}} Answered by Python, and here
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
  /** @type {ReturnType<typeof startEngine>|null} */
  let engine = null;
  /** @type {{sha256: string}|null} */
  let opened = null;

  /** The engine with its model; stopping a call meanwhile takes it down. */
  async function open(tell, /** @type {AbortSignal} */ signal) {
    if (engine !== null && opened !== null) return { engine, opened };
    const begun = startEngine();
    const stop = () => begun.end();
    signal.addEventListener("abort", stop, { once: true });
    try {
      const found = await unlessStopped(begun.call("open", { files, about: sheet }, tell), signal);
      [engine, opened] = [begun, found];
      return { engine: begun, opened: found };
    } catch (error) {
      begun.end();
      throw error;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  return {
    ...weights,
    isOpen: () => opened !== null,
    fits: ({ asked }) =>
      asked && facts.models.some((one) => one.key === asked.model && one.name === name),
    async run(record, tell, signal) {
      const { asked } = record;
      const found = await open(tell, signal);
      const { config: settings, ...request } = parse(asked, sheet, facts);
      const made = await found.engine.call("explain", { ...request, settings }, tell, signal);
      const own = await decode({ ...made, model: { ...made.model, key: asked.model } });
      const given = { sheet, facts, request: requestOf(own) };
      const all = page.answers.get(record) ?? [];
      const known = all.filter(({ question }) => COMPARED.includes(question));
      const answers = await answered(known, given, found.engine, signal);
      return { own, sha256: found.opened.sha256, answers, known };
    },
  };
}

/** The views' questions, answered by the engine. @returns {Promise<Answered[]>} */
async function answered(known, { request, ...given }, engine, /** @type {AbortSignal} */ signal) {
  /** @type {Answered[]} */
  const found = [];
  for (const { question, args, payload } of known) {
    const asked = { ...given, request: { ...request, question, arguments: args } };
    const own = await engine.call("ask", asked, () => {}, signal);
    found.push({ question, args, shown: payload, own });
  }
  return found;
}

/** @template T @param {Promise<T>} work @param {AbortSignal} signal @returns {Promise<T>} */
const unlessStopped = (work, signal) =>
  new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
