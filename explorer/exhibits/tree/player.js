// The player: buttons, slider and speed over the steps of the search.

import { select } from "../../../assets/kit/choice.js";
import { icon } from "../../../assets/kit/icons.js";
import { oneOf } from "../../../assets/kit/keep.js";
import { slider } from "../../../assets/kit/slider.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { shownUpTo } from "./scene.js";

const PAUSES = { slow: 1600, normal: 800, fast: 300 }; // ms from step to step

/**
 * @param {import("../../../assets/kit/types.js").Page} page
 * @param {any} model
 * @param {(step: number) => void} go
 */
export function createPlayer(page, model, go) {
  const at = page.keep(
    { isPlaying: false, speed: "normal" },
    { speed: oneOf(Object.keys(PAUSES)) },
  );
  let timer = 0;
  const step = () => shownUpTo(model);
  const last = () => (model.tree?.steps.length ?? 1) - 1;

  function stop() {
    clearTimeout(timer);
    at.merge({ isPlaying: false });
  }
  function next() {
    if (!page.visible.get() || step() >= last()) return stop();
    go(step() + 1);
    wait();
  }
  function wait() {
    at.merge({ isPlaying: true });
    timer = setTimeout(next, PAUSES[at.get().speed]);
  }
  function toggle() {
    if (at.get().isPlaying) return stop();
    if (step() >= last()) go(0);
    wait();
  }
  function jump(to) {
    stop();
    go(to);
  }
  page.signal.addEventListener("abort", stop);
  const move = (by) => jump(step() + by);
  const template = () => bar(page, at, { step: step(), last: last(), jump, move });
  /** The state for the kit's button. */
  const state = () => ({ isPlaying: at.get().isPlaying, canPlay: last() > 0, toggle });
  return { at, toggle, state, template };
}

function bar({ t }, at, { step, last, jump, move }) {
  const { speed } = at.get();
  const key = (name, to, words = t(`tree.${name}`)) => html`<button type="button"
    class="hl-tree-${name}" aria-label=${words} title=${words} @click=${to}>${icon(name)}</button>`;
  return html`
    <div class="hl-tree-keys" role="group" aria-label=${t("tree.player")}>
      ${key("first", () => jump(0))} ${key("back", () => move(-1))}
      ${key("forward", () => move(1))} ${key("last", () => jump(last))}
    </div>
    ${slider({
      label: t("tree.upTo"),
      min: 1,
      max: last + 1,
      value: step + 1,
      text: (value) => `${value} / ${last + 1}`,
      typed: false,
      onInput: (value) => jump(value - 1),
    })}
    ${select({
      label: t("tree.speed"),
      options: Object.keys(PAUSES).map((value) => ({ value, label: t(`tree.speed.${value}`) })),
      value: speed,
      onChange: (value) => at.merge({ speed: value }),
    })}`;
}
