// The search of one sentence, as model/decoding.py, model/beams.py and model/sampling.py state the
// rules: greedy, beam, sampling and beam sampling differ only in which candidates they pick.
// The sums are double precision, the log-probs that they add float32.

import { penaltyOf } from "../kit/penalty.js";
import { drawer, mulberry32, warp } from "../kit/sampling.js";
import { Refusal } from "./refusal.js";
import { bytesAfter, forbiddenBytes, LEAST, LONGEST, maskBytes } from "./utf8.js";
import { brokenAfter } from "./whole.js";

/**
 * @typedef {object} Rules the model's rules for decoding
 * @property {number} start_id @property {number} end_id
 * @property {number[]} banned never written
 * @property {number[]} [more_ends] that end a translation and are part of its text
 * @property {number|null} [forced_end_id] the only token at the last place (Marian)
 * @property {boolean} [renormalise] the other tokens share the probability of the banned ones
 * @property {number|null} [forced_first_id] the token written first
 * @property {number} [min_tokens] written before an end
 * @property {number} [repetition_penalty] on tokens that were read or written
 * @property {number} [source_no_repeat] tokens of a run of the source, `read`, that is not copied
 * @property {boolean|"never"} [early_stopping] when a beam search is done
 * @property {number[]} [read] the ids of the source
 * @property {"none"|"start"|"first"} [language] where the code of the target language stands
 * @property {number[]} [byte_ids] the tokens of the bytes 0 to 255, of which a text makes characters
 * @property {import("./whole.js").Numbers|null} [numbers] the tokens of numbers
 * @property {import("./whole.js").Sign[]} [kept] what keeps the numbers of the source whole
 * @property {boolean} [is_own] of Headlight's own models, which no file names
 *
 * @typedef {object} Settings the fields of `DecodeConfig` in model/config.py
 * @property {string} method @property {number} beam_size @property {number} length_penalty
 * @property {string} penalty_form @property {number} temperature @property {number} top_k
 * @property {number} top_p @property {number} seed @property {number} max_length
 * @property {number} no_repeat @property {string[]} [rules_off] those that do not hold
 *
 * @typedef {object} Beam an unfinished hypothesis
 * @property {number[]} ids @property {number[]} path @property {number} total
 * @property {number} drawn the log-prob of having drawn it (beam sampling)
 *
 * @typedef {object} Candidate
 * @property {number} row of the hypothesis that it continues @property {number} id
 * @property {number} logProb @property {number} total @property {boolean} isPicked
 * @property {number} drawn
 *
 * @typedef {object} Step the candidates of one step, best total first
 * @property {Int32Array} parents @property {Int32Array} ids @property {Float32Array} log_probs
 * @property {Float32Array} totals @property {Uint8Array} forced
 * @property {import("../kit/types.js").Fate[]} fates
 * @property {Forbidden[]} forbidden
 *
 * @typedef {object} Forbidden a candidate that a rule forbids, with the model's own log-prob
 * @property {number} parent @property {number} id @property {string} rule
 * @property {number} logProb
 *
 * @typedef {object} Hypothesis
 * @property {number[]} ids without the end token @property {number} log_prob
 * @property {number} score @property {boolean} finished @property {number[]} path
 */

/**
 * @typedef {{parents: ArrayLike<number>, ids: ArrayLike<number>}[]} Guide the candidates of another
 * search, step by step, in its order
 */

/** The rules that can be off, in the order of `SWITCHES` in model/config.py, and what means off. */
export const OFF = {
  banned: /** @type {number[]} */ ([]),
  forced_first_id: /** @type {number|null} */ (null),
  forced_end_id: /** @type {number|null} */ (null),
  min_tokens: 0,
  no_repeat: 0,
  source_no_repeat: 0,
  repetition_penalty: 1,
  renormalise: false,
  early_stopping: /** @type {boolean|"never"} */ (false),
};
/** Rules that change nothing, in the names of `Rules` in model/rules.py. */
const NO_RULES = {
  ...OFF,
  read: /** @type {number[]} */ ([]),
  byte_ids: /** @type {number[]} */ ([]),
  numbers: /** @type {import("./whole.js").Numbers|null} */ (null),
  kept: /** @type {import("./whole.js").Sign[]} */ ([]),
};
const TIE = 1e-5; // totals nearer than this are equal: rounding decides which comes first
const LARGE = 16; // a larger sum is compared relatively: single precision has seven digits
const RECORDED = 10; // candidates that a search without beams records at each step

/** True if two sums of log-probs are equal to rounding. */
const isTie = (/** @type {number} */ one, /** @type {number} */ other) =>
  Math.abs(one - other) <= TIE * Math.max(1, Math.abs(other) / LARGE);

/** Log-softmax of each row, as float32. @param {Float32Array} logits @param {number} size */
export function logSoftmax(logits, size) {
  return Array.from({ length: logits.length / size }, (_, row) => {
    const own = logits.subarray(row * size, (row + 1) * size);
    let most = -Infinity;
    for (let i = 0; i < size; i += 1) if (own[i] > most) most = own[i];
    let sum = 0;
    for (let i = 0; i < size; i += 1) sum += Math.exp(own[i] - most);
    const total = most + Math.log(sum);
    return own.map((one) => one - total);
  });
}

export class SentenceSearch {
  /** @param {Settings} settings @param {Rules} all @param {number[]} prefix forced ids
   * @param {number} size of the vocabulary
   * @param {Guide} [guide] followed among equal candidates */
  constructor(settings, all, prefix, size, guide = []) {
    const rules = without(all, settings.rules_off);
    this.prefix = begun(prefix, rules);
    checkPrefix(this.prefix, rules, settings.max_length, size);
    this.settings = settings;
    this.rules = { ...NO_RULES, ...rules };
    const isBeams = settings.method === "beam" || settings.method === "beam_sampling";
    this.beams = isBeams ? settings.beam_size : 1;
    this.ends = [rules.end_id, ...(rules.more_ends ?? [])];
    this.picked = Math.max(2, 1 + this.ends.length) * this.beams;
    this.width = isBeams ? this.picked : RECORDED;
    this.uniform = mulberry32(settings.seed);
    /** @type {Beam[]} */
    this.live = [{ ids: [], path: [], total: 0, drawn: 0 }];
    /** @type {{score: number, beam: Beam}[]} */
    this.finished = [];
    /** @type {Step[]} */
    this.steps = [];
    this.guide = guide;
    /** @type {number[]} */
    this.ties = []; // steps at which the guide was followed
  }

  /** The next tokens for the unfinished hypotheses to read. */
  get tokens() {
    return this.live.map(({ ids }) => [ids.at(-1) ?? this.rules.start_id]);
  }

  /** True if only the end may come now. */
  get mustEnd() {
    const isLast = this.steps.length === this.settings.max_length - 1;
    return isLast && (this.rules.forced_end_id ?? null) !== null;
  }

  /** Writes one token; returns the row that each of `live` continues.
   * @param {Float32Array[]} logProbs (V) of each unfinished hypothesis; overwritten
   * @param {number[]} [normalisers] what each one's logits are larger by; for a penalty */
  advance(logProbs, normalisers) {
    const own = this.changesScores ? logProbs.map((one) => one.slice()) : logProbs;
    const forbidden = this.forbid(logProbs, normalisers);
    const picks = this.picks(logProbs);
    const candidates = this.guided(this.candidates(logProbs, picks, own), logProbs, own, picks);
    const isForced = this.steps.length < this.prefix.length || this.mustEnd || this.mustBegin;
    const step = this.recorded(candidates, isForced, forbidden);
    this.steps.push(step);
    const length = this.steps.length;
    /** @type {{beam: Beam, row: number}[]} */
    const next = [];
    let rank = -1;
    candidates.forEach(({ row, id, total, drawn, isPicked }, c) => {
      if (!isPicked) return;
      rank += 1;
      const { ids, path } = this.live[row];
      const beam = { ids: [...ids, id], path: [...path, c], total, drawn };
      if (this.ends.includes(id) || length === this.settings.max_length) {
        if (rank >= this.beams) return;
        step.fates[c] = "beaten"; // until it proves to be in the final list
        this.finish(beam);
      } else if (next.length < this.beams) {
        step.fates[c] = "kept";
        next.push({ beam, row });
      }
    });
    const goesOn = this.mayImprove(next[0]?.beam);
    this.live = goesOn ? next.map(({ beam }) => beam) : [];
    if (!goesOn) this.close();
    return goesOn ? next.map(({ row }) => row) : [];
  }

  /** True if only the first token of the rules may come now. */
  get mustBegin() {
    return this.steps.length === 0 && this.rules.forced_first_id !== null;
  }

  /** True if a rule but that of bytes forbids or changes candidates by what was written. */
  get changesScores() {
    const { repetition_penalty: penalty, forced_first_id: first } = this.rules;
    const { min_tokens: least, source_no_repeat: run, kept } = this.rules;
    return penalty !== 1 || first !== null || least > 0 || run > 0 || kept.length > 0;
  }

  /** True if the rules change what a candidate adds to its total. */
  get isRuled() {
    const { repetition_penalty: penalty, renormalise } = this.rules;
    return penalty !== 1 || Boolean(this.changesScores && renormalise);
  }

  /** Changes and forbids what the rules say. A forced prefix may break every rule but the ban.
   * @param {Float32Array[]} logProbs @param {number[]} [normalisers] @returns {Forbidden[]} */
  forbid(logProbs, normalisers = []) {
    const { repetition_penalty: penalty, start_id: start } = this.rules;
    const run = forbiddenRun(this.settings);
    return logProbs.flatMap((own, row) => {
      if (Number.isNaN(own[0]))
        throw new Refusal(
          "The model gave no number for the next token; its weights are broken.",
          "not_finite",
        );
      const { ids, path } = this.live[row];
      const isFree = this.steps.length >= this.prefix.length;
      const parent = path.at(-1) ?? -1;
      const bytes = this.bytesAfter(ids);
      const none = (
        isFree ? [...this.likely(own, bytes), ...forbiddenAfter(ids, this.rules, run)] : []
      ).map(({ id, rule }) => ({
        parent,
        id,
        rule,
        logProb: own[id],
      }));
      const more = this.beams === 1 ? (normalisers[row] ?? 0) : 0;
      if (penalty !== 1) penalise(own, new Set([start, ...ids]), penalty, more);
      banish(own, this.rules);
      if (isFree) maskBytes(own, bytes);
      for (const { id } of none) own[id] = -Infinity;
      if (this.rules.renormalise && none.length > 0) own.set(logSoftmax(own, own.length)[0]);
      return none.filter(({ rule, logProb }) => rule !== "numbers" || logProb >= LEAST);
    });
  }

  /** The likely tokens that are banned or would break a character, by id.
   * @param {Float32Array} own @param {import("./utf8.js").ByteRule} bytes */
  likely(own, bytes) {
    const { banned } = this.rules;
    const never = banned.filter((id) => own[id] >= LEAST);
    const broken = forbiddenBytes(own, bytes).filter((id) => !banned.includes(id));
    return [
      ...never.map((id) => ({ id, rule: "banned" })),
      ...broken.map((id) => ({ id, rule: "bytes" })),
    ].sort((a, b) => a.id - b.id);
  }

  /** What may follow the written ids under the rule of bytes. @param {number[]} ids */
  bytesAfter(ids) {
    return bytesAfter(this.rules.byte_ids, ids, this.settings.max_length - this.steps.length);
  }

  /** The pairs of hypothesis and token that are forced or drawn; null if the best are picked.
   * @param {Float32Array[]} logProbs
   * @returns {{row: number, id: number, drawn: number}[]|null} */
  picks(logProbs) {
    const { method, temperature, top_k, top_p } = this.settings;
    if (this.steps.length < this.prefix.length) {
      const id = this.prefix[this.steps.length];
      if (logProbs[0][id] === -Infinity)
        throw new Refusal(
          `The model gives the forced token ${id} a probability of 0; choose another.`,
          "impossible",
          { token: id },
        );
      const isFree = this.mustBegin && id === this.rules.forced_first_id;
      return [{ row: 0, id, drawn: this.live[0].drawn, ...(isFree && { isFree }) }];
    }
    const forced = this.mustEnd
      ? this.rules.end_id
      : this.mustBegin
        ? this.rules.forced_first_id
        : null;
    if (forced !== null)
      return this.live.map(({ drawn }, row) => ({ row, id: forced, drawn, isFree: true }));
    if (method !== "sampling" && method !== "beam_sampling") return null;
    const tables = logProbs.map((own) => warp(own, { temperature, top_k, top_p }));
    const best = Math.max(...this.live.map(({ drawn }) => drawn));
    const size = logProbs[0].length;
    const weights = new Float64Array(size * tables.length);
    tables.forEach((table, row) => {
      const share = Math.exp(this.live[row].drawn - best);
      weights.set(share === 1 ? table : table.map((one) => share * one), row * size);
    });
    const shown = this.shownPlaces(size);
    return this.drawFrom(weights, method === "sampling" ? 1 : this.picked, shown).map((i) => {
      const [row, id] = [Math.floor(i / size), i % size];
      return { row, id, drawn: this.live[row].drawn + Math.log(tables[row][id]) };
    });
  }

  /** The places of the guide's candidates among the weights of all pairs. @param {number} size */
  shownPlaces(size) {
    const guide = this.guide[this.steps.length];
    const rows = new Map(this.live.map(({ path }, row) => [path.at(-1) ?? -1, row]));
    return new Set(
      Array.from(guide?.ids ?? [], (id, c) => (rows.get(guide.parents[c]) ?? -1) * size + id),
    );
  }

  /** Draws without replacement. Where a draw falls on the edge of two weights to rounding, the one
   * that the guide shows is drawn.
   * @param {Float64Array} weights @param {number} count @param {Set<number>} shown */
  drawFrom(weights, count, shown) {
    /** @type {number[]} */
    const drawn = [];
    const left = weights.reduce((n, one) => n + (one > 0 ? 1 : 0), 0);
    while (drawn.length < Math.min(count, left)) {
      const at = drawer(weights);
      const u = this.uniform();
      let i = at(u);
      if (shown.size > 0 && !shown.has(i)) {
        const last = at(u + TIE);
        for (let other = at(Math.max(0, u - TIE)); other <= last; other += 1)
          if (weights[other] > 0 && shown.has(other)) i = other;
        if (shown.has(i)) this.tie();
      }
      weights[i] = 0;
      drawn.push(i);
    }
    return drawn;
  }

  /** The best of every row and the picks, best total first, except those of probability 0.
   * @param {Float32Array[]} logProbs under the rules
   * @param {{row: number, id: number, drawn: number}[]|null} picks
   * @param {Float32Array[]} before the model's own @returns {Candidate[]} */
  candidates(logProbs, picks, before) {
    const chosen = new Map((picks ?? []).map((pick) => [`${pick.row} ${pick.id}`, pick]));
    const best = logProbs.flatMap((own, row) =>
      largest(own, this.width)
        .filter((id) => !chosen.has(`${row} ${id}`))
        .map((id) => ({ row, id, drawn: this.live[row].drawn, isPicked: false })),
    );
    const all = [...best, ...[...chosen.values()].map((pick) => ({ ...pick, isPicked: true }))];
    const sums = all.map((one) => {
      const added = "isFree" in one ? 0 : logProbs[one.row][one.id]; // a forced one adds nothing
      const logProb = before[one.row][one.id];
      return { ...one, logProb, total: this.live[one.row].total + added };
    });
    const sorted = sums
      .filter(({ total }) => Number.isFinite(total))
      .sort((a, b) => b.total - a.total || a.row - b.row || a.id - b.id);
    return picks === null ? this.withBestPicked(sorted) : sorted;
  }

  /** @param {Candidate[]} sorted @returns {Candidate[]} */
  withBestPicked = (sorted) =>
    sorted.map((one, rank) => ({ ...one, isPicked: rank < this.picked }));

  /** The candidates as the guide has them, if each of its places has the same total to rounding:
   * their order, and which of equal ones are recorded, is then its own choice.
   * @param {Candidate[]} own @param {Float32Array[]} logProbs @param {Float32Array[]} before
   * @param {{row: number, id: number, drawn: number}[]|null} picks @returns {Candidate[]} */
  guided(own, logProbs, before, picks) {
    const guide = this.guide[this.steps.length];
    if (guide === undefined || guide.ids.length !== own.length) return own;
    const rows = new Map(this.live.map(({ path }, row) => [path.at(-1) ?? -1, row]));
    const known = new Map(own.map((one) => [`${one.row} ${one.id}`, one]));
    const theirs = Array.from(guide.ids, (id, c) => {
      const row = rows.get(guide.parents[c]) ?? -1;
      const score = logProbs[row]?.[id] ?? -Infinity;
      const { drawn, total } = this.live[row] ?? { drawn: 0, total: 0 };
      const logProb = before[row]?.[id] ?? -Infinity;
      const other = { row, id, logProb, total: total + score, drawn, isPicked: false };
      return known.get(`${row} ${id}`) ?? other;
    });
    if (theirs.every((one, c) => one === own[c])) return own;
    const areEqual = theirs.every(({ total }, c) => isTie(total, own[c].total));
    if (!areEqual || new Set(theirs.map(({ row, id }) => `${row} ${id}`)).size < own.length)
      return own;
    this.tie();
    return picks === null ? this.withBestPicked(theirs) : theirs;
  }

  /** Notes that the guide was followed at this step. */
  tie() {
    if (this.ties.at(-1) !== this.steps.length) this.ties.push(this.steps.length);
  }

  /** @param {Candidate[]} candidates @param {boolean} isForced @param {Forbidden[]} forbidden
   * @returns {Step} */
  recorded(candidates, isForced, forbidden) {
    return {
      forbidden,
      parents: Int32Array.from(candidates, ({ row }) => this.live[row].path.at(-1) ?? -1),
      ids: Int32Array.from(candidates, ({ id }) => id),
      log_probs: Float32Array.from(candidates, ({ logProb }) => logProb),
      totals: Float32Array.from(candidates, ({ total }) => total),
      fates: candidates.map(() => "pruned"),
      forced: Uint8Array.from(candidates, ({ isPicked }) => (isPicked && isForced ? 1 : 0)),
    };
  }

  /** The divisor of a sum of log-probs. @param {number} length */
  penalty(length) {
    const { penalty_form: form, length_penalty: alpha } = this.settings;
    return penaltyOf(form, alpha, length);
  }

  /** Puts a hypothesis into the list of the N best, after those of the same score.
   * @param {Beam} beam */
  finish(beam) {
    this.finished.push({ score: beam.total / this.penalty(beam.ids.length), beam });
    this.finished.sort((a, b) => b.score - a.score);
    this.finished.length = Math.min(this.finished.length, this.beams);
  }

  /** True if the best unfinished hypothesis would enter the list if it ended here; see
   * `_may_improve` of model/beams.py.
   * @param {Beam|undefined} best */
  mayImprove(best) {
    if (best === undefined || this.finished.length < this.beams) return best !== undefined;
    const early = this.beams > 1 ? this.rules.early_stopping : false;
    const isHopeful = early === "never" && this.settings.length_penalty > 0;
    const length = isHopeful ? this.settings.max_length : this.steps.length;
    const least = this.finished[this.beams - 1].score;
    return early !== true && best.total / this.penalty(length) > least;
  }

  /** Sets the final fates at the end of the search. */
  close() {
    if (this.finished.length === 0)
      throw new Refusal(`The model leaves no token to write at position ${this.steps.length}.`);
    const last = this.steps[this.steps.length - 1]; // the search stopped: no candidate was extended
    last.fates = last.fates.map((fate) => (fate === "kept" ? "pruned" : fate));
    for (const { beam } of this.finished)
      this.steps[beam.path.length - 1].fates[beam.path[beam.path.length - 1]] = "finished";
  }

  /** The hypotheses, best first. @returns {Hypothesis[]} */
  get hypotheses() {
    return this.finished.map(({ score, beam: { ids, path, total } }) => {
      const last = ids[ids.length - 1];
      const own = last === this.rules.end_id ? ids.slice(0, -1) : ids;
      return { ids: own, log_prob: total, score, finished: this.ends.includes(last), path };
    });
  }
}

/** Log-probs (V) without banned tokens: model/rules.py. @param {Float32Array} own
 * @param {Rules} rules */
export function banish(own, { banned, renormalise }) {
  for (const id of banned) own[id] = -Infinity;
  if (renormalise) own.set(logSoftmax(own, own.length)[0]);
}

/** The ids of the largest numbers, largest first, ties by lower id.
 * @param {Float32Array} values @param {number} count */
export function largest(values, count) {
  /** @type {number[]} */
  const best = [];
  let least = -Infinity;
  for (let id = 0; id < values.length; id += 1) {
    if (best.length === count && !(values[id] > least)) continue;
    let at = best.length;
    while (at > 0 && values[best[at - 1]] < values[id]) at -= 1;
    best.splice(at, 0, id);
    if (best.length > count) best.pop();
    least = values[best[best.length - 1]];
  }
  return best;
}

/** Makes the tokens `read` less likely: their logits, log-prob plus `more`, are multiplied by the
 * penalty if negative, else divided. @param {Float32Array} own @param {Set<number>} read
 * @param {number} penalty @param {number} more */
function penalise(own, read, penalty, more) {
  for (const id of read) {
    const logit = own[id] + more;
    own[id] = (logit < 0 ? logit * penalty : logit / penalty) - more;
  }
}

/** The tokens that may not follow the written ones, by rule: `forbidden` of model/rules.py.
 * @param {number[]} ids @param {Rules & typeof NO_RULES} rules @param {number} noRepeat */
function forbiddenAfter(ids, rules, noRepeat) {
  const { min_tokens: least, source_no_repeat: run, read, start_id: start } = rules;
  const { numbers, kept } = rules;
  const all = [start, ...ids];
  const found = {
    min_tokens: ids.length < least ? [rules.end_id, ...(rules.more_ends ?? [])] : [],
    no_repeat: completing(all, noRepeat, all),
    source_no_repeat: completing(all, run, read),
    numbers: brokenAfter(ids, numbers, kept),
  };
  return Object.entries(found).flatMap(([rule, none]) => none.map((id) => ({ id, rule })));
}

/** The length of a run of tokens that may not come twice; 0 if any may. @param {Settings} settings */
const forbiddenRun = ({ no_repeat: run, rules_off: off = [] }) =>
  off.includes("no_repeat") ? 0 : run;

/** The rules with some of them off; those of our own models are no checkpoint's choice, and stay.
 * @param {Rules} rules @param {string[]} [off] @returns {Rules} */
export const without = (rules, off = []) => ({
  ...rules,
  ...(!rules.is_own &&
    Object.fromEntries(Object.entries(OFF).filter(([name]) => off.includes(name)))),
});

/** Changes the log-probs (V) of the token after the written ids as a single hypothesis has them:
 * `ruled` of model/rules.py. @param {Float32Array} row @param {Rules} given
 * @param {number[]} ids @param {Settings} settings @param {number} normaliser what the logits are
 * larger by */
export function ruled(row, given, ids, settings, normaliser) {
  const rules = { ...NO_RULES, ...without(given, settings.rules_off) };
  const { repetition_penalty: penalty, start_id: start } = rules;
  if (penalty !== 1) penalise(row, new Set([start, ...ids]), penalty, normaliser);
  maskBytes(row, bytesAfter(rules.byte_ids ?? [], ids, LONGEST));
  for (const { id } of forbiddenAfter(ids, rules, forbiddenRun(settings))) row[id] = -Infinity;
  banish(row, rules);
}

/** The tokens that would complete a run of n tokens of `read` after `ids`; n 0 forbids none:
 * [7, 1, 2], 3, [1, 2, 3, 1, 2, 4] -> [3, 4]. @param {number[]} ids @param {number} n
 * @param {number[]} read */
function completing(ids, n, read) {
  if (n === 0 || ids.length < n - 1) return [];
  const start = ids.slice(ids.length - n + 1).join();
  const found = read.flatMap((_, i) => {
    const run = read.slice(i, i + n);
    return run.length === n && run.slice(0, -1).join() === start ? [run[n - 1]] : [];
  });
  return [...new Set(found)].sort((a, b) => a - b);
}

/** A prefix, after the first token that the rules force. @param {number[]} prefix
 * @param {Rules} rules */
const begun = (prefix, { forced_first_id: first = null }) =>
  prefix.length > 0 && first !== null && prefix[0] !== first ? [first, ...prefix] : prefix;

/** @param {number[]} prefix @param {Rules} rules @param {number} limit @param {number} size */
function checkPrefix(prefix, { end_id: end, more_ends: others = [], banned }, limit, size) {
  const missing = prefix.find((id) => id >= size);
  if (missing !== undefined)
    throw new Refusal(
      `The forced token ${missing} does not exist; the vocabulary has ${size} tokens.`,
    );
  if (prefix.slice(0, -1).some((id) => id === end || others.includes(id)))
    throw new Refusal(
      "The forced beginning continues after the end token; cut it there.",
      "after_end",
    );
  if (prefix.length > limit)
    throw new Refusal(
      `The forced beginning has ${prefix.length} tokens; there is room for ${limit}. Shorten it.`,
      "no_room",
      { count: prefix.length, room: limit },
    );
  const token = prefix.find((id) => banned.includes(id));
  if (token !== undefined)
    throw new Refusal(
      `The forced token ${token} may never be written; choose another one.`,
      "banned",
      { token },
    );
}
