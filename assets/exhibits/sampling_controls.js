// The sliders of temperature, top-k and top-p, each with a box for its number.

import { element } from "../elements.js";

// The values that a slider stops at, each unlike the one before, so that every key press does something.
// Temperature and top-k stand on logarithmic scales; `size` is that of the vocabulary. 206 steps,
// because 1 is then one of the stops.
const STOPS = {
  temperature: () => Array.from({ length: 207 }, (_, i) => Number((0.05 * 100 ** (i / 206)).toPrecision(3))),
  top_k: (size) => [
    ...new Set(Array.from({ length: 301 }, (_, i) => Math.round(size ** (i / 300))).filter((k) => k < size)), 0,
  ],
  top_p: () => Array.from({ length: 100 }, (_, i) => (i + 1) / 100),
};

const BOXES = {
  temperature: { min: 0.05, max: 10, step: 0.05 },
  top_k: { min: 0, max: 100000, step: 1 },
  top_p: { min: 0.01, max: 1, step: 0.01 },
};

export const stops = (name, size) => STOPS[name](size);

// The stop that is nearest to a value; the last one of top-k, 0, stands for all of the vocabulary.
export function nearestStop(values, value, size) {
  const scaled = (one) => Math.log(one === 0 ? size : one);
  let best = 0;
  const off = (i) => Math.abs(scaled(values[i]) - scaled(value));
  for (let i = 1; i < values.length; i += 1) if (off(i) <= off(best)) best = i;
  return best;
}

// `onChange({name: value})` at every move, `onDrag(dragging)` when a slider is taken and let go.
export function createControls(root, { onChange, onDrag }) {
  const rows = Object.keys(STOPS).map((name) => row(name, onChange));
  let before = 0;
  root.replaceChildren(...rows.map(({ line }) => line));
  root.addEventListener("pointerdown", (event) => onDrag(event.target.type === "range"));
  for (const end of ["pointerup", "pointercancel", "change"]) root.addEventListener(end, () => onDrag(false));

  // Shows the settings for a vocabulary of that size; a box that is being typed in is left alone.
  function draw(settings, size, offText) {
    for (const one of rows) {
      if (size !== before) stretch(one, size);
      const value = settings[one.name];
      if (one.values[one.slider.value] !== value) one.slider.value = nearestStop(one.values, value, size);
      if (document.activeElement !== one.box) one.box.value = value;
      const spoken = one.name === "top_k" && value === 0 ? offText : String(value);
      if (one.slider.getAttribute("aria-valuetext") !== spoken) one.slider.setAttribute("aria-valuetext", spoken);
    }
    before = size;
  }

  return { draw };
}

function stretch(one, size) {
  one.values = stops(one.name, size);
  one.slider.max = one.values.length - 1;
}

function row(name, onChange) {
  const slider = element("input", {
    type: "range", min: 0, step: 1, id: `hl-sampling-${name}`,
    "data-t-label": `settings.${name}`, "data-t-title": `settings.${name}.hint`,
  });
  const { min, max, step } = BOXES[name];
  const box = element("input", {
    type: "number", min, max, step, id: `hl-sampling-${name}-box`, "data-t-label": `settings.${name}`,
  });
  const made = { name, slider, box, values: [] };
  slider.addEventListener("input", () => onChange({ [name]: made.values[slider.value] }));
  box.addEventListener("input", () => {
    const value = Number(box.value || NaN);
    const whole = step !== 1 || Number.isInteger(value);
    if (whole && value >= min && value <= max) onChange({ [name]: value });
  });
  const line = element("div", { class: "hl-sampling-slider" },
    element("span", { "data-t": `settings.${name}` }), slider, box);
  return Object.assign(made, { line });
}
