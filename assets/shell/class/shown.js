// What a class sees: the teacher's page as one string (its address, and the step of its lesson),
// and the way of that string into a student's page.

import { lessonsOf } from "../../kit/lessons.js";
import { NO_LESSON } from "../../kit/page.js";
import { queryOf, restore } from "../history.js";
import { busy, page } from "../state.js";

export const MOST = 4_000; // characters, as explorer/classroom/room.py takes them

const OWN = ["lang", "gloss"]; // each page keeps its own
const BEGINS = 60; // ms after which a step of a lesson has begun to set up its page
const SETTLES = 10_000; // ms for which a page may take to show a state

const STORES = [page.record, page.selection, page.choices, page.lesson];

/** What the page shows, for the class; null before the model has answered. */
export function stateOf() {
  const query = queryOf();
  if (query === null) return null;
  const state = new URLSearchParams(query);
  for (const name of OWN) state.delete(name);
  const { name, step } = page.lesson.get();
  if (name !== null) {
    state.set("lesson", name);
    state.set("at", String(step + 1));
  }
  return state.toString();
}

/** Calls `act` when the page may show something else. @param {() => void} act */
export function watchState(act) {
  const ends = [...STORES, busy].map((store) => store.watch(act));
  return () => {
    for (const end of ends) end();
  };
}

/** The lesson of a state and its step, as the page has them. @param {string} state */
export function lessonOf(state) {
  const from = new URLSearchParams(state);
  const lesson = lessonsOf(page).find(({ name }) => name === from.get("lesson"));
  const step = Number(from.get("at")) - 1;
  return lesson?.steps[step] === undefined ? null : { lesson, step };
}

/** Shows a state. @param {string} state */
export async function showState(state) {
  const led = lessonOf(state);
  const next = led === null ? NO_LESSON : { name: led.lesson.name, step: led.step };
  const now = page.lesson.get();
  if (now.name !== next.name || (next.name !== null && now.step !== next.step)) {
    page.lesson.set(next);
    await settled();
  }
  const query = new URLSearchParams(state);
  for (const name of ["lesson", "at"]) query.delete(name);
  await restore(query.toString());
  await settled();
}

/** Resolves when the page no longer waits for a sentence. */
async function settled() {
  const until = performance.now() + SETTLES;
  do await new Promise((resolve) => setTimeout(resolve, BEGINS));
  while (busy.get() && performance.now() < until);
}
