// A list of bars: a name, a bar for a share from 0 to 1, a number. They share the available height.

import { html, nothing } from "../vendor/lit-html.js";

/**
 * @typedef {object} Bar
 * @property {unknown} name
 * @property {number} share 0 to 1; less is drawn as 0
 * @property {string} text
 * @property {string} [note]
 * @property {boolean} [chosen]
 * @property {string} [class]
 * @property {() => void} [onChoose]
 */

/** @param {{bars: Bar[], label?: string, class?: string}} given */
export function bars({ bars: all, label, class: own = "" }) {
  return html`<ol class="hl-bars hl-lanes ${own}" style="--lanes:${all.length}"
    aria-label=${label ?? nothing}>
    ${all.map(
      (bar) => html`<li class="${bar.chosen ? "hl-chosen" : ""} ${bar.class ?? ""}">
        ${
          bar.onChoose
            ? html`<button type="button" @click=${bar.onChoose}>${bar.name}</button>`
            : bar.name
        }
        <div class="hl-bar-track"><i
          style="width:${(clamp(bar.share) * 100).toFixed(2)}%"></i></div>
        <b>${bar.text}</b><small>${bar.note ?? ""}</small>
      </li>`,
    )}
  </ol>`;
}

/** @param {number} share */
const clamp = (share) => Math.max(0, Math.min(1, share));
