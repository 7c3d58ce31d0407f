// The finding: what the settings leave of the distribution, in a sentence.

import { countText, roundPercent } from "../../../assets/kit/numbers.js";
import { marked } from "../../../assets/kit/sentence.js";
import { sized } from "./numbers.js";

/** @type {Record<string, number>} */
const PLAIN = { temperature: 1, top_k: 0, top_p: 1 }; // settings that change nothing
const ALMOST = 0.9; // of the tokens: nearly all
const SURE = 0.95; // probability of the most likely token beyond which little else can be drawn

/** @typedef {import("./view.js").Scene} Scene */

/** True if the model leaves hardly anything to draw from. @param {Scene} s */
export const isSure = ({ over, found }) => !over && found !== null && found.shares[0] >= SURE;

/** The most likely token, and the number of tokens left to draw from. @param {Scene} s */
export function finding({ t, say, over, found, shape, names, settings }) {
  if (over) return t(over);
  if (found === null) return "…";
  const { counts, powers, sums } = shape;
  const [own, now] = [found.shares[0], powers[0] / sums.p].map((one) => marked(roundPercent(one)));
  const facts = { token: names.label(found.ranked.order[0]), own, now };
  const what = changed(t, settings);
  if (counts.p === 1) return say("finding.one", facts);
  if (what === null)
    return say("finding.same", { ...facts, n: sized(Math.exp(found.own.entropy)) });
  const isAny = counts.p > ALMOST * found.ranked.order.length;
  return say(isAny ? "finding.any" : "finding.changed", { ...facts, what, n: countText(counts.p) });
}

/** What the settings are that leave not all as it is; null if they do.
 * @param {Scene["t"]} t @param {Scene["settings"]} settings */
function changed(t, { temperature, top_k: k, top_p: p }) {
  const all = Object.entries({ temperature, top_k: k, top_p: p });
  const own = all.filter(([name, value]) => value !== PLAIN[name]);
  if (own.length === 0) return null;
  const [[name, value]] = own;
  return own.length > 1 ? t("finding.what.several") : t(`finding.what.${name}`, { value });
}
