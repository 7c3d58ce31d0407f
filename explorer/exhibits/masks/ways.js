// −∞, 0 and −1e9: one row of scores, masked in three ways, and the softmax of each.

import { button, select, toggle } from "../../../assets/kit/choice.js";
import { downloads } from "../../../assets/kit/download.js";
import { countText, percentText, signedText } from "../../../assets/kit/numbers.js";
import { table } from "../../../assets/kit/table.js";
import { token } from "../../../assets/kit/token.js";
import { html, live, nothing } from "../../../assets/vendor/lit-html.js";
import { threeWays } from "./patterns.js";

const WAYS = ["infinite", "zero", "billion"];
export const LARGEST = 1e4; // a score that may be typed

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

/** @param {{page: import("../../../assets/kit/types.js").Page, state: any, batch: any}} given */
export function ways({ page, state, batch }) {
  const { t } = page;
  const { whole, own } = state.get();
  const columns = batch.rows[batch.which].src;
  const { scores, masked } = rowOf(state.get(), batch);
  const out = whole ? masked.map(() => true) : masked;
  const found = threeWays(scores, out);
  const change = (name, i, value) => {
    const row = rowOf(state.get(), batch); // of the moment: two may be typed before it is drawn
    state.merge({ own: { batch: batch.key, ...row, [name]: row[name].with(i, value) } });
  };
  return html`<section class="hl-stack hl-masks-ways">
    <h2>${t("masks.ways")}</h2>
    <div class="hl-row hl-masks-pick">
      ${picks(page, state, batch)}
      ${
        isOwn(own, batch)
          ? button({ label: t("masks.real"), onClick: () => state.merge({ own: null }) })
          : nothing
      }
    </div>
    ${toggle({
      class: "hl-masks-whole",
      label: t("masks.whole"),
      checked: whole,
      onChange: (on) => state.merge({ whole: on }),
    })}
    ${table({
      label: t("masks.ways"),
      class: "hl-masks-table",
      columns: [
        "masks.key",
        "masks.mask",
        "masks.score",
        ...WAYS.map((way) => `masks.way.${way}`),
      ].map((key, i) => ({ name: t(key), text: i === 0 })),
      rows: columns.map((label, i) => ({
        class: out[i] ? "hl-masks-out" : "",
        cells: [
          token(label),
          maskBox(page, label, { checked: out[i], disabled: whole }, (on) =>
            change("masked", i, on),
          ),
          scoreField(page, label, scores[i], (value) => change("scores", i, value)),
          ...WAYS.map((way) => wayCell(way, found[way].scores[i], found[way].weights[i])),
        ],
      })),
    })}
    <div aria-live="polite">
      ${notesOf(page, found, out, scores).map((text) => html`<p class="hl-masks-note">${text}</p>`)}
    </div>
    ${downloads(page, "mask-three-ways", { csv: () => csvOf(columns, scores, out, found) })}
  </section>`;
}

const isOwn = (own, batch) => own?.batch === batch.key && own.scores.length === batch.scores.keys;

/** The scores and the mask: the visitor's own, or the model's with the padding masked. */
function rowOf({ own, ...picked }, batch) {
  if (isOwn(own, batch)) return own;
  const { values, heads, queries, keys, padding } = batch.scores;
  const { layer, head, query } = placeOf(picked, batch);
  const from = ((layer * heads + head) * queries + query) * keys;
  const masked = Array.from({ length: keys }, (_, i) => i >= keys - (padding || 1));
  return { scores: Array.from(values.subarray(from, from + keys)), masked };
}

/** What was picked, and where nothing was, the row in which masked keys leak the most. */
function placeOf(picked, { scores: { layers, heads, queries, worst } }) {
  const one = (name, count) => Math.min(picked[name] ?? worst[name], count - 1);
  return { layer: one("layer", layers), head: one("head", heads), query: one("query", queries) };
}

function picks({ t }, state, batch) {
  const { rows, which, scores } = batch;
  const place = placeOf(state.get(), batch);
  const names = {
    layer: Array.from({ length: scores.layers }, (_, i) => t("masks.pick.layer.n", { n: i + 1 })),
    head: Array.from({ length: scores.heads }, (_, i) => t("masks.pick.head.n", { n: i + 1 })),
    query: rows[which].src
      .slice(0, scores.queries)
      .map((label) => t("masks.pick.query.n", { text: label.line ?? label.text })),
  };
  return Object.entries(names).map(([name, labels]) =>
    select({
      label: t(`masks.pick.${name}`),
      quiet: true,
      options: labels.map((label, i) => ({ value: String(i), label })),
      value: String(place[name]),
      onChange: (value) => state.merge({ ...place, [name]: Number(value), own: null }),
    }),
  );
}

const maskBox = ({ t }, { text }, { checked, disabled }, onChange) => html`<input type="checkbox"
  aria-label=${t("masks.masked", { text })} .checked=${live(checked)} ?disabled=${disabled}
  @change=${(event) => onChange(event.target.checked)}>`;

const scoreField = ({ t }, { text }, score, onChange) => html`<input type="number" step="0.1"
  class="hl-typed" aria-label=${t("masks.score.of", { text })} .value=${live(score.toFixed(4))}
  @change=${({ target }) =>
    onChange(Math.max(-LARGEST, Math.min(LARGEST, Number(target.value) || 0)))}>`;

const wayCell = (way, score, weight) => html`<small>${scoreText(score)} →</small>
  <b data-way=${way} data-weight=${weight}>${weightText(weight)}</b>`;

/** What the numbers say of each way. */
function notesOf({ t }, found, out, scores) {
  const { zero, billion } = found;
  const leak = ({ weights }) => weights.reduce((sum, one, i) => sum + (out[i] ? one : 0), 0);
  if (!out.every(Boolean)) {
    const lost = leak(billion);
    return [
      t("masks.note.infinite"),
      t("masks.note.zero", { leak: percentText(leak(zero)) }),
      t("masks.note.billion", { leak: lost === 0 ? "0" : percentText(lost) }),
    ];
  }
  const [low, high] = [Math.min(...billion.scores), Math.max(...billion.scores)];
  return [
    t("masks.whole.infinite"),
    t("masks.whole.zero", { weight: weightText(zero.weights[0]) }),
    t(low === high ? "masks.whole.billion" : "masks.whole.rounded", {
      weight: weightText(Math.max(...billion.weights)),
      score: scoreText(high),
      low: scoreText(low),
      before: scoreText(scores[0]),
    }),
  ];
}

const csvOf = (columns, scores, out, found) => [
  ["key", "masked", "score", ...WAYS.map((way) => `weight_${way}`)],
  ...columns.map((label, i) => [
    label.text,
    Number(out[i]),
    scores[i],
    ...WAYS.map((way) => weightText(found[way].weights[i])),
  ]),
];
