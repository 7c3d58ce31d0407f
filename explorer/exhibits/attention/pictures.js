// The map and the lines of the chosen head, with pointer handling.

import { ramps } from "../../../assets/kit/colour.js";
import { whenChanged } from "../../../assets/kit/elements.js";
import { headText, nameOf } from "../../../assets/kit/heads.js";
import { matrix } from "../../../assets/kit/map.js";
import { cellText } from "../../../assets/kit/numbers.js";
import { axes, stripIndex } from "../../../assets/kit/selection.js";
import { render } from "../../../assets/vendor/lit-html.js";
import { drawnHeads } from "./heads.js";
import { createLines } from "./lines.js";
import { lightsOf } from "./sight.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("./sight.js").Sight} Sight */

/**
 * The heads that are drawn as lines, each with its links; the same array while nothing changes.
 * @param {Page} page
 * @param {import("../../../assets/kit/types.js").Store<import("./options.js").Options>} options
 * @param {(name: string) => Sight} sightOf
 */
export function createDrawn(page, options, sightOf) {
  const isChanged = whenChanged();
  let drawn = [];
  return () => {
    const own = nameOf(page.selection.get());
    const all = drawnHeads(page.selection.get(), options.get(), page.record.get());
    if (isChanged(sightOf(own), ...all.map(({ name, place }) => `${name} ${place}`))) {
      drawn = all.map((one) => ({
        ...one,
        links: sightOf(one.name).links(),
        own: one.name === own,
      }));
    }
    return drawn;
  };
}

/** The data for drawing a map. */
export const mapScene = (page, sight) => ({
  ...sight,
  large: true,
  text: (weight) => (Number.isNaN(weight) ? "" : cellText(weight)),
  name: sight.name ?? headText(page, page.selection.get()),
  ramp: ramps[page.theme.get()],
});

/**
 * Returns {draw({sight, second}, drawn, zoom), light()}; `light` follows the pointer and measures
 * nothing. A picture whose box is hidden is left alone. `second` is another measure of the cells.
 * @param {Page} page
 * @param {(name: string) => HTMLElement} part of the view, by its selector
 */
export function createPictures(page, part) {
  const boxes = { map: part(".hl-map"), beside: part(".hl-beside"), lines: part(".hl-lines") };
  /** @type {any} */
  const state = { sight: null, maps: [], pointed: null, mine: null };
  const cellOf = (cell) => cell && tokensOf(state.sight, cell);
  const hands = {
    onPoint: (cell) => page.hover.set(cellOf(cell)),
    onChoose: (cell) => page.choose(cellOf(cell)),
    describedBy: `${page.uid}-axes`,
  };
  const drawMaps = ({ row, col, lit }) => {
    for (const [box, map] of state.maps)
      render(matrix({ ...map, chosen: { row, col }, lit }, hands), box);
  };
  const lines = createLines(boxes.lines, page, {
    onPoint(end) {
      state.pointed = end;
      state.mine = end && stripToken(page, state.sight, end);
      page.hover.set(state.mine);
    },
    onChoose: ({ end, index }) => page.choose(linesChoice(page, state.sight, end, index)),
  });
  // A hover elsewhere may be on one side only; the pointer here always is.
  function ends(lights) {
    if (page.hover.get() !== state.mine) state.pointed = null;
    const { pointed } = state;
    return pointed === null ? lights.lit : { row: null, col: null, [pointed.end]: pointed.index };
  }

  function draw({ sight, second }, drawn, zoom) {
    state.sight = sight;
    const lights = lightsOf(page, sight);
    const shown = [
      [boxes.map, sight],
      [boxes.beside, second],
    ].filter(([box, one]) => one && !box.hidden);
    state.maps = shown.map(([box, one]) => {
      const { clientWidth: width, clientHeight: height } = box;
      const font = parseFloat(getComputedStyle(box).fontSize);
      return [box, { ...mapScene(page, one), width, height, font, zoom }];
    });
    drawMaps(lights);
    if (boxes.lines.hidden) return;
    const { rows, columns } = sight;
    lines.draw({ rows, columns, heads: drawn, theme: page.theme.get() }, lights, ends(lights));
  }

  function light() {
    const lights = lightsOf(page, state.sight);
    drawMaps(lights);
    if (!boxes.lines.hidden) lines.light(lights, ends(lights));
  }
  return { draw, light };
}

const tokensOf = ({ rowTokens, columnTokens }, { row, col }) => ({
  row: rowTokens[row][0],
  col: columnTokens[col][0],
});

const linesChoice = (page, sight, end, index) =>
  end === "row"
    ? { row: sight.rowTokens[index][0] }
    : { row: page.selection.get().row, col: sight.columnTokens[index][0] };

/** The token of a strip that an end of the lines stands for. */
function stripToken(page, sight, { end, index }) {
  const { kind, labels } = page.selection.get();
  const { rows, columns } = axes(page.record.get(), kind, labels);
  const [axis, tokens] = end === "row" ? [rows, sight.rowTokens] : [columns, sight.columnTokens];
  return { side: axis.side, index: stripIndex(axis, tokens[index][0]) };
}
