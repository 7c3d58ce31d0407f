// The few icons of the page: lines on a field of 20 by 20.

import { html, render, svg } from "../vendor/lit-html.js";

/** Strokes, and fills, of each icon. @type {Record<string, {lines?: string, solid?: string}>} */
const ICONS = {
  brand: { lines: "M14 5.5h4M14.5 10H18M14 14.5h4", solid: "M3 4.5h3.2a5.5 5.5 0 0 1 0 11H3z" },
  theme: {
    lines: "M10 3.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13z",
    solid: "M10 3.5a6.5 6.5 0 0 1 0 13z",
  },
  size: { lines: "M2.5 4h15M3.5 4v9.5h13V4M10 13.5v3M6.5 17h7" },
  gloss: { lines: "M3.5 3.5h13v8h-13zM6.5 7.5h7M5.5 16h9" },
  link: {
    lines:
      "M8.3 11.7a3.2 3.2 0 0 0 4.6 0l2.7-2.7a3.25 3.25 0 0 0-4.6-4.6l-1.3 1.3" +
      "M11.7 8.3a3.2 3.2 0 0 0-4.6 0l-2.7 2.7a3.25 3.25 0 0 0 4.6 4.6l1.3-1.3",
  },
  save: { lines: "M10 3v9M6.2 8.6L10 12.4l3.8-3.8M3.5 13.5v3h13v-3" },
  first: { lines: "M5.5 5v10M15 5l-6.5 5 6.5 5" },
  back: { lines: "M13 5l-6.5 5 6.5 5" },
  forward: { lines: "M7 5l6.5 5L7 15" },
  last: { lines: "M14.5 5v10M5 5l6.5 5L5 15" },
  play: { solid: "M6.5 4.5l9 5.5-9 5.5z" },
  turn: { lines: "M4 6.5h11.5M12.5 3.5l3 3-3 3M16 13.5H4.5M7.5 10.5l-3 3 3 3" },
  close: { lines: "M5.5 5.5l9 9M14.5 5.5l-9 9" },
  views: { lines: "M3.5 3.5h5v5h-5zM11.5 3.5h5v5h-5zM3.5 11.5h5v5h-5zM11.5 11.5h5v5h-5z" },
  pause: { lines: "M7.5 5v10M12.5 5v10" },
};

/** The icon of that name. @param {string} name */
export function icon(name) {
  const { lines, solid } = ICONS[name];
  return html`<svg class="hl-icon" viewBox="0 0 20 20" aria-hidden="true">
    ${solid && svg`<path class="hl-solid" d=${solid}></path>`}
    ${lines && svg`<path d=${lines}></path>`}
  </svg>`;
}

/** Draws the icon of every element that names one with data-icon: the shell's fixed templates. */
export function drawIcons(/** @type {Element} */ root) {
  for (const place of root.querySelectorAll("[data-icon]")) {
    render(icon(/** @type {HTMLElement} */ (place).dataset.icon ?? ""), place);
  }
}
