// Lines over two axes, as SVG. An axis is {from, to, log, name, text, ticks}: `log` for a logarithmic
// one, `text` writes a tick's number.

import { element, svg } from "./elements.js";

const MOST_TICKS = 7;

// From a value to its place between 0 and 1.
export function share({ from, to, log }, value) {
  if (log) return Math.log(value / from) / Math.log(to / from);
  return (value - from) / (to - from);
}

// Round numbers on an axis: powers of ten on a logarithmic one, else steps of 1, 2 or 5 times one.
export function ticksOf({ from, to, log, ticks }) {
  if (ticks) return ticks;
  if (log) return powers(from, to);
  const rough = (to - from) / MOST_TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((one) => one * power >= rough);
  const first = Math.ceil(from / step - 1e-9);
  const count = Math.floor(to / step + 1e-9) - first + 1;
  return Array.from({ length: count }, (_, i) => (first + i) * step);
}

function powers(from, to) {
  const [low, high] = [Math.ceil(Math.log10(from) - 1e-9), Math.floor(Math.log10(to) + 1e-9)];
  const every = Math.ceil((high - low + 1) / MOST_TICKS);
  return Array.from({ length: high - low + 1 }, (_, i) => low + i)
    .filter((power) => (power - low) % every === 0).map((power) => 10 ** power);
}

// Draws into `root`, as wide and high as that is. `lines` are {points: [[x, y], ...], look, name},
// look 1 to 4, or "dots"; `marks` are {x or y, name}: a thin line across. Gives {x, y}: from values to px.
export function plot(root, { name, x, y, lines, marks = [] }) {
  const font = parseFloat(getComputedStyle(root).fontSize);
  const edge = { left: 3.6 * font, right: 0.9 * font, top: 0.9 * font, bottom: 2.9 * font };
  const width = Math.max(root.clientWidth, 14 * font);
  const height = Math.max(root.clientHeight, 8 * font);
  const inner = { width: width - edge.left - edge.right, height: height - edge.top - edge.bottom };
  const toX = (value) => edge.left + share(x, value) * inner.width;
  const toY = (value) => edge.top + (1 - share(y, value)) * inner.height;
  const drawing = svg("svg", { class: "hl-plot", width, height, role: "img", "aria-label": name },
    ...axis(x, (value) => ({ x: toX(value), y: height - edge.bottom + 1.1 * font }), "middle", font),
    ...ticksOf(y).map((value) => svg("path", { class: "hl-plot-grid", d: `M${edge.left} ${toY(value)}h${inner.width}` })),
    ...axis(y, (value) => ({ x: edge.left - 0.4 * font, y: toY(value) + 0.33 * font }), "end", font),
    svg("path", { class: "hl-plot-axis", d: `M${edge.left} ${edge.top}v${inner.height}h${inner.width}` }),
    svg("text", { class: "hl-plot-name", x: edge.left + inner.width / 2, y: height - 0.4 * font, "text-anchor": "middle" }, x.name),
    svg("text", { class: "hl-plot-name", transform: `translate(${0.8 * font} ${edge.top + inner.height / 2}) rotate(-90)`, "text-anchor": "middle" }, y.name),
    ...marks.flatMap((mark) => markOf(mark, { toX, toY, edge, inner, font })),
    ...lines.flatMap((line) => lineOf(line, { x, y, toX, toY })));
  root.replaceChildren(drawing);
  return { x: toX, y: toY, node: drawing };
}

const axis = ({ text = String, ...rest }, place, anchor, font) => ticksOf(rest).map((value) =>
  svg("text", { ...place(value), class: "hl-plot-tick", "text-anchor": anchor, "font-size": 0.86 * font }, text(value)));

function markOf({ x, y, name = "", quiet }, { toX, toY, edge, inner, font }) {
  const upright = x !== undefined;
  const [left, top] = upright ? [toX(x), edge.top] : [edge.left, toY(y)];
  const late = upright && left > edge.left + inner.width * 0.7;
  return [
    svg("path", { class: quiet ? "hl-plot-mark hl-quiet" : "hl-plot-mark", d: upright ? `M${left} ${top}v${inner.height}` : `M${left} ${top}h${inner.width}` }),
    svg("text", { class: "hl-plot-name", x: left + (late ? -0.4 : 0.4) * font, y: top + (upright ? 0.6 : -0.4) * font, "text-anchor": late ? "end" : "start" }, name),
  ];
}

const within = ({ from, to }, value) => value >= from && value <= to;

function lineOf({ points, look }, { x, y, toX, toY }) {
  const shown = points.filter(([a, b]) => within(x, a) && within(y, b));
  if (look === "dots") return shown.map(([a, b]) => svg("circle", { class: "hl-plot-dot", cx: toX(a), cy: toY(b), r: 3.5 }));
  const path = shown.map(([a, b], i) => `${i ? "L" : "M"}${toX(a).toFixed(1)} ${toY(b).toFixed(1)}`).join("");
  return [svg("path", { class: `hl-plot-line hl-line-${look}`, d: path })];
}

// What the lines of a plot are: a piece of each beside its name.
export const legend = (entries) => element("ul", { class: "hl-plot-legend" }, ...entries.map(({ look, name }) =>
  element("li", {}, svg("svg", { width: "2.2em", height: "0.8em", viewBox: "0 0 30 10", "aria-hidden": "true" },
    look === "dots" ? svg("circle", { class: "hl-plot-dot", cx: 15, cy: 5, r: 3.5 })
      : svg("path", { class: `hl-plot-line hl-line-${look}`, d: "M0 5h30" })), name)));

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

// 1000 -> "10³", 0.01 -> "10⁻²"; for powers of ten.
export function powerText(value) {
  const power = Math.round(Math.log10(value));
  const digits = [...String(Math.abs(power))].map((digit) => RAISED[digit]).join("");
  return `10${power < 0 ? "⁻" : ""}${digits}`;
}
