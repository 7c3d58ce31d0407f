// Beam search on a table of five letters, with every possible text beside it: the twin of
// explorer/exhibits/toy and model/labs/toy.py.

import { mulberry32 } from "../../kit/sampling.js";
import { packedSearch } from "../payload.js";
import { SentenceSearch } from "../search.js";
import { refusal } from "./request.js";

/** @typedef {import("./explainer.js").Question} Question */

const MAX_TRIES = 5_000; // tables to try for one in which greedy loses
const SETTINGS = {
  length_penalty: 0, penalty_form: "average", temperature: 1, top_k: 0, top_p: 1, seed: 0,
  no_repeat: 0,
}; // biome-ignore format: of a search that draws nothing

/** @param {import("./request.js").Arguments} args @param {string} name
 * @param {Record<string, [number, number]>} limits */
const within = (args, name, limits) => args.whole(name, ...limits[name]);

/** The search on a table, greedy's text, and all texts. @type {Question} */
export async function toy({ facts }, _, args) {
  const { letters, limits, tolerance } = facts.constants.toy;
  const size = letters.length;
  const table = args.table("table", { rows: size + 1, columns: size, low: 0, high: 1 });
  const beam = within(args, "beam", limits);
  const length = within(args, "length", limits);
  checkSums(table, letters, tolerance);
  const found = search(table, length, { method: "beam", beam_size: beam });
  const tokenizer = { piece: (/** @type {number} */ id) => letters[id] ?? "</s>" };
  const texts = (/** @type {SentenceSearch} */ one) =>
    one.hypotheses.map(({ ids, log_prob, path }) => ({
      text: textOf(ids, letters),
      log_prob,
      path,
    }));
  const packed = await packedSearch(found.steps, /** @type {any} */ ({ tokenizer }));
  const labels = Object.fromEntries(
    Object.keys(packed.labels).map((id) => [
      id,
      { text: tokenizer.piece(Number(id)), kind: "word" },
    ]),
  );
  return {
    search: { ...packed, labels },
    hypotheses: texts(found),
    greedy: texts(search(table, length, { method: "greedy", beam_size: 1 }))[0],
    all: exhaustive(table, length, letters),
  };
}

/** A table, in steps of .1, in which greedy search misses the best text. @type {Question} */
export function toyTable({ facts }, _, args) {
  const { letters, limits, tolerance } = facts.constants.toy;
  const length = within(args, "length", limits);
  const random = mulberry32(args.whole("seed", 0, 2 ** 31));
  /** @type {any} */
  let fallback = null;
  for (let i = 0; i < MAX_TRIES; i += 1) {
    const table = randomTable(random, letters.length);
    const [[, best]] = exhaustive(table, length, letters);
    const finds = (/** @type {any} */ how) =>
      Math.exp(search(table, length, how).hypotheses[0].log_prob) >= best - tolerance;
    if (finds({ method: "greedy", beam_size: 1 })) continue;
    const found = { table, beam_wins: finds({ method: "beam", beam_size: 2 }) };
    if (found.beam_wins) return found;
    fallback ??= found;
  }
  if (fallback === null) throw refusal("error.request");
  return fallback;
}

/** @param {number[][]} table @param {string} letters @param {number} tolerance */
function checkSums(table, letters, tolerance) {
  for (const [row, chances] of table.entries()) {
    const sum = chances.reduce((a, b) => a + b, 0);
    if (Math.abs(sum - 1) <= tolerance) continue;
    const written = String(Number(sum.toPrecision(6)));
    if (row === 0) throw refusal("toy.refused.start", { sum: written });
    throw refusal("toy.refused.after", { letter: letters[row - 1], sum: written });
  }
}

/** The real search, of a model that is a table. @param {number[][]} table
 * @param {number} length @param {{method: string, beam_size: number}} how */
function search(table, length, how) {
  const edge = table.length - 1; // the start token, and the end, which never comes
  const rows = [...table.slice(1), table[0]].map((row) =>
    Float64Array.from([...row, 0], (chance) => Math.log(chance)),
  );
  const settings = { ...SETTINGS, ...how, max_length: length };
  const one = new SentenceSearch(
    settings,
    { start_id: edge, end_id: edge, banned: [] },
    [],
    table.length,
  );
  while (one.live.length > 0)
    one.advance(one.tokens.map(([id]) => /** @type {any} */ (rows[id].slice())));
  return one;
}

const textOf = (/** @type {number[]} */ ids, /** @type {string} */ letters) =>
  ids.map((id) => letters[id]).join("");

/**
 * All possible texts, most likely first, ties in alphabetical order.
 * @param {number[][]} table @param {number} length @param {string} letters
 * @returns {[string, number][]}
 */
function exhaustive(table, length, letters) {
  /** @type {{ids: number[], chance: number}[]} */
  let texts = [{ ids: [], chance: 1 }];
  for (let i = 0; i < length; i += 1)
    texts = texts.flatMap(({ ids, chance }) =>
      table[ids.length > 0 ? ids[ids.length - 1] + 1 : 0].map((next, id) => ({
        ids: [...ids, id],
        chance: chance * next,
      })),
    );
  const rounded = (/** @type {number} */ chance) => Number(chance.toFixed(12));
  /** @type {[string, number][]} */
  const all = texts.flatMap(({ ids, chance }) =>
    chance > 0 ? [/** @type {[string, number]} */ ([textOf(ids, letters), chance])] : [],
  );
  return all.sort((a, b) => rounded(b[1]) - rounded(a[1]) || (a[0] < b[0] ? -1 : 1));
}

/** Ten tenths a row, each given to a letter whose chance was drawn before. */
function randomTable(/** @type {() => number} */ random, /** @type {number} */ size) {
  return Array.from({ length: size + 1 }, () => {
    const weights = Array.from({ length: size }, () => -Math.log(1 - random()));
    const all = weights.reduce((a, b) => a + b, 0);
    const tenths = Array(size).fill(0);
    for (let i = 0; i < 10; i += 1) {
      let left = random() * all;
      const at = weights.findIndex((one) => {
        left -= one;
        return left < 0;
      });
      tenths[at < 0 ? size - 1 : at] += 1;
    }
    return tenths.map((n) => n / 10);
  });
}
