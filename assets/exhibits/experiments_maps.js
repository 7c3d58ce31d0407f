// The chosen head under both models, and the difference: three maps on the same tokens.

import { diverging, ramps } from "../colour.js";
import { element } from "../elements.js";
import { weightText } from "../numbers.js";
import { axes, KINDS } from "../selection.js";
import { createSmallMap, roomForCells, roomForRows } from "../smallmap.js";
import { choose, record, selection, theme } from "../state.js";
import { number, t } from "../words.js";
import { changeText } from "./experiments_result.js";

const FINEST = 7; // px of a cell; smaller ones stand one map below the other
const LIST = ["before", "after", "change"];

// after - before; a cell that only one of them may read has the weight 0 in the other. NaN: in neither.
export function changes(before, after) {
  return before.map((one, i) =>
    (Number.isNaN(one) && Number.isNaN(after[i]) ? NaN : (after[i] || 0) - (one || 0)));
}

export function createMaps(root) {
  const pickers = ["kind", "layer", "head"].map((name) => {
    const select = element("select", { "data-name": name, "data-t-label": `experiments.pick.${name}` });
    select.addEventListener("change", () => choose({ [name]: name === "kind" ? select.value : Number(select.value) }));
    return select;
  });
  const says = element("p", { class: "hl-note hl-experiments-says", id: "hl-experiments-cell" });
  let answer = null;
  let pointed = null;
  const maps = LIST.map((name) => {
    const place = element("div", { class: "hl-experiments-map", "data-map": name });
    const map = createSmallMap(place, {
      describedBy: "hl-experiments-cell", onPoint: (cell) => { pointed = cell; tell(); }, onChoose: follow,
    });
    return { name, place, map };
  });
  const row = element("div", { class: "hl-experiments-three" }, ...maps.map(({ name, place }) =>
    element("figure", {}, element("figcaption", { "data-t": `experiments.${name}` }), place)));
  root.replaceChildren(
    element("div", { class: "hl-caption" }, element("h2", { "data-t": "experiments.attention" }),
      element("span", { class: "hl-experiments-pick" }, ...pickers)),
    element("p", { class: "hl-note", "data-t": "experiments.attention.note" }), says, row);

  function follow({ row: at, col }) {
    const { keys } = record.get().attention[answer.kind];
    choose({ row: at, ...(col < keys ? { col } : {}) });
  }

  function tell() {
    if (answer === null) return;
    const { before, after, keys, queries, rows, columns } = answer;
    const chosen = selection.get();
    const fallback = chosen.kind === answer.kind ? { row: chosen.row, col: chosen.col ?? 0 } : { row: 0, col: 0 };
    const { row: r, col } = pointed ?? fallback;
    const at = { row: Math.min(r, queries - 1), col: Math.min(col, keys - 1) };
    const i = at.row * keys + at.col;
    const weight = (one) => (Number.isNaN(one) ? t("experiments.masked") : weightText(one));
    const change = (after[i] || 0) - (before[i] || 0);
    says.textContent = t("experiments.cell", {
      row: rows[at.row].text, col: columns[at.col].text,
      before: weight(before[i]), after: weight(after[i]), change: changeText(change),
    });
    for (const { map } of maps) map.light(at);
  }

  function pick() {
    const shown = record.get();
    const chosen = selection.get();
    const { layers, heads } = shown.attention[chosen.kind];
    const options = {
      kind: KINDS.map((kind) => [kind, t(`kind.${kind}`)]),
      layer: Array.from({ length: layers }, (_, i) => [i, t("experiments.layer", { n: number(i) })]),
      head: Array.from({ length: heads }, (_, i) => [i, t("experiments.pick.n", { n: number(i) })]),
    };
    for (const select of pickers) {
      const { name } = select.dataset;
      select.replaceChildren(...options[name].map(([value, text]) => element("option", { value }, text)));
      select.value = chosen[name];
    }
  }

  // `found`: the answer's attention, `before` and `after` as arrays.
  return function draw(found, tokens) {
    pick();
    if (found === null) return;
    const { rows, columns } = axes(tokens, found.kind, selection.get().labels);
    answer = { ...found, rows: rows.labels, columns: columns.labels };
    const difference = changes(found.before, found.after);
    const cells = { before: found.before, after: found.after, change: difference.map((one) => 0.5 + one / 2) };
    const font = parseFloat(getComputedStyle(root).fontSize);
    const labels = roomForRows(answer.rows, font);
    const third = (root.clientWidth - labels - 24) / 3;
    const beside = roomForCells(answer.columns, third, font) >= FINEST;
    const width = beside ? third : root.clientWidth - labels;
    row.classList.toggle("hl-experiments-stacked", !beside);
    for (const { name, map } of maps) {
      map.draw({
        ...answer, cells: cells[name], most: 1.6,
        bare: name !== "before" && beside, width: name !== "before" && beside ? width : width + labels,
        ramp: name === "change" ? diverging[theme.get()] : ramps[theme.get()],
        name: `${t("experiments.attention")}: ${t(`experiments.${name}`)}`,
      });
    }
    tell();
  };
}
