import { changed, requestOf, searchOf } from "/assets/kit/requests.js";
import { assert, test } from "./check.mjs";

const defaults = { method: "beam", beam_size: 4, seed: 0 };
const request = () => ({
  model: "own",
  text: "I am a student.",
  first: false,
  settings: { ...defaults, beam_size: 7, rules_off: ["banned"] },
  shown: 2,
  prefix: [5],
  begin: "",
  node: [1, 0],
  interventions: { causal_mask: false },
});

test("another model keeps the text and the chosen settings, and nothing that is the old one's", () => {
  const next = changed(request(), { model: "other" }, defaults);
  assert.deepEqual(next, {
    ...request(),
    model: "other",
    settings: { beam_size: 7 },
    shown: 0,
    prefix: [],
    node: null,
    interventions: {},
  });
});

test("the same model, asked otherwise, keeps its changes", () => {
  const next = changed(request(), { model: "own", settings: defaults }, defaults);
  assert.deepEqual(next.interventions, { causal_mask: false });
  assert.deepEqual([next.prefix, next.shown, next.node], [[5], 0, null]);
});

const kept = { shown: 2, prefix: [5], begin: "", node: null };
const CHANGES = {
  "another text is free of the tokens forced on the old one": [
    { text: "It rains." },
    { text: "It rains.", shown: 0, prefix: [] },
  ],
  "the same text, sent again, keeps them": [{ text: "I am a student." }, { shown: 0 }],
  "another text with tokens of its own has those": [
    { text: "It rains.", prefix: [8] },
    { text: "It rains.", shown: 0, prefix: [8] },
  ],
  "other forced tokens begin at the best hypothesis": [
    { prefix: [6, 7] },
    { shown: 0, prefix: [6, 7] },
  ],
  "so does a typed beginning, which is typed once": [{ begin: "We" }, { shown: 0, begin: "We" }],
  "another hypothesis changes nothing else": [{ shown: 1 }, { shown: 1 }],
  "a node of the tree changes nothing else": [{ node: [2, 1] }, { node: [2, 1] }],
};
for (const [what, [changes, expected]] of Object.entries(CHANGES))
  test(what, () => {
    const before = { ...request(), begin: "I", first: true };
    assert.deepEqual(changed(before, changes, defaults), { ...request(), ...kept, ...expected });
  });

test("records of two models never hold the same search", () => {
  const record = { ...request(), model: { key: "own" } };
  const other = { ...record, model: { key: "other" } };
  assert.ok(searchOf(record) !== searchOf(other));
  assert.equal(requestOf(other).model, "other");
});
