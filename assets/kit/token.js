// A token as a chip. Python makes its text (explorer/labels.py), which is inserted as text.

import { html, nothing } from "../vendor/lit-html.js";
import { glossFacts, glossMark } from "./gloss.js";
import { languageNamed, languageOf, languagePair } from "./languages.js";

const LATIN = languageNamed("").letters; // of too many languages

/** @typedef {import("./types.js").Label} Label */

/**
 * `onClick` makes it a button, `pressed` one that is on or off.
 * @param {Omit<Label, "id"|"piece"> & Partial<Label>} label words in its place have no id
 * @param {{onClick?: () => void, pressed?: boolean, title?: string, class?: string}} [more]
 */
export function token(label, { onClick, pressed, title, class: own = "" } = {}) {
  const name = `hl-token hl-${label.kind} ${own}`;
  const about = [title ?? label.piece, glossFacts(label)].filter(Boolean).join(" · ");
  const text = label.part ? label.text : (label.line ?? label.text); // its part is below
  const lang = langOf(text) || nothing;
  if (onClick === undefined) {
    return html`<span class=${name} lang=${lang} title=${about}
      data-id=${label.id ?? nothing} data-gloss=${glossMark(label)}>${text}${part(label)}</span>`;
  }
  return html`<button type="button" class=${name} lang=${lang} title=${about}
    data-id=${label.id ?? nothing} data-gloss=${glossMark(label)} aria-pressed=${pressed === undefined ? nothing : String(pressed)}
    @click=${onClick}>${text}${part(label)}</button>`;
}

/** Tells labels apart that look alike: the first stays; "␣I" begins a word, "·I" continues one.
 * @template {Label} T @param {T[]} labels @returns {T[]} */
export const distinct = (labels) =>
  labels.map((label, i) =>
    labels.slice(0, i).some((other) => other.id !== label.id && other.text === label.text)
      ? { ...label, text: apart(label), line: undefined }
      : label,
  );

/** @param {Label} label */
const apart = ({ text, piece }) => {
  if (piece.startsWith("▁")) return `␣${text}`;
  return piece === text ? `·${text}` : piece;
};

/** The number of a byte piece within its character. @param {Partial<Label>} label */
const part = (label) => (label.part ? html`<sub>${label.part[0]}/${label.part[1]}</sub>` : nothing);

/** The language of a text, for screen readers; nothing where its letters do not tell.
 * @param {string} text */
export function langOf(text) {
  const { tag, letters } = languageOf(text);
  return letters === LATIN ? "" : tag;
}

/** The language of a text that the model on the page reads or writes: where its letters do not
 * tell, the one of its side. @param {import("./types.js").Page} page
 * @param {string} text @param {string} [side] "src" for what it reads */
export const langOn = (page, text, side) =>
  langOf(text) || (languagePair(page).split("-")[side === "src" ? 0 : 1] ?? "");
