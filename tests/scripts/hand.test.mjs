import { crossings, PARTS, pace, parts, total } from "/explorer/exhibits/cost/maths.js";
import { BOOKS, gaze, looked, mixed, NEEDS, THINGS } from "/explorer/exhibits/library/maths.js";
import {
  drawn,
  histogram,
  KEYS,
  normals,
  softened,
  variance,
  weightsOf,
} from "/explorer/exhibits/scaling/maths.js";
import { assert, test } from "./check.mjs";

const close = (a, b, off = 1e-12) => assert.ok(Math.abs(a - b) <= off, `${a} is not ${b}`);

test("an encoder layer's multiply-adds, counted one by one", () => {
  const [n, d, dff] = [3, 4, 5];
  let attention = 0;
  for (let query = 0; query < n; query += 1)
    for (let key = 0; key < n; key += 1) for (let i = 0; i < d; i += 1) attention += 2;
  let projections = 0;
  for (let row = 0; row < n; row += 1)
    for (let a = 0; a < d; a += 1) for (let b = 0; b < d; b += 1) projections += 4;
  let feedForward = 0;
  for (let row = 0; row < n; row += 1)
    for (let a = 0; a < d; a += 1) for (let b = 0; b < dff; b += 1) feedForward += 2;
  assert.deepEqual(parts(n, d, dff), { attention, projections, feed_forward: feedForward });
  assert.equal(total(n, d, dff), attention + projections + feedForward);
});

test("at the crossings both sides are equal", () => {
  const [d, dff] = [256, 512];
  const { plain, projections, layer } = crossings(d, dff);
  assert.equal(plain * plain * d, plain * d * d);
  const [at, end] = [parts(projections, d, dff), parts(layer, d, dff)];
  assert.equal(at.attention, at.projections);
  assert.equal(end.attention, end.projections + end.feed_forward);
  assert.equal(PARTS.length, 3);
});

test("the curve meets the longest measured time", () => {
  close(pace([8, 16], [1, 4], 2, 3) * total(16, 2, 3), 4);
});

test("drawn numbers are normal, and the same for the same seed", () => {
  const next = normals(7);
  const numbers = Float64Array.from({ length: 20_000 }, next);
  const mean = numbers.reduce((a, b) => a + b) / numbers.length;
  close(mean, 0, 0.03);
  close(variance(numbers), 1, 0.04);
  const beyond = numbers.filter((one) => Math.abs(one) > 1.96).length / numbers.length;
  close(beyond, 0.05, 0.006);
  assert.equal(normals(7)(), numbers[0]);
  assert.ok(normals(8)() !== numbers[0]);
});

test("the variance of a product is d, and 1 when it is divided by sqrt(d)", () => {
  const products = drawn(100, 3);
  for (const size of [4, 64, 512]) close(variance(products[size]) / size, 1, 0.25);
  close(
    variance(products[512].map((one) => one / Math.sqrt(512))),
    variance(products[512]) / 512,
    1e-9,
  );
});

test("without the division one key takes all, and its gradient goes", () => {
  const products = drawn(50, 1)[512];
  const [raw, scaled] = [softened(products, 1), softened(products, Math.sqrt(512))];
  assert.ok(raw.largest > 0.9 && scaled.largest < 0.6, `${raw.largest} ${scaled.largest}`);
  assert.ok(raw.entropy < scaled.entropy && raw.gradient < scaled.gradient);
  const weights = weightsOf(products, 0, 1);
  assert.equal(weights.length, KEYS);
  close(
    weights.reduce((a, b) => a + b),
    1,
  );
});

test("equal scores have the entropy of a uniform draw", () => {
  const { largest, entropy, gradient } = softened(new Float64Array(KEYS), 1);
  close(largest, 1 / 8);
  close(entropy, Math.log(8));
  close(gradient, 7 / 64);
});

test("a histogram loses nothing", () => {
  assert.deepEqual(histogram([-9, -0.9, 0.1, 0.9, 9], 1, 2), [2, 3]);
});

test("the librarian fetches what fits, some of each", () => {
  const { scores, weights } = looked(
    NEEDS.supper,
    BOOKS.map(({ key }) => key),
  );
  assert.deepEqual(scores, [2, 5, 4, 0, 2]);
  const sum = [2, 5, 4, 0, 2].reduce((total_, score) => total_ + Math.exp(score), 0);
  close(weights[1], Math.exp(5) / sum);
  const even = looked(
    NEEDS.any,
    BOOKS.map(({ key }) => key),
  ).weights;
  even.forEach((weight) => close(weight, 0.2));
  const home = mixed(
    even,
    BOOKS.map(({ value }) => value),
  );
  [33 / 5, 20, 21 / 5].forEach((value, i) => close(home[i], value));
});

test("what strikes wins until something is sought", () => {
  const keys = THINGS.map(({ key }) => key);
  const winner = (sought, strength) => {
    const { weights } = looked(gaze(sought, strength), keys);
    return THINGS[weights.indexOf(Math.max(...weights))].name;
  };
  assert.equal(winner("nothing", 3), "cup");
  assert.equal(winner("read", 0.5), "cup");
  assert.equal(winner("read", 3), "book");
  assert.equal(winner("drink", 3), "cup");
});
