// The choice of model, if the server has several, and the way back from a model trained on the
// page; beside it the target language or the task, if a model has several.

import {
  defaultOf,
  languagePair,
  readerOf,
  shortTitleOf,
  sourceName,
  sourceOf,
  titleOf,
} from "../kit/languages.js";
import { html, render } from "../vendor/lit-html.js";
import { bareOf, mountCodes } from "./codes.js";
import { firstOf, modelOf } from "./history.js";
import { note } from "./note.js";
import { page } from "./state.js";

/** The last text whose model the page has picked by its language. */
export const picked = { text: "" };

/** Says which model reads a text, and offers the one before, by its key.
 * @param {import("../kit/languages.js").Model} reader @param {string} instead */
export const tellReader = (reader, instead) =>
  note(
    "message.reader",
    { language: sourceName(page, reader), name: titleOf(page, reader) },
    { instead },
  );

/** Translates a text, by the model that reads its language if the page has one, and says so. */
export async function translate(/** @type {string} */ text) {
  const before = page.record.get();
  // The visitor may have chosen the model for the text that is there.
  const reader = text === before?.text ? undefined : readerOf(page, text);
  if (reader) picked.text = text;
  const refusal = await page.explain({ text, shown: 0, ...(reader && { model: reader.key }) });
  const isShown = reader && page.record.get()?.model.key === reader.key;
  if (isShown && refusal === null) tellReader(reader, (before?.model ?? defaultOf(page)).key);
}

/** The text for a model that reads another language than the one on the page: the translation, if
 * it is in that, else the sentence that the model opens with. The sentence on the page stays if it
 * is in that language itself, or if the visitor corrects the page's choice of a model.
 * @param {import("../kit/types.js").Rec} record @param {string} model */
function turned({ text, translation }, model) {
  const [source, target] = languagePair(page).split("-");
  const [read] = (modelOf(model)?.pair ?? "").split("-");
  const reader = readerOf(page, text);
  const isRead = !read || !source || read === sourceOf(reader?.pair ?? source);
  if (isRead || text === picked.text) return false;
  if (read !== target) return { text: firstOf(model), shown: 0 };
  return translation !== "" && { text: translation, shown: 0 };
}

/** The model that the lessons speak of in the page's language, as a request names it; undefined if
 * it is not here. @returns {string|undefined} */
export const lessonModel = () => page.shared.lessons?.[page.language.get()];

const ROOMY = { window: 1250, projector: 1600 }; // px up to which the bar has little room

/** True if the names of the languages have room in the bar. */
function hasRoom() {
  const isProjector = document.documentElement.dataset.size === "projector";
  return window.innerWidth > (isProjector ? ROOMY.projector : ROOMY.window);
}

export function mountModel(/** @type {any} */ root) {
  const [chip, choice] = [root.querySelector("#hl-trained"), root.querySelector("#hl-model")];
  const { models, trained } = page.shared;
  const isTrained = (/** @type {string} */ key) => key.startsWith(trained);
  // The state before a trained model: its letters are not a sentence for a different model.
  let before = { model: defaultOf(page).key, text: firstOf(defaultOf(page).key) };

  /** @param {string} model */
  function show(model) {
    const record = page.record.get();
    const leaves = record !== null && isTrained(record.model.key);
    const codes = record?.model.codes;
    const bare = record && codes?.length && { text: bareOf(record.text, codes) };
    const other = bare || (record !== null && turned(record, model));
    page.explain({ model, ...(leaves ? { text: before.text } : other) });
  }

  function draw() {
    const record = page.record.get();
    const key = record?.model.key ?? defaultOf(page).key;
    if (record !== null && !isTrained(key)) before = { model: key, text: record.text };
    drawChip(key);
    drawChoice(key);
  }

  function drawChip(/** @type {string} */ key) {
    chip.hidden = !isTrained(key);
    const back = modelOf(before.model) ?? defaultOf(page);
    chip.querySelector("span").textContent = page.t("model.trained");
    chip.querySelector("button").textContent = page.t("model.back", { name: titleOf(page, back) });
  }

  function drawChoice(/** @type {string} */ key) {
    choice.hidden = models.length < 2 || isTrained(key);
    const nameOf = hasRoom() ? titleOf : shortTitleOf;
    const option = (/** @type {import("../kit/languages.js").Model} */ one) =>
      html`<option value=${one.key} ?selected=${one.key === key}>${nameOf(page, one)}</option>`;
    const select = choice.querySelector("select");
    render(models.map(option), select);
    select.value = key;
  }

  window.addEventListener("resize", draw); // the projector's size is told so as well
  chip.querySelector("button").addEventListener("click", () => show(before.model));
  const pick = (/** @type {import("../kit/types.js").Typed} */ { target }) => show(target.value);
  choice.querySelector("select").addEventListener("input", pick);
  // A refused model is not selected: the menu shows the model on the page.
  const drawCode = mountCodes(root.querySelector("#hl-code"), root.querySelector("#hl-text"));
  for (const store of [page.record, page.message, page.language])
    for (const each of [draw, drawCode]) store.watch(each);
}
