// The visitor's settings, text and draws, and their link to the page. It renders nothing.

import { add, back, begin, idsOf, sameSettings, take, tokensOf, usualOf } from "./walk.js";

/** @typedef {import("../../../assets/kit/types.js").Rec} Rec */

/**
 * @typedef {object} State
 * @property {any} settings those of the sliders
 * @property {any} walk the text before the next token
 * @property {boolean} isOwn the text is the visitor's own, not that of the page's step
 * @property {boolean} isWriting token after token, to the end
 * @property {number[]} coming tokens of a text from a link, not written yet
 * @property {number|null} chosen the id of a chosen bar
 * @property {number|null} index the number of the seed that draws a token
 * @property {number} draws the number of draws for comparison
 */

const END = "</s>";
const MANY = 200;
export const MAX_DRAWS = 20_000;
const NOTHING = { chosen: null, index: null, draws: 0 };

export function createScene() {
  /** @type {State} */
  const state = {
    settings: null,
    walk: null,
    isOwn: false,
    isWriting: false,
    coming: [],
    ...NOTHING,
  };
  /** @type {any} */
  let followed = null; // {record, step}
  let own = null; // the visitor's text, also while that of the page is shown

  const set = (walk) => {
    Object.assign(state, NOTHING, { walk });
    if (state.isOwn) own = walk;
  };

  /** Follows the page's settings, sentence and step. Returns true if the text has changed.
   * @param {Rec} record @param {number} step */
  function follow(record, step) {
    const before = followed;
    if (before?.record === record && before.step === step) return false;
    followed = { record, step };
    if (before === null || !sameSettings(record.settings, before.record.settings)) {
      state.settings = usualOf(record);
    }
    const isOther = before === null || about(before.record) !== about(record);
    if (isOther) own = null;
    if (state.isOwn && !isOther && before.step === step) return false;
    state.isOwn = false;
    const walk = writtenBefore(record, step);
    if (!isOther && idsOf(walk).join() === idsOf(state.walk).join()) return false;
    state.isWriting = false;
    set(walk);
    return true;
  }

  /** Selects the text to show. @param {"page"|"own"} whose */
  function show(whose) {
    state.isOwn = whose === "own";
    set(state.isOwn ? (own ?? state.walk) : writtenBefore(followed.record, followed.step));
  }

  return { state, follow, actions: { ...actionsOf(state, set), show } };
}

/** The visitor's actions. @param {State} state @param {(walk: any) => void} set */
const actionsOf = (state, set) => ({
  /** Sets new settings; a new seed starts from its first number. */
  adjust(changes) {
    state.settings = { ...state.settings, ...changes };
    if ("seed" in changes) Object.assign(state, { index: null, walk: { ...state.walk, taken: 0 } });
  },
  choose: (/** @type {number} */ id) => Object.assign(state, { chosen: id, index: null }),
  one: () =>
    Object.assign(state, { chosen: null, index: state.walk.taken, walk: take(state.walk) }),
  many: () => Object.assign(state, { draws: Math.min(state.draws + MANY, MAX_DRAWS) }),
  back: () => set(back(state.walk)),
  start: () => set(begin(state.walk.base)),
  empty() {
    state.isOwn = true;
    set(begin([]));
  },
  /** Appends a token to the text, which is the visitor's own from then on. */
  append(token) {
    const drawn = state.index === null ? null : { index: state.index, settings: state.settings };
    state.isOwn = true;
    set(add(state.walk, { ...token, drawn }));
  },
});

/** The reason why no token can follow: "end", "longest" or null. @param {number} longest */
export function endOf(walk, longest) {
  const tokens = tokensOf(walk);
  if (tokens.at(-1)?.label.piece === END) return "end";
  return tokens.length >= longest ? "longest" : null;
}

const about = ({ model, text, interventions }) => JSON.stringify([model.key, text, interventions]);

/** The tokens before a step of the current hypothesis. @param {Rec} record @param {number} step */
const writtenBefore = (record, step) =>
  begin(
    record.tgt_out
      .slice(0, step)
      .map((label, i) => ({ id: label.id, log_prob: record.steps[i].log_prob, label })),
  );
