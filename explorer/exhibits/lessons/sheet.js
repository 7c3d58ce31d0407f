// A lesson on paper: what is said and asked, lines to write on, and the answers of the model on a
// page of their own.

import { languageNamed } from "../../../assets/kit/languages.js";
import { valueText } from "../../../assets/kit/values.js";
import { html, nothing, render } from "../../../assets/vendor/lit-html.js";
import { smallPicture } from "./pictures.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("../../../assets/kit/types.js").Rec} Rec */
/** @typedef {import("../../../assets/kit/types.js").Texts} Texts */
/** @typedef {import("../../../assets/kit/types.js").LessonPlan} Plan */
/** @typedef {import("../../../assets/kit/types.js").LessonStep} Step */
/** By the step that asks. @typedef {Map<number, import("../../../assets/kit/types.js").LessonReply>}
 *   Answers */

const AWAY = "position: fixed; left: -400mm; top: 0; width: 210mm; height: 297mm; border: 0";

/** Prints sheets. A frame goes when it is printed, and in any case before the next: a browser need
 * not say that it has printed. @param {Page} page */
export function createPrinter(page) {
  /** @type {HTMLIFrameElement|undefined} */
  let frame;
  const end = () => frame?.remove();
  page.signal.addEventListener("abort", end);
  async function print(/** @type {Plan} */ lesson) {
    const language = page.language.get();
    /** @type {Answers} */
    const answers = new Map();
    for (const [step, { asks }] of lesson.steps.entries())
      if (asks) answers.set(step, await page.ask("lesson", { lesson: lesson.name, step }));
    end();
    const title = page.t("lessons.sheet", { title: lesson.title[language] });
    frame = Object.assign(document.createElement("iframe"), { className: "hl-sheet-frame", title });
    frame.style.cssText = AWAY; // the page's styles do not reach it
    document.body.append(frame);
    const paper = /** @type {Document} */ (frame.contentDocument);
    paper.title = title;
    paper.documentElement.lang = languageNamed(language).tag;
    paper.head.appendChild(paper.createElement("style")).textContent = STYLE;
    render(sheet(page, lesson, answers), paper.body);
    frame.contentWindow?.addEventListener("afterprint", end);
    frame.contentWindow?.print();
  }
  return (/** @type {Plan} */ lesson) => withSentenceOf(lesson, page, () => print(lesson));
}

const STYLE = `@page { size: A4; margin: 15mm } body { font: 10.5pt/1.4 system-ui, sans-serif; margin: 0 }
h1 { font-size: 15pt; margin: 0 0 4pt } h2 { font-size: 11pt; margin: 8pt 0 2pt } p { margin: 2pt 0 }
ul { list-style: "☐ "; margin: 2pt 0 2pt 12pt; padding: 0; columns: 2 }
.line { border-bottom: 0.5pt solid #777; height: 15pt } .key { break-before: page }
figure { float: right; width: 46mm; margin: 0 0 2pt 6mm; font-size: 8pt; clear: right }
.hl-lesson-cell { fill: #fff; stroke: #ccc } .hl-lesson-weight, .hl-lesson-bar { fill: #3a2a80 }
.hl-lesson-line, .hl-lesson-box { fill: none; stroke: #555 } .hl-lesson-track { fill: #eee }
.hl-lesson-node { fill: #bbb } .hl-kept { fill: #222 }
section { break-inside: avoid } .person { float: right; min-width: 60mm }`;

/**
 * Does something while the lesson's sentence is on the page, from whose record pictures are drawn;
 * then the visitor's comes back, unless there is a newer one.
 * @param {Plan} lesson @param {Page} page @param {() => Promise<void>} act
 */
async function withSentenceOf({ steps }, page, act) {
  const [text] = steps.map(({ show }) => new URLSearchParams(show).get("text")).filter(Boolean);
  if (!text || text === page.record.get()?.text) return act();
  const [request, selection] = [{ ...page.current }, page.selection.get()];
  await page.explain({ ...request, text, prefix: [], node: null, interventions: {} });
  try {
    await act();
  } finally {
    if (page.current.text === text) {
      await page.explain(request);
      page.choose(selection);
    }
  }
}

/** The step's picture, where it is of the sentence that the page has explained.
 * @param {Rec} record @param {Step} step */
function drawing(record, { show }) {
  const text = new URLSearchParams(show).get("text");
  if (text !== record.text) return nothing;
  return html`<figure>${smallPicture(record, show)}<figcaption>${text}</figcaption></figure>`;
}

/** @param {Page} page @param {Plan} lesson @param {Answers} answers */
function sheet(page, lesson, answers) {
  const language = page.language.get();
  const { t } = page;
  const record = /** @type {Rec} */ (page.record.get()); // the view is drawn from one
  const { name } = record.model;
  const said = (/** @type {Texts[]} */ texts) =>
    texts.map((text) => html`<p>${text[language]}</p>`);
  const step = (/** @type {Step} */ one, /** @type {number} */ i) => {
    const answer = answers.get(i);
    return html`<section><h2>${i + 1}. ${one.title[language]}</h2>${drawing(record, one)}
      ${said(one.told)} ${said(one.predict)}
      ${answer && html`<ul>${answer.options.map(({ label }) => html`<li>${label[language]}</li>`)}</ul>`}
      ${one.why.length > 0 ? [...said(one.why), html`<div class="line"></div><div class="line"></div>`] : ""}
    </section>`;
  };
  return html`<h1><span class="person">${t("lessons.person")}: ____________________</span>
      ${lesson.title[language]}</h1>
    ${lesson.steps.map(step)}
    <div class="key"><h1>${t("lessons.key", { model: name })}</h1>
      ${[...answers].map(([i, { options, right }]) => {
        const { label } = options[right];
        const one = lesson.steps[i];
        return html`<section><h2>${i + 1}. ${one.title[language]}</h2>
          <p><b>${label[language]}</b> ${valueText(options[right])}</p>${said(one.reveal)}</section>`;
      })}
    </div>`;
}
