// The teacher's page in a class: what it shows is sent to the class, one state after the other.

import { MOST, stateOf, watchState } from "./classview.js";
import { busy } from "./state.js";

const REST = 120; // ms without a change before a state is sent: a drag sends some, not all
const LATER = 2_000; // ms after which a lost state is sent again

/**
 * Sends what the page shows whenever that changes. `refused` gets what the class says against it.
 * @param {{line: ReturnType<typeof import("./classline.js").createLine>,
 *   pass: import("./classline.js").Pass, refused: (key: string|null) => void,
 *   signal: AbortSignal}} given
 */
export function leadClass({ line, pass, refused, signal }) {
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  /** @type {string|null} */
  let last = null;
  let isSending = false; // one at a time: two could arrive in the other order
  const later = (/** @type {number} */ wait) => {
    clearTimeout(timer);
    if (!signal.aborted) timer = setTimeout(send, wait);
  };
  async function send() {
    if (isSending || busy.get()) return; // the end of either comes here again
    const state = stateOf();
    if (state === null || state === last) return;
    if (state.length > MOST) return refused("class.error.long");
    isSending = true;
    try {
      await line("show", { ...pass, state });
      last = state;
      refused(null);
      later(0);
    } catch (error) {
      if (error.reason === undefined) later(LATER);
      else refused(error.reason);
    }
    isSending = false;
  }
  const end = watchState(() => later(REST));
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    end();
  });
}
