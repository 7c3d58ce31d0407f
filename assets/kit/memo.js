// Caches values that are costly to make and seldom change.

/**
 * Calls make(...) again only if one of its arguments has changed; otherwise returns the last
 * result.
 * @template {any[]} A
 * @template R
 * @param {(...values: A) => R} make
 * @returns {(...values: A) => R}
 */
export function memo(make) {
  /** @type {{values: A, result: R}|null} */
  let last = null;
  return (...values) => {
    if (last === null || values.some((value, i) => !Object.is(value, last?.values[i]))) {
      last = { values, result: make(...values) };
    }
    return last.result;
  };
}
