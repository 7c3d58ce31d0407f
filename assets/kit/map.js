// A map of numbers, the same from 3 x 3 cells to 128 x 128: cells on a canvas, labels and marks in
// SVG around and above it. Rows read, columns are read. NaN is a cell that may not be read:
// hatched. A map that does not fit scrolls below its labels, with a faded edge where it continues.

import { html, nothing, ref, repeat, svg } from "../vendor/lit-html.js";
import { colourOf, inkOn } from "./colour.js";
import { arrow, inSight, whenChanged } from "./elements.js";
import { glossText, hasRoomForGloss } from "./gloss.js";
import { layOut, lineOf, shortLine, textWidth, written } from "./heatplan.js";
import { drawCells } from "./pixels.js";

/** @typedef {import("./types.js").Label} Label */
/**
 * @typedef {{text: string, kind: Label["kind"]|"number", line?: string, gloss?: Label["gloss"]}} Name
 *   of a row or a column
 */
/** @typedef {{row: number, col: number}} Cell */
/** @typedef {{row: number|null, col: number|null}} Place a row, a column, or a cell */

/**
 * @typedef {object} MapScene
 * @property {ArrayLike<number>} cells row by row; NaN where masked
 * @property {number} queries
 * @property {number} keys
 * @property {Name[]} rows
 * @property {Name[]} columns
 * @property {any[]} ramp
 * @property {string} name
 * @property {number} width px to fill
 * @property {number} [height] px that it must fit into
 * @property {number} font px of an em
 * @property {boolean} [large] the main picture, not one of several: wide cells, long labels
 * @property {boolean} [fine] cells of any size, so that all are always visible: a table of numbers
 * @property {number} [largest] em of a cell's side
 * @property {number} [side] px of it, whatever has room
 * @property {number} [zoom]
 * @property {boolean} [bare] without labels at the left
 * @property {boolean} [told] of a small map: with room at the left for the gloss of a marked row
 * @property {{rows: Name[], columns: Name[]}} [room] labels of all maps in line with it
 * @property {(value: number) => number} [along] the place of a number on the ramp
 * @property {Uint8Array|null} [strong] 1 for a cell that is not faded
 * @property {((value: number, i: number) => string)|null} [text] of a cell
 * @property {(Cell & {own?: string})[]} [marks] framed cells: painted, or as `own` says
 * @property {Place|null} [chosen] its row is marked, and the cell; arrow keys move it
 * @property {Place|null} [lit] the cell under the pointer: marked with its row and column
 */

/**
 * @typedef {object} Hands
 * @property {(cell: Cell|null) => void} [onPoint]
 * @property {(cell: Cell) => void} [onChoose]
 * @property {boolean} [isDragged] true if dragging the pointer chooses
 * @property {string} [describedBy] the id of the element that describes the cell in words
 */

const MOST_NUMBERS = 400; // cells; more would be a wall of digits
const [NAME_GAP, DOT_GAP] = [0.5, 0.1]; // em from the cells to a label, and to a dot in its place
const TOLD = 1.5; // em of a label and the gloss below it
const LINED = 8; // px of a cell's side from which lines are drawn between cells

/** The current cell of a map: keys may be pressed faster than frames are drawn.
 * @type {WeakMap<Element, Place|null>} */
const looked = new WeakMap();

/** The contents of each canvas. @type {WeakMap<Element, (...values: any[]) => boolean>} */
const onCanvas = new WeakMap();

/** @typedef {ReturnType<typeof layOut>} Plan */
/** An event of the field. @typedef {Event & {currentTarget: HTMLElement}} Aimed */
/** @typedef {PointerEvent & Aimed} Pressed */

/** The map as a template. @param {MapScene} scene @param {Hands} [hands] */
export function matrix(scene, hands = {}) {
  const plan = layOut(scene);
  const { width, height, left, top, right } = plan;
  const [wide, high] = [width * scene.keys, height * scene.queries];
  const size = `width:${wide}px;height:${high}px`;
  const [chosen, lit] = [inside(scene, scene.chosen), inside(scene, scene.lit)];
  const [only = null, ...others] = scene.marks ?? [];
  const marked = [chosen, lit, ...(only && others.length === 0 ? [only] : [])];
  const on = listeners(scene, plan, hands);
  const lined = Math.min(width, height) >= LINED ? "hl-lined" : "";
  const most = `max-width:${scene.width}px;max-height:${scene.height ?? "none"}px`;
  return html`<div class="hl-matrix" style=${most} @scroll=${(/** @type {any} */ event) => fade(event.target)}
      ${ref((box) => box && requestAnimationFrame(() => fade(box)))}>
    <div class="hl-grid" style="grid-template:${top}px ${high}px / ${left}px ${wide + right}px;
        font-size:${plan.letter}px">
      <div class="hl-nook"></div>
      <svg class="hl-columns" aria-hidden="true">${columnNames(
        scene,
        plan,
        marked.map(({ col }) => col),
      )}</svg>
      <svg class="hl-rows" aria-hidden="true">${
        scene.bare
          ? nothing
          : rowNames(
              scene,
              plan,
              marked.map(({ row }) => row),
            )
      }</svg>
      <div class="hl-field hl-hatched ${lined}" tabindex="0" role="application"
        style="${size};--cell:${width}px ${height}px" aria-label=${scene.name}
        aria-describedby=${hands.describedBy ?? nothing}
        @pointermove=${on.move} @pointerleave=${on.leave} @click=${on.click} @focus=${on.focus}
        @keydown=${on.keydown} ${ref((field) => field && looked.set(field, start(scene)))}>
        <canvas class="hl-cells" style=${size} ${ref((canvas) => paint(canvas, scene))}></canvas>
        <svg class="hl-marks" style=${size} aria-hidden="true">
          <g>${numbers(scene, plan)}</g><g>${outlines(scene, plan, chosen, lit)}</g></svg>
      </div>
    </div>
  </div>`;
}

/** The starting cell for the arrow keys. @param {MapScene} scene */
const start = ({ chosen, lit }) => chosen ?? lit ?? null;

/** @param {MapScene} scene @param {Place|null} [place] @returns {Place} */
function inside({ queries, keys }, place) {
  const { row = null, col = null } = place ?? {};
  return {
    row: row !== null && row < queries ? row : null,
    col: col !== null && col < keys ? col : null,
  };
}

/** Marks the edges at which the map continues. @param {any} box */
function fade(box) {
  const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = box;
  const isBelow = scrollTop + clientHeight < scrollHeight - 2;
  const isRight = scrollLeft + clientWidth < scrollWidth - 2;
  box.classList.toggle("hl-more-below", isBelow);
  box.classList.toggle("hl-more-right", isRight);
}

/** @param {any} canvas @param {MapScene} scene */
function paint(canvas, scene) {
  if (canvas === undefined) return;
  const { cells, ramp, along, strong, queries, keys } = scene;
  if (!onCanvas.has(canvas)) onCanvas.set(canvas, whenChanged());
  if (!onCanvas.get(canvas)?.(cells, ramp, along, strong, queries, keys)) return;
  drawCells(canvas, { cells, along, strong, rows: queries, columns: keys }, ramp);
}

/** Handles the pointer and the arrow keys.
 * @param {MapScene} scene @param {Plan} plan @param {Hands} hands */
function listeners(scene, plan, hands) {
  const { onPoint, onChoose, isDragged } = hands;
  const { queries, keys } = scene;
  const within = (/** @type {number} */ at, /** @type {number} */ count) =>
    Math.max(0, Math.min(count - 1, at));
  const cellAt = (/** @type {Pressed} */ { currentTarget, clientX, clientY }) => {
    const box = currentTarget.getBoundingClientRect();
    const row = within(Math.floor(((clientY - box.top) / box.height) * queries), queries);
    return { row, col: within(Math.floor(((clientX - box.left) / box.width) * keys), keys) };
  };
  const isSame = (/** @type {Place|null} */ one, /** @type {Place|null} */ other) =>
    one?.row === other?.row && one?.col === other?.col;
  function point(/** @type {Aimed} */ { currentTarget: field }, /** @type {Cell|null} */ cell) {
    const last = scene.chosen ? scene.lit : looked.get(field);
    if (isSame(cell, last ?? null)) return;
    if (!scene.chosen) looked.set(field, cell);
    onPoint?.(cell);
  }
  return {
    move(/** @type {Pressed} */ event) {
      if (isDragged && event.buttons === 1) onChoose?.(cellAt(event));
      else if (event.pointerType !== "touch") point(event, cellAt(event));
    },
    leave: (/** @type {Pressed} */ event) => point(event, null),
    click(/** @type {Pressed} */ event) {
      point(event, cellAt(event));
      onChoose?.(cellAt(event));
    },
    focus(/** @type {Aimed} */ event) {
      const { currentTarget: field } = event;
      const isFirst = (looked.get(field) ?? null) === null;
      if (isFirst && field.matches(":focus-visible")) point(event, { row: 0, col: 0 });
    },
    keydown(/** @type {KeyboardEvent & Aimed} */ event) {
      const { row, col } = looked.get(event.currentTarget) ?? { row: 0, col: 0 };
      const step = arrow(event);
      if (step === null && !(onChoose && (event.key === "Enter" || event.key === " "))) return;
      event.preventDefault();
      if (step === null) return onChoose?.({ row: row ?? 0, col: col ?? 0 });
      const column = col === null ? 0 : col + step.columns; // a row alone: at first its first cell
      const cell = { row: within((row ?? 0) + step.rows, queries), col: within(column, keys) };
      bringIntoSight(event.currentTarget.closest(".hl-matrix"), plan, cell);
      if (!scene.chosen || !onChoose) return point(event, cell);
      looked.set(event.currentTarget, cell);
      onChoose(cell);
    },
  };
}

/** @param {any} box @param {Plan} plan @param {Cell} cell */
function bringIntoSight(box, { width, height, left, top }, { row, col }) {
  box.scrollLeft = inSight(col * width, width, box.scrollLeft, box.clientWidth - left);
  box.scrollTop = inSight(row * height, height, box.scrollTop, box.clientHeight - top);
}

/**
 * How the labels of a side stand: px between two and that one takes, the chosen and the current
 * one, and where each is.
 * @typedef {{spacing: number, space: number, marked: (number|null)[], room?: number, least?: number,
 *   place: (i: number, isDot?: boolean) => {anchor: string, x?: number, y?: number, turn?: string}}} Stand
 *   `room`: px for a gloss below a label, 0 where there is none; `least`: then still for the marked
 *   ones; a dot stands between the labels and the cells
 */

/** px for the gloss of each label, and which labels give way to one: where glosses have no room,
 * the marked labels take that of their neighbours.
 * @param {Name[]} all @param {Plan} plan
 * @param {{spacing: number, marked: (number|null)[], room: number, least: number}} stand */
function glossesOf(all, plan, { spacing, marked, room, least }) {
  const roomOf = (/** @type {number} */ i) => room || (marked.includes(i) ? least : 0);
  const isNear = (/** @type {number|null} */ at, /** @type {number} */ i) =>
    at !== null &&
    hasRoomForGloss(all[at], plan.font, roomOf(at)) &&
    Math.abs(at - i) * spacing < TOLD * plan.letter;
  const isCovered = (/** @type {number} */ i) =>
    room === 0 && !marked.includes(i) && marked.some((at) => isNear(at, i));
  return { roomOf, isCovered };
}

/** The labels that fit, a dot for each other one; the chosen and current ones are marked.
 * @param {Name[]} all @param {Plan} plan @param {Stand} stand */
function names(all, plan, { spacing, space, marked, place, room = 0, least = 0 }) {
  const [here, lit] = marked;
  const { roomOf, isCovered } = glossesOf(all, plan, { spacing, marked, room, least });
  const shown = written(all.length, spacing, space, marked, plan.isRound).filter(
    (i) => !isCovered(i),
  );
  const dots = plan.isRound || spacing < 4 || shown.length === all.length;
  const others = dots ? [] : all.map((_, i) => i).filter((i) => !shown.includes(i));
  const state = (/** @type {number} */ i) =>
    `${i === here ? "hl-here" : ""} ${i === lit ? "hl-lit" : ""}`;
  const below = (/** @type {number} */ i) => {
    const { x = 0, y = 0, anchor } = place(i);
    const given = { x, y: y + 0.55 * plan.letter, em: plan.font, anchor };
    return glossText(all[i], { ...given, room: roomOf(i) });
  };
  const text = (
    /** @type {number} */ i,
    /** @type {unknown} */ content,
    /** @type {string} */ kind,
  ) => {
    const { x, y: middle, turn, anchor } = place(i, kind === "dot");
    const isTold = kind !== "dot" && hasRoomForGloss(all[i], plan.font, roomOf(i));
    const y = middle === undefined || !isTold ? middle : middle - 0.4 * plan.letter;
    return svg`<text x=${x ?? nothing} y=${y ?? nothing} transform=${turn ?? nothing}
      text-anchor=${anchor} dominant-baseline=${turn ? "auto" : "central"} data-at=${i}
      class="hl-${kind} ${state(i)}">${content}</text>`;
  };
  return [
    repeat(
      shown,
      (i) => i,
      (i) => {
        const [short, whole] = [shortLine(all[i], plan.letters), lineOf(all[i])];
        return text(i, short === whole ? short : svg`${short}<title>${whole}</title>`, all[i].kind);
      },
    ),
    shown.map(below),
    others.map((i) => text(i, "·", "dot")),
  ];
}

/** @param {MapScene} scene @param {Plan} plan @param {(number|null)[]} marked */
function rowNames({ rows }, plan, marked) {
  const { height, left, letter } = plan;
  const least = left - letter * NAME_GAP;
  const half = letter * 0.6; // of a line: the first and the last of many stay whole
  const halfOf = (/** @type {number} */ i) =>
    marked.includes(i) && hasRoomForGloss(rows[i], plan.font, least) ? letter * 0.95 : half;
  const place = (/** @type {number} */ i, isDot = false) => ({
    x: left - letter * (isDot ? DOT_GAP : NAME_GAP),
    y: Math.max(halfOf(i), Math.min((i + 0.5) * height, rows.length * height - halfOf(i))),
    anchor: "end",
  });
  const room = plan.large && height >= 2.1 * letter ? least : 0;
  const space = letter * 1.1 + Math.max(0, half - height / 2); // the first and last stand inwards
  return names(rows, plan, { spacing: height, space, marked, place, room, least });
}

/** @param {MapScene} scene @param {Plan} plan @param {(number|null)[]} marked */
function columnNames({ columns }, plan, marked) {
  const { width, top, letter, slant, space } = plan;
  const half = (/** @type {number} */ i) =>
    (textWidth(shortLine(columns[i], plan.letters)) * letter) / 2;
  const flat = (/** @type {number} */ i) => ({
    // The first and last stand inwards.
    x: Math.max(half(i), Math.min((i + 0.5) * width, columns.length * width - half(i))),
    y: top - letter * (plan.isTold ? 1.2 : 0.8),
    anchor: "middle",
  });
  const room = plan.isTold ? width - 2 : 0;
  const turned = (/** @type {number} */ i, isDot = false) => {
    const gap = isDot ? DOT_GAP : NAME_GAP;
    const place = `translate(${(i + 0.5) * width + letter * 0.2} ${top - letter * gap})`;
    return { turn: `${place} rotate(${-slant})`, anchor: "start" };
  };
  return names(columns, plan, {
    spacing: width,
    space,
    marked,
    room,
    place: slant ? turned : flat,
  });
}

/** The numbers of the cells, if all of them fit. @param {MapScene} scene @param {Plan} plan */
function numbers(scene, { width, height, letter }) {
  const { cells, keys, ramp, along = (value) => value, strong, text } = scene;
  if (!text || cells.length > MOST_NUMBERS || height < 1.15 * letter) return nothing;
  const texts = Array.from(cells, text);
  const longest = Math.max(...texts.map((one) => one.length));
  if (width < (longest * 0.56 + 0.3) * letter) return nothing;
  return texts.map((one, i) => {
    const isMasked = Number.isNaN(cells[i]);
    if (one === "" || (strong && !strong[i])) return nothing;
    const [x, y] = [((i % keys) + 0.5) * width, (Math.floor(i / keys) + 0.5) * height];
    const ink = isMasked ? "var(--quiet, #8a8a94)" : inkOn(colourOf(ramp, along(cells[i])));
    return svg`<text x=${x} y=${y} class="hl-number" text-anchor="middle"
      dominant-baseline="central" style="fill:${ink}">${one}</text>`;
  });
}

/** @param {MapScene} scene @param {Plan} plan @param {Place} chosen @param {Place} lit */
function outlines({ queries, keys, marks = [] }, plan, chosen, lit) {
  /** @type {(name: string, x: number, y: number, columns: number, rows: number) => unknown} */
  const box = (name, x, y, columns, rows) => svg`<rect class=${name} x=${x * plan.width}
    y=${y * plan.height} width=${columns * plan.width} height=${rows * plan.height}></rect>`;
  const drawn = marks.map(({ row, col, own = "painted" }) => box(`hl-mark-${own}`, col, row, 1, 1));
  if (chosen.row !== null) drawn.push(box("hl-row-mark", 0, chosen.row, keys, 1));
  if (lit.row !== null) drawn.push(box("hl-lit-mark", 0, lit.row, keys, 1));
  if (lit.col !== null) drawn.push(box("hl-lit-mark", lit.col, 0, 1, queries));
  for (const { row, col } of [chosen, lit]) {
    if (row !== null && col !== null) drawn.push(box("hl-cell-mark", col, row, 1, 1));
  }
  return drawn;
}

/** The parts of the map shared by the page and the file. */
export const parts = { rowNames, columnNames, numbers };
