// The input bar: text, examples, status, message, and the switches of language, theme and size.

import { mountChanged } from "./changed.js";
import { element } from "./elements.js";
import { recall, remember } from "./memory.js";
import { durationText } from "./numbers.js";
import { sheets } from "./sheets.js";
import { mountSettings } from "./settings.js";
import { facts, message, record, theme } from "./state.js";
import { ask, current } from "./wire.js";
import { language, t } from "./words.js";

const CHIPS = 3; // examples in sight; all of them stand in the sheet

export function mount(root) {
  mountForm(root);
  mountExamples(root);
  mountSettings(root.querySelector("#hl-settings"));
  mountStatus(root);
  mountChanged(root.querySelector("#hl-changed"));
  mountSwitches(root);
  sheets(root);
}

function mountForm(root) {
  const text = root.querySelector("#hl-text");
  text.value = current.text;
  root.querySelector(".hl-form").addEventListener("submit", (event) => {
    event.preventDefault();
    translateText(text.value);
  });
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    translateText(text.value);
  });
}

function translateText(text) {
  ask({ text, shown: 0 });
}

function mountExamples(root) {
  const { examples } = facts.get();
  const text = root.querySelector("#hl-text");
  const sheet = root.querySelector("#hl-more");
  const use = (sentence) => () => {
    text.value = sentence;
    sheet.open = false;
    translateText(sentence);
  };
  root.querySelector("#hl-tries").replaceChildren(
    ...examples.slice(0, CHIPS).map((example) =>
      element("button", { type: "button", onclick: use(example.text) }, example.text)),
  );
  sheet.querySelector(".hl-sheet").replaceChildren(
    ...examples.map((example) =>
      element("button", { type: "button", class: "hl-example", onclick: use(example.text) },
        element("span", { "data-t": example.shows }), element("span", {}, example.text))),
  );
}

function mountStatus(root) {
  const status = root.querySelector("#hl-status");
  const line = root.querySelector("#hl-message");
  const write = () => {
    const shown = record.get();
    status.textContent = shown ? statusText(shown) : "";
    status.title = shown?.model.revision ? t("status.revision", shown.model) : "";
    const trouble = message.get();
    line.classList.toggle("hl-trouble", trouble !== null);
    line.classList.toggle("hl-hint", trouble === null && shown !== null && !shown.recorded);
    line.textContent = trouble ? (trouble.sentence?.[language.get()] ?? t(trouble.words)) : restText(shown);
  };
  for (const store of [record, message, language]) store.watch(write);
}

function statusText(shown) {
  const { name, device } = shown.model;
  if (shown.recorded) return t("status.recorded", { name });
  return t("status.live", { name, device, time: durationText(shown.seconds) });
}

function restText(shown) {
  if (shown === null || shown.recorded) return t(shown ? "message.recorded" : "message.loading");
  const characters = facts.get().characters.toLocaleString("en");
  return t("message.limits", { tokens: shown.model.tokens, characters });
}

function mountSwitches(root) {
  const languageSwitch = root.querySelector("#hl-language");
  languageSwitch.addEventListener("click", () => {
    language.set(language.get() === "en" ? "zh" : "en");
    remember("language", language.get());
  });
  language.watch((now) => {
    for (const span of languageSwitch.querySelectorAll("span")) {
      span.classList.toggle("hl-on", span.dataset.language === now);
    }
  });
  const themeSwitch = root.querySelector("#hl-theme");
  themeSwitch.addEventListener("click", () => {
    const dark = document.body.classList.toggle("dark");
    remember("theme", dark ? "dark" : "light");
  });
  theme.watch((now) => themeSwitch.setAttribute("aria-pressed", now === "dark"));
  const sizeSwitch = root.querySelector("#hl-size");
  const pressed = () => sizeSwitch.setAttribute("aria-pressed", recall("size") === "projector");
  sizeSwitch.addEventListener("click", () => {
    const size = document.documentElement.dataset.size === "projector" ? "" : "projector";
    document.documentElement.dataset.size = size;
    remember("size", size);
    sizeSwitch.setAttribute("aria-pressed", size === "projector");
    window.dispatchEvent(new Event("resize"));
  });
  pressed();
}
