// The common parts of two lists: the longest common runs first, as in Python's difflib
// (`SequenceMatcher` without junk).

/** @typedef {{isSame: boolean, first: [number, number], second: [number, number]}} Part */

/** The longest run that both have between these bounds; of equals the first.
 * @param {any[]} first @param {Map<any, number[]>} places of each entry of the second
 * @param {[number, number]} bounds @param {[number, number]} others */
function longest(first, places, [from, to], [low, high]) {
  let best = { at: from, other: low, size: 0 };
  /** @type {Map<number, number>} */
  let lengths = new Map();
  for (let i = from; i < to; i += 1) {
    const now = new Map();
    for (const j of places.get(first[i]) ?? []) {
      if (j < low) continue;
      if (j >= high) break;
      const size = (lengths.get(j - 1) ?? 0) + 1;
      now.set(j, size);
      if (size > best.size) best = { at: i - size + 1, other: j - size + 1, size };
    }
    lengths = now;
  }
  return best;
}

/**
 * The parts of both lists in order. @param {any[]} first @param {any[]} second @returns {Part[]}
 */
export function parts(first, second) {
  /** @type {Map<any, number[]>} */
  const places = new Map();
  for (const [j, one] of second.entries()) places.set(one, [...(places.get(one) ?? []), j]);
  /** @type {{at: number, other: number, size: number}[]} */
  const runs = [];
  const open = [[0, first.length, 0, second.length]];
  while (open.length > 0) {
    const [from, to, low, high] = /** @type {number[]} */ (open.pop());
    const run = longest(first, places, [from, to], [low, high]);
    if (run.size === 0) continue;
    runs.push(run);
    open.push([from, run.at, low, run.other], [run.at + run.size, to, run.other + run.size, high]);
  }
  runs.sort((a, b) => a.at - b.at);
  return between(runs, first.length, second.length);
}

/** The runs and what lies between them; runs that touch are one.
 * @param {{at: number, other: number, size: number}[]} runs @param {number} length
 * @param {number} other the second's length @returns {Part[]} */
function between(runs, length, other) {
  /** @type {Part[]} */
  const found = [];
  let [i, j] = [0, 0];
  for (const { at, other: there, size } of [...runs, { at: length, other, size: 0 }]) {
    if (i < at || j < there) found.push({ isSame: false, first: [i, at], second: [j, there] });
    const last = found.at(-1);
    if (size > 0 && last?.isSame) {
      last.first[1] += size;
      last.second[1] += size;
    } else if (size > 0)
      found.push({ isSame: true, first: [at, at + size], second: [there, there + size] });
    [i, j] = [at + size, there + size];
  }
  return found;
}

/**
 * Which tokens are new, and before which some are missing. @param {any[]} tokens @param {any[]}
 * before
 */
export function tokenChanges(tokens, before) {
  const isNew = Array(tokens.length).fill(false);
  /** @type {number[]} */
  const gaps = [];
  for (const { isSame, first, second } of parts(before, tokens)) {
    if (isSame) continue;
    isNew.fill(true, ...second);
    if (first[1] > first[0] && second[1] === second[0]) gaps.push(second[0]);
  }
  return { isNew, gaps };
}
