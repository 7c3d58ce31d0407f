import { assert, test } from "./check.mjs";

import { decode, mostDecided, rowOf, strongest } from "/assets/payload.js";

const base64 = (bytes) => btoa(String.fromCharCode(...bytes));

// One layer, one head, a causal 3 x 3 map with weights in units of 1/65535.
function causal(...whole) {
  const weights = new Uint8Array(new Uint16Array(whole).buffer);
  // Rows 100, 110, 111, read across: 1001 1011 1.
  return { layers: 1, heads: 1, queries: 3, keys: 3, mask: base64([0b10011011, 0b10000000]), weights: base64(weights) };
}

test("weights go to the cells that the mask allows, and nowhere else", () => {
  const { attention } = decode({ format: 1, attention: { decoder_self: causal(65535, 0, 65535, 13107, 13107, 39321) } });
  const cells = [...attention.decoder_self.head(0, 0)].map((w) => (Number.isNaN(w) ? "-" : Number(w.toFixed(4))));
  assert.deepEqual(cells, [1, "-", "-", 0, 1, "-", 0.2, 0.2, 0.6]);
});

test("each head has its own weights, in layer then head order", () => {
  const maps = { layers: 2, heads: 2, queries: 1, keys: 1, mask: base64([128]), weights: base64([0, 0, 255, 255, 1, 0, 2, 0]) };
  const { attention } = decode({ format: 1, attention: { cross: maps } });
  assert.equal(attention.cross.head(0, 1)[0], 1);
  assert.equal(attention.cross.head(1, 1)[0] * 65535 > 1.99, true);
});

test("a payload of another format is refused", () => {
  assert.throws(() => decode({ format: 2, attention: {} }), /format 2/);
});

test("the strongest links come in order, without masked cells", () => {
  const cells = new Float32Array([0.5, NaN, 0.25, 0.75, 0, 0.25]);
  assert.deepEqual(strongest(cells, 3, 3), [
    { row: 1, col: 0, weight: 0.75 }, { row: 0, col: 0, weight: 0.5 }, { row: 0, col: 2, weight: 0.25 },
  ]);
  assert.equal(strongest(cells, 3, 9).length, 5);
});

test("a row is a row", () => {
  assert.deepEqual([...rowOf(new Float32Array([1, 2, 3, 4]), 2, 1)], [3, 4]);
});

test("the most decided head looks at words, not at the end token", () => {
  const heads = [new Float32Array([0, 1]), new Float32Array([0.6, 0.4])];
  const maps = { layers: 1, heads: 2, queries: 1, keys: 2, head: (_, i) => heads[i] };
  assert.deepEqual(mostDecided(maps, [{ kind: "word" }, { kind: "special" }]), { layer: 0, head: 1 });
});
