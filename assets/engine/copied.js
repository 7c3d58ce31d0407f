// What a translation has as it stands in the source, the twin of model/text/copied.py, which says
// what each of these is for.

const CHUNK = /[A-Za-z0-9](?:[A-Za-z0-9_.@:/+~#?&=%-]*[A-Za-z0-9])?/g;
const WHOLE =
  /@|_|:\/\/|^www\.|[A-Za-z0-9]\.(?:[a-z][a-z0-9]{1,4}|[A-Z][A-Z0-9]{1,4})$|^[0-9]+(?:\.[0-9]+){2,}$|^[A-Za-z]+-?[0-9]+[A-Za-z0-9]*$/;
const NUMBER = /(?<![0-9])[0-9]{2,}(?![0-9]|(?:s|st|nd|rd|th)(?![A-Za-z0-9_])|,000)/g;
const EMOJI = /[\u2600-\u27bf\u{1f300}-\u{1faff}]/gu;

/** What is usually copied and does not stand in the translation.
 * @param {string} source @param {string} translation */
export function missing(source, translation) {
  const whole = (source.match(CHUNK) ?? []).filter((word) => WHOLE.test(word));
  const rest = whole.reduce((text, word) => text.replaceAll(word, " "), source);
  const numbers = (rest.match(NUMBER) ?? []).filter((number) => /[1-9]/.test(number));
  const items = new Set([...whole, ...numbers, ...(source.match(EMOJI) ?? [])]);
  return [...items].filter((item) => !translation.includes(item));
}

/** Where a text has files, addresses and codes, which are copied letter by letter, in order.
 * @param {string} text @returns {[number, number][]} in characters */
export function spelled(text) {
  const found = [...text.matchAll(CHUNK)].filter(([word]) => WHOLE.test(word));
  const characters = (/** @type {number} */ i) => [...text.slice(0, i)].length;
  return found.map(({ 0: word, index }) => [characters(index), characters(index + word.length)]);
}
