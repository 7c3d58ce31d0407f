// The worker of a page without a server: it answers requests for explanations and questions of
// views in place of Python. assets/shell/published.js talks to it.
//
//   to the worker                               what comes back
//   {kind: "begin", facts, folders}
//   {kind: "ask", channel, request}             {kind: "loading", done, all} in bytes, where the
//                                               model is not there yet; {kind: "reply", channel, reply}
//
// `folders` has the address of each model's files by its key. A reply is {number, payload} or
// {number, refusal: {message, key, values}}.

import { createExplainer } from "./answers/explainer.js";
import { parse, refusal } from "./answers/request.js";
import { withWeights } from "./answers/training.js";
import { Engine, finish, openEngine, openServed } from "./engine.js";
import { Network } from "./network.js";
import { payloadOf } from "./payload.js";
import { ask } from "./questions.js";
import { openWeights, restored } from "./weights.js";

/** @typedef {(file: string, tell?: (done: number) => void) => Promise<ArrayBuffer>} Fetch */

const ORDER = ["explanation", "question", "lines"]; // of the channels
const MAX_KEPT = 8; // explanations; one of 20 tokens takes half a megabyte
const GZIP = [0x1f, 0x8b]; // what such a file begins with

/**
 * Answers the requests of a page about some models, each opened on its first request.
 * @param {any} facts the page's @param {(key: string) => Fetch|null} filesOf those of a model
 * @param {(done: number, all: number) => void} [tell] progress of loading a model's weights
 */
export function createAnswerer(facts, filesOf, tell = () => {}) {
  /** @type {Map<string, Promise<{explainer: any, about: any}>>} */
  const opened = new Map();
  /** @type {Map<string, Promise<any>>} */
  const kept = new Map(); // explanations by their request

  function modelOf(/** @type {string} */ key) {
    const fetchFile = filesOf(key);
    if (fetchFile === null) {
      if (key.startsWith(facts.trained)) throw refusal("published.server");
      throw refusal("error.model_unknown", { name: key.slice(0, 60) });
    }
    const { bytes } = facts.published.models[key];
    const model =
      opened.get(key) ??
      openModel(facts, key, fetchFile, (/** @type {number} */ n) => tell(n, bytes)).catch(
        (error) => {
          opened.delete(key); // the next request tries again
          throw error.key ? error : refusal("published.failed");
        },
      );
    opened.set(key, model);
    return model;
  }

  /** @param {any} given @returns {Promise<any>} */
  async function payload({ more, ...given }) {
    const { explainer, about } = await modelOf(given.model || facts.models[0].key);
    if (given.question !== undefined) return ask(explainer, given);
    if (more) return Promise.all([given, ...more].map(payload));
    const name = JSON.stringify(given);
    const known = kept.get(name) ?? explained(explainer, about, given);
    kept.delete(name);
    kept.set(name, known); // a refusal too: the same request is refused again
    for (const old of kept.keys()) if (kept.size > MAX_KEPT) kept.delete(old);
    return known;
  }

  /** @param {import("./answers/explainer.js").Explainer} explainer
   * @param {import("./payload.js").About} about @param {any} given */
  async function explained(explainer, about, given) {
    const request = parse(given, explainer.sheet, facts);
    const { engine } = await withWeights(explainer, request.weights);
    const found = finish(engine.explain({ ...request, settings: request.config }));
    return payloadOf(engine, found, about, request);
  }

  /** The reply to a request of the page. */
  async function reply(/** @type {any} */ { number, ...request }) {
    try {
      return { number, payload: await payload(request) };
    } catch (error) {
      const { message, key = null, values = {} } = error;
      return { number, refusal: { message, key, values } };
    }
  }

  return { modelOf, reply };
}

const jsonOf = (/** @type {Fetch} */ fetchFile) => async (/** @type {string} */ name) =>
  JSON.parse(new TextDecoder().decode(await fetchFile(name)));

/** @param {any} facts @param {string} key @param {Fetch} fetchFile */
async function openModel(facts, key, fetchFile, /** @type {(done: number) => void} */ tell) {
  const sheet = await jsonOf(fetchFile)("sheet.json");
  const engine = sheet.cutter
    ? await openForeign(sheet, fetchFile, tell)
    : await openOwn(sheet, fetchFile, tell);
  const open = otherWeights(engine, sheet, fetchFile);
  const { name, revision, defaults, examples, codes, beams, notes, languages, training } = sheet;
  const own = { examples, codes, beams, notes, languages, training };
  const about = { key, name, revision, defaults, ...own };
  return { explainer: createExplainer(engine, { sheet, facts, open }), about };
}

/** A model in one of our formats. @param {any} sheet @param {Fetch} fetchFile
 * @param {(done: number) => void} tell */
async function openOwn(sheet, fetchFile, tell) {
  const json = jsonOf(fetchFile);
  return openEngine({
    config: await json("config.json"),
    weights: await fetchFile("model.safetensors", tell),
    tokenizers: await Promise.all(sheet.tokenizers.map((/** @type {string} */ n) => fetchFile(n))),
    thresholds: sheet.thresholds,
    glossary: sheet.glossary ? await json("gloss.json") : null,
  });
}

/** A model of another family, with what cuts for it. @param {any} sheet @param {Fetch} fetchFile
 * @param {(done: number) => void} tell */
async function openForeign(sheet, fetchFile, tell) {
  const { openTokenizer } = await import("./foreign.js");
  const tokenizer = await openTokenizer(sheet, fetchFile);
  return openServed(sheet, await fetchFile("model.safetensors", tell), tokenizer);
}

/** Opens the same model with the weights of a different file, kept until the next is requested. */
function otherWeights(
  /** @type {Engine} */ engine,
  /** @type {any} */ sheet,
  /** @type {Fetch} */ fetchFile,
) {
  const none = { file: "", engine: /** @type {Promise<Engine|null>} */ (Promise.resolve(null)) };
  let last = none;
  async function opened(/** @type {string} */ file) {
    const own = restored(openWeights(await inflated(await fetchFile(file))));
    const network = new Network(
      engine.network.config,
      new Map([...engine.network.weights, ...own]),
    );
    return new Engine(network, engine.tokenizer, engine);
  }
  return (/** @type {string} */ file) => {
    if (!sheet.others.includes(file)) return none.engine;
    if (last.file === file) return last.engine; // perhaps still being fetched, for another record
    const next = { file, engine: opened(file) };
    last = next;
    next.engine.catch(() => {
      if (last === next) last = none; // the next request tries again
    });
    return next.engine;
  };
}

/**
 * A file that is packed with gzip, unless the host has unpacked it already. @param {ArrayBuffer}
 * file
 */
async function inflated(file) {
  const start = new Uint8Array(file, 0, GZIP.length);
  if (GZIP.some((byte, i) => start[i] !== byte)) return file;
  const stream = new Blob([file]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

// ------------------------------------------------------------------- the messages

/**
 * Fetches files by their addresses; tells how many bytes have come.
 * @param {Record<string, string>} addresses @returns {Fetch}
 */
const fetchFrom = (addresses) => async (file, tell) => {
  const response = await fetch(addresses[file]);
  if (!response.ok || response.body === null)
    throw new Error(`${file} could not be fetched (${response.status}).`);
  if (tell === undefined) return response.arrayBuffer();
  const parts = [];
  let done = 0;
  const reader = response.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    done += part.value.length;
    tell(done);
  }
  return new Blob(parts).arrayBuffer();
};

/** Answers the messages of a worker's scope, or of a port: an explanation before the questions that
 * wait, and these before the reader's lines. */
export function serve(/** @type {any} */ scope) {
  /** @type {ReturnType<typeof createAnswerer>} */
  let answerer;
  /** @type {{channel: string, request: any}[]} */
  const waiting = [];
  let isRunning = false;

  /** @param {{facts: any, folders: Record<string, Record<string, string>>}} given */
  function begin({ facts, folders }) {
    const filesOf = (/** @type {string} */ key) =>
      Object.hasOwn(folders, key) ? fetchFrom(folders[key]) : null;
    const tell = (/** @type {number} */ done, /** @type {number} */ all) =>
      scope.postMessage({ kind: "loading", done, all });
    answerer = createAnswerer(facts, filesOf, tell);
  }

  async function pump() {
    if (isRunning) return;
    isRunning = true;
    while (waiting.length > 0) {
      const first = Math.min(...waiting.map(({ channel }) => ORDER.indexOf(channel)));
      const place = waiting.findIndex(({ channel }) => channel === ORDER[first]);
      const [{ channel, request }] = waiting.splice(place, 1);
      scope.postMessage({ kind: "reply", channel, reply: await answerer.reply(request) });
    }
    isRunning = false;
  }

  scope.onmessage = (/** @type {any} */ { data }) => {
    if (data.kind === "begin") return begin(data);
    waiting.push(data);
    pump();
  };
}

if (typeof (/** @type {any} */ (globalThis).WorkerGlobalScope) !== "undefined") serve(globalThis);
