// The exhibit's data from Python: the log-probs after a prefix, and the texts of tokens.

import { unpack } from "../../../assets/kit/packing.js";
import { createRequest } from "../../../assets/kit/request.js";
import { rank, reshape } from "../../../assets/kit/sampling.js";
import { fateOf } from "./numbers.js";

const UNTOUCHED = { temperature: 1, top_k: 0, top_p: 1 };
const MAX_KEPT = 2_000_000; // log-probs, over all prefixes

/**
 * Returns at(record, ids): {found, names, waiting, error, retry}. `found` is the distribution after
 * the tokens `ids`; it and the names are null until they are there.
 * @param {import("../../../assets/kit/types.js").Page} page
 * @param {() => void} changed
 */
export function createSource(page, changed) {
  const next = createRequest(page, "next_token", {
    changed,
    prepare: async (reply) => distribution(await unpack(reply.log_probs, Float32Array)),
    most: (record) => Math.max(2, Math.floor(MAX_KEPT / record.model.vocabulary)),
  });
  const vocabulary = createRequest(page, "vocabulary", { changed, prepare: namesOf });
  /** @type {any} */
  let first = null; // one answer serves all records of a model
  /** @type {{names: any, record: any, told: any}} */
  let last = { names: null, record: null, told: null };
  const toldIn = (names, record) => {
    if (names !== last.names || record !== last.record)
      last = { names, record, told: names && told(names, record) };
    return last.told;
  };

  return (record, /** @type {number[]|null} */ ids) => {
    if (first?.model.key !== record.model.key) first = record;
    const names = vocabulary(first);
    const answers = ids === null ? [names] : [names, next(record, { ids })];
    const failed = answers.filter(({ error }) => error !== null);
    return {
      names: toldIn(names.value, record),
      found: names.value && (answers[1]?.value ?? null),
      waiting: answers.some(({ waiting }) => waiting),
      value: null,
      error: failed[0]?.error ?? null,
      retry: () => failed.forEach(({ retry }) => void retry()),
    };
  };
}

/** The names with the glosses that a record has: those of its own steps' candidates. */
function told({ label, ...others }, { steps }) {
  const glosses = new Map(steps.flatMap(({ top }) => top.map(({ id, gloss }) => [id, gloss])));
  return { ...others, label: (id) => ({ ...label(id), gloss: glosses.get(id) }) };
}

/**
 * @typedef {object} Distribution
 * @property {Float32Array} logProbs by id
 * @property {{order: Int32Array, values: Float64Array, allowed: number}} ranked
 * @property {{entropy: number}} own the model's own distribution over the allowed tokens
 * @property {Float64Array} shares the model's probabilities by rank
 * @property {number} mass their sum: less than 1 by the probability of banned tokens
 * @property {Int32Array} rankOf by id
 */

/** @returns {Distribution} */
export function distribution(logProbs) {
  const ranked = rank(logProbs);
  const shares = ranked.values.map(Math.exp);
  const rankOf = new Int32Array(logProbs.length);
  ranked.order.forEach((id, place) => {
    rankOf[id] = place;
  });
  const mass = Math.min(
    1,
    shares.reduce((sum, share) => sum + share, 0),
  );
  return { logProbs, ranked, own: reshape(ranked, UNTOUCHED), shares, mass, rankOf };
}

const FATES = { kept: "kept", p: "cut by top-p", k: "cut by top-k", never: "never" };

/** Every token in rows for a file, best first. @param {Distribution} found */
export function everyToken({ ranked, shares }, { powers, counts, sums }, names) {
  const head = ["rank", "id", "token", "log_prob", "probability", "drawn with", "fate"];
  const rows = Array.from(ranked.order, (id, place) => [
    place + 1,
    id,
    names.label(id).piece,
    ranked.values[place],
    shares[place],
    place < counts.p ? powers[place] / sums.p : 0,
    FATES[fateOf(place, counts)],
  ]);
  return [head, ...rows];
}

/** The reply to the question `vocabulary`, as {label: id -> label, longest}. */
function namesOf({ texts, pieces, kinds, longest }) {
  const kindOf = new Map();
  for (const [kind, ids] of Object.entries(kinds)) for (const id of ids) kindOf.set(id, kind);
  const label = (/** @type {number} */ id) => ({
    id,
    text: texts[id],
    piece: pieces[id],
    kind: kindOf.get(id) ?? "word",
  });
  return { label, longest };
}
