// The whole model at work on the sentence of the page: strips and ribbons, which open in place into
// the blocks of the paper's Figure 1, into heads and into cells, all with their own numbers.

import { button } from "../../../assets/kit/choice.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { flag, local, menu } from "../../../assets/kit/fields.js";
import { createFollower } from "../../../assets/kit/follow.js";
import { icon } from "../../../assets/kit/icons.js";
import { readsAhead } from "../../../assets/kit/interventions.js";
import { listOf, whole as wholeNumber } from "../../../assets/kit/keep.js";
import { languagesOf } from "../../../assets/kit/languages.js";
import { marked } from "../../../assets/kit/sentence.js";
import { steps, tellingWords } from "../../../assets/kit/telling.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { drawing } from "./draw.js";
import { factsOf, sinceOf, sizesOf } from "./facts.js";
import { blocksOf, layOut, orderOf, WIDE } from "./layout.js";
import { createMotion } from "./motion.js";
import { BANDS, createPictures, unpacked } from "./pictures.js";
import { back, forward, next, PACES, paceOf, whole } from "./play.js";
import { choose, pointing } from "./pointing.js";
import { shareOf, strips } from "./strips.js";
import { weightSheet } from "./weights.js";
import { comers, createMean, crossOf, layWhole, lookedAt, placeOf, wayOf } from "./whole.js";
import { crumbs, insideFinding, insideOf, insidePicture, isPlace } from "./within.js";

/** @typedef {import("../../../assets/kit/exhibit.js").Size} Size */

const LETTERS = 0.9; // of the page's
const LEAST = 12; // px of a letter
const LINES = 37; // that the picture has at least, where the letters are large
const PHONE = 640; // px of a window in which the page scrolls, not the figure in its frame
const SMALL = /embedding|position|linear|next/; // blocks that the whole does not show apart
const STRAIGHT = 0.01; // of a look that goes on, against one that goes back
const layers = listOf(wholeNumber(0, 64), 64); // those that are open

export const { mount } = exhibit({
  name: "figure",
  fields: () => ({
    encoder: { first: [], fits: layers },
    decoder: { first: [], fits: layers },
    within: { first: "", fits: isPlace }, // a block of attention, or a head of it
    shapes: flag(false), // of the data, written into the drawing
    speed: menu(Object.keys(PACES), { first: "normal" }),
    stage: local(null), // of `of`; null: all is there
    of: local(null),
    played: local(null), // the step that was played to its end last
    revealed: local(false), // whether the next token was asked for
    pointed: local(null),
    focus: local(""),
  }),
  stores: ({ roles }) => [roles], // of heads, which name their rows
  engine: ({ facts }) => ({
    follow: createFollower(),
    motion: createMotion(),
    moved: { stage: null },
    mean: createMean(),
    pictures: createPictures(facts.full),
  }),
  ask: ({ encoder, decoder, record, page }) => [
    "figure",
    record.recorded ? page.facts.open : { encoder, decoder },
  ],
  prepare: (reply) => (reply.config ? unpacked(reply) : reply), // the weights need nothing
  scene,
  telling,
  cell: ({ record, mean, step, looked }) => ({
    step,
    src: looked[0].i,
    weights: crossOf(mean, record, step),
  }),
  finding,
  picture,
  play: { pace: paceOf, next },
  drawn: animate,
  controls: [keys, crumbs, layerButtons],
  adjust: ["speed"],
  numbers: (s) => [blockSheet(s), weightSheet(s)],
  reading: ({
    t,
    page,
    reply,
    shape,
  }) => html`<p>${t("languages", { languages: languagesOf(page) })}</p>
    <p>${t("flow", { shown: BANDS, d: reply.config.d_model })}</p>
    <p>${t("strips")}</p><p>${t("letters")} ${t(`norm.${shape.norm}`)}</p>
    ${sinceOf(reply.config).map((name) => html`<p>${t(`since.${name}`)}</p>`)}`,
});

/** Answered in a saved file: all layers, whichever are open. */
export function questions({ attention }) {
  const { encoder_self: encoder, decoder_self: decoder } = attention;
  const args = { encoder: firstOnes(encoder.layers), decoder: firstOnes(decoder.layers) };
  return [
    { question: "figure", args, when: {} },
    { question: "anatomy", args: {} },
  ];
}

const firstOnes = (/** @type {number} */ count) => Array.from({ length: count }, (_, i) => i);

/** The shape of what can be drawn, how far it is opened, and how far it is computed. */
function scene(s) {
  const { page, record, answer: reply, selection, of } = s;
  const { step, src } = selection;
  const shape = shapeOf(reply, s);
  const inside = insideOf(s.within, record);
  const level = levelOf(shape, inside, s.within);
  const isWhole = level.depth === 0;
  const order = isWhole ? orderOf(shape).filter((id) => !SMALL.test(id)) : orderOf(shape);
  const stage = of === record && s.stage !== null ? Math.min(s.stage, order.length - 1) : null;
  const isPlayed = of === record && s.played === step;
  const known = stage === null ? s.revealed || isPlayed : stage >= order.indexOf("decoder.softmax");
  return {
    ...{ reply, step, src, shape, inside, level, order, stage },
    sizes: sizesOf(reply.config, record, step),
    isAhead: readsAhead(record),
    isHidden: !known && (isWhole || stage !== null),
    looked: lookedAt(s.mean, record, step),
    theme: page.theme.get(),
  };
}

/**
 * The steps by how far they go back in the sentence: what they look at lies before what an earlier
 * step looked at. Where words that mean something are read and looked at, from the middle of the
 * translation on, so that the decoder has written something; else earlier, else of any tokens.
 */
function telling({ mean, record }) {
  const looks = record.tgt_out.map((_, step) => lookedAt(mean, record, step));
  const pairs = (/** @type {number} */ step) =>
    looks
      .slice(0, step)
      .flatMap((earlier) =>
        looks[step].flatMap((one) =>
          earlier.filter(({ i }) => one.i < i).map(({ weight }) => weight * one.weight),
        ),
      );
  const back = (/** @type {number} */ step) => pairs(step).reduce((sum, one) => sum + one, 0);
  const told = [record.tgt_in, record.src].map((labels) => new Set(tellingWords(labels)));
  const isLate = (/** @type {number} */ step) => 2 * (step + 1) >= looks.length;
  const isOfWords = (/** @type {number} */ step) =>
    told[0].has(step) && looks[step].every(({ i }) => told[1].has(i));
  const all = steps(record, (step) => back(step) + looks[step][0].weight * STRAIGHT);
  const [late, ofWords] = [isLate, isOfWords].map((holds) => all.filter(({ step }) => holds(step)));
  const both = late.filter((one) => ofWords.includes(one));
  return [both, ofWords, late].find((places) => places.length > 0) ?? all;
}

/** What is opened: the whole, layers, a block of attention, a head. */
function levelOf({ open }, inside, /** @type {string} */ within) {
  if (inside) return { depth: inside.head === null ? 2 : 3, keys: [within] };
  const keys = Object.keys(open).flatMap((stack) => [...open[stack]].map((i) => `${stack}.${i}`));
  return { depth: keys.length > 0 ? 1 : 0, keys };
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

/** What the decoder has read, what it looks back at and what it writes; while that is computed, the
 * block that is at work. */
function finding(s) {
  const { t, say, page, record, step, stage, order, shape, sizes, looked, isHidden } = s;
  if (s.inside) return insideFinding(s);
  if (stage !== null && isHidden) {
    const block = blocksOf(shape).find(({ id }) => id === order[stage]);
    const { name } = factsOf(page, block, sizes);
    return t("finding.playing", { i: stage + 1, count: order.length, name });
  }
  if (s.shapes && stage === null) {
    const { S: n, d_model: d } = sizes;
    return say("finding.shapes", { n: marked(String(n)), d: marked(String(d)) });
  }
  const [one, two] = looked.map(({ label }) => label);
  const read = record.tgt_in[step];
  const values = { token: record.tgt_out[step], read, one, ...(two && { two }) };
  return say(`finding${isHidden ? ".hidden" : ""}${two ? "" : ".one"}`, values);
}

function picture(s, /** @type {Size} */ size) {
  s.motion.leave(s.el, s.level);
  if (s.inside) return insidePicture(s, size);
  const isWhole = s.level.depth === 0;
  const plan = isWhole
    ? layWhole(s.shape.layers, s.record, wholeRoomOf(size))
    : layOut(s.shape, roomOf(size));
  const at = plan.blocks.some(({ id }) => id === s.focus) ? s.focus : plan.blocks[0].id;
  const drawn = { ...s, plan, at };
  s.moved.plan = plan;
  const on = pointing(drawn);
  const { width, height, em } = plan;
  requestAnimationFrame(() => bringOut(s));
  return html`<div class="hl-figure-body" ?data-hidden=${s.isHidden}>
    <div class="hl-figure-scroll" @scroll=${(event) => cut(event.currentTarget)}><svg
      class="hl-figure-svg ${isWhole ? "hl-figure-flow" : ""}" width=${width} height=${height}
      style="font-size:${em}px" viewBox="0 0 ${width} ${height}" role="group"
      aria-label=${s.t("name")} @pointerover=${on.over} @pointerleave=${on.leave}
      @click=${on.click} @focusin=${on.focus} @keydown=${on.keydown}>${
        isWhole ? strips(drawn) : drawing(drawn)
      }</svg>${isWhole && s.isHidden && s.stage === null ? revealing(drawn) : nothing}</div>
    ${card(drawn)}</div>`;
}

/** The button in the place of the next token. */
function revealing({ t, set, plan }) {
  const { x, y, height } = plan.out;
  return html`<button type="button" class="hl-button hl-figure-reveal"
    style="left:${x}px;top:${y + height * 0.62}px"
    @click=${() => set({ revealed: true })}>${t("reveal")}</button>`;
}

/** After a drawing: the zoom, and vectors on their way to the block that computes now. */
function animate(s) {
  const { el, motion, moved, stage, order, level, player } = s;
  cut(el.querySelector(".hl-figure-scroll"));
  motion.arrive(el);
  const before = moved.stage;
  moved.stage = stage;
  if (stage === null || stage === before || s.inside) return;
  if (!player.isPlaying && before === null) return;
  const host = el.querySelector(".hl-figure-scroll");
  const id = order[stage];
  const all = level.depth === 0 ? comersOf(s, id) : alongArrows(s, id);
  if (host) motion.travel(host, all);
}

/** How a picture says that it goes on beyond its frame. */
function cut(/** @type {Element|null} */ frame) {
  if (frame === null) return;
  const { scrollLeft, scrollWidth, clientWidth } = frame;
  frame.classList.toggle("hl-more-right", scrollLeft + clientWidth < scrollWidth - 2);
  frame.classList.toggle("hl-more-left", scrollLeft > 2);
}

/** The vectors that come into a part of the whole. */
function comersOf(s, /** @type {string} */ id) {
  const { step, moved } = s;
  const { plan } = moved;
  const { stack, layer, type } = plan.blocks.find((block) => block.id === id);
  if (type === "layer") return comers(plan, s, stack, layer).map((one) => vectorOf(s, one));
  if (type !== "softmax") return [];
  const level = plan.stacks.decoder.levels.length - 1;
  const [x, y] = placeOf(plan, "decoder", step, level, true);
  const way = plan.isWide
    ? `M${x} ${y + plan.strip.tall / 2}H${plan.out.x}`
    : wayOf([x, y], [x, plan.out.y + plan.out.height]);
  return [vectorOf(s, { stack: "decoder", level, i: step, way })];
}

/** A strip of the picture on its way. */
function vectorOf({ reply, pictures, theme, moved: { plan } }, { stack, level, i, way }) {
  const states = reply[stack].states[level];
  const { wide, tall } = plan.strip;
  const url = pictures.strips(states, 0, states.rows - 1, shareOf(plan), theme);
  const at = i * plan.pitch + (plan.pitch - wide) / 2;
  return { way, sheet: { url, wide: states.rows * plan.pitch, at }, wide, tall };
}

/** In Figure 1 the chosen token's vector goes along each arrow that leads to the block. */
function alongArrows(
  { reply, pictures, theme, src, step, moved: { plan } },
  /** @type {string} */ id,
) {
  const { stack, layer } = plan.blocks.find((block) => block.id === id);
  const states = reply[stack].states[layer ?? 0];
  const i = stack === "encoder" ? src : step;
  const [wide, tall] = [0.8 * plan.em, 1.6 * plan.em];
  const url = pictures.strips(states, i, i, 1, theme);
  const sheet = { url, wide: states.rows * wide, at: i * wide };
  return plan.arrows
    .filter(({ to }) => to === id)
    .map(({ path }) => ({ way: path, sheet, wide, tall }));
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

/** The whole has the page's letters, unless the next token would lose its place beside it. */
const wholeRoomOf = (/** @type {Size} */ { width, height, em }) => ({
  width,
  height: window.innerWidth <= PHONE ? 0 : height,
  em: Math.max(LEAST, width < LEAST * WIDE ? 0 : Math.min(em, width / WIDE)),
});

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
  const { x, top, bottom } = besideOf(s, stage === null ? undefined : block);
  const left = `min(${x}px, 100% - 12em)`; // a long sentence is wider than its frame
  const place = plan.isWide
    ? `position:absolute;left:${left};top:${top}px;right:0;max-height:${bottom - top}px;font-size:${plan.em}px`
    : "";
  return html`<div class="hl-figure-card" style=${place} ?data-pinned=${block !== undefined}>
    <span role="status">${block ? about() : t("hint")}</span> ${opens ? more() : nothing}</div>`;
}

/** Where the words stand: beside the decoder, at the height of the part of the whole that is at
 * work and below the next token's bars, else in what is free. */
function besideOf({ plan, level }, block) {
  if (level.depth > 0 || block === undefined) return plan.free;
  const below = plan.out.y + plan.out.height + 0.6 * plan.em;
  const top = Math.max(below, Math.min(block.y, plan.height - 9 * plan.em));
  return { x: plan.out.x, top, bottom: plan.height };
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
  if (player === undefined || record.recorded || s.inside) return nothing;
  return html`<div class="hl-figure-keys" role="group" aria-label=${t("player")}>
    ${key("back", back)} ${key("forward", forward)} ${key("last", whole, stage === null)}</div>`;
}

/** Opens all layers or folds them; writes the shapes into the drawing. */
function layerButtons({ t, set, encoder, decoder, shape, inside, shapes }) {
  if (shape === undefined || inside) return nothing;
  const { layers: all } = shape;
  const isAll = encoder.length === all.encoder && decoder.length === all.decoder;
  const every = { encoder: firstOnes(all.encoder), decoder: firstOnes(all.decoder) };
  const fold = () => set({ ...(isAll ? { encoder: [], decoder: [] } : every), stage: null });
  const unfolding = { label: t(isAll ? "fold" : "unfold"), class: "hl-figure-unfold" };
  return html`${button({ ...unfolding, pressed: isAll, onClick: fold })}
    ${button({ label: t("shape"), pressed: shapes, onClick: () => set({ shapes: !shapes }) })}`;
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
