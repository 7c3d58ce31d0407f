// The two strips of tokens: always visible, used for selecting.

import { colourOf, cssOf, ramps } from "../kit/colour.js";
import { arrow, inSight } from "../kit/elements.js";
import { glossFacts, glossMark } from "../kit/gloss.js";
import { lostTokens } from "../kit/lost.js";
import { rowOf } from "../kit/payload.js";
import { axes, isDecoder, rowOnShow, stripIndex } from "../kit/selection.js";
import { langOn } from "../kit/token.js";
import { html, nothing, render } from "../vendor/lit-html.js";
import { page } from "./state.js";

const [SCROLLED, BACK] = [90, 20]; // px from which on the strips share a line, and back
const MARGIN = 12; // px kept between the current token's neighbours and a scrolled strip's edge
const CLOSER = ["hl-tight", "hl-bare"]; // what strips do for their room, one after the other

/** @typedef {import("../kit/types.js").Rec} Rec */
/** @typedef {import("../kit/types.js").Label} Label */
/** @typedef {import("../kit/types.js").Selection} Selection */
/** @typedef {import("../kit/selection.js").Pointed} Pointed */

export function mount(/** @type {any} */ root) {
  mountStrip(root.querySelector("#hl-src"), "src");
  mountStrip(root.querySelector("#hl-tgt"), "tgt");
  window.addEventListener("scroll", followScroll, { passive: true });
  new ResizeObserver(wrap).observe(/** @type {Element} */ (document.querySelector("#hl-middle")));
}

/** Gives the strips their room. Their height is told to what is below: other sticky elements, and
 * pictures that fill the window. */
function wrap() {
  const strips = /** @type {HTMLElement} */ (document.querySelector("#hl-middle"));
  share([...strips.querySelectorAll(/** @type {"div"} */ (".hl-strip"))]);
  const { style } = document.documentElement;
  const { height } = strips.getBoundingClientRect();
  style.setProperty("--strips", `${height}px`);
  // Scrolled, they take one line: what is below keeps its height, or it would move under the eye.
  if (!("scrolled" in document.body.dataset)) style.setProperty("--strips-at-rest", `${height}px`);
}

const isCut = (/** @type {Element} */ strip) => strip.scrollWidth > strip.clientWidth + 1;

/**
 * Strips that do not fit move their tokens closer, then give up their names, then take two lines if
 * all of it fits there; what is longer scrolls on one, and leaves the other side a third.
 * @param {HTMLElement[]} all
 */
function share(all) {
  for (const strip of all) {
    strip.classList.remove(...CLOSER, "hl-wraps");
    lineOf(strip).minWidth = "";
  }
  for (const closer of CLOSER)
    if (all.some(isCut)) for (const strip of all) strip.classList.add(closer);
  const needs = all.map(({ scrollWidth }) => scrollWidth);
  const cut = all.filter(isCut);
  for (const strip of cut) strip.classList.add("hl-wraps");
  const long = cut.filter(isHigh);
  for (const strip of long) strip.classList.remove("hl-wraps");
  if (long.length === 0) return;
  for (const [i, strip] of all.entries()) lineOf(strip).minWidth = `min(${needs[i]}px, 33%)`;
  for (const strip of long) keepInSight(strip, strip.querySelector(".hl-here"));
}

/** Whether a strip takes more than two lines. @param {Element} strip */
const isHigh = (strip) => strip.clientHeight >= 3 * (strip.firstElementChild?.clientHeight ?? 0);

/** The style of the line that a strip shares with its name. @param {HTMLElement} strip */
const lineOf = (strip) => /** @type {HTMLElement} */ (strip.parentElement).style;

// While scrolling, both strips are on one line.
function followScroll() {
  const { body } = document;
  const wasScrolled = "scrolled" in body.dataset;
  const isScrolled = window.scrollY > (wasScrolled ? BACK : SCROLLED);
  if (isScrolled !== wasScrolled) body.toggleAttribute("data-scrolled", isScrolled);
}

// Tokens of the target strip: the start token, then the output.
const cellsOf = (/** @type {Rec} */ record, /** @type {string} */ side) =>
  side === "src" ? record.src : [record.tgt_in[0], ...record.tgt_out];

function mountStrip(/** @type {any} */ strip, /** @type {string} */ side) {
  /** @type {Rec|null} */
  let built = null; // the record of the strip's tokens
  let place = -1;

  function draw() {
    const record = page.record.get();
    if (record === null) return;
    const chosen = page.selection.get();
    const current = side === "src" ? sourceHere(record, chosen) : targetHere(record, chosen);
    const cells = cellsOf(record, side);
    const lost = side === "src" ? lostTokens(page, record) : new Set();
    render(
      cells.map((_, i) => token(cells, i, { side, record, current, step: chosen.step, lost })),
      strip,
    );
    if (built !== record) {
      built = record;
      place = -1;
      strip.scrollLeft = 0;
      wrap();
      strip.lang = langOn(page, cells.map((label) => label.text).join(""), side);
    }
    if (place !== current) keepInSight(strip, strip.children[current]);
    place = current;
    light();
  }

  // Updates for the pointer, without rendering again.
  function light() {
    const record = page.record.get();
    if (record === null) return;
    const chosen = page.selection.get();
    const hovered = page.hover.get();
    const lit = litTokens(record, chosen, hovered, side);
    const weights = weightsOn(record, chosen, hovered, side);
    for (const [i, cell] of [...strip.children].entries()) {
      cell.classList.toggle("hl-lit", lit.has(i));
      paint(cell, weights?.[i]);
    }
  }

  listen(strip, side);
  for (const store of [page.record, page.selection, page.language, page.gloss, page.cell])
    store.watch(draw);
  if (side === "src") page.lost.watch(draw);
  for (const store of [page.hover, page.theme]) store.watch(light);
}

/** What the finding on the page is about, if the view says so. @param {Rec} record */
function cellOn(record) {
  const cell = page.cell.get();
  return cell?.record === record ? cell : null;
}

/** The token of the target strip that the finding is about, else the one that the step writes; -1
 * if there is none. @param {Rec} record @param {Selection} chosen */
function targetHere(record, { step }) {
  const { step: own = step, offset = 1 } = cellOn(record) ?? {};
  return own === null ? -1 : own + offset;
}

/** The source token that the finding is about, else that of the chosen map's row or column; -1 if
 * there is none. @param {Rec} record @param {Selection} chosen */
function sourceHere(record, { kind, row, col }) {
  const cell = cellOn(record);
  if (cell !== null) return cell.src ?? -1;
  if (kind === "encoder_self") return row;
  return kind === "cross" && col !== null ? col : -1;
}

/** @param {Label[]} cells @param {number} i
 * @param {{side: string, record: Rec, current: number, step: number,
 *   lost: Set<number>}} strip */
function token(cells, i, { side, record, current, step, lost }) {
  const label = cells[i];
  const isForced = side === "tgt" && i > 0 && record.steps[i - 1]?.forced;
  const classes = [
    "hl-token",
    `hl-${label.kind}`,
    label.joined ? "hl-joined" : "",
    cells[i + 1]?.joined ? "hl-goes-on" : "",
    i === current ? "hl-here" : "",
    side === "tgt" && i > step + 1 ? "hl-ahead" : "",
    lost.has(i) ? "hl-lost" : "",
  ];
  const about = describe(label, i, side);
  const note = isForced ? page.t("token.forced") : lost.has(i) ? page.t("token.lost") : "";
  return html`<button type="button" class=${classes.filter(Boolean).join(" ")} data-index=${i}
    title=${note ? `${note} · ${about}` : about} aria-description=${lost.has(i) ? note : nothing}
    aria-pressed=${String(i === current)} tabindex=${i === Math.max(0, current) ? 0 : -1}
    ><span data-gloss=${glossMark(label)}>${label.text}</span>${
      label.part ? html`<sub>${label.part[0]}/${label.part[1]}</sub>` : nothing
    }${isForced ? html`<sub>◆</sub>` : nothing}</button>`;
}

/** The tooltip of a token: its name if it is special, its place, spelling and id.
 * @param {Label} label @param {number} i @param {string} side */
function describe(label, i, side) {
  const place = side === "src" ? i + 1 : i;
  const told = page.t("token.facts", { place, piece: label.piece, id: label.id });
  const facts = [told, glossFacts(label)].filter(Boolean).join(" · ");
  if (label.kind === "special") return `${page.t(`token.${label.piece}`)} · ${facts}`;
  return label.kind === "word" ? facts : `${page.t(`token.${label.kind}`)} · ${facts}`;
}

/** The tokens of a strip touched by the pointer's cell or token.
 * @param {Rec} record @param {Selection} chosen @param {Pointed|null} hovered
 * @param {string} side */
function litTokens(record, chosen, hovered, side) {
  if (hovered === null) return new Set();
  if (hovered.side) return new Set(hovered.side === side ? [hovered.index] : []);
  const { rows, columns } = axes(record, chosen.kind, chosen.labels);
  const lit = new Set();
  if (rows.side === side) lit.add(stripIndex(rows, Number(hovered.row)));
  if (columns.side === side) lit.add(stripIndex(columns, Number(hovered.col)));
  return lit;
}

/** The weight of the current row on each token of this strip; null if it reads none of them.
 * @param {Rec} record @param {Selection} chosen @param {Pointed|null} hovered
 * @param {string} side */
function weightsOn(record, chosen, hovered, side) {
  const weights = cellOn(record)?.weights;
  if (weights !== undefined) return side === "src" ? weights : null;
  const { columns } = axes(record, chosen.kind, chosen.labels);
  if (columns.side !== side) return null;
  const maps = record.attention[chosen.kind];
  const row = rowOnShow(record, chosen, hovered);
  return rowOf(maps.head(chosen.layer, chosen.head), maps.keys, row);
}

/** The bar under a token, in hundredths: in a long sentence few tokens change as the pointer moves,
 * and only those are updated. @param {HTMLElement} cell @param {number|undefined} weight */
function paint(cell, weight) {
  const share = weight === undefined || Number.isNaN(weight) ? 0 : Math.round(weight * 100) / 100;
  const ramp = ramps[page.theme.get()];
  const colour = share === 0 ? "transparent" : cssOf(colourOf(ramp, 0.25 + 0.75 * share));
  const bar = `${share} ${colour}`;
  if (cell.dataset.bar === bar) return;
  cell.dataset.bar = bar;
  cell.style.setProperty("--weight", String(share));
  cell.style.setProperty("--ink-weight", colour);
}

/** Scrolls a strip so that a token is in sight, with its neighbours where they have room.
 * @param {HTMLElement} strip @param {Element|null|undefined} cell */
function keepInSight(strip, cell) {
  if (!(cell instanceof HTMLElement) || strip.scrollWidth <= strip.clientWidth) return;
  const { previousElementSibling: before, nextElementSibling: after } = cell;
  const left = (/** @type {any} */ one) => one.offsetLeft - strip.offsetLeft - MARGIN;
  const wide = (/** @type {any} */ from, /** @type {any} */ to) =>
    to.offsetLeft + to.offsetWidth - from.offsetLeft + 2 * MARGIN;
  const all = [before ?? cell, after ?? cell];
  const [first, last] = wide(all[0], all[1]) <= strip.clientWidth ? all : [cell, cell];
  strip.scrollLeft = inSight(left(first), wide(first, last), strip.scrollLeft, strip.clientWidth);
}

function listen(/** @type {any} */ strip, /** @type {string} */ side) {
  const indexOf = (/** @type {any} */ event) => {
    const cell = event.target.closest(".hl-token");
    return cell === null ? null : Number(cell.dataset.index);
  };
  strip.addEventListener("pointerover", (/** @type {PointerEvent} */ event) => {
    const index = indexOf(event);
    if (index !== null && event.pointerType !== "touch") page.hover.set({ side, index });
  });
  strip.addEventListener("pointerleave", () => page.hover.set(null));
  strip.addEventListener("click", (/** @type {Event} */ event) => {
    const index = indexOf(event);
    if (index !== null) pick(side, index);
  });
  strip.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const step = arrow(event);
    const index = indexOf(event);
    if (step === null || index === null || step.columns === 0) return;
    event.preventDefault();
    const next = strip.children[index + step.columns];
    if (!next) return;
    pick(side, index + step.columns);
    next.focus();
  });
}

/** A source token is the row of the encoder's maps and the column of cross-attention; a target
 * token is the step that writes it, or where rows are named so, the one that has read it. @param {string} side @param {number} index */
function pick(side, index) {
  const offset = page.cell.get()?.offset ?? 1;
  if (side === "tgt") page.choose({ step: Math.max(0, index - offset) });
  else page.choose(isDecoder(page.selection.get().kind) ? { src: index } : { row: index });
}
