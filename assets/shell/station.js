// The small Figure 1 of the menu: for each part of the model the piece of the figure that it is.
// The pieces stand one above the other and make the whole.

import { html, svg } from "../vendor/lit-html.js";

const [ENCODER, DECODER, TRUNK, LOOP] = [18, 56, 37, 80]; // x of the lines
const TALL = 26; // the height of a piece
const box = (/** @type {number} */ x, y = 6) =>
  svg`<rect x=${x - 14} y=${y} width="28" height=${TALL - 2 * y} rx="2"></rect>`;
const line = (/** @type {string} */ path) => svg`<path d=${path}></path>`;
const through = (/** @type {number} */ x) => line(`M${x} 0V${TALL}`);
const past = (/** @type {number} */ x) => line(`M${x} 0V6M${x} 20V${TALL}`);

/** @type {Record<string, () => unknown[]>} */
const PIECES = {
  decoding: () => [
    line(`M${DECODER} 20V${TALL}M${DECODER + 14} 13H${LOOP}V${TALL}`),
    box(DECODER),
    ...[10, 6, 3].map(
      (height, i) =>
        svg`<rect class="hl-solid" x=${DECODER - 9 + 7 * i} y=${18 - height} width="4"
          height=${height}></rect>`,
    ),
  ],
  layers: () => [
    past(DECODER),
    through(LOOP),
    line(`M${ENCODER} 20V${TALL}M${ENCODER} 6V2H${TRUNK}V${TALL}`),
    box(ENCODER),
    box(DECODER),
  ],
  attention: () => [
    past(ENCODER),
    past(DECODER),
    through(LOOP),
    line(`M${TRUNK} 0V13H${DECODER - 14}M${DECODER - 18} 10l3.5 3l-3.5 3`),
    box(ENCODER),
    box(DECODER),
  ],
  masks: () => [
    through(ENCODER),
    past(DECODER),
    through(LOOP),
    box(DECODER),
    svg`<path class="hl-solid" d="M${DECODER - 9} 18V9L${DECODER + 9} 18z"></path>`,
  ],
  positions: () => [
    line(`M${ENCODER} 0V6M${DECODER} 0V6M${LOOP} 0V13H${DECODER + 14}`),
    line(`M${DECODER + 18} 10l-3.5 3l3.5 3`),
    box(ENCODER),
    box(DECODER),
    ...[ENCODER, DECODER].map((x) => line(`M${x - 9} 13q4.5 -7 9 0t9 0`)),
  ],
};

/** The parts that the figure shows, from its top to its bottom. */
export const DRAWN = Object.keys(PIECES);

/** The piece of the figure that a part is. @param {string} group */
export const piece = (group) =>
  html`<svg class="hl-piece" viewBox="0 0 86 ${TALL}" aria-hidden="true">${PIECES[group]()}</svg>`;
