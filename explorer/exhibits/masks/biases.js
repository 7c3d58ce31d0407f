// What a model with a bias by distance (T5) adds to its scores before the mask: the sum of a score,
// a finite bias and -inf is -inf, whatever the bias.

import { signedText } from "../../../assets/kit/numbers.js";
import { unpack } from "../../../assets/kit/packing.js";

/**
 * The extremes of all layers and heads, by distance from -reach to reach.
 * @typedef {{low: Float32Array, high: Float32Array}} Extremes
 * @typedef {{reach: number, encoder_self: Extremes, decoder_self: Extremes}} Biases
 */

/** @param {any} biases as Python sends them @returns {Promise<Biases>} */
export async function unpackBiases({ reach, source, target }) {
  const extremes = async (/** @type {{low: string, high: string}} */ { low, high }) => ({
    low: await unpack(low, Float32Array),
    high: await unpack(high, Float32Array),
  });
  return { reach, encoder_self: await extremes(source), decoder_self: await extremes(target) };
}

/** Those of the kind of attention on show, if it has any: cross-attention has none. @param {any} s
 * @returns {Extremes|null} */
export const biasesOf = ({ answer, kind }) => answer.biases?.[kind] ?? null;

/** The cell that is looked at, with its bias, if it has one. @param {any} s */
export function biasedCell(s) {
  const { lit, at, answer, sentenceMasks, t } = s;
  const biases = biasesOf(s);
  const [sentence, name] = lit?.map?.split(".") ?? [];
  const one = sentenceMasks.find((/** @type {{name: string}} */ mask) => mask.name === name);
  if (!biases || !one || Number(sentence) !== at || lit.col === null) return null;
  const { mask, rows, columns } = one;
  const place = lit.col - lit.row + answer.biases.reach;
  return {
    may: mask[lit.row * columns.length + lit.col],
    row: rows[lit.row],
    column: columns[lit.col],
    bias: rangeText(t, [biases.low[place], biases.high[place]]),
  };
}

/** The least and the greatest of some numbers, or the only one.
 * @param {any} t @param {number[]} values */
export function rangeText(t, values) {
  const [low, high] = [Math.min(...values), Math.max(...values)].map((one) => signedText(one, 2));
  return low === high ? low : t("range", { low, high });
}
