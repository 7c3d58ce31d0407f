// State that lives as long as the view: the settings being dragged, the newest comparison, and the
// record of the questions.

import { createSliders } from "../../../assets/kit/samplers.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

/** @typedef {import("../../../assets/kit/types.js").Rec} Rec */
/** @typedef {import("../../../assets/kit/sampling.js").Drawing} Drawing */
/** What the view's fields keep of them: the visitor's own, and those of a slider being dragged.
 * @typedef {{own: Drawing|null, typing: Drawing|null}} Kept */
/** The newest comparison of the methods, and the settings that it was made with.
 * @typedef {{found: import("./outcomes.js").OfMethod[], asked: Drawing}} Comparison */

/** @type {(keyof Drawing)[]} */
export const NAMES = ["temperature", "top_k", "top_p", "seed"];
const PAUSE = 200; // ms without a change before the four searches run again

/** @param {Page} page @param {() => void} _
 * @param {import("../../../assets/kit/types.js").Store<Kept>} fields the store of the view's fields */
export function engine(page, _, fields) {
  const adjust = createAdjuster(page, fields);
  return {
    adjust,
    sliders: createSliders(page, "hl-compare-", adjust),
    subjectOf: createSubject(),
    newest: createNewest(),
  };
}

/** @param {Pick<Rec, "settings">} record @returns {Drawing} */
export const drawingOf = ({ settings: { temperature, top_k, top_p, seed } }) => ({
  temperature,
  top_k,
  top_p,
  seed,
});

/** Returns adjust(changes): the sliders follow at once, the searches after a pause.
 * @param {Page} page @param {Parameters<typeof engine>[2]} fields */
function createAdjuster(page, fields) {
  let pause = 0;
  page.signal.addEventListener("abort", () => clearTimeout(pause), { once: true });
  return (/** @type {Partial<Drawing>} */ changes) => {
    clearTimeout(pause);
    const { typing, own } = fields.get();
    // The sliders are drawn from a record.
    const before = typing ?? own ?? drawingOf(/** @type {Rec} */ (page.record.get()));
    fields.merge({ typing: { ...before, ...changes } });
    pause = window.setTimeout(
      () => fields.merge({ own: fields.get().typing, typing: null }),
      PAUSE,
    );
  };
}

/** The page's own settings apply here too, when the visitor changes them.
 * @param {Rec} before @param {Rec} record */
export function ends(before, record) {
  const [was, now] = [drawingOf(before), drawingOf(record)];
  return NAMES.some((name) => now[name] !== was[name]) ? ["own"] : [];
}

/** The inputs of the searches besides the settings of drawing. @param {Rec} record */
export const keyOf = ({ model, text, prefix, interventions, settings }) =>
  JSON.stringify([
    model.key,
    text,
    prefix,
    interventions,
    Object.entries(settings).filter(([name]) => name !== "method" && !isDrawing(name)),
  ]);

/** Whether a setting is one of drawing. @param {string} name */
export const isDrawing = (name) => NAMES.some((one) => one === name);

/** Returns subjectOf(record): the same one until the sentence or a setting that counts changes. */
function createSubject() {
  /** @type {Rec|null} */
  let subject = null;
  return (/** @type {Rec} */ record) => {
    const isSame = subject && !subject.recorded && keyOf(subject) === keyOf(record);
    const next = isSame && subject ? subject : record;
    subject = next;
    return next;
  };
}

/** Returns newest(comparison): the last one stays while the next is computed. */
function createNewest() {
  /** @type {Comparison|null} */
  let last = null;
  return (/** @type {Comparison|null} */ now) => {
    last = now ?? last;
    return last;
  };
}
