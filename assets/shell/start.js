// Starts one part of the page: fetches the words and constants once, draws its icons, and keeps its
// fixed text in the chosen language.

import { drawIcons } from "../kit/icons.js";
import { page } from "./state.js";
import { translate, wordsIn } from "./words.js";

/** Parts that need no words: the channels, and the page itself, which starts everything. */
const WORDLESS = new Set(["page", "request", "reply"]);

/**
 * What Gradio gives to a part's script, and the address of the page's files. Without Gradio there
 * are only `props` and `assets`.
 * @typedef {{props: any, assets: string, trigger: (event: string) => void,
 *   watch: (name: string, act: () => void) => void}} Gradio
 */

/** @type {Promise<any>|null} */
let files = null;
/** @type {any} the facts of a page without Gradio, which came with the document */
let given = null;

/** The words, and the facts that are the same for all models. */
function fetchFiles(/** @type {string} */ assets) {
  if (Object.keys(page.words ?? {}).length > 0) return; // they came with the file
  const get = async (/** @type {string} */ name) => (await fetch(`${assets}${name}.json`)).json();
  files ??= Promise.all([get("words"), given ?? get("facts")]).then(([words, shared]) => {
    Object.assign(page, { words: wordsIn(words), shared });
  });
  return files;
}

/** The places of the parts where there is no Gradio, see explorer/parts.py. */
const PLACES = {
  bar: "hl-top",
  sentence: "hl-middle",
  below: "hl-below",
  exhibits: "hl-exhibits",
  lesson: "hl-lesson",
};

/** Brings a whole page without Gradio to life. @param {any} facts @param {string} assets */
export function mountAll(facts, assets) {
  given = facts;
  for (const [part, id] of Object.entries(PLACES)) {
    mount(part, document.getElementById(id), { props: {}, assets });
  }
  mount("page", document.createElement("div"), { props: { facts }, assets });
}

/** @param {string} part @param {any} element
 * @param {Partial<Gradio> & {props: any, assets: string}} gradio */
export async function mount(part, element, gradio) {
  const [module] = await Promise.all([
    import(`${gradio.assets}assets/shell/${part}.js`),
    fetchFiles(gradio.assets),
  ]);
  if (!WORDLESS.has(part)) await begun;
  drawIcons(element);
  // Controls can be neither seen nor pressed before they work; the sentence can be typed at once.
  const late = [...element.querySelectorAll("[inert]")];
  await module.mount(element, gradio);
  for (const part of late) part.inert = false;
  if (part === "page") announce();
  if (!WORDLESS.has(part)) page.language.watch(() => translate(element));
}

/** @type {(value?: any) => void} */
let announce = () => {};
const begun = new Promise((resolve) => {
  announce = resolve;
});
