// The mark of a view follows from the comparisons of its own answers.

import { standing } from "/assets/kit/proved.js";
import { assert, test } from "./check.mjs";

const record = { text: "I am.", model: { key: "own" } };
const answer = (question, request = {}, view = "") => ({
  text: "I am.",
  model: "own",
  view,
  ...request,
  request: { text: "I am.", model: "own", ...request },
  question,
  args: {},
  payload: {},
});

/** A page whose view asks "next" and "gold"; the browser computes only "next" and "other". */
const pageWith = (answers, results, holds = true) => ({
  answers: new Map(answers.map((one, i) => [String(i), one])),
  again: { compared: ["next", "other"] },
  shared: { exhibits: [{ name: "view", questions: ["next", "gold"] }] },
  proved: { get: () => ({ record, holds, answers: new Map(results) }) },
});
const stateOf = (...given) => standing(pageWith(...given), "view").state;

test("a view whose answers are the same holds, and names what was not compared", () => {
  const [one, other] = [answer("next"), answer("gold")];
  const of = (/** @type {any[]} */ all) => standing(pageWith(all, [[one, true]]), "view");
  assert.deepEqual(of([one, other, { ...other }]), { state: "holds", without: ["gold"] });
  assert.deepEqual(of([one]), { state: "holds", without: [] }); // it was not asked
});

test("an answer that was not compared, or came after it, is no tick", () => {
  const [one, newer] = [answer("next"), answer("next", { settings: { seed: 2 } })];
  assert.equal(stateOf([one, newer], [[one, true]]), "older");
  assert.equal(stateOf([{ ...one }], [[one, true]]), "older");
});

test("a different answer, or a different sentence, fails", () => {
  const [one, other] = [answer("next"), answer("next", { prefix: [1] })];
  assert.equal(
    stateOf(
      [one, other],
      [
        [one, true],
        [other, false],
      ],
    ),
    "fails",
  );
  assert.equal(stateOf([one], [[one, true]], false), "fails");
});

test("answers of other views, sentences and models are not the view's", () => {
  const others = [answer("other"), answer("next", { text: "No." }), answer("next", { model: "b" })];
  assert.equal(stateOf(others, [[others[0], false]]), "holds");
});
