// The chosen head large, at one point of the training and at the point before it.

import { ramps } from "../../../assets/kit/colour.js";
import { headText } from "../../../assets/kit/heads.js";
import { createHeatmap } from "../../../assets/kit/heatmap.js";
import { lineOf } from "../../../assets/kit/heatplan.js";
import { weightText } from "../../../assets/kit/numbers.js";
import { strongest } from "../../../assets/kit/payload.js";
import { axes, pointedLines } from "../../../assets/kit/selection.js";
import { pointText } from "./points.js";

const LINKS = 3; // told in words

/**
 * Gives {draw(scene), light(scene)}.
 * @param {import("../../../assets/kit/types.js").Page} page
 * @param {HTMLElement[]} figures of the point before, and of the point itself
 */
export function createPair(page, ...figures) {
  const sides = figures.map((figure) => {
    const box = /** @type {HTMLElement} */ (figure.querySelector(".hl-map"));
    const describedBy = `${page.uid}-axes ${page.uid}-links`;
    return createHeatmap(box, { onPoint: page.hover.set, onChoose: page.choose, describedBy });
  });

  function draw(scene) {
    for (const [i, one] of [scene.before, scene.now].entries()) {
      if (one !== null) sides[i].draw(mapOf(page, scene.record, one));
    }
    light(scene);
  }

  function light({ record, before }) {
    const chosen = page.selection.get();
    const lit = pointedLines(record, chosen, page.hover.get());
    for (const map of before === null ? sides.slice(1) : sides) {
      map.light({ row: chosen.row, col: chosen.col, lit });
    }
  }
  return { draw, light };
}

function mapOf(page, record, one) {
  const { kind, layer, head, labels } = page.selection.get();
  const { rows, columns } = axes(record, kind, labels);
  const { queries, keys, head: cellsOf } = one.attention[kind];
  return {
    cells: cellsOf(layer, head),
    queries,
    keys,
    rows: rows.labels,
    columns: columns.labels,
    ramp: ramps[page.theme.get()],
    name: `${headText(page, page.selection.get())}, ${pointText(page, one.share)}`,
  };
}

/** The strongest links of the head now, each with its weight at the point before. */
export function linksText(page, { record, now, before }) {
  const { t } = page;
  const { cells, keys, rows, columns } = mapOf(page, record, now);
  const earlier = before && mapOf(page, record, before).cells;
  const links = strongest(cells, keys, LINKS).map(({ row, col, weight }) =>
    t(earlier ? "learn.link.before" : "learn.link", {
      row: lineOf(rows[row]),
      col: lineOf(columns[col]),
      weight: weightText(weight),
      before: earlier ? weightText(earlier[row * keys + col]) : "",
    }),
  );
  return t("learn.links", { links: links.join(t("learn.comma")) });
}
