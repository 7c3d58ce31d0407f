// Figure 1 of the paper for the model and the sentence on the page, with their own numbers.

import { button } from "../../../assets/kit/choice.js";
import { eachFrame } from "../../../assets/kit/elements.js";
import { listOf, whole } from "../../../assets/kit/keep.js";
import { answered, createRequest, lasting } from "../../../assets/kit/request.js";
import { createStore } from "../../../assets/kit/store.js";
import { createFollower, liveView, room } from "../../../assets/kit/view.js";
import { html, nothing, render } from "../../../assets/vendor/lit-html.js";
import { drawing } from "./draw.js";
import { factsOf, sizesOf } from "./facts.js";
import { layOut, orderOf, WIDE } from "./layout.js";
import { createPictures, unpacked } from "./pictures.js";
import { createPlay } from "./play.js";
import { pointing } from "./pointing.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

const LETTERS = 0.9; // of the page's
const LEAST = 12; // px of a letter
const LINES = 42; // that the window has at least, where the letters are large
const BELOW = 8; // px
const layers = listOf(whole(0, 64), 64); // those that are open

/** Answered in a saved file: all layers, whichever are open. */
export function questions({ attention }) {
  const all = (/** @type {number} */ count) => Array.from({ length: count }, (_, i) => i);
  const { encoder_self: encoder, decoder_self: decoder } = attention;
  const args = { encoder: all(encoder.layers), decoder: all(decoder.layers) };
  return [{ question: "figure", args, when: {} }];
}

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const open = page.keep(page.facts.open, { encoder: layers, decoder: layers });
  const pointed = createStore(/** @type {string|null} */ (null));
  const focus = createStore("");
  const size = createStore({ width: 0, height: 0, em: LEAST });
  const changed = () => view.redraw();
  const given = { changed, prepare: unpacked, most: () => 8 };
  const about = lasting(createRequest(page, "figure", given));
  const pictures = createPictures(page.facts.full);
  /** @type {any} */
  let scene = null; // what is drawn
  const play = createPlay(page, () => (scene ? orderOf(scene.shape) : []));

  function figure(record, reply) {
    const shape = shapeOf(reply, open.get());
    scene = sceneOf({ page, record, reply, shape, pictures }, size.get(), focus.get());
    const { width, height, em } = scene.plan;
    return html`<svg class="hl-figure-svg" width=${width} height=${height} style="font-size:${em}px"
      viewBox="0 0 ${width} ${height}" role="group" aria-label=${page.t("figure.name")}
      @pointerover=${on.over} @pointerleave=${on.leave} @click=${on.click}
      @focusin=${on.focus} @keydown=${on.keydown}>${drawing(scene)}</svg>`;
  }
  const on = pointing({ page, play, pointed, focus, open, scene: () => scene });
  const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (el.querySelector(name));
  const bringOut = follower(play, part);
  const follow = eachFrame(() => {
    if (scene === null || page.signal.aborted || !page.visible.get()) return;
    mark(el, orderOf(scene.shape), play.at.get().stage, pointed.get());
    render(told(page, scene, [play.at.get().stage, pointed.get()], on), part(".hl-figure-told"));
    render(controls(page, play, scene, open), part(".hl-figure-controls"));
    bringOut();
  });
  const view = liveView({
    el,
    page,
    stores: [page.selection, page.theme, open, size, focus],
    template() {
      const record = page.record.get();
      if (record === null) return null;
      const answer = about(record, record.recorded ? page.facts.open : open.get());
      return html`<div class="hl-figure">
        <div class="hl-figure-top"><div class="hl-figure-controls"></div>
          <div class="hl-figure-told"></div></div>
        ${answered(page, answer, (reply) => (size.get().width > 0 ? figure(record, reply) : nothing))}
      </div>`;
    },
    drawn() {
      measure(part(".hl-figure"), part(".hl-figure-top"), size);
      follow();
    },
  });
  for (const store of [play.at, pointed]) store.watch(follow);
  page.record.watch(() => play.stop(null));
  return view.end;
}

/** What is on the page now: the reply, laid out. */
function sceneOf(given, size, /** @type {string} */ focus) {
  const { page, record, reply, shape } = given;
  const { step, src } = page.selection.get();
  const plan = layOut(shape, size);
  const at = plan.blocks.some(({ id }) => id === focus) ? focus : plan.blocks[0].id;
  const sizes = sizesOf(reply.config, record, step);
  return { ...given, plan, step, src, at, sizes, theme: page.theme.get() };
}

/** The shape of what can be drawn: layers are open as far as their numbers are there. */
function shapeOf(reply, open) {
  const { norm, n_encoder_layers, n_decoder_layers } = reply.config;
  const layers = { encoder: n_encoder_layers, decoder: n_decoder_layers };
  const there = (stack) =>
    new Set(open[stack].filter((/** @type {number} */ i) => reply[stack].layers.has(i)));
  return { norm, layers, open: { encoder: there("encoder"), decoder: there("decoder") } };
}

/** The room that the drawing has, in px. */
function measure(root, top, size) {
  room(root);
  const width = Math.floor(root.clientWidth);
  const own = LETTERS * parseFloat(getComputedStyle(root).fontSize);
  // Large letters are made smaller, for the whole to stand in one window and in its columns.
  const fits = width < LEAST * WIDE ? Infinity : width / WIDE;
  const em = Math.max(LEAST, Math.min(own, fits, window.innerHeight / LINES));
  const free = parseFloat(root.style.getPropertyValue("--room"));
  if (width === 0) return;
  size.merge({ width, height: Math.round(free - top.offsetHeight - BELOW), em });
}

/** Each press of a button brings the block in sight that computes now; playing keeps it there. */
function follower(play, part) {
  const bring = createFollower();
  let last = play.at.get();
  return () => {
    const [before, now] = [last, play.at.get()];
    last = now;
    if (now.stage === null || now.stage === before.stage) return;
    const { top } = part(".hl-figure-card").getBoundingClientRect();
    const floor = top > window.innerHeight / 2 ? top : window.innerHeight; // where it lies below
    const isAsked = !(now.isPlaying && before.isPlaying);
    bring(part('[data-block][data-state="now"]'), part(".hl-figure-svg"), isAsked, floor);
  };
}

/** What each block is in now: done, now, ahead; nodes that do not change are left alone. */
function mark(el, order, stage, pointed) {
  const stateOf = (/** @type {string} */ id) => {
    const i = order.indexOf(id);
    return stage === null || i < stage ? "done" : i === stage ? "now" : "ahead";
  };
  for (const node of el.querySelectorAll("[data-block], [data-to]")) {
    const state = stateOf(node.dataset.block ?? node.dataset.to);
    if (node.dataset.state !== state) node.dataset.state = state;
    if (node.dataset.block) node.classList.toggle("hl-lit", node.dataset.block === pointed);
  }
}

/** The block pointed at, or the one that computes now, and the way to the view behind it. */
function told(page, scene, [stage, pointed], { open }) {
  const id = pointed ?? (stage === null ? null : orderOf(scene.shape)[stage]);
  const block = scene.plan.blocks.find((one) => one.id === id);
  const { name, where, shapes, says, opens } = block ? factsOf(page, block, scene.sizes) : {};
  const about = () => html`<b>${name}</b>${where === "" ? nothing : html` <small>${where}</small>`}
    <span class="hl-figure-shapes">${shapes}</span> <span>${says}</span>`;
  const more = () => html`<button type="button" class="hl-figure-more"
    @click=${() => open(block)}>${page.t("figure.opens", { view: page.t(`${opens}.title`) })}
  </button>`;
  return html`<div class="hl-figure-card" ?data-pinned=${block !== undefined}>
    <span role="status">${block ? about() : page.t("figure.hint")}</span>
    ${opens ? more() : nothing}</div>`;
}

function controls(page, play, scene, open) {
  const { layers } = scene.shape;
  const all = (/** @type {number} */ count) => Array.from({ length: count }, (_, i) => i);
  const now = open.get();
  const isAll = now.encoder.length === layers.encoder && now.decoder.length === layers.decoder;
  const unfold = () =>
    open.set(
      isAll ? page.facts.open : { encoder: all(layers.encoder), decoder: all(layers.decoder) },
    );
  return html`${play.template()}
    ${button({
      label: page.t(isAll ? "figure.fold" : "figure.unfold"),
      class: "hl-figure-unfold",
      pressed: isAll,
      disabled: layers.encoder + layers.decoder === 2,
      onClick: unfold,
    })}`;
}
