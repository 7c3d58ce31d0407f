// Which token may follow bytes, so that all bytes form characters: model/text/utf8.py and the rule
// of bytes in model/rules.py.

/** @typedef {[number, number]} Range of bytes, without the second */

export const LONGEST = 4; // bytes of a character
const CONTINUING = /** @type {Range} */ ([0x80, 0xc0]);
/** The bytes that begin characters of one, two, three and four bytes.
 * @type {Range[]} */
const FIRST = [
  [0, 0x80],
  [0xc2, 0xe0],
  [0xe0, 0xf0],
  [0xf0, 0xf5],
];
/** After these not every continuing byte may come second.
 * @type {Map<number, Range>} */
const SECOND = new Map([
  [0xe0, [0xa0, 0xc0]], // less is written with two bytes
  [0xed, [0x80, 0xa0]], // more is a surrogate
  [0xf0, [0x90, 0xc0]], // less is written with three bytes
  [0xf4, [0x80, 0x90]], // more is beyond U+10FFFF
]);
export const LEAST = Math.log(0.01); // of a token that is recorded as forbidden

const isIn = (/** @type {number} */ byte, /** @type {Range} */ [from, to]) =>
  byte >= from && byte < to;

/** The number of bytes of the character that a byte begins; 0 if it begins none.
 * @param {number} byte */
const widthOf = (byte) => 1 + FIRST.findIndex((range) => isIn(byte, range));

/** The bytes that may follow where `written` ends inside a character; null if it does not.
 * @param {number[]} written @returns {Range|null} */
export function continuing(written) {
  for (let n = 1; n < LONGEST && n <= written.length; n += 1) {
    const first = written[written.length - n];
    if (isIn(first, CONTINUING)) continue;
    const second = SECOND.get(first) ?? CONTINUING;
    const isWrong = n > 1 && !isIn(written[written.length - n + 1], second);
    if (widthOf(first) <= n || isWrong) return null;
    return n === 1 ? second : CONTINUING;
  }
  return null;
}

/**
 * @typedef {object} ByteRule what may follow: nothing but these tokens, or all but these
 * @property {boolean} isOnly @property {number[]} ids
 */

/** What may follow the written ids in a text that has room for some tokens more: `bytes_after` of
 * model/rules.py. @param {number[]} bytes the ids of <0x00>, <0x01>, ... or none
 * @param {number[]} ids @param {number} room @returns {ByteRule} */
export function bytesAfter(bytes, ids, room) {
  if (bytes.length === 0) return { isOnly: false, ids: [] };
  const last = ids.slice(1 - LONGEST).map((id) => bytes.indexOf(id));
  const range = continuing(last.slice(last.lastIndexOf(-1) + 1));
  if (range !== null) return { isOnly: true, ids: bytes.slice(...range) };
  const isMisplaced = (/** @type {number} */ byte) => widthOf(byte) === 0 || widthOf(byte) > room;
  return { isOnly: false, ids: bytes.filter((_, byte) => isMisplaced(byte)) };
}

/** Sets the log-probs (V) of what the rule forbids to -Infinity. @param {Float32Array} own
 * @param {ByteRule} rule */
export function maskBytes(own, { isOnly, ids }) {
  const kept = ids.map((id) => own[id]);
  if (isOnly) own.fill(-Infinity);
  for (const [i, id] of ids.entries()) own[id] = isOnly ? kept[i] : -Infinity;
}

/** The likely tokens that the rule forbids, by id. @param {Float32Array} own log-probs (V)
 * @param {ByteRule} rule @returns {number[]} */
export function forbiddenBytes(own, { isOnly, ids }) {
  const likely = (/** @type {number} */ id) => own[id] >= LEAST;
  if (!isOnly) return ids.filter(likely).sort((a, b) => a - b);
  const allowed = new Set(ids);
  return Array.from(own.keys()).filter((id) => likely(id) && !allowed.has(id));
}
