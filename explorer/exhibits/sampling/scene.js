// The visitor's settings, text and draws, and their link to the page. It renders nothing.
// Settings, draws and the tokens of the visitor's own text are choices, read from their store; the
// text with its log-probs is built from them.

import { createStore } from "../../../assets/kit/store.js";
import { add, back, begin, idsOf, sameSettings, take, tokensOf, usualOf } from "./walk.js";

/** @typedef {import("../../../assets/kit/types.js").Rec} Rec */
/** @typedef {import("./walk.js").Drawing} Drawing */
/** @typedef {import("./walk.js").Walk} Walk */
/** A token to append. @typedef {Omit<import("./walk.js").Written, "drawn"|"from">} Token */

/** settings: null for the page's; own: the ids of the visitor's own text, null for the page's.
 * @typedef {{settings: Drawing|null, draws: number, own: number[]|null}} Choices */
/** @typedef {import("../../../assets/kit/types.js").Store<Choices>} Chosen */
/** @typedef {ReturnType<typeof createScene>} Scene */

/**
 * @typedef {object} State
 * @property {Drawing} settings those of the sliders
 * @property {Drawing} usual the settings if none are chosen
 * @property {Walk} walk the text before the next token
 * @property {boolean} isOwn the text is the visitor's own, not that of the page's step
 * @property {boolean} isWriting token after token, to the end
 * @property {boolean} isDragging a slider
 * @property {number[]} coming tokens of a text from a link, not written yet
 * @property {number|null} chosen the id of a chosen bar
 * @property {number|null} index the number of the seed that draws a token
 * @property {number} draws the number of draws for comparison
 */

const END = "</s>";
const MANY = 200;
export const MAX_DRAWS = 20_000;
const NOTHING = { chosen: null, index: null };
/** @type {Choices} */
export const CHOICES = { settings: null, draws: 0, own: null };

/** @param {Chosen} store */
export function createScene(store = createStore(CHOICES)) {
  const state = stateOf(store);
  /** @type {{record: Rec, step: number}|null} */
  let followed = null;
  /** @type {Walk|null} */
  let own = null; // the visitor's text, also while that of the page is shown
  /** @type {number[]|null} */
  let started = null; // the chosen ids that the text was built from

  /** The text after an action of the visitor. @param {Walk} walk */
  const set = (walk, isOwn = state.isOwn) => {
    Object.assign(state, NOTHING, { walk, coming: [] });
    if (isOwn) own = walk;
    store.merge({ own: isOwn ? idsOf(walk) : null, draws: 0 });
    started = store.get().own;
  };

  /** Follows the page's settings, sentence and step, and a link. Returns true if the text has
   * changed. @param {Rec} record @param {number} step */
  function follow(record, step) {
    const before = followed;
    followed = { record, step };
    if (before?.record !== record) state.usual = usualOf(record);
    const isOther = before === null || about(before.record) !== about(record);
    if (isOther) own = null;
    const isStep = before?.record === record && before.step !== step; // the visitor took it
    if (isStep && state.isOwn) store.merge({ own: null });
    const { own: chosen } = store.get();
    if (chosen === started && !isOther && (chosen !== null || isWritten(record, step)))
      return false;
    started = chosen;
    const walk = chosen === null ? writtenBefore(record, step) : begin([]);
    Object.assign(state, NOTHING, { walk, coming: chosen ?? [], isWriting: false });
    if (isStep) store.merge({ draws: 0 });
    return true;
  }
  const isWritten = (/** @type {Rec} */ record, /** @type {number} */ step) =>
    idsOf(writtenBefore(record, step)).join() === idsOf(state.walk).join();

  /** Puts the next of the coming tokens into the text. @param {Token} token */
  function replay(token) {
    own = add(state.walk, { ...token, drawn: null });
    Object.assign(state, NOTHING, { walk: own, coming: state.coming.slice(1) });
  }

  /** Selects the text to show. @param {string} whose "page" or "own" */
  function show(whose) {
    if (whose === "own") set(own ?? state.walk, true);
    else if (followed) set(writtenBefore(followed.record, followed.step), false);
  }

  return { state, follow, replay, actions: { ...actionsOf(state, store, set), show } };
}

const PLAIN = { temperature: 1, top_k: 0, top_p: 1, seed: 0 }; // before there is a record

/** The state, with the choices as they are now. @param {Chosen} store @returns {State} */
const stateOf = (store) => ({
  walk: begin([]),
  usual: PLAIN,
  isWriting: false,
  isDragging: false,
  coming: [],
  ...NOTHING,
  get settings() {
    return store.get().settings ?? this.usual;
  },
  get draws() {
    return store.get().draws;
  },
  get isOwn() {
    return store.get().own !== null;
  },
});

/** The visitor's actions. @param {State} state @param {Chosen} store
 * @param {(walk: Walk, isOwn?: boolean) => void} set */
const actionsOf = (state, store, set) => ({
  /** Sets new settings; a new seed starts from its first number. @param {Partial<Drawing>} changes */
  adjust(changes) {
    const settings = { ...state.settings, ...changes };
    store.merge({ settings: sameSettings(settings, state.usual) ? null : settings });
    if ("seed" in changes) Object.assign(state, { index: null, walk: { ...state.walk, taken: 0 } });
  },
  choose: (/** @type {number} */ id) => Object.assign(state, { chosen: id, index: null }),
  one: () =>
    Object.assign(state, { chosen: null, index: state.walk.taken, walk: take(state.walk) }),
  many: () => store.merge({ draws: Math.min(state.draws + MANY, MAX_DRAWS) }),
  back: () => set(back(state.walk)),
  start: () => set(begin(state.walk.base)),
  empty: () => set(begin([]), true),
  /** Appends a token to the text, which is the visitor's own from then on. @param {Token} token */
  append(token) {
    const drawn = state.index === null ? null : { index: state.index, settings: state.settings };
    set(add(state.walk, { ...token, drawn }), true);
  },
});

/** What the visitor's next request ends: the settings if it has others, the draws after another
 * text, the own text of another sentence. @param {Rec} before @param {Rec} record */
export function ends(before, record) {
  const isOther = about(before) !== about(record);
  const idsIn = (/** @type {Rec} */ { tgt_out: written }) => written.map(({ id }) => id).join();
  return [
    ...(sameSettings(before.settings, record.settings) ? [] : ["settings"]),
    ...(isOther || idsIn(before) !== idsIn(record) ? ["draws"] : []),
    ...(isOther ? ["own"] : []),
  ];
}

/** The reason why no token can follow: "end", "longest" or null.
 * @param {Walk} walk @param {number} longest */
export function endOf(walk, longest) {
  const tokens = tokensOf(walk);
  if (tokens.at(-1)?.label.piece === END) return "end";
  return tokens.length >= longest ? "longest" : null;
}

const about = (/** @type {Rec} */ { model, text, interventions }) =>
  JSON.stringify([model.key, text, interventions]);

/** The tokens before a step of the current hypothesis. @param {Rec} record @param {number} step */
const writtenBefore = (record, step) =>
  begin(
    record.tgt_out
      .slice(0, step)
      .map((label, i) => ({ id: label.id, log_prob: record.steps[i].log_prob, label })),
  );
