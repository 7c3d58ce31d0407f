// Learning rates over the updates of a training, which count from 1. Pure functions.

// lrate = d_model^-0.5 min(step^-0.5, step warmup^-1.5): "Attention Is All You Need", equation 3.
export const paperRate = (step, { dModel, warmup }) =>
  dModel ** -0.5 * Math.min(step ** -0.5, step * warmup ** -1.5);

// A linear rise to the peak, then a linear fall to 0 just after the last update.
export function linearRate(step, { peak, warmup, updates }) {
  if (step <= warmup) return (peak * step) / warmup;
  return (peak * Math.max(0, updates + 1 - step)) / Math.max(1, updates + 1 - warmup);
}

// Points of a curve: `count` steps from 1 to `last`, and the bend, which no rounding may cut off.
export function curve(rate, last, bend, count = 200) {
  const steps = Array.from({ length: count + 1 }, (_, i) => 1 + ((last - 1) * i) / count);
  return [...steps, ...(bend > 1 && bend < last ? [bend] : [])]
    .sort((a, b) => a - b).map((step) => [step, rate(step)]);
}
