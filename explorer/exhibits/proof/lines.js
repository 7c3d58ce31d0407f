// The tables of the proof: a line for each identity, a cell for each sub-layer, and their sum.

import { button } from "../../../assets/kit/choice.js";
import { countText, smallText } from "../../../assets/kit/numbers.js";
import { table } from "../../../assets/kit/table.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { KINDS } from "./attention.js";
import { LEFT_OUT, verdict } from "./result.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("./result.js").Result} Result */

/** The identities, in the order in which the model computes. */
export const GROUPS = {
  tokens: ["tokens", "labels", "read", "positions", "inputs"],
  attention: ["rows", "masked", "made", "weights", "output", "after"],
  output: ["logits", "entropy", "stepwise"],
  search: ["candidates", "totals", "score", "fates", "texts"],
};
export const LINES = Object.values(GROUPS).flat();

const SIGNS = { holds: "✓", fails: "✗", excused: "–", waiting: "…" };
const stateOf = (/** @type {Result|null} */ one) => (one === null ? "waiting" : verdict(one));

/** @param {Page} page @param {string[]} names @param {Record<string, Result|null>} results
 * @param {{line: string|null, change: (name: string) => void,
 *   possible: (name: string) => boolean}} by */
export function lineTable(page, names, results, { line, change, possible }) {
  const { t } = page;
  const columns = ["identity", "holds", "deviation", "tolerance", "count", "change"];
  return table({
    label: t("proof.column.identity"),
    class: "hl-proof-lines",
    columns: columns.map((name) => ({
      name: t(`proof.column.${name}`),
      text: !["deviation", "tolerance", "count"].includes(name),
    })),
    rows: names.map((name) => {
      const one = results[name];
      const state = stateOf(one);
      const numbers =
        one && one !== LEFT_OUT
          ? [smallText(one.deviation), smallText(one.tolerance), countText(one.count)]
          : ["", "", ""];
      return {
        class: `hl-proof-${state}`,
        cells: [
          identity(page, name, one, state),
          html`<span class="hl-proof-state" data-line=${name} data-state=${state}
            data-deviation=${one?.deviation ?? nothing}><b aria-hidden="true">${SIGNS[state]}</b>
            ${t(`proof.state.${state}`)}</span>`,
          ...numbers,
          possible(name)
            ? button({
                label: t(line === name ? "proof.undo" : "proof.change"),
                class: `hl-proof-change-${name}`,
                pressed: line === name,
                onClick: () => change(name),
              })
            : "",
        ],
      };
    }),
  });
}

/** What must hold, as a sentence and as a formula, and why it need not where it does not. */
function identity(/** @type {Page} */ { t }, name, /** @type {Result|null} */ one, state) {
  const why =
    state === "excused"
      ? t(`proof.excuse.${one?.excuse}`)
      : one?.count === 0
        ? t("proof.nothing")
        : "";
  return html`${t(`proof.line.${name}`)} <code>${t(`proof.formula.${name}`)}</code>
    ${why ? html`<small>${why}</small>` : nothing}`;
}

/** The deviation of every sub-layer's output: a row a kind, a column a layer.
 * @param {Page} page @param {any} record @param {Map<string, Record<string, Result>>} layers */
export function layerTable({ t }, record, layers) {
  const most = Math.max(...KINDS.map((kind) => record.attention[kind].layers));
  const cell = (kind, layer) => {
    if (layer >= record.attention[kind].layers) return "";
    const found = layers.get(`${kind} ${layer}`)?.output ?? null;
    const state = stateOf(found);
    return html`<span data-layer="${kind}.${layer}" data-state=${state}
      data-deviation=${found?.deviation ?? nothing}>
      ${SIGNS[state]} ${found ? smallText(found.deviation) : ""}</span>`;
  };
  const indices = Array.from({ length: most }, (_, layer) => layer);
  return table({
    label: t("proof.layers"),
    class: "hl-proof-layers",
    columns: [
      { name: "" },
      ...indices.map((layer) => ({ name: t("proof.layer", { n: layer + 1 }), text: true })),
    ],
    rows: KINDS.map((kind) => ({
      cells: [t(`kind.${kind}`), ...indices.map((layer) => cell(kind, layer))],
    })),
  });
}

/** @param {Page} page @param {{isRunning: boolean}} run @param {Record<string, Result|null>} results
 * @param {{done: number, all: number}} parts */
export function summary({ t }, run, results, { done, all }) {
  const states = LINES.map((name) => stateOf(results[name]));
  const count = (state) => states.filter((one) => one === state).length;
  const said = (state, name, values) => `${SIGNS[state]} ${t(`proof.sum.${name}`, values)}`;
  const [n, lines] = [count("holds"), LINES.length];
  if (count("fails")) return said("fails", "fails", { n: count("fails"), all: lines });
  if (run.isRunning) return said("waiting", "waiting", { n: done, all });
  if (count("waiting")) return said("waiting", "stopped", { n, all: lines });
  const isFile = Object.values(results).includes(LEFT_OUT);
  if (count("excused")) return said("holds", isFile ? "file" : "excused", { n, all: lines });
  return said("holds", "holds", { all: lines, off: smallText(results.output?.deviation ?? 0) });
}
