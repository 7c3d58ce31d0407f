// What every exhibit's panel does: it is there only while its tab is chosen.

import { eachFrame } from "./elements.js";
import { selection } from "./state.js";

// Calls `draw` (at most once a frame, and only in sight) when a store of `stores` changes, when the
// panel comes into sight, and when the window's size changes. Gives back a way to ask for it.
export function drawInPanel(root, stores, draw) {
  const panel = root.querySelector(".hl-panel");
  const redraw = eachFrame(() => {
    if (!panel.hidden) draw();
  });
  selection.watch(({ exhibit }) => {
    panel.hidden = exhibit !== panel.dataset.exhibit;
  });
  for (const store of [selection, ...stores]) store.watch(redraw);
  const resized = new ResizeObserver(redraw);
  resized.observe(panel);
  resized.observe(document.body); // what stands above may have grown
  window.addEventListener("resize", redraw);
  return redraw;
}

// Whether a layout is too narrow for columns beside one another, in letters of its own size; the
// class hl-narrow says so to its styles.
export function narrow(layout, least = 70) {
  const { fontSize } = getComputedStyle(layout);
  layout.classList.toggle("hl-narrow", layout.clientWidth < least * parseFloat(fontSize));
}

// Tells a layout what is left of the window's height (--room), so that it needs no scrolling.
export function room(layout) {
  const top = layout.getBoundingClientRect().top + window.scrollY;
  const footer = document.querySelector("footer")?.offsetHeight ?? 0;
  layout.style.setProperty("--room", `${Math.round(window.innerHeight - top - footer)}px`);
}
