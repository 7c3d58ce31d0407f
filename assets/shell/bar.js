// The input bar: text, examples, status, message, and the switches of language, theme and size.

import { isComposed } from "../kit/elements.js";
import { defaultOf, isForeign, languageNames, sourceName, titleOf } from "../kit/languages.js";
import { countText, durationText } from "../kit/numbers.js";
import { sentenceOf } from "../kit/request.js";
import { requestOf } from "../kit/requests.js";
import { html, render } from "../vendor/lit-html.js";
import { mountChanged } from "./changed.js";
import { firstOf, isOpening, modelOf } from "./history.js";
import { place } from "./line.js";
import { draft, keepDraft, recall, remember } from "./memory.js";
import { mountModel, translate } from "./model.js";
import { mountSave } from "./saving.js";
import { mountSettings } from "./settings.js";
import { mountCopy } from "./share.js";
import { page } from "./state.js";
import { mountClass } from "./teach.js";
import { LANGUAGES } from "./words.js";

const NEAR = 0.8; // share of a limit from which the page shows it
const LINES = /\S\s*\n\s*\S/; // a text of several

/** @param {any} root @param {{assets: string}} gradio the folder of the scripts */
export function mount(root, { assets }) {
  mountForm(root);
  mountExamples(root);
  mountSettings(root.querySelector("#hl-settings"));
  mountStatus(root);
  mountModel(root);
  mountChanged(root.querySelector("#hl-changed"));
  mountSwitches(root);
  mountCopy(root.querySelector("#hl-copy"));
  mountSave(root.querySelector("#hl-save"), assets);
  mountClass(root, assets);
}

/** @typedef {import("../kit/types.js").Rec} Rec */

function mountForm(/** @type {any} */ root) {
  const text = root.querySelector("#hl-text");
  const early = text.value; // typed before there was a script; Enter began a new line
  text.value = early || (draft() ?? page.current.text);
  text.readOnly = Boolean(page.shared.saved);
  const form = root.querySelector(".hl-form");
  text.addEventListener("input", () => {
    delete form.dataset.sent;
    keepDraft(text.value);
  });
  text.addEventListener("blur", () => delete form.dataset.sent);
  const send = () => {
    form.dataset.sent = "";
    translate(text.value);
  };
  followSentence(text);
  form.addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    send();
  });
  text.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" || isComposed(event)) return;
    event.preventDefault();
    send();
  });
  if (!early.includes("\n")) return;
  text.value = early.replace(/\s*\n\s*/g, " ").trim();
  translate(text.value);
}

// A lesson or a link may change the sentence, but not while the visitor is typing.
function followSentence(/** @type {any} */ text) {
  const last = { text: page.current.text, model: page.current.model }; // of the page
  let isTyped = text.value !== last.text; // since the last answer
  text.addEventListener("input", () => {
    isTyped = true;
  });
  const hint = () => {
    const names = languageNames(page);
    text.placeholder = names ? page.t("input.hint.pair", names) : page.t("input.hint.any");
  };
  for (const store of [page.record, page.language]) store.watch(hint);
  page.record.watch((record) => {
    if (record === null || record.recorded) return;
    const { text: shown, model } = record;
    const isOther = model.key !== last.model; // its sentences may be others
    if (text.value === last.text || (isOther && !isTyped)) text.value = shown;
    Object.assign(last, { text: shown, model: model.key });
    isTyped = false;
  });
}

function mountExamples(/** @type {any} */ root) {
  const text = root.querySelector("#hl-text");
  const sheet = root.querySelector("#hl-more");
  const use = (/** @type {string} */ sentence) => () => {
    text.value = sentence;
    sheet.open = false;
    translate(sentence);
  };
  const line = (
    /** @type {{text: string, shows: string}} */ one,
  ) => html`<button type="button" class="hl-example" @click=${use(one.text)}>
    <span>${page.t(one.shows)}</span><span>${one.text}</span></button>`;
  // A model of letters has its own examples.
  const examples = () => {
    const { key, examples: own = [] } = page.record.get()?.model ?? {};
    if (own.length > 0) return own.map((one) => ({ text: one, shows: "example.own" }));
    return (modelOf(key) ?? defaultOf(page)).examples;
  };
  const draw = () => render(examples().map(line), sheet.querySelector(".hl-sheet"));
  page.record.watch(draw);
  page.language.watch(draw);
}

function mountStatus(/** @type {any} */ root) {
  const status = root.querySelector("#hl-status");
  const line = root.querySelector("#hl-message");
  const write = () => {
    const record = page.record.get();
    const message = page.message.get();
    status.textContent = record ? statusText(record) : "";
    status.title = record?.model.revision ? page.t("status.revision", record.model) : "";
    const isTrouble = message !== null && !message.isWork && !message.isNote;
    line.classList.toggle("hl-trouble", isTrouble);
    line.classList.toggle("hl-hint", message === null && record !== null && !record.recorded);
    const told = message ? sentenceOf(page, message) : (lineText() ?? restText(record));
    render(told && html`${told}${leaveButton(message)}${insteadButton(message)}`, line);
  };
  for (const store of [page.record, page.message, page.language, place]) store.watch(write);
}

/** Ends the wait for another model. @param {any} message */
function leaveButton(message) {
  if (!message?.isWork || !message.asked?.model || message.asked.question) return "";
  const first = defaultOf(page);
  const record = page.record.get();
  const isLive = record !== null && !record.recorded;
  const { key, name } = isLive ? record.model : first;
  if (key === message.asked.model) return ""; // it is the one that is waited for
  const leave = () => page.explain(isLive ? requestOf(record) : { model: key });
  return html` <button type="button" class="hl-leave" @click=${leave}>${page.t("model.leave", {
    name,
  })}</button>`;
}

/** The way back to the model that was left for one that reads the text. @param {any} message */
function insteadButton(message) {
  const model = modelOf(message?.instead);
  if (model === undefined) return "";
  const choose = () => page.explain({ model: model.key });
  return html` <button type="button" class="hl-leave" @click=${choose}>${page.t("model.instead", {
    name: titleOf(page, model),
  })}</button>`;
}

const lineText = () =>
  place.get() === null ? null : page.t("message.line", { place: place.get() });

function statusText(/** @type {Rec} */ record) {
  const { name } = record.model;
  const device = page.shared.published ? page.t("status.browser") : record.model.device;
  if (record.recorded) return page.t("status.recorded", { name });
  if (page.shared.saved) return page.t("status.saved", { name, date: page.shared.saved.date });
  const time = durationText(record.seconds);
  const isChosen = page.shared.models.some(({ key }) => key === record.model.key);
  if (isChosen && page.shared.models.length > 1) return page.t("status.short", { device, time });
  return page.t("status.live", { name, device, time });
}

function restText(/** @type {Rec|null} */ record) {
  if (record === null) return page.t("message.loading");
  if (record.recorded) return page.t("message.recorded");
  const { characters, saved } = page.shared;
  if (saved) return "";
  const model = modelOf(record.model.key);
  if (model && isForeign(page, record.text))
    return page.t("message.foreign", { language: sourceName(page, model) });
  if (LINES.test(record.asked?.text)) return page.t("message.one_text");
  const { tokens, pace } = record.model;
  if (pace)
    return page.t("message.pace", { token: durationText(pace.token), seconds: pace.seconds });
  if (record.src.length < NEAR * tokens && record.text.length < NEAR * characters) return "";
  return page.t("message.limits", { tokens, characters: countText(characters) });
}

function mountSwitches(/** @type {any} */ root) {
  mountLanguage(root.querySelector("#hl-language"));
  mountGloss(root.querySelector("#hl-gloss"));
  const theme = root.querySelector("#hl-theme");
  theme.addEventListener("click", () => {
    const isDark = document.body.classList.toggle("dark");
    remember("theme", isDark ? "dark" : "light");
  });
  page.theme.watch((now) => theme.setAttribute("aria-pressed", String(now === "dark")));
  mountSize(root.querySelector("#hl-size"));
}

/** Words under the tokens, where the model on the page has some. @param {HTMLElement} button */
function mountGloss(button) {
  button.addEventListener("click", () => page.gloss.set(!page.gloss.get()));
  page.gloss.watch((now) => button.setAttribute("aria-pressed", String(now)));
  page.record.watch((record) => {
    button.hidden = !record?.model.glossed;
  });
}

function mountLanguage(/** @type {HTMLElement} */ button) {
  button.addEventListener("click", () => {
    const isFresh = isOpening();
    page.language.set(LANGUAGES.find((one) => one !== page.language.get()) ?? "en");
    remember("language", page.language.get());
    const { key } = defaultOf(page);
    if (isFresh && key !== page.current.model) page.explain({ model: key, text: firstOf(key) });
  });
  page.language.watch((now) => {
    for (const span of button.querySelectorAll("span")) {
      span.classList.toggle("hl-on", span.dataset.language === now);
    }
  });
}

function mountSize(/** @type {HTMLElement} */ button) {
  const { dataset } = document.documentElement;
  const hasRoom = window.matchMedia("(min-width: 700px)"); // a phone is no projector
  const asked = new URLSearchParams(window.location.search).get("size");
  let wanted = asked === "projector" ? asked : (recall("size") ?? "");
  const apply = () => {
    dataset.size = hasRoom.matches ? wanted : "";
    button.hidden = !hasRoom.matches;
    button.setAttribute("aria-pressed", String(wanted === "projector"));
    darken(dataset.size === "projector");
  };
  hasRoom.addEventListener("change", apply);
  button.addEventListener("click", () => {
    wanted = wanted === "projector" ? "" : "projector";
    remember("size", wanted);
    apply();
    window.dispatchEvent(new Event("resize"));
  });
  apply();
}

let isLent = false; // the dark page, by the projector

/** A projector's page is dark, unless the visitor has chosen otherwise. */
function darken(/** @type {boolean} */ isProjector) {
  const { classList } = document.body;
  if (recall("theme") || isProjector === isLent) return;
  if (isProjector && classList.contains("dark")) return;
  classList.toggle("dark", isProjector);
  isLent = isProjector;
}
