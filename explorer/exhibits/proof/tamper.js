// Changes for a teacher who wants to see a line fail: one number of a copy. Pure functions; the
// record is not modified. A change returns the record itself if it has no such number.

/** @typedef {import("../../../assets/kit/types.js").Rec} Rec */
/** @typedef {import("../../../assets/kit/types.js").SearchStep} SearchStep */

const CHANGE = 0.01;

const raised = (/** @type {Float32Array} */ array, /** @type {number} */ at) => {
  const copy = array.slice();
  copy[at] += CHANGE;
  return copy;
};

/** `list` with `change` applied to one of its entries.
 * @template T @param {T[]} list @param {(one: T) => T} change @returns {T[]} */
const withOne = (list, change, n = 0) => list.map((one, i) => (i === n ? change(one) : one));

/** @param {Rec} record @param {(step: SearchStep) => Partial<SearchStep>} changeOf */
const inFirstStep = ({ search, ...record }, changeOf) => ({
  ...record,
  search: { ...search, steps: withOne(search.steps, (step) => ({ ...step, ...changeOf(step) })) },
});

const NO_DOUBT = {
  reasons: ["repeats"],
  signs: { log_prob: 0, repeats: 0, read: 0 },
  missing: [],
  added: [],
  thresholds: {},
};

/** A change for a line of the comparison. @type {Record<string, (record: Rec) => Rec>} */
export const TAMPERS = {
  tokens: (record) => ({
    ...record,
    tgt_out: withOne(record.tgt_out, (one) => ({ ...one, piece: `${one.piece}x` })),
  }),
  decoder_self(record) {
    const maps = record.attention.decoder_self;
    const head = (/** @type {number} */ layer, /** @type {number} */ index) =>
      layer || index ? maps.head(layer, index) : raised(maps.head(0, 0), 0);
    return { ...record, attention: { ...record.attention, decoder_self: { ...maps, head } } };
  },
  predictions: (record) => ({
    ...record,
    steps: withOne(record.steps, (step) => ({ ...step, log_prob: step.log_prob + CHANGE })),
  }),
  candidates: (record) =>
    inFirstStep(record, ({ log_probs: all }) => ({ log_probs: raised(all, all.length - 1) })),
  fates: (record) =>
    inFirstStep(record, ({ fates }) => ({
      fates: withOne(fates, (one) => (one === "beaten" ? "pruned" : "beaten"), fates.length - 1),
    })),
  hypotheses: (record) => ({
    ...record,
    hypotheses: withOne(record.hypotheses, (one) => ({ ...one, text: `${one.text}x` })),
  }),
  doubt: (record) => ({ ...record, doubt: record.doubt === null ? NO_DOUBT : null }),
};
