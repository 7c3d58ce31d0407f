// The chosen head large, at one point of the training and at the point before it.

import { ramps } from "../colour.js";
import { element, whenChanged } from "../elements.js";
import { createHeatmap, lineOf } from "../heatmap.js";
import { weightText } from "../numbers.js";
import { strongest } from "../payload.js";
import { axes, pointedLines } from "../selection.js";
import { choose, hover, theme } from "../state.js";
import { number, t } from "../words.js";
import { pointName } from "./learn_point.js";

const TOLD = 3; // links told in words

export function createPair(root) {
  const part = (id) => root.querySelector(`#hl-learn-${id}`);
  const maps = ["before", "after"].map((side) => {
    const figure = part(side);
    const box = figure.querySelector(".hl-map");
    const map = createHeatmap(box, {
      onPoint: hover.set, onChoose: choose, describedBy: "hl-learn-axes hl-learn-links",
    });
    return { figure, box, map, changed: whenChanged(), there: false };
  });
  let lighten = () => {};
  hover.watch(() => lighten());

  // scene: {shown, now, before, chosen}; `before` is null at the first point.
  function draw(scene) {
    const { kind, layer, head, labels } = scene.chosen;
    const name = t("heads.tile", { kind: t(`kind.${kind}`), layer: number(layer), head: number(head) });
    part("head").replaceChildren(element("i", { class: `hl-dot hl-kind-${kind}` }), name);
    part("axes").textContent = t(kind === "encoder_self" ? "axes.encoder_self" : `axes.${kind}.${labels}`);
    [scene.before, scene.now].forEach((told, i) => drawOne(maps[i], told, scene, name));
    lighten = () => light(scene);
    lighten();
    part("links").textContent = linksText(scene);
  }

  function drawOne(side, told, { shown, chosen }, name) {
    side.there = told !== null;
    side.figure.hidden = !side.there;
    if (!side.there) return;
    side.figure.querySelector("figcaption").textContent = pointName(told.share);
    const found = told.attention[chosen.kind];
    const { rows, columns } = axes(shown, chosen.kind, chosen.labels);
    const map = {
      cells: found.head(chosen.layer, chosen.head), queries: found.queries, keys: found.keys,
      rows: rows.labels, columns: columns.labels, ramp: ramps[theme.get()], zoom: 1,
      name: `${name}, ${pointName(told.share)}`,
    };
    const { fontSize } = getComputedStyle(side.box);
    const { clientWidth, clientHeight } = side.box;
    if (side.changed(map.cells, map.rows, map.name, map.ramp, clientWidth, clientHeight, fontSize)) side.map.draw(map);
  }

  function light({ shown, chosen }) {
    const lit = pointedLines(shown, chosen, hover.get());
    for (const { map, there } of maps) if (there) map.light({ row: chosen.row, col: chosen.col, lit });
  }

  return { draw };
}

// The strongest links of the head now, each with its weight at the point before: the text alternative.
function linksText({ shown, now, before, chosen }) {
  const cellsOf = (told) => told?.attention[chosen.kind].head(chosen.layer, chosen.head);
  const { keys } = now.attention[chosen.kind];
  const [cells, earlier] = [cellsOf(now), cellsOf(before)];
  const { rows, columns } = axes(shown, chosen.kind, chosen.labels);
  const links = strongest(cells, keys, TOLD).map(({ row, col, weight }) => t(before ? "learn.link.before" : "learn.link", {
    row: lineOf(rows.labels[row]), col: lineOf(columns.labels[col]), weight: weightText(weight),
    before: before ? weightText(earlier[row * keys + col]) : "",
  }));
  return t("learn.links", { links: links.join(t("learn.comma")) });
}
