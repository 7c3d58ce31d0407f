import { idOf, partsOf } from "/explorer/exhibits/looks/parts.js";
import { largestOf } from "/explorer/exhibits/looks/sheets.js";
import { assert, test } from "./check.mjs";

test("the largest products are found without sorting all", () => {
  const products = Float32Array.of(1, -5, 3, 5, -2, 0, 3);
  assert.deepEqual(largestOf(products, 4), [1, 3, 2, 6]);
  assert.deepEqual(largestOf(products, 1), [1]);
  assert.deepEqual(largestOf(products, 9), [1, 3, 2, 6, 4, 0, 5]);
});

test("what is taken out has a name in the link, and is all that its writer wrote", () => {
  const key = ["embedding", "decoder 1 self 3", "decoder 1 self bias", "decoder 1 cross 3", "bias"];
  const head = { name: "self", stack: "decoder", layer: 0, head: 2 };
  assert.equal(idOf(head), "self.decoder.0.2");
  assert.deepEqual(partsOf({ key }, head), ["decoder 1 self 3"]);
  assert.deepEqual(partsOf({ key }, { name: "biases" }), ["decoder 1 self bias", "bias"]);
  assert.deepEqual(partsOf({ key }, { name: "distance" }), ["distance"]);
});
