// A visitor's choices in a view. A field is declared once; it defines the initial value, the check
// of values from links, and the control.

import { choice as radios, select, toggle } from "./choice.js";
import * as fits from "./keep.js";
import { slider } from "./slider.js";

/**
 * @typedef {object} Field
 * @property {any} first
 * @property {(value: any) => boolean} [fits] true if a value may come from a link; without it none
 * may
 * @property {object} [also] values for other fields when this one changes
 * @property {(given: Given) => unknown} [control] none if the picture itself sets the field
 *
 * @typedef {object} Given
 * @property {string} label
 * @property {any} value
 * @property {(value: any) => void} set
 * @property {string} class
 * @property {string} name unique on the page, for groups of radio buttons
 * @property {(value: string) => string} word the name of an option
 * @property {any} scene the view's scene; incomplete while it waits
 */

/**
 * A number on a slider; whole numbers unless `step` says otherwise.
 * @param {number} from
 * @param {number} to
 * @param {{first: number|null, step?: number, text?: (value: number) => string, typed?: boolean,
 *   limit?: number, scale?: {last: number, place: (value: number) => number,
 *   value: (place: number) => number}, most?: (scene: any) => number,
 *   usual?: (scene: any) => number}} how `limit`: the largest value that may be typed, if the slider
 *   ends earlier; `most`: where it ends in a scene, if before `to`; `first` null: until one is chosen,
 *   `usual` says which
 * @returns {Field}
 */
export function range(from, to, { first, step = 1, most, usual, ...how }) {
  const isWhole = Number.isInteger(step);
  const own = (isWhole ? fits.whole : fits.number)(from, how.limit ?? to);
  return {
    first,
    fits: first === null ? fits.orNull(own) : own,
    control: ({ set, word: _, name: __, scene, value, ...given }) =>
      slider({
        ...given,
        ...how,
        value: Math.min(value ?? usual?.(scene), most?.(scene) ?? Infinity),
        min: from,
        max: most?.(scene) ?? to,
        step,
        onInput: (value) => set(isWhole ? Math.round(value) : value),
      }),
  };
}

/**
 * One of some numbers that are not evenly spaced, on a slider.
 * @param {number[]} values
 * @param {{first: number, text?: (value: number) => string}} how
 * @returns {Field}
 */
export const stops = (values, { first, text = String }) => ({
  first,
  fits: fits.oneOf(values),
  control: ({ label, value, set, class: own }) =>
    slider({
      label,
      class: own,
      min: 0,
      max: values.length - 1,
      value: values.indexOf(value),
      text: (i) => text(values[i]),
      typed: false,
      onInput: (i) => set(values[i]),
    }),
});

/** @param {string[]} values @param {{word: (value: string) => string}} given */
const optionsOf = (values, { word }) => values.map((value) => ({ value, label: word(value) }));

/**
 * One of a few words, all visible.
 * @param {string[]} values @param {{first: string}} how @returns {Field}
 */
export const choice = (values, { first }) => ({
  first,
  fits: fits.oneOf(values),
  control: ({ label, value, set, class: own, ...given }) =>
    radios({
      label,
      value,
      class: own,
      name: given.name,
      options: optionsOf(values, given),
      onChange: set,
    }),
});

/**
 * One of many words, in a menu.
 * @param {string[]} values
 * @param {{first: string|null, also?: object, quiet?: boolean, usual?: (scene: any) => string}} how
 *   `quiet`: its label is for screen readers; `first` null: until one is chosen, `usual` says which
 *   stands in the menu @returns {Field}
 */
export const menu = (values, { first, also, quiet, usual }) => ({
  first,
  also,
  fits: first === null ? fits.orNull(fits.oneOf(values)) : fits.oneOf(values),
  control: ({ label, value, set, class: own, ...given }) =>
    select({
      label,
      value: value ?? usual?.(given.scene),
      quiet,
      class: own,
      options: optionsOf(values, given),
      onChange: set,
    }),
});

/** Yes or no. @param {boolean} first @returns {Field} */
export const flag = (first) => ({
  first,
  fits: fits.flag,
  control: ({ label, value, set, class: own }) =>
    toggle({ label, checked: value, class: own, onChange: set }),
});

/**
 * A place in a list, which the picture sets; with `count`, how long the list is in a scene, also a
 * slider that counts from 1.
 * @param {number|null} first null: until one is chosen, `usual` says which
 * @param {number} last @param {(s: any) => number} [count] @param {(s: any) => number} [usual]
 * @returns {Field}
 */
export const index = (first, last, count, usual) => ({
  first,
  fits: first === null ? fits.orNull(fits.whole(0, last)) : fits.whole(0, last),
  control:
    count &&
    (({ label, value, set, class: own, scene }) =>
      slider({
        label,
        class: own,
        min: 1,
        max: count(scene),
        value: Math.min((value ?? usual?.(scene)) + 1, count(scene)),
        onInput: (one) => set(one - 1),
      })),
});

/** State that ends with the view: the playing position, the pointer. @param {any} first
 * @returns {Field} */
export const local = (first) => ({ first });
