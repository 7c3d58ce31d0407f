// The origin of a number: its sum with actual numbers, and the cells that enter it.
// Pure functions.

import { at, matrixIn } from "./maths.js";

/** @typedef {import("./maths.js").Matrix} Matrix */
/** @typedef {import("./maths.js").Name} Name */
/** @typedef {import("./maths.js").Result} Result */
/** What a number is made of; without a row or a column all of them.
 * @typedef {{name: Name, head?: number, row?: number, col?: number}} Part */
/** A number of a matrix, of one head or of the whole.
 * @typedef {{name: Name, head?: number, row: number, col: number}} Chosen */
/** Its sum with actual numbers; `masked`: it is the mask that makes it.
 * @typedef {{sum: string, from: Part[], masked?: boolean}} Origin */

const CLOSE = 1e-9; // rounding errors of adding thirds are not digits

/** 2 -> "2", 2.5 -> "2.5", 1/3 -> "0.333"; a number that needs more than three digits keeps all
 * three: 12.0001 -> "12.000". @param {number} value */
export function numberText(value) {
  if (value === -Infinity) return "−∞";
  const rounded = Number(value.toFixed(3));
  const whole = Math.abs(rounded - value) < CLOSE;
  return (whole ? String(rounded) : value.toFixed(3)).replace("-", "−");
}

const row = (/** @type {Matrix} */ matrix, /** @type {number} */ r) =>
  Array.from({ length: matrix.columns }, (_, c) => at(matrix, r, c));
const column = (/** @type {Matrix} */ matrix, /** @type {number} */ c) =>
  Array.from({ length: matrix.rows }, (_, r) => at(matrix, r, c));
const bracketed = (/** @type {number} */ value) =>
  value < 0 ? `(${numberText(value)})` : numberText(value);
const products = (/** @type {number[]} */ a, /** @type {number[]} */ b) =>
  a.map((value, i) => `${bracketed(value)}·${bracketed(b[i])}`).join(" + ");

/** The origin of a number of each step, from what is typed and the steps before it: of one head, or
 * of the whole. @type {Partial<Record<Name, (of: Result, r: number, c: number) => Origin>>} */
const MADE = {
  scores: (of, r, c) => ({
    sum: products(row(matrixIn(of, "Q"), r), row(matrixIn(of, "K"), c)),
    from: [
      { name: "Q", row: r },
      { name: "K", row: c },
    ],
  }),
  scaled: (of, r, c) => ({
    sum: `${numberText(at(matrixIn(of, "scores"), r, c))} / ${numberText(of.divisor ?? 1)}`,
    from: [{ name: "scores", row: r, col: c }],
  }),
  masked: (of, r, c) => ({
    sum: numberText(at(matrixIn(of, "scaled"), r, c)),
    from: [{ name: "scaled", row: r, col: c }],
    masked: c > r,
  }),
  weights: (of, r, c) => ({
    sum: `e^${bracketed(at(matrixIn(of, "masked"), r, c))} / (${row(matrixIn(of, "masked"), r)
      .map((score) => `e^${bracketed(score)}`)
      .join(" + ")})`,
    from: [{ name: "masked", row: r }],
  }),
  output: (of, r, c) => ({
    sum: products(row(matrixIn(of, "weights"), r), column(matrixIn(of, "V"), c)),
    from: [
      { name: "weights", row: r },
      { name: "V", col: c },
    ],
  }),
};

/** @type {Name} */
const OUTPUT = "output";
/** @type {Name[]} */
const STEPS = ["scores", "scaled", "masked"];

/** The step shown instead of one that changes nothing.
 * @param {Name} name @param {Name[]} shown */
const onShow = (name, shown) =>
  STEPS.includes(name)
    ? (STEPS.slice(0, STEPS.indexOf(name) + 1)
        .reverse()
        .find((one) => shown.includes(one)) ?? name)
    : name;

/** The origin of a number, from the steps that are shown.
 * @param {Result} result @param {Chosen} chosen @param {{causal: boolean}} options
 * @param {Name[]} shown @returns {Origin} */
export function origin(result, chosen, { causal }, shown) {
  const { sum, from, masked = false } = made(result, chosen);
  const parts = from.map((part) => ({ ...part, name: onShow(part.name, shown) }));
  return { sum, from: parts, masked: masked && causal };
}

/** @param {Result} result @param {Chosen} chosen @returns {Origin} */
function made(result, { name, head, row: r, col: c }) {
  const { heads = [], concat } = result;
  if (head !== undefined) {
    const own = step(heads[head], name, r, c);
    return { ...own, from: own.from.map((part) => ({ ...part, head })) };
  }
  if (name === "concat" && concat) {
    const width = heads[0].output.columns;
    const from = [{ name: OUTPUT, head: Math.floor(c / width), row: r, col: c % width }];
    return { sum: numberText(at(concat, r, c)), from };
  }
  if (name === "output" && concat) {
    return {
      sum: products(row(concat, r), column(matrixIn(result, "O"), c)),
      from: [
        { name: "concat", row: r },
        { name: "O", col: c },
      ],
    };
  }
  return step(result, name, r, c);
}

/** @param {Result} result @param {Name} name @param {number} r @param {number} c */
function step(result, name, r, c) {
  const of = MADE[name];
  if (of === undefined) throw new Error(`${name} is no step`);
  return of(result, r, c);
}
