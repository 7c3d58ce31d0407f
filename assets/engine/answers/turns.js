// Long answers in turns, each a separate reply, so that none holds up the others for long: the
// twin of explorer/exchange/turns.py.

const ENOUGH = 400; // ms of work per reply; the rest goes into the next one

/**
 * Does the work of the numbers from `args.first` on, `size` at a time, until the time is up; at
 * least once. With `args.until` it does that of all numbers before it, however long that takes.
 * Returns the results and the number to continue with, or null.
 * @template T
 * @param {import("./request.js").Arguments} args @param {number} total @param {number} size
 * @param {(from: number, to: number) => T} work
 * @returns {{found: T[], next: number|null}}
 */
export function turn(args, total, size, work) {
  const first = args.whole("first", 0, total - 1);
  const until = args.given("until")
    ? args.whole("until", first + 1, Number.MAX_SAFE_INTEGER)
    : null;
  const started = performance.now();
  const found = [];
  const end = Math.min(until ?? total, total);
  for (let from = first; from < end; from += size) {
    const to = Math.min(from + size, end);
    found.push(work(from, to));
    const isEnough = until === null && performance.now() - started > ENOUGH;
    if (to < total && (isEnough || to === end)) return { found, next: to };
  }
  return { found, next: null };
}
