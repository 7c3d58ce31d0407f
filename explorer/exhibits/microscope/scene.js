// Where the microscope stands, and what is marked there. Pure functions.

import { arrow } from "../../../assets/kit/elements.js";
import { axes } from "../../../assets/kit/selection.js";
import { headChain, rowChain, weightsOf } from "../../../assets/kit/sublayer.js";
import { KEY_STAGES, originOf } from "./trace.js";

const LAST = ["entering", "sum", "after"]; // stages that follow one number of the output

/**
 * The numbers of one query and one key: {layer, head, row, at}, and the labels of both.
 * @param {any} record @param {{args: any, numbers: any}} value what Python sent, about which head
 * @param {import("../../../assets/kit/types.js").Selection} selection
 */
export function sceneOf(record, { args, numbers }, { row, col, labels }) {
  const at = { ...args, row, col: col ?? mostRead(numbers, args.head, row) };
  const { rows, columns } = axes(record, at.kind, labels);
  return {
    record,
    layer: numbers,
    at,
    head: headChain(numbers, at.head, at.row, at.col),
    row: rowChain(numbers, at.row),
    query: rows.labels[at.row],
    keys: columns.labels,
    rows: rows.labels,
  };
}

/** Without a chosen key the microscope stands at the one that is read most. */
function mostRead(numbers, head, row) {
  const weights = weightsOf(numbers, head, row);
  return weights.indexOf(Math.max(...weights));
}

/** What is picked in this scene, where it came from, and which cells are marked for it. */
export function marksOf(scene, picked) {
  const { stage } = picked;
  const isKeyed = KEY_STAGES.includes(stage);
  const place = picked.place < placesIn(stage, scene.layer) ? picked.place : 0;
  const origin = originOf(stage, place, scene);
  const here = isKeyed ? scene.at.col : place;
  const isFrom = (other, at) =>
    origin.from.some(([from, where]) => {
      if (from !== other) return false;
      if (KEY_STAGES.includes(from)) return where === "all" || at === scene.at.col;
      return where === undefined || where === at;
    });
  return {
    stage,
    place: isKeyed ? null : place,
    origin,
    last: ["output", ...LAST].includes(stage) ? place : 0,
    mark(/** @type {string} */ other, /** @type {number} */ at) {
      if (other === stage && at === here) return "here";
      return isFrom(other, at) ? "from" : null;
    },
    isMany: origin.from.some(([from, where]) => from === "concat" && where === undefined),
  };
}

function placesIn(/** @type {string} */ stage, layer) {
  if (KEY_STAGES.includes(stage)) return 1;
  return ["concat", "output", ...LAST].includes(stage) ? layer.d_model : layer.dk;
}

/** The cell that an arrow key leads to: the next of the line, or the nearest above or below.
 * @param {Element} chain @param {KeyboardEvent} event @returns {HTMLElement|null} */
export function neighbour(chain, event) {
  const step = arrow(event);
  const from = /** @type {Element} */ (event.target).closest(".hl-micro-cell");
  if (step === null || from === null) return null;
  const cells = /** @type {HTMLElement[]} */ ([...chain.querySelectorAll(".hl-micro-cell")]);
  if (step.columns) return cells[cells.indexOf(/** @type {any} */ (from)) + step.columns] ?? null;
  const here = from.getBoundingClientRect();
  /** @type {{cell: HTMLElement, far: number}|null} */
  let best = null;
  for (const cell of cells) {
    const box = cell.getBoundingClientRect();
    const down = (box.top - here.top) * step.rows;
    if (down < here.height / 2) continue;
    const far = down * 4 + Math.abs(box.left - here.left);
    if (best === null || far < best.far) best = { cell, far };
  }
  return /** @type {any} */ (best)?.cell ?? null;
}
