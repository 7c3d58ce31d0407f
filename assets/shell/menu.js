// The menu: a small Figure 1 with the current view's part highlighted, the views, the pictures of
// the current view if it has several, and the list of all, each with a line of description.

import { defaultOf } from "../kit/languages.js";
import { html, nothing, render } from "../vendor/lit-html.js";
import { figure } from "./figure.js";
import { modelOf } from "./history.js";
import { lessonModel } from "./model.js";
import { page } from "./state.js";

/** A row of VIEWS in explorer/exhibits/__init__.py.
 * @typedef {{name: string, exhibits: string[], part: string, is_first: boolean,
 *   is_research: boolean, header: string[]}} View */

const LEAST = 64; // width of a window in letters from which the menu is beside the views

/**
 * True if an exhibit works here: it must be in the saved session, or without a server not need one.
 * @param {string} name
 */
export function isHere(name) {
  const { saved, published, exhibits } = page.shared;
  if (name === "lessons" && lessonModel() === undefined) return false;
  if (saved) return exhibits.some((/** @type {any} */ one) => one.name === name && one.saved);
  return !(name in (published?.away ?? {}));
}

/** The words for why an exhibit is not available. @param {string} name */
export function awayWords(name) {
  const { saved, published } = page.shared;
  return saved ? "saved.away" : (published?.away[name] ?? "lessons.away");
}

/** @returns {View[]} */
const views = () => page.shared.views;

/** The view that an exhibit belongs to. @param {string} exhibit @returns {View} */
export const viewOf = (exhibit) =>
  /** @type {View} */ (views().find(({ exhibits }) => exhibits.includes(exhibit)));

/** @param {HTMLElement} root @param {string} assets where the scripts are */
export function mountMenu(root, assets) {
  const [small, list, index, links] = [".hl-menu-figure", ".hl-menu", "#hl-index", ".hl-links"].map(
    (one) => /** @type {any} */ (root.querySelector(one)),
  );
  /** @type {Record<string, string>} */
  const last = {}; // the last open exhibit of each view
  const open = (/** @type {string} */ exhibit) => {
    index.open = false;
    page.choose({ exhibit });
  };
  const openView = (/** @type {View} */ view) => open(last[view.name] ?? view.exhibits[0]);

  function draw() {
    const { exhibit } = page.selection.get();
    const current = viewOf(exhibit);
    last[current.name] = exhibit;
    document.body.dataset.header = current.header.join(" ");
    render(figure(current.part), small);
    const shown = views().filter((view) => view.is_first || view === current);
    const given = { current, exhibit, open, openView };
    render(
      shown.map((view, i) => [groupName(view, shown[i - 1]), entry(view, given)]),
      list,
    );
    render(hereText(current, exhibit), index.querySelector("summary"));
    const more = readMore(assets);
    render([listed(exhibit, open), more], index.querySelector(".hl-sheet"));
    render(more, links);
  }

  page.selection.watch(draw);
  for (const store of [page.language, page.record]) store.watch(draw);
  new ResizeObserver(() => fold(root)).observe(root);
}

/** The name of the list; if the menu is folded, the name of the view. */
function hereText(/** @type {View} */ current, /** @type {string} */ exhibit) {
  const here = { view: page.t(`view.${current.name}`), exhibit: page.t(`${exhibit}.title`) };
  const isAlone = current.exhibits.length === 1;
  return html`<span class="hl-index-all">${page.t("tabs.all")}</span>
    <span class="hl-index-here">${isAlone ? here.view : page.t("tabs.here", here)}</span>`;
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

const aboutOf = (/** @type {string} */ name) =>
  page.t(isHere(name) ? `${name}.about` : awayWords(name));

/** The name of a group, above the first of its views. */
const groupName = (/** @type {View} */ view, /** @type {View|undefined} */ before) =>
  view.is_research && !before?.is_research
    ? html`<span class="hl-menu-group">${page.t("tabs.research")}</span>`
    : nothing;

/** A view of the menu; the current one with its exhibits.
 * @param {View} view
 * @param {{current: View|undefined, exhibit: string, open: (name: string) => void,
 *   openView: (view: View) => void}} given */
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

/** All views, with a line for each of their exhibits. */
function listed(/** @type {string} */ exhibit, /** @type {(name: string) => void} */ open) {
  const line = (/** @type {string} */ name) => html`<button type="button" data-exhibit=${name}
    class=${isHere(name) ? "" : "hl-off"}
    aria-current=${String(name === exhibit)} @click=${() => open(name)}>
    <b>${page.t(`${name}.title`)}</b><span>${aboutOf(name)}</span></button>`;
  const nameOf = (/** @type {View} */ { name, exhibits }) => {
    const text = page.t(`view.${name}`);
    const isSaid = exhibits.length === 1 && page.t(`${exhibits[0]}.title`) === text;
    return isSaid ? nothing : html`<h2>${text}</h2>`;
  };
  return html`<div class="hl-index-list">${views().map(
    (view) => html`<section>${nameOf(view)}${view.exhibits.map(line)}</section>`,
  )}</div>`;
}
