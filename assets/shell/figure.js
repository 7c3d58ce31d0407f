// A small Figure 1: encoder and decoder, with the part of the current view highlighted.

import { html, svg } from "../vendor/lit-html.js";

const [ENCODER, DECODER, LOOP] = [34, 86, 118]; // x of the lines
const [WIDE, TALL] = [40, 11]; // of a box

/** The boxes of each part: x and y of their middle, from top to bottom. */
const BOXES = [
  { part: "decoding", x: DECODER, y: 10 },
  { part: "layers", x: DECODER, y: 28 },
  { part: "layers", x: ENCODER, y: 46 },
  { part: "attention", x: DECODER, y: 46 },
  { part: "attention", x: ENCODER, y: 64 },
  { part: "masks", x: DECODER, y: 64 },
  { part: "positions", x: ENCODER, y: 86 },
  { part: "positions", x: DECODER, y: 86 },
];
const LINES = [
  `M${ENCODER} 100V40M${DECODER} 100V4`, // the upward flow
  `M${ENCODER} 40V36H60V46H${DECODER - WIDE / 2}`, // the encoder's output to the cross-attention
  `M${DECODER} 4H${LOOP}V96H${DECODER}`, // the output is read back
];

/** @param {string} part the highlighted one; "" for none */
export const figure = (part) => html`<svg viewBox="0 0 124 102">
  ${LINES.map((path) => svg`<path d=${path}></path>`)}
  ${BOXES.map(
    (box) => svg`<rect class=${box.part === part ? "hl-lit" : ""} rx="2.5" width=${WIDE}
      height=${TALL} x=${box.x - WIDE / 2} y=${box.y - TALL / 2}></rect>`,
  )}
</svg>`;
