// The finding: what the settings leave of the distribution, in a sentence.

import { countText } from "../../../assets/kit/numbers.js";
import { shareText, sized } from "./numbers.js";

const SURE = 0.95; // probability of the most likely token beyond which little else can be drawn

/** @typedef {import("./view.js").Scene} Scene */

/** True if the model leaves hardly anything to draw from. @param {Scene} s */
export const isSure = ({ over, found }) => !over && found !== null && found.shares[0] >= SURE;

/** The most likely token, and the number of tokens left to draw from. @param {Scene} s */
export function finding({ t, say, over, found, shape, names, settings }) {
  if (over) return t(over);
  if (found === null) return "…";
  const { counts, powers, sums } = shape;
  const [own, now] = [found.shares[0], powers[0] / sums.p].map(shareText);
  const facts = { token: names.label(found.ranked.order[0]), own, now };
  const { temperature, top_k: k, top_p: p } = settings;
  if (counts.p === 1) return say("finding.one", facts);
  if (temperature === 1 && k === 0 && p === 1) {
    return say("finding.same", { ...facts, n: sized(Math.exp(found.own.entropy)) });
  }
  const left = { n: countText(counts.p), size: countText(found.ranked.order.length) };
  return say("finding.changed", { ...facts, ...left });
}
