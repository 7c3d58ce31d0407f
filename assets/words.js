// Every word on the page comes from explorer/words, in the language that the visitor chose.

import { createStore } from "./store.js";

export const LANGUAGES = ["en", "zh"];
export const language = createStore("en");

let words = {};
let arrived;
export const ready = new Promise((resolve) => { arrived = resolve; });

export function setWords(all) {
  words = all;
  arrived();
}

// The language to begin with: the address's, the server's, the one chosen before, the browser's.
export function firstLanguage(asked, configured, remembered, browser) {
  for (const wish of [asked, remembered, configured, browser.slice(0, 2)]) {
    if (LANGUAGES.includes(wish)) return wish;
  }
  return "en";
}

// The words of a key, with {names} filled in.
export function t(key, values = {}) {
  const word = words[key];
  if (word === undefined) throw new Error(`no words for ${key}`);
  return fill(word[language.get()], values);
}

export function fill(pattern, values) {
  return pattern.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

// Writes every element that names its words: data-t (text), data-t-title, data-t-label.
export function translate(root) {
  for (const element of root.querySelectorAll("[data-t]")) element.textContent = t(element.dataset.t);
  for (const element of root.querySelectorAll("[data-t-title]")) element.title = t(element.dataset.tTitle);
  for (const element of root.querySelectorAll("[data-t-label]")) {
    element.setAttribute("aria-label", t(element.dataset.tLabel));
  }
}

// An index as people count: from 1.
export const number = (index) => index + 1;
