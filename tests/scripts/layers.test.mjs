import { colourOf, diverging } from "/assets/kit/colour.js";
import { layerNorm } from "/assets/kit/matrix.js";
import { mostOf, placed } from "/assets/kit/signed.js";
import { factsOf, sizesOf as figureSizes } from "/explorer/exhibits/figure/facts.js";
import { forms, stepsOf } from "/explorer/exhibits/flow/maths.js";
import { byColumns, byRows, moments } from "/explorer/exhibits/stream/maths.js";
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
  near(byRows(table, 2, EPS), [-1, 1, -1, 1]);
  near(byColumns(table, 2, EPS), [-1, -1, 1, 1]);
});

test("a word alone: LayerNorm gives the same, BatchNorm nothing but zeros", () => {
  const table = Float64Array.of(1, 3, 5, 9);
  near(byRows(table.subarray(0, 2), 2, EPS), [...byRows(table, 2, EPS).subarray(0, 2)], 1e-12);
  near(byColumns(table.subarray(0, 2), 2, EPS), [0, 0]);
});

test("shapes at the paper's size", () => {
  const steps = stepsOf("decoder", SIZES, "post");
  const shapes = Object.fromEntries(steps.map(({ name, shape }) => [name, shape]));
  assert.deepEqual(
    [shapes.masked, shapes.cross, shapes.project, shapes.inner, shapes.logits],
    ["8 × 5 × 5", "8 × 5 × 7", "8 × 5 × 64", "5 × 2048", "5 × 37000"],
  );
  assert.equal(steps.filter(({ name }) => name === "norm").length, 3);
});

test("pre-norm puts the norm first, and one at the end of the stack", () => {
  const names = stepsOf("encoder", SIZES, "pre").map(({ name }) => name);
  assert.ok(names.indexOf("norm") < names.indexOf("project"));
  assert.equal(names.at(-2), "norm_last");
  const post = stepsOf("encoder", SIZES, "post").map(({ name }) => name);
  assert.ok(post.indexOf("norm") > post.indexOf("residual"));
  assert.ok(!post.includes("norm_last"));
});

test("a model without the factor, or with an output matrix of its own, is shown as it is", () => {
  const names = (sizes) =>
    stepsOf("decoder", { ...SIZES, tied: true, ...sizes }, "post").map(({ name }) => name);
  const usual = names({ scale_embedding: true });
  assert.deepEqual([usual[1], usual.at(-1)], ["embedding", "logits"]);
  assert.equal(names({})[1], "embedding"); // a session that was saved before there was a choice
  const other = names({ scale_embedding: false, tied: false });
  assert.deepEqual([other[1], other.at(-1)], ["embedding_plain", "logits_apart"]);
  const page = { t: (key) => key, record: { get: () => ({ interventions: {} }) } };
  const said = (tied) =>
    factsOf(page, { type: "linear" }, figureSizes({ ...SIZES, tied }, { src: [] }, 0)).says;
  assert.equal(said(true), "figure.says.linear");
  assert.equal(said(false), "figure.says.linear_apart");
});

// 8 heads of size 512: 8 · 3 · 512² + 8 · 512² = 8,388,608; slices: 4 · 512² = 1,048,576.
test("three ways to make the maps, counted by hand", () => {
  assert.deepEqual(
    forms(SIZES).map(({ numbers }) => numbers),
    [8388608, 1048576, 1048576],
  );
});

// Two heads of 256 read the source; the decoder's attentions have 8 of 64, the cross-attention too.
test("each stack has its own number of heads", () => {
  const sizes = { ...SIZES, n_heads: 2, decoder_heads: 8 };
  const shapes = (stack) => stepsOf(stack, sizes, "post").map(({ name, shape }) => [name, shape]);
  const [encoder, decoder] = ["encoder", "decoder"].map((s) => Object.fromEntries(shapes(s)));
  assert.deepEqual([encoder.project, encoder.self], ["2 × 7 × 256", "2 × 7 × 7"]);
  const { project, masked, project_cross, cross } = decoder;
  assert.deepEqual([project, masked], ["8 × 5 × 64", "8 × 5 × 5"]);
  assert.deepEqual([project_cross, cross], ["8 × 5 × 64", "8 × 5 × 7"]);
  const counted = forms(sizes).map(({ stack, name, numbers }) => [stack, name, numbers]);
  assert.deepEqual(
    counted.filter(([, name]) => name === "full"),
    [
      ["encoder", "full", 2097152],
      ["decoder", "full", 8388608],
    ],
  );
  assert.equal(counted.length, 6);
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
