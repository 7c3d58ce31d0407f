// How long the vector is along the whole stack, and below it the vector itself on its way through
// one layer, as strips of colour; or one table of numbers, normalised in two ways.

import { bands } from "../../../assets/kit/bands.js";
import { glossText, glossWidth } from "../../../assets/kit/gloss.js";
import { shortLine, textWidth, written } from "../../../assets/kit/heatplan.js";
import { signedText } from "../../../assets/kit/numbers.js";
import { mostOf, signedCells, signedUrl } from "../../../assets/kit/signed.js";
import { html, svg } from "../../../assets/vendor/lit-html.js";
import { namesOf, normed } from "./maths.js";

/** @typedef {import("./view.js").Scene} Scene */
/** @typedef {import("../../../assets/kit/exhibit.js").Size} Size */
/** @typedef {import("../../../assets/kit/types.js").Label} Label */
/** A strip: one vector of a sub-layer, or the inner units of the feed-forward network ("hidden").
 * @typedef {{part: number, key: import("./view.js").Step|"hidden", numbers: Float32Array}} Strip */

const LEAST = 46; // em of a picture with room for all sub-layers of a layer
const BANDS = { share: 0.28, least: 8 }; // of the height, for the lengths; em
const ABOVE = 2.2; // em above the strips
const BELOW = 3; // em below them
const WIDEST = 3.4; // em of a strip
const POWER = 0.5; // of a number's colour: small ones stay visible
const NAMES = 6; // em of the tokens beside a table
/** @type {Partial<Record<Strip["key"], string>>} */
const SIGNS = { adds: "+", total: "=", after: "→", inside: "→", hidden: "→" };

export const picture = (/** @type {Scene} */ s, /** @type {Size} */ size) =>
  s.show === "norms" ? normsOf(s, size) : vectorOf(s, size);

/** @param {Scene} s @param {Size} size */
function vectorOf(s, { width, height, em }) {
  const { t, page, set, subLayers, layer, part } = s;
  const longest = Math.max(...subLayers.flatMap((one) => [one.adds, one.before]));
  const nameOf = (/** @type {{name: string}} */ one) =>
    t(`${width < LEAST * em ? "short" : "name"}.${one.name}`);
  /** @type {Parameters<typeof bands>[0]} */
  const given = {
    name: t("lengths"),
    labels: subLayers.map((one) => ({ text: `${one.layer + 1} ${nameOf(one)}`, kind: "word" })),
    bands: [
      {
        value: "",
        name: t("length"),
        heights: subLayers.map((one) => one.adds / longest),
        marks: subLayers.map((one) => one.before / longest),
        texts: subLayers.map(
          ({ adds, before }) => `${adds.toFixed(2)} (${(adds / before).toFixed(2)} ×)`,
        ),
      },
    ],
    chosen: subLayers.findIndex((one) => one.layer === layer && one.part === part),
    onChoose(i) {
      set({ part: subLayers[i].part });
      page.choose({ layer: subLayers[i].layer });
    },
  };
  const above = Math.max(BANDS.least * em, BANDS.share * height);
  return svg`<svg class="hl-stream-vector" width=${width} height=${height}
      viewBox="0 0 ${width} ${height}">
    ${bands(given, { width, height: above, em })}
    <g transform="translate(0 ${above})">${strips(s, { width, height: height - above, em })}</g>
  </svg>`;
}

/** The vectors of a layer in the order of computation: of all its sub-layers, or of one.
 * @param {Scene} s @param {boolean} isAll @returns {Strip[]} */
function vectors({ answer: { parts, norm }, rowOf, hidden, part: chosen }, isAll) {
  /** @type {import("./view.js").Step[]} */
  const names = norm === "pre" ? ["inside", "adds", "after"] : ["adds", "total", "after"];
  /** @type {Strip[]} */
  const found = [];
  parts.forEach((one, part) => {
    if (!isAll && part !== chosen) return;
    if (found.length === 0) found.push({ part, key: "before", numbers: rowOf(one.before) });
    /** @type {Strip[]} */
    const own = names.map((key) => ({ part, key, numbers: rowOf(one[key]) }));
    if (one.name === "feed_forward")
      own.splice(names.indexOf("adds"), 0, { part, key: "hidden", numbers: hidden });
    found.push(...own);
  });
  return found;
}

/** @param {Scene} s @param {Size} size */
function strips(s, { width, height, em }) {
  const { t, page, size, dim, part, answer } = s;
  const all = vectors(s, width >= LEAST * em);
  const spacing = width / all.length;
  const wide = Math.min(WIDEST * em, 0.36 * spacing);
  const tall = height - (ABOVE + BELOW) * em;
  const most = Math.max(...all.map(({ numbers }) => mostOf(numbers)));
  const y = ABOVE * em + ((dim + 0.5) / size) * tall;
  const lengths = lengthsOf(all, spacing / em);
  const one = (/** @type {Strip} */ { key, part: of, numbers }, /** @type {number} */ i) => {
    const x = i * spacing + 0.2 * spacing;
    const columns = Math.ceil(numbers.length / size); // inner units are more than dimensions
    const href = signedUrl({
      cells: numbers,
      columns,
      theme: page.theme.get(),
      most,
      power: POWER,
    });
    const isInner = key === "hidden";
    const name =
      key === "inside" && answer.rms ? "RMSNorm" : t(key, { activation: answer.activation });
    return svg`<g class=${of === part ? "hl-here" : ""}>
      <image href=${href} x=${x} y=${ABOVE * em} width=${wide} height=${tall}
        preserveAspectRatio="none"></image>
      <rect class="hl-stream-frame" x=${x} y=${ABOVE * em} width=${wide} height=${tall}></rect>
      <text x=${x + wide / 2} y=${height - 1.7 * em} text-anchor="middle">${name}</text>
      <text x=${x + wide / 2} y=${height - 0.4 * em} text-anchor="middle">${lengths[i]}</text>
      <text class="hl-stream-sign" x=${i * spacing + 0.04 * spacing} y=${ABOVE * em + tall / 4}
        text-anchor="middle">${SIGNS[key] ?? ""}</text>
      <text class="hl-stream-value" x=${x + wide + 0.25 * em} y=${y + 0.3 * em}>${
        isInner ? "" : signedText(numbers[dim], 2)
      }</text></g>`;
  };
  return svg`${heads(s, all, spacing, em)}
    <path class="hl-stream-line" d="M0 ${y}h${width}"></path>${all.map(one)}`;
}

/** The length of each vector, all named alike: by the sign only where each has room for it. The
 * inner units have none. @param {Strip[]} all @param {number} room in em */
function lengthsOf(all, room) {
  const lengths = all.map(({ numbers }) => Math.hypot(...numbers).toFixed(2));
  const isTight = lengths.some((one) => textWidth(`|x| = ${one}`) > room);
  return all.map(({ key }, i) =>
    key === "hidden" ? "" : `${isTight ? "" : "|x| = "}${lengths[i]}`,
  );
}

/** The name of each sub-layer above its strips.
 * @param {Scene} s @param {Strip[]} all @param {number} spacing @param {number} em */
const heads = ({ t, answer, layer }, all, spacing, em) =>
  answer.parts.map((one, part) => {
    const first = all.findIndex((vector) => vector.part === part && vector.key !== "before");
    const count = all.filter((vector) => vector.part === part && vector.key !== "before").length;
    if (count === 0) return "";
    return svg`<path class="hl-stream-head" d="M${(first + 0.1) * spacing} ${1.75 * em}h${(count - 0.2) * spacing}"></path>
      <text class="hl-stream-part" x=${(first + count / 2) * spacing} y=${1.2 * em}
        text-anchor="middle">${t("part", { layer: layer + 1, name: t(`name.${one.name}`) })}</text>`;
  });

/** The same table normalised in two ways. @param {Scene} s @param {Size} size */
function normsOf({ t, page, tokens, at, size, norm, answer: { eps, rms } }, { height, em }) {
  const tall = (height - 4 * em) / 2;
  const nameWidth = (/** @type {Label} */ label) => textWidth(shortLine(label));
  const longest = Math.max(...tokens.map((one) => nameWidth(one) + glossWidth(one) + 0.9));
  const left = Math.min(NAMES, longest) * em;
  const labels = written(tokens.length, tall / tokens.length, 1.1 * em, [at]);
  return html`<div class="hl-stream-norms">${namesOf(rms).map((key) => {
    const cells = normed(key, norm.table, size, eps);
    const name = t(`norms.${key}`);
    return html`<figure style="--left:${left}px;--tall:${tall}px">
      <figcaption>${name}</figcaption>
      <svg width=${left} height=${tall}>${labels.map(
        (i) => svg`<text class="hl-head ${i === at ? "hl-here" : ""}" x=${left - 0.4 * em}
          y=${((i + 0.5) * tall) / tokens.length} text-anchor="end"
          dominant-baseline="central">${shortLine(tokens[i])}</text>
          ${glossText(tokens[i], {
            x: 0,
            y: ((i + 0.5) * tall) / tokens.length,
            em,
            room: left - (nameWidth(tokens[i]) + 0.7) * em,
            anchor: "start",
          })}`,
      )}</svg>
      ${signedCells({
        cells,
        rows: tokens.length,
        columns: size,
        name,
        power: POWER,
        theme: page.theme.get(),
      })}</figure>`;
  })}</div>`;
}
