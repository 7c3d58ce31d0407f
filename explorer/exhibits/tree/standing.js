// The ranking of a search's finished texts under the current penalty. Pure functions.

import { penaltyOf } from "../../../assets/kit/penalty.js";
import { lineOf, ranksOf, reigns, scoreOf } from "./scores.js";
import { nodeAt } from "./shape.js";

/**
 * The entries with their ranks and scores; the range where each is best (`reigning`); and for the
 * tree: the nodes on the path to the first (`winners`) and the ranks of the ends (`standings`).
 */
export function standingOf({ at, tree, record, entries: all, facts }) {
  const { alpha: chosenAlpha, form: chosenForm, withBeaten } = at.get();
  const { length_penalty: own, penalty_form: ownForm, method } = record.settings;
  const [alpha, form] = [chosenAlpha ?? own, chosenForm ?? ownForm];
  const entries = all.filter(({ was }) => withBeaten || was !== null);
  const low = Math.min(facts.low, Math.floor(own), Math.floor(alpha));
  const high = Math.max(facts.high, Math.ceil(own), Math.ceil(alpha));
  const lines = entries.map((one) => ({
    ...lineOf(one, entries[0], form),
    listed: one.was !== null,
  }));
  const ranks = ranksOf(entries, form, alpha);
  const scores = entries.map((one) => scoreOf(one, form, alpha));
  const ends = entries.map(({ path }) => endOf(tree, path));
  return {
    entries,
    lines,
    low,
    high,
    own,
    ownForm,
    method,
    alpha,
    form,
    withBeaten,
    ranks,
    scores,
    penalties: entries.map((one) => penaltyOf(form, alpha, one.length)),
    chosen: chosenOf(entries, record),
    reigning: reigns(lines, low, high),
    isOwn: alpha === own && form === ownForm,
    beatenCount: all.length - record.hypotheses.length,
    winners: new Set(wayTo(ends[ranks.indexOf(0)])),
    standings: new Map(ends.map((node, i) => [node, { rank: ranks[i], score: scores[i] }])),
  };
}

const endOf = (tree, path) => nodeAt(tree, `${path.length - 1}.${path.at(-1)}`);

function wayTo(node) {
  const way = [];
  for (let at = node; at !== null; at = at.parent) way.push(at);
  return way;
}

/** The ranking of the search itself, without the visitor's length penalty. */
export function ownStanding(tree) {
  const nodes = tree.steps.flat();
  const ends = nodes.filter(({ ends: place }) => place !== null);
  return {
    winners: new Set(nodes.filter(({ winner }) => winner)),
    standings: new Map(ends.map((node) => [node, { rank: node.ends, score: node.score }])),
  };
}

function chosenOf(entries, { node, shown }) {
  const isNode = ({ path, was }) =>
    was === null && path.length - 1 === node[0] && path.at(-1) === node[1];
  const i = node === null ? -1 : entries.findIndex(isNode);
  return i < 0 ? shown : i;
}

/**
 * The range of the first place: {key, from, to}. "always" if it is first at every alpha shown,
 * "above" if it stops being so at `to`, "below" if it begins at `from`.
 */
export function reignOf({ entries, reigning, ranks, low, high, alpha }) {
  if (entries.length === 1) return { key: "alone" };
  const who = ranks.indexOf(0);
  const reign = reigning.find((one) => one.who === who && one.from <= alpha && alpha <= one.to);
  const [from, to] = [reign?.from ?? low, reign?.to ?? high];
  const ends = { from: from > low, to: to < high };
  const key = ends.from && ends.to ? "between" : ends.from ? "below" : ends.to ? "above" : "always";
  return { key: reign ? key : "now", from, to };
}
