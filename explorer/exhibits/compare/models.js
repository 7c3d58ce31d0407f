// A second model on the same sentence: both translations and scores, and a head of each.

import { select } from "../../../assets/kit/choice.js";
import { ramps } from "../../../assets/kit/colour.js";
import { titleOf } from "../../../assets/kit/languages.js";
import { matrix } from "../../../assets/kit/map.js";
import { mapFiles } from "../../../assets/kit/mapfiles.js";
import { cellText, durationText, signedText } from "../../../assets/kit/numbers.js";
import { hasLines, lineUnder, pairTarget, targetOf } from "../../../assets/kit/readersline.js";
import { pending } from "../../../assets/kit/request.js";
import { best } from "../../../assets/kit/requests.js";
import { KINDS, sidesOf } from "../../../assets/kit/selection.js";
import { token } from "../../../assets/kit/token.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";

/** @typedef {import("./view.js").Given} Given */
/** @typedef {import("./view.js").Paired} Paired */
/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("../../../assets/kit/types.js").Label} Label */
/** @typedef {Page["shared"]["models"][number]} Offered a model that the server has */
/** @typedef {import("../../../assets/kit/request.js").Answer<Written>} Answer */

/**
 * What a model writes in its language, and one of its heads: of `layers` and `heads`, which count
 * from 0.
 * @typedef {{name: string, text: string, language: string, tokens: Label[], log_prob: number, score: number, length: number,
 *   seconds: number, layers: number, heads: number, layer: number, head: number, rows: Label[],
 *   sides: Record<string, Label[]>, columns: Label[], cells: Float32Array}} Written
 *
 * The second model, and both answers, that of the page's model first: empty while one is open.
 * @typedef {{chosen: Offered, open: Answer|null, found: Written[]}} Models
 */

// em: a picture with room for both models side by side; between them; space above a map
const BESIDE = 40;
const GAP = 2;
const ABOVE = 8.4;
const LINE = 1.5; // of the reader's line

const name = (/** @type {string} */ key) => `model-${key}`;
const OLD = "model-"; // the default model in older links

/** The models that the server offers besides the one on the page. @param {Given} s */
export const othersOf = ({ page, record }) =>
  page.shared.models.filter(({ key }) => key !== record.model.key);

/** What both models write; null if no second one is chosen.
 * @param {Given} s @param {Offered[]} offered @returns {Models|null} */
export function modelsOf({ page, record, selection, ask, kept, ...at }, offered) {
  const { other, layer, head } = at;
  const wanted = other === OLD ? name(page.shared.models[0].key) : other;
  const chosen = offered.find(({ key }) => name(key) === wanted);
  if (!chosen) return null;
  const model = { ...record.model, key: chosen.key };
  const elsewhere = () => best(record, { model, prefix: [], interventions: {} });
  const there = ask("record", {}, kept(record, chosen.key, elsewhere));
  const { kind } = selection;
  const found = there.value
    ? [
        { ...writtenOf(record, selection), language: targetOf(page) },
        { ...writtenOf(there.value, { kind, layer, head }), language: pairTarget(chosen.pair) },
      ]
    : [];
  return { chosen, open: there.value ? null : there, found };
}

/** A model's translation, and one of its heads; a model with fewer shows its last one.
 * @param {import("../../../assets/kit/types.js").Rec} record
 * @param {Pick<import("../../../assets/kit/types.js").Selection, "kind"|"layer"|"head">} head
 * @returns {Omit<Written, "language">} */
function writtenOf(record, { kind, ...asked }) {
  const {
    attention,
    hypotheses,
    shown,
    model,
    src,
    tgt_in: read,
    tgt_out: tokens,
    seconds,
  } = record;
  const { layers, heads, head: cellsOf } = attention[kind];
  const [layer, head] = [Math.min(asked.layer, layers - 1), Math.min(asked.head, heads - 1)];
  return {
    ...hypotheses[shown],
    ...{ name: model.name, tokens, seconds, layers, heads, layer, head },
    rows: kind === "encoder_self" ? src : tokens,
    columns: kind === "decoder_self" ? read : src,
    sides: sidesOf(record, kind),
    cells: cellsOf(layer, head),
  };
}

/** Whether both write the same. @param {Paired} s */
export function modelFinding({ t, models: { found } }) {
  if (found.length === 0) return "…";
  const [here, there] = found;
  const isSame = textOf(here) === textOf(there);
  return t(isSame ? "finding.models.same" : "finding.models.other", {
    here: here.name,
    there: there.name,
  });
}

const textOf = (/** @type {Written} */ { tokens }) => tokens.map(({ text }) => text).join(" ");

/** Each model's translation, and below it its head.
 * @param {Paired} s @param {import("../../../assets/kit/exhibit.js").Size} size */
export function modelPicture(s, { width, height, em }) {
  const { page, models } = s;
  if (models.open) return pending(page, models.open);
  const isBeside = width >= BESIDE * em;
  const above = ABOVE + (hasLines(page) ? LINE : 0);
  const box = {
    width: isBeside ? (width - GAP * em) / 2 : width,
    height: (isBeside ? height : height / 2) - above * em,
    font: em,
  };
  return html`<div class="hl-compare-heads ${isBeside ? "" : "hl-narrow"}">${models.found.map(
    (one) => html`<figure><h3>${one.name}</h3>
      <p class="hl-compare-written hl-tokens">${one.tokens.map((label) => token(label))}</p>
      ${lineUnder(page, one.text, one.language)}
      <figcaption>${headName(page, one)}</figcaption>
      ${matrix({ ...sceneOf(page, one), ...box })}</figure>`,
  )}</div>`;
}

/** @param {Page} page @param {Written} one @returns {import("../../../assets/kit/map.js").MapScene} */
const sceneOf = (page, one) => ({
  cells: one.cells,
  queries: one.rows.length,
  keys: one.columns.length,
  rows: one.rows,
  columns: one.columns,
  ramp: ramps[page.theme.get()],
  name: `${one.name}: ${headName(page, one)}`,
  large: true,
  text: (weight) => (Number.isNaN(weight) ? "" : cellText(weight)),
  width: 0,
  font: 14,
});

const headName = (
  /** @type {Page} */ page,
  /** @type {Written} */ { layer, layers, head, heads },
) =>
  page.t("compare.models.head", {
    kind: page.t(`kind.${page.selection.get().kind}`),
    layer: layer + 1,
    layers,
    head: head + 1,
    heads,
  });

/** The first map's numbers, and both maps as one picture. @param {Paired} s */
export function modelFiles({ page, models: { found } }) {
  if (found.length === 0) return { svg: null };
  const scenes = found.map((one) => ({ ...sceneOf(page, one), sides: one.sides }));
  return mapFiles(page, scenes);
}

/** @param {Paired} s @returns {import("../../../assets/kit/sheet.js").Sheet<Written>[]} */
export function modelSheet({ t, models: { found } }) {
  /** @type {(key: "log_prob"|"score")
   *   => import("../../../assets/kit/sheet.js").SheetColumn<Written>} */
  const signed = (key) => ({
    cell: (one) => signedText(one[key], 4),
    csv: (one) => one[key],
  });
  return [
    {
      name: t("models"),
      file: "compare-models",
      class: "hl-compare-models",
      note: t("models.note"),
      rows: found,
      columns: {
        model: { text: true, cell: (one) => one.name },
        text: {
          text: true,
          cell: ({ tokens }) =>
            html`<span class="hl-tokens">${tokens.map((label) => token(label))}</span>`,
          csv: textOf,
        },
        log_prob: signed("log_prob"),
        score: signed("score"),
        length: { cell: ({ length }) => length },
        seconds: {
          cell: ({ seconds }) => durationText(seconds),
          csv: ({ seconds }) => seconds,
        },
      },
    },
  ];
}

/** The menu of the second model, if there is one. @param {import("./view.js").Scene} s */
export function chooseModel({ t, page, offered, models, set }) {
  if (offered.length === 0) return nothing;
  const none = { value: "", label: t("models.none") };
  return select({
    class: "hl-compare-other",
    label: t("models.with"),
    options: [none, ...offered.map((one) => ({ value: name(one.key), label: titleOf(page, one) }))],
    value: models ? name(models.chosen.key) : "",
    onChange: (value) => set({ other: value || null, layer: 0, head: 0 }),
  });
}

/** The second model's layer or head: it may differ from those of the model on the page.
 * @param {Paired} s @param {"layer"|"head"} key */
export function chooseHead({ t, models: { found }, set }, key) {
  if (found.length === 0) return nothing;
  const [, there] = found;
  const count = key === "layer" ? there.layers : there.heads;
  return select({
    class: `hl-compare-${key}`,
    label: t(`models.${key}`),
    options: Array.from({ length: count }, (_, i) => ({ value: String(i), label: String(i + 1) })),
    value: String(there[key]),
    onChange: (value) => set({ [key]: Number(value) }),
  });
}

/** The kind of attention of the maps. @param {Paired} s */
export const chooseKind = ({ t, page, selection: { kind } }) =>
  select({
    class: "hl-compare-kind",
    label: t("models.kind"),
    options: KINDS.map((value) => ({ value, label: page.t(`kind.${value}`) })),
    value: kind,
    onChange: (value) => page.choose({ kind: value }),
  });
