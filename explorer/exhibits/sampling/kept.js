// The state of sampling in a link: the sliders, the number of draws, and the visitor's own text.

import { listOf, number, orNull, whole } from "../../../assets/kit/keep.js";
import { CHOICES, ends, MAX_DRAWS } from "./scene.js";
import { NAMES } from "./walk.js";

const MAX_TOKENS = 512;

/** @typedef {import("./walk.js").Drawing} Drawing */

/** The store of these choices. @param {import("../../../assets/kit/types.js").Page} page */
export function createChoices(page) {
  const isSettings = (/** @type {Partial<Drawing>|undefined} */ value) =>
    NAMES.every((name) => number(...page.shared.ranges[name])(value?.[name]));
  const checks = {
    settings: orNull(isSettings),
    draws: whole(0, MAX_DRAWS),
    own: orNull(listOf(whole(0, 2 ** 31 - 1), MAX_TOKENS)),
  };
  return page.keep(CHOICES, checks, ends);
}

/**
 * Writes the text from a link, token after token, as far as their distributions have arrived: each
 * gets the model's log-prob. A token that the model lacks ends it.
 * @param {import("./scene.js").Scene} scene @param {import("./view.js").Look} look
 */
export function replay({ state, ...scene }, look) {
  while (state.coming.length > 0) {
    const { isHere, found, names } = look();
    if (!isHere || found === null) return;
    const [id] = state.coming;
    if (id >= found.logProbs.length) state.coming = [];
    else scene.replay({ id, log_prob: found.logProbs[id], label: names.label(id) });
  }
}
