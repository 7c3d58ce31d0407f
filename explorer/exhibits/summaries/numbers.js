// The maps in numbers: the loss of the chosen token, the agreement of the maps, every cell.

import { lineOf } from "../../../assets/kit/heatplan.js";
import { changeText, weightText } from "../../../assets/kit/numbers.js";
import { pending } from "../../../assets/kit/request.js";
import { sidesOf } from "../../../assets/kit/selection.js";
import { token } from "../../../assets/kit/token.js";
import { rhoText } from "./picture.js";

/** @typedef {import("./scene.js").Scene} Scene */
/** @typedef {import("../../../assets/kit/types.js").Label} Label */
/**
 * @template R
 * @typedef {import("../../../assets/kit/sheet.js").Sheet<R>} Sheet
 */

/** Each source token for the written one: its weight, and the cost of removing it.
 * @param {Scene} s @returns {Sheet<Label>} */
export function loseSheet({ t, page, record, answer, selection: { step, src }, occlusion }) {
  const { value } = occlusion;
  const change = (/** @type {number} */ i) => value?.cells[step * value.keys + i] ?? Number.NaN;
  const number = (/** @type {number} */ one) => (Number.isNaN(one) ? null : one);
  const weight = (/** @type {number} */ i) => answer.cells[step * answer.keys + i];
  const isCross = answer.kind === "cross";
  return {
    name: t("step", { n: step + 1, row: lineOf(record.tgt_out[step]) }),
    file: `occlusion-step${step + 1}`,
    class: "hl-summary-step",
    note: value === null ? pending(page, occlusion) : undefined,
    rows: record.src,
    chosen: (_, i) => i === src,
    onChoose: (_, i) => page.choose({ src: i }),
    columns: {
      token: { text: true, cell: (label) => token(label), csv: ({ piece }) => piece },
      ...(isCross && {
        weight: { cell: (_, i) => weightText(weight(i)), csv: (_, i) => weight(i) },
      }),
      change: {
        cell: (_, i) => (number(change(i)) === null ? "–" : changeText(change(i))),
        csv: (_, i) => number(change(i)),
      },
    },
  };
}

/** The rank correlation of all cells and in each row; none if the kind has no occlusion.
 * @param {Scene} s @returns {Sheet<Label|null>[]} */
export function rhoSheet({ t, record, answer: { kind, way, layer }, occlusion, isOld, row }) {
  if (kind !== "cross" || isOld || occlusion.value === null) return [];
  const { all, rows, cells } = occlusion.value.agreement[way][layer];
  return [
    {
      name: t("agree"),
      file: `agreement-${way}-${layer || "all"}`,
      class: "hl-summary-agreement",
      rows: [null, ...record.tgt_out],
      chosen: (_, i) => i === row.at + 1,
      columns: {
        token: {
          text: true,
          cell: (label) => (label === null ? t("agree.all") : token(label)),
          csv: (label) => label?.piece ?? t("agree.all"),
        },
        rho: { cell: (_, i) => rhoText([all, ...rows][i]), csv: (_, i) => [all, ...rows][i] },
        count: { cell: (_, i) => cells[i] },
      },
    },
  ];
}

/** Every cell: its weight, and the occlusion in the same place. @param {Scene} s */
export function cellRows({ record, answer: { cells, keys, kind }, labels, occlusion: { value } }) {
  const sides = sidesOf(record, kind);
  const changes = kind === "cross" ? value?.cells : null;
  const number = (/** @type {number|undefined} */ one) =>
    one === undefined || Number.isNaN(one) ? null : one;
  return [
    ["row", "column", ...Object.keys(sides), "key", "weight", ...(changes ? ["change"] : [])],
    ...Array.from(cells, (weight, i) => {
      const [row, column] = [Math.floor(i / keys), i % keys];
      const named = [...Object.values(sides).map((of) => of[row]), labels.columns[column]];
      const change = changes ? [number(changes[i])] : [];
      return [row + 1, column + 1, ...named.map(lineOf), number(weight), ...change];
    }),
  ];
}
