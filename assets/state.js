// What the views of the page share. An exhibit reads and watches these, and knows no other exhibit.

import { createStore } from "./store.js";
import { FIRST, select } from "./selection.js";

export const record = createStore(null); // the decoded payload on show
export const earlier = createStore(null); // the record before, where the same text was searched otherwise
export const selection = createStore(FIRST);
export const hover = createStore(null); // {row, col} of the head on show, or {side, index} of a strip
export const answers = createStore(0); // how many answers there have been
export const busy = createStore(false); // an answer is under way
export const asking = createStore(0); // questions of exhibits that are under way
export const message = createStore(null); // {words} or {sentence} for the line under the input
export const theme = createStore("light"); // what is drawn: light or dark
export const facts = createStore(null); // what Python told once: examples, exhibits, defaults, limits
export const effects = createStore(null); // "kind.layer.head" -> change of the log-prob without it (a Map), or null

// Changes the selection by the rules of selection.js.
export function choose(changes) {
  const before = selection.get();
  selection.merge(select(before, changes, record.get()));
  if (selection.get().kind !== before.kind) hover.set(null); // a cell of another map
}
