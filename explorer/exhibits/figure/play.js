// The player: which block computes now. It goes through the blocks in the order of the data, then
// on to the next decoding step. The encoder works once, before the first step.

import { select } from "../../../assets/kit/choice.js";
import { icon } from "../../../assets/kit/icons.js";
import { oneOf } from "../../../assets/kit/keep.js";
import { html } from "../../../assets/vendor/lit-html.js";

const PACES = { slow: 2200, normal: 1300, fast: 320 }; // ms of one block, time to read about it
const MOST = { encoder: 7, decoder: 15 }; // blocks' time for all, however many there are

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** `stage`: the place of the block that computes; null: all is there. */
/** @typedef {{stage: number|null, isPlaying: boolean, speed: string}} At */
const FIRST = /** @type {At} */ ({ stage: null, isPlaying: false, speed: "normal" });

/**
 * @param {Page} page
 * @param {() => string[]} orderNow the blocks of the model in their order
 */
export function createPlay(page, orderNow) {
  const at = page.keep(FIRST, { speed: oneOf(Object.keys(PACES)) });
  let timer = 0;
  const step = () => page.selection.get().step;
  const last = () => (page.record.get()?.tgt_out.length ?? 1) - 1;
  const decoder = () => orderNow().findIndex((id) => id.startsWith("decoder."));
  const first = () => (step() === 0 ? 0 : decoder());

  function stop(/** @type {number|null} */ stage = at.get().stage) {
    clearTimeout(timer);
    at.merge({ stage, isPlaying: false });
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
    timer = window.setTimeout(next, paceOf(at.get(), orderNow()));
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
    at.merge({ stage: stage ?? (step() >= last() ? 0 : first()), isPlaying: true });
    wait();
  }
  page.signal.addEventListener("abort", () => clearTimeout(timer));
  const keys = { toggle, back, forward: () => [stop(), forward()], whole: () => stop(null) };
  return { at, stop, template: () => [buttons(page, at.get(), keys), speeds(page, at)] };
}

/** How long the block of that stage is lit, in ms: less where its stack has very many.
 * @param {At} at @param {string[]} order */
function paceOf({ speed, stage }, order) {
  const stack = String(order[stage ?? 0]).split(".")[0];
  const count = order.filter((id) => id.startsWith(`${stack}.`)).length;
  return PACES[speed] * Math.min(1, MOST[stack] / count);
}

const speeds = ({ t }, at) =>
  select({
    ...{ label: t("figure.speed"), quiet: true, class: "hl-figure-speed" },
    options: Object.keys(PACES).map((value) => ({ value, label: t(`figure.speed.${value}`) })),
    value: at.get().speed,
    onChange: (speed) => at.merge({ speed }),
  });

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
