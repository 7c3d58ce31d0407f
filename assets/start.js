// Brings one part of the page alive: loads its module when the words are there, draws its icons,
// and keeps its fixed text in the chosen language.

import { drawIcons } from "./icons.js";
import { language, ready, translate } from "./words.js";

// Parts that bring the words themselves cannot wait for them.
const FIRST = new Set(["page", "reply"]);

export async function mount(name, element, gradio) {
  const module = await import(`./${name}.js`);
  if (!FIRST.has(name)) await ready;
  drawIcons(element);
  module.mount(element, gradio);
  if (!FIRST.has(name)) language.watch(() => translate(element));
}
