// The choice of model, if the server has several, and the way back from a model trained on the
// page; beside it the target language or the task, if a model has several.

import { readerOf, reverseOf } from "../kit/languages.js";
import { html, render } from "../vendor/lit-html.js";
import { bareOf, mountCodes } from "./codes.js";
import { page } from "./state.js";

/** The last text whose model the page has picked by its script. */
export const picked = { text: "" };

/** The text for the model of the other direction: the translation, unless that model reads the
 * sentence as it is, or the visitor corrects the page's choice of a model.
 * @param {import("../kit/types.js").Rec} record @param {string} model */
function turned({ text, translation }, model) {
  const isBack = reverseOf(page)?.key === model && readerOf(page, text) === undefined;
  return isBack && text !== picked.text && translation !== "" && { text: translation, shown: 0 };
}

/** The model that the lessons speak of in the page's language, as a request names it; undefined if
 * it is not here. @returns {string|undefined} */
export const lessonModel = () => page.shared.lessons?.[page.language.get()];

export function mountModel(/** @type {any} */ root) {
  const [chip, choice] = [root.querySelector("#hl-trained"), root.querySelector("#hl-model")];
  const { models, trained, first } = page.shared;
  const isTrained = (/** @type {string} */ key) => key.startsWith(trained);
  // The state before a trained model: its letters are not a sentence for a different model.
  let before = { model: models[0].key, text: first };

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
    const key = record?.model.key ?? models[0].key;
    if (record !== null && !isTrained(key)) before = { model: key, text: record.text };
    drawChip(key);
    drawChoice(key);
  }

  function drawChip(/** @type {string} */ key) {
    chip.hidden = !isTrained(key);
    const back = models.find((one) => one.key === before.model) ?? models[0];
    chip.querySelector("span").textContent = page.t("model.trained");
    chip.querySelector("button").textContent = page.t("model.back", { name: back.name });
  }

  function drawChoice(/** @type {string} */ key) {
    choice.hidden = models.length < 2 || isTrained(key);
    const option = (/** @type {{key: string, name: string}} */ one) =>
      html`<option value=${one.key} ?selected=${one.key === key}>${one.name}</option>`;
    const select = choice.querySelector("select");
    render(models.map(option), select);
    select.value = key;
  }

  chip.querySelector("button").addEventListener("click", () => show(before.model));
  const pick = (/** @type {import("../kit/types.js").Typed} */ { target }) => show(target.value);
  choice.querySelector("select").addEventListener("input", pick);
  // A refused model is not selected: the menu shows the model on the page.
  const drawCode = mountCodes(root.querySelector("#hl-code"), root.querySelector("#hl-text"));
  for (const store of [page.record, page.message, page.language])
    for (const each of [draw, drawCode]) store.watch(each);
}
