// A map of layers and steps: in each cell the tokens that the layer would write, as many as fit; a
// cell is darker the more likely its first token. Steps that have no room for their tokens scroll
// beside the names of the layers.

import { colourOf, cssOf, isDark, ramps } from "../../../assets/kit/colour.js";
import { inSight } from "../../../assets/kit/elements.js";
import { glossOf, glossText, hasRoomForGloss } from "../../../assets/kit/gloss.js";
import { textWidth } from "../../../assets/kit/heatplan.js";
import { percentText, roundPercent } from "../../../assets/kit/numbers.js";
import { tokenHead } from "../../../assets/kit/tokenhead.js";
import { html, nothing, ref, svg } from "../../../assets/vendor/lit-html.js";

const LEAST = 46; // em of a picture with room for the full names of the layers
const NAMES = { full: 11, short: 3.8 }; // em at the left
const UPRIGHT = 1.2; // em of a cell with room for one letter a line
const FIRST = 1.35; // em of the first token's letters, if others are below it
const LINE = 1.45; // em of the line of another token
const GLOSS = 0.8; // em of the line below the first token
const LOWEST = 0.8; // em of a layer, in a window too low for all of them
const STEP = 1.5; // em of a step whose token and its name above it have room, written upwards
const BAR = 12; // px of a scroll bar below the map

/** The picture: the top layer first, as the data flows upwards. */
export function picture(s, { width, height, em }) {
  const { t, record, answer, selection, page } = s;
  const isFull = width >= LEAST * em;
  const left = (isFull ? NAMES.full : NAMES.short) * em;
  const room = Math.max(width - left, record.tgt_out.length * STEP * em);
  const isCut = room > width - left;
  const head = tokenHead(record.tgt_out, room, em);
  const wide = head.width / record.tgt_out.length;
  const above = head.height + 1 + (isCut ? BAR : 0);
  const tall = Math.max((height - above) / answer.layers.length, LOWEST * em);
  const all = tall * answer.layers.length;
  const bottom = head.height + all + 1;
  const top = answer.layers.length - 1;
  const nameOf = (layer) =>
    t(isFull ? nameKey(layer, top) : layer ? "layer.short" : "input", { n: layer });
  const isTold = answer.layers.flat().some(([first]) => glossOf(first) !== "");
  const cell = { wide, tall, em, ramp: ramps[page.theme.get()], gloss: isTold ? GLOSS : 0 };
  const yOf = (layer) => head.height + (top - layer) * tall;
  const names = answer.layers.map(
    (_, layer) => svg`<text class="hl-lens-layer" x="0"
      y=${yOf(layer) + tall / 2 + 0.3 * em}>${nameOf(layer)}</text>`,
  );
  const map = svg`<svg class="hl-lens-map" width=${left + room} height=${bottom}
      viewBox="0 0 ${left + room} ${bottom}" role="img" aria-label=${t("map")}>
    ${head.draw({ left, chosen: selection.step })} ${names}
    ${answer.layers.map((steps, layer) =>
      steps.map((tokens, step) =>
        cellOf(tokens, { ...cell, x: left + step * wide, y: yOf(layer), step, layer, s }),
      ),
    )}
    <rect class="hl-lens-chosen" x=${left + selection.step * wide} y=${head.height} width=${wide}
      height=${all}></rect>
  </svg>`;
  if (!isCut) return map;
  return html`<div class="hl-lens-cut">
    <div class="hl-scroll" tabindex="0" role="region" aria-label=${t("map")}
      ${ref((box) => box && requestAnimationFrame(() => follow(box, selection.step, { left, wide })))}>
      ${map}</div>
    <svg class="hl-lens-names" width=${left} height=${bottom} aria-hidden="true">${names}</svg></div>`;
}

/** Scrolls to the chosen step when it is another one.
 * @param {any} box @param {number} step @param {{left: number, wide: number}} sizes px */
function follow(box, step, { left, wide }) {
  if (box.dataset.step === String(step)) return;
  box.dataset.step = step;
  const margin = 2 * wide; // beyond the fading edge
  const [first, size] = [step * wide - margin, wide + 2 * margin];
  box.scrollLeft = inSight(first, size, box.scrollLeft, box.clientWidth - left);
}

const nameKey = (layer, top) => (layer === 0 ? "embedding" : layer === top ? "top" : "of");

/**
 * One layer at one step; framed where its first choice is the token that is written. The input has
 * no colour: where both matrices are one, it repeats itself with certainty and predicts nothing.
 */
function cellOf(tokens, { x, y, wide, tall, em, ramp, gloss, step, layer, s }) {
  const [first, ...others] = tokens;
  const share = Math.exp(first.log_prob);
  const colour = colourOf(ramp, layer === 0 ? 0 : share);
  const isRight = first.id === s.record.tgt_out[step].id;
  const isChosen = step === s.selection.step; // the finding has one of its probabilities
  const about = `${first.line ?? first.text} ${percentText(share)}`;
  const lines =
    wide >= 6.5 * em ? Math.min(others.length, Math.floor((tall / em - 2.6 - gloss) / LINE)) : 0;
  return svg`<g class="hl-lens-cell ${isDark(colour) ? "hl-on-dark" : ""}"
      transform="translate(${x} ${y})" @click=${() => s.page.choose({ step })}>
    <title>${about}</title>
    <rect x="1.5" y="1.5" width=${Math.max(0, wide - 3)} height=${Math.max(0, tall - 3)} rx="3"
      class=${isRight ? "hl-lens-right" : ""} fill=${cssOf(colour)}></rect>
    ${
      lines > 0
        ? listed(tokens.slice(0, lines + 1), { wide, em, gloss, isChosen })
        : alone(first, { wide, tall, em, isChosen })
    }
  </g>`;
}

/** The first token large, below it what it stands for, and the others, each with its probability,
 * and its gloss where that has room. */
const listed = (tokens, { wide, em, gloss, isChosen }) =>
  tokens.map((label, i) => {
    const { text, line = text, log_prob } = label;
    const share = percentText(Math.exp(log_prob));
    const roomy = wide / em - 1; // em between the paddings, and a blank before the number
    const isLarge = i === 0 && FIRST * textWidth(line) + 0.93 * textWidth(` ${share}`) <= roomy;
    const size = (isLarge ? FIRST : i === 0 ? 1 : 0.93) * em;
    const isNumbered = textWidth(line) * size + 0.93 * textWidth(` ${share}`) * em <= roomy * em;
    const y = (i === 0 ? 1.8 : 1.9 + gloss + i * LINE) * em;
    const end = 0.7 * em + (textWidth(`${line} ${share}`) + 0.6) * size;
    const place = i === 0 ? { x: 0.7 * em, y: 2.6 * em } : { x: end, y: y - 0.33 * em };
    const isBelow = i === 0 && isChosen && !isNumbered && gloss > 0;
    const taken = isBelow ? (0.93 * textWidth(share) + 0.4) * em : 0;
    return svg`<text x=${0.7 * em} y=${y} font-size=${size}
      class=${i === 0 ? "hl-lens-first" : ""}>${cut(line, (roomy * em) / size)}
      ${isNumbered ? svg`<tspan font-size=${0.93 * em}>${share}</tspan>` : nothing}</text>
      ${isBelow ? svg`<text x=${wide - 0.4 * em} y=${2.9 * em} font-size=${0.93 * em} text-anchor="end">${share}</text>` : nothing}
      ${glossText(label, { ...place, em, room: wide - place.x - 0.4 * em - taken, anchor: "start" })}`;
  });

/** The first token in a narrow cell: on a line, or downwards; what is cut has a sign. */
function alone(label, { wide, tall, em, isChosen }) {
  const { text, line = text } = label;
  const isTold = tall >= 2.4 * em && hasRoomForGloss(label, em, wide - 0.4 * em);
  const isFlat = wide >= (textWidth(line) + 0.5) * em && tall >= 1.2 * em;
  if (!isFlat && (wide < UPRIGHT * em || tall < 2 * em)) return nothing;
  if (isFlat) {
    const up = isTold ? 0.4 * em : 0;
    const below = { x: wide / 2, y: tall / 2 + 0.75 * em, em, room: wide - 0.4 * em };
    const share = roundPercent(Math.exp(label.log_prob));
    const hasShare = isChosen && tall >= 4 * em && wide >= (textWidth(share) + 0.3) * em;
    return svg`<text x=${wide / 2} y=${tall / 2 + 0.35 * em - up} text-anchor="middle">${line}</text>
      ${hasShare ? svg`<text x=${wide / 2} y=${tall / 2 + 1.85 * em} text-anchor="middle">${share}</text>` : nothing}
      ${isTold ? glossText(label, below) : nothing}`;
  }
  return svg`<text x=${wide / 2} y=${tall / 2} text-anchor="middle" style="writing-mode:vertical-rl">${cut(line, tall / em - 0.8)}</text>`;
}

/** As many letters as fit into so many em. @param {string} text @param {number} room */
function cut(text, room) {
  const letters = [...text];
  while (letters.length > 1 && textWidth(letters.join("")) > room) letters.pop();
  return letters.join("") === text ? text : `${letters.slice(0, -1).join("")}…`;
}
