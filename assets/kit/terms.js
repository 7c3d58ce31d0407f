// The technical terms of a finding, each with a few words that say what it is: beside the finding
// where its lines leave room, else in a line below it. Terms are found in what the finding says, so
// that no view can forget one; what it quotes is no term.

import { html, nothing } from "../vendor/lit-html.js";
import { languageNamed } from "./languages.js";

/** @typedef {import("./types.js").Page} Page */
/** @typedef {{name: string, means: string, at: number}} Term where a finding has it first */

const MOST = 3;
/** Those that hold others first, then those that say less by themselves: the first are shown. */
const TERMS = [
  ...["causal_mask", "padding_mask", "cross_attention", "self_attention", "network", "dot_product"],
  ...["beam_search", "beam_sampling", "sampling", "greedy", "beam", "alpha", "temperature"],
  ...["top_k", "top_p", "padding", "mask", "points", "bias", "embedding", "root", "variance"],
  ...[
    "cosine",
    "gram",
    "bleu",
    "dropout",
    "loss",
    "rate",
    "update",
    "target",
    "query",
    "key",
    "value",
    "weight",
  ],
  ...["head", "score", "encoder", "decoder", "position", "dimension", "vector", "token", "layer"],
];
const PLACE = /(\d+)·(\d+)/;
const QUOTED = "□";
const ROOM = 14; // em of its letters beside a finding

/** The terms of a finding, in its order. @param {Page} page @param {unknown} said */
export function termsIn({ t, language }, said) {
  const { is_spaced: isSpaced } = languageNamed(language.get());
  let text = textOf(said);
  /** @type {Term[]} */
  const found = [];
  const place = PLACE.exec(text);
  if (place) {
    const [name, layer, head] = place;
    found.push({ name, means: t("term.place.means", { layer, head }), at: place.index });
  }
  for (const name of TERMS) {
    const forms = t(`term.${name}`);
    const form = isSpaced ? `(?<![\\p{L}-])(?:${forms})s?(?![\\p{L}-])` : forms;
    const pattern = new RegExp(form, "giu");
    const match = pattern.exec(text);
    if (match === null) continue;
    found.push({ name: match[0], means: t(`term.${name}.means`), at: match.index });
    text = text.replace(pattern, (one) => " ".repeat(one.length)); // no mask in a causal mask
  }
  return found.slice(0, MOST).sort((one, other) => one.at - other.at);
}

/** What a finding says itself, with a sign in the place of what it quotes. @param {unknown} said */
const textOf = (said) =>
  [said]
    .flat(Infinity)
    .map((one) => (typeof one === "string" ? one : QUOTED))
    .join("");

/** Them as they stand with the finding. @param {Page} page @param {unknown} said */
export function termsOf(page, said) {
  const found = termsIn(page, said);
  if (found.length === 0) return nothing;
  return html`<dl class="hl-terms" data-part="terms">${found.map(
    ({ name, means }) => html`<div><dt>${name}</dt><dd>${means}</dd></div>`,
  )}</dl>`;
}

/** Puts them beside the lines of the finding, if there is room; what is cut stands in a tooltip.
 * @param {HTMLElement} el of a view */
export function placeTerms(el) {
  const terms = /** @type {HTMLElement|null} */ (el.querySelector(".hl-terms"));
  const finding = /** @type {HTMLElement|null} */ (el.querySelector(".hl-finding"));
  const said = terms?.parentElement;
  if (!terms || !finding || !said) return;
  const range = document.createRange();
  range.selectNodeContents(finding);
  const inRow = [...said.querySelectorAll(":scope > button")];
  const ends = [range, ...inRow].flatMap((one) =>
    [...one.getClientRects()].map(({ right }) => right),
  );
  const em = parseFloat(getComputedStyle(terms).fontSize);
  const free = said.getBoundingClientRect().right - Math.max(...ends) - 2 * em;
  terms.style.setProperty("--free", `${free}px`);
  terms.style.setProperty("--tall", `${finding.offsetHeight}px`);
  terms.classList.toggle("hl-terms-beside", free >= ROOM * em);
  if (terms.scrollHeight > terms.clientHeight + 1) terms.classList.remove("hl-terms-beside");
  terms.title = terms.scrollWidth > terms.clientWidth ? wholeOf(terms) : "";
}

/** @param {HTMLElement} terms */
const wholeOf = ({ children }) =>
  [...children]
    .map((one) => [...one.children].map(({ textContent }) => textContent).join(": "))
    .join("; ");
