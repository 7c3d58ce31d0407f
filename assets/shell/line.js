// The queue for the model: shows a waiting visitor the last place it can have.

import { createStore } from "../kit/store.js";
import { asking, busy, channels, replies } from "./state.js";

const SOON = 1_000; // ms without a reply before one is told, and between two looks

/** The place in the line, from 1: at most so far back; null where nothing waits.
 * @type {import("../kit/types.js").Store<number|null>} */
export const place = createStore(/** @type {any} */ (null));

/** @param {string} base where the page's files are: two folders below Gradio's root */
export function followLine(base) {
  const status = new URL("../../gradio_api/queue/status", new URL(base, window.location.href));
  const isWaiting = () => busy.get() || asking.get() > 0;
  let least = Number.POSITIVE_INFINITY; // whoever comes later stands behind
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;

  function begin() {
    least = Number.POSITIVE_INFINITY;
    clearTimeout(timer);
    if (isWaiting()) timer = setTimeout(look, SOON);
    else place.set(null);
  }

  async function look() {
    const mine = timer;
    const waiting = await length(status);
    if (mine !== timer) return; // answered meanwhile
    least = Math.min(least, waiting);
    place.set(waiting > 0 ? least : null);
    if (waiting > 0) for (const channel of Object.values(channels)) channel.keepWaiting();
    timer = setTimeout(look, SOON);
  }

  for (const store of [busy, asking, replies]) store.watch(begin);
}

/** How many requests wait; 0 too where the server does not say. @param {URL} status */
async function length(status) {
  try {
    const reply = await fetch(status, { signal: AbortSignal.timeout(5 * SOON) });
    return (await reply.json()).queue_size ?? 0;
  } catch {
    return 0;
  }
}
