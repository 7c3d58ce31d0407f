import { penaltyOf } from "/assets/kit/penalty.js";

import {
  crossing,
  entriesOf,
  heightOf,
  lineOf,
  outcomeOf,
  ranksOf,
  reigns,
  scoreOf,
} from "/explorer/exhibits/tree/scores.js";
import { assert, test } from "./check.mjs";

const near = (found, wanted, by = 1e-6) =>
  assert.ok(Math.abs(found - wanted) < by, `${found} for ${wanted}`);
const one = (log_prob, length, was = 0, ids = [length]) => ({
  log_prob,
  length,
  was,
  ids,
  text: String(ids),
});

test("both penalties, worked with a calculator", () => {
  // 5 ^ 0.6 = e ^ (0.6 * 1.6094379) = e ^ 0.9656627 = 2.6265278;  -6 / 2.6265278 = -2.2843847
  near(penaltyOf("average", 0.6, 5), 2.6265278);
  near(scoreOf(one(-6, 5), "average", 0.6), -2.2843847);
  // ((5 + 5) / 6) ^ 0.6 = e ^ (0.6 * 0.5108256) = e ^ 0.3064954 = 1.3586552;  -6 / 1.3586552 = -4.4161315
  near(penaltyOf("gnmt", 0.6, 5), 1.3586552);
  near(scoreOf(one(-6, 5), "gnmt", 0.6), -4.4161315);
  // 1 / 4 of -8 is -2; without alpha the sum is the score.
  near(scoreOf(one(-8, 4), "average", 1), -2);
  near(scoreOf(one(-8, 4), "gnmt", 0), -8);
  near(scoreOf(one(-8, 4), "average", -1), -32);
});

test("a shorter text is first at a low alpha, a longer one at a high alpha, and they meet in between", () => {
  const two = [one(-2, 4), one(-3, 8, 1)];
  assert.deepEqual(ranksOf(two, "average", 0), [0, 1]);
  assert.deepEqual(ranksOf(two, "average", 1), [1, 0]);
  // -2 / 4^a = -3 / 8^a where 2^a = 1.5: a = ln 1.5 / ln 2 = 0.5849625
  const [a, b] = two.map((entry) => lineOf(entry, two[0], "average"));
  near(crossing(a, b), 0.5849625);
  near(heightOf(a, 2), 0);
  // At alpha 1 the scores are -0.5 and -0.375: 1.3333333 times.
  near(Math.exp(heightOf(b, 1)), 4 / 3);
  assert.deepEqual(
    reigns([a, b], -1, 3).map(({ who }) => who),
    [0, 1],
  );
  near(reigns([a, b], -1, 3)[1].from, 0.5849625);
});

test("of equal scores the one that was there first is first", () => {
  assert.deepEqual(ranksOf([one(-4, 4), one(-2, 2, 1), one(-2, 2, 2)], "average", 1), [0, 1, 2]);
});

test("the reigns are who is best at each alpha, whatever the lines", () => {
  let state = 5;
  const random = () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
  for (let round = 0; round < 200; round += 1) {
    const entries = Array.from({ length: 1 + Math.floor(random() * 7) }, (_, i) =>
      one(-1 - 9 * random(), 2 + Math.floor(random() * 9), i),
    );
    for (const form of ["average", "gnmt"]) {
      const found = reigns(
        entries.map((entry) => lineOf(entry, entries[0], form)),
        -1,
        3,
      );
      assert.equal(found[0].from, -1);
      assert.equal(found.at(-1).to, 3);
      for (let i = 1; i < found.length; i += 1) assert.equal(found[i].from, found[i - 1].to);
      for (const { who, from, to } of found) {
        const middle = (from + to) / 2;
        const best = Math.max(...entries.map((entry) => scoreOf(entry, form, middle)));
        near(scoreOf(entries[who], form, middle) / best, 1, 1e-9);
      }
    }
  }
});

const label = (piece) => ({ text: piece, piece, kind: "word" });
const SEARCH = {
  labels: { 5: label("▁我"), 6: label("们"), 2: label("</s>") },
  steps: [
    {
      parents: [-1, -1],
      ids: [5, 6],
      log_probs: [-0.5, -1],
      totals: [-0.5, -1],
      fates: ["kept", "kept"],
      forced: [0, 0],
    },
    {
      parents: [0, 1, 0],
      ids: [2, 6, 6],
      log_probs: [-0.25, -0.5, -3],
      totals: [-0.75, -1.5, -3.5],
      fates: ["beaten", "kept", "pruned"],
      forced: [0, 0, 0],
    },
    { parents: [1], ids: [2], log_probs: [-7], totals: [-1.5], fates: ["finished"], forced: [1] },
  ],
};
const FOUND = { search: SEARCH, hypotheses: [{ text: "们们", path: [1, 1, 0], finished: true }] };

test("hypotheses and the beaten are read off the record, a forced end adds nothing", () => {
  const [first, beaten] = entriesOf(FOUND);
  assert.deepEqual([first.kind, first.log_prob, first.length, first.was], ["finished", -1.5, 3, 0]);
  assert.deepEqual(
    first.parts.map(({ adds }) => adds),
    [-1, -0.5, 0],
  );
  assert.deepEqual(
    first.parts.map(({ log_prob }) => log_prob),
    [-1, -0.5, -7],
  );
  assert.deepEqual(
    [beaten.kind, beaten.log_prob, beaten.length, beaten.was, beaten.text],
    ["beaten", -0.75, 2, null, "我"],
  );
  assert.deepEqual(beaten.ids, [5, 2]);
});

test("a token of a forced beginning adds its own log-prob", () => {
  const forced = structuredClone(SEARCH);
  forced.steps[0].forced = [1, 1];
  assert.equal(entriesOf({ ...FOUND, search: forced })[0].log_prob, -1.5);
});

test("what a new search found is told against what had been ranked", () => {
  const entries = [one(-2, 4, 0, [1]), one(-3, 8, 1, [2]), one(-3.1, 9, null, [3])];
  const at = (joined, alpha, ids) => outcomeOf(entries, { joined, form: "average", alpha }, ids);
  assert.deepEqual(at(false, 1, [2]), { kind: "same", predicted: "2" });
  assert.deepEqual(at(false, 1, [1]), { kind: "listed", rank: 1, predicted: "2" });
  assert.deepEqual(at(false, 1, [3]), { kind: "beaten", predicted: "2" });
  assert.deepEqual(at(true, 1, [3]), { kind: "same", predicted: "3" }); // -3.1 / 9 = -.344 is above -3 / 8
  assert.deepEqual(at(true, 1, [3, 3]), { kind: "new", predicted: "3" });
});
