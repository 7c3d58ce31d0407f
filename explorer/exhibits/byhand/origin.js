// The origin of a number: its sum with actual numbers, and the cells that enter it.
// Pure functions.

import { at } from "./maths.js";

const CLOSE = 1e-9; // rounding errors of adding thirds are not digits

// 2 -> "2", 2.5 -> "2.5", 1/3 -> "0.333"; a number that needs more than three digits keeps all
// three: 12.0001 -> "12.000".
export function numberText(value) {
  if (value === -Infinity) return "−∞";
  const rounded = Number(value.toFixed(3));
  const whole = Math.abs(rounded - value) < CLOSE;
  return (whole ? String(rounded) : value.toFixed(3)).replace("-", "−");
}

const row = (matrix, r) => Array.from({ length: matrix.columns }, (_, c) => at(matrix, r, c));
const column = (matrix, c) => Array.from({ length: matrix.rows }, (_, r) => at(matrix, r, c));
const bracketed = (value) => (value < 0 ? `(${numberText(value)})` : numberText(value));
const products = (a, b) =>
  a.map((value, i) => `${bracketed(value)}·${bracketed(b[i])}`).join(" + ");

// The input matrices of a step. `steps` are those of one head, or of the whole.
const MADE = {
  scores: ({ Q, K }, r, c) => ({
    sum: products(row(Q, r), row(K, c)),
    from: [
      { name: "Q", row: r },
      { name: "K", row: c },
    ],
  }),
  scaled: ({ scores, divisor }, r, c) => ({
    sum:
      divisor === 1
        ? `${numberText(at(scores, r, c))} / 1`
        : `${numberText(at(scores, r, c))} / ${numberText(divisor)}`,
    from: [{ name: "scores", row: r, col: c }],
  }),
  masked: ({ scaled }, r, c) => ({
    sum: numberText(at(scaled, r, c)),
    from: [{ name: "scaled", row: r, col: c }],
    masked: c > r,
  }),
  weights: ({ masked }, r, c) => ({
    sum: `e^${bracketed(at(masked, r, c))} / (${row(masked, r)
      .map((score) => `e^${bracketed(score)}`)
      .join(" + ")})`,
    from: [{ name: "masked", row: r }],
  }),
  output: ({ weights, V }, r, c) => ({
    sum: products(row(weights, r), column(V, c)),
    from: [
      { name: "weights", row: r },
      { name: "V", col: c },
    ],
  }),
};

const STEPS = ["scores", "scaled", "masked"];

// The step shown instead of one that changes nothing.
const onShow = (name, shown) =>
  STEPS.includes(name)
    ? (STEPS.slice(0, STEPS.indexOf(name) + 1)
        .reverse()
        .find((one) => shown.includes(one)) ?? name)
    : name;

// {sum, from: [{name, head, row, col}], masked}: a part of `from` without a row or column is all of
// it. `shown` are the steps shown.
export function origin(result, chosen, { causal }, shown) {
  const made = parts(result, chosen, causal);
  return { ...made, from: made.from.map((part) => ({ ...part, name: onShow(part.name, shown) })) };
}

function parts(result, { name, head, row: r, col: c }, causal) {
  if (head !== undefined) {
    const made = MADE[name](result.heads[head], r, c);
    return {
      ...made,
      masked: Boolean(made.masked && causal),
      from: made.from.map((part) => ({ ...part, head })),
    };
  }
  if (name === "concat") {
    const width = result.heads[0].output.columns;
    const from = [{ name: "output", head: Math.floor(c / width), row: r, col: c % width }];
    return { sum: numberText(at(result.concat, r, c)), from, masked: false };
  }
  if (name === "output" && result.concat) {
    return {
      sum: products(row(result.concat, r), column(result.O, c)),
      from: [
        { name: "concat", row: r },
        { name: "O", col: c },
      ],
      masked: false,
    };
  }
  const made = MADE[name](result, r, c);
  return { ...made, masked: Boolean(made.masked && causal) };
}
