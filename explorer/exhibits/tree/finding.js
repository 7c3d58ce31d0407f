// The hypothesis that wins at the current α, and the α at which another would.

import { reignOf } from "./standing.js";

const LONGEST = 18; // letters of a text in the finding

export const alphaText = (/** @type {number} */ alpha) => String(alpha).replace("-", "−");
const bound = (/** @type {number} */ alpha) => alphaText(Number(alpha.toFixed(2)));

/** The sentence about the first place: {key, values}. */
export function verdictOf(s) {
  const { entries, ranks, alpha, scores } = s;
  const { key, from, to } = reignOf(s);
  const best = ranks.indexOf(0);
  const bounds = from === undefined ? {} : { from: bound(from), to: bound(to) };
  const score = scores[best].toFixed(3).replace("-", "−");
  return { key, text: entries[best].text, values: { alpha: alphaText(alpha), score, ...bounds } };
}

export function finding(s) {
  const { key, text, values } = verdictOf(s);
  const letters = [...(text || s.page.t("hypothesis.empty"))];
  const short = letters.length > LONGEST ? [...letters.slice(0, LONGEST), "…"] : letters;
  return s.say(`finding.${key}`, { ...values, text: { text: short.join(""), kind: "phrase" } });
}
