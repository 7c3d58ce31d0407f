// Which picture is true: methods, layers and heads scored against word links made by people, and
// the picture of the chosen one with those links drawn over it.

import { choice as radios } from "../../../assets/kit/choice.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { index, local, menu } from "../../../assets/kit/fields.js";
import { lineOf } from "../../../assets/kit/heatplan.js";
import { oneOf, text } from "../../../assets/kit/keep.js";
import { percentText, weightText } from "../../../assets/kit/numbers.js";
import { unpack } from "../../../assets/kit/packing.js";
import { pending } from "../../../assets/kit/request.js";
import { marked } from "../../../assets/kit/sentence.js";
import { token } from "../../../assets/kit/token.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { hasPicture, LABELS, placesOf, ranked } from "./board.js";
import { nameOf, picture } from "./picture.js";

/** @typedef {import("../../../assets/kit/types.js").Label} Label */
/** @typedef {import("./board.js").Place} Place */
/** @typedef {import("./board.js").RowLabel} RowLabel */

/**
 * One picture of a gold pair. Cells and links are by (row: target token, column: source token).
 * @typedef {object} Gold
 * @property {Label[]} source
 * @property {Label[]} target
 * @property {Float32Array} cells row by row
 * @property {number[]} strongest the column of each row's largest cell
 * @property {[number, number][]} sure links made by people
 * @property {[number, number][]} possible others that they would accept
 * @property {number} aer alignment error rate
 */

/**
 * What the visitor chose, and the answer: the scores beside the model and the gold pairs' sources.
 * @typedef {import("../../../assets/kit/exhibit.js").Base & {shown: string, place: string,
 *   label: RowLabel|"", pair: number, at: {pair: number, row: number, col: number}|null,
 *   answer: {rows: import("./board.js").Row[]|null, pairs: string[]}}} Given
 *
 * With scores: the places, best first; the best and the chosen one that have a picture, its row
 * labels, and the answer with the picture, null where none can be drawn.
 * @typedef {Given & {places: Place[], first: Place, chosen: Place, rows: RowLabel,
 *   gold: import("../../../assets/kit/request.js").Answer<Gold>|null}} Scored
 *
 * @typedef {Scored|(Given & {places: null, first?: undefined, chosen?: undefined})} Scene
 */

const SHOWN = ["layers", "weight", "norm", "contribution"];
const OPENING = 46; // initial pair of the shipped model: short, with whole words and crossed links

/** @type {import("../../../assets/kit/exhibit.js").View<Scene>} */
const VIEW = {
  name: "truth",
  fields: ({ most }) => ({
    shown: menu(SHOWN, { first: "weight" }),
    place: { first: "", fits: text(40) }, // "": the best of them
    label: { first: "", fits: oneOf(["", ...LABELS]) }, // "": the one that fits
    pair: index(OPENING, most - 1, ({ answer }) => Math.max(1, answer?.pairs.length ?? 1)),
    at: local(null), // the row or cell that the visitor chose, and its pair
  }),
  ask: () => ["scores", {}],
  prepare: async (reply) =>
    reply.cells ? { ...reply, cells: await unpack(reply.cells, Float32Array) } : reply,
  scene,
  finding,
  picture: (s, size) => (s.places === null ? missing(s) : picture(s, size)),
  controls: [
    (s) => (s.places ? "shown" : nothing),
    (s) => (s.places ? labels(s) : nothing),
    (s) => (s.places && s.answer.pairs.length > 1 ? "pair" : nothing),
  ],
  numbers: (s) => [...(s.places === null ? [] : [scoreSheet(s)]), shareSheet(s)],
  reading,
  files: (s) => ({
    of: s.places && s.gold ? s.answer.pairs[Math.min(s.pair, s.answer.pairs.length - 1)] : "",
  }),
};

export const { mount } = exhibit(VIEW);

/** @param {Given} s */
function scene(s) {
  const { answer, ask, shown, place, label, pair } = s;
  const places = ranked(placesOf(answer.rows ?? []), shown);
  const first = places.find(hasPicture);
  if (first === undefined) return { places: null };
  const chosen = places.find(({ key }) => key === place) ?? first;
  const rows = label || chosen.fits;
  const { method, layer, head } = chosen;
  const isDrawn = hasPicture(chosen) && answer.pairs.length > 0;
  const at = Math.min(pair, answer.pairs.length - 1);
  const asked = { pair: at, label: rows, method, layer: layer ?? 0, head: head ?? 0 };
  return { places, first, chosen, rows, gold: isDrawn ? ask("gold", asked) : null };
}

/** The error of the chosen picture under the label that fits it better. @param {Scene} s */
function finding({ t, say, places, first, chosen }) {
  if (places === null) return t("none");
  const name = nameOf(t, chosen);
  return say(`finding.${chosen === first ? "best" : "chosen"}`, {
    name: `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    error: marked(percentText(chosen[chosen.fits].aer)),
  });
}

/** The command that makes the scores of a model without them. @param {Scene} s */
const missing = ({ t }) => html`<div class="hl-stack hl-truth-missing"><p>${t("missing")}</p>
  <pre tabindex="0">python -m model.labs.heads align --model MODEL \\
  --gold gold.jsonl --out alignment.json</pre></div>`;

/** The choice of row labels for the picture. @param {Scored} s */
const labels = ({ t, page, rows, set }) =>
  radios({
    name: `${page.uid}-rows`,
    label: t("rows"),
    class: "hl-field-label",
    options: LABELS.map((value) => ({ value, label: t(`rows.${value}`) })),
    value: rows,
    onChange: (label) => set({ label }),
  });

/** Every score with its interval.
 * @param {Scored} s @returns {import("../../../assets/kit/sheet.js").Sheet<Place>} */
function scoreSheet({ t, places, shown, chosen, set }) {
  /** @type {(label: RowLabel) => import("../../../assets/kit/sheet.js").SheetColumn<Place>} */
  const score = (label) => ({
    cell: (one) =>
      `${weightText(one[label].aer)} (${weightText(one[label].low)}–${weightText(one[label].high)})`,
    csv: (one) => one[label].aer,
  });
  return {
    name: t("scores"),
    file: `alignment-${shown}`,
    class: "hl-truth-scores",
    rows: places,
    chosen: ({ key }) => key === chosen.key,
    onChoose: ({ key }) => set({ place: key, label: "" }),
    columns: {
      picture: { text: true, cell: (one) => nameOf(t, one), csv: ({ key }) => key },
      written: score("written"),
      read: score("read"),
    },
  };
}

/** For the sentence on the page: the share of each word from the source.
 * @param {Scene} s @returns {import("../../../assets/kit/sheet.js").Sheet<Label>} */
function shareSheet({ t, page, record, selection, ask }) {
  /** @type {import("../../../assets/kit/request.js").Answer<{shares: number[]}>} */
  const answer = ask("share", {});
  const shares = answer.value?.shares ?? [];
  return {
    name: t("share"),
    file: "source-share",
    class: "hl-truth-share",
    note: answer.value === null ? pending(page, answer) : t("share.note"),
    rows: answer.value === null ? [] : record.tgt_out,
    chosen: (_, i) => i === selection.step,
    columns: {
      token: { text: true, cell: (label) => token(label), csv: lineOf },
      source: { cell: (_, i) => percentText(shares[i]), csv: (_, i) => shares[i] },
      prefix: { cell: (_, i) => percentText(1 - shares[i]), csv: (_, i) => 1 - shares[i] },
    },
  };
}

function reading(/** @type {Scene} */ { t, places }) {
  return html`<p>${t("board")}</p>
  ${places === null ? nothing : html`<p>${t("links")}</p>`}<p>${t("aer")}</p>
  <math display="block"><mi>AER</mi><mo>=</mo><mn>1</mn><mo>−</mo><mfrac>
    <mrow><mo>|</mo><mi>A</mi><mo>∩</mo><mi>S</mi><mo>|</mo><mo>+</mo><mo>|</mo><mi>A</mi><mo>∩</mo>
      <mo>(</mo><mi>S</mi><mo>∪</mo><mi>P</mi><mo>)</mo><mo>|</mo></mrow>
    <mrow><mo>|</mo><mi>A</mi><mo>|</mo><mo>+</mo><mo>|</mo><mi>S</mi><mo>|</mo></mrow>
  </mfrac></math>
  <p>${t("methods")}</p>`;
}
