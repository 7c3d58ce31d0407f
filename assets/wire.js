// The line to Python: one request at a time, the latest wish next, and its reply into the record.

import { decode, mostDecided } from "./payload.js";
import { FIRST, select } from "./selection.js";
import { answers, busy, hover, message, record, selection } from "./state.js";

const PATIENCE = 150_000; // ms; longer than the server's own patience with a model that loads

let send = null; // set once the sending component is there
let number = 0;
let running = null; // the request whose reply is awaited
let next = null; // the wish that came while one was running
let timer = 0;
let opening = {}; // the selection that the page's address asks for
let untouched = null; // the selection as the page set it, to see whether the visitor has moved on

export const current = { text: "", settings: {}, shown: 0 }; // the last wish

// Ask for a text, settings or hypothesis; what is not named stays as it was.
export function ask(changes) {
  Object.assign(current, changes);
  next = { ...current };
  pump();
}

export function connect(sender) {
  send = sender;
  pump();
}

// Begins with a recorded payload (or null) on show, and asks for what the address asks for.
export function begin(recorded, wish, selected) {
  opening = selected;
  if (recorded) show({ ...recorded, recorded: true });
  ask(wish);
}

function pump() {
  if (send === null || running !== null || next === null) return;
  number += 1;
  running = { number, ...next };
  next = null;
  busy.set(true);
  timer = setTimeout(failed, PATIENCE);
  send(running);
}

// A reply as explorer/answer.py writes it; one that nobody waits for any more is dropped.
export function receive(text) {
  const reply = JSON.parse(text);
  if (running === null || (reply.number !== null && reply.number !== running.number)) return;
  finish();
  if (next !== null) {
    pump();
  } else if (reply.payload) {
    message.set(null);
    show(reply.payload);
  } else {
    message.set({ sentence: reply.message });
  }
}

// The request did not get through: a full queue, or a server that is gone.
export function failed() {
  if (running === null) return;
  finish();
  if (next === null) message.set({ words: "error.unreachable" });
  pump();
}

function finish() {
  clearTimeout(timer);
  running = null;
  busy.set(false);
  answers.set(answers.get() + 1);
}

// Puts a payload on show. The chosen head stays; in a new sentence the place starts anew.
function show(payload) {
  const before = record.get();
  const decoded = decode(payload);
  const chosen = selection.get();
  let changes = {};
  if (before === null || (before.recorded && chosen === untouched)) {
    changes = { ...firstHead(decoded, opening.kind ?? chosen.kind), ...opening };
  } else if (before.text !== payload.text) {
    changes = { step: FIRST.step, src: FIRST.src, col: null };
  }
  record.set(decoded);
  hover.set(null);
  selection.set(select(chosen, changes, decoded));
  untouched = selection.get();
}

function firstHead(decoded, kind) {
  const columns = kind === "decoder_self" ? decoded.tgt_in : decoded.src;
  return mostDecided(decoded.attention[kind], columns);
}
