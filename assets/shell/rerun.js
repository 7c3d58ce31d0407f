// Repeats the server's answers in the browser: the engine in a worker, with a shipped model's own
// files, or with the weights that the server sends of another model. It starts from the page's
// requests; of the replies it takes only the order of candidates that are equal to rounding, and
// the tokens of a text that it cannot cut itself.

import { parse } from "../engine/answers/request.js";
import { startEngine } from "../engine/client.js";
import { UNKNOWN_TEXT } from "../engine/tokens.js";
import { decode } from "../kit/payload.js";

/** @typedef {import("../kit/types.js").Rec} Rec */
/** @typedef {import("../kit/types.js").Again} Again */
/** @typedef {Parameters<Again["run"]>[1]} Tell */
/** @typedef {Awaited<ReturnType<Again["run"]>>} Run */
/** @typedef {Run["ask"]} Ask */
/** @typedef {{key: string, engine: ReturnType<typeof startEngine>, sha256: string, sheet: any}} Opened */

/** @param {import("../kit/types.js").Shared} facts the page's @param {string} assets
 * @returns {Omit<Again, "compared">} */
export function createRerunner(facts, assets) {
  const route = new URL(assets, window.location.href).href;
  /** @type {Opened|null} */
  let opened = null;
  const listed = new Set(facts.models.map((/** @type {{key: string}} */ { key }) => key));
  // A model trained here has several keys, of which the reply says the shortest.
  const keyOf = (/** @type {Rec} */ { asked, model }) =>
    listed.has(asked.model) ? asked.model : model.key;
  const shippedOf = (/** @type {Rec} */ record) => shippedModel(facts, route, keyOf(record));

  /** The engine with the model of a record. @returns {Promise<Opened>} */
  async function openedFor(
    /** @type {Rec} */ record,
    /** @type {Tell} */ tell,
    /** @type {AbortSignal} */ signal,
  ) {
    const key = keyOf(record);
    if (opened !== null && opened.key === key) return opened;
    opened?.engine.end(); // a browser has room for one
    opened = null;
    const model = shippedOf(record) ?? (await servedModel(route, key, signal));
    const fresh = await open(model, tell, signal);
    opened = fresh;
    return fresh;
  }

  return {
    isOpen: (record) => opened?.key === keyOf(record),
    measure: async (record) => shippedOf(record)?.weights ?? measured(route, keyOf(record)),
    async run(record, tell, signal) {
      const opened = await openedFor(record, tell, signal);
      const made = await run({ record, opened, facts }, tell, signal);
      return { ...made, sha256: opened.sha256 };
    },
    async lines(key, args, tell, signal) {
      const reader = shippedModel(facts, route, key);
      if (reader === null) return null;
      const { engine, sheet } = await open(reader, tell, signal);
      try {
        const request = { question: "lines", arguments: args };
        const call = engine.call("ask", { sheet, facts, request });
        return await unlessStopped(call, signal);
      } finally {
        engine.end(); // the sentence's own stays, for the next one
      }
    },
  };
}

/** A shipped model, from the page's own files; null if the key is another's, or it is too large.
 * @param {import("../kit/types.js").Shared} facts @param {string} route @param {string} key */
function shippedModel(facts, route, key) {
  const { name, weights } = facts.models.find((one) => one.key === key) ?? { weights: null };
  if (weights === null) return null;
  const folder = `${route}model/${name}/`;
  const files = {
    config: `${folder}config.json`,
    weights: `${folder}model.safetensors`,
    tokenizers: [`${folder}source.spm`, `${folder}target.spm`],
    thresholds: `${folder}doubt.json`,
    glossary: `${folder}gloss.json`,
  };
  const sheet = { name, revision: null, defaults: facts.defaults, examples: [] };
  return { key, weights: { ...weights, isShipped: true }, files, sheet };
}

/** @param {string} route @param {string} key @returns {Promise<import("../kit/types.js").Weights>} */
async function measured(route, key) {
  const reply = await fetch(`${route}weights/${key}`, { method: "HEAD" });
  if (!reply.ok) await sheetOf(route, key); // which says why there are none
  const [bytes, tag] = ["content-length", "etag"].map((name) => reply.headers.get(name) ?? "");
  return { bytes: Number(bytes), sha256: tag.replaceAll('"', ""), isShipped: false };
}

/** What the engine needs beside the weights. @param {string} route @param {string} key
 * @param {AbortSignal} [signal] @returns {Promise<any>} */
async function sheetOf(route, key, signal) {
  const reply = await fetch(`${route}engine/${key}`, { signal });
  const said = await reply.json();
  if (!reply.ok) throw Object.assign(new Error(said.message.en), { sentence: said.message });
  return said;
}

async function servedModel(
  /** @type {string} */ route,
  /** @type {string} */ key,
  /** @type {AbortSignal} */ signal,
) {
  const sheet = await sheetOf(route, key, signal);
  return {
    key,
    files: { weights: `${route}weights/${key}` },
    sheet,
  };
}

/**
 * A model in a new engine; stopping the call meanwhile takes it down.
 * @param {{key: string, files: object, sheet: any}} model @param {Tell} tell
 * @param {AbortSignal} signal @returns {Promise<Opened>}
 */
async function open({ key, files, sheet }, tell, signal) {
  const engine = startEngine();
  const stop = () => engine.end();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const call = engine.call("open", { files, about: sheet }, tell);
    const { sha256 } = await unlessStopped(call, signal);
    return { key, engine, sha256, sheet };
  } catch (error) {
    engine.end();
    throw error;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/**
 * The browser's own version of a record.
 * @param {{record: Rec, opened: Opened, facts: import("../kit/types.js").Shared}} given
 * @param {Tell} tell @param {AbortSignal} signal
 */
async function run({ record, opened: { key, engine, sheet }, facts }, tell, signal) {
  async function repeated(/** @type {Rec} */ shown) {
    const { config: settings, ...request } = parse(shown.asked, sheet, facts);
    const guide = shown.search.steps.map(({ parents, ids }) => ({ parents, ids }));
    const given = { ...request, settings, guide, known: tokensShown(request, shown) };
    const { payload, ...made } = await engine.call("explain", given, tell, signal);
    return { own: await decode({ ...payload, model: { ...payload.model, key } }), ...made };
  }
  /** @template T @param {Promise<T>} work */
  async function unlessRefused(work) {
    try {
      return await work;
    } catch (error) {
      if (signal.aborted) throw error;
      if (error.key === UNKNOWN_TEXT) return null;
      return { refused: error.message }; // which is no answer like the one shown
    }
  }
  /** @type {Ask} */
  const ask = (about, question, args) => {
    const request = { ...about, question, arguments: args };
    return unlessRefused(engine.call("ask", { sheet, facts, request }, tell, signal));
  };
  /** @type {Run["repeat"]} */
  const repeat = (shown) => unlessRefused(repeated(shown).then(({ own }) => own));
  return { ...(await repeated(record)), ask, repeat };
}

/** The tokens of a request that a record shows: of its text, and of a typed beginning.
 * @param {any} request @param {Rec} record */
export const tokensShown = ({ text, begin, prefix, interventions }, record) => ({
  text,
  shown: record.text,
  entries: record.src.slice(0, record.src.length - interventions.padding),
  begin,
  ids: record.prefix.slice(prefix.length),
});

/** @template T @param {Promise<T>} work @param {AbortSignal} signal @returns {Promise<T>} */
const unlessStopped = (work, signal) =>
  new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
