import { deedOf } from "/assets/shell/rules.js";
import { assert, test } from "./check.mjs";

const said = (/** @type {string} */ key, values = {}) => [key, values];
const stepOf = (tokens) => ({
  ids: tokens.map(({ id }) => id),
  parents: tokens.map(({ after = -1 }) => after),
  log_probs: tokens.map(({ share }) => Math.log(share)),
  totals: tokens.map(({ total }) => total),
  forced: tokens.map(({ forced = 0 }) => forced),
  forbidden: [],
});
// The first token is forced. The penalty doubles the logarithm of what is written already: of "a"
// once 2 · ln 0.5 - ln 0.5, then of "a" ln 0.1, two tokens later. "c" is lower for another reason.
const [HALF, TENTH] = [Math.log(0.5), Math.log(0.1)];
const STEPS = [
  stepOf([
    { id: 1, share: 0.5, total: -99 },
    { id: 0, share: 0.2, total: 0, forced: 1 },
    { id: 2, share: 0.3, total: -99 },
  ]),
  stepOf([
    { id: 0, after: 1, share: 0.5, total: 2 * HALF },
    { id: 1, after: 1, share: 0.5, total: HALF },
    { id: 2, after: 1, share: 0.5, total: HALF - 9 },
  ]),
  stepOf([
    { id: 0, after: 1, share: 0.1, total: HALF + 2 * TENTH },
    { id: 3, after: 1, share: 0.3, total: HALF + Math.log(0.3) },
  ]),
  stepOf([
    { id: 0, after: 0, share: 0.9, total: -99, forced: 1 },
    { id: 3, after: 1, share: 0.9, total: 0, forced: 1 },
  ]),
];

const recordOf = ({ steps = STEPS, prefix = [], method = "beam", off = [] } = {}) => ({
  settings: { method, rules_off: off },
  prefix,
  search: { steps, labels: ["a", "b", "c", "d"].map((text) => ({ text })) },
});
const deed = (/** @type {string} */ name, more = {}) => deedOf(said, { name }, recordOf(more));

test("a forced first token stands beside the one that the model prefers", () => {
  const other = { share: "20.0 %", token: "b", other: "50.0 %" };
  assert.deepEqual(deed("forced_first_id"), ["rules.forced.other", other]);
  const steps = [{ ...STEPS[0], forced: [1, 0, 0] }];
  assert.deepEqual(deed("forced_first_id", { steps }), ["rules.forced.same", { share: "50.0 %" }]);
  assert.equal(deed("forced_first_id", { prefix: [0] }), ""); // it was given, not forced
});

test("a forced end counts the hypotheses of the last step alone", () => {
  assert.deepEqual(deed("forced_end_id"), ["rules.cut", { n: 2 }]);
  assert.deepEqual(deed("forced_end_id", { steps: STEPS.slice(0, 3) }), ["rules.cut", { n: 0 }]);
  // A first token that is forced is no end, nor is what the visitor gave.
  assert.deepEqual(deed("forced_end_id", { steps: STEPS.slice(0, 1) }), ["rules.cut", { n: 0 }]);
  assert.deepEqual(deed("forced_end_id", { prefix: [0, 1, 3, 3] }), ["rules.cut", { n: 0 }]);
});

test("a penalty names the candidate that it lowered most", () => {
  const most = { n: 2, token: "a", at: 3, by: "2.3026" };
  assert.deepEqual(deed("repetition_penalty"), ["rules.penalised", most]);
  const first = { n: 1, token: "a", at: 2, by: "0.6931" };
  const steps = STEPS.slice(0, 2);
  assert.deepEqual(deed("repetition_penalty", { steps }), ["rules.penalised", first]);
  const none = deed("repetition_penalty", { steps: STEPS.slice(0, 1) });
  assert.deepEqual(none, ["rules.penalised.none", {}]);
});

test("early stopping counts with beams, and a rule that is off did nothing", () => {
  assert.deepEqual(deed("early_stopping"), ["rules.stopped", { n: 4 }]);
  assert.deepEqual(deed("early_stopping", { method: "greedy" }), ["rules.beams_only", {}]);
  assert.deepEqual(deed("forced_end_id", { off: ["forced_end_id"] }), ["rules.off", {}]);
});
