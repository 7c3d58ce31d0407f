// The records that the view compares: what the original model writes, what the changed one writes,
// and the tokens of the first as the changed one reads them. All else is computed from them here.

import { isUntouched } from "../../../assets/kit/interventions.js";
import { ownOf } from "../../../assets/kit/languages.js";
import { best, forced } from "../../../assets/kit/requests.js";

/** @typedef {import("../../../assets/kit/types.js").Rec} Rec */
/** @typedef {import("../../../assets/kit/types.js").Maps} Maps */
/** All fields of the interventions. @typedef {Record<string, any>} Changes */
/** What the records of a list of requests say together. @typedef {(records: Rec[]) => any} Reading */
/** @typedef {import("../../../assets/kit/interventions.js").Facts} Facts */

/** A list of requests with what their records say together. @typedef {Rec[] & {reading: Reading}} Read */

/** @param {Rec[]} requests @param {Reading} reading @returns {Read} */
const readAs = (requests, reading) => Object.assign(requests, { reading });

/** The record of the original model, or the request for it: the page may show a changed model, or a
 * beginning instead of a translation.
 * @param {Pick<import("../../../assets/kit/exhibit.js").Base, "record"|"kept">} s
 * @param {Facts} facts @returns {Rec} */
export const originalOf = ({ record, kept }, facts) =>
  isUntouched(record.interventions, facts) && record.node === null
    ? record
    : kept(record, "original", () => best(record, { interventions: {} }));

/**
 * The requests for what the changed model writes, and for the original's tokens as it reads them.
 * @param {Rec} before the original's @param {Changes} changes
 */
export const comparison = (before, changes) =>
  readAs(
    [best(before, { interventions: changes }), forced(before, "", changes)],
    ([written, changed]) => {
      const texts = [before.translation, written.translation];
      return {
        interventions: changes,
        records: [before, changed],
        ...{ src: changed.src, tgt_in: changed.tgt_in, tgt_out: changed.tgt_out },
        texts,
        log_probs: [before, changed].map(logProbsOf),
        next: [before, changed].map(({ steps }) => steps.map(({ top }) => top)),
        ...{ positions: before.model.positions, unscaled: before.model.unscaled === true },
      };
    },
  );

/**
 * The requests that tell the effect of padding: with the other mask, and without padding where that
 * is not the original.
 * @param {{records: Rec[], interventions: Changes}} answer @param {Facts} facts
 */
export function padded({ records: [before, changed], interventions }, facts) {
  const { padding, padding_mask: isMasked } = interventions;
  const bare = unpadded(interventions, before.src.length);
  const all = [{ ...interventions, padding_mask: !isMasked }, bare];
  return readAs(
    (isUntouched(bare, facts) ? all.slice(0, 1) : all).map((one) => forced(before, "", one)),
    ([otherMask, withoutPadding = before]) => {
      const [respected, forgotten] = isMasked ? [changed, otherMask] : [otherMask, changed];
      return effectOf(padding, { withoutPadding, respected, forgotten });
    },
  );
}

/** The changes without padding and the cells painted on it. @param {Changes} changes
 * @param {number} size source tokens @returns {Changes} */
function unpadded(changes, size) {
  /** @type {Record<string, number[]>} */
  const source = { encoder_self: [1, 2], cross: [2], decoder_self: [] }; // places of source tokens
  const cells = changes.cells.filter((/** @type {any[]} */ cell) =>
    source[cell[0]].every((place) => Number(cell[place]) < size),
  );
  return { ...changes, padding: 0, padding_mask: true, cells };
}

const logProbsOf = (/** @type {Rec} */ { steps }) => steps.map(({ log_prob: one }) => one);
const sum = (/** @type {number[]} */ all) => all.reduce((total, one) => total + one, 0);

/**
 * The effect of `count` pad tokens with and without their mask.
 * @param {number} count @param {Record<"withoutPadding"|"respected"|"forgotten", Rec>} records
 */
function effectOf(count, { withoutPadding, respected, forgotten }) {
  const [before, masked, read] = [withoutPadding, respected, forgotten].map(logProbsOf);
  const { encoder_self: own, cross } = forgotten.attention;
  return {
    count,
    largest: Math.max(...masked.map((one, i) => Math.abs(one - before[i]))),
    encoder_self: shareOf(own, count, own.queries - count),
    cross: shareOf(cross, count, cross.queries),
    log_probs: [sum(before), sum(read)],
  };
}

/** The mean share of attention on the last `count` keys, of the first `queries`.
 * @param {Maps} maps @param {number} count @param {number} queries */
function shareOf({ layers, heads, keys, head }, count, queries) {
  let all = 0;
  for (let which = 0; which < layers * heads; which += 1) {
    const cells = head(Math.floor(which / heads), which % heads);
    for (let row = 0; row < queries; row += 1)
      for (let key = keys - count; key < keys; key += 1) all += cells[row * keys + key] || 0;
  }
  return all / (layers * heads * queries);
}

/** One head of both, on the axes of the changed one; NaN where it may not look.
 * @param {{answer: {records: Rec[]}, selection: import("../../../assets/kit/types.js").Selection}} s */
export function attentionOf({ answer: { records }, selection: { kind, layer, head } }) {
  const [one, other] = records.map(({ attention }) => attention[kind]);
  const { queries, keys } = other;
  const before = new Float32Array(queries * keys).fill(Number.NaN); // padding may have been added
  const own = one.head(layer, head);
  for (let row = 0; row < one.queries; row += 1)
    before.set(own.subarray(row * one.keys, (row + 1) * one.keys), row * keys);
  return { kind, layer, head, queries, keys, before, after: other.head(layer, head) };
}

/**
 * Two sentences of the same tokens, translated by the original model and the changed one.
 * @param {Rec} record @param {Changes} changes @param {string[]} texts
 */
export function translations(record, changes, texts) {
  // Without pads and painted cells, which are one text's.
  const models = [{}, { ...changes, padding: 0, cells: [] }];
  const translation = (/** @type {Rec} */ written) => ({
    text: written.translation,
    log_prob: sum(logProbsOf(written)),
  });
  return readAs(
    texts.flatMap((text) =>
      models.map((interventions) => best(record, { text, prefix: [], interventions })),
    ),
    (records) => ({
      interventions: changes,
      sentences: texts.map((text, i) => ({
        text,
        before: translation(records[2 * i]),
        after: translation(records[2 * i + 1]),
      })),
    }),
  );
}

/** The texts of a pair in the language of a record. @param {Rec} record @param {any} pairs
 * @param {string} name @returns {string[]} */
export const textsOf = (record, pairs, name) => ownOf(pairs, record.text)[name];
