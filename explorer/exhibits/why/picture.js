// The waterfall by layer; beside it the parts of the opened layer, each as it is and as it shows
// when it is switched off; below them the sentence that the chosen head reads.

import { colourOf, cssOf, diverging, inkOn } from "../../../assets/kit/colour.js";
import { glossAside, glossOf, glossText, glossWidth } from "../../../assets/kit/gloss.js";
import { lineOf, shortLine, textWidth } from "../../../assets/kit/heatplan.js";
import { changeText } from "../../../assets/kit/numbers.js";
import { pressed } from "../../../assets/kit/pressed.js";
import { nothing, svg } from "../../../assets/vendor/lit-html.js";
import { disagrees, fitted, isHead } from "./split.js";

/** @typedef {import("./view.js").Compared} Compared */
/** @typedef {import("./split.js").Part} Part */
/** @typedef {import("./split.js").Step} Step */
/** @typedef {import("../../../assets/kit/exhibit.js").Size} Size */
/** A row's room in px, and the place of a value in it.
 * @typedef {Size & {x: (value: number) => number}} Room */
/** A token of the sentence in its line, px. The last one may be a sign for the rest.
 * @typedef {{label: Pick<import("../../../assets/kit/types.js").Label, "text"|"kind"|"line"|"gloss">,
 *   value: number, x: number, width: number}} Placed */

const BESIDE = 46; // em of a picture with room for both parts side by side
const LEFT = 0.4; // of the width, for the waterfall
const GAP = 2.2; // em between the two
const TITLE = 1.9; // em above each part
const ROW = { least: 1.35, most: 2.3, alone: 3.4 }; // em; of the waterfall where it stands alone
const FEWEST = 3; // parts that have a row each, however low the window
const NAMES = { wide: 9.4, narrow: 7.2 }; // em at the left of the bars
const VALUES = { one: 4, both: 9.8 }; // em at their right
const LINE = { plain: 2, glossed: 2.7 }; // em of a line of the sentence
const MOST_LINES = 3;
const KEY = 1.5; // em below the heads

/** What a part is called. @param {Pick<Compared, "t">} s @param {Part} part */
export const partName = ({ t }, part) =>
  isHead(part)
    ? t(`head.${part.kind}`, { head: `${part.layer + 1}·${part.head + 1}` })
    : t(`part.${part.name}`, { layer: (part.layer ?? 0) + 1, n: part.count ?? 0 });

/** @param {Compared} s @param {Size} size */
export function picture(s, { width, height, em }) {
  const isBeside = width >= BESIDE * em;
  const rows = s.layers.length + 1;
  const wide = isBeside ? LEFT * width : width;
  const share = Math.min(0.42 * height, (TITLE + rows * 1.6) * em);
  const tall = isBeside ? height : share;
  const right = isBeside
    ? { x: wide + GAP * em, y: 0, width: width - wide - GAP * em, height }
    : { x: 0, y: share + em, width, height: height - share - em };
  return svg`<svg class="hl-why-picture" width=${width} height=${height}
      viewBox="0 0 ${width} ${height}" role="group" aria-label=${s.t("map")}>
    ${falling(s, { width: wide, height: tall, em, isBeside })}
    <g transform="translate(${right.x} ${right.y})">${opened(s, { ...right, em, isBeside })}</g>
  </svg>`;
}

/** The sum from B to A: each layer stands where the ones before it end.
 * @param {Compared} s @param {Size & {isBeside: boolean}} size */
function falling(s, { width, height, em, isBeside }) {
  const { layers, answer } = s;
  const names = (isBeside ? NAMES.wide : NAMES.narrow) * em;
  const ends = [0, ...layers.flatMap(({ from, to }) => [from, to])];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const room = width - names - VALUES.one * em;
  const x = (/** @type {number} */ value) => names + ((value - low) / (high - low || 1)) * room;
  const sum = { name: "sum", from: 0, to: answer.difference, value: answer.difference };
  const rows = [...layers, sum];
  const each = Math.min(ROW.alone * em, Math.max(em, (height - TITLE * em) / rows.length));
  const place = { x, width, height: each, em };
  return svg`${sides(s, { at: x(0), names, width, em })}
    <path class="hl-why-zero" d="M${x(0)} ${TITLE * em}v${rows.length * each}"></path>
    ${rows.map(
      (one, i) => svg`<g transform="translate(0 ${TITLE * em + i * each})"
        >${step(s, one, { ...place, isLast: i >= rows.length - 2 })}</g>`,
    )}`;
}

/** Which way is which: to the left the other word, to the right the one that was written.
 * @param {Compared} s @param {{at: number, names: number, width: number, em: number}} place */
function sides({ answer, written }, { at, names, width, em }) {
  const [left, right] = [
    `← ${shortLine(answer.rival, 8)}${glossAside(answer.rival)}`,
    `${shortLine(written, 8)}${glossAside(written)} →`,
  ];
  const from = Math.max(at, names + textWidth(left) * em * 0.5);
  const middle = Math.min(from, width - (textWidth(right) + 0.5) * em);
  const y = 1.1 * em;
  return svg`<text class="hl-why-side" x=${middle - 0.5 * em} y=${y} text-anchor="end">${left}</text>
    <text class="hl-why-side" x=${middle + 0.5 * em} y=${y}>${right}</text>`;
}

/** One part of the waterfall; a layer can be opened.
 * @param {Compared} s @param {Step} one @param {Room & {isLast: boolean}} room */
function step(s, one, { x, width, height, em, isLast }) {
  const { t, opened: at, set } = s;
  const isHere = one.name === "layer" && one.layer === at;
  const text = changeText(one.value, 2);
  const part = `${partName(s, one)} ${text}`;
  const middle = height / 2 + 0.35 * em;
  return svg`<g class="hl-why-row ${one.name === "sum" ? "hl-why-sum" : ""} ${isHere ? "hl-here" : ""}">
    ${
      one.name === "layer"
        ? pressed(t("open", { part }), { width, height, isHere, class: "hl-why-layer" }, () =>
            set({ layer: one.layer, head: -1 }),
          )
        : nothing
    }
    <text x=${0.3 * em} y=${middle}>${partName(s, one)}</text>
    ${bar(s, one.value, { from: x(one.from), to: x(one.to), y: 0.18 * height, height: 0.64 * height })}
    ${isLast ? nothing : svg`<path class="hl-why-join" d="M${x(one.to)} ${0.82 * height}v${0.36 * height}"></path>`}
    <text class="hl-why-value" x=${width - 0.3 * em} y=${middle} text-anchor="end">${text}</text>
  </g>`;
}

/** The parts of the opened layer from 0, and below them the sentence.
 * @param {Compared} s @param {Size & {isBeside: boolean}} size */
function opened(s, { width, height, em, isBeside }) {
  const { t, parts, most, opened: layer } = s;
  const lines = sentenceLines(s, width, em);
  const line = LINE[s.tokens.some(({ label }) => glossOf(label) !== "") ? "glossed" : "plain"];
  const below = (lines.length * line + 1.6 + KEY) * em;
  const room = Math.max(height - TITLE * em - below, FEWEST * ROW.least * em);
  const rows = fitted(parts, Math.max(FEWEST, Math.floor(room / (ROW.least * em))));
  const each = Math.min(ROW.most * em, room / rows.length);
  const names = (isBeside ? NAMES.wide : NAMES.narrow) * em;
  const [from, to] = [names, width - VALUES.both * em];
  const x = (/** @type {number} */ value) => from + ((value / (most || 1) + 1) / 2) * (to - from);
  const place = { x, width, height: each, em };
  const end = TITLE * em + rows.length * each;
  const column = (/** @type {string} */ name, /** @type {number} */ right) =>
    svg`<text class="hl-why-key" x=${width - right * em} y=${1.1 * em} text-anchor="end"
      >${t(`column.${name}`)}</text>`;
  return svg`<text class="hl-why-title" x="0" y=${1.1 * em}>${t("inside", { n: layer + 1 })}</text>
    ${column("direct", 5.8)}${column("off", 0.3)}
    <path class="hl-why-zero" d="M${x(0)} ${TITLE * em}v${rows.length * each}"></path>
    ${rows.map(
      (one, i) =>
        svg`<g transform="translate(0 ${TITLE * em + i * each})">${part(s, one, place)}</g>`,
    )}
    <g transform="translate(0 ${end})">${key(s, { em, width })}</g>
    <g transform="translate(0 ${end + KEY * em})">${sentence(s, lines, { em, tall: line })}</g>`;
}

/** A part of the opened layer: filled, what it gives; outlined, what goes with it.
 * @param {Compared} s @param {Part} one @param {Room} room */
function part(s, one, { x, width, height, em }) {
  const { t, shown, most, set, parts, lead } = s;
  const canOpen = isHead(one);
  // The finding may speak of a part that is no head; the head whose weights stand below is another.
  const isLead = !canOpen && one.name === lead.name && one.layer === lead.layer;
  const isHere = one === shown;
  const total = one.total ?? null;
  const isAway = total !== null;
  const place = parts.filter(({ name }) => name === "head").indexOf(one);
  const texts = [changeText(one.value, 2), isAway ? changeText(total, 2) : ""];
  const odd = disagrees(one, most);
  const label = `${partName(s, one)} ${texts.join(" / ")}`;
  const middle = height / 2 + 0.35 * em;
  const [upper, lower] = isAway ? [0.12, 0.5] : [0.25, 0.5];
  const high = { height: 0.36 * height };
  const away = { ...high, from: x(0), y: lower * height, class: "hl-why-away" };
  return svg`<g class="hl-why-row ${isHere ? "hl-here" : ""} ${odd ? "hl-why-odd" : ""} ${isLead ? "hl-why-lead" : ""}">
    ${
      canOpen
        ? pressed(t("open", { part: label }), { width, height, isHere, class: "hl-why-head" }, () =>
            set({ layer: one.layer, head: place }),
          )
        : nothing
    }
    <text x=${0.3 * em} y=${middle}>${partName(s, one)}</text>
    ${bar(s, one.value, { ...high, from: x(0), to: x(one.value), y: upper * height })}
    ${isAway ? bar(s, total, { ...away, to: x(total) }) : nothing}
    <text class="hl-why-value" x=${width - 5.8 * em} y=${middle} text-anchor="end">${texts[0]}</text>
    <text class="hl-why-value hl-why-total" x=${width - 0.3 * em} y=${middle} text-anchor="end"
      >${odd ? "⇄ " : ""}${texts[1]}</text>
  </g>`;
}

/** @param {Compared} s @param {number} value
 * @param {{from: number, to: number, y: number, height: number, class?: string}} place px */
function bar({ page }, value, { from, to, y, height, class: own = "" }) {
  const colour = cssOf(colourOf(diverging[page.theme.get()], value < 0 ? 0 : 1));
  const ink = own ? `stroke:${colour}` : `fill:${colour}`;
  return svg`<rect class="hl-why-bar ${own}" style=${ink} x=${Math.min(from, to)} y=${y}
    width=${Math.max(1, Math.abs(to - from))} height=${height}></rect>`;
}

/** What the two bars of a head are.
 * @param {Compared} s @param {{em: number, width: number}} size */
function key({ t, away }, { em, width }) {
  const y = 1.05 * em;
  const right = away.value === null ? t("key.waiting") : t("key.total");
  return svg`<text class="hl-why-key" x=${0.3 * em} y=${y}>${t("key.head")}</text>
    <text class="hl-why-key" x=${width - 0.3 * em} y=${y} text-anchor="end"
      >${t("key.direct")} ■ · □ ${right}</text>`;
}

/** The tokens that the chosen head reads in lines; too many end in a sign, and stand in Numbers.
 * @param {Compared} s @param {number} width @param {number} em */
function sentenceLines({ tokens }, width, em) {
  /** @type {Placed[][]} */
  const lines = [[]];
  let at = 0;
  for (const one of tokens) {
    const own = Math.max(textWidth(shortLine(one.label)) + 0.5, glossWidth(one.label));
    const wide = (own + 0.4) * em;
    if (at + wide > width && at > 0) {
      lines.push([]);
      at = 0;
    }
    lines[lines.length - 1].push({ ...one, x: at, width: wide });
    at += wide + 0.15 * em;
  }
  if (lines.length <= MOST_LINES) return lines;
  const kept = lines.slice(0, MOST_LINES);
  const line = kept[MOST_LINES - 1];
  const { x } = line[line.length - 1];
  /** @type {Placed} */
  const rest = { label: { text: "…", kind: "word" }, value: 0, x, width: 1.5 * em };
  return [...kept.slice(0, -1), [...line.slice(0, -1), rest]];
}

/** The sentence in the colours of what the chosen head brings from each token.
 * @param {Compared} s @param {Placed[][]} lines @param {{em: number, tall: number}} size */
function sentence(s, lines, { em, tall }) {
  const { t, page, shown, tokens } = s;
  const most = Math.max(...tokens.map(({ value }) => Math.abs(value)), 1e-9);
  const ramp = diverging[page.theme.get()];
  const colour = (/** @type {number} */ value) => colourOf(ramp, 0.5 + value / most / 2);
  return svg`<text class="hl-why-title" x="0" y=${1.1 * em}>${t("reads", { head: partName(s, shown) })}</text>
    ${lines.map(
      (line, i) =>
        svg`<g transform="translate(0 ${(1.6 + i * tall) * em})">${line.map(
          ({ label, value, x, width }) => svg`<g class="hl-why-token">
          <rect x=${x} width=${width} height=${1.6 * em} rx="3" style="fill:${cssOf(colour(value))}"></rect>
          <text x=${x + width / 2} y=${1.15 * em} text-anchor="middle"
            style="fill:${inkOn(colour(value))}">${shortLine(label)}</text>
          ${glossText(label, { x: x + width / 2, y: 2.1 * em, em, room: width })}
          <title>${lineOf(label)} ${changeText(value, 4)}</title></g>`,
        )}</g>`,
    )}`;
}
