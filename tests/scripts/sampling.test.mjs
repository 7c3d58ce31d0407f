import { nearestStop, stops } from "/assets/kit/samplers.js";
import { reshape } from "/assets/kit/sampling.js";
import { createStore } from "/assets/kit/store.js";
import { chiSquare, upperTail } from "/explorer/exhibits/sampling/chance.js";
import { ranksOf, stepsOf } from "/explorer/exhibits/sampling/curve.js";
import { drawAll } from "/explorer/exhibits/sampling/draw.js";
import { measuresOf, shareText, stagesOf } from "/explorer/exhibits/sampling/numbers.js";
import { CHOICES, createScene, endOf, ends } from "/explorer/exhibits/sampling/scene.js";
import { distribution } from "/explorer/exhibits/sampling/source.js";
import {
  add,
  back,
  begin,
  idsOf,
  isSeeded,
  sumOf,
  take,
  tokensOf,
} from "/explorer/exhibits/sampling/walk.js";
import { assert, test } from "./check.mjs";

const PLAIN = { temperature: 1, top_k: 0, top_p: 1, seed: 0, method: "sampling" };
const near = (found, wanted) =>
  assert.ok(
    found.length === wanted.length &&
      wanted.every(
        (value, i) => Math.abs(found[i] - value) < 1e-12 && (value === 0) === (found[i] === 0),
      ),
    `${[...found]} for ${wanted}`,
  );

// -------------------------------------------------------------------------- the generator

// Numerators over 2**32 of the first five numbers, by the lines of model/sampling.py in Node 20.

// -------------------------------------------------------------------------- warping, by hand

test("stages and numbers of a distribution worked by hand", () => {
  // Half the temperature: 16, 9, 4, 1 of 30; k keeps 29/30; p = .6 keeps 16 and 9 of the 29.
  const found = distribution(Float64Array.from([0.1, 0.4, 0, 0.3, 0.2], Math.log));
  const shape = reshape(found.ranked, { temperature: 0.5, top_k: 3, top_p: 0.6 });
  const { model, allowed, temperature, k, p, done } = stagesOf(found, shape);
  assert.deepEqual(
    [model, allowed, temperature, k, p, done].map(({ left, cut }) => [left, cut]),
    [
      [5, 0],
      [4, 1],
      [4, 0],
      [3, 1],
      [2, 1],
      [2, 0],
    ],
  );
  near([allowed.mass, k.mass, p.mass, done.mass], [1, 29 / 30, 25 / 30, 1]);
  const { nats, bits, effective, own_mass: mass } = measuresOf(found, shape);
  const entropy = -0.64 * Math.log(0.64) - 0.36 * Math.log(0.36);
  near(
    [nats[1], bits[1], effective[1], mass[1]],
    [entropy, entropy / Math.log(2), Math.exp(entropy), 0.7],
  );
  near([nats[0], mass[0]], [-[0.4, 0.3, 0.2, 0.1].reduce((sum, x) => sum + x * Math.log(x), 0), 1]);
});

// -------------------------------------------------------------------------- drawing

test("many draws are counted, and the one furthest off is told", () => {
  const found = distribution(Float64Array.from([0.5, 0, 0.5], Math.log));
  const shape = reshape(found.ranked, PLAIN);
  const { one, tally } = drawAll(found, shape, { seed: 42, index: 1, draws: 4 });
  // Seed 42: .601, .448, .852, .670, so ids 2, 0, 2, 2.
  assert.deepEqual([one.id, one.from, one.to], [0, 0, 0.5]);
  assert.deepEqual([...tally.counts], [1, 0, 3]);
  assert.deepEqual([tally.id, tally.share, tally.expected, tally.chance], [0, 0.25, 0.5, null]);
});

// -------------------------------------------------------------------------- what chance gives

test("the tail of chi-square, where it is known in closed form", () => {
  for (const x of [0, 0.1, 1, 5, 40, 900]) {
    const wanted = [Math.exp(-x / 2), Math.exp(-x / 2) * (1 + x / 2)]; // of 2 and of 4
    for (const [i, df] of [2, 4].entries()) {
      const found = upperTail(x, df);
      assert.ok(Math.abs(found - wanted[i]) <= 1e-13 + 1e-9 * wanted[i], `${x}, ${df}: ${found}`);
    }
  }
  assert.ok(Math.abs(upperTail(3.841458820694124, 1) - 0.05) < 1e-12); // of any table
});

test("tokens of which fewer than five are expected are compared together", () => {
  const weights = [0.02, 0.5, 0, 0.02, 0.4, 0.04, 0.02]; // of 100: 2, 50, 0, 2, 40, 4, 2
  const order = [1, 4, 5, 0, 3, 6, 2];
  // Groups: 50; 40; 4 + 2 with 2 + 2 left over. Drawn 45; 40; 15.
  const found = chiSquare([5, 45, 0, 1, 40, 8, 1], weights, order, 100);
  assert.equal(found?.df, 2);
  assert.ok(Math.abs((found?.chi ?? 0) - (25 / 50 + 0 + 25 / 10)) < 1e-9);
  assert.ok(Math.abs((found?.p ?? 0) - Math.exp(-1.5)) < 1e-9);
  assert.equal(chiSquare([4, 96], [0.04, 0.96], [1, 0], 100), null);
  assert.equal(chiSquare([0, 9], [0, 1], [1, 0], 9), null);
});

// -------------------------------------------------------------------------- a text of one's own

const token = (id, drawn) => ({
  id,
  log_prob: -id,
  label: { piece: id === 9 ? "</s>" : "x" },
  drawn,
});
const drawnAs = (index) => ({ index, settings: PLAIN });

test("a text goes on and back, and the seed with it", () => {
  let walk = add(take(begin([token(5)])), token(1, drawnAs(0)));
  walk = add(take(take(walk)), token(2, drawnAs(2)));
  assert.deepEqual(
    tokensOf(walk).map(({ id }) => id),
    [5, 1, 2],
  );
  assert.equal(sumOf(tokensOf(walk)), -8);
  assert.equal(isSeeded(walk, PLAIN), false); // the second number was drawn and not used
  walk = back(walk);
  assert.equal(walk.taken, 1);
  assert.equal(isSeeded(walk, PLAIN), true);
  assert.equal(isSeeded(walk, { ...PLAIN, top_p: 0.9 }), false);
  assert.equal(isSeeded(add(walk, token(3, null)), PLAIN), false); // chosen, not drawn
  assert.equal(back(back(walk)).taken, 0);
});

const page = (text, settings = PLAIN, model = "") => ({
  model: { key: model },
  text,
  settings,
  interventions: {},
  tgt_out: [3, 4, 9].map((id) => ({ id, ...token(id).label })),
  steps: [3, 4, 9].map((id) => ({ log_prob: -id })),
});

test("the scene follows the page's step until the visitor writes, and again after another step", () => {
  const choices = createStore(CHOICES);
  const scene = createScene(choices);
  const ids = () => tokensOf(scene.state.walk).map(({ id }) => id);
  const first = page("a");
  assert.equal(scene.follow(first, 2), true);
  assert.deepEqual(ids(), [3, 4]);
  scene.actions.one();
  scene.actions.append(token(7));
  assert.deepEqual([scene.state.isOwn, ids()], [true, [3, 4, 7]]);
  const other = page("a", { ...PLAIN, top_k: 5 });
  assert.equal(scene.follow(other, 2), false); // other settings: the text stays
  assert.equal(scene.state.settings.top_k, 5);
  assert.deepEqual(ids(), [3, 4, 7]);
  scene.follow(other, 1);
  assert.deepEqual([scene.state.isOwn, ids()], [false, [3]]);
  scene.actions.show("own");
  assert.deepEqual(ids(), [3, 4, 7]);
  assert.deepEqual(choices.get().own, [3, 4, 7]);
});

test("the visitor's next sentence or model ends the text; the scene by itself does not", () => {
  assert.deepEqual(ends(page("a"), page("b")), ["draws", "own"]);
  assert.deepEqual(ends(page("a"), page("a", PLAIN, "other")), ["draws", "own"]);
  assert.deepEqual(ends(page("a"), page("a", { ...PLAIN, top_k: 5 })), ["settings"]);
  assert.deepEqual(ends(page("a"), page("a")), []);
  const choices = createStore({ settings: null, draws: 400, own: [7, 8] });
  const scene = createScene(choices);
  for (const [record, step] of [
    [page("a"), 0],
    [page("b"), 2],
  ]) {
    scene.follow(record, step); // the recorded example, then the live answer
    assert.deepEqual([scene.state.coming, scene.state.draws], [[7, 8], 400]);
    scene.replay(token(7));
    assert.deepEqual([idsOf(scene.state.walk), scene.state.coming], [[7], [8]]);
  }
  assert.deepEqual(choices.get(), { settings: null, draws: 400, own: [7, 8] });
  choices.merge({ own: null });
  scene.follow(page("c"), 1);
  scene.actions.show("own");
  assert.deepEqual(idsOf(scene.state.walk), [3]);
});

test("nothing comes after the end token, or beyond the longest text", () => {
  const scene = createScene();
  scene.follow(page("a"), 1);
  assert.equal(endOf(scene.state.walk, 8), null);
  assert.equal(endOf(scene.state.walk, 1), "longest");
  scene.actions.append(token(9));
  assert.equal(endOf(scene.state.walk, 8), "end");
});

// -------------------------------------------------------------------------- scales

test("sliders reach both ends, and every step of one is another value", () => {
  const ends = (name) => [stops(name, 4000)[0], stops(name, 4000).at(-1)];
  assert.deepEqual(ends("temperature"), [0.05, 5]);
  assert.deepEqual(ends("top_k"), [1, 0]); // 0 is off
  assert.deepEqual(ends("top_p"), [0.01, 1]);
  for (const name of ["temperature", "top_k", "top_p"]) {
    const values = stops(name, 4000);
    const rising = name === "top_k" ? values.slice(0, -1) : values;
    assert.ok(
      rising.every((value, i) => i === 0 || value > rising[i - 1]),
      name,
    );
    for (const [i, value] of values.entries()) assert.equal(nearestStop(values, value, 4000), i);
  }
  assert.ok(stops("temperature", 4000).includes(1));
  assert.deepEqual(stops("top_k", 4000).slice(0, 5), [1, 2, 3, 4, 5]);
  const ks = stops("top_k", 4000);
  assert.equal(nearestStop(ks, 4000, 4000), ks.length - 1); // all of the vocabulary: as good as off
});

test("the curve steps at every first rank, and reaches to the last one's end", () => {
  const ranks = ranksOf(4000);
  assert.deepEqual(ranks.slice(0, 5), [0, 1, 2, 3, 4]);
  assert.equal(ranks.at(-1), 3999);
  assert.ok(ranks.length <= 301 && ranks.every((rank, i) => i === 0 || rank > ranks[i - 1]));
  const steps = stepsOf([0, 1, 2, 8, 9], 0, 5, (rank) => 10 - rank);
  assert.deepEqual(steps, [
    [1, 10],
    [2, 10],
    [2, 9],
    [3, 9],
    [3, 8],
    [6, 8],
  ]); // rank 5 is not of it
  assert.deepEqual(
    stepsOf([0, 1, 2, 8, 9], 5, 10, (rank) => 10 - rank),
    [
      [6, 5],
      [9, 5],
      [9, 2],
      [10, 2],
      [10, 1],
      [11, 1],
    ],
  );
  assert.deepEqual(
    stepsOf([0], 3, 3, () => 1),
    [],
  );
});

test("shares are written with the digits that are meant", () => {
  const found = [0, 1, 0.99996, 0.9584, 0.001, 0.00028, 0.000031, 0.000001].map(shareText);
  assert.deepEqual(found, [
    "0.0 %",
    "100.0 %",
    ">99.9 %",
    "95.8 %",
    "0.1 %",
    "0.028 %",
    "0.0031 %",
    "<0.001 %",
  ]);
});
