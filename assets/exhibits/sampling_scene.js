// What the visitor has set, written and drawn, and what follows the page. No drawing in here.

import { sameSettings, add, back, begin, take, tokensOf } from "./sampling_walk.js";

export const END = "</s>";
const NAMES = ["temperature", "top_k", "top_p", "seed"];
const NOTHING = { chosen: null, index: null, draws: 0 };

// The tokens before a step of the hypothesis on show: [{id, log_prob, label}].
export const writtenBefore = (shown, step) => shown.tgt_out.slice(0, step).map((label, i) =>
  ({ id: label.id, log_prob: shown.steps[i].log_prob, label }));

// state: settings  those of the sliders
//        walk      the text that the next token stands after
//        mine      whether it is the visitor's own, or that of the page's step
//        chosen    the id of a chosen bar, or null
//        index     the number of the seed that draws a token, or null
//        draws     how many numbers are drawn for comparison
export function createScene() {
  const state = { settings: null, walk: null, mine: false, ...NOTHING };
  let followed = { shown: null, step: null };
  let own = null; // the visitor's text, also while that of the page is on show

  const set = (walk) => {
    Object.assign(state, NOTHING, { walk });
    if (state.mine) own = walk;
  };

  // Follows the page: its settings, its sentence, its step. Whether another text is on show now.
  function follow(shown, step) {
    const { shown: before, step: stepBefore } = followed;
    if (before === shown && stepBefore === step) return false;
    followed = { shown, step };
    const settings = pick(shown.settings);
    if (before === null || !sameSettings(settings, pick(before.settings))) state.settings = settings;
    const other = before === null || about(before) !== about(shown);
    if (other) own = null;
    if (state.mine && !other && stepBefore === step) return false;
    state.mine = false;
    const walk = begin(writtenBefore(shown, step));
    if (!other && state.walk !== null && idsOf(walk) === idsOf(state.walk)) return false;
    set(walk);
    return true;
  }

  const ended = (longest) => {
    const tokens = tokensOf(state.walk);
    if (tokens.at(-1)?.label.piece === END) return "end";
    return tokens.length >= longest ? "longest" : null;
  };

  return {
    state, follow, ended,
    // Other settings; another seed starts from its first number.
    adjust(changes) {
      state.settings = { ...state.settings, ...changes };
      if ("seed" in changes) Object.assign(state, { index: null, walk: { ...state.walk, taken: 0 } });
    },
    showPage() {
      state.mine = false;
      set(begin(writtenBefore(followed.shown, followed.step)));
    },
    showOwn() {
      state.mine = true;
      set(own ?? state.walk);
    },
    startEmpty() {
      state.mine = true;
      set(begin([]));
    },
    rewind: () => set(begin(state.walk.base)),
    takeBack: () => set(back(state.walk)),
    choose: (id) => Object.assign(state, { chosen: id, index: null }),
    drawOne: () => Object.assign(state, { chosen: null, index: state.walk.taken, walk: take(state.walk) }),
    drawMore: (count) => Object.assign(state, { draws: state.draws + count }),
    // Puts a token to the text, which is the visitor's own from then on.
    goOn(token) {
      const drawn = state.index === null ? null : { index: state.index, settings: state.settings };
      state.mine = true;
      set(add(state.walk, { ...token, drawn }));
    },
  };
}

const pick = (settings) => Object.fromEntries(NAMES.map((name) => [name, settings[name]]));
const about = ({ text, interventions }) => JSON.stringify([text, interventions]);
const idsOf = (walk) => tokensOf(walk).map(({ id }) => id).join(" ");
