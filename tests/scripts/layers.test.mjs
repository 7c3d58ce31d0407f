import { factsOf, sizesOf as figureSizes } from "/explorer/exhibits/figure/facts.js";
import { partsOf } from "/explorer/exhibits/figure/layout.js";
import { blockShapes } from "/explorer/exhibits/figure/shapes.js";
import { assert, test } from "./check.mjs";

const SIZES = {
  S: 7,
  T: 5,
  d_model: 512,
  n_heads: 8,
  d_ff: 2048,
  vocab_size: 37000,
  n_encoder_layers: 6,
  n_decoder_layers: 6,
};

test("pre-norm puts the norm before each part of a layer, post-norm after it", () => {
  const types = (norm) => partsOf("encoder", 0, norm).map(({ type }) => type);
  assert.deepEqual(types("pre"), ["norm", "attention", "add", "norm", "feed_forward", "add"]);
  assert.deepEqual(types("post"), ["attention", "add_norm", "feed_forward", "add_norm"]);
});

test("a block's shapes are written as far as there is room", () => {
  const flow = { in: "5 × 512; 7 × 512", inside: "8 × 5 × 7", out: "5 × 512" };
  const text = (width) => blockShapes(flow, { width, height: 20, em: 10 }).values.at(-1);
  assert.equal(text(1000), "5 × 512; 7 × 512 → 8 × 5 × 7 → 5 × 512");
  assert.equal(text(150), "8 × 5 × 7 → 5 × 512");
  assert.equal(text(50), "5 × 512");
});

test("a model with an output matrix of its own is described as it is", () => {
  const page = { t: (key) => key, record: { get: () => ({ interventions: {} }) } };
  const said = (tied) =>
    factsOf(page, { type: "linear" }, figureSizes({ ...SIZES, tied }, { src: [] }, 0)).says;
  assert.equal(said(true), "figure.says.linear");
  assert.equal(said(false), "figure.says.linear_apart");
});

test("what Figure 1 says of an attention is of its own stack", () => {
  let interventions = {};
  const page = {
    t: (key, values = {}) => `${key} ${values.heads ?? ""} ${values.inside ?? ""}`,
    record: { get: () => ({ interventions }) },
  };
  const config = { ...SIZES, n_heads: 2, decoder_heads: 8 };
  const sizes = figureSizes(config, { src: { length: 7 } }, 4);
  const told = (stack, kind) => {
    const { says, shapes } = factsOf(page, { type: "attention", layer: 0, stack, kind }, sizes);
    return `${says}, ${shapes}`;
  };
  assert.ok(/ 2 ,.* 2 × 7 × 7$/.test(told("encoder", "encoder_self")));
  assert.ok(/ 8 ,.* 8 × 5 × 5$/.test(told("decoder", "decoder_self")));
  assert.ok(/ 8 ,.* 8 × 5 × 7$/.test(told("decoder", "cross")));
  assert.ok(!/ahead/.test(told("decoder", "decoder_self")));
  interventions = { cells: [["decoder_self", 0, 2, true]] };
  assert.ok(/^figure.says.decoder_self_ahead/.test(told("decoder", "decoder_self")));
  interventions = { cells: [["decoder_self", 2, 0, false]] };
  assert.ok(!/ahead/.test(told("decoder", "decoder_self")));
});
