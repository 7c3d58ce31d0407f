// −∞, 0 and −1e9: one row of scores, masked in three ways, and the softmax of each.

import { button, select } from "../../../assets/kit/choice.js";
import { countText, percentText, signedText } from "../../../assets/kit/numbers.js";
import { table } from "../../../assets/kit/table.js";
import { token } from "../../../assets/kit/token.js";
import { html, live, nothing } from "../../../assets/vendor/lit-html.js";
import { threeWays } from "./patterns.js";

const WAYS = ["infinite", "zero", "billion"];
export const LARGEST = 1e4; // largest score to type

/** A number of the table: four digits, a large one as a power of ten. @param {number} value */
export function scoreText(value) {
  if (Number.isNaN(value)) return "NaN";
  if (value === -Infinity) return "−∞";
  if (Math.abs(value) < 1e6) return signedText(value, 4);
  // float32 has no number nearer to -1e9 + 3
  return value === -1e9 ? "−1e9" : `−${countText(Math.abs(value))}`;
}

const weightText = (value) =>
  value === 0 || Number.isNaN(value) ? String(value) : value.toFixed(4);

/** The table of the three ways, and the conclusions from its numbers. */
export function waysPicture(s) {
  const { t, set, answer, whole, ways } = s;
  const { columns, out, found } = made(s);
  const { bias } = ways;
  const change = (name, i, value) =>
    // of the moment: two may be typed before it is drawn
    set((now) => {
      const { scores, masked } = rowOf(now, answer);
      const row = { scores, masked };
      return { own: { batch: answer.key, ...row, [name]: row[name].with(i, value) } };
    });
  return html`<div class="hl-masks-ways">
    ${table({
      label: t("ways"),
      class: "hl-masks-table",
      columns: [
        "key",
        "mask",
        "score",
        ...(bias ? ["bias"] : []),
        ...WAYS.map((way) => `way.${way}`),
      ].map((key, i) => ({
        name: t(key),
        text: i === 0,
      })),
      rows: columns.map((label, i) => ({
        class: out[i] ? "hl-masks-out" : "",
        cells: [
          token(label),
          maskBox(t, label, { checked: out[i], disabled: whole }, (on) => change("masked", i, on)),
          scoreField(t, label, ways.scores[i], (value) => change("scores", i, value)),
          ...(bias ? [`+ ${signedText(bias[i], 4)}`] : []),
          ...WAYS.map((way) => wayCell(way, found[way].scores[i], found[way].weights[i])),
        ],
      })),
    })}
    <div aria-live="polite">
      ${notesOf(t, found, out, ways).map((text) => html`<p class="hl-masks-note">${text}</p>`)}
    </div>
  </div>`;
}

/** The result of each way for the row: {columns, out, found}. */
function made({ answer, whole, ways }) {
  const { masked } = ways;
  const out = whole ? masked.map(() => true) : masked;
  return { columns: answer.rows[answer.which].src, out, found: threeWays(addedOf(ways), out) };
}

/** What the mask is added to: the scores, and the bias where the model has one. */
const addedOf = ({ scores, bias }) =>
  bias ? scores.map((score, i) => Math.fround(score + bias[i])) : scores;

/** The attention that masked keys get if their scores are set to 0. */
export function leakOf(ways) {
  const { weights } = threeWays(addedOf(ways), ways.masked).zero;
  return weights.reduce((sum, one, i) => sum + (ways.masked[i] ? one : 0), 0);
}

/** The same numbers as a table to download. */
export function waySheet(s) {
  const { columns, out, found } = made(s);
  const weight = (way) => ({
    head: s.t(`way.${way}`),
    cell: (_, i) => weightText(found[way].weights[i]),
  });
  return {
    name: s.t("ways"),
    file: "mask-three-ways",
    rows: columns,
    columns: {
      key: { text: true, cell: (label) => label.text },
      masked: { head: s.t("mask"), cell: (_, i) => Number(out[i]) },
      score: { cell: (_, i) => scoreText(s.ways.scores[i]), csv: (_, i) => s.ways.scores[i] },
      ...(s.ways.bias && {
        bias: { cell: (_, i) => scoreText(s.ways.bias[i]), csv: (_, i) => s.ways.bias[i] },
      }),
      ...Object.fromEntries(WAYS.map((way) => [`weight_${way}`, weight(way)])),
    },
  };
}

const isOwn = (own, batch) => own?.batch === batch.key && own.scores.length === batch.scores.keys;

/** The scores and the mask: the visitor's own, or the model's with the padding masked; and the
 * model's bias, or null. */
export function rowOf({ own, ...picked }, batch) {
  const { values, bias, heads, queries, keys, padding } = batch.scores;
  const { layer, head, query } = placeOf(picked, batch);
  const from = ((layer * heads + head) * queries + query) * keys;
  const row = (numbers) => Array.from(numbers.subarray(from, from + keys));
  const masked = Array.from({ length: keys }, (_, i) => i >= keys - (padding || 1));
  return {
    ...(isOwn(own, batch) ? own : { scores: row(values), masked }),
    bias: bias && row(bias),
  };
}

/** The visitor's choice, or else the row in which masked keys leak the most. */
function placeOf(picked, { scores: { layers, heads, queries, worst } }) {
  const one = (name, count) => Math.min(picked[name] ?? worst[name], count - 1);
  return { layer: one("layer", layers), head: one("head", heads), query: one("query", queries) };
}

/** The row of scores: a layer, a head and a query of the encoder. */
export function picks(s) {
  const { t, set, answer: batch } = s;
  const { rows, which, scores } = batch;
  const place = placeOf(s, batch);
  const numbered = (name, count) =>
    Array.from({ length: count }, (_, i) => t(`pick.${name}.n`, { n: i + 1 }));
  const names = {
    layer: numbered("layer", scores.layers),
    head: numbered("head", scores.heads),
    query: rows[which].src
      .slice(0, scores.queries)
      .map((label) => t("pick.query.n", { text: label.line ?? label.text })),
  };
  return html`<div class="hl-row hl-masks-pick">
    ${Object.entries(names).map(([name, labels]) =>
      select({
        label: t(`pick.${name}`),
        quiet: true,
        options: labels.map((label, i) => ({ value: String(i), label })),
        value: String(place[name]),
        onChange: (value) =>
          set((now) => ({ ...placeOf(now, batch), [name]: Number(value), own: null })),
      }),
    )}
    ${
      isOwn(s.own, batch)
        ? button({ label: t("real"), onClick: () => set({ own: null }) })
        : nothing
    }</div>`;
}

const maskBox = (t, { text }, { checked, disabled }, onChange) => html`<input type="checkbox"
  aria-label=${t("masked", { text })} .checked=${live(checked)} ?disabled=${disabled}
  @change=${(event) => onChange(event.target.checked)}>`;

const scoreField = (t, { text }, score, onChange) => html`<input type="number" step="0.1"
  class="hl-typed" aria-label=${t("score.of", { text })} .value=${live(score.toFixed(4))}
  @change=${({ target }) =>
    onChange(Math.max(-LARGEST, Math.min(LARGEST, Number(target.value) || 0)))}>`;

const wayCell = (way, score, weight) => html`<small>${scoreText(score)} →</small>
  <b data-way=${way} data-weight=${weight}>${weightText(weight)}</b>`;

/** The conclusions about each way. */
function notesOf(t, found, out, ways) {
  const { zero, billion } = found;
  const leak = ({ weights }) => weights.reduce((sum, one, i) => sum + (out[i] ? one : 0), 0);
  if (!out.every(Boolean)) {
    const lost = leak(billion);
    return [
      t(ways.bias ? "note.biased" : "note.infinite"),
      t("note.zero", { leak: percentText(leak(zero)) }),
      t("note.billion", { leak: lost === 0 ? "0" : percentText(lost) }),
    ];
  }
  const [low, high] = [Math.min(...billion.scores), Math.max(...billion.scores)];
  return [
    t("whole.infinite"),
    t("whole.zero", { weight: weightText(zero.weights[0]) }),
    t(low === high ? "whole.billion" : "whole.rounded", {
      weight: weightText(Math.max(...billion.weights)),
      score: scoreText(high),
      low: scoreText(low),
      before: scoreText(addedOf(ways)[0]),
    }),
  ];
}
