// The teacher's page in a class: what it shows is sent to the class, one state after the other.

import { busy, page } from "../state.js";
import { MOST, stateOf, watchState } from "./shown.js";
import { now } from "./stay.js";

const REST = 120; // ms without a change before a state is sent: a drag sends some, not all
const LATER = 2_000; // ms after which a lost state is sent again

/** Sends what the page shows whenever that changes. @param {import("./stay.js").Stay} stay */
export function lead({ send, signal }) {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  /** @type {string|null} */
  let last = null;
  let isSending = false; // one at a time: two could arrive in the other order
  const later = (/** @type {number} */ wait) => {
    clearTimeout(timer);
    if (!signal.aborted) timer = setTimeout(show, wait);
  };
  async function show() {
    if (isSending || busy.get()) return; // the end of either comes here again
    const state = stateOf();
    if (state === null || state === last) return;
    if (state.length > MOST) return now.merge({ trouble: page.words["class.error.long"] });
    isSending = true;
    const isHeard = await send("show", { state });
    isSending = false;
    if (isHeard) last = state;
    later(isHeard ? 0 : LATER);
  }
  const end = watchState(() => later(REST));
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    end();
  });
}
