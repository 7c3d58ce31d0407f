// The parts of a declared view in their places, the same at every size: the finding above, the
// picture in all the room there is, the controls below it, and behind three buttons what not
// everybody needs at first sight.

import { html, nothing } from "../vendor/lit-html.js";
import { button } from "./choice.js";
import { menuOf, menuToCome } from "./download.js";
import { drawn } from "./elements.js";
import { languagePair, sourceOf, titleOf } from "./languages.js";
import { countText } from "./numbers.js";
import { provedMark } from "./proved.js";
import { aboutLines, lineSwitch, lineUnder } from "./readersline.js";
import { pending, sentenceOf } from "./request.js";
import { unbroken } from "./sentence.js";
import { sheetOf } from "./sheet.js";
import { moreTelling } from "./telling.js";
import { placeTerms, termsOf } from "./terms.js";
import { room } from "./view.js";

/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Rec} Rec */
/** @typedef {import("./fields.js").Field} Field */
/** @typedef {import("./exhibit.js").View} View */
/** @typedef {import("./exhibit.js").Scene} Scene */
/** @typedef {import("./exhibit.js").Size} Size */

const LEAST = { width: 14, height: 14 }; // em: a picture has room even while its place has none

/** The room of the picture: measured when it is drawn, drawn again where it came out otherwise. */
export function createFrame(/** @type {HTMLElement} */ el, /** @type {() => void} */ redraw) {
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
      placeTerms(el);
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
export function laidOut({ view, fields, base, s, answer, size }) {
  const { page, t } = base;
  const open = page.folds.get();
  const away = !s && answer.error?.isAway ? sentenceOf(page, answer.error) : null;
  const control = (/** @type {string|((s: Scene) => unknown)} */ one) => {
    const made = typeof one === "string" ? one : one(s ?? base);
    return typeof made === "string" ? fieldOf(fields, made, base, s) : made;
  };
  const about = s ? (view.about?.(s) ?? "") : "";
  const said = s ? view.finding(s) : (away ?? "…");
  return html`<div class="hl-view hl-${view.name}">
    <div class="hl-first">
      <div class="hl-said">
        <h2 class="hl-finding" data-part="finding" aria-live="polite">${inWholeWords(said)}</h2>
        ${about === "" ? nothing : lineUnder(page, about)}
        ${s ? elsewhere(view, s) : nothing}
        ${away !== null || (s && view.lacks?.(s)) ? insteadOf(view, page) : nothing} ${provedMark(page, view.name)}
        ${s ? termsOf(page, said) : nothing}</div>
      <div class="hl-picture" data-part="picture">
        ${s ? view.picture(s, size) : away === null ? pending(page, answer) : nothing}</div>
      <div class="hl-foot">
        <div class="hl-controls-row" data-part="controls">
          ${s?.player ? playButton(s) : nothing}
          ${away === null ? (view.controls ?? []).map(control) : nothing}
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
      ${(view.adjust ?? []).map(control)}${lineSwitch(page, view.name)}</div>
    <div class="hl-numbers" data-part="numbers" ?hidden=${!open.numbers || !view.numbers}>
      ${open.numbers && s ? view.numbers?.(s).map((/** @type {any} */ one) => sheetOf(page, one, t, view.name)) : nothing}
    </div>
    <div class="hl-reading hl-stack" data-part="reading" ?hidden=${!open.reading}>
      ${aboutLines(page, view.name)}<p>${page.t(`${view.name}.lead`)}</p>${s ? aboutGlosses(page, s.record) : nothing}
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

/** The way to the model that has what the one on the page lacks: with the same sentence, if it
 * reads that. @param {View} view @param {Page} page */
function insteadOf(view, page) {
  const name = view.instead?.(page.facts);
  const model = page.shared.models?.find((/** @type {{name: string}} */ one) => one.name === name);
  if (model === undefined || page.shared.saved) return nothing;
  const reads = sourceOf(model.pair) === sourceOf(languagePair(page));
  const text = reads ? {} : { text: model.examples[0].text, shown: 0 };
  return button({
    label: page.t("model.instead", { name: titleOf(page, model) }),
    class: "hl-opener",
    onClick: () => page.explain({ model: model.key, ...text }),
  });
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

/** The menu of the files; `name` among them is what they are called, `of` what they show. */
function downloadsOf(/** @type {View} */ view, /** @type {Scene} */ s) {
  const { name = view.name, of, ...files } = filesOf(view, s);
  return menuOf(s.page, name, files, of);
}

/** The picture's SVG, unless the view gives its own files; `svg: null` where it draws none. */
function filesOf(/** @type {View} */ { files }, /** @type {Scene} */ s) {
  const svg = () => s.el.querySelector('[data-part="picture"] svg');
  const all = Object.entries({ svg, ...files?.(s) });
  return Object.fromEntries(all.filter(([, content]) => content !== null));
}
