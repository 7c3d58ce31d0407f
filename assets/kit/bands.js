// Bars over tokens, in bands below one another: a column for each token, a band for each series,
// so that one token can be compared down a column.

import { nothing, svg } from "../vendor/lit-html.js";
import { lineOf, textWidth } from "./heatplan.js";
import { tokenHead } from "./tokenhead.js";

const WIDEST = 4.5; // em of a bar
const NAME = 1.9; // em of the line at a band's head
const VALUE = 1.5; // em of the texts below the bars
const LOW = 6; // em of a band whose only text stands in its head, so that the bars have its line

/**
 * @typedef {object} Band
 * @property {string} value the first text in its heading
 * @property {string} name
 * @property {string} [note] after the name, if there is room
 * @property {number[]} heights of the bars, 0 to 1
 * @property {string[]} texts of the bars
 * @property {number[]} [marks] heights of reference lines across the bars
 */

/**
 * @param {{name: string, labels: import("./tokenhead.js").Label[], bands: Band[], chosen: number,
 *   onChoose: (column: number) => void}} given
 * @param {{width: number, height: number, em: number}} size
 */
export function bands({ name, labels, bands: all, chosen, onChoose }, { width, height, em }) {
  const head = tokenHead(labels, width, em);
  const spacing = head.width / labels.length;
  const tall = (height - head.height) / all.length;
  const longest = Math.max(...all.flatMap(({ texts }) => texts.map(textWidth)));
  const hasTexts = spacing >= (longest + 0.4) * em;
  const bar = Math.min(WIDEST * em, 0.7 * spacing);
  const isLow = !hasTexts && tall < LOW * em;
  const token = lineOf(labels[chosen]);
  /** @type {Plan} */
  const plan = { width, em, spacing, tall, chosen, token, bar, hasTexts, isLow };
  return svg`<svg class="hl-bands" width=${width} height=${height} viewBox="0 0 ${width} ${height}"
    role="img" aria-label=${name}>
    <rect class="hl-bands-chosen" x=${chosen * spacing} y="0" width=${spacing}
      height=${height}></rect>
    ${head.draw({ chosen })}
    ${all.map((band, i) => bandOf(band, head.height + i * tall, plan))}
    ${labels.map(
      (_, i) => svg`<rect class="hl-bands-column" data-at=${i} x=${i * spacing} y="0"
        width=${spacing} height=${height} @click=${() => onChoose(i)}></rect>`,
    )}
  </svg>`;
}

/** The middle of a text below a bar, kept inside the drawing.
 * @param {number} middle of the bar @param {number} wide the text @param {number} width */
export const insideOf = (middle, wide, width) =>
  Math.max(wide / 2, Math.min(width - wide / 2, middle));

/**
 * The room of a band and of its bars.
 * @typedef {{width: number, em: number, spacing: number, tall: number, chosen: number,
 *   token: string, bar: number, hasTexts: boolean, isLow: boolean}} Plan
 */

/** One band: its head, its floor, its bars. @param {Band} band */
function bandOf(
  band,
  /** @type {number} */ top,
  /** @type {Plan} */ { width, em, spacing, tall, chosen, token, bar, hasTexts, isLow },
) {
  const { value, name, note = "", heights, texts, marks } = band;
  const below = isLow ? 0.3 : VALUE;
  const floor = top + tall - below * em;
  const most = Math.max(2, tall - (NAME + below) * em);
  const said = isLow ? `${token} ${texts[chosen]}` : "";
  const isRoomy =
    textWidth(value) * 1.3 + textWidth(`${name}${note}`) + textWidth(said) + 2 < width / em;
  return svg`<g class="hl-band">
    <text y=${top + 1.35 * em}><tspan class="hl-band-value">${value}</tspan>
      <tspan dx="0.4em">${name}</tspan>
      <tspan class="hl-band-note" dx="0.6em">${isRoomy ? note : ""}</tspan></text>
    <path d="M0 ${floor}h${spacing * heights.length}"></path>
    ${heights.map((share, i) => {
      const middle = (i + 0.5) * spacing;
      const here = i === chosen ? "hl-here" : "";
      const text = hasTexts || (here && !isLow) ? texts[i] : "";
      const mark = marks && `M${middle - bar / 2 - 3} ${floor - marks[i] * most}h${bar + 6}`;
      return svg`<rect class=${here} x=${middle - bar / 2} y=${floor - share * most}
          width=${bar} height=${share * most}></rect>
        ${mark ? svg`<path class="hl-band-mark" d=${mark}></path>` : nothing}
        <text class=${here} x=${insideOf(middle, textWidth(text) * em, width)}
          y=${floor + 1.1 * em} text-anchor="middle">${text}</text>`;
    })}
    ${isLow ? svg`<text class="hl-here" x=${width} y=${top + 1.35 * em} text-anchor="end">${said}</text>` : nothing}
  </g>`;
}
