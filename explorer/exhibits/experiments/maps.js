// The chosen head under both models, and the difference: three maps on the same tokens.

import { select } from "../../../assets/kit/choice.js";
import { diverging, ramps } from "../../../assets/kit/colour.js";
import { inLine } from "../../../assets/kit/heatplan.js";
import { matrix } from "../../../assets/kit/map.js";
import { svgOf } from "../../../assets/kit/mapfiles.js";
import { changeText, weightText } from "../../../assets/kit/numbers.js";
import { axes, KINDS, sidesOf } from "../../../assets/kit/selection.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { attentionOf } from "./records.js";

/** after - before; a cell readable in only one counts 0 in the other. NaN: in neither. */
export function changes(before, after) {
  return before.map((one, i) =>
    Number.isNaN(one) && Number.isNaN(after[i]) ? Number.NaN : (after[i] || 0) - (one || 0),
  );
}

/** Before, after and the change between them. */
export function maps(s, { width, height, em }) {
  const { t, page, looked, set } = s;
  const all = scenesOf(s, { width, height: height - 4 * em, font: em });
  const { attention } = all;
  const at = lookedAt(page, attention, looked);
  const row = `hl-experiments-three ${all.isBeside ? "" : "hl-experiments-stacked"}`;
  return html`<div class="hl-experiments-maps">
    <p class="hl-note hl-experiments-cell" id="${page.uid}-cell">
      ${cellText(t, all.scenes[0], attention, at)}</p>
    <div class=${row}>${all.scenes.map(
      (scene) => html`<figure data-map=${scene.id}>
        <figcaption>${t(scene.id)}</figcaption>
        ${matrix(
          { ...scene, lit: at },
          {
            describedBy: `${page.uid}-cell`,
            onPoint: (cell) => set({ looked: cell }),
            onChoose: (cell) => follow(page, attention, cell),
          },
        )}</figure>`,
    )}</div></div>`;
}

/** The weights of both, and the three maps as one picture. */
export function mapFilesOf(s) {
  const { scenes, attention } = scenesOf(s, { width: 0, height: 0, font: 14 });
  return {
    name: `attention-${attention.kind}`,
    csv: () => csvOf(scenes[0], attention, sidesOf(s.answer, attention.kind)),
    svg: () => svgOf(scenes, s.page.theme.get()),
  };
}

function scenesOf(s, { width: room, height, font }) {
  const { t, page, answer, selection } = s;
  const attention = attentionOf(s);
  const { before, after, kind } = attention;
  const sides = axes(answer, kind, selection.labels);
  const labels = { rows: sides.rows.labels, columns: sides.columns.labels };
  const { isBeside, first, next } = inLine(labels, room, font);
  const theme = page.theme.get();
  const change = changes(before, after).map((one) => 0.5 + one / 2);
  const scenes = Object.entries({ before, after, change }).map(([id, cells]) => ({
    ...attention,
    ...labels,
    id,
    cells,
    font,
    largest: 5,
    bare: id !== "before" && isBeside,
    width: id === "before" ? first : next,
    height: isBeside ? height : undefined,
    ramp: id === "change" ? diverging[theme] : ramps[theme],
    name: `${t("attention")}: ${t(id)}`,
  }));
  return { scenes, isBeside, attention };
}

function lookedAt(page, { kind, queries, keys }, looked) {
  const chosen = page.selection.get();
  const usual =
    chosen.kind === kind ? { row: chosen.row, col: chosen.col ?? 0 } : { row: 0, col: 0 };
  const { row, col } = looked ?? usual;
  return { row: Math.min(row, queries - 1), col: Math.min(col, keys - 1) };
}

function cellText(t, { rows, columns }, { before, after, keys }, { row, col }) {
  const i = row * keys + col;
  const weight = (one) => (Number.isNaN(one) ? t("masked") : weightText(one));
  return t("cell", {
    row: rows[row].text,
    col: columns[col].text,
    before: weight(before[i]),
    after: weight(after[i]),
    change: changeText((after[i] || 0) - (before[i] || 0)),
  });
}

/** A padding cell is not in the record. */
function follow(page, { kind }, { row, col }) {
  const { keys } = page.record.get().attention[kind];
  page.choose({ row, ...(col < keys ? { col } : {}) });
}

/** The head of the maps. */
export function picks({ t, page, record, selection: chosen }) {
  const { layers, heads } = record.attention[chosen.kind];
  const numbered = (count, key) =>
    Array.from({ length: count }, (_, i) => ({ value: String(i), label: t(key, { n: i + 1 }) }));
  const options = {
    kind: KINDS.map((value) => ({ value, label: page.t(`kind.${value}`) })),
    layer: numbered(layers, "layer"),
    head: numbered(heads, "pick.n"),
  };
  return Object.entries(options).map(([name, list]) =>
    select({
      label: t(`pick.${name}`),
      quiet: true,
      options: list,
      value: String(chosen[name]),
      onChange: (value) => page.choose({ [name]: name === "kind" ? value : Number(value) }),
    }),
  );
}

const csvOf = ({ columns }, { before, after, keys }, sides) => [
  ["row", "column", ...Object.keys(sides), "key", "before", "after"],
  ...Array.from(before, (one, i) => {
    const [row, col] = [Math.floor(i / keys), i % keys];
    const weights = [one, after[i]].map((weight) => (Number.isNaN(weight) ? null : weight));
    const named = [...Object.values(sides).map((of) => of[row]), columns[col]];
    return [row + 1, col + 1, ...named.map(({ text }) => text), ...weights];
  }),
];
