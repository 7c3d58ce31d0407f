// The identities of the two ends of the model: the inputs of the first layers, and the last state's
// prediction of the next token. Pure functions; each returns a Result.

import { dot, largestDeviation, layerNorm } from "../../../assets/kit/matrix.js";
import { sinusoid } from "../../../assets/kit/sinusoids.js";
import { mistakes, result, worst } from "./result.js";

const SUMS = 1e-4;
const SIDES = ["source", "target"];

/** The position vectors equal the formula, shifted if an intervention shifts them. */
export const positionsAreTheFormula = (inputs, { interventions }) =>
  worst(
    SIDES.map((side) => {
      const { positions, count, layout } = inputs[side];
      const { positions: how, sides, shift } = interventions;
      const isOwn = sides === side || sides === "both";
      const isMoved = how !== "kept" && isOwn && !(how === "shuffled" && side === "target");
      const width = positions.length / count;
      const from = isMoved && how === "shifted" ? shift : 0;
      const shape = { size: width, base: 10000, layout };
      const formula = Float64Array.from(positions, (_, i) =>
        layout === "none" ? 0 : sinusoid(Math.floor(i / width) + from, i % width, shape),
      );
      const excuse = isMoved && how !== "shifted" ? how : null;
      return result(largestDeviation(positions, formula), 1e-6, positions.length, excuse);
    }),
  );

/**
 * Each token's embedding times the factor, plus its position, is the input of the first layer. The
 * factor is sqrt(d_model), or 1 in a model without one.
 */
export const inputsAddUp = (inputs, record, sides) =>
  worst(
    SIDES.flatMap((side) => {
      const { tokens, positions, first, scale } = inputs[side];
      const labels = side === "source" ? record.src : record.tgt_in;
      const width = tokens.length / labels.length;
      const wanted = new Float64Array(tokens.length).fill(NaN);
      labels.forEach(({ id }, i) => {
        const row = sides[side].get(id)?.row;
        if (row?.length === width)
          wanted.set(
            Float64Array.from(row, (x) => x * scale),
            i * width,
          );
      });
      const sum = Float64Array.from(tokens, (one, i) => one + positions[i]);
      return [
        result(largestDeviation(sum, first), 1e-5, first.length),
        result(largestDeviation(tokens, wanted), 1e-5, tokens.length),
        result(Math.min(Math.abs(scale - Math.sqrt(width)), Math.abs(scale - 1)), 1e-6, 1),
      ];
    }),
  );

/** log of the sum of exp. @param {Float32Array} logits */
function logSumExp(logits) {
  const most = logits.reduce((so, one) => Math.max(so, one), -Infinity);
  return most + Math.log(logits.reduce((sum, one) => sum + Math.exp(one - most), 0));
}

/**
 * The last state through the output matrix gives the logits, their log-softmax the log-probs of
 * every step on the page, and the tokens listed there are those with the highest.
 */
export const logitsGiveLogProbs = (record, steps, words) =>
  worst(record.steps.map((step, t) => stepResult(record, step, t, steps[t], words)));

function stepResult(record, step, t, { state, logits, norm }, words) {
  const read = norm ? layerNorm(state, norm.gamma, norm.beta, norm.eps) : state;
  const total = logSumExp(logits);
  const ids = [step.chosen, ...step.top.map(({ id }) => id)];
  const said = [step.log_prob, ...step.top.map((one) => one.log_prob)];
  const summed = ids.map((id) => {
    const word = words.get(id);
    return word ? dot(read, word.output ?? word.row) + word.bias : NaN;
  });
  const lowest = logits[step.top.at(-1)?.id ?? 0];
  const higher = logits.reduce((count, one) => count + (one > lowest ? 1 : 0), 0);
  const isForced = Boolean(record.search.steps[t]?.forced[record.path[t]]);
  return worst([
    result(
      largestDeviation(
        summed,
        ids.map((id) => logits[id]),
      ),
      SUMS * 2,
      ids.length,
    ),
    result(
      largestDeviation(
        said,
        ids.map((id) => logits[id] - total),
      ),
      SUMS,
      ids.length,
    ),
    mistakes([
      step.chosen === record.tgt_out[t]?.id,
      step.forced === isForced,
      logits.length === record.model.vocabulary,
      higher < step.top.length,
    ]),
  ]);
}

/** The log-prob of a word at a step, from the last state and the output matrix. */
export function ownLogProb({ state, logits, norm }, word) {
  const read = norm ? layerNorm(state, norm.gamma, norm.beta, norm.eps) : state;
  return dot(read, word.output ?? word.row) + word.bias - logSumExp(logits);
}

/** The entropy of every step is that of its logits. */
export const entropyIsTheLogits = (record, steps) => {
  const found = steps.map(({ logits }) => {
    const total = logSumExp(logits);
    return logits.reduce((sum, one) => sum - Math.exp(one - total) * (one - total), 0);
  });
  const said = record.steps.map(({ entropy }) => entropy);
  return result(largestDeviation(found, said), SUMS, said.length);
};
