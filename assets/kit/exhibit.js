// A view as it is declared: its fields, its question, its finding, its picture, its numbers. Here
// they are put together whenever something that it is drawn from changes; `answers.js` asks its
// questions, and `layout.js` lays its parts out.

import { createAnswers } from "./answers.js";
import { keep } from "./keep.js";
import { createFrame, laidOut } from "./layout.js";
import { createPlayer } from "./player.js";
import { createKept } from "./requests.js";
import { piecesOf, shown } from "./sentence.js";
import { toldIn } from "./telling.js";
import { liveView } from "./view.js";

/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Rec} Rec */
/** @typedef {import("./fields.js").Field} Field */
/** @typedef {{width: number, height: number, em: number}} Size of the picture, in px */
/** @typedef {import("./types.js").Selection} Selection */

/**
 * What every function of a view is given, beside the values of its fields, what its
 * `scene` adds, `answer` (the reply to its question, prepared; null in `telling` until it is there)
 * and, where it plays, `player` (player.js).
 * @typedef {object} Base
 * @property {HTMLElement} el the view's element
 * @property {Page} page
 * @property {Rec} record
 * @property {Selection} selection
 * @property {(key: string, values?: object) => string} t its own words as a text
 * @property {(key: string, values?: Record<string, unknown>) => unknown[]} say its own words, with
 *   labels of tokens in them
 * @property {(changes: object|((values: any) => object)) => void} set changes fields; `changes` may
 *   be a function of the values there are then. What stands under `selection` in them is selected on
 *   the page
 * @property {(question: string, args?: object, subject?: any) => import("./request.js").Answer} ask a
 *   further question, about the record or another subject
 * @property {ReturnType<typeof createKept>} kept gives the same subject again
 *
 * The scene of some view: where only the kit knows it, its own parts are unknown.
 * @typedef {any} Scene
 */

/**
 * A view whose functions are given a scene S: Base, with its fields, its answer and what `scene` adds.
 * @template [S=any]
 * @typedef {object} View
 * @property {string} name the beginning of its words, its choices and its files
 * @property {(facts: any, page: Page) => Record<string, Field>} [fields]
 * @property {import("./keep.js").Ends} [ends] the fields that the visitor's next request ends
 * @property {(s: S) => [string, object, any?, string?]|null} [ask] the question to Python, its
 *   arguments, the record that it is about where that is not the one on the page, and the kind of
 *   answer where one question has several: only one of the same kind bridges the wait for the next
 * @property {(reply: any, record: any, args: any, engine: any) => any} [prepare] a reply -> `s.answer`
 * @property {(args: any, record: any, engine: any) => object} [add] arguments that are worked out
 *   when the question goes out, and on which the answer does not depend: which part of a reply the
 *   view's engine has already, for instance, so that it need not be sent again
 * @property {import("./player.js").Play<S>} [play] how it plays; its button is the first control, with
 *   the words `play` and `pause`
 * @property {(page: Page, redraw: () => void, fields: import("./types.js").Store<any>) => object}
 *   [engine] what lives as long as the view is mounted, a run that is followed for instance, or
 *   what changes a field by itself; its parts are in every scene
 * @property {(page: Page) => import("./types.js").Store<any>[]} [stores] what it is drawn from
 *   beside record, selection and fields: `page.hover`
 * @property {(s: S) => void} [drawn] after each drawing, for a canvas of its own
 * @property {(s: S) => Partial<S>} [scene] pure: what is shown, from record, fields and answer
 * @property {(s: S) => import("./telling.js").Telling[]|null} [telling] the places in the record
 *   that it could open on, and how much it says at each; null while it needs its answer for that,
 *   which `s` is without at first
 * @property {(s: S) => import("./types.js").Cell} [cell] the tokens that the finding is about,
 *   which the header marks; without it, those of the chosen head's row
 * @property {(s: S) => unknown} finding one sentence of at most twenty words
 * @property {(s: S) => string} [about] the model's text that the finding is about, which has the
 *   reader's line below it; empty: none
 * @property {(s: S) => boolean|string[]} [nothing] whether it says that there is nothing to see:
 *   then a button beside it shows a sentence for which there is. A list: the fields that stay as
 *   they are, because the sentence was measured with them too
 * @property {(facts: any) => string} [instead] the name of the model to offer where the one on the
 *   page lacks what the view shows
 * @property {(s: S) => boolean} [lacks] whether it lacks a part of that
 * @property {(s: S, size: Size) => unknown} picture
 * @property {(string|((s: S) => unknown))[]} [controls] at most three: names of fields, or
 *   functions that give a name or a template
 * @property {(string|((s: S) => unknown))[]} [adjust] the others, behind a button
 * @property {(s: S) => import("./sheet.js").Sheet<any>[]} [numbers]
 * @property {(s: S) => unknown} [reading] how to read the picture, below the lead
 * @property {(s: S) => any} [files] Files of download.js beside the picture's SVG; `name` is what
 *   they are called, and `of` the sentence in the picture where it is not the page's
 */

/** Stores of the page that every view is drawn from, beside the record. */
/** @type {("selection"|"theme"|"folds"|"proved")[]} */
const FROM_PAGE = ["selection", "theme", "folds", "proved"];

/**
 * What the module of a declared view exports: `mount`, and the `questions` whose answers go into a
 * saved session.
 * @param {View} view
 */
export const exhibit = (view) => ({
  mount: (/** @type {{el: HTMLElement, page: Page}} */ given) => mountExhibit(view, given),
  questions(/** @type {any} */ record, /** @type {any} */ page) {
    const life = new AbortController();
    const given = { ...page, signal: life.signal, facts: page.shared.constants?.[view.name] ?? {} };
    const values = stateOf(view, given).state.get();
    life.abort();
    const selection = page.selection.get();
    const wanted = view.ask?.({ ...given, page: given, record, selection, ...values });
    return wanted ? [{ question: wanted[0], args: wanted[1] }] : [];
  },
});

/** The fields of a view and the store of their values. */
function stateOf(/** @type {View} */ view, /** @type {Page} */ page) {
  const fields = view.fields?.(page.facts, page) ?? {};
  const all = Object.entries(fields);
  const { choices, endings, signal } = page;
  const first = Object.fromEntries(all.map(([name, field]) => [name, field.first]));
  const kept = all.flatMap(([name, { fits }]) => (fits ? [[name, fits]] : []));
  const place = { choices, endings, signal, name: view.name };
  return { fields, state: keep(place, first, Object.fromEntries(kept), view.ends) };
}

/** @param {View} view @param {{el: HTMLElement, page: Page}} given */
function mountExhibit(view, { el, page }) {
  const { fields, state } = stateOf(view, page);
  const engine = { kept: createKept(), ...view.engine?.(page, () => live.redraw(), state) };
  const answers = createAnswers(view, engine, page, () => live.redraw());
  const picture = createFrame(el, () => live.redraw());
  const words = wordsOf(page, view.name);
  const set = (/** @type {any} */ changes) => {
    const all = typeof changes === "function" ? changes(state.get()) : changes;
    const { selection, ...own } = all;
    if (selection) page.choose(selection);
    state.merge(own);
  };
  /** @type {Scene|null} */
  let shown = null;
  const playerOf = view.play && createPlayer(page, view.play, set, () => live.redraw());

  const live = liveView({
    el,
    page,
    stores: [...FROM_PAGE.map((name) => page[name]), state, ...(view.stores?.(page) ?? [])],
    template() {
      const record = page.record.get();
      if (record === null) return null;
      const base = toldIn(view, {
        el,
        page,
        record,
        ...words,
        selection: page.selection.get(),
        set,
        ...engine,
        ...state.get(),
        ask: answers.further(record),
      });
      const answer = answers.own(base);
      const isThere = answer === null || answer.value !== null;
      const s = isThere ? sceneOf(view, base, answer?.value ?? null) : null;
      if (s && playerOf) s.player = playerOf(s);
      shown = s;
      showCell(page, s && view.cell ? { ...view.cell(s), record } : null);
      return laidOut({ view, fields, base, s, answer, size: picture.size() });
    },
    drawn() {
      picture.check();
      if (shown) view.drawn?.(shown);
    },
  });
  return live.end;
}

/** The header's marks follow the finding; the same cell is not set again with every drawing. */
function showCell(/** @type {Page} */ page, /** @type {import("./types.js").Cell|null} */ cell) {
  const before = page.cell.get();
  const fields = /** @type {const} */ (["record", "src", "step", "offset"]);
  const isSame =
    fields.every((name) => before?.[name] === cell?.[name]) &&
    String(before?.weights) === String(cell?.weights);
  if (!isSame) page.cell.set(cell);
}

/** What is shown: at the place on the page, or at the one that is found with the answer. */
function sceneOf(/** @type {View} */ view, /** @type {Scene} */ base, /** @type {any} */ answer) {
  const at = (/** @type {Selection} */ selection) => {
    const asked = { ...base, selection, answer };
    return { ...asked, ...view.scene?.(asked) };
  };
  const s = at(base.selection);
  const there = toldIn(view, s).selection;
  return there === s.selection ? s : at(there);
}

/** The view's own words: `t` as a text, `say` with labels of tokens in the place of its fields. */
function wordsOf(/** @type {Page} */ page, /** @type {string} */ name) {
  const t = (/** @type {string} */ key, values = {}) => page.t(`${name}.${key}`, values);
  const say = (/** @type {string} */ key, /** @type {Record<string, any>} */ values = {}) => {
    const isLabel = (/** @type {[string, any]} */ [, value]) => typeof value === "object";
    const labels = Object.fromEntries(Object.entries(values).filter(isLabel));
    const texts = Object.fromEntries(Object.entries(values).filter((one) => !isLabel(one)));
    return shown(piecesOf(page, t(key, texts), labels));
  };
  return { t, say };
}
