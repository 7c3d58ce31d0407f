// What the numbers of a seed draw from a distribution, and the sentences that tell it.

import { signedText } from "../numbers.js";
import { drawer, probabilities, uniformAt } from "../sampling.js";
import { number, t } from "../words.js";
import { shareText } from "./sampling_numbers.js";

// {one: {id, u, from, to} or null, tally: {counts, n, id, share, expected, chance} or null}: what the
// number of that index draws, and what the first n numbers of the seed do. Indices may be null, n 0.
export function drawAll(found, shape, { seed, index, n }) {
  if (index === null && n === 0) return { one: null, tally: null };
  const weights = probabilities(found.ranked, shape);
  const pick = drawer(weights);
  return {
    one: index === null ? null : drawOne(weights, pick, uniformAt(seed, index)),
    tally: n === 0 ? null : count(found, weights, pick, seed, n),
  };
}

function drawOne(weights, pick, u) {
  const id = pick(u);
  let from = 0;
  for (let i = 0; i < id; i += 1) from += weights[i];
  return { id, u, from, to: from + weights[id] };
}

function count({ ranked }, weights, pick, seed, n) {
  const counts = new Uint16Array(weights.length);
  for (let i = 0; i < n; i += 1) counts[pick(uniformAt(seed, i))] += 1;
  let id = ranked.order[0];
  let most = 0;
  for (let token = 0; token < counts.length; token += 1) {
    const off = Math.abs(counts[token] / n - weights[token]);
    if (off > most) [id, most] = [token, off];
  }
  const expected = weights[id];
  return { counts, n, id, share: counts[id] / n, expected, chance: Math.sqrt((expected * (1 - expected)) / n) };
}

export function drawnText({ one, picked, seed, index, found, names }) {
  const shown = (id) => ({ token: names.label(id).text, log_prob: signedText(found.logProbs[id], 4) });
  if (one !== null) {
    const [u, from, to] = [one.u, one.from, one.to].map((value) => value.toFixed(6));
    return t("sampling.drawn", { n: number(index), seed, u, from, to, ...shown(one.id) });
  }
  return picked === null ? t("sampling.choose") : t("sampling.chosen", shown(picked));
}

export function tallyText(tally, names) {
  if (tally === null) return "";
  const { n, id, share, expected, chance } = tally;
  return t("sampling.tally", {
    n, token: names.label(id).text, share: shareText(share), expected: shareText(expected), chance: shareText(chance),
  });
}
