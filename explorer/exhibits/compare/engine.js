// State that lives as long as the view: the settings being dragged, the newest comparison, and the
// record of the questions.

import { createSliders } from "../../../assets/kit/samplers.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

export const NAMES = ["temperature", "top_k", "top_p", "seed"]; // of the settings of drawing
const PAUSE = 200; // ms without a change before the four searches run again

/** @param {Page} page @param {() => void} _ @param {any} fields the store of the view's fields */
export function engine(page, _, fields) {
  const adjust = createAdjuster(page, fields);
  return {
    adjust,
    sliders: createSliders(page, "hl-compare-", adjust),
    subjectOf: createSubject(),
    newest: createNewest(),
    elsewhere: createElsewhere(),
  };
}

export const drawingOf = ({ settings }) =>
  Object.fromEntries(NAMES.map((name) => [name, settings[name]]));

/** Returns adjust(changes): the sliders follow at once, the searches after a pause. */
function createAdjuster(/** @type {Page} */ page, fields) {
  let pause = 0;
  page.signal.addEventListener("abort", () => clearTimeout(pause), { once: true });
  return (/** @type {object} */ changes) => {
    clearTimeout(pause);
    const { typing, own } = fields.get();
    const before = typing ?? own ?? drawingOf(/** @type {any} */ (page.record.get()));
    fields.merge({ typing: { ...before, ...changes } });
    pause = window.setTimeout(
      () => fields.merge({ own: fields.get().typing, typing: null }),
      PAUSE,
    );
  };
}

/** The page's own settings apply here too, when the visitor changes them. */
export function ends(before, record) {
  const [was, now] = [drawingOf(before), drawingOf(record)];
  return NAMES.some((name) => now[name] !== was[name]) ? ["own"] : [];
}

/** The inputs of the searches besides the settings of drawing. */
export const keyOf = ({ model, text, prefix, interventions, settings }) =>
  JSON.stringify([
    model.key,
    text,
    prefix,
    interventions,
    Object.entries(settings).filter(([name]) => name !== "method" && !NAMES.includes(name)),
  ]);

/** Returns subjectOf(record): the same one until the sentence or a setting that counts changes. */
function createSubject() {
  /** @type {any} */
  let subject = null;
  return (record) => {
    const isSame = subject && !subject.recorded && keyOf(subject) === keyOf(record);
    if (!isSame) subject = record;
    return subject;
  };
}

/** Returns newest(comparison): the last one stays while the next is computed. */
function createNewest() {
  /** @type {any} */
  let last = null;
  return (now) => {
    last = now ?? last;
    return last;
  };
}

/**
 * Returns elsewhere(record, key): the record with a different model's key, the same object as long
 * as both are the same.
 */
function createElsewhere() {
  /** @type {any} */
  let last = { record: null, key: null };
  return (record, /** @type {string} */ key) => {
    if (last.record !== record || last.key !== key) {
      const about = {
        ...record,
        model: { ...record.model, key },
        recorded: false,
        prefix: [],
        interventions: {},
        shown: 0,
        node: null,
      };
      last = { record, key, about };
    }
    return last.about;
  };
}
