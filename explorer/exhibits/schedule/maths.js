// Learning rates over the updates of a training, which count from 1. Pure functions.

/** lrate = d_model^-0.5 min(step^-0.5, step warmup^-1.5): "Attention Is All You Need", equation 3.
 * @param {number} step @param {{dModel: number, warmup: number}} settings */
export const paperRate = (step, { dModel, warmup }) =>
  dModel ** -0.5 * Math.min(step ** -0.5, step * warmup ** -1.5);

/** A linear rise to the peak, then a linear fall to 0 just after the last update, in the last
 * `falling` of them; between the two, if there is a gap, the peak. @param {number} step
 * @param {{peak: number, warmup: number, updates: number, falling?: number}} settings */
export function linearRate(step, { peak, warmup, updates, falling = updates + 1 - warmup }) {
  if (step <= warmup) return (peak * step) / warmup;
  return peak * Math.min(1, Math.max(0, updates + 1 - step) / Math.max(1, falling));
}

/** Points of a curve: 201 steps from 1 to `last`, and the bends, which rounding must not cut off.
 * @param {(step: number) => number} rate @param {number} last @param {number[]} bends
 * @returns {[number, number][]} */
export function curve(rate, last, ...bends) {
  const steps = Array.from({ length: 201 }, (_, i) => 1 + ((last - 1) * i) / 200);
  return [...steps, ...bends.filter((bend) => bend > 1 && bend < last)]
    .sort((a, b) => a - b)
    .map((step) => [step, rate(step)]);
}
