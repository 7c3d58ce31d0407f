// Two linked pictures: the search's candidates, and every text, with its probability as height.
// Pointing in one marks both.

import { html, nothing, svg } from "../../../assets/vendor/lit-html.js";
import { mosaic } from "./mosaic.js";
import { beginningsOf } from "./sums.js";
import { arrowHead, frame, layoutOf, move, nodeText, treeOf } from "./tree.js";

/** @typedef {import("./view.js").Scene} Scene */

const BESIDE = 52; // em of a picture with room for both side by side
const ROOMY = 68; // em with room for the legend on a line
const GAP = 2; // em between the two
const HEAD = 1.7; // em of their names

/** @param {Scene} s @param {{width: number, height: number, em: number}} size */
export function picture(s, { width, height, em }) {
  const { t, answer, marks, set, pointed, trouble } = s;
  const { tree, all, foot } = placesOf(width, height, em);
  const { columns } = answer;
  const layout = layoutOf(columns, { ...tree, em });
  const texts = beginningsOf(answer.table, answer.length, s.page.facts.letters);
  const onPoint = (/** @type {string} */ text) => set({ pointed: text });
  const scene = { ...answer, t, marks, pointed, onPoint };
  const found = nodeOf(columns, pointed) ?? unseen(texts, pointed);
  return html`<figure class="hl-toy-picture ${trouble ? "hl-toy-old" : ""}"
      @pointerleave=${() => set({ pointed: null })} @keydown=${(/** @type {Parameters<typeof move>[0]} */ event) => move(event, columns)}>
    <svg class="hl-toy-tree" width=${width} height=${height - foot * em}
      viewBox="0 0 ${width} ${height - foot * em}" role="group" aria-label=${t("picture")}>
      ${named(t("search"), tree, em)}
      <g transform="translate(${tree.x} ${tree.y})">${treeOf(scene, layout)}</g>
      ${named(t("all.name", { n: answer.all.length }), all, em)}
      <g transform="translate(${all.x} ${all.y})">${mosaic(scene, texts, { ...all, em })}</g>
    </svg>
    <figcaption style="height:${foot}em">
      ${legend(t)}
      <p class="hl-toy-node">${found ? nodeText(t, found, columns, marks) : t("node.hint")}</p>
    </figcaption>
  </figure>`;
}

/** The places of the two in px: side by side or stacked; and em of the foot.
 * @param {number} width @param {number} height @param {number} em */
function placesOf(width, height, em) {
  const isBeside = width >= BESIDE * em;
  const foot = isBeside ? (width >= ROOMY * em ? 3.2 : 4.6) : 8;
  const high = height - foot * em;
  const [gap, top] = [GAP * em, HEAD * em];
  if (isBeside) {
    const wide = 0.6 * (width - gap);
    const size = { y: top, height: high - top };
    return {
      foot,
      tree: { ...size, x: 0, width: wide },
      all: { ...size, x: wide + gap, width: width - wide - gap },
    };
  }
  const half = { x: 0, width, height: (high - gap) / 2 - top };
  return { foot, tree: { ...half, y: top }, all: { ...half, y: top + half.height + gap + top } };
}

/** @param {string} name @param {{x: number, y: number}} place px @param {number} em */
const named = (name, { x, y }, em) =>
  svg`<text class="hl-toy-name" x=${x} y=${y - 0.6 * em}>${name}</text>`;

/** @template {{text: string}} T @param {T[][]} columns @param {string|null} text */
const nodeOf = (columns, text) =>
  columns[(text?.length ?? 0) - 1]?.find((one) => one.text === text);

/** A prefix that the search never considered, as a candidate.
 * @param {import("./sums.js").Beginning[][]} texts @param {string|null} text
 * @returns {import("./sums.js").Seen|undefined} */
function unseen(texts, text) {
  const found = nodeOf(texts, text);
  return found && { ...found, step: found.text.length - 1, fate: "unseen" };
}

/** The meaning of the picture's signs. @param {Scene["t"]} t */
function legend(t) {
  const sample = (
    /** @type {unknown} */ drawing,
  ) => html`<svg class="hl-toy-sample" viewBox="-0.2 -0.2 2.4 1.6"
    aria-hidden="true">${drawing}</svg>`;
  const boxes = ["kept", "pruned", "finished", "unseen"].map((fate) => ({
    sign: sample(svg`<g class="hl-toy-${fate}">${frame(fate, 2, 1.2, 0.14)}</g>`),
    name: t(`fate.${fate}`),
  }));
  const entries = [
    ...boxes,
    {
      sign: sample(svg`<g transform="translate(1.3 0.6)">${arrowHead(0.9)}</g>`),
      name: t("mark.greedy"),
    },
    { sign: html`<b class="hl-toy-best" aria-hidden="true">★</b>`, name: t("mark.best") },
  ];
  return html`<ul class="hl-toy-legend">
    ${entries.map(({ sign, name }) => html`<li>${sign ?? nothing}${name}</li>`)}
  </ul>`;
}
