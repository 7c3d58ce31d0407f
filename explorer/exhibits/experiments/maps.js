// The chosen head under both models, and the difference: three maps on the same tokens.

import { select } from "../../../assets/kit/choice.js";
import { diverging, ramps } from "../../../assets/kit/colour.js";
import { downloads } from "../../../assets/kit/download.js";
import { changeText, weightText } from "../../../assets/kit/numbers.js";
import { axes, KINDS } from "../../../assets/kit/selection.js";
import { inLine, mapsPicture, smallMap } from "../../../assets/kit/smallmap.js";
import { html } from "../../../assets/vendor/lit-html.js";

/** after - before; a cell that only one may read weighs 0 in the other. NaN: in neither. */
export function changes(before, after) {
  return before.map((one, i) =>
    Number.isNaN(one) && Number.isNaN(after[i]) ? Number.NaN : (after[i] || 0) - (one || 0),
  );
}

/** `found`: the answer of both models; `looked`: the cell that is looked at. */
export function maps(page, found, state, place) {
  const { t } = page;
  const { attention } = found;
  const all = scenesOf(page, found, place);
  const at = lookedAt(page, attention, state.get().looked);
  const row = `hl-experiments-three ${all.isBeside ? "" : "hl-experiments-stacked"}`;
  return html`<section class="hl-stack hl-experiments-maps">
    <div class="hl-caption"><h2>${t("experiments.attention")}</h2>
      <span class="hl-row">${picks(page)}</span></div>
    <p class="hl-note">${t("experiments.attention.note")}</p>
    <p class="hl-note hl-experiments-cell" id="${page.uid}-cell">
      ${cellText(page, all.scenes[0], attention, at)}</p>
    <div class=${row}>${all.scenes.map(
      (scene) => html`<figure data-map=${scene.id}>
        <figcaption>${t(`experiments.${scene.id}`)}</figcaption>
        ${smallMap(
          { ...scene, lit: at },
          {
            describedBy: `${page.uid}-cell`,
            onPoint: (cell) => state.merge({ looked: cell }),
            onChoose: (cell) => follow(page, attention, cell),
          },
        )}</figure>`,
    )}</div>
    ${downloads(page, `attention-${attention.kind}`, {
      csv: () => csvOf(all.scenes[0], attention),
      svg: () => mapsPicture(all.scenes),
    })}
  </section>`;
}

function scenesOf(page, found, { width: room, font }) {
  const { attention } = found;
  const { before, after, kind } = attention;
  const sides = axes(found, kind, page.selection.get().labels);
  const labels = { rows: sides.rows.labels, columns: sides.columns.labels };
  const { isBeside, first, next } = inLine(labels, room, font);
  const theme = page.theme.get();
  const change = changes(before, after).map((one) => 0.5 + one / 2);
  const scenes = Object.entries({ before, after, change }).map(([id, cells]) => ({
    ...attention,
    ...{ ...labels, id, cells, font, most: 1.6 },
    bare: id !== "before" && isBeside,
    width: id === "before" ? first : next,
    ramp: id === "change" ? diverging[theme] : ramps[theme],
    name: `${page.t("experiments.attention")}: ${page.t(`experiments.${id}`)}`,
  }));
  return { scenes, isBeside };
}

function lookedAt(page, { kind, queries, keys }, looked) {
  const chosen = page.selection.get();
  const usual =
    chosen.kind === kind ? { row: chosen.row, col: chosen.col ?? 0 } : { row: 0, col: 0 };
  const { row, col } = looked ?? usual;
  return { row: Math.min(row, queries - 1), col: Math.min(col, keys - 1) };
}

function cellText({ t }, { rows, columns }, { before, after, keys }, { row, col }) {
  const i = row * keys + col;
  const weight = (one) => (Number.isNaN(one) ? t("experiments.masked") : weightText(one));
  return t("experiments.cell", {
    row: rows[row].text,
    col: columns[col].text,
    before: weight(before[i]),
    after: weight(after[i]),
    change: changeText((after[i] || 0) - (before[i] || 0)),
  });
}

/** A cell of the padding is none of the record's. */
function follow(page, { kind }, { row, col }) {
  const { keys } = page.record.get().attention[kind];
  page.choose({ row, ...(col < keys ? { col } : {}) });
}

function picks(page) {
  const { t } = page;
  const chosen = page.selection.get();
  const { layers, heads } = page.record.get().attention[chosen.kind];
  const numbered = (count, key) =>
    Array.from({ length: count }, (_, i) => ({ value: String(i), label: t(key, { n: i + 1 }) }));
  const options = {
    kind: KINDS.map((value) => ({ value, label: t(`kind.${value}`) })),
    layer: numbered(layers, "experiments.layer"),
    head: numbered(heads, "experiments.pick.n"),
  };
  return Object.entries(options).map(([name, list]) =>
    select({
      label: t(`experiments.pick.${name}`),
      quiet: true,
      options: list,
      value: String(chosen[name]),
      onChange: (value) => page.choose({ [name]: name === "kind" ? value : Number(value) }),
    }),
  );
}

const csvOf = ({ rows, columns }, { before, after, keys }) => [
  ["row", "column", "query", "key", "before", "after"],
  ...Array.from(before, (one, i) => {
    const [row, col] = [Math.floor(i / keys), i % keys];
    const weights = [one, after[i]].map((weight) => (Number.isNaN(weight) ? null : weight));
    return [row + 1, col + 1, rows[row].text, columns[col].text, ...weights];
  }),
];
