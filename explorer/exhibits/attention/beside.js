// A second picture of the chosen head: a different measure for the same cells, which shows where
// weights mislead.

import { select } from "../../../assets/kit/choice.js";
import { lineOf } from "../../../assets/kit/heatplan.js";
import { isSwitchedOff } from "../../../assets/kit/interventions.js";
import { fixed, roundPercent, weightText } from "../../../assets/kit/numbers.js";
import { rowOf } from "../../../assets/kit/payload.js";
import { joined, marked } from "../../../assets/kit/sentence.js";
import { token } from "../../../assets/kit/token.js";
import { nothing } from "../../../assets/vendor/lit-html.js";
import { cellOf, toldCell } from "./readout.js";

export const BESIDE = ["norm", "contribution", "value_zeroing", "occlusion"];
const MEASURED = ["contribution", "occlusion"]; // whose rows may be too small to be shared out
const CROSS_ALONE = "occlusion"; // takes source words out

/** The measure shown: the first one if the kind does not have the chosen one. */
export const measureOf = ({ against, selection: { kind } }) =>
  against === CROSS_ALONE && kind !== "cross" ? BESIDE[0] : against;

/** The Answer for the second picture of the chosen head; null if there is none. */
export function askBeside(s) {
  if (s.view !== "beside") return null;
  const { kind, layer, head } = s.selection;
  return s.ask("beside", { kind, layer, head, measure: measureOf(s) });
}

/** The measures of this kind of attention, as long as one is shown. */
export function againstControl(s) {
  if (s.view !== "beside") return nothing;
  const { t, set, selection } = s;
  return select({
    label: t("against"),
    class: "hl-against",
    quiet: true,
    options: BESIDE.map((value) => ({
      value,
      label: t(`against.${value}`),
      disabled: value === CROSS_ALONE && selection.kind !== "cross",
    })),
    value: measureOf(s),
    onChange: (against) => set({ against }),
  });
}

/** The cell of the chosen row to describe: the chosen one, else where the two differ most. */
function apart(s) {
  const { page, sight, second } = s;
  const told = toldCell(page, sight, null);
  if (told === null || s.selection.col !== null) return told;
  const [one, other] = [sight, second].map(({ cells, keys }) => rowOf(cells, keys, told.row));
  const gaps = Array.from(one, (weight, i) => Math.abs(weight - other[i]) || 0);
  return { ...told, col: gaps.indexOf(Math.max(...gaps)) };
}

/** The words for why a row has no share of its measure; null if it has. */
function emptyKey(s, row) {
  const isEmpty = rowOf(s.second.cells, s.second.keys, row).every((one) => !(one > 0));
  const measure = measureOf(s);
  return isEmpty && MEASURED.includes(measure) ? `beside.empty.${measure}` : null;
}

/** The weight of a cell and its other measure; null until it arrives. */
export function besideFinding(s) {
  const { page, t, say, sight, second } = s;
  if (!second) return null;
  const told = apart(s);
  if (told === null) return page.t("readout.hidden");
  const at = told.row * sight.keys + told.col;
  const { row, col } = cellOf(page, sight, told);
  const empty = emptyKey(s, told.row);
  if (empty) return say(empty, { row });
  if (Number.isNaN(sight.cells[at]) || isSwitchedOff(s.record, s.selection)) return null;
  const whose = s.selection.kind === "encoder_self" ? "encoder_self" : "decoder_self";
  return say(`finding.beside.${whose}`, {
    row,
    col,
    weight: marked(roundPercent(sight.cells[at])),
    value: marked(roundPercent(second.cells[at])),
    measure: t(`against.of.${measureOf(s)}`),
  });
}

/** The measure of the cell in the readout. */
export function besideText(s, told) {
  if (told === null) return null;
  const value = s.second.cells[told.row * s.second.keys + told.col];
  const name = s.t(`against.${measureOf(s)}`);
  return Number.isNaN(value) ? null : { name, value: weightText(value) };
}

/** The source of the second picture's cells, and how alike the two order their tokens. */
export function besideNote({ page, t, beside: { value } }) {
  const of = t(`beside.${value.of}`);
  if (value.rank === null) return of;
  return joined(page, of, t("beside.rank", { rank: fixed(value.rank, 2).replace("-", "−") }));
}

/** The chosen row in both pictures. */
export function besideSheet(s) {
  const { page, t, sight, second, selection } = s;
  if (!second) return [];
  const told = toldCell(page, sight, null);
  if (told === null) return [];
  const [weights, values] = [sight, second].map(({ cells, keys }) => rowOf(cells, keys, told.row));
  const of = (numbers) => ({
    cell: (_, i) => (Number.isNaN(numbers[i]) ? page.t("readout.masked") : weightText(numbers[i])),
    csv: (_, i) => (Number.isNaN(numbers[i]) ? null : numbers[i]),
  });
  return [
    {
      name: t("beside.row"),
      file: `beside-${measureOf(s)}`,
      class: "hl-beside-row",
      note: besideNote(s),
      rows: sight.columns,
      onChoose: (_, i) => page.choose({ row: selection.row, col: sight.columnTokens[i][0] }),
      columns: {
        read: { text: true, cell: (label) => token(label), csv: lineOf },
        weight: of(weights),
        beside: { head: t(`against.${measureOf(s)}`), ...of(values) },
      },
    },
  ];
}
