// The large tree in its place, and the signs of the legend if that is open.

import { TreeView } from "./canvas.js";
import { coloursOf, drawSign } from "./fates.js";
import { sceneOf } from "./scene.js";
import { prunedOf } from "./shape.js";

/**
 * @param {any} model @param {any} deeds @param {any} steps the player
 */
export function createCanvas(model, deeds, steps) {
  /** @type {TreeView|null} */
  let view = null;
  const before = { search: "", place: "" };
  const keys = {
    Enter: deeds.pick,
    " ": steps.toggle,
    p: (node) => prunedOf(node) > 0 && deeds.fold(node),
  };

  function draw(/** @type {any} */ s) {
    const field = s.el.querySelector(".hl-tree-field");
    if (field === null) return;
    const isOther = view?.field !== field;
    if (isOther) view = new TreeView(field, { ...deeds, keys, now: () => sceneOf(model) });
    const isNew = isOther || before.search !== model.search;
    const place = `${s.cursor.key} ${s.upTo}`;
    view?.draw(s, { refit: isNew });
    if (!isNew && before.place !== place) view?.show(s.cursor);
    Object.assign(before, { search: model.search, place });
    for (const sign of s.el.querySelectorAll("[data-sign]")) drawSign(sign, coloursOf(field));
  }
  return {
    draw,
    svg: () => view?.svg() ?? null,
    zoom: (/** @type {number} */ steps) => view?.zoom(steps),
    whole: () => view?.whole(),
  };
}
