// Query, key and value as books on a shelf and things on a desk. The numbers are made up; the
// softmax is real. Pure functions.

import { dot, softmax } from "../../../assets/kit/algebra.js";

// Labels and contents of the books. A label has its amounts of sea, cooking and history. The
// contents are the yield: hours of reading, recipes, maps.
export const BOOKS = [
  { name: "voyages", key: [2, 0, 1], value: [9, 0, 6] },
  { name: "fish", key: [1, 2, 0], value: [3, 40, 0] },
  { name: "bread", key: [0, 2, 0], value: [2, 60, 0] },
  { name: "empires", key: [0, 0, 2], value: [14, 0, 12] },
  { name: "tides", key: [2, 0, 0], value: [5, 0, 3] },
];
export const TOPICS = ["sea", "cooking", "history"];
export const CONTENTS = ["hours", "recipes", "maps"];
/** The query of each need that has a name. @type {Record<string, number[]>} */
export const NEEDS = { sea: [2, 0, 0], supper: [1, 2, 0], past: [0, 0, 2], any: [0, 0, 0] };

// The things on the desk. A label says how eye-catching, readable and drinkable a thing is.
export const THINGS = [
  { name: "cup", key: [3, 0, 2] },
  { name: "newspaper", key: [1, 2, 0] },
  { name: "paper", key: [0, 1, 0] },
  { name: "notebook", key: [0, 1, 0] },
  { name: "book", key: [0, 3, 0] },
];

/** The query of someone with nothing in mind (only eye-catching things count), or of someone
 * looking for something, scaled by the effort.
 * @param {string} sought @param {number} strength */
export function gaze(sought, strength) {
  if (sought === "nothing") return [1, 0, 0];
  return [1, sought === "read" ? strength : 0, sought === "drink" ? strength : 0];
}

/** A score and a weight for each label, by a query; no scaling: the numbers are small.
 * @typedef {{scores: number[], weights: number[]}} Looked
 * @param {number[]} query @param {number[][]} keys @returns {Looked} */
export function looked(query, keys) {
  const scores = keys.map((key) => dot(query, key));
  return { scores, weights: [...softmax(scores)] };
}

/** The contents, each scaled by its weight. @param {number[]} weights @param {number[][]} values */
export const mixed = (weights, values) =>
  values[0].map((_, column) =>
    weights.reduce((sum, weight, i) => sum + weight * values[i][column], 0),
  );
