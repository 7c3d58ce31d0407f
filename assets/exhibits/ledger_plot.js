// The plot of the ledger: one straight line a hypothesis over alpha, its crossings, and where alpha is.

import { svg } from "../elements.js";
import { number, t } from "../words.js";
import { crossing, heightOf } from "./ledger_sums.js";

const MOST_CROSSINGS = 60;
const TICKS = [1, 1 / 2, 2, 1 / 4, 4, 1 / 8, 8, 2 / 3, 1.5, 0.8, 1.25, 0.9, 1.1]; // the first that find room
const DASHES = ["none", "7 3", "2 3", "9 3 2 3", "4 2", "12 4", "1 3", "6 2 1 2 1 2"];

// Draws into `place`. `onAlpha` is called with the alpha that the pointer is dragged to.
export function createPlot(place, onAlpha) {
  let scene = null;
  const marker = svg("g", { class: "hl-ledger-now" });
  const follow = (event) => {
    if (scene === null || (event.type === "pointermove" && event.buttons !== 1)) return;
    const share = (event.clientX - place.getBoundingClientRect().left - scene.left) / scene.width;
    const { low, high } = scene;
    onAlpha(Math.round((low + Math.max(0, Math.min(1, share)) * (high - low)) * 100) / 100);
  };
  place.addEventListener("pointerdown", follow);
  place.addEventListener("pointermove", follow);

  return {
    // lines: [{at, slope, listed, best}]; chosen: which of them is thick; own: the search's alpha.
    draw(given) {
      scene = { ...given, ...sizes(place) };
      scene.reach = reachOf(scene);
      place.replaceChildren(picture(scene, marker));
      this.move(given.alpha);
    },
    // Only what follows alpha: a line, and a dot on each of the lines.
    move(alpha) {
      const { top, height, lines } = scene;
      const x = across(scene, alpha);
      marker.replaceChildren(
        svg("line", { x1: x, x2: x, y1: top, y2: top + height }),
        ...lines.map((line) => svg("circle", { cx: x, cy: down(scene, heightOf(line, alpha)), r: line.listed ? 3 : 2 })));
    },
  };
}

function sizes(place) {
  const em = parseFloat(getComputedStyle(place).fontSize);
  const left = 3.2 * em;
  const bottom = 2.4 * em;
  return {
    em, left, top: 1.5 * em, whole: [place.clientWidth, place.clientHeight],
    width: Math.max(60, place.clientWidth - left - 2.4 * em),
    height: Math.max(60, place.clientHeight - bottom - 1.5 * em),
  };
}

// The heights that are shown: those of the search's own hypotheses, whoever else joins them.
function reachOf({ lines, low, high }) {
  const heights = lines.filter(({ listed }) => listed).flatMap((line) => [heightOf(line, low), heightOf(line, high)]);
  const from = Math.min(...heights, -0.05);
  const to = Math.max(...heights, 0.05);
  const air = (to - from) * 0.06;
  return { from: from - air, to: to + air };
}

const across = ({ left, width, low, high }, alpha) => left + ((alpha - low) / (high - low)) * width;

function down({ top, height, reach }, value) {
  const share = (value - reach.from) / (reach.to - reach.from);
  return top + (1 - Math.max(-0.02, Math.min(1.02, share))) * height;
}

function picture(scene, marker) {
  const { lines, low, high, whole, left, top, width, height } = scene;
  const clip = "hl-ledger-clip";
  return svg("svg", {
    width: whole[0], height: whole[1], viewBox: `0 0 ${whole[0]} ${whole[1]}`, role: "img",
    "aria-label": t("ledger.plot.picture", { n: lines.length, low, high }),
  },
  svg("clipPath", { id: clip }, svg("rect", { x: left, y: top, width, height })),
  ...axes(scene),
  svg("g", { "clip-path": `url(#${clip})` }, ...lines.map((line, i) => drawn(scene, line, i))),
  ...crossings(scene), ...names(scene), marker);
}

function axes(scene) {
  const { low, high, left, top, width, height, em, reach, own } = scene;
  const parts = [];
  for (let alpha = Math.ceil(low); alpha <= high; alpha += 1) {
    const x = across(scene, alpha);
    parts.push(svg("line", { class: "hl-ledger-grid", x1: x, x2: x, y1: top, y2: top + height }),
      svg("text", { x, y: top + height + 1.1 * em, "text-anchor": "middle" }, String(alpha).replace("-", "−")));
  }
  const taken = [];
  for (const ratio of TICKS.filter((one) => Math.log(one) >= reach.from && Math.log(one) <= reach.to)) {
    const y = down(scene, Math.log(ratio));
    if (taken.some((other) => Math.abs(other - y) < 1.3 * em)) continue;
    taken.push(y);
    parts.push(svg("line", { class: ratio === 1 ? "hl-ledger-one-line" : "hl-ledger-grid", x1: left, x2: left + width, y1: y, y2: y }),
      svg("text", { x: left - 0.4 * em, y: y + 0.35 * em, "text-anchor": "end" }, `× ${Number(ratio.toFixed(2))}`));
  }
  const x = across(scene, own);
  parts.push(svg("line", { class: "hl-ledger-own", x1: x, x2: x, y1: top, y2: top + height }),
    svg("text", { x: left + width, y: top + height + 2.1 * em, "text-anchor": "end" }, "α"),
    svg("text", { x: left, y: 0.9 * em }, t("ledger.plot.axis")),
    svg("text", { x, y: top + height + 2.1 * em, "text-anchor": "middle", class: "hl-ledger-own-name" }, t("ledger.plot.own")));
  return parts;
}

function drawn(scene, line, i) {
  const { low, high, left, width, chosen } = scene;
  const state = i === chosen ? "hl-chosen" : line.listed ? "hl-listed" : "hl-beaten";
  const y = (alpha) => scene.top + (1 - (heightOf(line, alpha) - scene.reach.from) / (scene.reach.to - scene.reach.from)) * scene.height;
  return svg("line", {
    class: `hl-ledger-line ${state}`, "data-entry": i, x1: left, x2: left + width, y1: y(low), y2: y(high),
    "stroke-dasharray": line.listed ? DASHES[i % DASHES.length] : "1 3",
  });
}

// A ring where the best changes; a dot where two others of the search's hypotheses change places.
function crossings(scene) {
  const { lines, low, high, reigning } = scene;
  const rings = reigning.slice(1).map(({ who, from }) => ring(scene, from, heightOf(lines[who], from)));
  const dots = [];
  lines.forEach((a, i) => lines.slice(i + 1).forEach((b) => {
    if (!a.listed || !b.listed || dots.length >= MOST_CROSSINGS) return;
    const alpha = crossing(a, b);
    if (alpha === null || alpha <= low || alpha >= high) return;
    dots.push(svg("circle", { class: "hl-ledger-crossing", cx: across(scene, alpha), cy: down(scene, heightOf(a, alpha)), r: 2 }));
  }));
  return [...dots, ...rings];
}

const ring = (scene, alpha, height) =>
  svg("circle", { class: "hl-ledger-ring", cx: across(scene, alpha), cy: down(scene, height), r: 5 });

// The numbers of the hypotheses at the right ends of their lines, apart enough to be read.
function names(scene) {
  const { lines, high, left, width, em } = scene;
  const ends = lines.map((line, i) => ({ i, y: down(scene, heightOf(line, high)), listed: line.listed }))
    .filter(({ listed }) => listed).sort((a, b) => a.y - b.y);
  spread(ends, 0.95 * em, 1.2 * em);
  return ends.map(({ i, y }) => svg("text", {
    class: i === scene.chosen ? "hl-ledger-end hl-chosen" : "hl-ledger-end", x: left + width + 0.4 * em, y: y + 0.35 * em,
  }, number(i)));
}

// Pushes labels (sorted by y) apart, half the way each, until hardly any is nearer than `gap`;
// none goes above `top`.
function spread(ends, gap, top) {
  for (let round = 0; round < 40; round += 1) {
    for (let i = 1; i < ends.length; i += 1) {
      const lack = gap - (ends[i].y - ends[i - 1].y);
      if (lack <= 0) continue;
      ends[i].y += lack / 2;
      ends[i - 1].y -= lack / 2;
    }
    if (ends.length > 0) ends[0].y = Math.max(ends[0].y, top);
  }
}
