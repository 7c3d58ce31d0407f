// The player: which block computes now, in the order of the data. The encoder works once, before
// the first decoding step that is played. Pure functions.

export const PACES = { slow: 2200, normal: 1300, fast: 320 }; // ms of a block, time to read about it
const MOST = { encoder: 7, decoder: 15 }; // blocks' time for all, however many there are

/**
 * @typedef {object} At
 * @property {number|null} stage the place of the block that computes; null: all is there
 * @property {string[]} order the blocks of the model in their order
 * @property {number} step
 * @property {any} record
 * @property {any} of the record that was played
 * @property {number|null} played the step that was played to its end last
 * @property {string} speed
 */

/** The fields at a stage of this record; another record begins with all that is there. */
const at = (/** @type {At} */ { record }, /** @type {number|null} */ stage) => ({
  stage,
  of: record,
});

const decoderOf = (/** @type {At} */ { order }) =>
  order.findIndex((id) => id.startsWith("decoder."));
/** True until something of this record has been played. @param {At} s */
const isFresh = ({ of, record, played }) => of !== record || played === null;
const lastOf = (/** @type {At} */ { record }) => record.tgt_out.length - 1;

/** One block on; at the end of a decoding step the next one begins. Null: all is written.
 * @param {At} s */
export function forward(s) {
  const { stage, order, step } = s;
  if (stage !== null && stage < order.length - 1) return at(s, stage + 1);
  if (stage === null && isFresh(s)) return at(s, 0);
  if (step >= lastOf(s)) return null;
  return { ...at(s, decoderOf(s)), selection: { step: step + 1 } };
}

/** One block back. @param {At} s */
export function back(s) {
  const stage = s.stage ?? s.order.length;
  const first = s.step === 0 || stage < decoderOf(s) ? 0 : decoderOf(s);
  if (stage > first || first === 0) return at(s, Math.max(0, stage - 1));
  return { ...at(s, s.order.length - 1), selection: { step: s.step - 1 } };
}

/** All that there is. @param {At} s */
export const whole = (s) => ({ ...at(s, null), played: s.step });

/** What playing changes next: a step is played to its end, and then it stands still, all shown. A
 * start after that plays the next step; after the last one, the first.
 * @param {At} s @param {boolean} isStart */
export function next(s, isStart) {
  const { stage, order, step, played } = s;
  if (stage !== null) return stage < order.length - 1 ? at(s, stage + 1) : whole(s);
  if (!isStart) return null;
  const now = !isFresh(s) && played === step ? (step < lastOf(s) ? step + 1 : 0) : step;
  const first = at(s, now === 0 || isFresh(s) ? 0 : decoderOf(s));
  return now === step ? first : { ...first, selection: { step: now } };
}

/** How long the block of that stage is lit, in ms: less where its stack has very many.
 * @param {At} s */
export function paceOf({ speed, stage, order }) {
  const stack = String(order[stage ?? 0]).split(".")[0];
  const count = order.filter((id) => id.startsWith(`${stack}.`)).length;
  return PACES[speed] * Math.min(1, MOST[stack] / count);
}
