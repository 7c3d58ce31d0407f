// Sheets that open from a summary; Escape or a click elsewhere closes them.

import { isComposed } from "../kit/elements.js";

/** @type {Set<any>} */
const opened = new Set();

// A toggle does not bubble, so it is captured on the way down. So sheets drawn later close too.
document.addEventListener(
  "toggle",
  ({ target }) => {
    if (!(target instanceof HTMLDetailsElement) || !target.classList.contains("hl-pop")) return;
    if (target.open) opened.add(target);
    else opened.delete(target);
  },
  true,
);

document.addEventListener("pointerdown", (event) => {
  for (const sheet of opened) if (!sheet.contains(event.target)) sheet.open = false;
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || isComposed(event)) return;
  for (const sheet of opened) {
    const within = sheet.contains(document.activeElement);
    sheet.open = false;
    if (within) sheet.querySelector("summary").focus();
  }
});
