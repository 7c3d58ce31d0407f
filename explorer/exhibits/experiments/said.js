// The finding: what was broken, and what happened to the translation.

import { differences, readsAhead } from "../../../assets/kit/interventions.js";
import { changeText, signedText } from "../../../assets/kit/numbers.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

const MOST = 24; // characters of a quoted text
const ENDS = /[。！？]|[.!?](?=\s|$)/g; // of sentences
const REPEATED = /(.{1,12}?)\1{3,}/u; // what a broken model often writes

/** Both texts and the log-prob of the original's under both models, in one sentence.
 * @param {any} s the view's scene */
export function finding(s) {
  const { t, page, answer } = s;
  const [before, after] = answer.log_probs.map((/** @type {number[]} */ all) =>
    all.reduce((sum, one) => sum + one, 0),
  );
  const changes = differences(answer.interventions, page.shared.interventions);
  const { key, ...values } = outcome(answer, changeText(after - before) === changeText(0));
  const what = broken(page, changes);
  const reason = key === "equal" ? reasonOf(answer, changes) : null;
  if (reason) return t(`finding.${reason}`, { what });
  const numbers = { before: signedText(before), after: signedText(after) };
  return t(`finding.${key}`, { what, ...numbers, ...values });
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

/** @param {Page} page @param {Record<string, any>} changes the fields that are changed */
function broken({ t }, changes) {
  const names = Object.keys(changes).filter((name) => name in PARTS);
  const [first, ...others] = names.map((name) => {
    const { key = name, ...values } = PARTS[name](changes, t);
    return t(`experiments.broken.${key}`, values);
  });
  const small = others.map((one) => one[0].toLowerCase() + one.slice(1));
  return [first, ...small].join(t("experiments.comma"));
}

/** For each changed field: the words and their values. @type {Record<string, any>} */
const PARTS = {
  heads_off: (/** @type {any} */ { heads_off: heads }, /** @type {any} */ t) => {
    const [[kind, layer, head]] = heads;
    const one = { key: "head", kind: t(`kind.${kind}`), layer: layer + 1, head: head + 1 };
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

/** What became of the translation. @param {any} answer @param {boolean} isEqual its log-prob */
function outcome({ texts: [before, after], difference, interventions }, isEqual) {
  if (before === after) {
    if (isEqual) return { key: "equal" };
    return { key: readsAhead(/** @type {any} */ ({ interventions })) ? "ahead" : "same" };
  }
  if (after === "") return { key: "empty" };
  const [repeated, part] = REPEATED.exec(after) ?? ["", ""];
  if (repeated) return { key: "repeats", part, n: repeated.length / part.length };
  if (before.startsWith(after)) return { key: "ends", less: quoted(before.slice(after.length)) };
  const more = added(before, after);
  if (more) return { key: "adds", more: quoted(more) };
  const kept = difference.filter((/** @type {any} */ { where }) => where === "both");
  const n = kept.reduce(
    (/** @type {number} */ sum, /** @type {any} */ { text }) => sum + text.length,
    0,
  );
  return { key: "other", n, count: before.length };
}

/** What comes after the original, or after as many sentences as it has. @param {string} before
 * @param {string} after */
function added(before, after) {
  if (after.startsWith(before)) return after.slice(before.length).trim();
  const ends = [...before.matchAll(ENDS)].length;
  const end = [...after.matchAll(ENDS)][ends - 1];
  return end ? after.slice(end.index + 1).trim() : "";
}

const quoted = (/** @type {string} */ text) =>
  [...text].length > MOST ? `${[...text].slice(0, MOST - 1).join("")}…` : text;
