// The shelf and the desk, drawn: what gets weight is pulled out, or looked at.

import { percentText } from "../../../assets/kit/numbers.js";
import { html, svg } from "../../../assets/vendor/lit-html.js";

const BOOK = { width: 74, gap: 14, height: 92, pull: 34 };
const THING = 88; // width

const names = (t, items, group, weights) =>
  items.map(({ name }, i) => `${t(`${group}.${name}`)} ${percentText(weights[i])}`).join("; ");

/** A book stands out of the shelf as far as its weight says. */
export function shelf(t, books, weights) {
  const { width, gap, height, pull } = BOOK;
  const whole = books.length * (width + gap) + gap;
  const bottom = pull + height;
  const book = ({ name }, i) => {
    const weight = weights[i];
    const place = `translate(${gap + i * (width + gap)} ${(pull * (1 - weight)).toFixed(2)})`;
    return svg`<g transform=${place}>
      <rect class="hl-library-spine" width=${width} height=${height} rx="3"></rect>
      <rect class="hl-library-share" y=${height * (1 - weight)} width=${width}
        height=${height * weight} rx="3"></rect>
      <rect class="hl-library-label" x="5" y="14" width=${width - 10} height="24" rx="2"></rect>
      <text x=${width / 2} y="30">${t(`short.${name}`)}</text>
      <text class="hl-library-percent" x=${width / 2} y="60">${percentText(weight)}</text></g>`;
  };
  return html`<svg class="hl-library-picture hl-library-shelf" viewBox="0 0 ${whole} ${bottom + 24}"
    role="img" aria-label=${names(t, books, "book", weights)}>
    ${books.map(book)}
    <path class="hl-library-board" d="M0 ${bottom + 2}h${whole}"></path>
  </svg>`;
}

const SHEET = "M26 20h36v44h-36z";
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

/** A thing is ringed as thick as the eye stays on it. */
export function desk(t, things, weights) {
  const thing = ({ name }, i) => svg`<g transform="translate(${i * THING} 14)">
    <circle class="hl-library-look" cx="44" cy="43" r="41"
      stroke-width=${(0.5 + 7 * weights[i]).toFixed(2)}
      stroke-opacity=${(0.25 + 0.75 * weights[i]).toFixed(3)}></circle>
    <g class="hl-library-thing hl-library-the-${name}">
      ${DRAWN[name].map((d) => svg`<path d=${d}></path>`)}</g>
    <text x="44" y="106">${t(`thing.${name}`)}</text>
    <text class="hl-library-percent" x="44" y="126">${percentText(weights[i])}</text></g>`;
  return html`<svg class="hl-library-picture hl-library-desk"
    viewBox="0 0 ${things.length * THING} 150" role="img"
    aria-label=${names(t, things, "thing", weights)}>${things.map(thing)}</svg>`;
}
