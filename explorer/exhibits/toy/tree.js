// The picture of the search: a column for each step, the most likely candidate at the top, each
// joined to the one that it extends.

import { arrow } from "../../../assets/kit/elements.js";
import { signedText } from "../../../assets/kit/numbers.js";
import { html, nothing, svg } from "../../../assets/vendor/lit-html.js";
import { shortText } from "./sums.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

// Sizes in em.
const BOX = { height: 1.55 };
const LETTER = { text: 0.68, number: 0.47, rank: 1.2, edges: 1.6 }; // what makes a box wide
const GAP = { column: 2.2, row: 0.3 };
const TOP = 1.7;
const START = 3.2;

/** Where everything stands, in em: {width, height, box, x(step), y(candidate)}. */
export function layoutOf(columns) {
  const box = Math.max(...columns.flat().map(widthOf));
  const most = Math.max(...columns.map((nodes) => nodes.length));
  const x = (/** @type {number} */ step) => START + GAP.column + step * (box + GAP.column);
  const y = (/** @type {number} */ candidate) => TOP + candidate * (BOX.height + GAP.row);
  return { x, y, box, width: x(columns.length - 1) + box + 1.2, height: y(most) };
}

/**
 * @param {Page} page
 * @param {{columns: any[][], hypotheses: {text: string}[]}} found
 * @param {{greedy: string, best: string}} marks the texts whose paths are marked
 * @param {{pointed: any, onPoint: (node: any) => void}} pointer
 */
export function treeOf(page, { columns, hypotheses }, marks, { pointed, onPoint }) {
  const { t } = page;
  const layout = layoutOf(columns);
  const ranks = hypotheses.map(({ text }) => text);
  const stop = pointed ?? columns[0][0]; // of the tab key
  return html`<div class="hl-toy-picture" @keydown=${(event) => move(event, columns)}
    @pointerleave=${() => onPoint(null)}>
    <svg class="hl-toy-tree" style="width:${layout.width}em;height:${layout.height}em"
      viewBox="0 0 ${layout.width} ${layout.height}" role="group" aria-label=${t("toy.picture")}>
      <text class="hl-toy-quiet" x="0.2" y=${layout.y(0) + 1.12}>${t("toy.start")}</text>
      ${columns.map(
        (_, step) =>
          svg`<text class="hl-toy-quiet" x=${layout.x(step)} y="1">${t("toy.step", {
            n: step + 1,
          })}</text>`,
      )}
      ${columns.flat().map((node) => edge(node, layout))}
      ${columns.flat().map((node) => {
        const about = nodeText(page, node, columns[node.step].length, marks);
        const place = `translate(${layout.x(node.step)} ${layout.y(node.candidate)})`;
        return svg`<g class="hl-toy-box hl-toy-${node.fate}" transform=${place} role="img"
          aria-label=${about} tabindex=${node === stop ? 0 : -1} data-step=${node.step}
          data-candidate=${node.candidate} data-parent=${node.parent} data-fate=${node.fate}
          data-total=${node.total} data-text=${node.text} @focus=${() => onPoint(node)}
          @pointerenter=${() => onPoint(node)}
          >${box(node, marks, ranks.indexOf(node.text), layout.box)}</g>`;
      })}
    </svg></div>`;
}

/** @param {any} event @param {any[][]} columns */
function move(event, columns) {
  const step = arrow(event);
  const { step: at, candidate } = event.target.dataset;
  if (step === null || at === undefined) return;
  event.preventDefault();
  const within = (to, list) => Math.max(0, Math.min(list.length - 1, to));
  const column = within(Number(at) + step.columns, columns);
  const row = within(Number(candidate) + step.rows, columns[column]);
  const next = `[data-step="${column}"][data-candidate="${row}"]`;
  event.currentTarget.querySelector(next).focus();
}

function edge({ step, candidate, parent, fate }, { x, y, box: width }) {
  const [x0, y0] = step === 0 ? [START, y(0)] : [x(step - 1) + width, y(parent)];
  const [x1, y1] = [x(step), y(candidate) + BOX.height / 2];
  const [middle, from] = [(x0 + x1) / 2, y0 + BOX.height / 2];
  return svg`<path class="hl-toy-edge hl-toy-${fate}"
    d="M${x0} ${from}C${middle} ${from} ${middle} ${y1} ${x1} ${y1}"></path>`;
}

/** How its probability is made: ".4 × .3 = .12". */
const sumText = ({ before, own, probability }) => {
  const factors = before === null ? "" : `${shortText(before.probability)} × ${shortText(own)} = `;
  return factors + shortText(probability);
};

const widthOf = (/** @type {any} */ node) =>
  node.text.length * LETTER.text +
  sumText(node).length * LETTER.number +
  LETTER.edges +
  (node.fate === "finished" ? LETTER.rank : 0);

/** A candidate: its fate by its border, its probability by its numbers. */
function box(node, marks, /** @type {number} */ rank, /** @type {number} */ width) {
  const { fate, text } = node;
  const isFound = fate === "finished" && rank >= 0;
  return svg`${frame(fate, width, BOX.height)}
    <text class="hl-toy-text" x="0.5" y="1.1">${text}</text>
    <text class="hl-toy-numbers" x=${width - 0.45} y="1.1" text-anchor="end">${sumText(node)}</text>
    ${marks.greedy.startsWith(text) ? arrowHead(-0.75, BOX.height / 2) : nothing}
    ${
      marks.best.startsWith(text)
        ? svg`<text class="hl-toy-best" x=${width + 0.12} y="1.12">★</text>`
        : nothing
    }
    ${
      isFound
        ? svg`<text class="hl-toy-rank"
      x=${0.9 + text.length * LETTER.text} y="1.1">${rank + 1}.</text>`
        : nothing
    }`;
}

const frame = (fate, width, height) => svg`<rect width=${width} height=${height} rx="0.25"></rect>
  ${
    fate === "finished"
      ? svg`<rect class="hl-toy-inner" x="0.14" y="0.14" width=${width - 0.28}
          height=${height - 0.28} rx="0.15"></rect>`
      : nothing
  }`;

const arrowHead = (/** @type {number} */ x, /** @type {number} */ y) =>
  svg`<path class="hl-toy-greedy" d="M${x} ${y - 0.42}l0.62 0.42l-0.62 0.42Z"></path>`;

/** What the signs of the picture mean. @param {Page} page */
export function legendOf({ t }) {
  const sample = (drawing) => html`<svg class="hl-toy-sample" viewBox="-0.2 -0.2 2.4 1.6"
    aria-hidden="true">${drawing}</svg>`;
  const boxes = ["kept", "pruned", "finished"].map((fate) => ({
    sign: sample(svg`<g class="hl-toy-box hl-toy-${fate}">${frame(fate, 2, 1.2)}</g>`),
    name: t(`toy.fate.${fate}`),
  }));
  const entries = [
    ...boxes,
    { sign: sample(arrowHead(0.7, 0.6)), name: t("toy.mark.greedy") },
    { sign: html`<b class="hl-toy-best" aria-hidden="true">★</b>`, name: t("toy.mark.best") },
  ];
  return html`<ul class="hl-toy-legend">
    ${entries.map(({ sign, name }) => html`<li>${sign}${name}</li>`)}
  </ul>`;
}

/** A candidate in words, and how many it is one of. */
export function nodeText(
  /** @type {Page} */ { t },
  { step, candidate, fate, text, total, before, own, probability },
  count,
  marks,
) {
  const facts = {
    text,
    p: shortText(probability),
    own: shortText(own),
    before: before === null ? "" : shortText(before.probability),
    log_prob: signedText(total, 4),
    rank: candidate + 1,
    count,
    step: step + 1,
    fate: t(`toy.fate.${fate}`),
  };
  const paths = ["greedy", "best"].filter((path) => marks[path].startsWith(text));
  const first = before === null ? "toy.node.first" : "toy.node";
  return [t(first, facts), ...paths.map((path) => t(`toy.mark.${path}`))].join(" · ");
}
