// Figure 1 of the paper for the model and the sentence on the page, with their own numbers.

import { button } from "../../../assets/kit/choice.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { local, menu } from "../../../assets/kit/fields.js";
import { createFollower } from "../../../assets/kit/follow.js";
import { icon } from "../../../assets/kit/icons.js";
import { listOf, whole as wholeNumber } from "../../../assets/kit/keep.js";
import { languagesOf } from "../../../assets/kit/languages.js";
import { percentText } from "../../../assets/kit/numbers.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { drawing } from "./draw.js";
import { factsOf, sizesOf } from "./facts.js";
import { blocksOf, layOut, orderOf, WIDE } from "./layout.js";
import { createPictures, unpacked } from "./pictures.js";
import { back, forward, next, PACES, paceOf, whole } from "./play.js";
import { choose, pointing } from "./pointing.js";

/** @typedef {import("../../../assets/kit/exhibit.js").Size} Size */

const LETTERS = 0.9; // of the page's
const LEAST = 12; // px of a letter
const LINES = 37; // that the picture has at least, where the letters are large
const PHONE = 640; // px of a window in which the page scrolls, not the figure in its frame
const layers = listOf(wholeNumber(0, 64), 64); // those that are open

export const { mount } = exhibit({
  name: "figure",
  fields: ({ open }) => ({
    encoder: { first: open.encoder, fits: layers },
    decoder: { first: open.decoder, fits: layers },
    speed: menu(Object.keys(PACES), { first: "normal" }),
    stage: local(null), // of `of`; null: all is there
    of: local(null),
    pointed: local(null),
    focus: local(""),
  }),
  engine: () => ({ follow: createFollower() }),
  ask: ({ encoder, decoder, record, page }) => [
    "figure",
    record.recorded ? page.facts.open : { encoder, decoder },
  ],
  prepare: unpacked,
  scene,
  finding,
  picture,
  play: { pace: paceOf, next },
  controls: [keys, unfolding],
  adjust: ["speed"],
  numbers: (s) => [blockSheet(s)],
  reading: ({ t }) => html`<p>${t("strips")}</p>`,
});

/** Answered in a saved file: all layers, whichever are open. */
export function questions({ attention }) {
  const { encoder_self: encoder, decoder_self: decoder } = attention;
  const args = { encoder: firstOnes(encoder.layers), decoder: firstOnes(decoder.layers) };
  return [{ question: "figure", args, when: {} }];
}

const firstOnes = (/** @type {number} */ count) => Array.from({ length: count }, (_, i) => i);

/** The shape of what can be drawn, and how far it is computed. */
function scene(s) {
  const { page, record, answer: reply, selection, of } = s;
  const { step, src } = selection;
  const shape = shapeOf(reply, s);
  const order = orderOf(shape);
  const stage = of === record && s.stage !== null ? Math.min(s.stage, order.length - 1) : null;
  const sizes = sizesOf(reply.config, record, step);
  const pictures = createPictures(page.facts.full);
  return { reply, step, src, shape, order, stage, sizes, pictures, theme: page.theme.get() };
}

/** Layers are open as far as their numbers are there. */
function shapeOf(reply, open) {
  const { norm, n_encoder_layers, n_decoder_layers } = reply.config;
  const there = (stack) =>
    new Set(open[stack].filter((/** @type {number} */ i) => reply[stack].layers.has(i)));
  return {
    norm,
    layers: { encoder: n_encoder_layers, decoder: n_decoder_layers },
    open: { encoder: there("encoder"), decoder: there("decoder") },
  };
}

/** What is written; while it is being computed, only that. */
function finding({ t, say, page, record, step, stage, order, shape, sizes }) {
  if (stage !== null && stage < order.indexOf("decoder.softmax")) {
    const { name } = factsOf(page, blocksOf(shape)[stage], sizes);
    return t("finding.playing", { n: step + 1, i: stage + 1, count: order.length, name });
  }
  return say("finding", {
    languages: languagesOf(page),
    n: step + 1,
    token: record.tgt_out[step],
    p: percentText(Math.exp(record.steps[step].log_prob)),
  });
}

function picture(s, /** @type {Size} */ size) {
  const plan = layOut(s.shape, roomOf(size));
  const at = plan.blocks.some(({ id }) => id === s.focus) ? s.focus : plan.blocks[0].id;
  const drawn = { ...s, plan, at };
  const on = pointing(drawn);
  const { width, height, em } = plan;
  requestAnimationFrame(() => bringOut(s));
  return html`<div class="hl-figure-body">
    <div class="hl-figure-scroll"><svg class="hl-figure-svg" width=${width} height=${height}
      style="font-size:${em}px" viewBox="0 0 ${width} ${height}" role="group"
      aria-label=${s.t("name")} @pointerover=${on.over} @pointerleave=${on.leave}
      @click=${on.click} @focusin=${on.focus} @keydown=${on.keydown}>${drawing(drawn)}</svg></div>
    ${card(drawn)}</div>`;
}

/** The block that computes, in sight. */
function bringOut({ el, page, follow, stage, player }) {
  const frame = el.querySelector(".hl-figure-scroll");
  if (page.signal.aborted || frame === null) return;
  const now = frame.querySelector('[data-block][data-state="now"]');
  follow(frame, now, stage, player.isPlaying, el.querySelector(".hl-figure-card"));
}

/** The room of the drawing: large letters are made smaller, for the whole to stand in it and in its
 * columns; on a phone it is as tall as it is. */
function roomOf(/** @type {Size} */ { width, height, em: own }) {
  const isPhone = window.innerWidth <= PHONE;
  const fits = width < LEAST * WIDE ? Infinity : Math.min(width / WIDE, height / LINES);
  return {
    width,
    height: isPhone ? 0 : height,
    em: Math.max(LEAST, Math.min(LETTERS * own, fits)),
  };
}

/** The block pointed at, or the one that computes now, and the way to the view behind it; beside
 * the way back of the written token, where that has room. */
function card(s) {
  const { t, page, plan, pointed, stage, order, sizes } = s;
  const id = pointed ?? (stage === null ? null : order[stage]);
  const block = plan.blocks.find((one) => one.id === id);
  const { name, where, shapes, says, opens } = block ? factsOf(page, block, sizes) : {};
  const about = () => html`<b>${name}</b>${where === "" ? nothing : html` <small>${where}</small>`}
    <span class="hl-figure-shapes">${shapes}</span> <span>${says}</span>`;
  const more = () => html`<button type="button" class="hl-figure-more"
    @click=${() => choose(s, block)}>${t("opens", { view: page.t(`${opens}.title`) })}</button>`;
  const { x, top, bottom } = plan.free;
  const place = plan.isWide
    ? `position:absolute;left:${x}px;top:${top}px;right:0;max-height:${bottom - top}px;font-size:${plan.em}px`
    : "";
  return html`<div class="hl-figure-card" style=${place} ?data-pinned=${block !== undefined}>
    <span role="status">${block ? about() : t("hint")}</span> ${opens ? more() : nothing}</div>`;
}

/** One block back, one on, all. */
function keys(s) {
  const { t, set, stage, player, record } = s;
  const key = (name, change, disabled = false) => html`<button type="button"
    class="hl-figure-${name}" aria-label=${t(name)} title=${t(name)} ?disabled=${disabled}
    @click=${() => {
      player.stop();
      set(change(s) ?? {});
    }}>${icon(name)}</button>`;
  if (player === undefined || record.recorded) return nothing;
  return html`<div class="hl-figure-keys" role="group" aria-label=${t("player")}>
    ${key("back", back)} ${key("forward", forward)} ${key("last", whole, stage === null)}</div>`;
}

function unfolding({ t, page, set, encoder, decoder, shape }) {
  if (shape === undefined) return nothing;
  const { layers: all } = shape;
  const isAll = encoder.length === all.encoder && decoder.length === all.decoder;
  const every = { encoder: firstOnes(all.encoder), decoder: firstOnes(all.decoder) };
  return button({
    label: t(isAll ? "fold" : "unfold"),
    class: "hl-figure-unfold",
    pressed: isAll,
    disabled: all.encoder + all.decoder === 2,
    onClick: () => set(isAll ? page.facts.open : every),
  });
}

/** What goes into each block and what comes out. */
const blockSheet = (s) => ({
  name: s.t("blocks"),
  rows: blocksOf(s.shape).map((block) => factsOf(s.page, block, s.sizes)),
  columns: {
    block: { text: true, cell: ({ name }) => name },
    place: { text: true, cell: ({ where }) => where },
    in: { cell: ({ flow }) => flow.in },
    inside: { cell: ({ flow }) => flow.inside ?? "" },
    out: { cell: ({ flow }) => flow.out },
  },
});
