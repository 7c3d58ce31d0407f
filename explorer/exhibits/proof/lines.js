// The proof in words and numbers: a line for each identity, a cell for each sub-layer, and their
// summary.

import { formula } from "../../../assets/kit/formula.js";
import { countText, smallText } from "../../../assets/kit/numbers.js";
import { joined } from "../../../assets/kit/sentence.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { KINDS } from "./attention.js";
import { isUnchecked, verdict } from "./result.js";

/** @typedef {import("./result.js").Result} Result */

/** The identities, in the order in which the model computes. */
export const GROUPS = {
  tokens: ["tokens", "labels", "read", "positions", "inputs"],
  attention: ["rows", "masked", "made", "weights", "output", "after"],
  output: ["logits", "order", "entropy", "stepwise"],
  search: ["candidates", "best", "draw", "totals", "score", "fates"],
  end: ["list", "dropped", "stop", "texts", "doubt"],
};
export const LINES = Object.values(GROUPS).flat();

/** Facts that no identity can check, in the order of the page. */
const UNCHECKED = ["server", "search", "layers", "views", "card"];

export const SIGNS = {
  holds: "✓",
  fails: "✗",
  excused: "–",
  unchecked: "–",
  none: "–",
  waiting: "…",
};

/** The state of a line; "none" if there was nothing to compare. @param {Result|null} one */
export function stateOf(one) {
  if (one === null) return "waiting";
  const state = verdict(one);
  return state === "holds" && one.count === 0 ? "none" : state;
}

/** The results of a group of identities. @param {any} s the scene @param {string} group
 * @param {string[]} names */
export function lineSheet({ t, results }, group, names) {
  const number = (/** @type {"deviation"|"tolerance"|"count"} */ key, text = smallText) => ({
    head: t(`column.${key}`),
    cell: (name) => (hasNumbers(results[name]) ? text(results[name][key]) : ""),
    csv: (name) => (hasNumbers(results[name]) ? results[name][key] : null),
  });
  return {
    name: t(`group.${group}`),
    file: `proof-${group}`,
    class: "hl-proof-lines",
    rows: names,
    columns: {
      identity: {
        text: true,
        head: t("column.identity"),
        csv: (name) => name,
        cell: (name) => identity(t, name, results[name]),
      },
      holds: {
        text: true,
        head: t("column.holds"),
        csv: (name) => stateOf(results[name]),
        cell: (name) => stateText(t, name, results[name]),
      },
      deviation: number("deviation"),
      tolerance: number("tolerance"),
      count: number("count", countText),
    },
  };
}

const hasNumbers = (/** @type {Result|null} */ one) => one !== null && !isUnchecked(one);

function stateText(t, /** @type {string} */ name, /** @type {Result|null} */ one) {
  const state = stateOf(one);
  return html`<span class="hl-proof-state" data-line=${name} data-state=${state}
    data-deviation=${one?.deviation ?? nothing}><b aria-hidden="true">${SIGNS[state]}</b>
    ${t(`state.${state}`)}</span>`;
}

/**
 * The identity as a sentence and as a formula, and the reason if it need not hold or was not
 * checked.
 */
function identity(t, /** @type {string} */ name, /** @type {Result|null} */ one) {
  const reasons = {
    excused: () => t(`excuse.${one?.excuse}`),
    unchecked: () => t(`excuse.${one?.excuse}`),
    none: () => t(`nothing.${name}`),
  };
  const why = reasons[stateOf(one)]?.();
  return html`${t(`line.${name}`)} <code>${formula(t(`formula.${name}`))}</code>
    ${why ? html`<small>${why}</small>` : nothing}`;
}

/** The deviation of every sub-layer's output: a row a kind, a column a layer. @param {any} s */
export function layerSheet({ t, page, record, layers }) {
  const most = Math.max(...KINDS.map((kind) => record.attention[kind].layers));
  const found = (kind, layer) => layers.get(`${kind} ${layer}`)?.output ?? null;
  const column = (_, /** @type {number} */ layer) => ({
    text: true,
    head: t("layer", { n: layer + 1 }),
    csv: (kind) => found(kind, layer)?.deviation ?? null,
    cell(kind) {
      if (layer >= record.attention[kind].layers) return "";
      const one = found(kind, layer);
      const state = stateOf(one);
      return html`<span data-layer="${kind}.${layer}" data-state=${state}
        data-deviation=${one?.deviation ?? nothing}>
        ${SIGNS[state]} ${one ? smallText(one.deviation) : ""}</span>`;
    },
  });
  const columns = Array.from({ length: most }, column);
  return {
    name: t("layers"),
    file: "proof-layers",
    class: "hl-proof-layers",
    rows: KINDS,
    columns: {
      kind: { text: true, head: "", cell: (kind) => page.t(`kind.${kind}`), csv: (kind) => kind },
      ...Object.fromEntries(columns.map((one, i) => [`layer_${i + 1}`, one])),
    },
  };
}

/** The result of the proof, in a sentence. @param {any} s the scene */
export function summary({ t, page, run, results, parts: { done, all: parts } }) {
  const states = LINES.map((name) => stateOf(results[name]));
  const count = (state) => states.filter((one) => one === state).length;
  const [n, excused, unchecked] = ["holds", "excused", "unchecked"].map(count);
  const all = LINES.length - count("none");
  const said = (state, name, values) => `${SIGNS[state]} ${t(`sum.${name}`, values)}`;
  if (count("fails")) return said("fails", "fails", { n: count("fails"), all });
  if (run.isRunning) return said("waiting", "waiting", { n: done, all: parts });
  if (count("waiting")) return said("waiting", "stopped", { n, all });
  return joined(
    page,
    said("holds", n === all ? "holds" : "some", { n, all }),
    ...(excused ? [t("sum.excused", { n: excused })] : []),
    ...(unchecked ? [t("sum.unchecked", { n: unchecked })] : []),
  );
}

/** The list of unchecked facts. @param {any} s */
export const uncheckedList = ({ t }) => html`<p>${t("sum.limits")}</p>
  <ul class="hl-proof-unchecked">
    ${UNCHECKED.map((name) => html`<li>${t(`unchecked.${name}`)}</li>`)}
  </ul>`;
