// Shapes at each step, and three ways to make the maps of multi-head attention. Pure functions.

/** The steps of a stack in order: {name, shape, layer}; `layer` marks the steps repeated by each
 * layer. `sizes` has the fields of ModelConfig, and S and T, the numbers of tokens.
 * @param {string} stack @param {any} sizes @param {string} norm */
export function stepsOf(stack, sizes, norm) {
  const n = stack === "encoder" ? sizes.S : sizes.T;
  const d = sizes.d_model;
  const h = (stack === "decoder" && sizes.decoder_heads) || sizes.n_heads; // 0: the encoder's
  const f = (stack === "decoder" && sizes.decoder_d_ff) || sizes.d_ff;
  const wide = `${n} × ${d}`;
  const steps = [
    { name: stack === "encoder" ? "source" : "target", shape: `${n}` },
    { name: sizes.scale_embedding === false ? "embedding_plain" : "embedding", shape: wide },
    { name: "position", shape: wide },
  ];
  const add = (name, shape) => steps.push({ name, shape, layer: true });
  const sublayer = (inside) => {
    if (norm === "pre") add("norm", wide);
    inside();
    add("residual", wide);
    if (norm === "post") add("norm", wide);
  };
  const attention = (kind, keys) =>
    sublayer(() => {
      add(kind === "cross" ? "project_cross" : "project", `${h} × ${n} × ${d / h}`);
      add(kind, `${h} × ${n} × ${keys}`);
      add("context", `${h} × ${n} × ${d / h}`);
      add("output", wide);
    });
  attention(stack === "encoder" ? "self" : "masked", n);
  if (stack === "decoder") attention("cross", sizes.S);
  sublayer(() => {
    add("inner", `${n} × ${f}`);
    add("outer", wide);
  });
  if (norm === "pre") steps.push({ name: "norm_last", shape: wide });
  if (stack === "encoder") steps.push({ name: "memory", shape: wide });
  else {
    const name = sizes.tied === false ? "logits_apart" : "logits";
    steps.push({ name, shape: `${n} × ${sizes.vocab_size}` });
  }
  return steps;
}

/** The numbers per token at a step. */
export const perToken = (/** @type {string} */ shape, /** @type {number} */ tokens) =>
  shape.split(" × ").reduce((product, size) => product * Number(size), 1 / tokens);

/** The count of a weight, from its shape and its number of copies, not from the reply. */
export const numbersOf = ({ shape, times }) =>
  shape.reduce((/** @type {number} */ product, size) => product * size, times);

/**
 * The weights (without biases) of the four maps of one multi-head attention, made in three ways;
 * for both stacks, if their numbers of heads differ.
 */
export function forms({ d_model: d, n_heads, decoder_heads: other }) {
  const stacks = Object.entries(other ? { encoder: n_heads, decoder: other } : { "": n_heads });
  const whole = 4 * d * d;
  return stacks.flatMap(([stack, h]) => [
    { stack, name: "full", formula: `${h} × 3 × ${d}×${d} + ${h * d}×${d}`, numbers: h * whole },
    { stack, name: "slices", formula: `${h} × 3 × ${d}×${d / h} + ${d}×${d}`, numbers: whole },
    { stack, name: "one", formula: `3 × ${d}×${d} + ${d}×${d}`, numbers: whole },
  ]);
}
