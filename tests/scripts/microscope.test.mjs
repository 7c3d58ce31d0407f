import { headChain, rowChain } from "/assets/kit/sublayer.js";

import { literal, pythonFor } from "/explorer/exhibits/microscope/python.js";
import { numberText, originOf, placesOf } from "/explorer/exhibits/microscope/trace.js";
import { assert, test } from "./check.mjs";
import { layer } from "./small_layer.mjs";

const at = { kind: "cross", layer: 0, head: 1, row: 1, col: 2 };
const data = (one = layer(), place = at) => ({
  layer: one,
  at: place,
  head: headChain(one, place.head, place.row, place.col),
  row: rowChain(one, place.row),
});

test("four places, and more where four would be zeros", () => {
  assert.deepEqual(
    [1.5, 0.001, 0.00012345, -0.0000051, 0, -Infinity].map(placesOf),
    [4, 4, 7, 9, 4, 4],
  );
  assert.equal(numberText(0.00012346, 7), "0.0001235");
  assert.deepEqual([numberText(-1.23456), numberText(-Infinity)], ["−1.2346", "−∞"]);
});

test("the origin of a query number is its row of x through its column of W_Q", () => {
  // q 1 of row 1: -1·1 + 0·3 + 1·5 + 5·7 - 0.5
  const { expression, terms, tail } = originOf("query", 0, data());
  assert.deepEqual(terms, [
    "(−1.0000) · 1.0000",
    "0.0000 · 3.0000",
    "1.0000 · 5.0000",
    "5.0000 · 7.0000",
  ]);
  assert.equal(tail, " + (−0.5000)");
  assert.equal(
    expression,
    "(−1.0000) · 1.0000 + 0.0000 · 3.0000 + 1.0000 · 5.0000 + 5.0000 · 7.0000 + (−0.5000)",
  );
});

test("keys and values come from the memory at the key's place", () => {
  assert.deepEqual(originOf("key", 1, data()).terms.slice(2), [
    "1.0000 · 6.0000",
    "0.0000 · 8.0000",
  ]);
  assert.deepEqual(originOf("value", 0, data()).terms.slice(2), [
    "1.0000 · 5.0000",
    "0.0000 · 7.0000",
  ]);
});

test("a weight names the exponentials, an exponential its score", () => {
  const weight = originOf("weight", 0, data());
  assert.equal(numberText(weight.value), "0.1978"); // torch: 0.197775814640
  assert.equal(weight.expression, "0.4931 / 2.4931"); // exp(-0.70711), two keys share the maximum
  assert.deepEqual(weight.from, [["exp", "all"]]);
  assert.equal(originOf("exp", 0, data()).expression, "exp(0.0000 − 0.7071)");
  assert.equal(originOf("scaled", 0, data()).expression, "0.0000 / 1.4142");
});

test("a masked key says −∞", () => {
  const { value, expression } = originOf("masked", 0, data(layer(), { ...at, head: 0, row: 0 }));
  assert.equal(value, -Infinity);
  assert.equal(expression, "1.4142 + (−∞)");
});

test("context, concat and output name their parts", () => {
  const context = originOf("context", 0, data());
  assert.deepEqual(context.terms, ["0.4011 · (−1.0000)", "0.4011 · 0.5000", "0.1978 · 2.0000"]);
  assert.deepEqual(context.from, [
    ["weight", "all"],
    ["part", 0],
  ]);
  assert.deepEqual(originOf("concat", 3, data()).from, [["context", 1]]);
  assert.deepEqual(originOf("concat", 1, data()).from, []); // another head's
  const output = originOf("output", 2, data());
  assert.equal(output.terms[0], "3.8227 · (−0.7500)");
  assert.equal(numberText(output.value), "−3.8702");
  assert.equal(originOf("sum", 2, data()).expression, "1.0000 + (−3.8702)");
});

test("what is switched off says so", () => {
  const off = { ...layer(), kept: [true, false] };
  assert.ok(originOf("context", 0, data(off)).expression.endsWith(" · 0"));
  assert.equal(originOf("output", 0, data({ ...layer(), off: true })).expression, "0");
});

test("every stage has a value, a formula and words", () => {
  const stages =
    "query key value product dot scaled masked exp weight part context concat output entering sum after";
  for (const stage of stages.split(" ")) {
    const { value, formula, expression } = originOf(stage, 0, data());
    assert.ok(Number.isFinite(value) && formula.length > 1 && expression.length > 0, stage);
  }
});

test("Python's constants are not JSON's", () => {
  assert.equal(
    literal([true, null, 'a"b\\n', [0.5, false]]),
    '[True, None, "a\\"b\\\\n", [0.5, False]]',
  );
});

test("the code names what differs from the defaults, and nothing else", () => {
  const record = {
    text: 'Say "hi".',
    settings: { beam_size: 2, method: "beam" },
    shown: 1,
    prefix: [5, 6],
    node: null,
    interventions: { scaling: false, heads_off: [["cross", 1, 0]], padding: 0 },
  };
  const code = pythonFor("weight", 0, at, {
    record,
    defaults: { beam_size: 4, method: "beam" },
    untouched: { scaling: true, heads_off: [], padding: 0 },
    places: 5,
  });
  for (const line of [
    '    "Say \\"hi\\".",',
    "    DecodeConfig(beam_size=2),",
    '    interventions=Interventions(scaling=False, heads_off=[["cross", 1, 0]]),',
    "    shown=1,",
    "    prefix=[5, 6],",
    'one = attention_sub_layer(explainer.model, found.trace, "cross", 0)',
    'print(f"{value:.5f}")',
  ])
    assert.ok(code.split("\n").includes(line), `${line} in ${code}`);
  assert.equal(code.includes("node"), false);
});
