// The few icons of the page: lines on a field of 20 by 20.

import { svg } from "./elements.js";

const DRAWN = {
  brand: ["M14 5.5h4M14.5 10H18M14 14.5h4"],
  theme: ["M10 3.5a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13z"],
  size: ["M2.5 4h15M3.5 4v9.5h13V4M10 13.5v3M6.5 17h7"],
  first: ["M5.5 5v10M15 5l-6.5 5 6.5 5"],
  back: ["M13 5l-6.5 5 6.5 5"],
  forward: ["M7 5l6.5 5L7 15"],
  last: ["M14.5 5v10M5 5l6.5 5L5 15"],
  play: [],
  pause: ["M7.5 5v10M12.5 5v10"],
};
const FILLED = {
  play: ["M6.5 4.5l9 5.5-9 5.5z"],
  brand: ["M3 4.5h3.2a5.5 5.5 0 0 1 0 11H3z"],
  theme: ["M10 3.5a6.5 6.5 0 0 1 0 13z"],
};

// Draws the icon of every element that names one with data-icon.
export function drawIcons(root) {
  for (const place of root.querySelectorAll("[data-icon]")) {
    const name = place.dataset.icon;
    place.replaceChildren(svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" },
      ...(FILLED[name] ?? []).map((d) => svg("path", { d, class: "hl-solid" })),
      ...DRAWN[name].map((d) => svg("path", { d }))));
  }
}
