// The player: which block computes now. It goes through the blocks in the order of the data, then
// on to the next decoding step. The encoder works once, before the first step.

import { icon } from "../../../assets/kit/icons.js";
import { createStore } from "../../../assets/kit/store.js";
import { html } from "../../../assets/vendor/lit-html.js";

const STEP = 3600; // ms that one decoding step takes, whatever the number of blocks
const [SHORTEST, LONGEST] = [60, 320]; // ms of one block
const REST = 700; // ms on the written token before it is read again

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** `stage`: the place of the block that computes; null: all is there. */
/** @typedef {{stage: number|null, isPlaying: boolean}} At */

/**
 * @param {Page} page
 * @param {() => string[]} orderNow the blocks of the model in their order
 */
export function createPlay(page, orderNow) {
  const at = createStore(/** @type {At} */ ({ stage: null, isPlaying: false }));
  let timer = 0;
  const step = () => page.selection.get().step;
  const last = () => (page.record.get()?.tgt_out.length ?? 1) - 1;
  const decoder = () => orderNow().findIndex((id) => id.startsWith("decoder."));
  const first = () => (step() === 0 ? 0 : decoder());

  function stop(/** @type {number|null} */ stage = at.get().stage) {
    clearTimeout(timer);
    at.set({ stage, isPlaying: false });
  }
  /** One block on; at the end of a decoding step the next one begins. False: all is written. */
  function forward() {
    const { stage } = at.get();
    if (stage !== null && stage < orderNow().length - 1) {
      at.merge({ stage: stage + 1 });
      return true;
    }
    if (stage === null && step() === 0) at.merge({ stage: 0 });
    else if (step() >= last()) return false;
    else {
      page.choose({ step: step() + 1 });
      at.merge({ stage: decoder() });
    }
    return true;
  }
  function back() {
    const stage = at.get().stage ?? orderNow().length;
    if (stage > first() || step() === 0) return stop(Math.max(0, stage - 1));
    page.choose({ step: step() - 1 });
    stop(orderNow().length - 1);
  }
  function wait() {
    timer = window.setTimeout(next, paceOf(orderNow().length, at.get().stage, first()));
  }
  function next() {
    const isSeen = page.visible.get();
    if (isSeen && forward()) wait();
    else stop(isSeen ? null : at.get().stage);
  }
  function toggle() {
    if (at.get().isPlaying) return stop();
    const { stage } = at.get();
    if (stage === null && step() >= last()) page.choose({ step: 0 });
    at.set({ stage: stage ?? (step() >= last() ? 0 : first()), isPlaying: true });
    wait();
  }
  page.signal.addEventListener("abort", () => clearTimeout(timer));
  const keys = { toggle, back, forward: () => [stop(), forward()], whole: () => stop(null) };
  return { at, stop, template: () => buttons(page, at.get(), keys) };
}

/** How long the block of that stage is lit, in ms; longest the last one, the written token. */
const paceOf = (count, stage, first) =>
  stage === count - 1 ? REST : Math.max(SHORTEST, Math.min(LONGEST, STEP / (count - first)));

function buttons({ t }, /** @type {At} */ { stage, isPlaying }, keys) {
  const key = (name, onClick, disabled = false) => html`<button type="button"
    class="hl-figure-${name}" aria-label=${t(`figure.${name}`)} title=${t(`figure.${name}`)}
    ?disabled=${disabled} @click=${onClick}>${icon(name)}</button>`;
  const play = isPlaying ? "pause" : "play";
  return html`<div class="hl-figure-keys" role="group" aria-label=${t("figure.player")}>
    <button type="button" class="hl-figure-play hl-primary" data-state=${play}
      @click=${keys.toggle}>${icon(play)}<span>${t(`figure.${play}`)}</span></button>
    ${key("back", keys.back)} ${key("forward", keys.forward)}
    ${key("last", keys.whole, stage === null)}
  </div>`;
}
