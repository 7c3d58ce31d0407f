// The menu: a small Figure 1 with the current view's part highlighted, the questions that the views
// answer, the views of one question, and the pictures of the current view if it has several.

import { icon } from "../kit/icons.js";
import { defaultOf } from "../kit/languages.js";
import { html, nothing, render } from "../vendor/lit-html.js";
import { beginLesson, mountDoor } from "./door.js";
import { figure } from "./figure.js";
import { modelOf } from "./history.js";
import { viewMap } from "./map.js";
import { page } from "./state.js";
import { aboutOf, byQuestion, headerOf, isHere, nameOf, viewOf } from "./views.js";

/** @typedef {import("./views.js").View} View */
/** @typedef {import("../kit/types.js").LessonPlan} Plan */
/** What the menu needs to draw an entry: what is shown, and how to open another.
 * @typedef {{current: View, exhibit: string, open: (exhibit: string) => void,
 *   openView: (view: View) => void}} Given */

const LEAST = 64; // width of a window in letters from which the menu is beside the views

/** @param {HTMLElement} root @param {string} assets where the scripts are */
export function mountMenu(root, assets) {
  const [small, list, index, links] = [".hl-menu-figure", ".hl-menu", "#hl-index", ".hl-links"].map(
    (one) => /** @type {any} */ (root.querySelector(one)),
  );
  /** @type {Record<string, string>} */
  const last = {}; // the last open exhibit of each view
  let shown = ""; // the view on the page, and the question whose views are listed
  let unfolded = "";
  const open = (/** @type {string} */ exhibit) => {
    index.open = false;
    page.choose({ exhibit });
  };
  const begin = (/** @type {Plan} */ lesson) => {
    index.open = false; // it would cover the lesson's card
    beginLesson(lesson);
  };
  const openView = (/** @type {View} */ view) => open(last[view.name] ?? view.exhibits[0]);
  const unfold = (/** @type {string} */ question) => {
    unfolded = unfolded === question ? "" : question;
    draw();
  };

  function draw() {
    const { exhibit } = page.selection.get();
    const current = viewOf(exhibit);
    if (shown !== current.name) unfolded = current.question;
    shown = current.name;
    last[current.name] = exhibit;
    document.body.dataset.header = headerOf(exhibit).join(" ");
    render(figure(current.part), small);
    const given = { current, exhibit, open, openView };
    render(
      byQuestion().map(([name, own]) => question(name, own, name === unfolded, unfold, given)),
      list,
    );
    render(hereText(current, exhibit), index.querySelector("summary"));
    const more = readMore(assets);
    render([viewMap(exhibit, open, begin), more], index.querySelector(".hl-sheet"));
    render(more, links);
  }

  page.selection.watch(draw);
  for (const store of [page.language, page.record]) store.watch(draw);
  new ResizeObserver(() => fold(root)).observe(root);
  mountDoor(/** @type {HTMLElement} */ (root.querySelector(".hl-door")));
}

/** The name of the list; if the menu is folded, the name of the view. */
function hereText(/** @type {View} */ current, /** @type {string} */ exhibit) {
  return html`${icon("views")}<span class="hl-index-all">${page.t("tabs.all")}</span>
    <span class="hl-index-here">${page.t(nameOf(current, exhibit))}</span>`;
}

/** In a narrow window the menu folds into one line above the views. */
function fold(/** @type {HTMLElement} */ root) {
  const isNarrow = window.innerWidth < LEAST * parseFloat(getComputedStyle(root).fontSize);
  document.documentElement.toggleAttribute("data-narrow", isNarrow);
}

/** The paper, the card of a shipped model under that model, and the source if the page knows it. */
function readMore(/** @type {string} */ assets) {
  const { name, card: file } = modelOf(page.record.get()?.model.key ?? defaultOf(page).key) ?? {};
  const card = file && !page.shared.saved ? { card: `${assets}${file}` } : {};
  return html`<p>${Object.entries({ ...page.shared.links, ...card }).map(
    ([one, href]) =>
      html`<a href=${href} target="_blank" rel="noopener">${page.t(`links.${one}`, { name })}</a> `,
  )}</p>`;
}

/** A question; if it is unfolded, with its views.
 * @param {string} name @param {View[]} own @param {boolean} isUnfolded
 * @param {(question: string) => void} unfold @param {Given} given */
const question = (name, own, isUnfolded, unfold, given) => html`<div class="hl-menu-question">
    <button type="button" data-question=${name} aria-expanded=${String(isUnfolded)}
      @click=${() => unfold(name)}>${page.t(`map.${name}`)}</button>
    <div ?hidden=${!isUnfolded}>${own.map((view) => entry(view, given))}</div>
  </div>`;

/** A view of the menu; the current one with its exhibits. @param {View} view @param {Given} given */
function entry(view, { current, exhibit, open, openView }) {
  const isCurrent = view === current;
  const isAlone = view.exhibits.length === 1;
  const isOff = !view.exhibits.some(isHere);
  return html`<button type="button" data-view=${view.name} class="hl-entry ${isOff ? "hl-off" : ""}"
      aria-current=${String(isCurrent)} title=${isAlone ? aboutOf(view.exhibits[0]) : nothing}
      @click=${() => openView(view)}>${page.t(`view.${view.name}`)}</button>
    <div class="hl-menu-tabs" role="group" aria-label=${page.t(`view.${view.name}`)}
      ?hidden=${!isCurrent || isAlone}>
      ${view.exhibits.map((name) => tab(name, exhibit, open))}</div>`;
}

const tab = (
  /** @type {string} */ name,
  /** @type {string} */ exhibit,
  /** @type {(name: string) => void} */ open,
) =>
  html`<button type="button" id="tab-${name}" aria-current=${String(name === exhibit)}
    class=${isHere(name) ? "" : "hl-off"} title=${aboutOf(name)}
    @click=${() => open(name)}>${page.t(`${name}.title`)}</button>`;
