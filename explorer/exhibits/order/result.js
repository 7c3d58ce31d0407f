// The normal run and the changed one: the translations, and one head's attention in both.

import { diverging, ramps } from "../../../assets/kit/colour.js";
import { inLine, lineOf, textWidth } from "../../../assets/kit/heatplan.js";
import { matrix } from "../../../assets/kit/map.js";
import { svgOf } from "../../../assets/kit/mapfiles.js";
import { changeText, signedText } from "../../../assets/kit/numbers.js";
import { unpack } from "../../../assets/kit/packing.js";
import { axes } from "../../../assets/kit/selection.js";
import { langOf } from "../../../assets/kit/token.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";

const MAPS = ["before", "after", "change"];
const TEXT = { letter: 1.3, line: 1.9, beside: 17, most: 6.6 }; // em of the translations
const CAPTION = 3.2; // em of what stands above and below a map

/** The reply with its packed numbers as two halves each: before, after. */
export async function decodeResult({ again, weights, ...rest }, { kind }) {
  const halves = async (/** @type {string} */ text) => {
    const both = await unpack(text, Float32Array);
    return [both.subarray(0, both.length / 2), both.subarray(both.length / 2)];
  };
  return { ...rest, kind, again: await halves(again), weights: await halves(weights) };
}

/** The log-prob of the original tokens: in the normal run, and read by the changed model. */
export const sums = ({ again }) => again.map((all) => all.reduce((sum, one) => sum + one, 0));

/** Both translations, and below them the maps. */
export function runs(s, { width, height, em }) {
  const { t, answer, isSame } = s;
  const room = { width, em, height: height - (textsOf(answer, width / em) + CAPTION) * em };
  return html`<div class="hl-order-runs">${translations(t, answer)}
    ${isSame ? maps(s, scenesOf(s, room)) : html`<p>${t("tokens")}</p>`}</div>`;
}

/** em that both translations take in a picture of so many em. */
function textsOf({ before, after }, /** @type {number} */ width) {
  const lines = [before, after].map(({ text }) =>
    Math.max(1, Math.ceil((textWidth(text) * TEXT.letter) / Math.max(10, width - TEXT.beside))),
  );
  return Math.min(TEXT.most, (lines[0] + lines[1]) * TEXT.line);
}

/** True if these are the tokens of the page: as many tokens are not yet the same tokens.
 * @param {number[]} ids @param {{id: number}[]} labels */
export const sameTokens = (ids, labels) =>
  ids.length === labels.length && ids.every((id, i) => id === labels[i].id);

/** Both translations; what they do not share is marked. */
function translations(t, { before, after, difference }) {
  const row = (/** @type {string} */ name, run, /** @type {string} */ own) => html`
    <span class="hl-note">${t(name)}</span>
    <p lang=${langOf(run.text)} class="hl-order-text">${
      run.text === ""
        ? t("nothing")
        : difference
            .filter(({ where }) => where === "both" || where === own)
            .map(({ text, where }) => marked(text, where))
    }</p>
    <span class="hl-note">
      ${t("sum", { log_prob: signedText(run.log_prob), n: run.length })}</span>`;
  return html`<div class="hl-order-translations hl-scrolls">
    ${row("before", before, "first")} ${row("after", after, "second")}</div>`;
}

const marked = (/** @type {string} */ text, /** @type {string} */ where) =>
  where === "both" ? text : where === "first" ? html`<del>${text}</del>` : html`<ins>${text}</ins>`;

/** Before, after and the change between them, as small maps. */
function scenesOf({ t, page, record, answer, selection, lit }, { width, height, em }) {
  const { kind } = answer;
  const { queries, keys, allowed } = record.attention[kind];
  const [before, after] = answer.weights.map((all) => masked(all, allowed));
  const change = before.map((value, i) => 0.5 + (after[i] - value) / 2);
  const sides = axes(record, kind, selection.labels);
  const names = { rows: sides.rows.labels, columns: sides.columns.labels };
  const { isBeside, first, next } = inLine(names, width, em);
  const theme = page.theme.get();
  return [before, after, change].map((cells, i) => ({
    ...names,
    cells,
    queries,
    keys,
    lit,
    font: em,
    largest: 5,
    bare: i > 0 && isBeside,
    width: i === 0 ? first : next,
    height: isBeside ? height : undefined,
    ramp: i === 2 ? diverging[theme] : ramps[theme],
    name: t(`map.${MAPS[i]}`),
  }));
}

/** @param {Float32Array} all @param {number[]} allowed */
function masked(all, allowed) {
  const cells = new Float32Array(all.length).fill(NaN);
  for (const i of allowed) cells[i] = all[i];
  return cells;
}

function maps(s, scenes) {
  const point = (cell) => s.set({ lit: cell });
  return html`<div class="hl-order-maps">${scenes.map(
    (scene) => html`<figure><figcaption>${scene.name}</figcaption>
      ${matrix(scene, { onPoint: point })}</figure>`,
  )}</div>
    <p class="hl-note">${s.lit === null ? nothing : cellText(s, scenes)}</p>`;
}

function cellText({ t, page, lit: { row, col } }, [before, after]) {
  if (row >= before.queries || col >= before.keys) return "";
  const i = row * before.keys + col;
  if (Number.isNaN(before.cells[i])) return page.t("readout.masked");
  return t("cell", {
    row: before.rows[row].text,
    column: before.columns[col].text,
    before: before.cells[i].toFixed(4),
    after: after.cells[i].toFixed(4),
    change: changeText(after.cells[i] - before.cells[i], 4),
  });
}

/** The weights of both runs, and the three maps as one picture. */
export function files(s) {
  const scenes = scenesOf(s, { width: 0, height: 0, em: 14 });
  const [{ rows, columns, keys }] = scenes;
  const [before, after] = s.answer.weights;
  return {
    csv: () => [
      ["row", "column", "before", "after"],
      ...Array.from(before, (weight, i) => [
        lineOf(rows[Math.floor(i / keys)]),
        lineOf(columns[i % keys]),
        weight,
        after[i],
      ]),
    ],
    svg: () => svgOf(scenes, s.page.theme.get()),
  };
}
