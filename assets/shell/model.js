// Which model is shown: the choice, where the server has several, and the way back from a model
// that was trained on the page.

import { html, render } from "../vendor/lit-html.js";
import { page } from "./state.js";

export function mountModel(root) {
  const [chip, choice] = [root.querySelector("#hl-trained"), root.querySelector("#hl-model")];
  const { models, trained, first } = page.shared;
  const isTrained = (key) => key.startsWith(trained);
  // What was shown before a trained model came: its letters are no sentence for another one.
  let before = { model: "", text: first };

  /** @param {string} model */
  function show(model) {
    const record = page.record.get();
    const leaves = record !== null && isTrained(record.model.key);
    page.explain({ model, ...(leaves && { text: before.text }) });
  }

  function draw() {
    const record = page.record.get();
    const key = record?.model.key ?? "";
    if (record !== null && !isTrained(key)) before = { model: key, text: record.text };
    drawChip(key);
    drawChoice(key);
  }

  function drawChip(key) {
    chip.hidden = !isTrained(key);
    const back = models.find((one) => one.key === before.model) ?? models[0];
    chip.querySelector("span").textContent = page.t("model.trained");
    chip.querySelector("button").textContent = page.t("model.back", { name: back.name });
  }

  function drawChoice(key) {
    choice.hidden = models.length < 2 || isTrained(key);
    const option = (one) =>
      html`<option value=${one.key} ?selected=${one.key === key}>${one.name}</option>`;
    const select = choice.querySelector("select");
    render(models.map(option), select);
    select.value = key;
  }

  chip.querySelector("button").addEventListener("click", () => show(before.model));
  choice.querySelector("select").addEventListener("input", (event) => show(event.target.value));
  // What was refused is not chosen: the choice shows the model that is on the page.
  for (const store of [page.record, page.message, page.language]) store.watch(draw);
}
