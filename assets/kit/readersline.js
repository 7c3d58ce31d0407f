// The reader's line: under a text of another language, what it says in the page's, as a shipped
// model translates it in one step. A line is found by its model and its text, so one that arrives
// late never stands under another text. assets/exchange/lines.js asks for them.

import { html, nothing } from "../vendor/lit-html.js";
import { toggle } from "./choice.js";
import { languageNamed, languagePair } from "./languages.js";

/** @typedef {import("./types.js").Page} Page */
/** A translation, and whether its model has reason to doubt it.
 * @typedef {{text: string, unsure: boolean}} Line */

/** The name of a model has no space. @param {string} model @param {string} text */
export const lineKey = (model, text) => `${model} ${text}`;

/** The language that a model writes, by its pair. @param {string} pair */
export const pairTarget = (pair) => pair.split("-")[1] ?? "";

/** The language that the model on the page writes. @param {Page} page */
export const targetOf = (page) => pairTarget(languagePair(page));

/** The shipped model that tells a reader of the page what a text of a language says; null where
 * there is none, and for the page's own language. @param {Page} page @param {string} written */
export const readerFor = ({ shared: { readers }, language }, written) =>
  readers?.[`${written}-${language.get()}`] ?? null;

/** Whether texts of the model on the page have lines. @param {Page} page */
export const hasLines = (page) => page.lined.get() && readerFor(page, targetOf(page)) !== null;

/** The line of a text, whose room is there before it; nothing where the text needs none.
 * @param {Page} page @param {string} text @param {string} [written] its language */
export function lineUnder(page, text, written = targetOf(page)) {
  const model = readerFor(page, written);
  if (model === null || !page.lined.get()) return nothing;
  const line = page.lines.get()[lineKey(model, text)];
  if (line === undefined && page.shared.saved) return nothing; // it was not on show
  if (line === undefined && canBeRead(page, text) && mayAsk(page, model))
    page.wantLine(model, text);
  return html`<span class="hl-readers-line" data-part="line" data-of=${text}
    lang=${languageNamed(page.language.get()).tag} title=${aboutLine(page, model, line)}>${
      line ? saidIn(page, model, line) : nothing
    }</span>`;
}

/** Whether a model is here, or may be fetched. @param {Page} page @param {string} model */
export const mayAsk = (page, model) => page.fetched.get() || page.used.includes(model);

/** The model to fetch for the lines, and its size in MB; null if it is here or there is none.
 * @param {Page} page */
export function toFetch(page) {
  const model = page.lined.get() ? readerFor(page, targetOf(page)) : null;
  if (model === null || mayAsk(page, model)) return null;
  const { bytes } = page.shared.published.models[model];
  return { model, size: Math.ceil(bytes / 1e6) };
}

/** A text without letters, such as one that is still to come, has the room and no line; so has one
 * that is too long for a sentence. @param {Page} page @param {string} text */
const canBeRead = ({ shared }, text) => /\p{L}/u.test(text) && text.length <= shared.characters;

/** @param {Page} page @param {string} model @param {Line|null|undefined} line */
const aboutLine = (page, model, line) =>
  line ? `${line.text} · ${page.t("line.about", { model })}` : "";

/** @param {Page} page @param {string} model @param {Line} line */
const saidIn = (page, model, { text, unsure }) =>
  [`≈ ${text}`, page.t("line.by", { model }), unsure ? page.t("line.unsure") : ""]
    .filter(Boolean)
    .join(" · ");

/** The texts that have a line on the page, or room for one. */
export function textsWithLines() {
  /** @type {NodeListOf<HTMLElement>} */
  const places = document.querySelectorAll("[data-part='line']");
  return new Set([...places].map(({ dataset }) => dataset.of ?? ""));
}

/** The model and the text of a key. @param {string} key @returns {[string, string]} */
export function keyParts(key) {
  const end = key.indexOf(" ");
  return [key.slice(0, end), key.slice(end + 1)];
}

/** The lines on show by their keys, for a file and for the proof.
 * @param {Pick<Page, "lines">} page @returns {[string, Line][]} */
export function linesOnShow(page) {
  const texts = textsWithLines();
  return Object.entries(page.lines.get()).flatMap(([key, line]) =>
    line !== null && texts.has(keyParts(key)[1]) ? [[key, line]] : [],
  );
}

/** The model of the lines on a view: those of views without the sentence speak of other texts.
 * @param {Page} page @param {string} view its name */
function readerOn(page, view) {
  const exhibits = page.shared.exhibits ?? []; // none in a notebook
  const exhibit = exhibits.find(({ name }) => name === view);
  return exhibit?.header.includes("sentence") ? readerFor(page, targetOf(page)) : null;
}

/** The switch of the lines, where the model on the page has a reader.
 * @param {Page} page @param {string} view its name */
export function lineSwitch(page, view) {
  const model = readerOn(page, view);
  if (model === null) return nothing;
  return toggle({
    label: page.t("line.switch", { model }),
    class: "hl-line-switch",
    checked: page.lined.get(),
    onChange: page.lined.set,
  });
}

/** What the lines are, for who opens "How to read it".
 * @param {Page} page @param {string} view its name */
export function aboutLines(page, view) {
  const model = page.lined.get() ? readerOn(page, view) : null;
  return model === null ? nothing : html`<p>${page.t("line.reading", { model })}</p>`;
}
