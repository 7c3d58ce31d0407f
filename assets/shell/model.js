// The choice of model, if the server has several, and the way back from a model trained on the
// page; beside it the target language or the task, if a model has several.

import { html, render } from "../vendor/lit-html.js";
import { page } from "./state.js";

const CODE = /^(>>[^<>]+<<)/; // a language code, with which a text may begin; two, ">>eng:fra<<"

/** What a text begins with, of what the model lets one choose.
 * @param {string} text @param {string[]} codes */
const codeOf = (text, codes) =>
  CODE.exec(text.trimStart())?.[1] ?? codes.find((code) => text.trimStart().startsWith(code)) ?? "";

/** A text without it. @param {string} text @param {string[]} codes */
const bareOf = (text, codes) => text.trimStart().slice(codeOf(text, codes).length).trimStart();

export function mountModel(/** @type {any} */ root) {
  const [chip, choice] = [root.querySelector("#hl-trained"), root.querySelector("#hl-model")];
  const { models, trained, first } = page.shared;
  const isTrained = (/** @type {string} */ key) => key.startsWith(trained);
  // The state before a trained model: its letters are not a sentence for a different model.
  let before = { model: "", text: first };

  /** @param {string} model */
  function show(model) {
    const record = page.record.get();
    const leaves = record !== null && isTrained(record.model.key);
    const codes = record?.model.codes;
    const bare = record && codes?.length && { text: bareOf(record.text, codes) };
    page.explain({ model, ...(leaves ? { text: before.text } : bare) });
  }

  function draw() {
    const record = page.record.get();
    const key = record?.model.key ?? "";
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
  const drawCode = mountCode(root.querySelector("#hl-code"), root.querySelector("#hl-text"));
  for (const store of [page.record, page.message, page.language])
    for (const each of [draw, drawCode]) store.watch(each);
}

/** The target languages or tasks; the chosen one stands at the beginning of the text. */
function mountCode(/** @type {any} */ choice, /** @type {any} */ field) {
  const select = choice.querySelector("select");
  const codesOf = () => page.record.get()?.model?.codes ?? []; // a recorded example may have none
  select.addEventListener("input", () => {
    field.value = `${select.value} ${bareOf(field.value, codesOf())}`.trim();
    page.explain({ text: field.value, shown: 0 });
  });
  return () => {
    const { text } = page.record.get() ?? { text: "" };
    const codes = codesOf();
    const isTask = codes.some((code) => code.endsWith(":"));
    choice.querySelector("span").textContent = page.t(isTask ? "model.task" : "model.code");
    choice.hidden = codes.length === 0 || Boolean(page.shared.saved);
    const name = (/** @type {string} */ code) =>
      nameOf(code) || page.t(isTask ? "model.task.none" : "model.code.none");
    render(
      ["", ...codes].map((code) => html`<option value=${code}>${name(code)}</option>`),
      select,
    );
    select.value = codeOf(text, codes);
  };
}

/** ">>fra<<" and "<2fr>" without their brackets, a task without its colon. */
const nameOf = (/** @type {string} */ code) =>
  code.replace(/^>>(.*)<<$|^<2(.*)>$|^(.*):$/, (_, ...parts) => parts.slice(0, 3).join(""));
