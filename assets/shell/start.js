// Brings one part of the page to life: fetches the words once, draws its icons, and keeps its fixed
// text in the chosen language.

import { drawIcons } from "../kit/icons.js";
import { page } from "./state.js";
import { translate } from "./words.js";

/** Parts that need no words: the channels, and the page itself, which begins everything. */
const WORDLESS = new Set(["page", "request", "reply"]);

/** @type {Promise<void>|null} */
let words = null;

function fetchWords(assets) {
  if (page.shared.saved) return; // they came with the file
  words ??= fetch(`${assets}words.json`).then(async (response) => {
    page.words = await response.json();
  });
  return words;
}

export async function mount(part, element, gradio) {
  const [module] = await Promise.all([
    import(`${gradio.assets}assets/shell/${part}.js`),
    fetchWords(gradio.assets),
  ]);
  if (!WORDLESS.has(part)) await begun;
  drawIcons(element);
  await module.mount(element, gradio);
  if (part === "page") announce();
  if (!WORDLESS.has(part)) page.language.watch(() => translate(element));
}

/** @type {(value?: any) => void} */
let announce = () => {};
const begun = new Promise((resolve) => {
  announce = resolve;
});
