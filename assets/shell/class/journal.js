// What the class saw, in order, for the page to take home: places, and questions with their
// guesses. It is kept until the tab is closed, so that a reload loses nothing.

import { FIRST } from "../../kit/selection.js";
import { page } from "../state.js";
import { lessonOf } from "./shown.js";

const KEPT = "headlight.class.seen";
const MOST = 200; // entries

/** @typedef {import("./question.js").Question} Question */
/**
 * @typedef {object} Place a step of a lesson, or a sentence in a view
 * @property {string|null} lesson its name
 * @property {number} step
 * @property {string} view
 * @property {string} text
 * @property {string} translation empty where the page has not shown it
 * @typedef {Place | Question} Entry
 */

/** @param {Entry} entry @returns {entry is Question} */
export const isQuestion = (entry) => "choices" in entry;

/** The entries of a class, and how they come to be.
 * @param {import("./stay.js").Line} line @param {import("./line.js").Pass} pass */
export function openJournal(line, pass) {
  const entries = kept(pass.code);
  let asked = 0; // shown questions of which the page has asked for all
  /** @param {string} state */
  function addPlace(state) {
    const place = placeOf(state);
    const last = entries.findLast((entry) => !isQuestion(entry));
    if (last === undefined || !isSame(/** @type {Place} */ (last), place)) entries.push(place);
  }
  /** @param {Question} question @param {Entry} [after] the entry that comes after a new one */
  function addQuestion(question, after) {
    const known = entries.findIndex((entry) => isQuestion(entry) && entry.key === question.key);
    const place = after ? entries.indexOf(after) : entries.length;
    if (known >= 0) entries[known] = question;
    else entries.splice(place, 0, question);
  }
  /** A page that came late, or slept, has missed questions: they were before the place it found.
   * @param {number} reveals */
  async function catchUp(reveals) {
    const shown = entries.filter((entry) => isQuestion(entry) && entry.isShown).length;
    if (reveals <= Math.max(asked, shown)) return;
    const before = asked;
    const found = entries.findLast((entry) => !isQuestion(entry));
    asked = reveals; // the next news asks for no more than these
    try {
      const { questions } = await line("course", pass);
      for (const question of questions) addQuestion(question, found);
      keep();
    } catch {
      asked = before; // with the next news
    }
  }
  function keep() {
    entries.splice(0, entries.length - MOST);
    store({ code: pass.code, entries });
  }
  /** Notes the translation of a sentence that the page shows. */
  function translate() {
    const { text, translation } = page.record.get() ?? { text: null, translation: "" };
    for (const entry of entries)
      if (!isQuestion(entry) && entry.text === text) entry.translation = translation;
    keep();
  }
  return {
    entries,
    /** @param {import("./line.js").News} news */
    hear({ state, question, reveals }) {
      if (state !== "") addPlace(state);
      if (question !== null) addQuestion(question);
      catchUp(reveals);
      translate(); // the teacher's page shows a sentence before the class hears of it
    },
    translate,
  };
}

/** @param {string} state @returns {Place} */
function placeOf(state) {
  const [from, led] = [new URLSearchParams(state), lessonOf(state)];
  return {
    lesson: led?.lesson.name ?? null,
    step: led?.step ?? 0,
    view: from.get("view") ?? FIRST.exhibit,
    text: from.get("text") ?? "",
    translation: "",
  };
}

/** A step of a lesson is one place, whatever is shown there.
 * @param {Place} a @param {Place} b */
const isSame = (a, b) =>
  a.lesson === b.lesson &&
  a.step === b.step &&
  (a.lesson !== null || (a.view === b.view && a.text === b.text));

/** @param {{code: string, entries: Entry[]}} seen */
function store(seen) {
  try {
    window.sessionStorage.setItem(KEPT, JSON.stringify(seen));
  } catch {
    // Without storage, or with a full one, a reload begins a new page to take home.
  }
}

/** @param {string} code @returns {Entry[]} */
function kept(code) {
  try {
    const seen = JSON.parse(window.sessionStorage.getItem(KEPT) ?? "null");
    return seen?.code === code ? seen.entries : [];
  } catch {
    return [];
  }
}
