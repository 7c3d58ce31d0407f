import { layerNorm } from "/assets/kit/algebra.js";
import { colourOf, diverging } from "/assets/kit/colour.js";
import { mostOf, placed } from "/assets/kit/signed.js";
import { factsOf, sizesOf as figureSizes, shapesOf } from "/explorer/exhibits/figure/facts.js";
import { partsOf } from "/explorer/exhibits/figure/layout.js";
import { blockShapes } from "/explorer/exhibits/figure/shapes.js";
import { moments, normed } from "/explorer/exhibits/stream/maths.js";
import { assert, test } from "./check.mjs";

const near = (found, wanted, within = 1e-4) => {
  assert.equal(found.length, wanted.length);
  wanted.forEach((x, i) => assert.ok(Math.abs(found[i] - x) < within, `${found[i]} for ${x}`));
};

const EPS = 1e-5;
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

test("mean and variance by hand", () => {
  assert.deepEqual(moments([1, 2, 3, 6]), { mean: 3, variance: 3.5 });
});

// By hand: [1, 3] has mean 2 and variance 1, so it becomes -1 and 1 (but for the 0.00001).
test("LayerNorm by hand, with gamma and beta", () => {
  near(layerNorm([1, 3], [1, 1], [0, 0], EPS), [-1, 1]);
  near(layerNorm([1, 3], [2, 10], [0.5, -1], EPS), [-1.5, 9], 1e-3);
});

test("rows and columns of one table", () => {
  const table = Float64Array.of(1, 3, 5, 9); // rows [1, 3] and [5, 9]
  near(normed("rows", table, 2, EPS), [-1, 1, -1, 1]);
  near(normed("columns", table, 2, EPS), [-1, -1, 1, 1]);
});

test("a word alone: LayerNorm gives the same, BatchNorm nothing but zeros", () => {
  const table = Float64Array.of(1, 3, 5, 9);
  near(
    normed("rows", table.subarray(0, 2), 2, EPS),
    [...normed("rows", table, 2, EPS).subarray(0, 2)],
    1e-12,
  );
  near(normed("columns", table.subarray(0, 2), 2, EPS), [0, 0]);
});

test("shapes at the paper's size", () => {
  const sizes = figureSizes(SIZES, { src: { length: 7 } }, 4);
  const of = (type, stack, kind) => shapesOf({ type, stack, kind }, sizes);
  assert.equal(of("attention", "decoder", "decoder_self").inside, "8 × 5 × 5");
  assert.deepEqual(of("attention", "decoder", "cross"), {
    in: "5 × 512; 7 × 512",
    inside: "8 × 5 × 7",
    out: "5 × 512",
  });
  assert.equal(of("feed_forward", "encoder").inside, "7 × 2,048");
  assert.equal(of("softmax", "decoder").out, "1 × 37,000");
});

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

test("the sign of a number is the hue of its cell", () => {
  const colours = [...placed(Float64Array.of(-2, 0, 2), mostOf([-2, 0, 2]))].map((place) =>
    colourOf(diverging.light, place),
  );
  assert.ok(colours[0][2] > colours[0][0]);
  assert.ok(colours[2][0] > colours[2][2]);
  assert.ok(Math.min(...colours[1]) > 230);
});
