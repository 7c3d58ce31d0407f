// The picture of the toy's search: a column a step, the likeliest candidate at the top, each joined
// to the one that it extends.

import { arrow, svg } from "../elements.js";
import { signedText } from "../numbers.js";
import { number, t } from "../words.js";
import { shortText } from "./toy_sums.js";

// Sizes in em.
const BOX = { width: 11, height: 1.55 };
const GAP = { column: 2.2, row: 0.3 };
const TOP = 1.7;
const START = 3.2;

// Where everything stands, in em: {width, height, x(step), y(candidate)}.
export function layoutOf(columns) {
  const most = Math.max(...columns.map((nodes) => nodes.length));
  const x = (step) => START + GAP.column + step * (BOX.width + GAP.column);
  const y = (candidate) => TOP + candidate * (BOX.height + GAP.row);
  return { x, y, width: x(columns.length - 1) + BOX.width + 1.2, height: y(most) };
}

// Draws into `place`; `onPoint(node)` is called with the candidate that is pointed at, or null.
export function createTree(place, onPoint) {
  let groups = [];
  let at = [0, 0];
  place.addEventListener("keydown", (event) => {
    const step = arrow(event);
    if (step === null || groups.length === 0) return;
    event.preventDefault();
    const column = Math.max(0, Math.min(groups.length - 1, at[0] + step.columns));
    const row = Math.max(0, Math.min(groups[column].length - 1, at[1] + step.rows));
    groups[column][row].focus();
  });
  place.addEventListener("pointerleave", () => onPoint(null));

  return {
    // marks: {greedy, best}, the texts whose ways are marked; ranks: the found texts, best first.
    draw(columns, marks, ranks) {
      const layout = layoutOf(columns);
      const em = parseFloat(getComputedStyle(place).fontSize);
      groups = columns.map((nodes) => nodes.map((node) => box(node, layout, columns, marks, ranks)));
      groups.flat().forEach((group) => group.setAttribute("tabindex", -1));
      groups.forEach((column, step) => column.forEach((group, candidate) => {
        const take = () => onPoint(columns[step][candidate]);
        group.addEventListener("pointerenter", take);
        group.addEventListener("focus", () => {
          groups[at[0]]?.[at[1]]?.setAttribute("tabindex", -1);
          at = [step, candidate];
          group.setAttribute("tabindex", 0);
          take();
        });
      }));
      at = [0, 0];
      groups[0][0].setAttribute("tabindex", 0);
      place.replaceChildren(svg("svg", {
        width: layout.width * em, height: layout.height * em, viewBox: `0 0 ${layout.width} ${layout.height}`,
        role: "group", "aria-label": t("toy.picture"),
      }, ...heads(columns, layout), ...columns.flat().map((node) => edge(node, layout)), ...groups.flat()));
    },
  };
}

function heads(columns, layout) {
  return [
    svg("text", { class: "hl-toy-start", x: 0.2, y: layout.y(0) + BOX.height / 2 + 0.35 }, t("toy.start")),
    ...columns.map((_, step) => svg("text", { class: "hl-toy-head", x: layout.x(step), y: 1 }, t("toy.step", { n: number(step) }))),
  ];
}

function edge({ step, candidate, parent, fate }, { x, y }) {
  const from = step === 0 ? [START, y(0)] : [x(step - 1) + BOX.width, y(parent)];
  const [x0, y0] = [from[0], from[1] + BOX.height / 2];
  const [x1, y1] = [x(step), y(candidate) + BOX.height / 2];
  const middle = (x0 + x1) / 2;
  return svg("path", { class: `hl-toy-edge hl-toy-${fate}`, d: `M${x0} ${y0} C${middle} ${y0} ${middle} ${y1} ${x1} ${y1}` });
}

// A candidate: what it is by its border, how it came about by its numbers.
function box(node, { x, y }, columns, marks, ranks) {
  const { step, candidate, parent, fate, text, total, before, own, probability } = node;
  const words = before === null ? shortText(probability) : `${shortText(before.probability)} × ${shortText(own)} = ${shortText(probability)}`;
  const rank = ranks.indexOf(text);
  const marked = (whole) => whole.startsWith(text);
  return svg("g", {
    class: `hl-toy-box hl-toy-${fate}`, transform: `translate(${x(step)} ${y(candidate)})`, role: "img",
    "aria-label": nodeText(node, columns[step].length, marks),
    "data-step": step, "data-candidate": candidate, "data-parent": parent, "data-fate": fate, "data-total": total, "data-text": text,
  },
  svg("rect", { width: BOX.width, height: BOX.height, rx: 0.25 }),
  ...(fate === "finished" ? [svg("rect", { class: "hl-toy-inner", x: 0.14, y: 0.14, width: BOX.width - 0.28, height: BOX.height - 0.28, rx: 0.15 })] : []),
  svg("text", { class: "hl-toy-text", x: 0.5, y: 1.1 }, text),
  svg("text", { class: "hl-toy-numbers", x: BOX.width - 0.45, y: 1.1, "text-anchor": "end" }, words),
  ...(marked(marks.greedy) ? [svg("path", { class: "hl-toy-greedy", d: `M-0.75 ${BOX.height / 2 - 0.42} l0.62 0.42 l-0.62 0.42 Z` })] : []),
  ...(marked(marks.best) ? [svg("text", { class: "hl-toy-best", x: BOX.width + 0.12, y: 1.12 }, "★")] : []),
  ...(rank >= 0 && fate === "finished" ? [svg("text", { class: "hl-toy-rank", x: 2.9, y: 1.1 }, `${number(rank)}.`)] : []));
}

// A candidate in words, for those who point at it and those who do not see it.
export function nodeText({ step, candidate, fate, text, total, before, own, probability }, count, marks) {
  const facts = {
    text, p: shortText(probability), own: shortText(own), before: before === null ? "" : shortText(before.probability),
    log_prob: signedText(total, 4), rank: number(candidate), count, step: number(step), fate: t(`toy.fate.${fate}`),
  };
  const ways = ["greedy", "best"].filter((way) => marks[way].startsWith(text)).map((way) => t(`toy.mark.${way}`));
  return [t(before === null ? "toy.node.first" : "toy.node", facts), ...ways].join(" · ");
}
