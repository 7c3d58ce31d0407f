// The two heatmaps, and what the pointer does in them.

import { matrix } from "../../../assets/kit/map.js";
import { cellText } from "../../../assets/kit/numbers.js";
import { pointedLines } from "../../../assets/kit/selection.js";
import { render } from "../../../assets/vendor/lit-html.js";

/**
 * Gives {draw(summary, occlusion), light(scene, pointed)}.
 * @param {import("../../../assets/kit/types.js").Page} page
 * @param {import("../../../assets/kit/types.js").Store<any>} pointed
 * @param {HTMLElement} left
 * @param {HTMLElement} right
 */
export function createMaps(page, pointed, left, right) {
  const summary = createBox(left, {
    onPoint: page.hover.set,
    onChoose: page.choose,
    describedBy: `${page.uid}-axes`,
  });
  const occlusion = createBox(right, {
    onPoint(cell) {
      // A cell of the occlusion is also one of the cross map; elsewhere only its source is lit.
      const isCross = page.selection.get().kind === "cross";
      pointed.set(cell);
      page.hover.set(cell === null || isCross ? cell : { side: "src", index: cell.col });
    },
    onChoose: ({ row, col }) => page.choose({ step: row, src: col }),
    describedBy: `${page.uid}-occlusion`,
  });
  return {
    draw(first, second) {
      if (first !== null) summary.draw(first);
      if (second !== null) occlusion.draw(second);
    },
    light({ record, occlusion: { value } }, cell) {
      const chosen = page.selection.get();
      const lit = pointedLines(record, chosen, page.hover.get());
      summary.light({ row: chosen.row, col: chosen.col, lit });
      if (value === null) return;
      const here = cell ?? { row: null, col: null };
      const both = { row: lit.row ?? here.row, col: lit.col ?? here.col };
      const shown = chosen.kind === "cross" ? both : here;
      occlusion.light({ row: chosen.step, col: chosen.src, lit: shown });
    },
  };
}

/** A map that fills its box. @param {HTMLElement} box @param {import("../../../assets/kit/map.js").Hands} hands */
function createBox(box, hands) {
  /** @type {any} */
  let scene = null;
  return {
    draw: (next) => {
      const { clientWidth: width, clientHeight: height } = box;
      const font = parseFloat(getComputedStyle(box).fontSize);
      const { write = cellText } = next;
      const text = (value) => (Number.isNaN(value) ? "" : write(value));
      scene = { ...next, width, height, font, text, large: true };
    },
    light: ({ row, col, lit }) =>
      scene && render(matrix({ ...scene, chosen: { row, col }, lit }, hands), box),
  };
}
