// The search as a tree that plays, and decoding on from any of its candidates.

import { button, toggle } from "../../../assets/kit/choice.js";
import { downloads } from "../../../assets/kit/download.js";
import { drawn } from "../../../assets/kit/elements.js";
import { liveView, room } from "../../../assets/kit/view.js";
import { html, render } from "../../../assets/vendor/lit-html.js";
import { acts, facts, list } from "./aside.js";
import { TreeView } from "./canvas.js";
import { coloursOf, drawSign, FATES, SIGNS } from "./fates.js";
import { createEarlier, createForce } from "./force.js";
import { createPlayer } from "./player.js";
import { createDeeds, createModel, sceneOf } from "./scene.js";
import { candidates, idsTo, prunedOf } from "./shape.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

const LIST_AFTER = 80; // ms of rest before the table of a step is written
const isTouched = () => matchMedia("(pointer: coarse)").matches; // who has no keys

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const model = createModel(page);
  const force = createForce(page);
  const deeds = createDeeds(page, model, (node) => force.force({ prefix: idsTo(node) }));
  const player = createPlayer(page, model, deeds.go);
  const earlier = createEarlier(page, () => force.force({ prefix: [] }));
  const picture = createPicture(el, page, model, deeds, player);
  const writeList = createList(page, deeds.pick);
  const parts = { model, force, deeds, player, earlier, picture };
  /** @type {any} */
  let scene = null;
  const view = liveView({
    el,
    page,
    stores: [page.theme, page.earlier, model.at, player.at, force.at, earlier.at],
    template() {
      if (model.tree === null) return null;
      scene = sceneOf(model);
      return layout(page, scene, parts);
    },
    drawn() {
      room(/** @type {HTMLElement} */ (el.querySelector(".hl-tree")));
      picture.draw(scene);
      earlier.draw(el);
      writeList(/** @type {HTMLElement} */ (el.querySelector(".hl-tree-list")), scene);
    },
  });
  return view.end;
}

/** Everything but what is drawn. */
function layout(
  /** @type {Page} */ page,
  scene,
  { model, force, deeds, player, earlier, picture },
) {
  const { t } = page;
  const record = page.record.get();
  const { all, parents } = model.at.get();
  const { pointed, cursor } = scene;
  const told = earlier.told() ?? { node: pointed?.label ? pointed : cursor, record };
  const [axes, keys] = [`${page.uid}-axes`, `${page.uid}-keys`];
  return html`<div class="hl-tree">
    <div class="hl-tree-main">
      <div class="hl-tree-bar">
        ${player.template()}
        ${toggle({
          label: t("tree.all"),
          checked: all,
          class: "hl-tree-all",
          onChange: (checked) => model.at.merge({ all: checked }),
        })}
        ${zooms(t, picture)}
      </div>
      ${legend(t)}
      <div class="hl-tree-field" tabindex="0" role="application" aria-label=${t("tree.title")}
        aria-describedby="${axes} ${keys}">
        <canvas class="hl-tree-canvas" aria-hidden="true"></canvas></div>
      ${earlier.template(record, scene.tree)}
      <div class="hl-tree-foot">
        <p class="hl-note"><span id=${axes}>${t("tree.axes")}</span>
          <span id=${keys}>${t(isTouched() ? "tree.touch" : "tree.keys")}</span></p>
        ${downloads(page, "search", { csv: () => candidates(model.tree), svg: picture.svg })}
      </div>
    </div>
    <div class="hl-tree-aside">
      <div class="hl-tree-facts" role="status">${facts(page, told.node, told.record)}</div>
      <div class="hl-tree-acts">
        ${acts(page, scene, record, parents.includes(cursor.key), deeds)}</div>
      ${force.template()}
      <div class="hl-tree-list"></div>
    </div>
  </div>`;
}

const zooms = (t, picture) => html`<div class="hl-zoom" role="group" aria-label=${t("zoom.name")}>
  ${button({ label: "−", title: t("zoom.out"), onClick: () => picture.zoom(-1) })}
  ${button({ label: t("zoom.fit"), class: "hl-tree-fit", onClick: picture.whole })}
  ${button({ label: "+", title: t("zoom.in"), onClick: () => picture.zoom(1) })}
</div>`;

const legend = (t) => html`<ul class="hl-tree-legend" aria-label=${t("tree.legend")}>
  ${SIGNS.map(
    (name) => html`<li title=${name in FATES ? t(`tree.fate.${name}`) : ""}><canvas
      data-sign=${name} aria-hidden="true"></canvas>${t(`tree.mark.${name}`)}</li>`,
  )}
</ul>`;

/** The large tree and the signs of the legend. It plays once by itself when it is first seen. */
function createPicture(el, /** @type {Page} */ page, model, deeds, player) {
  /** @type {TreeView|null} */
  let view = null;
  const before = { theme: "", search: "", place: "" };
  let isSeen = false; // a search of the visitor's own, not the recorded example
  const keys = {
    Enter: deeds.pick,
    " ": player.toggle,
    p: (node) => prunedOf(node) > 0 && deeds.fold(node),
  };

  function draw(scene) {
    view ??= createView();
    if (before.theme !== page.theme.get()) {
      const colours = coloursOf(el);
      for (const canvas of el.querySelectorAll("[data-sign]")) drawSign(canvas, colours);
    }
    const isNew = before.search !== model.search;
    const place = `${scene.cursor.key} ${scene.upTo}`;
    view.draw(scene, { refit: isNew });
    if (!isNew && before.place !== place) view.show(scene.cursor);
    Object.assign(before, { theme: page.theme.get(), search: model.search, place });
    if (isSeen || page.record.get()?.recorded) return;
    isSeen = true;
    const isWhole = () => model.at.get().upTo === null && model.begin === null;
    drawn()
      .then(drawn) // what a link brought has its place again
      .then(() => !page.signal.aborted && isWhole() && player.demonstrate());
  }

  function createView() {
    const field = el.querySelector(".hl-tree-field");
    for (const name of ["pointerdown", "keydown"]) {
      field.addEventListener(name, player.endDemonstration);
    }
    const now = () => sceneOf(model);
    return new TreeView(field, { ...deeds, keys, now });
  }

  return {
    draw,
    svg: () => view?.svg() ?? null,
    zoom: (steps) => view?.zoom(steps),
    whole: () => view?.whole(),
  };
}

/** Writes the table of a step; a long one waits while the slider runs. */
function createList(/** @type {Page} */ page, pick) {
  let late = 0;
  /** @type {any} */
  let [latest, nodes] = [null, null]; // the scene, and the nodes of the table
  let written = "";
  const nodesOf = ({ tree, upTo }) => tree.steps[upTo];

  function write(/** @type {HTMLElement} */ place) {
    const chosen = nodesOf(latest).includes(latest.cursor) ? latest.cursor : null;
    const key = `${page.language.get()} ${chosen?.key}`;
    if (nodes === nodesOf(latest) && key === written) return;
    [nodes, written] = [nodesOf(latest), key];
    render(list(page, nodes, latest.upTo, chosen, pick), place);
  }
  page.signal.addEventListener("abort", () => clearTimeout(late));
  return (/** @type {HTMLElement} */ place, scene) => {
    const isOther = latest === null || nodesOf(latest) !== nodesOf(scene);
    latest = scene;
    if (nodes === nodesOf(scene)) write(place);
    if (!isOther) return;
    clearTimeout(late);
    late = setTimeout(write, LIST_AFTER, place);
  };
}
