// Asks for the reader's lines: all those of a view in one request, after its picture stands.

import { lineKey, textsWithLines } from "../kit/readersline.js";

/** @typedef {import("../kit/types.js").Whole} Whole */
/** @template T @typedef {import("../kit/types.js").Store<T>} Store */
/** @typedef {import("../kit/types.js").Lost} Lost */
/** @typedef {{model: string, texts: string[], of?: string}} Asked */
/** @typedef {Map<string, {model: string, text: string}>} Wanted by their keys */

const SOON = 60; // ms after the picture, in which all its texts are wanted
const LATEST = 1_000; // ms for which it waits for the questions of a view
const AGAIN = 500; // ms until it asks again for a model that is being loaded
const LATER = 5_000; // ms until it asks again after a failure, such as a server with much to do
const MOST_FAILURES = 3; // one after another
const MOST = 400; // lines that a page keeps

/**
 * Fills `page.lines` with what is wanted by `page.wantLine`. A line that is refused or does not
 * come is left out: the text is there without it.
 * @param {Whole} page
 * @param {(asked: Asked) => Promise<any>} request resolves to {lines}, or null if its model is not
 *   there yet
 * @param {{busy: Store<boolean>, asking: Store<number>}} progress of sentences, and of questions
 */
export function connectLines(page, request, { busy, asking }) {
  /** @type {Wanted} */
  const wanted = new Map();
  const ask = createPatient(request);
  let isAsking = false;
  let since = 0; // when the first of those that wait was wanted
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;

  function look(after = SOON) {
    clearTimeout(timer);
    if (wanted.size > 0 && !isAsking && !busy.get()) timer = setTimeout(send, after);
  }

  async function send() {
    const rest = LATEST - (performance.now() - since);
    if (asking.get() > 0 && rest > 0) return look(rest);
    forgetTheUnseen(wanted);
    if (wanted.size === 0) return;
    const [{ model }] = wanted.values();
    const all = [...wanted.values()].filter((one) => one.model === model);
    const texts = all.slice(0, page.shared.lines).map(({ text }) => text);
    isAsking = true;
    const { lines, after } = await ask({ model, texts });
    isAsking = false;
    if (lines) take(page, { model, texts }, lines);
    if (lines) for (const text of texts) wanted.delete(lineKey(model, text));
    look(after);
  }

  page.wantLine = (model, text) => {
    const key = lineKey(model, text);
    if (wanted.has(key)) return; // every drawing wants it
    if (wanted.size === 0) since = performance.now();
    wanted.set(key, { model, text });
    look();
  };
  for (const store of [busy, asking]) store.watch(() => look());
  page.record.watch(() => forgetTheRefused(page));
}

/** Asks, and says when to ask again; `lines` is missing if the same is to be asked, because its
 * model is being loaded or the server failed. @param {(asked: Asked) => Promise<any>} request
 * @returns {(asked: Asked) => Promise<{lines?: any[], lost?: Lost[], after: number}>} */
export function createPatient(request) {
  let failures = 0; // one after another
  return async (asked) => {
    try {
      const reply = await request(asked);
      failures = 0;
      return reply === null ? { after: AGAIN } : { ...reply, after: SOON };
    } catch (error) {
      failures += 1;
      const isOver = /** @type {any} */ (error).sentence || failures > MOST_FAILURES;
      if (!isOver) return { after: LATER };
      failures = 0;
      return { lines: [], after: SOON };
    }
  };
}

/** A text that has left the page meanwhile needs no line: a next token was drawn after it.
 * @param {Wanted} wanted */
function forgetTheUnseen(wanted) {
  const seen = textsWithLines();
  for (const [key, { text }] of wanted) if (!seen.has(text)) wanted.delete(key);
}

/** @param {Whole} page @param {Asked} asked @param {any[]} lines */
function take(page, { model, texts }, lines) {
  const own = texts.map((text, i) => [lineKey(model, text), lines[i] ?? null]);
  const kept = Object.entries(page.lines.get()).slice(-MOST);
  page.lines.set({ ...Object.fromEntries(kept), ...Object.fromEntries(own) });
}

/** The next record may show the same text: it is asked for once more. @param {Whole} page */
function forgetTheRefused(page) {
  const known = Object.entries(page.lines.get());
  const there = known.filter(([, line]) => line !== null);
  if (there.length < known.length) page.lines.set(Object.fromEntries(there));
}
