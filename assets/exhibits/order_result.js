// Before and after: the translation, the log-probs of the original tokens, and one head's attention.

import { diverging, ramps } from "../colour.js";
import { element } from "../elements.js";
import { signedText } from "../numbers.js";
import { createSmallMap } from "../smallmap.js";
import { axes, KINDS } from "../selection.js";
import { choose, record, selection } from "../state.js";
import { langOf, language, number, t } from "../words.js";
import { differences } from "./order_diff.js";
import { headName } from "./readout.js";

export function createResult() {
  const said = element("div", { class: "hl-order-said" });
  const tokens = element("div", { class: "hl-scroll" });
  const heading = element("h3");
  const kinds = element("div", { class: "hl-order-kinds" });
  const axesLine = element("p", { class: "hl-axes" });
  const areas = ["before", "after", "change"].map((name) => ({ name, title: element("h4"), area: element("div") }));
  const maps = areas.map(({ area }) => createSmallMap(area, { onPoint: (cell) => light(cell) }));
  const three = element("div", { class: "hl-order-maps" }, ...areas.map(({ title, area }) => element("div", {}, title, area)));
  three.hidden = true; // until there is something in them
  const cell = element("p", { class: "hl-note", "aria-live": "polite" });
  const node = element("div", { class: "hl-order-main" }, said, tokens,
    element("div", { class: "hl-order-head" }, heading, kinds), axesLine, three, cell);
  let drawn = null; // what the maps show

  function light(at) {
    for (const map of maps) map.light(at);
    if (drawn === null || at === null) return;
    const i = at.row * drawn.keys + at.col;
    const [before, after] = drawn.weights;
    cell.textContent = Number.isNaN(before[i]) ? t("readout.masked") : t("order.cell", {
      row: drawn.rows[at.row].text, column: drawn.columns[at.col].text,
      before: before[i].toFixed(4), after: after[i].toFixed(4), change: signedText(after[i] - before[i], 4),
    });
  }

  function draw({ found, trouble, waiting, theme }) {
    const shown = record.get();
    node.classList.toggle("hl-waiting", waiting && trouble === null);
    node.setAttribute("aria-busy", waiting && trouble === null);
    if (trouble !== null) {
      said.replaceChildren(element("p", {}, trouble[language.get()]));
      return;
    }
    if (found === null || shown === null) {
      said.replaceChildren(element("p", {}, t("order.waiting")));
      return;
    }
    said.replaceChildren(...translations(found));
    const chosen = selection.get();
    heading.replaceChildren(t("order.attention", { head: headName(chosen) }));
    kinds.replaceChildren(...KINDS.map((kind) => element("button", {
      type: "button", "aria-pressed": String(kind === chosen.kind), onclick: () => choose({ kind }),
    }, t(`kind.${kind}`))));
    axesLine.textContent = t("order.axes");
    if (waiting) return;
    const same = sameTokens(found.ids, shown.tgt_out);
    tokens.replaceChildren(...(same ? [tokenTable(found, shown)] : []));
    if (same) drawMaps(found, shown, chosen, theme);
    else noMaps();
  }

  function drawMaps(found, shown, chosen, theme) {
    const { queries, keys, allowed } = shown.attention[chosen.kind];
    const weights = found.weights.map((all) => masked(all, allowed));
    const change = weights[0].map((value, i) => 0.5 + (weights[1][i] - value) / 2);
    const { rows, columns } = axes(shown, chosen.kind, chosen.labels);
    drawn = { weights, keys, rows: rows.labels, columns: columns.labels };
    three.hidden = false;
    cell.textContent = "";
    const width = areas[0].area.clientWidth;
    [weights[0], weights[1], change].forEach((cells, i) => {
      const { name, title } = areas[i];
      title.textContent = t(`order.map.${name}`);
      maps[i].draw({
        cells, queries, keys, rows: rows.labels, columns: columns.labels, width, bare: i > 0,
        ramp: i === 2 ? diverging[theme] : ramps[theme], name: t(`order.map.${name}`),
      });
    });
  }

  // Where the page itself shows a changed model, its tokens are not those of the run before.
  function noMaps() {
    drawn = null;
    three.hidden = true;
    cell.textContent = t("order.other");
  }

  return { node, draw };
}

export const sameTokens = (ids, labels) => ids.length === labels.length && ids.every((id, i) => id === labels[i].id);

function masked(all, allowed) {
  const cells = new Float32Array(all.length).fill(NaN);
  for (const i of allowed) cells[i] = all[i];
  return cells;
}

function translations({ before, after }) {
  const parts = differences(before.text, after.text);
  const line = (own) => parts.filter(({ where }) => where === "both" || where === own)
    .map(({ text, where }) => (where === "both" ? text : element(own === "first" ? "del" : "ins", {}, text)));
  const row = (name, run, own) => [
    element("span", { class: "hl-side" }, t(`order.${name}`)),
    element("p", { lang: langOf(run.text), class: "hl-order-text" }, ...(run.text === "" ? [t("hypothesis.empty")] : line(own))),
    element("span", { class: "hl-order-sum" }, t("order.sum", { log_prob: signedText(run.log_prob), n: run.length })),
  ];
  return [...row("before", before, "first"), ...row("after", after, "second")];
}

// The log-prob of each token of the run before: then, and read by the changed model.
function tokenTable({ again }, shown) {
  const [before, after] = again;
  const sum = (all) => all.reduce((total, one) => total + one, 0);
  const row = (name, all, end) => element("tr", {}, element("th", { scope: "row" }, name),
    ...Array.from(all, (value) => element("td", {}, signedText(value))), element("td", { class: "hl-order-total" }, signedText(end)));
  return element("table", { class: "hl-order-tokens" },
    element("thead", {}, element("tr", {}, element("th", {}, t("order.original")),
      ...shown.tgt_out.map((label, i) => element("th", { scope: "col", title: number(i), lang: langOf(label.text) }, label.line ?? label.text)),
      element("th", { scope: "col" }, t("order.total")))),
    element("tbody", {}, row(t("order.before"), before, sum(before)), row(t("order.after"), after, sum(after)),
      row(t("order.change"), after.map((value, i) => value - before[i]), sum(after) - sum(before))));
}
