// The list of lessons. The bar that leads through one is the shell's: it follows `page.lesson`.

import { button } from "../../../assets/kit/choice.js";
import { createStore } from "../../../assets/kit/store.js";
import { liveView } from "../../../assets/kit/view.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { createPrinter } from "./sheet.js";

const SAID = 2000; // ms that a button says that the link is copied

/** @param {{el: HTMLElement, page: any}} given */
export function mount({ el, page }) {
  const state = createStore({ copied: "", failed: null });
  const print = createPrinter(page);
  const view = liveView({
    el,
    page,
    stores: [state],
    template: () =>
      page.record.get() === null
        ? null
        : html`<ol class="hl-lessons">
            ${page.facts.lessons.map((lesson) => card(page, lesson, state, print))}
          </ol>`,
  });
  return view.end;
}

function card(page, lesson, state, print) {
  const { t } = page;
  const { name, title, minutes, steps } = lesson;
  const language = page.language.get();
  const { copied, failed } = state.get();
  return html`<li>
    <h2>${title[language]}</h2>
    <p>${steps.map((step) => step.title[language]).join(" · ")}</p>
    <p class="hl-note">${t("lessons.facts", { minutes, count: steps.length })}</p>
    <div class="hl-row">
      ${button({
        label: t("lessons.begin"),
        class: "hl-lesson-begin",
        onClick: () => page.lesson.set({ name, step: 0 }),
      })}
      ${button({
        label: t("lessons.print"),
        onClick: () =>
          print(lesson).then(
            () => state.merge({ failed: null }),
            (error) => state.merge({ failed: { name, error } }),
          ),
      })}
      ${button({
        label: t(copied === name ? "lessons.copied" : "lessons.link"),
        onClick: () => copy(page, name).then(() => say(state, name)),
      })}
    </div>
    ${
      failed?.name === name
        ? html`<p class="hl-failed" role="alert">
            ${failed.error.sentence?.[language] ?? t("error.unreachable")}</p>`
        : ""
    }
  </li>`;
}

function say(state, /** @type {string} */ copied) {
  state.merge({ copied });
  setTimeout(() => state.get().copied === copied && state.merge({ copied: "" }), SAID);
}

/** The address that opens this lesson for whoever follows it, without the visitor's own state. */
function copy(page, /** @type {string} */ name) {
  const { origin, pathname } = window.location;
  const link = `${origin}${pathname}?lesson=${name}&lang=${page.language.get()}`;
  return navigator.clipboard.writeText(link);
}
