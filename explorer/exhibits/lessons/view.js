// The lessons, each with its first picture. The card that leads through one is the shell's: it
// follows `page.lesson`.

import { button } from "../../../assets/kit/choice.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { local } from "../../../assets/kit/fields.js";
import { lessonsOf } from "../../../assets/kit/lessons.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { smallPicture } from "./pictures.js";
import { createPrinter } from "./sheet.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("../../../assets/kit/types.js").LessonPlan} Plan */

/**
 * `copied`: the lesson whose link was copied last; `failed`: the one that could not be printed, and
 * the server's sentence, if it sent one.
 * @typedef {import("../../../assets/kit/exhibit.js").Base & {lessons: Plan[], language: string,
 *   copied: string, print: (lesson: Plan) => Promise<void>,
 *   failed: {name: string, error: {sentence?: import("../../../assets/kit/types.js").Texts}}|null}}
 *   Scene
 */
/** A step of a lesson as a row of the table. @typedef {{name: string, title: string, step: string,
 *   i: number}} Row */

const SAID = 2000; // ms that a button says that the link is copied

/** @type {import("../../../assets/kit/exhibit.js").View<Scene>} */
const VIEW = {
  name: "lessons",
  fields: () => ({ copied: local(""), failed: local(null) }),
  engine: (page) => ({ print: createPrinter(page) }),
  scene: ({ page }) => ({ lessons: lessonsOf(page), language: page.language.get() }),
  finding({ t, lessons }) {
    const minutes = lessons.map((one) => one.minutes);
    return t("finding", { count: lessons.length, to: Math.max(...minutes) });
  },
  picture: (s) =>
    html`<ol class="hl-lesson-cards">${s.lessons.map((one, i) => card(s, one, i))}</ol>`,
  numbers: (s) => [stepSheet(s)],
  files: () => ({ svg: null }),
};

export const { mount } = exhibit(VIEW);

/** @param {Scene} s @param {Plan} lesson @param {number} i */
function card(s, lesson, i) {
  const { t, page, record, language, set, print, copied, failed } = s;
  const { name, title, minutes, learn, steps } = lesson;
  const began = () => page.lesson.set({ name, step: 0 });
  const printed = () =>
    print(lesson).then(
      () => set({ failed: null }),
      (error) => set({ failed: { name, error } }),
    );
  return html`<li>
    <h3>${i + 1}. ${title[language]}</h3>
    <p>${learn[language]}</p>
    ${smallPicture(record, steps[0].show)}
    <p class="hl-note">${t("facts", { minutes, count: steps.length })}</p>
    <div class="hl-row">
      ${button({ label: t("begin"), class: "hl-lesson-begin", onClick: began })}
      ${button({ label: t("print"), onClick: printed })}
      ${button({
        label: t(copied === name ? "copied" : "link"),
        title: t("link.why"),
        onClick: () => copy(page, name).then(() => say(set, name)),
      })}
    </div>
    ${
      failed?.name === name
        ? html`<p class="hl-failed" role="alert">
            ${failed.error.sentence?.[language] ?? page.t("error.unreachable")}</p>`
        : nothing
    }
  </li>`;
}

/** @param {Scene["set"]} set @param {string} copied */
function say(set, copied) {
  set({ copied });
  setTimeout(() => set((now) => (now.copied === copied ? { copied: "" } : {})), SAID);
}

/** The address that opens this lesson for whoever follows it, without the visitor's own state. */
function copy(/** @type {Page} */ page, /** @type {string} */ name) {
  const { origin, pathname } = window.location;
  const link = `${origin}${pathname}?lesson=${name}&lang=${page.language.get()}`;
  return navigator.clipboard.writeText(link);
}

/** What each step of each lesson is about.
 * @param {Scene} s @returns {import("../../../assets/kit/sheet.js").Sheet<Row>} */
const stepSheet = ({ t, page, lessons, language }) => ({
  name: t("steps"),
  class: "hl-lessons-steps",
  rows: lessons.flatMap(({ name, title, steps }) =>
    steps.map((step, i) => ({ name, title: title[language], step: step.title[language], i })),
  ),
  onChoose: ({ name, i }) => page.lesson.set({ name, step: i }),
  columns: {
    lesson: { text: true, cell: ({ title }) => title },
    n: { cell: ({ i }) => i + 1 },
    about: { text: true, head: t("step"), cell: ({ step }) => step },
  },
});
