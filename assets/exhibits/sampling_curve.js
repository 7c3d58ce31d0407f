// All tokens at once: probability by rank, both axes logarithmic. What is kept, cut by top-p and cut by
// top-k are areas told apart by colour, by pattern and by name.

import { element } from "../elements.js";
import { t } from "../words.js";
import { put } from "./sampling_numbers.js";

const LEAST = 1e-8; // at the bottom of the axis
const DECADES = 8;

// The place of rank r (from 0) on an axis of the given width: rank r takes from its place to the next
// one's, so that the first token has a width as well.
export const placeOf = (rank, size, width) => (width * Math.log(rank + 1)) / Math.log(size + 1);

// The rank that stands at a place.
export const rankAt = (x, size, width) =>
  Math.min(size - 1, Math.floor(Math.exp((x / width) * Math.log(size + 1)) + 1e-9) - 1);

export function createCurve(root) {
  const [behind, canvas] = [element("canvas"), element("canvas")]; // the axes stay, the curve moves
  const labels = Object.fromEntries(["kept", "p", "k"].map((fate) => [fate, element("span", { "data-fate": fate })]));
  root.replaceChildren(behind, canvas, ...Object.values(labels));
  const brush = canvas.getContext("2d");
  let frame = null;

  // Takes up the size, the colours and the letters of the page, and draws the axes for that many tokens.
  function fit(size) {
    frame = frameOf(root, window.devicePixelRatio || 1, brush);
    const [width, height] = [frame.width, frame.height].map((length) => Math.round(length * frame.ratio));
    for (const one of [behind, canvas]) Object.assign(one, { width, height });
    const pen = behind.getContext("2d");
    pen.setTransform(frame.ratio, 0, 0, frame.ratio, frame.box.left * frame.ratio, frame.box.top * frame.ratio);
    grid(pen, frame, size);
  }

  // scene: {found, shape}
  function draw({ found, shape }) {
    if (frame.across <= 0) return;
    const { ratio, box, width, height, colours } = frame;
    brush.setTransform(ratio, 0, 0, ratio, 0, 0);
    brush.clearRect(0, 0, width, height);
    brush.translate(box.left, box.top);
    const size = found.ranked.order.length;
    areas(brush, frame, size, shape);
    const own = (rank) => found.shares[rank];
    const now = (rank) => shape.powers[rank] / shape.sums.p;
    line(brush, frame, size, shape.counts.p, now, { stroke: colours.kept, width: 2 });
    line(brush, frame, size, shape.counts.all, own, { stroke: colours.quiet, width: 1.2, dash: [4, 3] });
    name(labels, frame, size, shape.counts);
  }

  return { fit, draw };
}

function frameOf(root, ratio, brush) {
  const style = getComputedStyle(root);
  const [width, height] = [root.clientWidth, root.clientHeight];
  const font = parseFloat(style.fontSize);
  const colour = (named) => style.getPropertyValue(named).trim();
  const colours = { kept: colour("--accent"), line: colour("--line"), quiet: colour("--quiet") };
  const box = { left: font * 2.9, top: font * 0.5, right: font * 0.3, bottom: font * 2.5 };
  return {
    ratio, width, height, font, colours, box, family: style.fontFamily,
    across: width - box.left - box.right, down: height - box.top - box.bottom,
    fills: {
      kept: colours.kept,
      p: pattern(brush, "diagonal", colour("--ink"), ratio),
      k: pattern(brush, "dots", colour("--faint"), ratio),
    },
  };
}

// 1 is at the top, LEAST at the bottom.
function heightOf(probability, down) {
  const share = Math.log10(Math.max(LEAST, Math.min(1, probability))) / -DECADES;
  return share * down;
}

function grid(brush, { across, down, font, family, colours }, size) {
  brush.font = `${font * 0.79}px ${family}`;
  brush.strokeStyle = colours.line;
  brush.fillStyle = colours.quiet;
  brush.lineWidth = 1;
  brush.textBaseline = "middle";
  brush.textAlign = "right";
  for (let decade = 0; decade <= DECADES; decade += 2) {
    const y = (decade / DECADES) * down;
    stroke(brush, 0, y, across, y);
    brush.fillText(decade === 0 ? "1" : `10⁻${"⁰¹²³⁴⁵⁶⁷⁸⁹"[decade]}`, -font * 0.4, y);
  }
  brush.textBaseline = "top";
  brush.textAlign = "center";
  for (let rank = 1; rank <= size; rank *= 10) {
    const x = (placeOf(rank - 1, size, across) + placeOf(rank, size, across)) / 2;
    brush.fillText(rank.toLocaleString("en"), Math.max(x, font * 0.4), down + font * 0.3);
  }
  brush.fillText(t("sampling.curve.rank"), across / 2, down + font * 1.4);
  brush.textAlign = "right";
  brush.fillText(t("sampling.curve.own"), across - font * 0.4, font * 0.5);
}

// The areas below the distribution after the temperature, by what becomes of their tokens.
function areas(brush, frame, size, { powers, sums, counts }) {
  brush.strokeStyle = frame.colours.quiet;
  brush.lineWidth = 1;
  const ends = [["kept", 0, counts.p], ["p", counts.p, counts.k], ["k", counts.k, counts.all]];
  for (const [fate, from, to] of ends) {
    if (from === to) continue;
    trace(brush, frame, size, from, to, (rank) => powers[rank] / sums.all);
    brush.lineTo(placeOf(to, size, frame.across), frame.down);
    brush.lineTo(placeOf(from, size, frame.across), frame.down);
    brush.closePath();
    brush.globalAlpha = fate === "kept" ? 0.28 : 0.75;
    brush.fillStyle = frame.fills[fate];
    brush.fill();
    brush.globalAlpha = 1;
    if (from > 0) stroke(brush, placeOf(from, size, frame.across), 0, placeOf(from, size, frame.across), frame.down);
  }
}

function line(brush, frame, size, to, height, { stroke: colour, width, dash = [] }) {
  if (to === 0) return;
  trace(brush, frame, size, 0, to, height);
  brush.strokeStyle = colour;
  brush.lineWidth = width;
  brush.setLineDash(dash);
  brush.stroke();
  brush.setLineDash([]);
}

// A path over the ranks [from, to): steps where there is room for them, one point a pixel elsewhere.
function trace(brush, { across, down }, size, from, to, height) {
  brush.beginPath();
  const last = placeOf(to, size, across);
  let x = placeOf(from, size, across);
  let rank = from;
  while (x < last && rank < to) {
    const y = heightOf(height(rank), down);
    const next = Math.min(last, Math.max(x + 1, placeOf(rank + 1, size, across)));
    brush.lineTo(x, y);
    brush.lineTo(next, y);
    x = next;
    rank = Math.max(rank + 1, rankAt(x, size, across));
  }
}

// The name and the number of each area, where it has the room. A letter is taken to be half as wide as
// high, a Chinese one as wide: to measure the words in every frame would cost more than all the rest.
function name(labels, { across, font, box }, size, { all, k, p }) {
  for (const [fate, from, to] of [["kept", 0, p], ["p", p, k], ["k", k, all]]) {
    const label = labels[fate];
    const [left, right] = [placeOf(from, size, across), placeOf(to, size, across)];
    put(label, t(`sampling.curve.${fate}`, { n: (to - from).toLocaleString("en") }));
    const wide = [...label.textContent].reduce((sum, letter) => sum + (letter > "\u2e80" ? 0.8 : 0.45), 0.6) * font;
    label.hidden = wide > right - left;
    label.style.transform = `translateX(${(box.left + (left + right) / 2).toFixed(1)}px) translateX(-50%)`;
  }
}

function stroke(brush, fromX, fromY, toX, toY) {
  brush.beginPath();
  brush.moveTo(fromX, fromY);
  brush.lineTo(toX, toY);
  brush.stroke();
}

function pattern(brush, kind, colour, ratio) {
  const side = Math.round(5 * ratio);
  const tile = new OffscreenCanvas(side, side);
  const pen = tile.getContext("2d");
  pen.strokeStyle = pen.fillStyle = colour;
  pen.lineWidth = ratio;
  if (kind === "dots") pen.fillRect(side / 2, side / 2, ratio * 1.4, ratio * 1.4);
  else for (const shift of [-side, 0, side]) stroke(pen, shift, side, shift + side, 0);
  const made = brush.createPattern(tile, "repeat");
  made.setTransform(new DOMMatrix().scale(1 / ratio));
  return made;
}
