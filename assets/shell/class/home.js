// The page to take home: one file of what the class saw, without a script, in both languages.

import { lessonsOf } from "../../kit/lessons.js";
import { fill } from "../../kit/page.js";
import { html, nothing, render } from "../../vendor/lit-html.js";
import { take } from "../saving.js";
import { page } from "../state.js";
import { LANGUAGES } from "../words.js";
import { isQuestion } from "./journal.js";
import { now } from "./stay.js";

/** @typedef {import("../../kit/types.js").Texts} Texts */
/** @typedef {import("./journal.js").Entry} Entry */
/** @typedef {import("./journal.js").Place} Place */
/** @typedef {import("./question.js").Question} Question */

const POLICY = "default-src 'none'; style-src 'unsafe-inline'"; // whatever a text contains
// A browser that does not know `:has` shows both languages.
const STYLE = `
  body { max-width: 44em; margin: 0 auto; padding: 1em; color: #1c1c22; background: #fff; }
  body { font: 17px/1.5 system-ui, sans-serif; }
  body:has(#en:checked) [lang="zh"], body:has(#zh:checked) [lang="en"] { display: none; }
  nav { float: right; }
  h1 { font-size: 1.5em; }
  h2 { margin: 1.6em 0 0.2em; font-size: 1.2em; }
  h3 { margin: 1em 0 0; font-size: 1em; }
  p { margin: 0.3em 0; }
  table { width: 100%; border-collapse: collapse; }
  th { text-align: start; }
  td, th { padding: 0.25em 0.6em 0.25em 0; border-bottom: 1px solid #8886; }
  td:nth-child(2) { width: 40%; }
  td i { display: inline-block; height: 0.7em; background: #8c7ae0; }
  tr.right { font-weight: 650; }
  @media print { nav { display: none; } }
  @media (prefers-color-scheme: dark) { body { color: #eee; background: #17171b; } }`;

/** A text in every language. @param {Texts} text */
const both = (text) =>
  LANGUAGES.map((language) => html`<span lang=${language}>${text[language]} </span>`);

/** Words of the page in every language; of `values` some may have a text in each themselves.
 * @param {string} key @param {Record<string, any>} [values] @returns {Texts} */
function words(key, values = {}) {
  const inOne = (/** @type {string} */ language) => {
    const own = Object.entries(values).map(([name, value]) => [name, value?.[language] ?? value]);
    return fill(page.words[key][language], Object.fromEntries(own));
  };
  return { en: inOne("en"), zh: inOne("zh") };
}

/** Where there is something to take home. @param {() => void} act */
export const homeButton = (act) =>
  now.get().seen === 0
    ? nothing
    : html`<button type="button" data-part="take-home" title=${page.t("class.home.hint")}
        @click=${act}>${page.t("class.home")}</button>`;

/** Saves the page. @param {string} code @param {Entry[]} entries */
export function takeHome(code, entries) {
  const date = new Date().toLocaleDateString("sv"); // the class's own day, as 2026-11-30
  const title = words("class.home.title", { date });
  const language = page.language.get();
  const box = document.createElement("div");
  render(contents(title, language, entries), box);
  const marks = document.createTreeWalker(box, NodeFilter.SHOW_COMMENT);
  const comments = [];
  while (marks.nextNode()) comments.push(marks.currentNode);
  for (const comment of comments) comment.parentNode?.removeChild(comment);
  const head = `<!doctype html>\n<html lang="${language}"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title[language]}</title><style>${STYLE}</style></head><body>`;
  const file = new Blob([head, box.innerHTML, "</body></html>\n"], { type: "text/html" });
  take(file, `class ${code} ${date}`);
}

/** @param {Texts} title @param {string} language @param {Entry[]} entries */
function contents(title, language, entries) {
  const names = { en: "English", zh: "中文" };
  const choice = (/** @type {"en"|"zh"} */ one) =>
    html`<input type="radio" name="language" id=${one} ?checked=${one === language}>
      <label for=${one}>${names[one]}</label> `;
  return html`<nav>${choice("en")}${choice("zh")}</nav>
    <main><h1>${both(title)}</h1>
    ${entries.map((entry, i) =>
      isQuestion(entry) ? question(entry) : place(entry, entries.slice(0, i)),
    )}</main>`;
}

/** A place, below the heading of its lesson or its sentence unless the one before has that too.
 * @param {Place} entry @param {Entry[]} before */
function place(entry, before) {
  const last = before.findLast((one) => !isQuestion(one));
  const plan = lessonsOf(page).find(({ name }) => name === entry.lesson);
  const { lesson, text } = /** @type {Place} */ (last ?? { lesson: null, text: null });
  if (plan === undefined) {
    const view = html`<p>${both(words(`${entry.view}.title`))}</p>`;
    return lesson === null && text === entry.text ? view : html`${sentence(entry)}${view}`;
  }
  const step = plan.steps[entry.step];
  return html`${lesson === entry.lesson ? nothing : html`<h2>${both(plan.title)}</h2>`}
    <h3>${entry.step + 1}. ${both(step.title)}</h3>
    ${step.told.map((told) => html`<p>${both(told)}</p>`)}`;
}

/** @param {Place} entry */
const sentence = ({ text, translation }) =>
  html`<h2>${text}${translation === "" ? nothing : html` → ${translation}`}</h2>`;

/** @param {Question} asked */
function question({ text, choices, counts, right, own, isShown }) {
  const yours =
    own === null ? nothing : both(words("class.home.own", { label: choices[own].label }));
  if (!isShown)
    return html`<p><b>${both(text)}</b></p>
      <p>${yours}${both(words("class.home.closed"))}</p>`;
  const all = counts.reduce((sum, count) => sum + count, 0);
  const values = right === null ? null : { count: counts[right], all, label: choices[right].label };
  const said = values ? words("class.guess.right", values) : words("class.guess.all", { all });
  const row = (
    /** @type {Question["choices"][number]} */ { label, value },
    /** @type {number} */ i,
  ) =>
    html`<tr class=${i === right ? "right" : nothing}>
      <td>${i === right ? "✓ " : ""}${both(label)}</td>
      <td><i style="width:${all === 0 ? 0 : (counts[i] / all) * 80}%"></i> ${counts[i]}</td>
      <td>${value}</td></tr>`;
  const columns = ["choice", "class", "model"].map((one) => words(`class.home.${one}`));
  return html`<p><b>${both(text)}</b></p>
    <table><thead><tr>${columns.map((one) => html`<th>${both(one)}</th>`)}</tr></thead>
      <tbody>${choices.map(row)}</tbody></table>
    <p>${both(said)}${yours}</p>`;
}
