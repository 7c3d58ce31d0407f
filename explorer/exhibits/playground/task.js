// The task before anything is trained: one example, with an arrow from each letter of the input to
// its result under the rule, and a few more below.

import { pending, sentenceOf } from "../../../assets/kit/request.js";
import { html, svg } from "../../../assets/vendor/lit-html.js";
import { linksOf } from "./links.js";

const WIDEST = 4.4; // em of a letter's box
const LINES = 3.4; // em for the rule above and the other examples below
const BOX = 3.2; // em of its height, at most
const [BETWEEN, LETTER] = ["      ", 0.62]; // between two examples; em of a letter of them
const HEAD = 5; // px of an arrow's head

/** @param {any} s @param {import("../../../assets/kit/exhibit.js").Size} size */
export function taskPicture(s, size) {
  const { page, sample: ask, settings } = s;
  const sample = ask(settings);
  if (sample === null)
    return pending(page, { value: null, waiting: true, error: null, retry() {} });
  if (sample.error) {
    return html`<p class="hl-failed" role="alert">${sentenceOf(page, sample.error)}</p>`;
  }
  return drawn(s, sample.pairs, size);
}

function drawn({ t, settings }, pairs, { width, height, em }) {
  const [[source, target], ...others] = pairs;
  const count = Math.max(source.length, target.length);
  const box = Math.min(WIDEST * em, width / (count + 0.6));
  const tall = Math.min(BOX * em, box);
  const place = (text, /** @type {number} */ i) => width / 2 + (i - (text.length - 1) / 2) * box;
  const top = 2.2 * em;
  const low = height - (LINES * em + tall);
  const arrows = linksOf(settings.task, source, target);
  return svg`<svg class="hl-play-drawn" width=${width} height=${height} role="img"
    viewBox="0 0 ${width} ${height}" aria-label="${source} → ${target}">
    <text class="hl-play-rule" x=${width / 2} y=${1.1 * em}>${t(`rule.${settings.task}`)}</text>
    ${arrows.map(([from, to]) =>
      arrow(place(source, from), top + tall + 3, place(target, to), low - 3),
    )}
    ${row(source, top, { place, box, tall })} ${row(target, low, { place, box, tall })}
    <text class="hl-play-others" x=${width / 2} y=${height - em}
      >${fitting(others, width / em)}</text></svg>`;
}

/** As many of the other examples as fit, in em. */
function fitting(/** @type {[string, string][]} */ pairs, /** @type {number} */ room) {
  const texts = pairs.map(([source, target]) => `${source} → ${target}`);
  const joined = (/** @type {number} */ count) => texts.slice(0, count).join(BETWEEN);
  const count = texts.findLastIndex((_, i) => joined(i + 1).length * LETTER < room) + 1;
  return joined(count);
}

/** An arrow from a letter down to its result, vertical at both ends. */
function arrow(x, top, to, low) {
  const bend = (low - top) * 0.45;
  const head = `M${to - HEAD} ${low - HEAD * 1.5}L${to} ${low}L${to + HEAD} ${low - HEAD * 1.5}`;
  return svg`<path class="hl-play-arrow"
    d="M${x} ${top}C${x} ${top + bend} ${to} ${low - bend} ${to} ${low}${head}"></path>`;
}

const row = (/** @type {string} */ text, y, { place, box, tall }) =>
  [...text].map(
    (letter, i) => svg`<g class="hl-play-letter"><rect x=${place(text, i) - box / 2 + 2} y=${y}
      width=${box - 4} height=${tall} rx="5"></rect>
      <text x=${place(text, i)} y=${y + tall / 2} style="font-size:${tall * 0.56}px"
        >${letter}</text></g>`,
  );
