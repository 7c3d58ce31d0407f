// Where a number of the microscope comes from: its value, its formula, and the sum with the real
// numbers in it. Pure functions. `data` is {layer, head (headChain), row (rowChain), at}.
//
// A number is named by its stage and its place there; of the stages over the keys only the chosen
// key is asked for, so they have no place. Formulas write indices as people count, "x_{3}" for x
// with a small 3.

const MOST_DIGITS = 12;
const SHOWN_TERMS = 3; // at the beginning of a long sum, and one at its end

export const KEY_STAGES = ["dot", "scaled", "bias", "masked", "exp", "weight"];

/** Those of a layer: only some add a bias to their scores (T5).
 * @param {import("../../../assets/kit/sublayer.js").Layer} layer */
export const keyStagesOf = ({ bias }) =>
  bias ? KEY_STAGES : KEY_STAGES.filter((stage) => stage !== "bias");

/** Formulas name these the same in every language. @type {Record<string, string>} */
const SIGNS = {
  query: "q",
  key: "k",
  product: "q·k",
  value: "v",
  part: "w·v",
  context: "Σ w·v",
  concat: "concat",
  entering: "x",
  after: "LayerNorm",
  exp: "exp", // of the score less the largest; the readout has the formula
};

/** The short name of a stage. @param {any} s @param {string} stage */
export const signOf = ({ t, layer }, stage) =>
  stage === "after" && layer.rms ? "RMSNorm" : (SIGNS[stage] ?? t(`name.${stage}`));

// Decimal places of a number that is to be compared: four, and more where it would be all zeros.
export function placesOf(value) {
  const size = Math.abs(value);
  if (!Number.isFinite(size) || size === 0 || size >= 0.001) return 4;
  return Math.min(MOST_DIGITS, 3 - Math.floor(Math.log10(size)));
}

// 0.1234, with a true minus sign, or −∞.
export function numberText(value, places = 4) {
  if (value === -Infinity) return "−∞";
  return value.toFixed(places).replace("-", "−");
}

const own = (value) => numberText(value, placesOf(value));
const inside = (value) => (value < 0 ? `(${numberText(value)})` : numberText(value));
const product = (a, b) => `${inside(a)} · ${inside(b)}`;

// {value, formula, terms, tail, expression, from}: `expression` is the whole right side in numbers,
// long sums cut short; `terms` has all summands; `from` names the numbers it was made of, as
// [stage, place], or [stage] for all of a stage.
export function originOf(stage, place, data) {
  return finished(STAGES[stage](data, place));
}

function finished({ value, formula, terms = null, tail = "", expression = null, from = [] }) {
  return { value, formula, terms, tail, from, expression: expression ?? shortSum(terms, tail) };
}

function shortSum(terms, tail) {
  const short =
    terms.length <= SHOWN_TERMS + 2 ? terms : [...terms.slice(0, SHOWN_TERMS), "…", terms.at(-1)];
  return short.join(" + ") + tail;
}

// What a linear map makes of one row: the stages query, key and value.
function projected(letter, input, row, name) {
  return ({ layer, head }, i) => {
    const width = layer.d_model;
    const x = layer[input].subarray(row * width, (row + 1) * width);
    const matrix = layer[`w_${letter}`];
    const bias = layer[`b_${letter}`][i];
    return {
      value: head[letter][i],
      formula: `${name}_{${i + 1}} = Σ_{c} x_{c} · W^{${letter.toUpperCase()}}_{c,${i + 1}} + b_{${i + 1}}`,
      terms: Array.from(x, (one, c) => product(one, matrix[c * layer.dk + i])),
      tail: ` + ${inside(bias)}`,
    };
  };
}

const STAGES = {
  query: (data, i) => projected("q", "x", data.at.row, "q")(data, i),
  key: (data, i) => projected("k", "memory", data.at.col, "k")(data, i),
  value: (data, i) => projected("v", "memory", data.at.col, "v")(data, i),
  product: ({ head }, i) => ({
    value: head.products[i],
    formula: `q_{${i + 1}} · k_{${i + 1}}`,
    expression: product(head.q[i], head.k[i]),
    from: [
      ["query", i],
      ["key", i],
    ],
  }),
  dot: ({ head, at }) => ({
    value: head.dots[at.col],
    formula: "q · k = Σ_{i} q_{i} · k_{i}",
    terms: Array.from(head.q, (one, i) => product(one, head.k[i])),
    from: [["product"]],
  }),
  scaled: ({ head, layer, at }) => ({
    value: head.scaled[at.col],
    formula: layer.scale === 1 ? "q · k / 1" : `q · k / √${layer.dk}`,
    expression: `${numberText(head.dots[at.col])} / ${layer.scale.toFixed(4)}`,
    from: [["dot"]],
  }),
  bias: ({ head, at }) => ({
    value: head.bias[at.col],
    formula: "b(key − query)",
    expression: `b(${String(at.col - at.row).replace("-", "−")})`,
  }),
  masked: ({ head, at }) => ({
    value: head.masked[at.col],
    formula: head.bias ? "s = q · k / √d_{k} + b + mask" : "s = q · k / √d_{k} + mask",
    expression: [
      numberText(head.scaled[at.col]),
      ...(head.bias ? [inside(head.bias[at.col])] : []),
      head.masked[at.col] === -Infinity ? "(−∞)" : "0",
    ].join(" + "),
    from: [["scaled"], ...(head.bias ? [["bias"]] : [])],
  }),
  exp: ({ head, at }) => ({
    value: head.exps[at.col],
    formula: "e^{s − max s}",
    expression: `exp(${numberText(head.masked[at.col])} − ${inside(head.max)})`,
    from: [["masked"]],
  }),
  weight: ({ head, at }) => ({
    value: head.weights[at.col],
    formula: `w_{${at.col + 1}} = e^{s − max s} / Σ e^{s − max s}`,
    expression: `${own(head.exps[at.col])} / ${numberText(head.sum)}`,
    from: [["exp", "all"]],
  }),
  part: (data, i) => ({
    value: data.head.parts[i],
    formula: `w_{${data.at.col + 1}} · v_{${i + 1}}${offMark(data)}`,
    expression: `${own(data.head.weights[data.at.col])} · ${inside(data.head.v[i])}${offMark(data)}`,
    from: [["weight"], ["value", i]],
  }),
  context: (data, i) => {
    const { layer, head, at } = data;
    const from = at.head * layer.keys * layer.dk + i;
    return {
      value: head.context[i],
      formula: `context_{${i + 1}} = Σ_{j} w_{j} · v_{j,${i + 1}}${offMark(data)}`,
      terms: Array.from(head.weights, (weight, j) => product(weight, layer.v[from + j * layer.dk])),
      tail: offMark(data),
      from: [
        ["weight", "all"],
        ["part", i],
      ],
    };
  },
  concat: ({ layer, row, at }, c) => {
    const head = Math.floor(c / layer.dk);
    const i = c % layer.dk;
    return {
      value: row.concat[c],
      formula: `concat_{${c + 1}} = context_{${i + 1}}^{(${head + 1})}`,
      expression: numberText(row.concat[c]),
      from: head === at.head ? [["context", i]] : [],
    };
  },
  output: ({ layer, row }, d) => ({
    value: row.output[d],
    formula: `output_{${d + 1}} = Σ_{c} concat_{c} · W^{O}_{c,${d + 1}} + b_{${d + 1}}`,
    ...(layer.off
      ? { expression: "0" }
      : {
          terms: Array.from(row.concat, (one, c) => product(one, layer.w_o[c * layer.d_model + d])),
          tail: ` + ${inside(layer.b_o[d])}`,
        }),
    from: [["concat"]],
  }),
  entering: ({ row }, d) => ({
    value: row.entering[d],
    formula: `x_{${d + 1}}`,
    expression: numberText(row.entering[d]),
  }),
  sum: ({ row }, d) => ({
    value: row.sum[d],
    formula: `x_{${d + 1}} + output_{${d + 1}}`,
    expression: `${numberText(row.entering[d])} + ${inside(row.output[d])}`,
    from: [
      ["entering", d],
      ["output", d],
    ],
  }),
  after: ({ layer, row }, d) => ({
    value: row.after[d],
    ...(layer.pre
      ? { formula: `x_{${d + 1}} + output_{${d + 1}}`, expression: numberText(row.sum[d]) }
      : normed(layer, row, d)),
    from: [["sum", d]],
  }),
};

/** A number behind the norm. */
function normed({ rms, eps, gamma, beta }, { sum, mean, variance }, d) {
  const root = `/ √(${numberText(variance)} + ${eps}) · ${inside(gamma[d])}`;
  return rms
    ? {
        formula: "RMSNorm: sum / √(mean square + ε) · γ",
        expression: `${numberText(sum[d])} ${root}`,
      }
    : {
        formula: "LayerNorm: (sum − mean) / √(variance + ε) · γ + β",
        expression: `(${numberText(sum[d])} − ${inside(mean)}) ${root} + ${inside(beta[d])}`,
      };
}

export const STAGE_NAMES = Object.keys(STAGES);

const offMark = ({ layer, at }) => (layer.kept[at.head] ? "" : " · 0");
