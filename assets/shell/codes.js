// What a text begins with, where a model has several target languages or tasks: the fields to
// choose it, and the source's language, if the model reads its code.

import { namesOf } from "../kit/languages.js";
import { memo } from "../kit/memo.js";
import { mountCombobox } from "./combobox.js";
import { page } from "./state.js";

/** @typedef {import("./combobox.js").Option} Option */

/** What may stand before a text: `languages` are those of a text without a code.
 * @typedef {{codes: string[], languages?: {source: string|null, target: string|null},
 *   model: string}} Choice */

const CODE = /^>>(?:([^<>]*):)?([^<>:]+)<</; // of the target, or of both: ">>eng:fra<<"

/** What a text begins with, of what the model lets one choose, and the text without it.
 * @param {string} text @param {string[]} codes */
function partsOf(text, codes) {
  const all = text.trimStart();
  const [code, source = "", target] = CODE.exec(all) ?? [""];
  const begin = code || (codes.find((one) => all.startsWith(one)) ?? "");
  const bare = all.slice(begin.length).trimStart();
  return { source, target: target ? `>>${target}<<` : begin, bare };
}

/** A text without what it begins with. @param {string} text @param {string[]} codes */
export const bareOf = (text, codes) => partsOf(text, codes).bare;

/** ">>fra<<" and "<2fr>" without their brackets, a task without its colon. */
const nameOf = (/** @type {string} */ code) => code.replace(/^>>|<<$|^<2|>$|:$/g, "");

/** What the model on the page lets one choose, or the one that refused the last text.
 * @returns {Choice} */
function choiceOf() {
  const { model } = page.record.get() ?? {};
  const { sentence, asked } = /** @type {any} */ (page.message.get() ?? {});
  if (sentence?.choices) return { codes: sentence.choices, model: asked.model };
  const { codes = [], languages, key = page.current.model } = model ?? {}; // before the first reply
  return { codes, languages, model: key };
}

/** The fields, in a sheet beside the model. @param {any} root @param {any} input the text's */
export function mountCodes(root, input) {
  const [summary, from] = ["summary", "#hl-from"].map((name) => root.querySelector(name));
  const choose = (/** @type {{source?: string, target?: string}} */ change) => {
    root.open = false;
    summary.focus();
    input.value = changed(input.value, change);
    page.explain({ text: input.value, shown: 0, model: choiceOf().model });
  };
  const drawFrom = mountCombobox(from, (source) => choose({ source }));
  const drawInto = mountCombobox(root.querySelector("#hl-into"), (target) => choose({ target }));
  const optionsFor = memo(optionsOf);
  root.addEventListener("toggle", () => root.open && root.querySelector("#hl-into input").focus());
  return () => {
    const { codes, languages } = choiceOf();
    const isTask = codes.some((code) => code.endsWith(":"));
    const what = isTask ? "task" : "code";
    const { source, target } = partsOf(input.value, codes);
    root.hidden = codes.length === 0 || Boolean(page.shared.saved);
    if (root.hidden) return;
    const options = optionsFor(codes, page.language.get(), isTask);
    const none = page.t(`model.${what}.lost`);
    const unnamed = (/** @type {string|null|undefined} */ code) =>
      first(code ? page.t("model.code.usual", { code }) : page.t(`model.${what}.none`));
    const targets = [unnamed(languages?.target), ...options];
    drawInto({ label: page.t(`model.${what}`), none, value: target, options: targets });
    const sources = options.map((one) => ({ ...one, value: one.code }));
    const known = [unnamed(languages?.source), ...sources];
    drawFrom({ label: page.t("model.source"), none, value: source, options: known });
    from.hidden = !languages?.source;
    const ends = [source, nameOf(target) || (languages?.target ?? "")].filter(Boolean);
    summary.firstChild.textContent = ends.join(" → ") || page.t(`model.${what}`);
    summary.title = page.t(`model.${what}`);
  };
}

/** A text with another language or task before it. @param {string} text
 * @param {{source?: string, target?: string}} change */
function changed(text, change) {
  const { codes, languages } = choiceOf();
  const { bare, ...before } = partsOf(text, codes);
  const { source, target } = { ...before, ...change };
  const usual = languages?.target ? `>>${languages.target}<<` : "";
  const begin = source ? (target || usual).replace(">>", `>>${source}:`) : target;
  return `${begin} ${bare}`.trim();
}

/** The option of a text that names nothing. @param {string} name @returns {Option} */
const first = (name) => ({ value: "", code: "", name, names: [] });

/** An option for each code, with the language's names. @param {string[]} codes
 * @param {string} language of the page @param {boolean} isTask @returns {Option[]} */
function optionsOf(codes, language, isTask) {
  const bare = codes.map(nameOf);
  const names = isTask ? [] : namesOf(bare, language);
  return codes.map((value, i) => ({
    value,
    code: bare[i],
    name: names[i]?.[0] ?? "",
    names: names[i] ?? [],
  }));
}
