// A field to choose from a long list by typing part of a name: the combobox of the ARIA practices.

import { isComposed } from "../kit/elements.js";
import { html, nothing, render } from "../vendor/lit-html.js";

/** `value` is what the choice stands for, `code` and `name` are shown, `names` are looked through.
 * @typedef {{value: string, code: string, name: string, names: string[]}} Option */

/** What a field shows. @typedef {object} Shown
 * @property {string} label
 * @property {string} none what it says where nothing matches
 * @property {Option[]} options
 * @property {string} value the chosen option's */

/** A name as it is compared: without accents, in small letters. @param {string} text */
const plain = (text) =>
  text
    .normalize("NFD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase();

/** The options whose code or names hold what is typed, those that begin with it first.
 * @param {Option[]} options @param {string} typed */
export function matching(options, typed) {
  const wanted = plain(typed.trim());
  const rank = (/** @type {Option} */ { code, names }) => {
    const places = [code, ...names].map((one) => plain(one).indexOf(wanted));
    return places.includes(0) ? 0 : Number(Math.max(...places) < 0) + 1;
  };
  const ranked = options.map((option) => ({ option, rank: rank(option) }));
  return [0, 1].flatMap((wanted) =>
    ranked.filter(({ rank }) => rank === wanted).map(({ option }) => option),
  );
}

const text = (/** @type {Option|undefined} */ option) =>
  option ? [option.code, option.name].filter(Boolean).join(" · ") : "";

/**
 * A field in a place of the page. Returns the function that shows it.
 * @param {HTMLElement} root @param {(value: string) => void} onChoose
 * @returns {(shown: Shown) => void}
 */
export function mountCombobox(root, onChoose) {
  /** @type {Shown} */
  let shown = { label: "", none: "", options: [], value: "" };
  let typed = "";
  let [isOpen, at] = [false, 0];
  const field = () => /** @type {HTMLInputElement} */ (root.querySelector("input"));
  const current = () => shown.options.find(({ value }) => value === shown.value);
  const found = () => matching(shown.options, typed);

  /** @param {number} place of the option that Enter takes */
  function open(place, query = "") {
    [isOpen, typed, at] = [true, query, place];
    draw();
    root.querySelector("[aria-selected='true']")?.scrollIntoView({ block: "nearest" });
  }

  function close() {
    [isOpen, typed] = [false, ""];
    draw();
    field().value = text(current());
  }

  /** @param {Option|undefined} option */
  function choose(option) {
    const isOther = option !== undefined && option.value !== shown.value;
    if (isOther) shown = { ...shown, value: option.value };
    close();
    if (isOther) onChoose(option.value);
  }

  function enter() {
    open(chosen());
    field().select();
  }

  const chosen = () => Math.max(0, found().indexOf(/** @type {Option} */ (current())));

  function onKey(/** @type {KeyboardEvent} */ event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (isComposed(event) || !(step || (isOpen && ["Enter", "Escape"].includes(event.key)))) return;
    event.preventDefault();
    event.stopPropagation();
    const { length } = found();
    if (event.key === "Enter") choose(found()[at]);
    else if (event.key === "Escape") close();
    else if (!isOpen) open(chosen());
    else open((at + Number(step) + length) % Math.max(1, length), typed);
  }

  const acts = { enter, close, choose, onKey, type: (/** @type {string} */ now) => open(0, now) };
  const draw = () =>
    render(template(root.id, shown, { isOpen, at, list: isOpen ? found() : [] }, acts), root);

  return (next) => {
    shown = next;
    draw();
    if (!isOpen) field().value = text(current());
  };
}

/** @param {string} id @param {Shown} shown
 * @param {{isOpen: boolean, at: number, list: Option[]}} state @param {Record<string, any>} acts */
function template(id, shown, { isOpen, at, list }, acts) {
  const isLost = isOpen && list.length === 0;
  const item = (/** @type {Option} */ option, /** @type {number} */ i) =>
    html`<li role="option" id="${id}-${i}" aria-selected=${String(i === at)}
      @click=${() => acts.choose(option)}>${option.code && html`<b>${option.code}</b>`}
      <span>${option.name}</span></li>`;
  return html`<label for="${id}-field">${shown.label}</label>
    <input id="${id}-field" role="combobox" autocomplete="off" spellcheck="false"
      aria-autocomplete="list" aria-controls="${id}-list" aria-expanded=${String(isOpen)}
      aria-activedescendant=${list.length ? `${id}-${at}` : nothing}
      @focus=${acts.enter} @click=${() => isOpen || acts.enter()} @blur=${acts.close}
      @keydown=${acts.onKey} @input=${(/** @type {any} */ event) => acts.type(event.target.value)}>
    <ul role="listbox" id="${id}-list" aria-label=${shown.label} ?hidden=${!list.length}
      @mousedown=${(/** @type {Event} */ event) => event.preventDefault()}>${list.map(item)}</ul>
    <p role="status" ?hidden=${!isLost}>${isLost ? shown.none : ""}</p>`;
}
