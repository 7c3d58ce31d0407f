// The sum in numbers: by layer, by head with what goes when it is off, by token.

import { changeText } from "../../../assets/kit/numbers.js";
import { pending } from "../../../assets/kit/request.js";
import { token } from "../../../assets/kit/token.js";
import { partName } from "./picture.js";
import { allParts } from "./split.js";

/** @typedef {import("./view.js").Compared} Compared */
/** @typedef {import("./split.js").Part} Part */
/** @typedef {import("./split.js").Step} Step */
/**
 * @template R
 * @typedef {import("../../../assets/kit/sheet.js").Sheet<R>} Sheet
 */

const DIGITS = 4;

export const sheets = (/** @type {Compared} */ s) => [layerSheet(s), partSheet(s), tokenSheet(s)];

const fileOf = (/** @type {Compared} */ { selection, answer }) =>
  `step${selection.step + 1}-${answer.rival.id}`;

/** @type {Sheet<{value: number}>["columns"][string]} */
const valueColumn = { cell: ({ value }) => changeText(value, DIGITS), csv: ({ value }) => value };

/** Embedding, position, layers, and the sum that they add up to.
 * @param {Compared} s @returns {Sheet<Step>} */
const layerSheet = (s) => ({
  name: s.t("layers"),
  file: `why-${fileOf(s)}-layers`,
  class: "hl-why-layers",
  rows: s.layers,
  columns: {
    part: { text: true, cell: (one) => partName(s, one), csv: ({ name }) => name },
    layer: { cell: ({ layer }) => (layer === undefined ? "" : layer + 1) },
    value: valueColumn,
    until: { cell: ({ to }) => changeText(to, DIGITS), csv: ({ to }) => to },
  },
  foot: [s.t("difference"), "", changeText(s.answer.difference, DIGITS), ""],
});

/** Every head, network and bias: directly, and by what goes with it.
 * @param {Compared} s @returns {Sheet<Part>} */
const partSheet = (s) => ({
  name: s.t("parts"),
  file: `why-${fileOf(s)}-parts`,
  class: "hl-why-parts",
  note: s.away.value === null ? pending(s.page, s.away) : undefined,
  rows: allParts(s.answer, s.away.value),
  chosen: ({ name, layer, kind, head }) =>
    name === "head" && layer === s.shown.layer && kind === s.shown.kind && head === s.shown.head,
  columns: {
    part: { text: true, cell: (one) => partName(s, one), csv: ({ name, kind }) => kind ?? name },
    layer: { cell: ({ layer }) => (layer === undefined ? "" : layer + 1) },
    head: { cell: ({ head }) => (head === undefined ? "" : head + 1) },
    value: valueColumn,
    total: {
      cell: ({ total }) => (total == null ? "" : changeText(total, DIGITS)),
      csv: ({ total }) => total ?? null,
    },
  },
});

/** The chosen head, token by token.
 * @param {Compared} s @returns {Sheet<Compared["tokens"][number]>} */
const tokenSheet = (s) => ({
  name: s.t("tokens", { head: partName(s, s.shown) }),
  file: `why-${fileOf(s)}-tokens`,
  class: "hl-why-tokens",
  rows: s.tokens,
  columns: {
    token: { text: true, cell: ({ label }) => token(label), csv: ({ label }) => label.piece },
    value: valueColumn,
  },
});
