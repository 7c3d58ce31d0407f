// The address follows the page, and the browser's back and forward buttons go through what was on
// the page: another view, sentence, hypothesis or prefix is an entry of its own; what is dragged or
// set only changes the entry. `history.state.query` holds all of it, also what is too long for an
// address.

import { drawn } from "../kit/elements.js";
import { FIRST } from "../kit/selection.js";
import { LONGEST, read, sameRequest, shortened, write } from "./address.js";
import { unpackedQuery } from "./link.js";
import { page } from "./state.js";

// ms without a change before the address follows; browsers limit how often it may change (Safari:
// 100 times in 30 s). So long an entry is also replaced by the next: keys that repeat make one.
const REST = 400;

const { choices, language, record, selection } = page;
const INITIAL = { exhibit: FIRST.exhibit, labels: FIRST.labels };

/** The query string to begin with: that of the entry, of a packed link, or of the address. */
export async function openedQuery() {
  const { saved } = page.shared;
  return (
    window.history.state?.query ?? saved?.query ?? (await unpackedQuery(window.location.search))
  );
}

/** What is on the page, as a query string; null before the model has answered. */
export function queryOf(now = snapshot(), others = "") {
  if (now.record === null || now.record.recorded) return null;
  const state = { ...now.record, lang: now.lang, selection: now.selection, choices: now.choices };
  return write(state, now.record.model.defaults, others, page.shared.interventions);
}

const snapshot = () => ({
  record: record.get(),
  selection: selection.get(),
  choices: choices.get(),
  lang: language.get(),
});

/** What has an entry of its own. @param {ReturnType<typeof snapshot>} now */
const placeOf = ({
  record: { model, text, shown, prefix, node, interventions },
  selection: { exhibit },
}) => JSON.stringify([model.key, text, shown, prefix, node, interventions, exhibit]);

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
  let restoring = 0; // entries that were gone to and are not on the page yet
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
    if (timer !== undefined) enter("replaceState", before); // the last of what is left behind
    clearTimeout(timer);
    timer = undefined;
    entered = performance.now();
    enter("pushState", seen);
  }
  for (const store of [record, selection, choices, language]) store.watch(follow);
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

/** The page's `opener`: what puts a view's measured sentence on the page, with its settings, or null.
 * What the visitor chose in other views stays. @param {string} view */
export function openerOf(view) {
  const key = record.get()?.model.key;
  const one = measured(key)[view];
  if (page.shared.saved || !one || page.lesson.get().name !== null) return null;
  return () => {
    const others = Object.entries(choices.get()).filter(([name]) => !name.startsWith(`${view}.`));
    const { text, settings } = one;
    const asked = { ...Object.fromEntries(others), ...settings, model: key, text, view };
    restore(new URLSearchParams(asked).toString());
  };
}

/** The step at which a view shows its point, while its measured sentence stands on the page as it
 * was opened: at its first step. @param {string} view */
export function startOf(view) {
  const { model, text } = record.get() ?? {};
  const one = measured(model?.key)[view];
  const isUntouched = selection.get().step === 0 && page.lesson.get().name === null;
  return one?.text === text && isUntouched ? stepOf(one.settings) : {};
}

/** The openers of a model by view; none without any. @param {string|null|undefined} key */
export const measured = (key) =>
  page.shared.models.find((/** @type {any} */ model) => model.key === key)?.openers ?? {};

/** The step that a view's settings name, if they do. @param {Record<string, string>} settings */
export function stepOf(settings = {}) {
  const { step } = read(new URLSearchParams(settings).toString()).selection;
  return step === undefined ? {} : { step };
}

/** Puts on the page what a query string names. @param {string} query */
export async function restore(query) {
  const { ranges, interventions, aliases } = page.shared;
  const {
    model,
    text,
    settings,
    shown,
    request,
    selection: asked,
    ...rest
  } = read(query, ranges, interventions, aliases);
  choices.set(rest.choices);
  const chosen = { ...INITIAL, ...asked };
  page.choose(chosen); // the view at once, what depends on the sentence afterwards
  const now = queryOf();
  if (now === null || sameRequest(now, query)) return;
  const fresh = { prefix: [], node: null, interventions: {}, begin: "" };
  const trouble = await page.explain({
    model,
    text: text ?? page.shared.first,
    settings,
    shown,
    ...fresh,
    ...request,
  });
  if (trouble !== null) return;
  await drawn(); // the views have begun anew
  choices.set({ ...rest.choices });
  page.choose(chosen);
}
