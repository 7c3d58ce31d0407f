// What is asked of Python: the wish of the visitor, the latest one next, and questions about what is
// on show.

import { line } from "./line.js";
import { decode, mostDecided } from "./payload.js";
import { FIRST, select } from "./selection.js";
import { answers, asking, busy, earlier, hover, message, record, selection } from "./state.js";

let running = false; // a wish is under way
let next = null; // the wish that came while one was running
let opening = {}; // the selection that the page's address asks for
let untouched = null; // the selection as the page set it, to see whether the visitor has moved on

// The last wish; explorer/request.py says what its parts are.
export const current = {
  text: "", settings: {}, shown: 0, prefix: [], begin: "", node: null, interventions: {},
};

// Ask for what `changes` names; the rest of the wish stays, as far as it still makes sense.
export function ask(changes) {
  const fresh = { node: null, begin: "" };
  if (["text", "settings", "prefix", "begin", "interventions"].some((name) => name in changes)) fresh.shown = 0;
  if ("text" in changes && changes.text !== current.text) fresh.prefix = [];
  Object.assign(current, fresh, changes);
  next = { ...current };
  pump();
}

// Begins with a recorded payload (or null) on show, and asks for what the address asks for.
export async function begin(recorded, wish, selected) {
  opening = selected;
  Object.assign(current, wish); // the bar shows it at once
  if (recorded) await show({ ...recorded, recorded: true });
  ask(wish);
}

async function pump() {
  if (running || next === null) return;
  const wish = next;
  next = null;
  running = true;
  busy.set(true);
  const reply = await line("wish").request(wish).catch(() => ({ message: null }));
  if (next === null) await take(reply);
  running = false;
  busy.set(false);
  answers.set(answers.get() + 1);
  pump();
}

async function take(reply) {
  if (reply.payload) {
    message.set(null);
    await show(reply.payload);
  } else {
    message.set(reply.message ? { sentence: reply.message } : { words: "error.unreachable" });
    // What was refused is not wished for again: the next wish goes on from what is on show.
    const shown = record.get();
    if (shown !== null && !shown.recorded) Object.assign(current, wishOf(shown));
  }
}

const asked = new Map(); // name of a question -> the number of the latest one

// Asks a question of an exhibit (explorer/question.py) about the wish on show, or about `wish`.
// Gives its answer; null where a newer question of that name was asked meanwhile.
// Refused with an Error whose `sentence` holds the words in every language, where Python refuses.
export async function question(name, args = {}, wish = wishOf(record.get())) {
  const mine = (asked.get(name) ?? 0) + 1;
  asked.set(name, mine);
  await null; // of several at one moment only the last one goes out
  if (asked.get(name) !== mine) return null;
  asking.set(asking.get() + 1);
  const reply = await line("question").request({ ...wish, question: name, arguments: args })
    .finally(() => asking.set(asking.get() - 1));
  if (asked.get(name) !== mine) return null;
  if (reply.payload) return reply.payload;
  throw Object.assign(new Error(reply.message.en), { sentence: reply.message });
}

// The wish that a record answers.
export const wishOf = ({ text, settings, shown, prefix, node, interventions }) =>
  ({ text, settings, shown, prefix, begin: "", node, interventions });

// What makes a search: two records that agree in it hold the same search.
export const searchOf = ({ text, settings, prefix, interventions }) =>
  JSON.stringify([text, settings, prefix, interventions]);

// Puts a payload on show. The chosen head stays; in a new sentence the place starts anew.
async function show(payload) {
  const decoded = await decode(payload);
  const before = record.get();
  if (next === null && !payload.recorded) Object.assign(current, wishOf(decoded));
  const chosen = selection.get();
  let changes = {};
  if (before === null || (before.recorded && chosen === untouched)) {
    changes = { ...firstHead(decoded, opening.kind ?? chosen.kind), ...opening };
  } else if (before.text !== payload.text) {
    changes = { step: FIRST.step, src: FIRST.src, col: null };
  }
  if (before?.text !== decoded.text) earlier.set(null);
  else if (searchOf(before) !== searchOf(decoded)) earlier.set(before);
  record.set(decoded);
  hover.set(null);
  selection.set(select(chosen, changes, decoded));
  untouched = selection.get();
}

function firstHead(decoded, kind) {
  const columns = kind === "decoder_self" ? decoded.tgt_in : decoded.src;
  return mostDecided(decoded.attention[kind], columns);
}
