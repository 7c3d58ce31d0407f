// The words of the source that its translation may lack, on the page.

import { isUntouched } from "./interventions.js";

/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Rec} Rec */

/** @typedef {import("./types.js").LostWords} LostWords */

/** What lost words are about: the same record may be made again. @param {Rec} record */
export const textsOf = ({ text, translation, model: { key } }) => ({ text, translation, by: key });

/** @param {LostWords|null} lost @param {Rec} record */
export const isOf = (lost, record) =>
  lost !== null &&
  lost.text === record.text &&
  lost.translation === record.translation &&
  lost.by === record.model.key;

/** Those of a record; null before they are known, and where nothing is lost.
 * @param {Page} page @param {Rec|null} record */
export function lostOf(page, record) {
  const lost = page.lost.get();
  if (record === null || !isOf(lost, record) || !isWhole(page, record)) return null;
  return lost?.words.length ? lost : null;
}

/** Like any doubt, it is about whole translations by the unmodified model.
 * @param {Page} page @param {Rec} record */
export const isWhole = ({ shared }, { interventions, prefix, node, model }) =>
  prefix.length === 0 &&
  node === null &&
  !model.weights &&
  isUntouched(interventions, shared.interventions);

const NEAR = 3; // letters that a text may have more than its tokens, beside blanks

/** The source tokens that are part of such a word.
 * @param {Page} page @param {Rec} record @returns {Set<number>} */
export function lostTokens(page, record) {
  const { words } = lostOf(page, record) ?? { words: [] };
  /** @type {Set<number>} */
  const found = new Set();
  if (words.length === 0) return found;
  const letters = [...record.text]; // places are counted so
  let [at, unread] = [0, 0];
  for (const [i, { text }] of record.src.entries()) {
    const own = [...text];
    while (letters[at]?.trim() === "") at += 1;
    const begin = indexOf(letters, own, at, at + NEAR + unread);
    if (begin < 0) {
      unread += own.length; // it has a name, is a part of a letter, or a sign of another form
      continue;
    }
    [at, unread] = [begin + own.length, 0];
    if (words.some((one) => begin < one.end && at > one.begin)) found.add(i);
  }
  return found;
}

/** @param {string[]} whole @param {string[]} part @param {number} from @param {number} most */
function indexOf(whole, part, from, most) {
  const last = Math.min(most, whole.length - part.length);
  for (let i = from; part.length > 0 && i <= last; i += 1)
    if (part.every((letter, n) => letter === whole[i + n])) return i;
  return -1;
}
