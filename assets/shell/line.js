// While a request waits: its last possible place in the model's queue, for the visitor, and another
// request if its reply seems to be lost.

import { createStore } from "../kit/store.js";
import { asking, busy, channels, replies } from "./state.js";

const SOON = 1_000; // ms without a reply before the message, and between two checks
const LOST = 3; // checks without a reply before it seems lost
const PACE = 5; // checks until it seems lost again

/** The place in the queue, from 1, as an upper bound; null if nothing waits.
 * @type {import("../kit/types.js").Store<number|null>} */
export const place = createStore(/** @type {any} */ (null));

/**
 * Gradio closes its stream of replies when nothing is pending, and a busy browser may do so just
 * after the next request, whose reply then stays on the server. Any request opens the stream again.
 * @param {string} base where the page's files are: two folders below Gradio's root
 * @param {() => void} wake makes such a request
 */
export function followLine(base, wake) {
  const status = new URL("../../gradio_api/queue/status", new URL(base, window.location.href));
  const isWaiting = () => busy.get() || asking.get() > 0;
  let least = Number.POSITIVE_INFINITY; // later requests queue behind
  let checks = 0; // since the last reply
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;

  function begin() {
    least = Number.POSITIVE_INFINITY;
    checks = 0;
    clearTimeout(timer);
    if (isWaiting()) timer = setTimeout(look, SOON);
    else place.set(null);
  }

  async function look() {
    const mine = timer;
    const waiting = await length(status);
    if (mine !== timer) return; // answered meanwhile
    checks += 1;
    if (checks % PACE === LOST) wake();
    least = Math.min(least, waiting);
    place.set(least > 0 ? least : null); // 0: it is being answered
    if (waiting > 0) for (const channel of Object.values(channels)) channel.keepWaiting();
    timer = setTimeout(look, SOON);
  }

  for (const store of [busy, asking, replies]) store.watch(begin);
}

/** The number of waiting requests; 0 if the server does not report it. @param {URL} status */
async function length(status) {
  try {
    const reply = await fetch(status, { signal: AbortSignal.timeout(5 * SOON) });
    return (await reply.json()).queue_size ?? 0;
  } catch {
    return 0;
  }
}
