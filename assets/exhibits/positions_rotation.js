// A pair of dimensions on the unit circle: a step of k positions is a turn, the same one everywhere.

import { element, svg } from "../elements.js";
import { signedText } from "../numbers.js";
import { number, t } from "../words.js";
import { dimensionsOf, pairAt, partOf, rate, rotation, rotationDeviation, turned } from "./positions_maths.js";

const TURN = 2 * Math.PI;
const FARTHEST = 64;

export function createRotation(change) {
  let now = null;
  const circle = svg("svg", { class: "hl-circle", viewBox: "-1.9 -1.35 3.8 2.7", role: "img" });
  const words = element("div", { class: "hl-rotation-words", "aria-live": "polite" });
  const node = element("div", { class: "hl-positions-two hl-positions-circle" }, element("div", {}, circle), words);

  // The angle under the pointer, 0 at the top and clockwise, as sine across and cosine up have it.
  function angleAt(event) {
    const box = circle.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left - box.width / 2, box.top + box.height / 2 - event.clientY];
    return (Math.atan2(x, y) + TURN) % TURN;
  }
  circle.addEventListener("pointerdown", (event) => {
    const which = event.target.closest("[data-end]")?.dataset.end ?? null;
    if (which === null) return;
    event.preventDefault();
    circle.setPointerCapture(event.pointerId);
    const move = (moved) => change(which === "start"
      ? { position: nearest(angleAt(moved), now.position, now.step, now.length - 1) }
      : { k: nearest(angleAt(moved) - now.position * now.step, now.k, now.step, FARTHEST) });
    circle.addEventListener("pointermove", move);
    circle.addEventListener("pointerup", () => circle.removeEventListener("pointermove", move), { once: true });
    circle.addEventListener("pointercancel", () => circle.removeEventListener("pointermove", move), { once: true });
  });

  function draw({ shape, position, dimension, k, length }) {
    const { pair } = partOf(dimension, shape);
    now = { position, k, step: rate(pair, shape), length };
    const start = pairAt(position, pair, shape);
    const end = pairAt(position + k, pair, shape);
    circle.setAttribute("aria-label", t("positions.circle.name", { pair, position, next: position + k }));
    circle.replaceChildren(...drawing(start, end, position, k, k * now.step));
    words.replaceChildren(...equation({ shape, position, k, pair, start, end }));
  }

  return { node, draw };
}

// The whole number of steps from 0 to `most` that ends nearest to an angle; of several, near `before`.
export function nearest(angle, before, step, most) {
  const turns = Math.round((before * step - angle) / TURN);
  const candidates = [turns - 1, turns, turns + 1].flatMap((turn) => {
    const exact = (angle + turn * TURN) / step;
    return [Math.floor(exact), Math.ceil(exact)];
  }).map((one) => Math.max(0, Math.min(most, one)));
  const off = (one) => Math.abs(Math.sin((one * step - angle) / 2));
  return candidates.reduce((best, one) => {
    const gain = off(best) - off(one);
    if (Math.abs(gain) > 1e-9) return gain > 0 ? one : best;
    return Math.abs(one - before) < Math.abs(best - before) ? one : best;
  });
}

function drawing(start, end, position, k, angle) {
  const point = ([sine, cosine], end_, text, side) => svg("g", { "data-end": end_, class: `hl-circle-${end_}` },
    svg("line", { x1: 0, y1: 0, x2: sine, y2: -cosine }),
    svg("circle", { cx: sine, cy: -cosine, r: 0.07 }),
    svg("circle", { cx: sine, cy: -cosine, r: 0.2, class: "hl-circle-grip" }),
    svg("text", { x: sine * side, y: -cosine * side + 0.035, "text-anchor": sine > 0.3 ? "start" : sine < -0.3 ? "end" : "middle" }, text));
  const arc = arcOf(start, angle, 0.42);
  return [
    svg("circle", { r: 1, class: "hl-circle-rim" }),
    svg("line", { x1: -1.15, y1: 0, x2: 1.15, y2: 0, class: "hl-circle-axis" }),
    svg("line", { x1: 0, y1: -1.15, x2: 0, y2: 1.15, class: "hl-circle-axis" }),
    svg("text", { x: 1.18, y: 0.04, class: "hl-circle-name" }, "sin"),
    svg("text", { x: 0, y: -1.18, "text-anchor": "middle", class: "hl-circle-name" }, "cos"),
    svg("path", { d: arc, class: "hl-circle-arc" }),
    point(start, "start", `pos = ${position}`, 1.14),
    point(end, "end", `pos + k = ${position + k}`, k === 0 ? 1.3 : 1.14),
  ];
}

// The turn from `start` on, clockwise, at most once around.
function arcOf([sine, cosine], angle, radius) {
  const from = Math.atan2(sine, cosine);
  const to = from + Math.min(angle, TURN * 0.9999);
  const place = (at) => `${(radius * Math.sin(at)).toFixed(4)} ${(-radius * Math.cos(at)).toFixed(4)}`;
  return `M${place(from)}A${radius} ${radius} 0 ${to - from > Math.PI ? 1 : 0} 1 ${place(to)}`;
}

const grid = (rows, name) => element("table", { class: "hl-brackets", "aria-label": name },
  ...rows.map((row) => element("tr", {}, ...row.map((value) => element("td", {}, signedText(value, 4))))));

function equation({ shape, position, k, pair, start, end }) {
  const made = turned(rotation(k, pair, shape), start);
  const [sine, cosine] = dimensionsOf(pair, shape);
  const angle = k * rate(pair, shape);
  const column = (values) => values.map((value) => [value]);
  return [
    element("h3", {}, t("positions.rotation.pair", { pair, sine: number(sine), cosine: number(cosine) })),
    element("p", { class: "hl-positions-readout" }, t("positions.rotation.angle", {
      k, base: shape.base, power: `${2 * pair}/${shape.size}`, angle: angle.toFixed(4), degrees: ((angle * 360) / TURN).toFixed(1),
    })),
    element("div", { class: "hl-equation" },
      element("figure", {}, grid(rotation(k, pair, shape), "M_k"), element("figcaption", {}, "M_k")),
      element("figure", {}, grid(column(start), "PE(pos)"), element("figcaption", {}, `PE(${position})`)),
      element("span", {}, "="),
      element("figure", {}, grid(column(made), "M_k PE(pos)"), element("figcaption", {}, `M_k PE(${position})`))),
    element("div", { class: "hl-equation" },
      element("span", {}, t("positions.rotation.formula")),
      element("figure", {}, grid(column(end), "PE(pos + k)"), element("figcaption", {}, `PE(${position + k})`))),
    element("p", { class: "hl-positions-readout" }, t("positions.rotation.check", {
      pairs: shape.size / 2, off: rotationDeviation(position, k, shape).toExponential(1),
    })),
    element("p", { class: "hl-note" }, t("positions.rotation.note")),
  ];
}
