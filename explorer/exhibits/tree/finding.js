// The hypothesis that wins at the current α, and the α at which another would.

import { isAlone } from "../../../assets/kit/languages.js";
import { marked, phrase } from "../../../assets/kit/sentence.js";
import { reignOf } from "./standing.js";

// Letters of a text in the finding: fewer where each can be a word.
const LONGEST = { alone: 18, spaced: 44 };

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
  const most = letters.some(isAlone) ? LONGEST.alone : LONGEST.spaced;
  const start = letters.slice(0, most).join("");
  const short = letters.length > most ? `${start.replace(/\s+\S*$/u, "")}…` : start;
  const { from, to } = /** @type {{from?: string, to?: string}} */ (values);
  const bounds = { from: from && marked(from), to: to && marked(to) };
  return s.say(`finding.${key}`, { ...bounds, text: phrase(short) });
}
