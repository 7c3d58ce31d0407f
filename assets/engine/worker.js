// The engine in a worker, so that the page is never blocked. assets/engine/client.js talks to it.
//
//   to the worker                            from the worker, with the same id
//   {id, act: "open", given: {files, about}}  {progress: {loaded, of}} in bytes, then
//                                             {result: {bytes, sha256, parameters}}
//   {id, act: "explain", given: request}      {progress: {step, of}}, then
//                                             {result: {payload, ties}}
//   {id, act: "ask", given: {sheet, facts, request}}
//                                             {result: the answer to a question of a view}
//   {id, act: "cancel"}                       {cancelled: true} from the call of that id
//
// `files`: {config, weights, tokenizers: [...], thresholds?, glossary?}, each the address of a file or its
// bytes; a model of a server has only weights, and its sheet in `about`. Else `about` is the page's
// description of a model: see `About` of payload.js. A call that fails returns {error: {message,
// key, values}}. Calls run one after the other.

import { createExplainer } from "./answers/explainer.js";
import { openEngine, openServed } from "./engine.js";
import { payloadOf } from "./payload.js";
import { ask as answered } from "./questions.js";
import { Refusal } from "./refusal.js";
import { GivenTokens } from "./tokens.js";
import { sha256 } from "./weights.js";

const PAUSE = 40; // milliseconds of work between two reads of messages

/** A call. @typedef {(given: any, tell: (progress: object) => void, pause: () => Promise<void>)
 *   => Promise<any>} Act */

/** @type {Record<string, Act>} */
export const ACTS = { open, explain, ask };

/** @type {{engine: import("./engine.js").Engine, about: any}|null} */
let opened = null;

/** @type {Act} */
async function open({ files, about }, tell) {
  const weights = await bytesOf(files.weights, tell);
  if (!files.config) {
    opened = { engine: openServed(about, weights), about };
    return described(weights);
  }
  const text = async (/** @type {any} */ file) =>
    file && JSON.parse(new TextDecoder().decode(await bytesOf(file)));
  const engine = openEngine({
    config: await text(files.config),
    weights,
    tokenizers: await Promise.all(
      files.tokenizers.map((/** @type {string} */ file) => bytesOf(file)),
    ),
    thresholds: await text(files.thresholds),
    glossary: await text(files.glossary),
  });
  opened = { engine, about };
  return described(weights);
}

function described(/** @type {ArrayBuffer} */ weights) {
  const sizes = [...(opened?.engine.network.weights.values() ?? [])].map(({ data }) => data.length);
  const parameters = sizes.reduce((sum, size) => sum + size, 0);
  return { bytes: weights.byteLength, sha256: sha256(weights), parameters };
}

/** The search follows `guide` among equal candidates; `ties` are the steps that have some. `known`:
 * the page's tokens, for a tokenizer that is not known here. @type {Act} */
async function explain({ guide = [], known, ...given }, tell, pause) {
  const request = /** @type {import("./engine.js").Request} */ (given);
  if (opened === null) throw new Refusal("No model was opened; open one first.");
  if (given.weights) throw new Refusal("This model was opened without its further weights.");
  const { engine, about } = opened;
  const isGiven = engine.tokenizer instanceof GivenTokens;
  if (engine.tokenizer instanceof GivenTokens) engine.tokenizer.take(known);
  engine.follow(request, guide);
  const explanation = await run(engine.explain(request), tell, pause);
  const payload = await payloadOf(engine, explanation, about);
  return { payload, ties: explanation.search.ties, isGiven };
}

/** Answers of questions.js for a model without its further weight files. @type {Act} */
async function ask({ sheet, facts, request }) {
  if (opened === null) throw new Refusal("No model was opened; open one first.");
  const explainer = createExplainer(opened.engine, { sheet, facts, open: async () => null });
  return answered(explainer, request);
}

/** Runs a generator and reports its progress. @template T @param {Generator<object, T>} work
 * @param {Parameters<Act>[1]} tell @param {Parameters<Act>[2]} pause */
async function run(work, tell, pause) {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    tell(value);
    await pause();
  }
}

/** The bytes of a file that is given or has an address. @param {ArrayBuffer|string} file
 * @param {(progress: object) => void} [tell] */
async function bytesOf(file, tell = () => {}) {
  if (file instanceof ArrayBuffer) return file;
  const response = await fetch(file);
  if (!response.ok || response.body === null)
    throw new Refusal(`The model could not be fetched (${response.status}). Try again.`);
  const of = Number(
    response.headers.get("x-file-length") ?? response.headers.get("content-length"),
  );
  const parts = [];
  let loaded = 0;
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    loaded += part.value.length;
    tell({ loaded, of });
  }
  return new Blob(parts).arrayBuffer();
}

// ------------------------------------------------------------------- the messages

const CANCELLED = Symbol("cancelled");
/** @type {Set<number>} */
const cancelled = new Set();
let turn = Promise.resolve();

/** @param {{id: number, act: string, given: any}} call @param {(message: object) => void} post */
async function answer({ id, act, given }, post) {
  let last = performance.now();
  async function pause() {
    if (performance.now() - last > PAUSE) {
      await nextTask();
      last = performance.now();
    }
    if (cancelled.has(id)) throw CANCELLED;
  }
  try {
    if (cancelled.has(id)) throw CANCELLED;
    post({ id, result: await ACTS[act](given, (progress) => post({ id, progress }), pause) });
  } catch (error) {
    if (error === CANCELLED) post({ id, cancelled: true });
    else post({ id, error: errorOf(error) });
  }
  cancelled.delete(id);
}

/** An error in a form that a message can hold. */
const errorOf = (/** @type {any} */ { message, key = null, values = {} }) => ({
  message,
  key,
  values,
});

/** Lets waiting messages in; a time-out would wait four milliseconds. */
const nextTask = () =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve(undefined);
    };
    port2.postMessage(null);
  });

/** Answers the messages of a worker's scope. @param {any} scope */
export function serve(scope) {
  scope.onmessage = (/** @type {MessageEvent} */ { data }) => {
    if (data.act === "cancel") cancelled.add(data.id);
    else turn = turn.then(() => answer(data, (message) => scope.postMessage(message)));
  };
}

if ("importScripts" in globalThis) serve(globalThis);
