// A slider with its value beside it, which can be typed as well.

import { html, live, nothing } from "../vendor/lit-html.js";

/**
 * `text` writes the value for reading ("0.35", "64 heads"). The settings of a list are a slider
 * over whole numbers with `text`, and `typed: false`. `scale` is for numbers that are not evenly
 * spaced: it maps values to the slider's places, 0 to `last`, and back.
 * @param {{label: unknown, min: number, max: number, step?: number, value: number,
 *   onInput: (value: number) => void, text?: (value: number) => string, typed?: boolean,
 *   scale?: {last: number, place: (value: number) => number, value: (place: number) => number},
 *   disabled?: boolean, title?: string, class?: string, limit?: number, off?: string}} given
 *   `limit`: the largest that may be typed, where the slider itself ends earlier; `off`: what is
 *   written in place of 0
 */
export function slider(given) {
  // The typed number is not bound `live`: drawing must not change it while the visitor types.
  const { label, min, max, step = 1, value, typed = true, disabled = false } = given;
  const { scale, off } = given;
  const box = (/** @type {number} */ number) =>
    off !== undefined && number === 0 ? "" : String(number);
  const { text = (/** @type {number} */ number) => box(number) || String(off) } = given;
  const input = (/** @type {import("./types.js").Typed} */ event) => {
    const number = Number(event.target.value);
    given.onInput(scale ? scale.value(number) : number);
  };
  const type = (/** @type {import("./types.js").Typed} */ event) => {
    const number = Number(event.target.value);
    const isNumber = event.target.value !== "" && Number.isFinite(number);
    const taken = isNumber ? Math.min(given.limit ?? max, Math.max(min, number)) : value;
    const isOff = off !== undefined && event.target.value === "";
    event.target.value = box(taken);
    if (isNumber || isOff) given.onInput(isNumber ? taken : 0);
  };
  return html`<div class="hl-slider ${given.class ?? ""}" title=${given.title ?? nothing}>
    <label><span>${label}</span>
      <input type="range" min=${scale ? 0 : min} max=${scale ? scale.last : max}
        step=${scale ? 1 : step} ?disabled=${disabled}
        .value=${live(String(scale ? scale.place(value) : value))}
        aria-valuetext=${text(value)} @input=${input}></label>
    ${
      typed
        ? html`<input type="number" class="hl-typed" min=${min} max=${given.limit ?? max}
            step=${step} ?disabled=${disabled} aria-label=${String(label)}
              placeholder=${off ?? nothing} .value=${box(value)} @change=${type}>`
        : html`<output>${text(value)}</output>`
    }
  </div>`;
}
