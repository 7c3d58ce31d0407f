// The candidate with its n-grams below it, the references, and the factors of the score. If not all
// lengths of n-grams fit, only those of the chosen length are drawn.

import { textWidth } from "../../../assets/kit/heatplan.js";
import { langOf } from "../../../assets/kit/token.js";
import { html, nothing, svg } from "../../../assets/vendor/lit-html.js";
import { litBy, marksOf, occurrencesOf } from "./counts.js";

/** @typedef {import("./view.js").Scored} Scored */
/** @typedef {import("./counts.js").Mark} Mark */
/** @typedef {ReturnType<typeof frameOf>} Frame in px */
/** A token in its line: its place in the text, and px. @typedef {{token: string, i: number, x: number,
 *   wide: number}} Placed */

// All in em: the names at the left, tokens, the bars of n-grams, the bars of the factors.
const NAMES = { wide: 9.5, narrow: 5.5 };
const NARROW = 40; // of a picture whose names are short
const TOKEN = { size: 1.2, air: 1, high: 2.2 };
const GRAM = { high: 0.6, step: 0.82, apart: 0.5 };
const BETWEEN = 1.2;
const FACTOR = 1.9;
const ZOOMS = [2.6, 2.4, 2.2, 2, 1.8, 1.6, 1.4, 1.2, 1];

/** @param {import("./view.js").Scene} s @param {import("../../../assets/kit/exhibit.js").Size} size */
export function picture(s, size) {
  if (s.found === null) return html`<p class="hl-pending">${s.t("empty")}</p>`;
  const all = s.page.facts.orders;
  const fits = (/** @type {number} */ zoom) => {
    const frame = frameOf(size, zoom);
    return candidate(s, frame, all).bottom + partsBelow(s, frame).bottom <= size.height;
  };
  const zoom = ZOOMS.find(fits);
  const frame = frameOf(size, zoom ?? 1);
  const { width, em } = frame;
  const top = candidate(s, frame, zoom ? all : [Number(s.order)]);
  const below = partsBelow(s, frame);
  const bottom = Math.max(size.height, top.bottom + below.bottom);
  return html`<div class="hl-bleu-picture hl-scrolls">
    <svg class="hl-bleu-drawing" width=${width} height=${bottom} viewBox="0 0 ${width} ${bottom}"
      style="font-size:${em}px" role="img" aria-label=${s.t("alternative", s.values)}>
      ${top.drawn}
      <g transform="translate(0 ${top.bottom})">${below.texts}</g>
      <g transform="translate(0 ${bottom - FACTOR * 3 * em})">${factors(s, frame)}</g>
    </svg></div>`;
}

/** A short sentence is drawn larger. @param {{width: number, em: number}} size @param {number} zoom */
function frameOf({ width, em }, zoom) {
  const isNarrow = width < NARROW * em;
  const names = isNarrow ? NAMES.narrow : NAMES.wide;
  return { left: names * em * zoom, width, em: em * zoom, isNarrow };
}

/** Tokens in lines, wrapped at the width. @param {string[]} tokens @param {Frame} frame */
function linesOf(tokens, { left, width, em }) {
  /** @type {Placed[][]} */
  const lines = [[]];
  let x = left;
  tokens.forEach((token, i) => {
    const wide = (textWidth(token) * TOKEN.size + TOKEN.air) * em;
    if (x + wide > width && lines[lines.length - 1].length > 0) {
      lines.push([]);
      x = left;
    }
    lines[lines.length - 1].push({ token, i, x, wide: Math.min(wide, width - left) - 0.2 * em });
    x += wide;
  });
  return lines;
}

const nameAt = (/** @type {number} */ y, /** @type {string} */ name) =>
  svg`<text class="hl-bleu-name" x="0" y=${y}>${name}</text>`;

/** A line of tokens, each marked by the n-grams of the chosen length.
 * @param {Placed[]} line @param {number} y @param {number} em @param {Mark[]} marks
 * @param {boolean[]} lit */
const tokensOf = (line, y, em, marks, lit) =>
  line.map(
    ({
      token,
      i,
      x,
      wide,
    }) => svg`<g class="hl-bleu-token hl-bleu-${marks[i]} ${lit[i] ? "hl-bleu-lit" : ""}">
      <rect x=${x} y=${y} width=${wide} height=${(TOKEN.high - 0.4) * em} rx="4"></rect>
      <text x=${x + wide / 2} y=${y + 1.3 * em} text-anchor="middle" lang=${langOf(token)}
        >${token}</text></g>`,
  );

/**
 * The candidate; below each line of it, a bar for each n-gram. Those of one length overlap, so they
 * are stacked.
 * @param {Scored} s @param {Frame} frame @param {number[]} orders
 */
function candidate(s, frame, orders) {
  const { t, found, order, gram } = s;
  const { em, isNarrow } = frame;
  const { tokens, grams } = found;
  const marks = marksOf(tokens, grams[Number(order) - 1], Number(order), true);
  const lit = litBy(tokens, gram, Number(order));
  const drawn = [nameAt(1.3 * em, t(isNarrow ? "candidate.short" : "candidate"))];
  let y = 0;
  linesOf(tokens, frame).forEach((line, number) => {
    drawn.push(tokensOf(line, y, em, marks, lit));
    y += TOKEN.high * em;
    for (const n of orders) {
      const match = { n, match: found.matches[n - 1], total: found.totals[n - 1] };
      const label = t(isNarrow ? "grams.short" : "grams", match);
      if (number === 0) drawn.push(nameAt(y + 0.7 * em, label));
      drawn.push(gramsOf(s, line, n, y, em));
      y += (Math.min(n, found.totals[n - 1]) * GRAM.step + GRAM.apart) * em;
    }
  });
  return { drawn, bottom: y + BETWEEN * em };
}

/** The n-grams of one length that are in a line, wholly or in part.
 * @param {Scored} s @param {Placed[]} line @param {number} n @param {number} y @param {number} em */
function gramsOf({ found, gram: chosen, set }, line, n, y, em) {
  if (line.length === 0) return nothing;
  const [from, to] = [line[0].i, line[line.length - 1].i];
  const inside = occurrencesOf(found.tokens, found.grams[n - 1], n, true).filter(
    ({ start }) => start <= to && start + n > from,
  );
  return inside.map(({ gram, start, mark }) => {
    const first = line[Math.max(start, from) - from];
    const last = line[Math.min(start + n - 1, to) - from];
    const isChosen = gram === chosen;
    return svg`<rect class="hl-bleu-gram hl-bleu-${mark} ${isChosen ? "hl-bleu-lit" : ""}" rx="3"
      x=${first.x} y=${y + (start % n) * GRAM.step * em} height=${GRAM.high * em}
      width=${last.x + last.wide - first.x}
      @click=${() => set({ order: String(n), gram: isChosen ? null : gram })}>
      <title>${gram}</title></rect>`;
  });
}

/** The references; `bottom` has room for the factors as well.
 * @param {Scored} s @param {Frame} frame */
function partsBelow({ t, found, order, gram }, frame) {
  const { em, isNarrow } = frame;
  /** @type {unknown[]} */
  const texts = [];
  let y = 0;
  found.references.forEach((reference, which) => {
    const marks = marksOf(reference, found.grams[Number(order) - 1], Number(order), false);
    const lit = litBy(reference, gram, Number(order));
    const name = t(isNarrow ? "reference.short" : "reference", { n: which + 1 });
    texts.push(nameAt(y + 1.3 * em, name));
    for (const line of linesOf(reference, frame)) {
      texts.push(tokensOf(line, y, em, marks, lit));
      y += TOKEN.high * em;
    }
  });
  return { texts, bottom: y + (BETWEEN + 3 * FACTOR) * em };
}

/** The factors of the score, on one scale from 0 to 1; the smallest factor costs the most.
 * @param {Scored} s @param {Frame} frame */
function factors({ t, found }, { left, width, em, isNarrow }) {
  const { mean, bp, score } = found;
  const rows = [
    { name: "mean", share: mean, text: mean.toFixed(4) },
    { name: "bp", share: bp, text: `× ${bp.toFixed(4)}` },
    { name: "score", share: score / 100, text: `× 100 = ${score.toFixed(2)}` },
  ];
  const values = Math.max(...rows.map(({ text }) => textWidth(text)));
  const room = width - left - (values + 0.8) * em;
  return rows.map(({ name, share, text }, i) => {
    const y = i * FACTOR * em;
    const label = t(isNarrow ? `brief.${name}` : `factor.${name}`);
    return svg`${nameAt(y + 1.1 * em, label)}
      <rect class="hl-bleu-track" x=${left} y=${y + 0.3 * em} width=${room} height=${em}></rect>
      <rect class="hl-bleu-${name}" x=${left} y=${y + 0.3 * em} width=${room * share}
        height=${em}></rect>
      <text class="hl-bleu-value" data-value=${name} x=${left + room + 0.5 * em}
        y=${y + 1.1 * em}>${text}</text>`;
  });
}
