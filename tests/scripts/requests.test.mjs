import { changed, requestOf, searchOf } from "/assets/kit/requests.js";
import { assert, test } from "./check.mjs";

const defaults = { method: "beam", beam_size: 4, seed: 0 };
const request = () => ({
  model: "",
  text: "I am a student.",
  first: false,
  settings: { ...defaults, beam_size: 7 },
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
  const next = changed(request(), { model: "", settings: defaults }, defaults);
  assert.deepEqual(next.interventions, { causal_mask: false });
  assert.deepEqual([next.prefix, next.shown, next.node], [[5], 0, null]);
});

test("records of two models never hold the same search", () => {
  const record = { ...request(), model: { key: "" } };
  const other = { ...record, model: { key: "other" } };
  assert.ok(searchOf(record) !== searchOf(other));
  assert.equal(requestOf(other).model, "other");
});
