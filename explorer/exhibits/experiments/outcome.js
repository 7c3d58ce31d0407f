// What became of a translation: a difference of words, not of letters, because a class reads words.

import { isAlone } from "../../../assets/kit/languages.js";
import { between, wordParts, wordsOf } from "./spoken.js";

/** @typedef {{key: string, n?: number} & Partial<Record<"part"|"more"|"less"|"old"|"now"|"text",
 *   string>>} Outcome a key of the words, and what they quote */

const MOST = 34; // letters of a quoted text; half as many where a letter can be a word
const FAR = 2; // times as much as all else: what a class should hear of
const KEPT = 1 / 3; // of the words: with fewer it is another sentence
// What a broken model often writes: something four times in a row, something longer three times;
// from the beginning of a word, where letters have one.
const LOOPS = [/(?<![\p{Lu}\p{Ll}])(.{1,40}?)\1{3,}/u, /(?<![\p{Lu}\p{Ll}])(.{5,40}?)\1{2,}/u];

/** @param {string} before @param {string} after @returns {Outcome} */
export function outcomeOf(before, after) {
  if (before === after) return { key: "same" };
  if (after.trim() === "") return { key: "empty" };
  const loop = loopIn(after);
  if (loop && !loopIn(before)) return { key: "repeats", ...loop };
  const [mine, theirs] = [wordsOf(before), wordsOf(after)];
  const all = wordParts(mine, theirs);
  const kept = all.reduce((n, one) => n + (one.isSame ? one.first[1] - one.first[0] : 0), 0);
  const changes = all
    .filter(({ isSame }) => !isSame)
    .map(({ first, second }) => ({
      old: between(before, mine, first),
      now: between(after, theirs, second),
      isLast: first[1] === mine.length,
    }));
  if (changes.length === 0) return { key: "marks" };
  if (kept === 0 || kept < KEPT * mine.length) return { key: "other", text: shortened(after) };
  return outcomeOfChanges(changes) ?? { key: "order" };
}

/** @param {{old: string, now: string, isLast: boolean}[]} changes
 * @returns {Outcome|null} null where the words are the same in another order */
function outcomeOfChanges(changes) {
  const [{ isLast }] = changes;
  const only = changes.length === 1;
  const [less, more] = [longestOf(changes, "old"), longestOf(changes, "now")];
  if (goesOn(changes))
    return { key: "continues", more: shortened(changes[changes.length - 1].now) };
  if (less === "") return { key: "adds", more: shortened(more) };
  if (more === "") return { key: only && isLast ? "ends" : "loses", less: shortened(less) };
  if (isSameWords(changes)) return null;
  const swaps = changes.filter(({ old, now }) => old !== "" && now !== "");
  if (swaps.length === 0)
    return { key: "both", more: shortened(more, 0.5), less: shortened(less, 0.5) };
  const old = longestOf(swaps, "old");
  const { now } = swaps.find((one) => one.old === old) ?? swaps[0];
  const key = only ? "replaces" : "several";
  return { key, old: shortened(old, 0.5), now: shortened(now, 0.5) };
}

/** Whether what is new behind the end is by far the most of what changed; what stood there may have
 * moved.
 * @param {{old: string, now: string, isLast: boolean}[]} changes */
function goesOn(changes) {
  const { isLast, old, now } = changes[changes.length - 1];
  const others = changes.slice(0, -1);
  const rest = others.reduce((sum, one) => sum + one.old.length + one.now.length, old.length);
  const isKept = old === "" || others.some((one) => one.now.includes(old));
  return isLast && isKept && now.length > FAR * rest;
}

/** @template {"old"|"now"} K @param {Record<K, string>[]} changes @param {K} name */
const longestOf = (changes, name) =>
  changes.map((one) => one[name]).reduce((a, b) => (b.length > a.length ? b : a), "");

/** Whether what went away in some places stands in others. @param {{old: string, now: string}[]} all */
function isSameWords(all) {
  const sorted = (/** @type {"old"|"now"} */ name) =>
    all
      .flatMap((one) => wordsOf(one[name]).map(({ text }) => text.toLowerCase()))
      .sort()
      .join(" ");
  return sorted("old") === sorted("now");
}

/** What a text repeats, and how often; null where it does not. @param {string} text */
function loopIn(text) {
  const open = `${text.replace(/[\s\p{P}]+$/u, "")} `; // the last one too has a blank behind it
  const found = LOOPS.map((loop) => loop.exec(open)).find((one) => one !== null);
  if (!found) return null;
  const [all, part] = found;
  return { part: part.trim(), n: all.length / part.length };
}

/** The beginning of a text, to its last whole word. @param {string} text
 * @param {number} share of what may be quoted */
function shortened(text, share = 1) {
  const letters = [...text];
  const most = share * (letters.some(isAlone) ? MOST / 2 : MOST);
  if (letters.length <= most) return text;
  const cut = letters.slice(0, Math.floor(most) - 1).join("");
  return `${cut.replace(/\s+\S*$/u, "")}…`;
}
