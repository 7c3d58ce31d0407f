// The waves of chosen dimensions over the positions, and how long the wave of each pair is.

import { element } from "../elements.js";
import { legend, plot, powerText } from "../plot.js";
import { number, t } from "../words.js";
import { pairAt, pairs, partOf, wavelength } from "./positions_maths.js";

const POINTS = 4; // of a curve, between one position and the next

export function createWaves(change) {
  let chosen = null; // dimensions; the first is the one of the slider
  let seen = {}; // what was drawn last
  const area = element("div", { class: "hl-positions-plot" });
  const names = element("div");
  const boxes = [1, 2, 3].map((i) => element("input", { type: "number", min: 1, onchange: (event) => {
    const wanted = Math.round(Number(event.target.value)) - 1;
    chosen[i] = Math.max(0, Math.min(seen.shape.size - 1, Number.isFinite(wanted) ? wanted : 0));
    change({});
  } }));
  const boxName = element("span");
  const lengths = element("div", { class: "hl-positions-plot" });
  const heading = element("h3");
  const list = element("table", { class: "hl-positions-numbers" });
  const node = element("div", { class: "hl-positions-two" },
    element("div", {}, element("div", { class: "hl-positions-boxes" }, boxName, ...boxes), area, names),
    element("div", {}, heading, lengths, list));

  function draw(state) {
    const { length, shape, dimension } = state;
    seen = state;
    const last = shape.size - 1;
    chosen ??= [dimension, 0, Math.round(last / 3), Math.round((last * 2) / 3)];
    chosen = [dimension, ...chosen.slice(1).map((one) => Math.min(one, last))];
    boxName.textContent = t("positions.waves.others");
    boxes.forEach((box, i) => {
      box.max = shape.size;
      box.value = number(chosen[i + 1]);
      box.setAttribute("aria-label", t("positions.waves.box", { n: number(i) }));
    });
    const x = { from: 0, to: length - 1, name: t("positions.axis.position") };
    const lines = chosen.map((one, i) => ({ points: wave(one, length, shape), look: number(i) }));
    plot(area, { name: t("positions.waves.name"), x, y: { from: -1.1, to: 1.1, name: "PE(pos, i)", ticks: [-1, 0, 1] }, lines: lines.reverse() });
    names.replaceChildren(legend(chosen.map((one, i) => ({ look: number(i), name: t("positions.waves.line", nameOf(one, shape)) }))));
    heading.textContent = t("positions.waves.lengths");
    drawLengths(lengths, length, shape, chosen);
    list.replaceChildren(...table(chosen, shape));
  }

  return { node, draw };
}

const nameOf = (dimension, shape) => {
  const { pair, cosine } = partOf(dimension, shape);
  return { dimension: number(dimension), pair, function: cosine ? "cos" : "sin" };
};

export function wave(dimension, length, shape) {
  const { pair, cosine } = partOf(dimension, shape);
  return Array.from({ length: (length - 1) * POINTS + 1 }, (_, i) => [i / POINTS, pairAt(i / POINTS, pair, shape)[cosine ? 1 : 0]]);
}

function drawLengths(area, length, shape, chosen) {
  const count = pairs(shape);
  const longest = wavelength(count - 1, shape);
  const points = Array.from({ length: count }, (_, i) => [i, wavelength(i, shape)]);
  const own = chosen.map((one) => partOf(one, shape).pair);
  plot(area, {
    name: t("positions.waves.lengths.name"),
    x: { from: 0, to: Math.max(1, count - 1), name: t("positions.axis.pair") },
    y: { from: 1, to: Math.max(longest, length) * 1.6, log: true, name: t("positions.axis.turn"), text: powerText },
    lines: [{ points, look: 2 }, { points: own.map((i) => [i, wavelength(i, shape)]), look: "dots" }],
    marks: [{ y: length, name: t("positions.waves.window", { length }), quiet: true }],
  });
}

function table(chosen, shape) {
  const cell = (name, text) => element(name, name === "th" ? { scope: "col" } : {}, text);
  const heads = ["dimension", "pair", "turn"].map((name) => cell("th", t(`positions.waves.${name}`)));
  const rows = chosen.map((one) => {
    const { dimension, pair, function: name } = nameOf(one, shape);
    const text = t("positions.waves.formula", { base: shape.base, power: `${2 * pair}/${shape.size}`, turn: wavelength(pair, shape).toFixed(2) });
    return element("tr", {}, cell("td", `${dimension} (${name})`), cell("td", String(pair)), cell("td", text));
  });
  return [element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows)];
}
