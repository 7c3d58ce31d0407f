// A model that explains without a server: text and settings in, an explanation out, the twin of
// model/explain.py and model/passes.py.
//
//   text -> tokens -> search -> trace -> explanation
//
// Long work is a generator: it yields {step, of} after each step of the search, so that the caller
// can show progress or stop. `finish` runs one to its end.

import { Edits, shiftOf, UNTOUCHED } from "./edits.js";
import { tokenEntry } from "./labels.js";
import { Network } from "./network.js";
import { Refusal } from "./refusal.js";
import { largest, logSoftmax, SentenceSearch } from "./search.js";
import { GivenTokens, Letters, openUnigram, PAD, Tokenizer } from "./tokens.js";
import { openWeights } from "./weights.js";
import { keptOf, numbersOf } from "./whole.js";

/** @typedef {import("./tokens.js").Tokens} Tokens */
/** @typedef {import("./attention.js").Attention} Attention */
/** @typedef {import("./edits.js").Kind} Kind */

/**
 * @typedef {object} Files of a checkpoint in one of our formats
 * @property {any} config config.json
 * @property {ArrayBuffer} weights model.safetensors
 * @property {ArrayBuffer[]} tokenizers tokenizer.model, or source.spm and target.spm
 * @property {any} [thresholds] doubt.json, if it exists
 * @property {any} [glossary] gloss.json, if it exists
 *
 * @typedef {object} Request a visitor's request; see `Request` of explorer/exchange/request.py
 * @property {string} text
 * @property {any} settings
 * @property {any} [interventions]
 * @property {number} [shown]
 * @property {number[]} [prefix]
 * @property {string} [begin]
 * @property {[number, number]|null} [node]
 *
 * @typedef {object} Trace one teacher-forced pass; see `Trace` of model/trace.py
 * @property {Tokens} src @property {Tokens} read @property {Tokens} written
 * @property {Record<Kind, Attention[]>} attention of each layer
 * @property {Float32Array[]} encoderStates @property {Float32Array[]} decoderStates
 * @property {Float32Array} memory the encoder's output
 * @property {Float32Array} top the states from which the logits are computed
 * @property {{ids: number[], logProbs: number[], logProb: number, entropy: number}[]} steps
 */

const LETTERS = "headlight-letters-1"; // the format of model/text/alphabet.py
const MAX_CHARACTERS = 2_000; // the limits of model/limits.py
const MAX_TOKENS = 128; // of a source, and of a translation
const TOP = 20; // next-token candidates that a trace keeps
const ROWS = 16; // positions whose logits are computed at a time
const REMEMBERED = 6; // results; phones have little memory

/** Runs a generator to its end. @template T @param {Generator<unknown, T>} work @returns {T} */
export function finish(work) {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** A model from its files. @param {Files} files */
export function openEngine({ config: { format, ...config }, ...files }) {
  const { weights, tokenizers, thresholds = null, glossary = null } = files;
  const models = tokenizers.map(openUnigram);
  const tokenizer = new Tokenizer(format, models[0], models[models.length - 1]);
  const network = new Network(config, openWeights(weights));
  return new Engine(network, tokenizer, { thresholds, glossary });
}

/** A model of a server: explorer/weights.py. @param {any} sheet @param {ArrayBuffer} weights
 * @param {Engine["tokenizer"]} [tokenizer] */
export function openServed(sheet, weights, tokenizer = tokenizerOf(sheet)) {
  const network = new Network(sheet.config, openWeights(weights));
  return new Engine(network, tokenizer, sheet, sheet.rules);
}

/** @param {any} sheet */
function tokenizerOf({ format, tokenizers, pieces, source_pieces: source, ...others }) {
  if (format === LETTERS) return new Letters(pieces);
  if (tokenizers.length === 0) return new GivenTokens(pieces, source, others);
  const [first, second] = tokenizers.map((/** @type {string} */ one) =>
    openUnigram(Uint8Array.from(atob(one), (letter) => letter.charCodeAt(0)).buffer),
  );
  return new Tokenizer(format, first, second);
}

export class Engine {
  /** @param {Network} network
   * @param {Tokenizer|Letters|GivenTokens|import("./foreign.js").ForeignTokenizer} tokenizer
   * @param {{thresholds?: any, glossary?: any}} tables @param {import("./search.js").Rules} [rules] */
  constructor(network, tokenizer, { thresholds = null, glossary = null }, rules) {
    this.network = network;
    this.tokenizer = tokenizer;
    this.thresholds = thresholds;
    /** @type {import("./gloss.js").Glossary|null} */
    this.glossary = glossary;
    const { pad, start, end, unknown, bytes } = tokenizer;
    const banned = [pad, start, unknown].sort((a, b) => a - b);
    /** @type {import("./search.js").Rules} */
    const own = { start_id: start, end_id: end, banned, byte_ids: bytes, is_own: true };
    own.numbers = numbersOf(tokenizer.pieces);
    this.rules = rules ?? own;
    this.positions = network.config.max_positions;
    this.maxTokens = Math.min(MAX_TOKENS, this.positions);
    /** @type {Map<string, any>} */
    this.kept = new Map();
    /** @type {Map<string, import("./search.js").Guide>} */
    this.guides = new Map(); // of one search: see `follow`
  }

  /** The record that answers a request. @param {Request} request */
  *explain(request) {
    const started = performance.now();
    const { src, settings, edits, prefix } = this.begin(request);
    const search = yield* this.search(src, settings, edits, prefix);
    const [shown, node] = [request.shown ?? 0, request.node ?? null];
    const path = node === null ? pathShown(search, shown) : pathTo(search, node);
    const ids = path.map((c, t) => search.steps[t].ids[c]);
    const trace = this.trace(src, ids, edits);
    const seconds = (performance.now() - started) / 1000;
    return { src, settings, edits, prefix, shown, node, search, path, trace, seconds };
  }

  /** A request's tokens, settings within the model's limits, changes, and forced ids.
   * @param {Request} request */
  begin(request) {
    const src = this.read(request.text);
    const given = { ...UNTOUCHED, ...request.interventions };
    const edits = new Edits(given, this.network.config);
    const longest = Math.min(request.settings.max_length ?? Infinity, this.longest(edits));
    const settings = { ...request.settings, max_length: longest };
    const begin = request.begin ? this.tokenizer.encodeTarget(request.begin).ids : [];
    return { src, settings, edits, prefix: [...(request.prefix ?? []), ...begin] };
  }

  /** The source tokens of a text, within the limits. @param {string} text */
  read(text) {
    const count = [...text].length;
    if (count > MAX_CHARACTERS)
      throw new Refusal(
        `The text has ${count} characters; the limit is ${MAX_CHARACTERS}. Shorten it to a ` +
          "sentence or two.",
        "characters",
        { count, limit: MAX_CHARACTERS },
      );
    const src = this.tokenizer.encodeSource(text);
    this.checkTokens(src.ids.length);
    return src;
  }

  checkTokens(/** @type {number} */ count) {
    if (count > this.maxTokens)
      throw new Refusal(
        `The text has ${count} tokens; the limit is ${this.maxTokens}. Shorten it to a sentence ` +
          "or two.",
        "tokens",
        { count, limit: this.maxTokens },
      );
  }

  /** The largest number of tokens in a translation. @param {Edits} edits */
  longest({ given }) {
    const most = this.positions - shiftOf(given, "target", this.network.config);
    if (most < 1)
      throw new Refusal(
        `The positions were shifted by ${given.shift}, but this model has only ` +
          `${this.positions}. Choose a smaller shift.`,
        "shift",
        { shift: given.shift, positions: this.positions },
      );
    return Math.min(this.maxTokens, most);
  }

  /** Runs the source through the encoder. @param {Tokens} src @param {Edits} edits */
  encode(src, edits) {
    const key = JSON.stringify(["encoded", src.ids, edits.given]);
    return this.remembered(key, () => {
      this.checkTokens(src.ids.length + edits.given.padding);
      const encoded = this.network.encode(src.ids, edits);
      return { ...encoded, state: this.network.start(encoded.memory, encoded.mask) };
    });
  }

  /** Every candidate of a search, and its hypotheses.
   * @param {Tokens} src @param {import("./search.js").Settings} settings @param {Edits} edits
   * @param {number[]} prefix forced ids
   * @returns {Generator<{step: number, of: number}, SentenceSearch>} */
  *search(src, settings, edits, prefix) {
    const key = JSON.stringify(["search", src.ids, settings, edits.given, prefix]);
    const kept = this.kept.get(key);
    if (kept) return kept;
    const { state } = this.encode(src, edits);
    const how = { settings, rules: this.rulesOf(src), prefix, guide: this.guides.get(key) };
    const search = yield* this.searchFrom(state, edits, how);
    return this.remembered(key, () => search);
  }

  /** The rules for a source, which may choose the target language: `of_source` of model/rules.py.
   * @param {Tokens} src @returns {import("./search.js").Rules} */
  rulesOf(src) {
    const language = this.tokenizer.languageOf(src.characters.join(""));
    const rules = { ...this.rules, read: src.ids, kept: keptOf(this.rules.numbers, src.ids) };
    if (language === null) return rules;
    if (rules.language === "start") return { ...rules, start_id: language };
    return rules.language === "first" ? { ...rules, forced_first_id: language } : rules;
  }

  /**
   * The search of a request follows another one where candidates are equal to rounding: its order
   * of them is taken. So do all questions about that search.
   * @param {Request} request @param {import("./search.js").Guide} guide
   */
  follow(request, guide) {
    const { src, settings, edits, prefix } = this.begin(request);
    this.guides.clear();
    this.forget();
    this.guides.set(JSON.stringify(["search", src.ids, settings, edits.given, prefix]), guide);
  }

  /** A search that reads a memory. @param {import("./network.js").State} state @param {Edits} edits
   * @param {{settings: import("./search.js").Settings, rules: import("./search.js").Rules,
   *   prefix: number[], guide?: import("./search.js").Guide}} how
   * @returns {Generator<{step: number, of: number}, SentenceSearch>} */
  *searchFrom(state, edits, { settings, rules, prefix, guide }) {
    const search = new SentenceSearch(settings, rules, prefix, this.tokenizer.size, guide);
    const { vocab_size: size, causal_mask: isCausal } = this.network.config;
    const known = isCausal ? search.prefix.slice(0, -1) : []; // read in one pass
    /** @type {{x: Float32Array, state: typeof state}} */
    let read = { x: new Float32Array(0), state };
    if (known.length > 0)
      read = this.network.decode([[rules.start_id, ...known]], state, edits.stepwise());
    const ahead = this.logitsOf(read.x);
    while (search.live.length > 0) {
      const next = ahead.next().value;
      if (next === undefined) read = this.network.decode(search.tokens, read.state, edits);
      const logits = next ?? this.network.logits(read.x);
      const logProbs = logSoftmax(logits, size);
      const rows = search.advance(
        logProbs,
        logProbs.map(([first], row) => logits[row * size] - first),
      );
      read.state = { ...read.state, past: rows.map((row) => read.state.past[row]) };
      yield { step: search.steps.length, of: settings.max_length };
    }
    return search;
  }

  /** The logits (V) of each of the states (T, D). @param {Float32Array} x
   * @returns {Generator<Float32Array, undefined>} */
  *logitsOf(x) {
    const { d_model: width, vocab_size: size } = this.network.config;
    for (let t = 0; t * width < x.length; t += ROWS) {
      const logits = this.network.logits(x.subarray(t * width, (t + ROWS) * width));
      for (let at = 0; at < logits.length; at += size) yield logits.subarray(at, at + size);
    }
  }

  /** One teacher-forced pass over a source and the target ids written for it.
   * @param {Tokens} src @param {number[]} ids @param {Edits} edits @returns {Trace} */
  trace(src, ids, edits) {
    const key = JSON.stringify(["trace", src.ids, ids, edits.given]);
    return this.remembered(key, () => {
      const encoded = this.encode(src, edits);
      const { start_id: start } = this.rulesOf(src);
      const read = [start, ...ids.slice(0, -1)];
      const { x, record } = this.network.decode([read], encoded.state, edits);
      const written = this.tokenizer.targetTokens(ids);
      return {
        src: padded(src, edits.given.padding, this.tokenizer.pad),
        read: shifted(written, start, this.tokenizer.piece(start)),
        written,
        attention: {
          encoder_self: encoded.record.self,
          decoder_self: record.self,
          cross: record.cross,
        },
        encoderStates: encoded.record.states,
        decoderStates: record.states,
        memory: encoded.memory,
        top: x,
        steps: this.predictions(x, ids),
      };
    });
  }

  /** The predictions of the states (T, D). @param {Float32Array} x @param {number[]} written */
  predictions(x, written) {
    return Array.from(this.logitsOf(x), (logits, t) => {
      const [logProbs] = logSoftmax(logits, logits.length);
      const ids = largest(logProbs, TOP);
      return {
        ids,
        logProbs: ids.map((id) => logProbs[id]),
        logProb: logProbs[written[t]],
        entropy: -logProbs.reduce((sum, one) => sum + Math.exp(one) * one, 0),
      };
    });
  }

  /** Forgets all results. */
  forget() {
    this.kept.clear();
  }

  /** A cached result; the cache has the last few. @template T @param {string} key
   * @param {() => T} make @returns {T} */
  remembered(key, make) {
    const found = this.kept.has(key) ? this.kept.get(key) : make();
    this.kept.delete(key);
    this.kept.set(key, found);
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= REMEMBERED) break;
      this.kept.delete(oldest);
    }
    return found;
  }
}

/** @param {SentenceSearch} search @param {number} shown */
function pathShown({ hypotheses }, shown) {
  const found = hypotheses[shown];
  if (found) return found.path;
  throw new Refusal(`Hypothesis ${shown + 1} was asked for; this search has ${hypotheses.length}.`);
}

/** The candidates on the path to one, one for each step. @param {SentenceSearch} search
 * @param {[number, number]} node */
function pathTo({ steps }, [step, candidate]) {
  if (!(candidate < (steps[step]?.ids.length ?? 0)))
    throw new Refusal(
      `Candidate ${candidate + 1} of step ${step + 1} was asked for; the search does not have it. ` +
        "Choose one of its tree.",
    );
  const path = [candidate];
  for (let t = step; t > 0; t -= 1) path.unshift(steps[t].parents[path[0]]);
  return path;
}

/** The encoder's input for the source, with `count` padding tokens.
 * @param {Tokens} src @param {number} count @param {number} pad @returns {Tokens} */
function padded({ characters, ids, pieces, spans, entries }, count, pad) {
  const end = characters.length;
  const more = (/** @type {any} */ one) => new Array(count).fill(one);
  return {
    characters,
    ids: [...ids, ...more(pad)],
    pieces: [...pieces, ...more(PAD)],
    spans: [...spans, ...more([end, end])],
    ...(entries ? { entries: [...entries, ...more(tokenEntry(PAD, pad))] } : {}),
  };
}

/** The decoder's input for these tokens: the start token, then all but the last.
 * @param {Tokens} written @param {number} start @param {string} piece of it @returns {Tokens} */
const shifted = ({ characters, ids, pieces, spans }, start, piece) => ({
  characters,
  ids: [start, ...ids.slice(0, -1)],
  pieces: [piece, ...pieces.slice(0, -1)],
  spans: [[0, 0], ...spans.slice(0, -1)],
});
