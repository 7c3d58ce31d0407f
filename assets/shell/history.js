// The address follows the page, and the browser's back and forward buttons restore earlier states:
// a different view, sentence, hypothesis or prefix adds an entry, and so does what is opened within
// a view; dragging or a setting only changes the current one. `history.state.query` has the full
// state, even if too long for an address.

import { defaultOf, readerAmong, readerOf, reversed } from "../kit/languages.js";
import { chosenIn, FIRST } from "../kit/selection.js";
import { LONGEST, read, sameRequest, shortened, write } from "./address.js";
import { unpackedQuery } from "./link.js";
import { busy, page } from "./state.js";

/** @typedef {import("../kit/types.js").Rec} Rec */

// ms without a change before the address follows; browsers limit how often it may change (Safari:
// 100 times in 30 s). Within this time an entry is replaced by the next, so repeating keys make
// only one.
const REST = 400;

// What the address has before anything is asked for.
const OPENING = ["model", "text", "lang", "gloss", "size", "kind", "layer", "head"];

const { choices, gloss, language, record, selection } = page;

/** The initial query string: from the entry, a packed link, or the address. */
export async function openedQuery() {
  const { saved } = page.shared;
  return (
    window.history.state?.query ?? saved?.query ?? (await unpackedQuery(window.location.search))
  );
}

/** The model of a query: its `own`, which it names or the page opens with, unless another `reader`
 * reads its text. @param {string} query
 * @param {{model: string|null, text: string|null}} asked what the query says */
export function modelOfQuery(query, { model, text }) {
  const from = new URLSearchParams(query);
  const first = defaultOf(page);
  const own = model || first.key;
  if (page.shared.saved || from.has("model") || text === null) return { key: own, own };
  // The page did not name the first model in its addresses while that was every page's default.
  const isOld = from.has("kind");
  const reader = isOld ? earlierReader(text) : readerOf(page, text, first.pair);
  const unread = isOld ? page.shared.models[0].key : own;
  return { key: reader?.key ?? unread, own: unread, reader };
}

/** The reverse of the first model, if that is what reads a text. @param {string} text */
function earlierReader(text) {
  const [{ pair }, ...others] = page.shared.models;
  const back = others.filter((one) => one.pair === reversed(pair));
  return readerAmong(back, pair, text);
}

/** True if the page shows the sentence that it opens with in its language, and nobody has asked for
 * anything else yet. */
export function isOpening() {
  const query = new URLSearchParams(queryOf() ?? window.location.search);
  const { key } = defaultOf(page);
  const isOwn = (/** @type {string} */ name, /** @type {string} */ value) =>
    (query.get(name) ?? value) === value;
  const isPlain = [...query.keys()].every((name) => OPENING.includes(name));
  const isElsewhere = page.shared.saved || page.lesson.get().name !== null;
  return !isElsewhere && isPlain && isOwn("model", key) && isOwn("text", firstOf(key));
}

/** The state of the page as a query string; null before the model has answered. */
export function queryOf(now = snapshot(), others = "") {
  if (now.record === null || now.record.recorded) return null;
  const { lang, gloss: isGlossed, choices: chosen } = now;
  const { step, src, col, labels, ...rest } = now.selection;
  const { place, labels: isNamed } = page.chosen;
  // What nobody chose is found again where the link is opened.
  const selected = { ...rest, ...(place && { step, src, col }), ...(isNamed && { labels }) };
  const own = { lang, gloss: isGlossed, selection: selected, choices: chosen };
  const state = { ...now.record, ...own };
  return write(state, now.record.model.defaults, others, page.shared.interventions);
}

const snapshot = () => ({
  record: record.get(),
  selection: selection.get(),
  choices: choices.get(),
  lang: language.get(),
  gloss: gloss.get(),
});

/** The parts of the state whose change adds an entry.
 * @param {ReturnType<typeof snapshot>} now */
const placeOf = ({ record: shownRecord, selection: { exhibit }, choices: chosen }) => {
  const { model, text, shown, prefix, node, interventions } = /** @type {Rec} */ (shownRecord);
  const opened = page.shared.places.map((/** @type {string} */ name) => chosen[name]);
  return JSON.stringify([model.key, text, shown, prefix, node, interventions, exhibit, opened]);
};

/** @param {"pushState"|"replaceState"} how @param {ReturnType<typeof snapshot>} now */
function enter(how, now) {
  const query = queryOf(now, window.location.search);
  if (query === null) return;
  if (page.shared.saved) return window.history[how]({ query }, ""); // a file's address stays
  const short = query.length > LONGEST ? shortened(query).query : query;
  const { pathname, hash } = window.location;
  window.history[how]({ ...window.history.state, query }, "", `${pathname}?${short}${hash}`);
}

export function followAddress() {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  /** @type {string|null} */
  let place = null;
  let entered = 0; // when the last entry was made
  let restoring = 0; // entries visited but not yet on the page
  let seen = snapshot();

  function settle() {
    clearTimeout(timer);
    timer = undefined;
    if (restoring === 0) enter("replaceState", seen);
  }
  function follow() {
    const before = seen;
    seen = snapshot();
    if (restoring > 0 || seen.record === null || seen.record.recorded) return;
    const here = placeOf(seen);
    const isOther = place !== null && here !== place && performance.now() - entered > REST;
    place = here;
    if (!isOther) {
      clearTimeout(timer);
      timer = setTimeout(settle, REST);
      return;
    }
    if (timer !== undefined) enter("replaceState", before); // the last state before leaving
    clearTimeout(timer);
    timer = undefined;
    entered = performance.now();
    enter("pushState", seen);
  }
  for (const store of [record, selection, choices, language, gloss]) store.watch(follow);
  window.addEventListener("pagehide", settle);
  window.addEventListener("popstate", async (event) => {
    clearTimeout(timer);
    timer = undefined;
    restoring += 1;
    await restore(event.state?.query ?? window.location.search);
    restoring -= 1;
    if (restoring > 0) return;
    seen = snapshot();
    if (seen.record !== null) place = placeOf(seen);
    settle();
  });
}

/**
 * The page's `opener`: a function that puts a view's measured sentence on the page, with its
 * settings, or null. Choices in other views stay, and those in this one that `stays` names.
 * @param {string} view @param {string[]} [stays]
 */
export function openerOf(view, stays = []) {
  const key = record.get()?.model.key;
  const openers = modelOf(key)?.openers;
  const one = openers?.views[view];
  if (page.shared.saved || !one || page.lesson.get().name !== null) return null;
  return () => {
    const ends = (/** @type {string} */ name) =>
      name.startsWith(`${view}.`) && !stays.includes(name.slice(view.length + 1));
    const others = Object.entries(choices.get()).filter(([name]) => !ends(name));
    const { text, settings } = { text: openers.text, ...one };
    const asked = { ...Object.fromEntries(others), ...settings, model: key, text, view };
    restore(new URLSearchParams(asked).toString());
  };
}

/** A model of this page; undefined if it is none of those listed.
 * @param {string|null|undefined} key */
export const modelOf = (key) => page.shared.models.find((one) => one.key === key);

/** The sentence that a model opens with. @param {string|null} key */
export const firstOf = (key) => modelOf(key)?.examples[0]?.text ?? page.shared.first;

/** Restores the page from a query string. @param {string} query */
export async function restore(query) {
  const { ranges, interventions, aliases, switches } = page.shared;
  const found = read(query, ranges, interventions, aliases, switches);
  const { text, settings, shown, request, selection: asked, choices: chosen } = found;
  const { key: model } = modelOfQuery(query, found);
  const labels = page.fitting({ ...selection.get(), ...asked });
  const opening = { exhibit: FIRST.exhibit, labels, ...asked };
  await open(opening, chosen);
  page.chosen = chosenIn(asked);
  const now = queryOf();
  if (now !== null && !busy.get() && sameRequest(now, query)) return;
  const fresh = { prefix: [], node: null, interventions: {}, begin: "" };
  await page.explain(
    { model, text: text ?? firstOf(model), settings, shown, ...fresh, ...request },
    opening,
  );
}

/**
 * Opens a view with the choices of a link or a lesson. They come after the step, which some views
 * follow.
 * @param {any} opening a selection @param {Record<string, string>} chosen
 */
export async function open(opening, chosen) {
  page.choose(opening);
  await null; // the views have followed it
  choices.set(chosen);
}
