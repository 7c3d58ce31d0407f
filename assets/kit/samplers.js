// The sliders of temperature, top-k and top-p, each with a box: the same scales in every view.

import { memo } from "./memo.js";
import { slider } from "./slider.js";

// The values that a slider stops at, all different, so that every key press changes something.
// Temperature and top-k have logarithmic scales; `size` is the vocabulary's. 206 steps, because 1
// is then one of the stops.
/** @type {Record<string, (size: number) => number[]>} */
const STOPS = {
  temperature: () => listOf(207, (i) => Number((0.05 * 100 ** (i / 206)).toPrecision(3))),
  top_k: (size) => [
    ...new Set(listOf(301, (i) => Math.round(size ** (i / 300))).filter((k) => k < size)),
    0,
  ],
  top_p: () => listOf(100, (i) => (i + 1) / 100),
};
/** @type {Record<string, number>} */
const STEPS = { temperature: 0.05, top_k: 1, top_p: 0.01 }; // of the boxes

/** @param {number} length @param {(i: number) => number} make */
const listOf = (length, make) => Array.from({ length }, (_, i) => make(i));

/** @param {string} name @param {number} size @returns {number[]} */
export const stops = (name, size) => STOPS[name](size);

/** The place of the stop nearest to a value; the last one of top-k, 0, means all tokens.
 * @param {number[]} values @param {number} value @param {number} size */
export function nearestStop(values, value, size) {
  const scaled = (/** @type {number} */ one) => Math.log(one === 0 ? size : one);
  const off = (/** @type {number} */ i) => Math.abs(scaled(values[i]) - scaled(value));
  let best = 0;
  for (let i = 1; i < values.length; i += 1) if (off(i) <= off(best)) best = i;
  return best;
}

/** Returns the template of the sliders: (settings, size) -> template.
 * @param {import("./types.js").Page} page @param {string} start prefix of their classes
 * @param {(changes: Record<string, number>) => void} onChange */
export function createSliders(page, start, onChange) {
  const { t } = page;
  const scales = memo((/** @type {number} */ size) =>
    Object.keys(STOPS).map((name) => ({ name, values: stops(name, size) })),
  );
  return (/** @type {Record<string, number>} */ settings, /** @type {number} */ size) =>
    scales(size).map(({ name, values }) => {
      const [min, max] = page.shared.ranges[name];
      return slider({
        label: t(`settings.${name}`),
        title: t(`settings.${name}.hint`),
        class: `${start}${name}`,
        min,
        max,
        step: STEPS[name],
        scale: {
          last: values.length - 1,
          place: (value) => nearestStop(values, value, size),
          value: (place) => values[place],
        },
        value: settings[name],
        off: name === "top_k" ? t("settings.off") : undefined,
        onInput: (value) => onChange({ [name]: name === "top_k" ? Math.round(value) : value }),
      });
    });
}
