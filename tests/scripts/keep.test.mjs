// The choices of all views: one store owns them, and each view reads its own.

import { flag, keep, lasting, listOf, oneOf, whole } from "/assets/kit/keep.js";
import { createStore } from "/assets/kit/store.js";
import { assert, test } from "./check.mjs";

const FIRST = { size: 4, kind: "a", list: [], isOn: false, pointed: null };
const CHECKS = {
  size: whole(1, 9),
  kind: oneOf(["a", "b"]),
  list: listOf(whole(0, 99), 5),
  isOn: flag,
};

/** A view and the choices that it reads. */
function view(texts = {}, ends = undefined) {
  const choices = createStore(texts);
  const endings = new Set();
  const life = new AbortController();
  const place = { choices, endings, name: "v", signal: life.signal };
  return { choices, endings, life, state: keep(place, FIRST, CHECKS, ends) };
}
const settled = () => new Promise((resolve) => setTimeout(resolve));

test("a view reads what a link has, and writes nothing by reading", async () => {
  const texts = { "v.size": "7", "v.kind": "b", "v.list": "[1,2]", "w.size": "1" };
  const { choices, state } = view(texts);
  assert.deepEqual(state.get(), { size: 7, kind: "b", list: [1, 2], isOn: false, pointed: null });
  state.watch(() => {});
  await settled();
  assert.ok(choices.get() === texts);
});

test("what does not fit reads as the initial value, and stays until the field is changed", () => {
  const { choices, state } = view({ "v.size": "77", "v.kind": "<b>", "v.list": "{" });
  assert.deepEqual(state.get(), FIRST);
  state.merge({ isOn: true });
  state.set({ ...state.get(), pointed: 3 });
  const others = { "v.kind": "<b>", "v.list": "{" };
  assert.deepEqual(choices.get(), { "v.size": "77", ...others, "v.isOn": "true" });
  state.merge({ size: 5 });
  assert.deepEqual(choices.get(), { "v.size": "5", ...others, "v.isOn": "true" });
  state.merge({ size: FIRST.size, isOn: false }); // an initial value has no text
  assert.deepEqual(choices.get(), others);
});

test("a change can be read at once, here and from the page", () => {
  const { choices, state } = view();
  state.merge({ size: 6, pointed: "x" });
  assert.deepEqual([state.get().size, state.get().pointed], [6, "x"]);
  assert.deepEqual(choices.get(), { "v.size": "6" }); // what is pointed at ends with the view
  choices.set({ "v.size": "2" });
  assert.equal(state.get().size, 2);
});

test("the state is the same object until it changes, and so is each value in it", () => {
  const { choices, state } = view({ "v.list": "[5]" });
  const [before, { list }] = [state.get(), state.get()];
  choices.set({ ...choices.get(), "w.size": "1" });
  assert.ok(state.get() === before);
  state.merge({ size: 2 });
  assert.ok(state.get() !== before && state.get().list === list);
  const own = [8, 9];
  state.merge({ list: own });
  assert.ok(state.get().list === own);
});

test("a watcher hears of changes to its own view, until the view ends", async () => {
  const { choices, life, state } = view();
  const heard = [];
  state.watch(({ size }) => heard.push(size));
  choices.set({ "w.size": "1" });
  await settled();
  choices.set({ "v.size": "3" });
  await settled();
  state.merge({ size: 5, pointed: 1 });
  await settled();
  life.abort();
  choices.set({});
  await settled();
  assert.deepEqual(heard, [4, 3, 5]);
});

test("a request of the visitor ends what a view says, unless it was changed since", () => {
  const ends = (before, record) => (before.text === record.text ? [] : ["size", "kind"]);
  const { choices, endings, life, state } = view({ "v.size": "7", "v.kind": "b" }, ends);
  const before = choices.get();
  const records = [{ text: "one" }, { text: "two" }];
  const next = (all) => lasting(choices.get(), before, endings, all);
  assert.ok(next([records[0], records[0]]) === before);
  assert.deepEqual(next(records), {});
  state.merge({ isOn: true, size: 8 }); // while the answer is on its way
  assert.deepEqual(next(records), { "v.size": "8", "v.isOn": "true" });
  life.abort();
  assert.equal(endings.size, 0);
});
