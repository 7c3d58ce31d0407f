// Many heads in one map beside the occlusion: are the words that heads read the ones that matter to
// the translation?

import { select } from "../../../assets/kit/choice.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { local, menu } from "../../../assets/kit/fields.js";
import { axesText } from "../../../assets/kit/heads.js";
import { lineOf } from "../../../assets/kit/heatplan.js";
import { whole } from "../../../assets/kit/keep.js";
import { svgOf } from "../../../assets/kit/mapfiles.js";
import { fixed, roundPercent } from "../../../assets/kit/numbers.js";
import { rowOf } from "../../../assets/kit/payload.js";
import { KINDS } from "../../../assets/kit/selection.js";
import { marked } from "../../../assets/kit/sentence.js";
import { rowsByLinks, steps } from "../../../assets/kit/telling.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { cellRows, loseSheet, rhoSheet } from "./numbers.js";
import { picture } from "./picture.js";
import { askedOf, mapsOf, prepare, scene } from "./scene.js";

/** @typedef {import("./scene.js").Given} Given */
/** @typedef {import("./scene.js").Scene} Scene */

const LEAST = 0.005; // of a probability: less is nothing in whole percents
const MOST_LAYERS = 64; // highest layer in a link

/** @type {import("../../../assets/kit/exhibit.js").View<Scene>} */
const VIEW = {
  name: "summaries",
  fields: ({ ways }) => ({
    way: menu(ways, { first: ways[0], quiet: true }),
    layer: { first: 0, fits: whole(0, MOST_LAYERS) }, // 0: all of them
    pointed: local(null), // the cell {row, col} of the occlusion under the pointer
  }),
  stores: (page) => [page.hover],
  engine: () => ({ made: new WeakMap() }), // maps by the last of their turns
  ask: (s) => ["summary", askedOf(s)],
  prepare,
  scene,
  telling,
  cell: ({ answer: { kind, cells, keys }, row: { at }, most }) =>
    kind === "encoder_self"
      ? { src: at, weights: rowOf(cells, keys, at) }
      : kind === "cross"
        ? { src: most.col, step: at, weights: rowOf(cells, keys, at) }
        : { step: at, weights: null },
  finding,
  nothing: ({ answer: { kind }, row, occlusion }) =>
    kind === "cross" && occlusion.value !== null && costsNothing(occlusion.value.worst[row.at]),
  picture,
  controls: [kinds, "way", layers],
  numbers: (s) => [loseSheet(s), ...rhoSheet(s)],
  reading,
  files,
};

export const { mount } = exhibit(VIEW);

/** The steps by what the costliest token costs them; the rows of another kind by what they read.
 * @param {Omit<Scene, "answer"> & {answer: Scene["answer"]|null}} s */
function telling({ record, answer, labels, occlusion }) {
  if (!answer) return null;
  const { kind, cells, keys } = answer;
  if (kind !== "cross") {
    const rows = rowsByLinks({ cells, keys, ...labels, isPair: false });
    return rows.map((one) => ({ ...one, col: null }));
  }
  if (occlusion.value === null) return null;
  const { worst } = occlusion.value;
  return steps(record, (step) => Math.max(0, -worst[step].change));
}

/** True if removing any source token costs the written one nothing. */
const costsNothing = (/** @type {{change: number}} */ { change }) => Number(fixed(change, 3)) >= 0;

/** The token that the heads read most in the chosen row, and the costliest one to remove.
 * @param {Scene} s */
function finding({ say, answer: { kind }, row, labels, most, occlusion }) {
  const weight = marked(roundPercent(most.weight));
  const read = { row: row.label, col: labels.columns[most.col], weight };
  if (kind !== "cross") return say("finding.other_kind", read);
  if (occlusion.value === null) return say("finding.read", read);
  const { gone, change } = occlusion.value.worst[row.at];
  if (costsNothing({ change })) return say("finding.none", read);
  const left = Math.exp(change);
  const lost = { ...read, gone: labels.columns[gone], share: marked(roundPercent(left)) };
  const isStaying = most.col !== gone && most.col >= occlusion.value.removed;
  if (isStaying) return say("finding.stays", lost);
  const isAlike = lineOf(lost.col) === lineOf(lost.gone);
  const key = most.col === gone ? "same" : isAlike ? "alike" : "other";
  return say(left < LEAST ? `finding.${key}.none` : `finding.${key}`, lost);
}

function kinds(/** @type {Given} */ { t, page, selection: { kind } }) {
  return select({
    label: t("kind"),
    class: "hl-summary-kind",
    quiet: true,
    options: KINDS.map((value) => ({ value, label: page.t(`kind.${value}`) })),
    value: kind,
    onChange: (value) => page.choose({ kind: value }),
  });
}

/** One layer or all; a rollout goes up to that layer. @param {Given} s */
function layers(s) {
  const { t, page, record, set, way } = s;
  const { kind, layer } = askedOf(s);
  const one = (/** @type {number} */ n) =>
    way === "rollout" ? t("up_to", { n }) : page.t("heads.layer", { n });
  return select({
    label: t("layer"),
    class: "hl-summary-layer",
    quiet: true,
    options: Array.from({ length: record.attention[kind].layers + 1 }, (_, n) => ({
      value: String(n),
      label: n === 0 ? t("all") : one(n),
    })),
    value: String(layer),
    onChange: (value) => set({ layer: Number(value) }),
  });
}

/** The meaning of both maps, their agreement, and the limits of both. @param {Scene} s */
function reading(s) {
  const { t, page, answer, selection } = s;
  const isCross = answer.kind === "cross";
  return html`<p class="hl-summary-says">${says(s)}</p>
    <p>${axesText(page, { ...selection, kind: answer.kind })}</p>
    <p class="hl-occlusion-says">${t("occlusion.says")} ${t("occlusion.axes")}</p>
    <p>${t(isCross ? "agree.says" : "agree.cross")}</p>
    <h3>${t("proof")}</h3>
    ${["jain", "wiegreffe", "occlusion"].map((one) => html`<p>${t(`proof.${one}`)}</p>`)}
    <h3>${t("way.rollout")}</h3><p>${t("rollout")}</p>
    ${KINDS.map((one) => html`<p>${t(`rollout.${one}`)}</p>`)}`;
}

/** The definition of the summary, with the numbers of this model. @param {Scene} s */
function says({ t, record, answer: { kind, way, layer, cells, keys }, off }) {
  const maps = record.attention[kind];
  const count = maps.heads * (layer || way === "rollout" ? 1 : maps.layers);
  const sum = cells.subarray(0, keys).reduce((total, one) => total + (one || 0), 0);
  const isPart = way === "rollout" && kind === "cross";
  const what = t(`says.${way}`, { count, layers: layer || maps.layers });
  return html`${what} ${off > 0 ? t("off", { off }) : nothing}
    ${isPart ? t("rows", { sum: fixed(sum, 3) }) : nothing}`;
}

/** Both maps as one picture, and their cells; the JSON has both in every case. @param {Scene} s */
function files(s) {
  const { kind, way, layer } = s.answer;
  const maps = () => Object.values(mapsOf(s)).filter((map) => map !== null);
  return {
    name: `summary-${kind}-${way}-${layer || "all"}`,
    csv: () => cellRows(s),
    json: () =>
      maps().map(({ name, rows, columns, cells, keys }) => ({
        name,
        rows: rows.map(lineOf),
        columns: columns.map(lineOf),
        cells: rows.map((_, i) => Array.from(cells.subarray(i * keys, (i + 1) * keys))),
      })),
    svg: () => svgOf(maps(), s.page.theme.get()),
  };
}
