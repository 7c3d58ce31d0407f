import { bestAligned, decode, strongest } from "/assets/kit/payload.js";
import { assert, test } from "./check.mjs";
import { packed } from "./packed.mjs";

const none = new Float32Array(0);
const SEARCH = {
  counts: [],
  labels: {},
  parents: await packed(none),
  ids: await packed(none),
  log_probs: await packed(none),
  totals: await packed(none),
  fates: await packed(none),
  forced: await packed(none),
};
const decoded = (attention, search = SEARCH) => decode({ format: 2, attention, search });

// One layer, one head, a causal 3 x 3 map with weights in units of 1/65535.
async function _causal(...whole) {
  // Rows 100, 110, 111, read across: 1001 1011 1.
  return {
    layers: 1,
    heads: 1,
    queries: 3,
    keys: 3,
    mask: await packed(Uint8Array.of(0b10011011, 0b10000000)),
    weights: await packed(Uint16Array.from(whole)),
  };
}

test("a payload of another format is refused", async () => {
  const refused = await decode({ format: 1, attention: {} }).catch((error) => error.message);
  assert.ok(/format 1/.test(refused), refused);
});

test("a search is cut into its steps, each candidate with all that the record has of it", async () => {
  const search = {
    counts: [2, 1],
    labels: { 5: { text: "a" } },
    parents: await packed(Int32Array.of(-1, -1, 1)),
    ids: await packed(Int32Array.of(5, 70_000, 2)),
    log_probs: await packed(Float32Array.of(-0.5, -1.25, -2)),
    totals: await packed(Float32Array.of(-0.5, -1.25, -3.25)),
    fates: await packed(Uint8Array.of(0, 1, 2)),
    forced: await packed(Uint8Array.of(0, 1, 0)),
  };
  const { steps, labels } = (await decoded({}, search)).search;
  assert.deepEqual(
    steps.map((step) => step.fates),
    [["pruned", "kept"], ["finished"]],
  );
  assert.deepEqual(
    steps.map((step) => [...step.parents]),
    [[-1, -1], [1]],
  );
  assert.deepEqual(
    steps.map((step) => [...step.ids]),
    [[5, 70_000], [2]],
  );
  assert.deepEqual(
    steps.map((step) => [...step.totals]),
    [[-0.5, -1.25], [-3.25]],
  );
  assert.deepEqual([...steps[0].forced], [0, 1]);
  assert.equal(labels[5].text, "a");
});

/** A search of one hypothesis: `log_probs` as Python has them, `totals` as it sends them. */
const line = async (logProbs, totals, forced) => ({
  counts: logProbs.map(() => 1),
  labels: {},
  parents: await packed(Int32Array.from(logProbs, (_, t) => (t === 0 ? -1 : 0))),
  ids: await packed(Int32Array.from(logProbs, () => 7)),
  log_probs: await packed(Float32Array.from(logProbs)),
  totals: await packed(Float32Array.from(totals)),
  fates: await packed(Uint8Array.from(logProbs, () => 1)),
  forced: await packed(Uint8Array.from(logProbs, (_, t) => Number(forced === t))),
});
const totalsOf = async (search) =>
  (await decoded({}, await search)).search.steps.map(({ totals }) => totals[0]);

test("totals are the sums of the log-probs, which float32 would round; what is none stays", async () => {
  const parts = [-160, -(2 ** -17) - 2 ** -18]; // float32 both, their sum lies between two of them
  const sums = [-160, -160 - 2 ** -17 - 2 ** -18];
  assert.ok(Math.fround(sums[1]) !== sums[1]);
  assert.deepEqual(await totalsOf(line(parts, sums)), sums);
  assert.deepEqual(await totalsOf(line([-0.5, -1], [-0.5, -0.5], 1)), [-0.5, -0.5]); // a forced end
  assert.deepEqual(await totalsOf(line([-0.5, -1], [-0.5, -0.5])), [-0.5, -0.5]); // a mistake: as sent
  assert.deepEqual(await totalsOf(line([-0.5, -1], [-0.5, -1.625])), [-0.5, -1.625]);
});

test("the strongest links come in order, without masked cells", () => {
  const cells = new Float32Array([0.5, NaN, 0.25, 0.75, 0, 0.25]);
  assert.deepEqual(strongest(cells, 3, 3), [
    { row: 1, col: 0, weight: 0.75 },
    { row: 0, col: 0, weight: 0.5 },
    { row: 0, col: 2, weight: 0.25 },
  ]);
  assert.equal(strongest(cells, 3, 9).length, 5);
});

test("the best aligned head pairs words; a head that stares at one of them, or at the end, does not", () => {
  const heads = [
    [0.9, 0.1, 0, 0.9, 0.1, 0], // both read the first word
    [0, 0.1, 0.9, 0, 0.1, 0.9], // both read the end token
    [0.2, 0.7, 0.1, 0.7, 0.2, 0.1], // each its own, and in another order
  ].map((cells) => new Float32Array(cells));
  const maps = { layers: 1, heads: 3, queries: 2, keys: 3, head: (_, i) => heads[i] };
  const words = [{ kind: "word" }, { kind: "word" }];
  assert.deepEqual(bestAligned(maps, words, [...words, { kind: "special" }]), {
    layer: 0,
    head: 2,
  });
});
