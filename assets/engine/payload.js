// An explanation for the views, with the same fields as in explorer/exchange/payload.py.

import { pack } from "../kit/packing.js";
import { FATES } from "../kit/payload.js";
import { sourceShares } from "./answers/contribution.js";
import { passOf } from "./answers/explainer.js";
import { PARTS } from "./answers/request.js";
import { added, missing } from "./copied.js";
import { positionKind } from "./edits.js";
import { glossedRecord } from "./gloss.js";
import { tokenEntries, tokenEntry } from "./labels.js";
import { OFF } from "./search.js";

/** @typedef {import("./engine.js").Engine} Engine */
/** @typedef {import("../kit/types.js").Part} Part */
/** @typedef {import("./tokens.js").Tokens} Tokens */
/** @typedef {import("./attention.js").Attention} Attention */

/**
 * @typedef {object} About the page's description of a model
 * @property {string} key @property {string} name @property {string|null} revision
 * @property {any} defaults the settings that its authors chose @property {string[]} examples
 * @property {string[]} [codes] of languages
 * @property {number} [beams] how many the page chose, as the checkpoint names none
 * @property {[string, Record<string, any>][]} [notes] what is said of its files
 * @property {{source: string|null, target: string|null}|null} [languages] of a text without a code
 * @property {{shares: number[], updates: number|null}} [training]
 */

/** @typedef {import("./engine.js").Trace} Trace */

const FORMAT = 2;
const TOP = 8; // next-token candidates shown at each step
const FULL = 65_535; // how a weight of 1 is written
const MAX_RULED = 8; // tokens that a rule names
const RUN = 3; // tokens of a run that should not occur twice in a translation
const LOOKED_AT = 0.1; // of the attention of a layer's heads together, at some step

/**
 * The payload of one explanation, as JSON may hold it.
 * @param {Engine} engine @param {any} explanation the result of `Engine.explain` @param {About}
 * about @param {{weights?: string, parts?: Part[]}} [request]
 */
export async function payloadOf(engine, explanation, about, { weights = "", parts = PARTS } = {}) {
  const { settings, edits, prefix, shown, node, path, search, trace, seconds } = explanation;
  const written = tokenEntries(trace.written);
  const record = {
    format: FORMAT,
    text: trace.src.characters.join(""),
    translation: trace.written.characters.join(""),
    seconds: Number(seconds.toFixed(4)),
    model: { ...modelOf(engine, about), ...(weights ? { weights } : { training: about.training }) },
    settings: chosen(settings),
    interventions: edits.given,
    prefix,
    shown,
    node,
    path,
    src: tokenEntries(trace.src),
    tgt_in: [...tokenEntries(trace.read).slice(0, 1), ...written.slice(0, -1)],
    tgt_out: written,
    hypotheses: hypothesesOf(engine, search),
    ...rulesOf(engine, explanation.src, about.defaults),
    ...(await partsOf(engine, explanation, parts)),
  };
  return glossedRecord(record, engine.glossary);
}

/** The parts of a record that are wanted, and which these are unless it is all of them.
 * @param {Engine} engine @param {any} explanation @param {Part[]} parts */
async function partsOf(engine, explanation, parts) {
  const { search, trace } = explanation;
  /** @type {Record<Part, () => any>} */
  const make = {
    attention: () => mapsOf(trace.attention),
    steps: () => stepsOf(engine, explanation),
    search: async () => ({
      ...(await packedSearch(search.steps, engine)),
      ...(search.isRuled && { ruled: true }),
    }),
    doubt: () => doubtOf(engine, explanation),
  };
  const made = await Promise.all(parts.map(async (name) => [name, await make[name]()]));
  return { ...(parts.length < PARTS.length && { parts }), ...Object.fromEntries(made) };
}

/** @param {Record<string, Attention[]>} attention */
async function mapsOf(attention) {
  const kinds = Object.entries(attention).map(async ([kind, all]) => [kind, await packedMaps(all)]);
  return Object.fromEntries(await Promise.all(kinds));
}

/** Settings as a visitor may choose them; the rules that are off only where some are.
 * @param {any} settings */
const chosen = ({ max_length: _, rules_off: off = [], ...others }) => ({
  ...others,
  ...(off.length > 0 && { rules_off: off }),
});

/** The checkpoint's rules for a source: `_rules` of explorer/exchange/payload.py.
 * @param {Engine} engine @param {any} src of an explanation @param {About["defaults"]} defaults */
function rulesOf(engine, src, defaults) {
  const { is_own: isOwn, ...all } = engine.rulesOf(src);
  /** @type {Record<string, any>} */
  const values = { ...OFF, ...(!isOwn && { ...all, no_repeat: defaults.no_repeat }) };
  const held = Object.entries(OFF).filter(([name, off]) => String(values[name]) !== String(off));
  const rules = held.map(([name]) => {
    const value = values[name];
    const ids = name === "banned" ? value : name.startsWith("forced") ? [value] : [];
    const entry = (/** @type {number} */ id) => tokenEntry(engine.tokenizer.piece(id), id);
    const tokens = ids.slice(0, MAX_RULED).map(entry);
    const shown = name === "banned" ? value.length : value;
    return { name, value: shown, ...(tokens.length > 0 && { tokens }) };
  });
  return rules.length > 0 ? { rules } : {};
}

/** @param {Engine} engine @param {About} about */
const modelOf = (
  { maxTokens, tokenizer, network: { config } },
  { key, name, revision, defaults, examples, codes, beams, notes, languages },
) => ({
  key,
  name,
  device: "browser",
  revision,
  tokens: maxTokens,
  vocabulary: tokenizer.size,
  defaults: chosen(defaults),
  examples,
  codes: codes ?? [],
  ...(beams && { beams }),
  ...(notes && { notes }),
  ...(languages && { languages }),
  ...(["relative", "none"].includes(positionKind(config)) && { positions: positionKind(config) }),
  ...(!config.scaling && { unscaled: true }),
});

/** The weights of one kind; `decodeMaps` of assets/kit/payload.js reads them.
 * @param {Attention[]} layers */
export async function packedMaps(layers) {
  const [{ weights, mask, keys, queries, values }] = layers;
  const [rows, columns] = [queries.length / values[0].length, keys.length];
  const heads = weights.length / (rows * columns);
  const cells = Array.from({ length: rows * columns }, (_, i) => i).filter((i) => mask?.[i] !== 0);
  const whole = new Uint16Array(layers.length * heads * cells.length);
  let at = 0;
  for (const layer of layers) {
    for (let head = 0; head < heads; head += 1) {
      const first = head * rows * columns;
      for (const cell of cells) whole[at++] = Math.round(layer.weights[first + cell] * FULL);
    }
  }
  const bits = new Uint8Array(Math.ceil((rows * columns) / 8));
  for (const cell of cells) bits[cell >> 3] |= 128 >> (cell & 7);
  return {
    layers: layers.length,
    heads,
    queries: rows,
    keys: columns,
    mask: await pack(bits),
    weights: await pack(whole),
  };
}

/** The decoder's predictions and the written token at each position of the traced hypothesis.
 * @param {Engine} engine @param {any} explanation */
const stepsOf = ({ tokenizer }, { trace, search, path }) =>
  trace.steps.map((/** @type {Trace["steps"][0]} */ step, /** @type {number} */ t) => ({
    top: step.ids.slice(0, TOP).map((/** @type {number} */ id, /** @type {number} */ i) => ({
      ...tokenEntry(tokenizer.piece(id), id),
      log_prob: shortest(step.logProbs[i]),
    })),
    chosen: trace.written.ids[t],
    log_prob: shortest(step.logProb),
    entropy: shortest(step.entropy),
    forced: search.steps[t].forced[path[t]] === 1,
  }));

/** The shortest decimal with the same float32 value. @param {number} value */
function shortest(value) {
  const exact = Math.fround(value);
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(exact.toPrecision(digits));
    if (Math.fround(short) === exact) return short;
  }
  return Number(exact.toPrecision(9));
}

/**
 * Every candidate of a search. @param {import("./search.js").Step[]} steps @param {Engine} engine
 */
export async function packedSearch(steps, { tokenizer }) {
  /** @typedef {"parents"|"ids"|"log_probs"|"totals"|"forced"} Name */
  const joined = (/** @type {Name} */ name, /** @type {any} */ ArrayType) =>
    pack(ArrayType.from(steps.flatMap((step) => Array.from(step[name]))));
  const forbidden = steps.flatMap((step, t) =>
    step.forbidden
      .filter(({ logProb }) => Number.isFinite(logProb))
      .map(({ parent, id, logProb, rule }) => [t, parent, id, Number(logProb.toFixed(6)), rule]),
  );
  const all = steps.flatMap((step) => [
    ...step.ids,
    ...step.forbidden.filter(({ logProb }) => Number.isFinite(logProb)).map(({ id }) => id),
  ]);
  const ids = [...new Set(all)].sort((a, b) => a - b);
  const fates = steps.flatMap((step) => step.fates.map((fate) => FATES.indexOf(fate)));
  return {
    counts: steps.map((step) => step.ids.length),
    parents: await joined("parents", Int32Array),
    ids: await joined("ids", Int32Array),
    log_probs: await joined("log_probs", Float32Array),
    totals: await joined("totals", Float32Array),
    fates: await pack(Uint8Array.from(fates)),
    forced: await joined("forced", Uint8Array),
    labels: Object.fromEntries(ids.map((id) => [id, tokenEntry(tokenizer.piece(id), id)])),
    ...(forbidden.length > 0 ? { forbidden } : {}),
  };
}

/** @param {Engine} engine @param {import("./search.js").SentenceSearch} search */
const hypothesesOf = ({ tokenizer }, search) =>
  search.hypotheses.map(({ ids, log_prob, score, finished, path }) => ({
    text: tokenizer.decode(ids),
    score,
    log_prob,
    length: path.length,
    finished,
    path,
  }));

// ------------------------------------------------------------------- doubt

/** The reasons to doubt the translation, as in model/labs/doubt.py; null if there are none.
 * @param {Engine} engine @param {any} explanation */
export function doubtOf(engine, { prefix, node, edits, trace }) {
  const { thresholds } = engine;
  if (thresholds === null || prefix.length > 0 || node !== null || edits.changesAnything)
    return null;
  const signs = { ...signsOf(trace), source: fromSource(engine, trace, edits.given) };
  const tests = {
    repeats: signs.repeats >= thresholds.repeats,
    unlikely: signs.log_prob < thresholds.log_prob,
    unread: signs.read < thresholds.read,
    unsourced: signs.source < thresholds.source,
  };
  const texts = [trace.src, trace.written].map(({ characters }) => characters.join(""));
  const [lost, more] = [missing(texts[0], texts[1]), added(texts[0], texts[1])];
  const copied = { missing: lost.length > 0, added: more.length > 0 };
  const reasons = Object.entries({ ...copied, ...tests }).flatMap(([reason, holds]) =>
    holds ? [reason] : [],
  );
  return reasons.length > 0 ? { reasons, signs, missing: lost, added: more, thresholds } : null;
}

/** The mean share of the written tokens from the source; 1 if it cannot be computed. */
function fromSource(
  /** @type {Engine} */ engine,
  /** @type {Trace} */ trace,
  /** @type {any} */ given,
) {
  const { config } = engine.network;
  const { residual, norm } = config;
  if (!residual || norm === "none") return 1;
  const shares = sourceShares(engine, passOf(trace, config, given));
  return shares.reduce((sum, one) => sum + one, 0) / shares.length;
}

/** @param {import("./engine.js").Trace} trace */
function signsOf({ steps, written: { ids }, src, attention: { cross } }) {
  const sum = steps.reduce((so, { logProb }) => so + logProb, 0);
  const runs = ids.slice(RUN - 1).map((_, i) => ids.slice(i, i + RUN).join());
  const count = Math.max(1, src.ids.length - 1); // without the end token
  const most = new Float64Array(count);
  for (const { weights, keys } of cross) {
    const [width, cells] = [keys.length, ids.length * keys.length];
    const heads = weights.length / cells;
    for (let cell = 0; cell < cells; cell += 1) {
      if (cell % width >= count) continue;
      let mean = 0;
      for (let head = 0; head < heads; head += 1) mean += weights[head * cells + cell] / heads;
      most[cell % width] = Math.max(most[cell % width], mean);
    }
  }
  const isRead = most.filter((one) => Math.fround(one) >= Math.fround(LOOKED_AT));
  return {
    log_prob: Math.fround(sum / steps.length),
    repeats: runs.length - new Set(runs).size,
    read: isRead.length / count,
  };
}
