// The finding: what was broken, and what happened to the translation.

import { differences, readsAhead } from "../../../assets/kit/interventions.js";
import { roundPercent } from "../../../assets/kit/numbers.js";
import { marked, phrase } from "../../../assets/kit/sentence.js";
import { outcomeOf } from "./outcome.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

const LEAST = 0.005; // of a probability: a smaller change cannot be told

/** What was done, and what followed, in one sentence. @param {any} s the view's scene */
export function finding(s) {
  const { say, page, answer } = s;
  const changes = differences(answer.interventions, page.shared.interventions);
  const what = broken(page, changes);
  const { key, n, ...quoted } = outcomeOf(.../** @type {[string, string]} */ (answer.texts));
  if (key === "same") return unchanged(s, changes, what);
  const texts = Object.entries(quoted).map(([name, text]) => [name, phrase(text)]);
  return say(`finding.${key}`, { what, n, ...Object.fromEntries(texts) });
}

/** Of a translation that stays: which of its tokens has become likelier or less likely, if one has.
 * @param {any} s @param {Record<string, any>} changes @param {string} what */
function unchanged({ t, say, answer }, changes, what) {
  const reason = reasonOf(answer, changes);
  if (reason) return t(`finding.${reason}`, { what });
  const [before, after] = answer.log_probs;
  const step = stepOf(answer);
  const [from, to] = [before[step], after[step]].map(Math.exp);
  if (Math.abs(to - from) < LEAST) return t("finding.equal", { what });
  const key = readsAhead(/** @type {any} */ (answer)) ? "ahead" : "same";
  const shares = { from: marked(roundPercent(from)), to: marked(roundPercent(to)) };
  return say(`finding.${key}`, { what, token: answer.tgt_out[step], ...shares });
}

/** The token that the changes cost or help most. @param {{log_probs: number[][]}} answer */
function stepOf({ log_probs: [before, after] }) {
  const moved = before.map((one, step) => Math.abs(after[step] - one));
  return moved.indexOf(Math.max(...moved));
}

/** Why not one number changed: the model does not have what was changed. Null if some did.
 * @param {any} answer @param {Record<string, any>} changes */
function reasonOf({ log_probs: [before, after], positions, unscaled }, changes) {
  const [name, ...others] = Object.keys(changes).filter((one) => one in PARTS);
  const isExact = before.every((/** @type {number} */ one, /** @type {number} */ i) => {
    return one === after[i];
  });
  if (!isExact || others.length) return null;
  if (name === "scaling" && unscaled) return "unscaled";
  if (name === "positions" && positions === "none") return "placeless";
  return changes.positions === "shifted" && positions === "relative" ? "distances" : null;
}

/** "Without positions and with 9 heads off". @param {Page} page
 * @param {Record<string, any>} changes the fields that are changed */
function broken({ t }, changes) {
  const names = Object.keys(changes).filter((name) => name in PARTS);
  const [first, ...others] = names.map((name) => {
    const { key = name, ...values } = PARTS[name](changes, t);
    return t(`experiments.broken.${key}`, values);
  });
  const small = others.map((one) => one[0].toLowerCase() + one.slice(1));
  return [first, ...small].join(t("experiments.and"));
}

/** For each changed field: the words and their values. @type {Record<string, any>} */
const PARTS = {
  heads_off: (/** @type {any} */ { heads_off: heads }, /** @type {any} */ t) => {
    const [[kind, layer, head]] = heads;
    const one = {
      key: "head",
      kind: t(`kind.${kind}`).toLowerCase(),
      layer: layer + 1,
      head: head + 1,
    };
    return heads.length === 1 ? one : { key: "heads", n: heads.length };
  },
  cross_off: (/** @type {any} */ { cross_off: layers }) =>
    layers.length === 1 ? { key: "layer", n: layers[0] + 1 } : { key: "layers", n: layers.length },
  causal_mask: () => ({}),
  padding: (/** @type {any} */ { padding: n, padding_mask: isMasked = true }) => ({
    key: isMasked ? "masked" : "visible",
    n,
  }),
  cells: (/** @type {any} */ { cells }) => ({ n: cells.length }),
  scaling: () => ({}),
  positions: (/** @type {any} */ { positions, sides = "both", shift }, /** @type {any} */ t) => ({
    key: positions,
    shift,
    side: positions === "shuffled" || sides === "both" ? "" : t(`experiments.broken.${sides}`),
  }),
};
