// A refusal of the engine, with a message for people: the given value, the expected one, what to
// do.

export class Refusal extends Error {
  /**
   * @param {string} message in English
   * @param {string|null} key of the words that say it in other languages, as in model/errors.py
   * @param {Record<string, string|number|string[]>} values that fill their gaps
   */
  constructor(message, key = null, values = {}) {
    super(message);
    this.key = key;
    this.values = values;
  }
}
