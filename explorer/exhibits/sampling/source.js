// The exhibit's data from Python: the log-probs after a prefix, and the texts of tokens.

import { unpack } from "../../../assets/kit/packing.js";
import { createRequest } from "../../../assets/kit/request.js";
import { rank, reshape } from "../../../assets/kit/sampling.js";
import { fateOf } from "./numbers.js";

/** @typedef {import("../../../assets/kit/types.js").Rec} Rec */
/** @typedef {import("../../../assets/kit/types.js").Label} Label */
/** @typedef {import("../../../assets/kit/sampling.js").Shape} Shape */
/** @typedef {import("../../../assets/kit/request.js").Answer<null>} Pending */

/** The names of all tokens, and the longest text in tokens.
 * @typedef {{label: (id: number) => Label, longest: number}} Names */

/** Texts and pieces by id, and the ids of tokens that are not words.
 * @typedef {{texts: string[], pieces: string[], kinds: Partial<Record<Label["kind"], number[]>>,
 *   longest: number}} Vocabulary */

const UNTOUCHED = { temperature: 1, top_k: 0, top_p: 1 };
const MAX_KEPT = 2_000_000; // log-probs, over all prefixes

/**
 * Returns at(record, ids): an Answer with `found`, the distribution after the tokens `ids`, and the
 * `names`, each null until it is there.
 * @param {import("../../../assets/kit/types.js").Page} page
 * @param {() => void} changed
 * @returns {(record: Rec, ids: number[]|null)
 *   => Pending & {names: Names|null, found: Distribution|null}}
 */
export function createSource(page, changed) {
  const next = createRequest(page, "next_token", {
    changed,
    prepare: async (reply) => distribution(await unpack(reply.log_probs, Float32Array)),
    most: (record) => Math.max(2, Math.floor(MAX_KEPT / record.model.vocabulary)),
  });
  const vocabulary = createRequest(page, "vocabulary", { changed, prepare: namesOf });
  /** @type {Rec|null} */
  let first = null; // one answer serves all records of a model
  /** @type {{names: Names|null, record: Rec|null, told: Names|null}} */
  let last = { names: null, record: null, told: null };
  const toldIn = (/** @type {Names|null} */ names, /** @type {Rec} */ record) => {
    if (names !== last.names || record !== last.record)
      last = { names, record, told: names && told(names, record) };
    return last.told;
  };

  return (record, ids) => {
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

/** The names with the glosses that a record has: those of its own steps' candidates.
 * @param {Names} names @param {Rec} record @returns {Names} */
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

/** @param {Float32Array} logProbs @returns {Distribution} */
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

/** @type {Record<ReturnType<typeof fateOf>, string>} */
const FATES = { kept: "kept", p: "cut by top-p", k: "cut by top-k", never: "never" };

/** Every token in rows for a file, best first.
 * @param {Distribution} found @param {Shape} shape @param {Names} names */
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

/** The reply to the question `vocabulary`. @param {Vocabulary} reply @returns {Names} */
function namesOf({ texts, pieces, kinds, longest }) {
  /** @type {Map<number, Label["kind"]>} */
  const kindOf = new Map();
  for (const kind of /** @type {Label["kind"][]} */ (Object.keys(kinds)))
    for (const id of kinds[kind] ?? []) kindOf.set(id, kind);
  const label = (/** @type {number} */ id) => ({
    id,
    text: texts[id],
    piece: pieces[id],
    kind: kindOf.get(id) ?? "word",
  });
  return { label, longest };
}
