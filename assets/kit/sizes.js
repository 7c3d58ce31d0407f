// Sizes of the boxes that a view's own template makes.

import { sizeOf } from "./chart.js";

/**
 * Gives {of, check}: `of(selector, height)` is the size for a chart in that box of the view;
 * `check()`, called when the template is drawn, draws again where a box came out otherwise.
 * @param {HTMLElement} el
 * @param {() => void} redraw
 */
export function createSizes(el, redraw) {
  /** @type {Map<string, number>} */
  const used = new Map(); // selector -> width it was drawn with
  return {
    /** @param {string} selector @param {number} height */
    of(selector, height) {
      const size = sizeOf(el.querySelector(selector), { height });
      used.set(selector, size.width);
      return size;
    },
    check() {
      const isOff = [...used].some(([selector, width]) => {
        const box = el.querySelector(selector);
        return box !== null && sizeOf(box).width !== width;
      });
      used.clear();
      if (isOff) redraw();
    },
  };
}
