// Curves over two axes, drawn as SVG; "enlarge" opens the same curves as a Plotly figure (zoom,
// hover, PNG, SVG), and the numbers can be downloaded.

import { html, nothing, svg } from "../vendor/lit-html.js";
import { downloads } from "./download.js";
import { enlarge } from "./enlarge.js";
import { textWidth } from "./heatplan.js";

const MAX_TICKS = 7;
const TICK = 4.5; // em from one number on the x axis to the next, at least
const LEAST = 8; // em of a drawing's height
const FOOT = { least: 2.4, line: 1.6, sign: 3.8, button: 6 }; // em of the legend below a plot
const EDGE = { left: 3.8, right: 1, top: 0.9, bottom: 3 }; // em, at the left at least
const BESIDE = { name: 1.6, gap: 0.4 }; // em of the y axis' name, and right of its numbers

/**
 * @typedef {object} Axis
 * @property {number} from
 * @property {number} to
 * @property {string} name
 * @property {boolean} [log]
 * @property {(value: number) => string} [text] writes a tick
 * @property {number[]} [ticks]
 */

/**
 * @typedef {object} Line
 * @property {number[][]} points x and y of each
 * @property {number|"dots"} look 1 to 6; the caller's styles define 5 and 6
 * @property {string} name for the legend and the files
 */

/** @typedef {{x?: number, y?: number, name?: string, quiet?: boolean}} Mark a thin line across */

/**
 * @typedef {object} Chart
 * @property {string} name what the chart shows, for screen readers
 * @property {Axis} x
 * @property {Axis} y
 * @property {Line[]} lines
 * @property {Mark[]} [marks]
 * @property {string} [file] part of the names of downloaded files; "chart" by default
 * @property {boolean} [legend] false: the caller names the lines itself
 * @property {(place: Place) => unknown} [over] more SVG above the lines
 * @property {(x: number, event: PointerEvent) => void} [onPoint] the pointer is at this x, or
 * pressed
 * @property {() => (string|number|null)[][]} [rows] of the CSV, if it has more than the lines
 */

/** @typedef {{x: (value: number) => number, y: (value: number) => number, left: number,
 *   top: number, width: number, height: number, em: number}} Place from values to px */

/**
 * The chart in an element of the given size (px): drawing, legend, enlarge and downloads.
 * A view measures its element once it exists, and renders again when its size changes (liveView).
 * @param {import("./types.js").Page} page
 * @param {Chart} chart
 * @param {{width: number, height: number, em: number}} size
 */
export function chart(page, chart, size) {
  const { lines, legend: hasLegend = true } = chart;
  const names = lines.filter(({ name }) => name !== "");
  const point = (/** @type {any} */ event) => pointed(chart, size, event);
  return html`<figure class="hl-chart" @pointermove=${point} @pointerdown=${point}>
    ${drawing(chart, size)}
    <figcaption>
      ${hasLegend && names.length > 1 ? legend(names) : nothing}
      <div class="hl-chart-tools">
        ${enlargeButton(page, chart)}
        ${downloads(page, chart.file ?? "chart", { csv: chart.rows ?? (() => rowsOf(chart)) })}
      </div>
    </figcaption>
  </figure>`;
}

/**
 * The chart as the picture of a declared view: it fills the available room.
 * @param {import("./types.js").Page} page
 * @param {{width: number, height: number, em: number}} size
 * @param {Chart} chart
 */
export function plot(page, { width, height, em }, chart) {
  const names = chart.lines.filter(({ name }) => name !== "");
  const foot = footOf(chart.legend === false ? [] : names, width / em) * em;
  const inner = { width, height: Math.max(LEAST * em, height - foot), em };
  const point = (/** @type {any} */ event) => pointed(chart, inner, event);
  return html`<figure class="hl-chart" @pointermove=${point} @pointerdown=${point}>
    ${drawing(chart, inner)}
    <figcaption class="hl-plot-foot">
      ${names.length > 1 && chart.legend !== false ? legend(names) : nothing}
      ${enlargeButton(page, chart)}
    </figcaption>
  </figure>`;
}

/** The height in em of a legend below a plot of `width` em, with its names in lines.
 * @param {Pick<Line, "name">[]} names @param {number} width */
export function footOf(names, width) {
  let [lines, x] = [1, 0];
  for (const { name } of names) {
    const own = FOOT.sign + textWidth(name);
    if (x > 0 && x + own > width - FOOT.button) [lines, x] = [lines + 1, 0];
    x += own;
    if (x > width - FOOT.button) lines += 1; // a name longer than its line
  }
  return Math.max(FOOT.least, lines * FOOT.line);
}

/** True in a file, which has no library for large charts. */
const isAlone = (/** @type {import("./types.js").Page} */ { shared }) =>
  Boolean(shared.saved || shared.published?.alone);

const enlargeButton = (/** @type {import("./types.js").Page} */ page, /** @type {Chart} */ chart) =>
  html`<button type="button" class="hl-enlarge" ?disabled=${isAlone(page)}
    title=${isAlone(page) ? page.t("saved.enlarge") : nothing}
    @click=${() => enlarge(page, chart)}>${page.t("chart.enlarge")}</button>`;

/** Calls `onPoint` with the x value under the pointer, if that is on the drawing.
 * @param {Chart} chart @param {{width: number, height: number, em: number}} size */
function pointed({ x, y, onPoint }, { width, height, em }, /** @type {any} */ event) {
  const drawing = event.target.closest(".hl-plot");
  if (drawing === null || onPoint === undefined) return;
  const place = placed(x, y, width, height, em);
  const at = (event.clientX - drawing.getBoundingClientRect().left - place.left) / place.width;
  const share = Math.max(0, Math.min(1, at));
  onPoint(x.log ? x.from * (x.to / x.from) ** share : x.from + (x.to - x.from) * share, event);
}

/** @param {Chart} chart @param {{width: number, height: number, em: number}} size */
export function drawing({ name, x, y, lines, marks = [], over }, { width, height, em }) {
  const place = placed(x, y, width, height, em);
  const { left, top } = place;
  return svg`<svg class="hl-plot" width=${width} height=${height} viewBox="0 0 ${width} ${height}"
    role="img" aria-label=${name}>
    ${ticksOf(x, Math.max(2, Math.min(MAX_TICKS, Math.floor(place.width / (TICK * em))))).map(
      (value) =>
        tickOf(write(x, value), place.x(value), top + place.height + 1.2 * em, {
          width,
          em,
        }),
    )}
    ${ticksOf(y).map(
      (value) => svg`
      <path class="hl-plot-grid" d="M${left} ${place.y(value)}h${place.width}"></path>
      <text class="hl-plot-tick" text-anchor="end"
        x=${left - BESIDE.gap * em} y=${place.y(value) + 0.33 * em}>${write(y, value)}</text>`,
    )}
    <path class="hl-plot-axis" d="M${left} ${top}v${place.height}h${place.width}"></path>
    <text class="hl-plot-name" text-anchor="middle"
      x=${left + place.width / 2} y=${height - 0.4 * em}>${x.name}</text>
    <text class="hl-plot-name" text-anchor="middle"
      transform="translate(${0.9 * em} ${top + place.height / 2}) rotate(-90)">${y.name}</text>
    ${marks.map((mark, i) => markOf(mark, place, hasRoom(marks, i, place)))}
    ${lines.map((line) => lineOf(line, x, y, place))}
    ${over ? over(place) : nothing}
  </svg>`;
}

/**
 * A number on the x axis; the last one ends with the drawing.
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {{width: number, em: number}} size
 */
function tickOf(text, x, y, { width, em }) {
  const isLast = x + (textWidth(text) * em) / 2 > width;
  return svg`<text class="hl-plot-tick" text-anchor=${isLast ? "end" : "middle"}
    x=${isLast ? width : x} y=${y}>${text}</text>`;
}

/** @returns {Place} */
function placed(
  /** @type {Axis} */ x,
  /** @type {Axis} */ y,
  /** @type {number} */ width,
  /** @type {number} */ height,
  /** @type {number} */ em,
) {
  const numbers = Math.max(0, ...ticksOf(y).map((value) => textWidth(write(y, value))));
  const left = Math.max(EDGE.left, BESIDE.name + numbers + BESIDE.gap) * em;
  const top = EDGE.top * em;
  const inner = { width: width - left - EDGE.right * em, height: height - top - EDGE.bottom * em };
  return {
    x: (value) => left + share(x, value) * inner.width,
    y: (value) => top + (1 - share(y, value)) * inner.height,
    left,
    top,
    em,
    ...inner,
  };
}

/** Maps a value to its place between 0 and 1. @param {Axis} axis @param {number} value */
export function share({ from, to, log }, value) {
  if (log) return Math.log(value / from) / Math.log(to / from);
  return (value - from) / (to - from);
}

/** Round numbers, about `most`: powers of ten on a logarithmic axis, else steps of 1, 2 or 5 times one.
 * @param {Axis} axis @returns {number[]} */
export function ticksOf({ from, to, log, ticks }, most = MAX_TICKS) {
  if (ticks) return ticks;
  if (log) return powers(from, to, most);
  const rough = (to - from) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const first = (/** @type {number} */ step) => Math.ceil(from / step - 1e-9);
  const count = (/** @type {number} */ step) => Math.floor(to / step + 1e-9) - first(step) + 1;
  const steps = [1, 2, 5, 10].map((one) => one * power);
  const step = steps.find((one) => one >= rough || count(one) <= most) ?? 10 * power;
  return Array.from({ length: count(step) }, (_, i) => (first(step) + i) * step);
}

function powers(/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ most) {
  const [low, high] = [Math.ceil(Math.log10(from) - 1e-9), Math.floor(Math.log10(to) + 1e-9)];
  const every = Math.ceil((high - low + 1) / most);
  return Array.from({ length: high - low + 1 }, (_, i) => low + i)
    .filter((power) => (power - low) % every === 0)
    .map((power) => 10 ** power);
}

const write = (/** @type {Axis} */ axis, /** @type {number} */ value) =>
  (axis.text ?? ((one) => String(Number(one.toPrecision(6))).replace("-", "−")))(value);

/** The start and end of a vertical mark's name; near the end it is before its line. */
function spanOf(/** @type {Mark} */ { x = 0, name = "" }, /** @type {Place} */ place) {
  const width = (textWidth(name) + 0.4) * place.em;
  const isLate = place.x(x) > place.left + place.width * 0.7;
  return { from: place.x(x) - (isLate ? width : 0), to: place.x(x) + (isLate ? 0 : width), isLate };
}

/** True if no later name overlaps a mark's name. @param {Mark[]} marks */
const hasRoom = (marks, /** @type {number} */ i, /** @type {Place} */ place) =>
  marks.slice(i + 1).every((other) => {
    if (!other.name || other.x === undefined || marks[i].x === undefined) return true;
    const [own, its] = [marks[i], other].map((mark) => spanOf(mark, place));
    return own.to <= its.from || its.to <= own.from;
  });

function markOf(
  /** @type {Mark} */ { x, y, name = "", quiet },
  /** @type {Place} */ place,
  /** @type {boolean} */ isNamed,
) {
  const { left, top, width, height, em } = place;
  const isUpright = x !== undefined;
  const isLate = isUpright && spanOf({ x }, place).isLate;
  const [atX, atY] = isUpright ? [place.x(x), top] : [left, place.y(y ?? 0)];
  const path = isUpright ? `M${atX} ${atY}v${height}` : `M${atX} ${atY}h${width}`;
  return svg`<path class="hl-plot-mark ${quiet ? "hl-quiet" : ""}" d=${path}></path>
    <text class="hl-plot-name" text-anchor=${isLate ? "end" : "start"}
      x=${atX + (isLate ? -0.4 : 0.4) * em}
        y=${atY + (isUpright ? 0.6 : -0.4) * em}>${isNamed ? name : ""}</text>`;
}

const within = (/** @type {Axis} */ { from, to }, /** @type {number} */ value) =>
  value >= from && value <= to;

function lineOf(
  /** @type {Line} */ { points, look },
  /** @type {Axis} */ x,
  /** @type {Axis} */ y,
  /** @type {Place} */ place,
) {
  const shown = points.filter(([a, b]) => within(x, a) && within(y, b));
  if (look === "dots") {
    return shown.map(
      ([a, b]) => svg`<circle class="hl-plot-dot" r="3.5" cx=${place.x(a)}
      cy=${place.y(b)}></circle>`,
    );
  }
  const path = shown
    .map(([a, b], i) => `${i ? "L" : "M"}${place.x(a).toFixed(1)} ${place.y(b).toFixed(1)}`)
    .join("");
  return svg`<path class="hl-plot-line hl-line-${look}" d=${path}></path>`;
}

/**
 * The legend: a piece of each line beside its name. @param {Pick<Line, "look"|"name">[]} lines
 */
export const legend = (lines) => html`<ul class="hl-plot-legend">
  ${lines.map(
    ({ look, name }) => html`<li><svg width="2.2em" height="0.8em" viewBox="0 0 30 10"
      aria-hidden="true">${
        look === "dots"
          ? svg`<circle class="hl-plot-dot" cx="15" cy="5" r="3.5"></circle>`
          : svg`<path class="hl-plot-line hl-line-${look}" d="M0 5h30"></path>`
      }</svg>${name}</li>`,
  )}
</ul>`;

/** A row for each point: line, x, y. @param {Chart} chart */
export const rowsOf = ({ x, y, lines }) => [
  ["", x.name, y.name],
  ...lines.flatMap(({ name, points }) => points.map(([a, b]) => [name, a, b])),
];
