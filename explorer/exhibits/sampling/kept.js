// The state of sampling in a link: the sliders, the number of draws, and the visitor's own text.

import { listOf, number, orNull, whole } from "../../../assets/kit/keep.js";
import { MAX_DRAWS } from "./scene.js";
import { idsOf, NAMES, sameSettings, usualOf } from "./walk.js";

const MAX_TOKENS = 512;

/**
 * Returns {store, follow, replay}: `follow` is called before each drawing, `replay` whenever a
 * distribution may have come.
 * @param {import("../../../assets/kit/types.js").Page} page
 */
export function createKeeper(page, { state, actions }) {
  const isSettings = (value) =>
    NAMES.every((name) => number(...page.shared.ranges[name])(value?.[name]));
  const store = page.keep(
    { settings: null, draws: 0, own: null }, // null: the page's settings, the page's text
    {
      settings: orNull(isSettings),
      draws: whole(0, MAX_DRAWS),
      own: orNull(listOf(whole(0, 2 ** 31 - 1), MAX_TOKENS)),
    },
  );
  /** @type {any} */
  let known = null; // the last value read or written

  function follow(/** @type {import("../../../assets/kit/types.js").Rec} */ record) {
    if (store.get() !== known) takeBack(record);
    const isUsual = sameSettings(state.settings, usualOf(record));
    const own = state.isOwn ? [...idsOf(state.walk), ...state.coming] : null;
    const isSame = own?.join() === store.get().own?.join();
    store.merge({
      settings: isUsual ? null : state.settings,
      draws: state.draws,
      own: isSame ? store.get().own : own,
    });
    known = store.get();
  }

  function takeBack(/** @type {import("../../../assets/kit/types.js").Rec} */ record) {
    const { settings, draws, own } = store.get();
    if (own !== null) {
      actions.empty();
      state.coming = own;
    } else if (state.isOwn) actions.show("page");
    Object.assign(state, { settings: settings ?? usualOf(record), draws });
  }

  /**
   * Writes the text from the link, token after token, as far as their distributions have arrived:
   * each gets the model's log-prob.
   */
  function replay(look) {
    while (state.coming.length > 0) {
      const { isHere, found, names } = look();
      if (!isHere) return;
      const [id, ...rest] = state.coming;
      const { draws } = state;
      if (id >= found.logProbs.length) {
        state.coming = [];
        return;
      }
      actions.append({ id, log_prob: found.logProbs[id], label: names.label(id) });
      Object.assign(state, { coming: rest, draws });
    }
  }
  return { store, follow, replay };
}
