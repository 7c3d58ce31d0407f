// -inf, 0 and -1e9: one row of scores, masked in three ways, and the softmax of each.

import { element } from "../elements.js";
import { percentText, signedText } from "../numbers.js";
import { langOf, number, t } from "../words.js";
import { threeWays } from "./masks_patterns.js";

const WAYS = ["infinite", "zero", "billion"];

// A number of the table: four digits, a large one as a power of ten.
export function scoreText(value) {
  if (Number.isNaN(value)) return "NaN";
  if (value === -Infinity) return "−∞";
  if (Math.abs(value) < 1e6) return signedText(value, 4);
  return value === -1e9 ? "−1e9" : signedText(value, 0); // float32 has no number nearer to -1e9 + 3
}

export function createWays(root, source) {
  const chosen = { layer: 0, head: 0, query: 0 };
  let own = null; // {scores, masked} where the visitor changed them
  let whole = false; // nothing may be read
  const pickers = Object.keys(chosen).map((name) => {
    const select = element("select", { "data-t-label": `masks.pick.${name}` });
    select.addEventListener("change", () => { chosen[name] = Number(select.value); own = null; draw(); });
    return { name, select };
  });
  const all = element("input", { type: "checkbox", id: "hl-masks-whole" });
  all.addEventListener("change", () => { whole = all.checked; draw(); });
  const real = element("button", { type: "button", "data-t": "masks.real", onclick: () => { own = null; draw(); } });
  const table = element("table", { class: "hl-masks-table" });
  const notes = element("div", { class: "hl-masks-notes", "aria-live": "polite" });
  root.append(
    element("div", { class: "hl-masks-pick" }, ...pickers.map(({ select }) => select), real),
    element("label", { class: "hl-masks-whole" }, all, element("span", { "data-t": "masks.whole" })),
    element("div", { class: "hl-masks-scroll" }, table), notes);

  function current() {
    if (own !== null) return own;
    const { values, heads, queries, keys, padding } = source();
    const from = ((chosen.layer * heads + chosen.head) * queries + chosen.query) * keys;
    const masked = Array.from({ length: keys }, (_, i) => i >= keys - (padding || 1));
    return { scores: Array.from(values.subarray(from, from + keys)), masked };
  }

  function change(name, i, value) {
    const { scores, masked } = current();
    own = { scores: [...scores], masked: [...masked] };
    own[name][i] = value;
    draw();
  }

  function draw(fresh = false) {
    if (fresh) own = null;
    const now = source();
    if (now === null) return;
    chosen.query = Math.min(chosen.query, now.queries - 1);
    pick(now);
    real.hidden = own === null;
    const { scores, masked } = current();
    const out = whole ? masked.map(() => true) : masked;
    const ways = threeWays(scores, out);
    const focus = document.activeElement?.dataset?.cell;
    table.replaceChildren(...tableOf(now.columns, { scores, out, ways, whole }, change));
    if (focus) table.querySelector(`[data-cell="${focus}"]`)?.focus();
    notes.replaceChildren(...notesOf(ways, out, scores).map((text) => element("p", {}, text)));
  }

  function pick(now) {
    const texts = {
      layer: Array.from({ length: now.layers }, (_, i) => t("masks.pick.layer.n", { n: number(i) })),
      head: Array.from({ length: now.heads }, (_, i) => t("masks.pick.head.n", { n: number(i) })),
      query: now.columns.slice(0, now.queries).map((label) => t("masks.pick.query.n", { text: label.line ?? label.text })),
    };
    for (const { name, select } of pickers) {
      select.replaceChildren(...texts[name].map((text, value) => element("option", { value }, text)));
      select.value = chosen[name];
    }
  }
  return draw;
}

function tableOf(columns, { scores, out, ways, whole }, change) {
  const heads = WAYS.map((way) => element("th", { scope: "colgroup", colspan: 2 }, t(`masks.way.${way}`)));
  const rows = columns.map((label, i) => element("tr", { class: out[i] ? "hl-masks-out" : "" },
    element("th", { scope: "row", lang: langOf(label.text) }, label.line ?? label.text),
    element("td", {}, element("input", {
      type: "checkbox", checked: out[i] || null, disabled: whole, "data-cell": `masked-${i}`, "aria-label": t("masks.masked", { text: label.text }),
      onchange: (event) => change("masked", i, event.target.checked),
    })),
    element("td", {}, element("input", {
      type: "number", step: 0.1, value: scores[i].toFixed(4), "data-cell": `score-${i}`, "aria-label": t("masks.score.of", { text: label.text }),
      onchange: (event) => change("scores", i, Math.max(-1e4, Math.min(1e4, Number(event.target.value) || 0))),
    })),
    ...WAYS.flatMap((way) => [
      element("td", { class: "hl-masks-score" }, scoreText(ways[way].scores[i])),
      element("td", { "data-way": way, "data-weight": ways[way].weights[i] }, weight(ways[way].weights[i])),
    ])));
  return [
    element("thead", {},
      element("tr", {}, element("th", { scope: "col", rowspan: 2 }, t("masks.key")), element("th", { scope: "col", rowspan: 2 }, t("masks.mask")),
        element("th", { scope: "col", rowspan: 2 }, t("masks.score")), ...heads),
      element("tr", {}, ...WAYS.flatMap(() => [element("th", { scope: "col" }, t("masks.score")), element("th", { scope: "col" }, t("masks.weight"))]))),
    element("tbody", {}, ...rows),
  ];
}

const weight = (value) => (value === 0 || Number.isNaN(value) ? String(value) : value.toFixed(4));

// What the numbers say of each way.
function notesOf(ways, out, scores) {
  const leaked = (way) => ways[way].weights.reduce((sum, one, i) => sum + (out[i] ? one : 0), 0);
  if (out.every(Boolean)) {
    return [
      t("masks.whole.infinite"),
      t("masks.whole.zero", { weight: weight(ways.zero.weights[0]) }),
      t("masks.whole.billion", { weight: weight(ways.billion.weights[0]), score: scoreText(ways.billion.scores[0]), before: scoreText(scores[0]) }),
    ];
  }
  return [
    t("masks.note.infinite"),
    t("masks.note.zero", { leak: percentText(leaked("zero")) }),
    t("masks.note.billion", { leak: leaked("billion") === 0 ? "0" : percentText(leaked("billion")) }),
  ];
}
