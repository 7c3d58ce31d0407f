// Tokens above a drawing's columns: flat if they fit, else slanted; if even that does not fit,
// every n-th of them and the chosen one.

import { nothing, svg } from "../vendor/lit-html.js";
import { GLOSS_LINE, glossOf, glossText } from "./gloss.js";
import { ACROSS, lineOf, RADIANS, SLANT, shortLine, textWidth, written } from "./heatplan.js";

const MOST_OVER = 0.2; // of the drawing's width: what a slanted label may take beside its column

/** @typedef {Pick<import("./types.js").Label, "text"|"kind"|"line"|"gloss">} Label */

/**
 * The labels of `width` px: their height, the width left for the columns below them, and a function
 * that draws them.
 * @param {Label[]} labels
 * @param {number} width
 * @param {number} em
 */
export function tokenHead(labels, width, em) {
  const widest = (/** @type {(label: Label) => string} */ of) =>
    Math.max(...labels.map((label) => textWidth(of(label)))) * em;
  const isWhole = widest(lineOf) + 0.4 * em <= width / labels.length;
  const longest = widest(shortLine);
  const isSlanted = longest + 0.4 * em > width / labels.length;
  const over = isSlanted ? Math.min(MOST_OVER * width, longest * Math.cos(RADIANS)) : 0;
  const below = !isSlanted && labels.some((label) => glossOf(label) !== "") ? GLOSS_LINE * 0.8 : 0;
  const height = isSlanted ? longest * Math.sin(RADIANS) + 1.1 * em : (1.7 + below) * em;
  const spacing = (width - over) / labels.length;
  const place = (/** @type {number} */ x, /** @type {number} */ y) =>
    isSlanted
      ? { turn: `translate(${x + 0.2 * em} ${y}) rotate(${-SLANT})`, anchor: "start" }
      : { turn: `translate(${x} ${y})`, anchor: "middle" };
  const draw = ({ left = 0, top = 0, chosen = /** @type {number|null} */ (null) }) =>
    written(labels.length, spacing, (isSlanted ? ACROSS : 1.1) * em, [chosen]).map((i) => {
      const x = left + (i + 0.5) * spacing;
      const { turn, anchor } = place(x, top + height - (0.5 + below) * em);
      const about = { x, y: top + height - 0.75 * em, em, room: spacing - 2 };
      return svg`${below > 0 ? glossText(labels[i], about) : nothing}
      <text class="hl-head hl-${labels[i].kind} ${i === chosen ? "hl-here" : ""}"
        transform=${turn} text-anchor=${anchor}>${
          isWhole ? lineOf(labels[i]) : shortLine(labels[i])
        }</text>`;
    });
  return { height, width: width - over, draw };
}
