// The sums of the scores, from the record alone: the sum of each hypothesis, its divisor, the
// ranking. Pure functions.

import { penaltyBase, penaltyOf } from "../../../assets/kit/penalty.js";
import { textOf } from "../../../assets/kit/pieces.js";

// All finished texts of a search: first its hypotheses in their order, then those that were beaten
// on the way, in the order of their steps. Each {kind, text, was, path, ids, parts, log_prob,
// length}: `was` is the rank in the search (null for the beaten), `parts` are its steps.
export function entriesOf({ search, hypotheses }) {
  const listed = hypotheses.map(({ path, text, finished }, was) =>
    entry(search, path, { kind: finished ? "finished" : "cut", text, was }),
  );
  const beaten = search.steps.flatMap(({ fates }, step) =>
    fates.flatMap((fate, candidate) =>
      fate === "beaten"
        ? [entry(search, pathTo(search, step, candidate), { kind: "beaten", was: null })]
        : [],
    ),
  );
  return [...listed, ...beaten];
}

function entry(search, path, facts) {
  const parts = path.map((candidate, step) => part(search, step, candidate));
  const log_prob = parts.reduce((sum, { adds }) => sum + adds, 0);
  const text = facts.text ?? textOf(parts.map(({ label }) => label.piece));
  return {
    ...facts,
    text,
    path,
    ids: parts.map(({ id }) => id),
    parts,
    log_prob,
    length: path.length,
  };
}

// One step of a hypothesis. A forced end at the limit adds nothing: its total is its parent's.
function part({ steps, labels }, step, candidate) {
  const { parents, ids, log_probs: logProbs, totals, forced } = steps[step];
  const before = step === 0 ? 0 : steps[step - 1].totals[parents[candidate]];
  const free = forced[candidate] === 1 && totals[candidate] === before;
  return {
    id: ids[candidate],
    label: labels[ids[candidate]],
    log_prob: logProbs[candidate],
    adds: free ? 0 : logProbs[candidate],
    free,
    forced: forced[candidate] === 1,
  };
}

// The candidates on the path to one, including itself.
function pathTo({ steps }, step, candidate) {
  const path = [candidate];
  for (let t = step; t > 0; t -= 1) path.unshift(steps[t].parents[path[0]]);
  return path;
}

export const scoreOf = (one, form, alpha) => one.log_prob / penaltyOf(form, alpha, one.length);

// The rank of each entry, from 0; in a tie the earlier entry is first.
export function ranksOf(entries, form, alpha) {
  const scores = entries.map((one) => scoreOf(one, form, alpha));
  const order = entries.map((_, i) => i).sort((a, b) => scores[b] - scores[a] || a - b);
  const ranks = [];
  order.forEach((i, rank) => {
    ranks[i] = rank;
  });
  return ranks;
}

// An entry's line in the plot: ln(score of the first / its score) = at + slope * alpha.
export function lineOf(one, first, form) {
  return {
    at: Math.log(size(first) / size(one)),
    slope: Math.log(penaltyBase(form, one.length) / penaltyBase(form, first.length)),
  };
}

// A text of probability 1 has log-prob 0, which cannot be on a logarithmic scale.
const size = ({ log_prob: logProb }) => Math.max(1e-9, -logProb);

export const heightOf = ({ at, slope }, alpha) => at + slope * alpha;

// Where two lines cross, or null where they do not.
export const crossing = (a, b) =>
  a.slope === b.slope ? null : (b.at - a.at) / (a.slope - b.slope);

// The best entry for each range, from the lowest alpha up: [{who, from, to}]. The upper edge of the
// lines: from each point it continues with the first steeper line that crosses it.
export function reigns(lines, low, high) {
  let who = 0;
  lines.forEach((line, i) => {
    const more = heightOf(line, low) - heightOf(lines[who], low);
    if (more > 0 || (more === 0 && line.slope > lines[who].slope)) who = i;
  });
  const found = [];
  for (let from = low; ; ) {
    /** @type {any} */
    let next = null;
    lines.forEach((line, i) => {
      if (line.slope <= lines[who].slope) return;
      const to = Math.max(from, Number(crossing(line, lines[who])));
      if (
        to < high &&
        (next === null || to < next.to || (to === next.to && line.slope > lines[next.who].slope))
      ) {
        next = { who: i, to };
      }
    });
    if (next === null) return [...found, { who, from, to: high }];
    if (next.to > from) found.push({ who, from, to: next.to });
    ({ who, to: from } = next);
  }
}

// What came of searching again with a setting under which the texts shown had been ranked:
// {kind, rank, predicted}. same: its best is `predicted`, the one ranked first; listed: it was
// there, at `rank`; beaten: it had been finished and dropped; new: it had never been finished.
// `joined` is true if the beaten were ranked too.
export function outcomeOf(entries, { joined, form, alpha }, ids) {
  const ranked = entries.filter(({ was }) => joined || was !== null);
  const ranks = ranksOf(ranked, form, alpha);
  const predicted = ranked[ranks.indexOf(0)].text;
  const one = entries.find(
    (entry) => entry.ids.length === ids.length && entry.ids.every((id, t) => id === ids[t]),
  );
  if (one === undefined) return { kind: "new", predicted };
  const rank = ranks[ranked.indexOf(one)];
  if (rank === 0) return { kind: "same", predicted };
  return one.was === null ? { kind: "beaten", predicted } : { kind: "listed", rank, predicted };
}
