// Every text: a column for each letter; the height of a cell is its prefix's probability.

import { textWidth } from "../../../assets/kit/heatplan.js";
import { nothing, svg } from "../../../assets/vendor/lit-html.js";
import { shortText } from "./sums.js";
import { arrowHead, frame, LETTER, widthOfText } from "./tree.js";

/** @typedef {import("./tree.js").Drawn} Drawn */
/** @typedef {import("./sums.js").Beginning} Beginning */
/** A cell's room and its letters, px. @typedef {{wide: number, tall: number, letter: number}} Room */

const LEAST = 12; // px of letters
const FRAMED = 4; // px of a cell that is tall enough for a border

/**
 * @param {Drawn} scene @param {Beginning[][]} texts
 * @param {{width: number, height: number, em: number}} size
 */
export function mosaic(scene, texts, { width, height, em }) {
  const wide = width / texts.length;
  const fates = new Map(scene.columns.flat().map(({ text, fate }) => [text, fate]));
  const letter = Math.max(LEAST, Math.min(LETTER * em, wide / 6));
  return svg`<g class="hl-toy-mosaic" role="img" aria-label=${scene.t("all.picture")}>
    ${texts.flatMap((column, step) =>
      column.map((one) => {
        const tall = one.probability * height;
        const fate = fates.get(one.text) ?? "unseen";
        return svg`<g class="hl-toy-cell hl-toy-${fate} ${tall < FRAMED ? "hl-toy-thin" : ""} ${
          scene.pointed?.startsWith(one.text) ? "hl-toy-lit" : ""
        }" transform="translate(${step * wide} ${one.from * height})" data-text=${one.text}
          data-fate=${fate} @pointerenter=${() => scene.onPoint(one.text)}
          @click=${() => scene.onPoint(one.text)}>
          ${frame(tall < 3 * FRAMED ? "" : fate, wide, tall, 2)}
          ${tall >= 1.1 * letter ? lettered(scene, one, { wide, tall, letter }) : nothing}
          ${signs(scene, one, { tall, letter, isLast: step === texts.length - 1 })}
        </g>`;
      }),
    )}
  </g>`;
}

/** The text, and its probability if that fits.
 * @param {Drawn} scene @param {Beginning} beginning @param {Room} room */
function lettered({ marks }, { text, probability }, { wide, tall, letter }) {
  const y = tall / 2 + 0.36 * letter;
  const share = shortText(probability);
  const left = 0.9 * letter;
  const star = marks.best === text ? 1.3 * letter : 0;
  const own = widthOfText(text) * letter;
  const hasShare = left + own + star + (textWidth(share) + 0.6) * letter < wide;
  return svg`<text class="hl-toy-text" x=${left} y=${y} font-size=${letter}>${text}</text>
    ${
      hasShare
        ? svg`<text x=${wide - 0.4 * letter} y=${y} text-anchor="end"
            font-size=${letter}>${share}</text>`
        : nothing
    }`;
}

/** A star behind the best of all texts, an arrow before that of greedy search.
 * @param {Drawn} scene @param {Beginning} beginning
 * @param {Omit<Room, "wide"> & {isLast: boolean}} room */
function signs({ marks }, { text }, { tall, letter, isLast }) {
  if (!isLast) return nothing;
  const star = 0.9 * letter + (widthOfText(text) + 0.15) * letter;
  return svg`${
    text === marks.best
      ? svg`<text class="hl-toy-best" x=${star} y=${tall / 2 + 0.36 * letter}
          font-size=${letter}>★</text>`
      : nothing
  }${
    text === marks.greedy
      ? svg`<g transform="translate(${0.75 * letter} ${tall / 2})">${arrowHead(letter)}</g>`
      : nothing
  }`;
}
