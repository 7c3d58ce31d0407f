// The picture of the search: a column for each step, the most likely candidate at the top, each
// joined to the one that it extends.

import { arrow } from "../../../assets/kit/elements.js";
import { textWidth } from "../../../assets/kit/heatplan.js";
import { signedText } from "../../../assets/kit/numbers.js";
import { nothing, svg } from "../../../assets/vendor/lit-html.js";
import { shortText, sumOf } from "./sums.js";

/** @typedef {import("./sums.js").Node} Node */
/** @typedef {import("./sums.js").Seen} Seen */
/** The texts that the pictures mark. @typedef {{greedy: string, best: string}} Marks */
/** @typedef {ReturnType<typeof layoutOf>} Layout */

/**
 * What both pictures draw: the search, the text pointed at, and what pointing does.
 * @typedef {import("./sums.js").Searched & {t: import("./view.js").Scene["t"], marks: Marks,
 *   pointed: string|null, onPoint: (text: string) => void}} Drawn
 */

export const LETTER = 0.93; // em of the letters, if there is room
const ROW = { most: 3, filled: 0.82, tallest: 1.9, lettered: 1.2 }; // em, shares, letters
const CAPITAL = 0.72; // letters of a capital's width
const HEAD = 1.5; // letters above the boxes
/** @type {(keyof Marks)[]} */
const PATHS = ["greedy", "best"];

/** The approximate width of a text of the five letters, in letters. @param {string} text */
export const widthOfText = (text) => text.length * CAPITAL;

/**
 * The layout in px, in a room of the given size. Boxes without room for the calculation of their
 * probability have only the probability.
 * @param {Node[][]} columns
 * @param {{width: number, height: number, em: number}} room
 */
export function layoutOf(columns, { width, height, em }) {
  const most = Math.max(...columns.map((all) => all.length));
  const share = height / (most + HEAD / ROW.lettered);
  const letter = Math.min(LETTER * em, share / ROW.lettered);
  const pitch = Math.min(ROW.most * em, (height - HEAD * letter) / most);
  const n = columns.length;
  const left = (/** @type {number} */ start, /** @type {number} */ gap) =>
    width - (start + n * gap) * letter; // px for all boxes
  const wanted = columns.map((all) => letter * Math.max(...all.map((node) => fullWidth(node))));
  const isFull = sumOf(wanted) <= left(3, 2);
  const boxes = isFull ? wanted : wanted.map(() => left(0.4, 1.3) / n);
  const start = (isFull ? 3 : 0.4) * letter;
  const gap = Math.min((width - start - sumOf(boxes)) / n, 6 * letter);
  return {
    letter,
    boxes,
    isFull,
    start,
    high: Math.min(ROW.filled * pitch, ROW.tallest * em),
    x: (/** @type {number} */ step) => start + gap + sumOf(boxes.slice(0, step)) + step * gap,
    y: (/** @type {number} */ candidate) => HEAD * letter + candidate * pitch,
  };
}

/** @param {Drawn} scene @param {Layout} layout */
export function treeOf(scene, layout) {
  const { t, columns, hypotheses, marks, pointed, onPoint } = scene;
  const ranks = hypotheses.map(({ text }) => text);
  const nodes = columns.flat();
  const stop = nodes.find(({ text }) => text === pointed) ?? nodes[0]; // of the tab key
  const { letter, x, y } = layout;
  return svg`
    ${
      layout.isFull
        ? svg`<text class="hl-toy-quiet" x="0" font-size=${letter}
            y=${y(0) + layout.high / 2 + 0.35 * letter}>${t("start")}</text>`
        : nothing
    }
    ${columns.map(
      (_, step) => svg`<text class="hl-toy-quiet" x=${x(step)} y=${0.9 * letter}
        font-size=${letter}>${t("step", { n: step + 1 })}</text>`,
    )}
    ${nodes.map((node) => edge(node, layout))}
    ${nodes.map((node) => {
      const { step, candidate, parent, fate, total, text } = node;
      return svg`<g class="hl-toy-box hl-toy-${fate} ${pointed?.startsWith(text) ? "hl-toy-lit" : ""}"
          transform="translate(${x(step)} ${y(candidate)})" role="img" tabindex=${node === stop ? 0 : -1}
          aria-label=${nodeText(t, node, columns, marks)} data-step=${step} data-candidate=${candidate}
          data-parent=${parent} data-fate=${fate} data-total=${total} data-text=${text}
          @focus=${() => onPoint(text)} @pointerenter=${() => onPoint(text)}
          >${box(node, marks, ranks.indexOf(text), layout)}</g>`;
    })}`;
}

/** Arrow keys go from candidate to candidate.
 * @param {KeyboardEvent & {target: SVGElement, currentTarget: HTMLElement}} event
 * @param {Node[][]} columns */
export function move(event, columns) {
  const step = arrow(event);
  const { step: at, candidate } = event.target.dataset;
  if (step === null || at === undefined) return;
  event.preventDefault();
  const within = (/** @type {number} */ to, /** @type {unknown[]} */ list) =>
    Math.max(0, Math.min(list.length - 1, to));
  const column = within(Number(at) + step.columns, columns);
  const row = within(Number(candidate) + step.rows, columns[column]);
  const next = `[data-step="${column}"][data-candidate="${row}"]`;
  /** @type {SVGElement|null} */ (event.currentTarget.querySelector(next))?.focus();
}

/** @param {Node} node @param {Layout} layout */
function edge({ step, candidate, parent, fate }, { x, y, boxes, high, start }) {
  const [x0, y0] = step === 0 ? [start, y(0)] : [x(step - 1) + boxes[step - 1], y(parent)];
  const [x1, y1] = [x(step), y(candidate) + high / 2];
  const [middle, from] = [(x0 + x1) / 2, y0 + high / 2];
  return svg`<path class="hl-toy-edge hl-toy-${fate}"
    d="M${x0} ${from}C${middle} ${from} ${middle} ${y1} ${x1} ${y1}"></path>`;
}

/** The calculation of its probability: ".4 × .3 = .12". @param {import("./sums.js").Sum} sum */
const sumText = ({ before, own, probability }) => {
  const factors = before === null ? "" : `${shortText(before)} × ${shortText(own)} = `;
  return factors + shortText(probability);
};

/** The width in letters of a complete box: its text, a star, a rank, its calculation.
 * @param {Node} node */
const fullWidth = (node) =>
  widthOfText(node.text) + textWidth(sumText(node)) + (node.fate === "finished" ? 4.6 : 3.2);

/** A candidate: the border shows its fate, the numbers its probability.
 * @param {Node} node @param {Marks} marks @param {number} rank @param {Layout} layout */
function box(node, marks, rank, { boxes, high, letter, isFull }) {
  const { fate, text, step } = node;
  const width = boxes[step];
  const middle = high / 2 + 0.36 * letter;
  const isBest = marks.best.startsWith(text);
  const end = (0.45 + widthOfText(text)) * letter;
  const after = isBest && isFull ? end + 1.2 * letter : end;
  const pad = (isFull ? 0.5 : 0.3) * letter;
  return svg`${frame(fate, width, high, 0.15 * letter)}
    <text class="hl-toy-text ${isBest ? "hl-toy-best" : ""}" x=${pad} y=${middle}
      font-size=${letter}>${text}${isBest && isFull ? " ★" : ""}</text>
    <text class="hl-toy-numbers" x=${width - pad} y=${middle} text-anchor="end"
      font-size=${0.93 * letter}>${isFull ? sumText(node) : shortText(node.probability)}</text>
    ${
      marks.greedy.startsWith(text)
        ? svg`<g transform="translate(${-0.08 * letter} ${high / 2})">${arrowHead(letter)}</g>`
        : nothing
    }
    ${
      fate === "finished" && rank >= 0 && isFull
        ? svg`<text class="hl-toy-rank" x=${after + 0.3 * letter} y=${middle}
            font-size=${0.9 * letter}>${rank + 1}.</text>`
        : nothing
    }`;
}

/** The border of a box or cell; one of a text that was found is double.
 * @param {string} fate @param {number} width @param {number} height @param {number} inner */
export const frame = (
  fate,
  width,
  height,
  inner,
) => svg`<rect width=${width} height=${height} rx=${Math.min(3, height / 4)}></rect>
  ${
    fate === "finished"
      ? svg`<rect class="hl-toy-inner" x=${inner} y=${inner} width=${width - 2 * inner}
          height=${height - 2 * inner} rx=${Math.min(2, height / 6)}></rect>`
      : nothing
  }`;

/** Its tip is at 0, 0. @param {number} size */
export const arrowHead = (size) =>
  svg`<path class="hl-toy-greedy" d="M0 0l${-0.62 * size} ${-0.42 * size}v${0.84 * size}Z"></path>`;

/** A candidate in words, with the number of candidates; or a prefix that was not one.
 * @param {Drawn["t"]} t @param {Seen} node @param {Node[][]} columns @param {Marks} marks */
export function nodeText(t, node, columns, marks) {
  const { step, candidate = 0, fate, text, total, before, own, probability } = node;
  const facts = {
    text,
    p: shortText(probability),
    own: shortText(own),
    before: before === null ? "" : shortText(before),
    log_prob: signedText(total ?? Math.log(probability), 4),
    rank: candidate + 1,
    count: columns[step]?.length,
    step: step + 1,
    fate: t(`fate.${fate}`),
  };
  const paths = PATHS.filter((path) => marks[path].startsWith(text));
  const key = fate === "unseen" ? "node.unseen" : before === null ? "node.first" : "node";
  return [t(key, facts), ...paths.map((path) => t(`mark.${path}`))].join(" · ");
}
