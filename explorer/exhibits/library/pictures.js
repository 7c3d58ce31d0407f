// Drawings of the shelf and the desk: things with weight are pulled out, or looked at.

import { percentText } from "../../../assets/kit/numbers.js";
import { html, svg } from "../../../assets/vendor/lit-html.js";

/** @typedef {{name: string}} Named a book or a thing: the end of the key of its words */
/** @typedef {(t: (key: string) => string, all: Named[], weights: number[],
 *   size: import("../../../assets/kit/exhibit.js").Size) => unknown} Picture */

// Shares of a book's width; how high it is, of the room; how far it comes out, of its height.
const BOOK = { gap: 0.18, letters: 0.155, high: 0.66, pull: 0.4 };
const LETTERS = { least: 12, most: 30 }; // px
const BOARD = 6; // px below the books
const THING = { width: 88, height: 136 };

/** For a screen reader: each thing and its weight.
 * @param {(key: string) => string} t @param {Named[]} items @param {"book"|"thing"} group
 * @param {number[]} weights */
const names = (t, items, group, weights) =>
  items.map(({ name }, i) => `${t(`${group}.${name}`)} ${percentText(weights[i])}`).join("; ");

const lettersOf = (/** @type {number} */ size) =>
  Math.max(LETTERS.least, Math.min(LETTERS.most, size));

/** A book is pulled out of the shelf in proportion to its weight. @type {Picture} */
export function shelf(t, books, weights, { width: whole, height: room }) {
  const width = whole / (books.length * (1 + BOOK.gap) + BOOK.gap);
  const letters = lettersOf(width * BOOK.letters);
  const bottom = room - BOARD;
  const height = bottom * BOOK.high;
  const pull = height * BOOK.pull;
  const book = (/** @type {Named} */ { name }, /** @type {number} */ i) => {
    const weight = weights[i];
    const x = width * (BOOK.gap + i * (1 + BOOK.gap));
    const label = { y: height * 0.12, high: letters * 2.2 };
    return svg`<g transform="translate(${x} ${bottom - height - pull * weight})">
      <rect class="hl-library-spine" width=${width} height=${height} rx="5"></rect>
      <rect class="hl-library-share" y=${height * (1 - weight)} width=${width}
        height=${height * weight} rx="5"></rect>
      <rect class="hl-library-label" x=${width * 0.05} y=${label.y} width=${width * 0.9}
        height=${label.high} rx="3"></rect>
      <text x=${width / 2} y=${label.y + label.high / 2}>${t(`short.${name}`)}</text>
      <text class="hl-library-percent" x=${width / 2} y=${-0.8 * letters}
        >${percentText(weight)}</text></g>`;
  };
  return html`<svg class="hl-library-picture hl-library-shelf" viewBox="0 0 ${whole} ${room}"
    style="font-size:${letters}px" role="img" aria-label=${names(t, books, "book", weights)}>
    ${books.map(book)}
    <path class="hl-library-board" d="M0 ${bottom + 2}h${whole}"></path>
  </svg>`;
}

const SHEET = "M26 20h36v44h-36z";
/** The lines of each thing. @type {Record<string, string[]>} */
const DRAWN = {
  cup: ["M28 26h28v28a8 8 0 0 1 -8 8h-12a8 8 0 0 1 -8 -8zM56 32h6a6 6 0 0 1 0 14h-6"],
  newspaper: ["M20 24h48v38h-48z", "M25 31h38M25 39h16M25 45h16M25 51h16M47 39h16v14h-16z"],
  paper: [SHEET, "M32 30h24M32 37h24M32 44h14"],
  notebook: [SHEET, "M32 20v44M22 28h8M22 36h8M22 44h8M22 52h8"],
  book: [
    "M44 26c-8 -5 -16 -5 -24 -3v38c8 -2 16 -2 24 3",
    "M44 26c8 -5 16 -5 24 -3v38c-8 -2 -16 -2 -24 3zv38",
  ],
};

/**
 * The ring around a thing is as thick as its weight. The number of things per row is chosen for the
 * largest drawing. @type {Picture}
 */
export function desk(t, things, weights, { width, height }) {
  const scales = things.map((_, i) =>
    Math.min(
      width / ((i + 1) * THING.width),
      height / (Math.ceil(things.length / (i + 1)) * THING.height),
    ),
  );
  const scale = Math.max(...scales);
  const columns = scales.indexOf(scale) + 1;
  const [wide, high] = [width / columns, height / Math.ceil(things.length / columns)];
  const place = (/** @type {number} */ i) => [
    ((i % columns) + 0.5) * wide,
    (Math.floor(i / columns) + 0.5) * high,
  ];
  const letters = lettersOf(12 * scale) / scale;
  const thing = (/** @type {Named} */ { name }, /** @type {number} */ i) => svg`<g
    transform="translate(${place(i)}) scale(${scale}) translate(-44 ${-THING.height / 2})">
    <circle class="hl-library-look" cx="44" cy="46" r="41"
      stroke-width=${(0.5 + 7 * weights[i]).toFixed(2)}
      stroke-opacity=${(0.25 + 0.75 * weights[i]).toFixed(3)}></circle>
    <g class="hl-library-thing hl-library-the-${name}" transform="translate(0 3)">
      ${DRAWN[name].map((d) => svg`<path d=${d}></path>`)}</g>
    <text x="44" y="104">${t(`thing.${name}`)}</text>
    <text class="hl-library-percent" x="44" y="124">${percentText(weights[i])}</text></g>`;
  return html`<svg class="hl-library-picture hl-library-desk" viewBox="0 0 ${width} ${height}"
    style="font-size:${letters}px" role="img"
    aria-label=${names(t, things, "thing", weights)}>${things.map(thing)}</svg>`;
}
