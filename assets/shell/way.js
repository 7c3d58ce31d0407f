// The menu: Figure 1 in small, with the part on show lit; the views of that part; and all views,
// each with a line that says what one finds there.

import { arrow } from "../kit/elements.js";
import { html, nothing, render } from "../vendor/lit-html.js";
import { page } from "./state.js";
import { DRAWN, piece } from "./station.js";

/** @typedef {{name: string, group: string}} Exhibit */

const LEAST = 86; // letters of a window's width, from which on the map stands beside the views

/** Whether a view works here: in a saved session only some do. @param {string} name */
export const isHere = (name) =>
  !page.shared.saved || page.shared.exhibits.some((one) => one.name === name && one.saved);

/** @param {HTMLElement} root @param {string} assets where the scripts are */
export function mountWay(root, assets) {
  const [groups, tabs, index, links] = [".hl-groups", ".hl-tabs", "#hl-index", ".hl-links"].map(
    (one) => /** @type {any} */ (root.querySelector(one)),
  );
  const exhibits = /** @type {Exhibit[]} */ (page.shared.exhibits);
  /** @type {Record<string, string>} */
  const last = {}; // the view of each part that was open last
  const inGroup = (/** @type {string} */ group) => exhibits.filter((one) => one.group === group);
  const groupOf = (name) =>
    /** @type {Exhibit} */ (exhibits.find((one) => one.name === name)).group;
  const open = (/** @type {string} */ exhibit) => {
    index.open = false;
    page.choose({ exhibit });
  };

  function draw() {
    const { exhibit } = page.selection.get();
    const current = groupOf(exhibit);
    last[current] = exhibit;
    const openGroup = (group) => open(last[group] ?? inGroup(group)[0].name);
    render(stations(exhibits, current, openGroup), groups);
    const isAlone = inGroup(current).length === 1;
    const isNear = ({ group }) => group === current && !isAlone;
    tabs.classList.toggle("hl-alone", isAlone);
    render(
      exhibits.map((one) => tab(one, exhibit, isNear(one), open)),
      tabs,
    );
    render(hereText(current, exhibit), index.querySelector("summary"));
    const more = readMore(assets);
    render([listed(exhibits, exhibit, open), more], index.querySelector(".hl-sheet"));
    render(more, links);
  }

  tabs.addEventListener("keydown", (event) => {
    const step = arrow(event);
    if (step === null) return;
    event.preventDefault();
    const { exhibit } = page.selection.get();
    const name = beside(inGroup(groupOf(exhibit)), exhibit, step.columns + step.rows);
    page.choose({ exhibit: name });
    tabs.querySelector(`#tab-${name}`).focus();
  });
  page.selection.watch(draw);
  page.language.watch(draw);
  new ResizeObserver(() => fold(root)).observe(root);
}

/** The name of the list; where the map is folded, which view this is. */
function hereText(/** @type {string} */ current, /** @type {string} */ exhibit) {
  const here = { group: page.t(`group.${current}`), view: page.t(`${exhibit}.title`) };
  return html`<span class="hl-index-all">${page.t("tabs.all")}</span>
    <span class="hl-index-here">${page.t("tabs.here", here)}</span>`;
}

/** The view so many places further in its part; after the last one the first. */
function beside(/** @type {Exhibit[]} */ near, /** @type {string} */ exhibit, by) {
  const at = near.findIndex(({ name }) => name === exhibit) + by;
  return near[(at + near.length) % near.length].name;
}

/** In a narrow window the map folds into one line above the views. */
function fold(/** @type {HTMLElement} */ root) {
  const isNarrow = window.innerWidth < LEAST * parseFloat(getComputedStyle(root).fontSize);
  document.documentElement.toggleAttribute("data-narrow", isNarrow);
}

/** The paper, the shipped model's card, and the source where the page knows it. */
function readMore(/** @type {string} */ assets) {
  const card = page.shared.saved ? {} : { card: `${assets}card.txt` };
  return html`<p>${Object.entries({ ...page.shared.links, ...card }).map(
    ([name, href]) =>
      html`<a href=${href} target="_blank" rel="noopener">${page.t(`links.${name}`)}</a> `,
  )}</p>`;
}

/** The parts of the model: those of the figure from its top to its bottom, the others around it. */
function stations(exhibits, /** @type {string} */ current, openGroup) {
  const names = [...new Set(exhibits.map(({ group }) => group))];
  const [first, ...others] = names.filter((name) => !DRAWN.includes(name));
  const drawn = DRAWN.filter((name) => names.includes(name));
  return [first, ...drawn, ...others].map(
    (group) => html`<button type="button" data-group=${group}
      class="hl-station ${isAnyHere(group) ? "" : "hl-off"}"
      aria-current=${String(group === current)} @click=${() => openGroup(group)}>
      <span>${page.t(`group.${group}`)}</span>${DRAWN.includes(group) ? piece(group) : nothing}
    </button>`,
  );
}

const isAnyHere = (/** @type {string} */ group) =>
  page.shared.exhibits.some((one) => one.group === group && isHere(one.name));

const aboutOf = (/** @type {string} */ name) =>
  page.t(isHere(name) ? `${name}.about` : "saved.away");

function tab({ name, group }, /** @type {string} */ exhibit, /** @type {boolean} */ isNear, open) {
  return html`<button type="button" role="tab" id="tab-${name}" aria-controls="panel-${name}"
    data-group=${group} ?hidden=${!isNear} aria-selected=${String(name === exhibit)}
    class=${isHere(name) ? "" : "hl-off"}
    tabindex=${name === exhibit ? 0 : -1} title=${aboutOf(name)}
    @click=${() => open(name)}>${page.t(`${name}.title`)}</button>`;
}

/** All views in the order of the data's way, part by part. */
function listed(exhibits, /** @type {string} */ exhibit, open) {
  const names = [...new Set(exhibits.map(({ group }) => group))];
  const entry = ({ name }) => html`<button type="button" data-exhibit=${name}
    class=${isHere(name) ? "" : "hl-off"}
    aria-current=${String(name === exhibit)} @click=${() => open(name)}>
    <b>${page.t(`${name}.title`)}</b><span>${aboutOf(name)}</span></button>`;
  return html`<div class="hl-index-list">${names.map(
    (group) =>
      html`<section><h2>${page.t(`group.${group}`)}${
        DRAWN.includes(group) ? piece(group) : nothing
      }</h2>${exhibits.filter((one) => one.group === group).map(entry)}</section>`,
  )}</div>`;
}
