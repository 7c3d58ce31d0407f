// The few lines of Python that print a number of the microscope. Pure functions.

// A value as Python writes it. JSON's strings are Python's, its constants are not.
export function literal(value) {
  if (value === null) return "None";
  if (value === true) return "True";
  if (value === false) return "False";
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  return JSON.stringify(value);
}

const named = (values) =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${literal(value)}`)
    .join(", ");

// The fields of `values` that are not what `defaults` has.
function changed(values, defaults) {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(defaults[name]),
    ),
  );
}

// The call that gives the current explanation.
function explained(record, defaults, untouched) {
  const settings = named(changed(record.settings, defaults));
  const touched = named(changed(record.interventions, untouched));
  const call = [literal(record.text), `DecodeConfig(${settings})`];
  if (touched) call.push(`interventions=Interventions(${touched})`);
  if (record.shown) call.push(`shown=${record.shown}`);
  if (record.prefix.length) call.push(`prefix=${literal(record.prefix)}`);
  if (record.node !== null) call.push(`node=(${record.node.join(", ")})`);
  const names = touched ? "DecodeConfig, Interventions" : "DecodeConfig";
  return [
    `from model.config import ${names}`,
    "from model.labs.dissect import attention_sub_layer",
    "",
    "found = explainer.explain(",
    ...call.map((part) => `    ${part},`),
    ")",
  ];
}

const SCORES = [
  "scores = one.keys[head] @ one.queries[head, row] / one.scale",
  "scores[~one.mask[row]] = -np.inf",
];
const BIASED = "scores = scores + one.bias[head, row]"; // between the two, if there is a bias
const SOFTMAX = [...SCORES, "exps = np.exp(scores - scores.max())", "weights = exps / exps.sum()"];
const CONTEXT = [...SOFTMAX, "context = weights @ one.values[head] * one.kept[head]"];
const NORMS = {
  layer: "total = (total - total.mean()) / np.sqrt(total.var() + one.eps) * one.gamma + one.beta",
  rms: "total = total / np.sqrt((total**2).mean() + one.eps) * one.gamma",
};
const CONCAT = ["concat = one.context[:, row].reshape(-1)  # all heads, side by side"];
const OUTPUT = [...CONCAT, "output = concat @ one.w_o + one.b_o"];
const OFF = ["output = one.output[row]  # the sub-layer is switched off"];

const projected = (letter, input, place) => (i) => [
  `column = head * one.queries.shape[2] + ${i}`,
  `value = one.${input}[${place}] @ one.w_${letter}[:, column] + one.b_${letter}[column]`,
];

// The lines that compute each stage; they end with `value`.
const STAGES = {
  query: projected("q", "x", "row"),
  key: projected("k", "memory", "col"),
  value: projected("v", "memory", "col"),
  product: (i) => [`value = one.queries[head, row, ${i}] * one.keys[head, col, ${i}]`],
  dot: () => ["value = one.queries[head, row] @ one.keys[head, col]"],
  scaled: () => ["value = one.queries[head, row] @ one.keys[head, col] / one.scale"],
  bias: () => ["value = one.bias[head, row, col]"],
  masked: () => [...SCORES, "value = scores[col]"],
  exp: () => [...SOFTMAX, "value = exps[col]"],
  weight: () => [...SOFTMAX, "value = weights[col]"],
  part: (i) => [...SOFTMAX, `value = weights[col] * one.values[head, col, ${i}] * one.kept[head]`],
  context: (i) => [...CONTEXT, `value = context[${i}]`],
  concat: (i) => [...CONCAT, `value = concat[${i}]`],
  output: (i, off) => [...(off ? OFF : OUTPUT), `value = output[${i}]`],
  entering: (i) => [`value = one.before[row, ${i}]`],
  sum: (i, off) => [...(off ? OFF : OUTPUT), `value = one.before[row, ${i}] + output[${i}]`],
  after: (i, off, pre, rms) => [
    ...(off ? OFF : OUTPUT),
    "total = one.before[row] + output",
    ...(pre ? [] : [NORMS[rms ? "rms" : "layer"]]),
    `value = total[${i}]`,
  ],
};

// The code for the number at `place` of a stage. `at` is {kind, layer, head, row, col}.
export function pythonFor(
  stage,
  place,
  at,
  { record, defaults, untouched, places, zero = false, layer = {} },
) {
  const { off = false, pre = false, rms = false, bias = null } = /** @type {any} */ (layer);
  const lines = STAGES[stage](place, off, pre, rms);
  return [
    "import numpy as np",
    ...explained(record, defaults, untouched),
    `one = attention_sub_layer(explainer.model, found.trace, ${literal(at.kind)}, ${at.layer})`,
    `head, row, col = ${at.head}, ${at.row}, ${at.col}  # counted from 0`,
    ...lines.flatMap((line) => (bias && line === SCORES[0] ? [line, BIASED] : [line])),
    zero ? `print(f"{value + 0:.${places}f}")  # + 0: no −0` : `print(f"{value:.${places}f}")`,
  ].join("\n");
}
