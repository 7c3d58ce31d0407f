// The search's result, its quality, and the step where it lost the best text: in a sentence, and in
// full.

import { joined, phrase } from "../../../assets/kit/sentence.js";
import { lostAt, shortText, standing } from "./sums.js";

/** @typedef {import("./view.js").Scene} Scene */
/** @typedef {import("./sums.js").Searched} Searched */

/** The numbers of both sentences. @param {Searched} answer */
function factsOf({ hypotheses, greedy, all, columns, beam }) {
  const [[best, q]] = all;
  const { text } = hypotheses[0];
  const { rank, isBest } = standing(all, text, q);
  const p = shortText(all[rank][1]);
  const g = shortText(Math.exp(greedy.log_prob));
  const facts = { beam, text, p, rank: rank + 1, best, q: shortText(q), greedy: greedy.text, g };
  const isGreedyBest = standing(all, greedy.text, q).isBest;
  return { isBest, isGreedyBest, facts: { ...facts, n: all.length, ...lossOf(columns, best) } };
}

/** The step where the best was lost; without `place` it was not a candidate there. */
function lossOf(/** @type {Searched["columns"]} */ columns, /** @type {string} */ best) {
  const found = lostAt(columns, best);
  if (found === null) return {};
  const { step, node } = found;
  const lost = { step: step + 1, lost: best.slice(0, step + 1) };
  if (node === null) return lost;
  const kept = columns[step].filter(({ fate }) => fate !== "pruned").length;
  return { ...lost, r: shortText(node.probability), place: node.candidate + 1, kept };
}

/** At most twenty words. @param {Scene} s */
export function finding({ say, answer }) {
  const { isBest, isGreedyBest, facts } = factsOf(answer);
  const quoted = (/** @type {[string, unknown]} */ [name, value]) =>
    ["best", "lost", "greedy"].includes(name) ? [name, phrase(String(value))] : [name, value];
  const values = Object.fromEntries(Object.entries(facts).map(quoted));
  if (isBest) return say(`finding.${isGreedyBest ? "both" : "beam"}`, values);
  const who = isGreedyBest ? "greedy" : "neither";
  return say(`finding.${who}.${"place" in facts ? "missed" : "unseen"}`, values);
}

/** True if greedy also finds the best text. */
export function allFindIt(/** @type {Searched} */ answer) {
  const { isBest, isGreedyBest } = factsOf(answer);
  return isBest && isGreedyBest;
}

/** All of it. @param {Scene} s */
export function said({ t, page, answer }) {
  const { isBest, facts } = factsOf(answer);
  const end = t(facts.greedy === facts.text ? "said.greedy.same" : "said.greedy", facts);
  if (isBest) return joined(page, t("said.best", facts), end);
  return joined(page, t("place" in facts ? "said.missed" : "said.unseen", facts), end);
}
