// The map of the views: each below the question that it answers, with a line that says what it
// shows; first of all the lesson for whoever is new.

import { html, nothing } from "../vendor/lit-html.js";
import { firstLesson, nameOfLesson } from "./door.js";
import { page } from "./state.js";
import { aboutOf, byQuestion, isHere, nameOf } from "./views.js";

/** @typedef {import("../kit/types.js").LessonPlan} Plan */

/** @param {string} exhibit the one on the page @param {(exhibit: string) => void} open
 * @param {(lesson: Plan) => void} begin a lesson */
export function viewMap(exhibit, open, begin) {
  /** @param {import("./views.js").View} view */
  const lines = (view) =>
    view.exhibits.map(
      (name) => html`<button type="button" data-exhibit=${name}
        class=${isHere(name) ? "" : "hl-off"} aria-current=${String(name === exhibit)}
        @click=${() => open(name)}>
        <b>${page.t(nameOf(view, name))}</b><span>${aboutOf(name)}</span></button>`,
    );
  const groups = byQuestion().map(
    ([question, views]) => html`<section>
      <h2>${page.t(`map.${question}`)}</h2>
      ${question === "begin" ? lesson(begin) : nothing}
      ${views.map(lines)}
    </section>`,
  );
  return html`<div class="hl-questions">${groups}</div>`;
}

/** @param {(lesson: Plan) => void} begin */
function lesson(begin) {
  const first = firstLesson();
  if (first === undefined) return nothing;
  return html`<button type="button" class="hl-map-lesson" @click=${() => begin(first)}>
    <b>${nameOfLesson(first)}</b><span>${page.t("door.about", first)}</span></button>`;
}
