// Draws a view: a template, rendered again from state, at most once a frame and only while the view
// is visible.

import { nothing, render } from "../vendor/lit-html.js";
import { eachFrame } from "./elements.js";

const FOOT = 4; // px between a view and the window's edge

/** Stores of the page that everything is drawn from. */
/** @type {("record"|"language"|"gloss"|"lined"|"lines"|"fetched"|"visible")[]} */
const FROM_PAGE = ["record", "language", "gloss", "lined", "lines", "fetched", "visible"];

/**
 * Renders `template()` into `el` when a store of `stores` changes, when the language does, when the
 * view becomes visible and when its size changes. `drawn()` runs after each rendering, for canvases
 * and measurements. If `template` returns null, the old content stays (no record yet).
 * @param {{el: HTMLElement, page: import("./types.js").Page,
 *   stores?: {watch: (watcher: () => void) => void}[],
 *   template: () => unknown, drawn?: () => void}} given
 * @returns {{redraw: () => void, drawNow: () => void, end: () => void}}
 */
export function liveView({ el, page, stores = [], template, drawn = () => {} }) {
  let isEnded = false;
  function drawNow() {
    if (isEnded || !page.visible.get()) return;
    const made = template();
    if (made === null) return;
    render(made, el);
    drawn();
  }
  const redraw = eachFrame(drawNow);
  for (const store of [...FROM_PAGE.map((name) => page[name]), ...stores]) store.watch(redraw);
  const resized = new ResizeObserver(redraw);
  resized.observe(el);
  page.signal.addEventListener("abort", () => end(), { once: true });

  function end() {
    if (isEnded) return;
    isEnded = true;
    resized.disconnect();
    render(nothing, el);
  }
  return { redraw, drawNow, end };
}

/**
 * True if an element is too narrow for columns side by side, measured in its own letters; the class
 * hl-narrow says so to its styles.
 * @param {HTMLElement} el
 */
export function narrow(el, least = 70) {
  const isNarrow = el.clientWidth < least * parseFloat(getComputedStyle(el).fontSize);
  el.classList.toggle("hl-narrow", isNarrow);
  return isNarrow;
}

/**
 * Writes the remaining height of the window as --room, so that a picture can fill it; it follows
 * what stands above and may take another line, as it is at the top of the page (--strips-at-rest).
 * @param {HTMLElement} el
 */
export function room(el) {
  const top = el.getBoundingClientRect().top + window.scrollY;
  const strips = getComputedStyle(document.documentElement).getPropertyValue("--strips");
  const most = Math.round(window.innerHeight - top - FOOT + (parseFloat(strips) || 0));
  el.style.setProperty("--room", `max(240px, calc(${most}px - var(--strips-at-rest, 0px)))`);
}
