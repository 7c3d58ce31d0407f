// The shelf and the desk, drawn: what gets weight is pulled out, or looked at.

import { svg } from "../elements.js";
import { percentText } from "../numbers.js";
import { t } from "../words.js";

const BOOK = { width: 74, gap: 14, height: 92, pull: 34 };
const THING = { width: 88, top: 14 };

const list = (items, group, weights) => items.map(({ name }, i) => `${t(`library.${group}.${name}`)} ${percentText(weights[i])}`).join("; ");

// A book stands out of the shelf as far as its weight says.
export function shelf(books, weights) {
  const width = books.length * (BOOK.width + BOOK.gap) + BOOK.gap;
  const bottom = BOOK.pull + BOOK.height;
  return svg("svg", { class: "hl-library-picture", viewBox: `0 0 ${width} ${bottom + 24}`, role: "img", "aria-label": list(books, "book", weights) },
    ...books.map(({ name }, i) => {
      const left = BOOK.gap + i * (BOOK.width + BOOK.gap);
      const up = BOOK.pull * (1 - weights[i]);
      return svg("g", { transform: `translate(${left} ${up.toFixed(2)})` },
        svg("rect", { class: "hl-library-spine", width: BOOK.width, height: BOOK.height, rx: 3 }),
        svg("rect", { class: "hl-library-share", y: BOOK.height * (1 - weights[i]), width: BOOK.width, height: BOOK.height * weights[i], rx: 3 }),
        svg("rect", { class: "hl-library-label", x: 5, y: 14, width: BOOK.width - 10, height: 24, rx: 2 }),
        svg("text", { x: BOOK.width / 2, y: 30 }, t(`library.short.${name}`)),
        svg("text", { class: "hl-library-percent", x: BOOK.width / 2, y: 60 }, percentText(weights[i])));
    }),
    svg("path", { class: "hl-library-board", d: `M0 ${bottom + 2}h${width}` }));
}

const SHEET = "M26 20h36v44h-36z";
const DRAWN = {
  cup: () => [svg("path", { class: "hl-library-red", d: "M28 26h28v28a8 8 0 0 1 -8 8h-12a8 8 0 0 1 -8 -8zM56 32h6a6 6 0 0 1 0 14h-6" })],
  newspaper: () => [svg("path", { d: "M20 24h48v38h-48z" }), svg("path", { d: "M25 31h38M25 39h16M25 45h16M25 51h16M47 39h16v14h-16z" })],
  paper: () => [svg("path", { d: SHEET }), svg("path", { d: "M32 30h24M32 37h24M32 44h14" })],
  notebook: () => [svg("path", { d: SHEET }), svg("path", { d: "M32 20v44M22 28h8M22 36h8M22 44h8M22 52h8" })],
  book: () => [svg("path", { d: "M44 26c-8 -5 -16 -5 -24 -3v38c8 -2 16 -2 24 3c8 -5 16 -5 24 -3v-38c-8 -2 -16 -2 -24 3zM44 26v38" })],
};

// A thing is lit from below as much as the eye stays on it.
export function desk(things, weights) {
  const width = things.length * THING.width;
  return svg("svg", { class: "hl-library-picture", viewBox: `0 0 ${width} 150`, role: "img", "aria-label": list(things, "thing", weights) },
    ...things.map(({ name }, i) => svg("g", { transform: `translate(${i * THING.width} ${THING.top})` },
      svg("circle", { class: "hl-library-gaze", cx: 44, cy: 43, r: 41, "stroke-width": (0.5 + 7 * weights[i]).toFixed(2), "stroke-opacity": (0.25 + 0.75 * weights[i]).toFixed(3) }),
      svg("g", { class: "hl-library-thing" }, ...DRAWN[name]()),
      svg("text", { x: 44, y: 106 }, t(`library.thing.${name}`)),
      svg("text", { class: "hl-library-percent", x: 44, y: 126 }, percentText(weights[i])))));
}
