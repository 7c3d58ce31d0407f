// A row of a drawing that is a button, drawn below its content.

import { svg } from "../vendor/lit-html.js";

/**
 * @param {string} label for the pointer and for screen readers
 * @param {{width: number, height: number, isHere: boolean, class?: string}} place
 * @param {() => void} onPress
 */
export function pressed(label, { width, height, isHere, class: own = "" }, onPress) {
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onPress();
  };
  return svg`<rect class="hl-press ${isHere ? "hl-here" : ""} ${own}" width=${width} height=${height}
    rx="3" tabindex="0" role="button" aria-label=${label} aria-pressed=${String(isHere)}
    @click=${onPress} @keydown=${key}><title>${label}</title></rect>`;
}
