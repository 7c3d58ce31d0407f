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

// Writes every element that names its words: data-t is its text, data-t-title its tooltip,
// data-t-label its name for those who do not see it, data-t-name both of these.
export function translate(root) {
  const each = (name, write) => {
    for (const element of root.querySelectorAll(`[data-t${name && `-${name}`}]`)) {
      write(element, t(element.getAttribute(`data-t${name && `-${name}`}`)));
    }
  };
  const label = (element, words) => element.setAttribute("aria-label", words);
  const title = (element, words) => element.setAttribute("title", words);
  each("", (element, words) => { element.textContent = words; });
  each("title", title);
  each("label", label);
  each("name", (element, words) => { label(element, words); title(element, words); });
}

// An index as people count: from 1.
export const number = (index) => index + 1;

// The language of a piece of text, as far as its letters tell, for those who have it read aloud.
export const langOf = (text) =>
  (/\p{Script=Han}/u.test(text) && !/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) ? "zh-CN" : "");
