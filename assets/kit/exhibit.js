// A view as it is declared: its fields, its question, its finding, its picture, its numbers. Here
// they are laid out, the same at every size: the finding above, the picture in all the room there
// is, the controls below it, and behind three buttons what not everybody needs at first sight.

import { html, nothing } from "../vendor/lit-html.js";
import { button } from "./choice.js";
import { menuOf, menuToCome } from "./download.js";
import { drawn } from "./elements.js";
import { keep } from "./keep.js";
import { countText } from "./numbers.js";
import { createPlayer } from "./player.js";
import { provedMark } from "./proved.js";
import { createRequest, lasting, pending } from "./request.js";
import { piecesOf, shown, unbroken } from "./sentence.js";
import { sheetOf } from "./sheet.js";
import { moreTelling, toldIn } from "./telling.js";
import { liveView, room } from "./view.js";

/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Rec} Rec */
/** @typedef {import("./fields.js").Field} Field */
/** @typedef {{width: number, height: number, em: number}} Size of the picture, in px */
/** @typedef {import("./types.js").Selection} Selection */

/**
 * What every function of a view is given: the values of its fields, what its `scene` adds, and
 * - `record`, `selection`, `page`; `el`, the view's element;
 * - `answer`: the reply to its question, prepared; `ask(question, args, subject)`: the Answer of a
 *   further one, about the record or another subject;
 * - `player`: where it plays, see player.js;
 * - `t(key, values)`: its own words as a text; `say(key, values)`: with labels of tokens in them;
 * - `set(changes)`: changes fields; `changes` may be a function of the values there are then. What
 *   stands under `selection` in them is selected on the page.
 * @typedef {any} Scene
 */

/**
 * @typedef {object} View
 * @property {string} name the beginning of its words, its choices and its files
 * @property {(facts: any, page: Page) => Record<string, Field>} [fields]
 * @property {import("./keep.js").Ends} [ends] the fields that the visitor's next request ends
 * @property {(s: Scene) => [string, object, any?]|null} [ask] the question to Python, its arguments,
 *   and the record that it is about where that is not the one on the page
 * @property {(reply: any, record: any, args: any, engine: any) => any} [prepare] a reply -> `s.answer`
 * @property {(args: any, record: any, engine: any) => object} [add] arguments that are worked out
 *   when the question goes out, and on which the answer does not depend: which part of a reply the
 *   view's engine has already, for instance, so that it need not be sent again
 * @property {import("./player.js").Play} [play] how it plays; its button is the first control, with
 *   the words `play` and `pause`
 * @property {(page: Page, redraw: () => void, fields: import("./types.js").Store<any>) => object}
 *   [engine] what lives as long as the view is mounted, a run that is followed for instance, or
 *   what changes a field by itself; its parts are in every scene
 * @property {(page: Page) => import("./types.js").Store<any>[]} [stores] what it is drawn from
 *   beside record, selection and fields: `page.hover`
 * @property {(s: Scene) => void} [drawn] after each drawing, for a canvas of its own
 * @property {(s: Scene) => object} [scene] pure: what is shown, from record, fields and answer
 * @property {(s: Scene) => import("./telling.js").Telling[]|null} [telling] the places in the record
 *   that it could open on, and how much it says at each; null while it needs its answer for that,
 *   which `s` is without at first
 * @property {(s: Scene) => import("./types.js").Cell} [cell] the tokens that the finding is about,
 *   which the header marks; without it, those of the chosen head's row
 * @property {(s: Scene) => unknown} finding one sentence of at most twenty words
 * @property {(s: Scene) => boolean|string[]} [nothing] whether it says that there is nothing to see:
 *   then a button beside it shows a sentence for which there is. A list: the fields that stay as
 *   they are, because the sentence was measured with them too
 * @property {(s: Scene, size: Size) => unknown} picture
 * @property {(string|((s: Scene) => unknown))[]} [controls] at most three: names of fields, or
 *   functions that give a name or a template
 * @property {(string|((s: Scene) => unknown))[]} [adjust] the others, behind a button
 * @property {(s: Scene) => import("./sheet.js").Sheet<any>[]} [numbers]
 * @property {(s: Scene) => unknown} [reading] how to read the picture, below the lead
 * @property {(s: Scene) => any} [files] Files of download.js beside the picture's SVG
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
  const engine = view.engine?.(page, () => live.redraw(), state);
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

/**
 * Answers to the view's questions: to its own, null where there is none; and to further ones. They
 * go out one after another, since only the newest question of a page is answered.
 * @param {View} view @param {any} engine the view's @param {Page} page @param {() => void} changed
 */
function createAnswers(view, engine, page, changed) {
  const { ask, prepare = (reply) => reply, add = () => ({}) } = view;
  /** @type {Parameters<typeof createRequest>[2]} */
  const how = {
    changed,
    prepare: (reply, record, args) => prepare(reply, record, args, engine),
    add: (args, record) => add(args, record, engine),
  };
  const about = new Map(); // question -> about(record, args)
  const steady = new Map(); // the same, but an answer stays until the next is there
  let isWaiting = false; // for an answer that this drawing wants
  const aboutOf = (/** @type {string} */ name) => {
    if (!about.has(name)) {
      about.set(name, createRequest(page, name, how));
      steady.set(name, lasting(about.get(name)));
    }
    return about.get(name);
  };
  return {
    own(/** @type {Scene} */ s) {
      const question = ask?.(s);
      isWaiting = false;
      if (!question) return null;
      const [name, args, subject = s.record] = question;
      if (s.record.recorded && !s.record.answers?.[name]) return WAITING;
      aboutOf(name);
      const answer = steady.get(name)(subject, args, s.record);
      isWaiting = answer.waiting;
      return answer;
    },
    further:
      (/** @type {Rec} */ record) =>
      (/** @type {string} */ name, /** @type {object} */ args, subject = record) => {
        const known = aboutOf(name).peek(subject, args);
        if (known === null && (isWaiting || record.recorded)) return WAITING;
        const answer = known ?? aboutOf(name)(subject, args);
        isWaiting ||= answer.waiting;
        return answer;
      },
  };
}

/** The recorded example of the start: no model is there to ask, but it may hold an answer. */
const WAITING = { value: null, waiting: true, error: null, retry: () => {} };

const LEAST = { width: 14, height: 14 }; // em: a picture has room even while its place has none

/** The room of the picture: measured when it is drawn, drawn again where it came out otherwise. */
function createFrame(/** @type {HTMLElement} */ el, /** @type {() => void} */ redraw) {
  let last = { width: 640, height: 420, em: 14 };
  const measured = () => {
    const frame = el.querySelector('[data-part="picture"]');
    if (frame === null) return last;
    const em = parseFloat(getComputedStyle(frame).fontSize);
    const width = Math.max(frame.clientWidth, LEAST.width * em);
    return { width, height: Math.max(frame.clientHeight, LEAST.height * em), em };
  };
  return {
    size: () => last,
    check() {
      room(el);
      const now = measured();
      const isSame = now.width === last.width && now.height === last.height && now.em === last.em;
      last = now;
      if (!isSame) redraw();
    },
  };
}

/**
 * The view: finding, picture, controls; and what is folded away. `s` is null while it waits.
 * @param {{view: View, fields: Record<string, Field>, base: Scene, s: Scene|null,
 *   answer: import("./request.js").Answer, size: Size}} given
 */
function laidOut({ view, fields, base, s, answer, size }) {
  const { page, t } = base;
  const open = page.folds.get();
  const control = (/** @type {string|((s: Scene) => unknown)} */ one) => {
    const made = typeof one === "string" ? one : one(s ?? base);
    return typeof made === "string" ? fieldOf(fields, made, base, s) : made;
  };
  return html`<div class="hl-view hl-${view.name}">
    <div class="hl-first">
      <div class="hl-said">
        <h2 class="hl-finding" data-part="finding" aria-live="polite">${s ? inWholeWords(view.finding(s)) : "…"}</h2>
        ${s ? elsewhere(view, s) : nothing} ${provedMark(page, view.name)}</div>
      <div class="hl-picture" data-part="picture">
        ${s ? view.picture(s, size) : pending(page, answer)}</div>
      <div class="hl-foot">
        <div class="hl-controls-row" data-part="controls">
          ${s?.player ? playButton(s) : nothing}
          ${(view.controls ?? []).map(control)}
        </div>
        <div class="hl-folds">
          ${view.adjust ? fold(base, "adjust") : nothing}
          ${view.numbers ? fold(base, "numbers") : nothing}
          ${fold(base, "reading")}
          ${s ? downloadsOf(view, s) : menuToCome(page)}
        </div>
      </div>
    </div>
    <div class="hl-adjust" data-part="adjust" ?hidden=${!open.adjust || !view.adjust}>
      ${(view.adjust ?? []).map(control)}</div>
    <div class="hl-numbers" data-part="numbers" ?hidden=${!open.numbers || !view.numbers}>
      ${open.numbers && s ? view.numbers?.(s).map((/** @type {any} */ one) => sheetOf(page, one, t, view.name)) : nothing}
    </div>
    <div class="hl-reading hl-stack" data-part="reading" ?hidden=${!open.reading}>
      <p>${page.t(`${view.name}.lead`)}</p>${s ? aboutGlosses(page, s.record) : nothing}
      ${open.reading && s ? view.reading?.(s) : nothing}</div>
  </div>`;
}

/** What the small words under the tokens are, where the model has some. */
const aboutGlosses = (/** @type {Page} */ page, /** @type {Rec} */ { model: { glossed } }) =>
  glossed ? html`<p>${page.t("gloss.reading", { pairs: countText(glossed) })}</p>` : nothing;

/** Where there is nothing to see: the way to the place in this sentence where there is; if it has
 * none, to the view's own opener, if this model has one. */
function elsewhere(/** @type {View} */ view, /** @type {Scene} */ s) {
  const { page } = s;
  const stays = view.nothing?.(s);
  if (!stays) return nothing;
  const place = moreTelling(view.telling?.(s) ?? [], s.selection);
  if (place !== null) {
    const go = () => page.choose(place);
    return button({ label: page.t("opener.here"), class: "hl-opener", onClick: go });
  }
  const open = page.opener(view.name, stays === true ? [] : stays);
  if (open === null) return nothing;
  return button({ label: page.t("opener.other"), class: "hl-opener", onClick: open });
}

/** @param {unknown} said */
const inWholeWords = (said) =>
  [said].flat().map((one) => (typeof one === "string" ? unbroken(one) : one));

/** @param {Record<string, Field>} fields @param {string} name @param {Scene} base @param {Scene} s */
function fieldOf(fields, name, base, s) {
  const { page, t, set, ...values } = base;
  return fields[name].control?.({
    label: t(name),
    value: values[name],
    set: (value) => set({ ...fields[name].also, [name]: value }),
    class: `hl-field-${name}`,
    name: `${page.uid}-${name}`,
    word: (value) => t(`${name}.${value}`),
    scene: s ?? base,
  });
}

const playButton = (/** @type {Scene} */ { t, player }) =>
  button({
    label: t(player.isPlaying ? "pause" : "play"),
    class: "hl-play",
    disabled: !player.canPlay,
    onClick: player.toggle,
  });

/** The button that opens a part. */
function fold(/** @type {Scene} */ { page, el }, /** @type {"adjust"|"numbers"|"reading"} */ name) {
  const isOpen = page.folds.get()[name];
  return button({
    label: page.t(`fold.${name}`),
    class: `hl-fold hl-fold-${name}`,
    pressed: isOpen,
    onClick() {
      page.folds.merge({ [name]: !isOpen });
      if (!isOpen) drawn().then(() => scrollToPart(el.querySelector(`[data-part="${name}"]`)));
    },
  });
}

const MOST_SCROLLED = 0.4; // of the window: the picture above an opened part stays in sight

/** Scrolls to a part that was opened below the window's edge. */
function scrollToPart(/** @type {Element|null} */ part) {
  if (part === null) return;
  const { top, bottom } = part.getBoundingClientRect();
  const height = window.innerHeight;
  const hidden = Math.min(bottom - height, top - (1 - MOST_SCROLLED) * height);
  if (hidden > 0) window.scrollBy(0, hidden);
}

/** The menu of the files; `name` among them is what they are called. */
function downloadsOf(/** @type {View} */ view, /** @type {Scene} */ s) {
  const { name = view.name, ...files } = filesOf(view, s);
  return menuOf(s.page, name, files);
}

/** The picture's SVG, unless the view gives its own files; `svg: null` where it draws none. */
function filesOf(/** @type {View} */ { files }, /** @type {Scene} */ s) {
  const svg = () => s.el.querySelector('[data-part="picture"] svg');
  const all = Object.entries({ svg, ...files?.(s) });
  return Object.fromEntries(all.filter(([, content]) => content !== null));
}
