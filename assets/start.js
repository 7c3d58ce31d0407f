// Brings one part of the page alive: loads its module when the words are there, draws its icons,
// and keeps its fixed text in the chosen language.

import { drawIcons } from "./icons.js";
import { selection } from "./state.js";
import { language, ready, translate } from "./words.js";

// Parts that bring the words themselves cannot wait for them.
const FIRST = new Set(["page", "ask", "reply"]);

// An exhibit is loaded when its tab is chosen for the first time.
const chosen = (exhibit) => new Promise((resolve) => {
  selection.watch((now) => { if (now.exhibit === exhibit) resolve(); });
});

export async function mount(name, element, gradio) {
  if (!FIRST.has(name)) await ready;
  if (name.startsWith("exhibits/")) await chosen(name.slice("exhibits/".length));
  const module = await import(`./${name}.js`);
  drawIcons(element);
  module.mount(element, gradio);
  if (!FIRST.has(name)) language.watch(() => translate(element));
}
