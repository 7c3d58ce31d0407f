// A long answer in turns, each a reply of its own, so that none holds up the others for long: the
// twin of explorer/exchange/turns.py.

const ENOUGH = 400; // ms of work after which the rest is left for the next reply

/**
 * Does the work of the numbers from `first` on, `size` at a time, until the time is up; at least
 * once. Gives the results, and the number to go on with: null if there is none.
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
