// Long answers in turns, each a separate reply, so that none holds up the others for long: the
// twin of explorer/exchange/turns.py.

const ENOUGH = 400; // ms of work per reply; the rest goes into the next one

/**
 * Does the work of the numbers from `first` on, `size` at a time, until the time is up; at least
 * once. Returns the results and the number to continue with, or null.
 * @template T
 * @param {number} first @param {number} total @param {number} size
 * @param {(from: number, to: number) => T} work
 * @returns {{found: T[], next: number|null}}
 */
export function turn(first, total, size, work) {
  const started = performance.now();
  const found = [];
  for (let from = first; from < total; from += size) {
    const to = Math.min(from + size, total);
    found.push(work(from, to));
    if (to < total && performance.now() - started > ENOUGH) return { found, next: to };
  }
  return { found, next: null };
}
