// A student's page in a class: it follows the teacher's, or goes its own ways until it returns.

import { showState, stateOf, watchState } from "./shown.js";

/** @typedef {import("./line.js").News} News */

const HANDS = ["pointerdown", "click", "input", "keydown"]; // what a visitor does by hand
// Not a way of one's own: the class's own buttons, a guess, and how this screen looks.
const SHARED = ".hl-class, .hl-lesson-options, .hl-switches";

/**
 * Follows what `hear` is told. `tell` gets whether the page is on its own ways whenever that
 * changes, and `shown` the state that it has come to show.
 * @param {{tell: (isAway: boolean) => void, shown: (state: string) => void, signal: AbortSignal}}
 *   given
 */
export function createFollower({ tell, shown, signal }) {
  let [presses, calls, state] = [0, 0, ""]; // the newest that the class has told
  let [isAway, isShowing, isTouched] = [false, false, false];
  /** @type {string|null} */
  let before = null; // what the page showed when nobody had touched it
  const setAway = (/** @type {boolean} */ now) => {
    if (isAway !== now) tell(now);
    isAway = now;
  };
  /** Shows the newest state; one that arrives meanwhile is shown after it, so none comes late. */
  async function show() {
    if (isShowing) return;
    isShowing = true;
    let last = "";
    while (last !== state && !isAway && !signal.aborted) {
      last = state;
      isTouched = false;
      await showState(last);
      shown(last);
    }
    before = stateOf();
    isShowing = false;
  }
  const look = () => {
    if (isShowing) return;
    const now = stateOf();
    if (isTouched && now !== before) setAway(true);
    else if (!isTouched) before = now;
  };
  const touch = (/** @type {Event} */ { target }) => {
    if (!(target instanceof Element && target.closest(SHARED))) isTouched = true;
  };
  for (const hand of HANDS) document.addEventListener(hand, touch, { capture: true, signal });
  signal.addEventListener("abort", watchState(look), { once: true });
  return {
    hear(/** @type {News} */ news) {
      if (news.calls > calls) setAway(false);
      calls = Math.max(calls, news.calls);
      if (news.presses > presses) [presses, state] = [news.presses, news.state];
      if (state !== "" && !isAway) show();
    },
    return() {
      setAway(false);
      show();
    },
  };
}
