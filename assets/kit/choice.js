// Controls: one of a few, one of many, or yes and no. Each is a template; the caller has the state.

import { html, live, nothing } from "../vendor/lit-html.js";

/** @typedef {{value: string, label: unknown, title?: string, disabled?: boolean}} Option */

/**
 * One of a few, all visible (radio buttons). `name` must be unique to the view: page.uid + "-...".
 * @param {{name: string, label: unknown, options: Option[], value: string,
 *   onChange: (value: string) => void, class?: string, hidden?: boolean}} given
 */
export function choice({ name, label, options, value, onChange, class: own = "" }) {
  return html`<fieldset class="hl-choice ${own}">
    <legend>${label}</legend>
    ${options.map(
      (option) => html`<label title=${option.title ?? nothing}>
        <input type="radio" name=${name} value=${option.value} ?disabled=${option.disabled}
          .checked=${live(option.value === value)} @change=${() => onChange(option.value)}>
        <span>${option.label}</span>
      </label>`,
    )}
  </fieldset>`;
}

/**
 * One of many (a drop-down).
 * @param {{label: unknown, options: Option[], value: string, onChange: (value: string) => void,
 *   class?: string, quiet?: boolean}} given `quiet`: the label is only for screen readers
 */
export function select({ label, options, value, onChange, class: own = "", quiet = false }) {
  const change = (/** @type {import("./types.js").Typed} */ { target }) => onChange(target.value);
  return html`<label class="hl-select ${own}">
    <span class=${quiet ? "hl-unseen" : nothing}>${label}</span>
    <select .value=${live(value)} @change=${change}>
      ${options.map(
        (option) => html`<option value=${option.value} ?selected=${option.value === value}
          ?disabled=${option.disabled}>${option.label}</option>`,
      )}
    </select>
  </label>`;
}

/**
 * Yes or no.
 * @param {{label: unknown, checked: boolean, onChange: (checked: boolean) => void, title?: string,
 *   disabled?: boolean, class?: string}} given
 */
export function toggle({ label, checked, onChange, title, disabled = false, class: own = "" }) {
  const change = (/** @type {import("./types.js").Typed} */ { target }) => onChange(target.checked);
  return html`<label class="hl-toggle ${own}" title=${title ?? nothing}>
    <input type="checkbox" .checked=${live(checked)} ?disabled=${disabled} @change=${change}>
    <span>${label}</span>
  </label>`;
}

/**
 * A button. `pressed` makes it a switch.
 * @param {{label: unknown, onClick: () => void, pressed?: boolean, disabled?: boolean,
 *   title?: string, class?: string}} given
 */
export function button({ label, onClick, pressed, disabled = false, title, class: own = "" }) {
  return html`<button type="button" class="hl-button ${own}" ?disabled=${disabled}
    title=${title ?? nothing} aria-pressed=${pressed === undefined ? nothing : String(pressed)}
    @click=${onClick}>${label}</button>`;
}
