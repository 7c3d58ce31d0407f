// The front door: on the view that the page opens with, a line for whoever is new. It goes for good
// when it is closed or a lesson is begun.

import { icon } from "../kit/icons.js";
import { lessonsOf } from "../kit/lessons.js";
import { FIRST } from "../kit/selection.js";
import { html, nothing, render } from "../vendor/lit-html.js";
import { recall, remember } from "./memory.js";
import { page } from "./state.js";
import { isHere } from "./views.js";

/** @typedef {import("../kit/types.js").LessonPlan} Plan */

/** The lesson for whoever is new; undefined where there are none. @returns {Plan|undefined} */
export const firstLesson = () =>
  !page.shared.saved && isHere("lessons") ? lessonsOf(page)[0] : undefined;

/** @param {Plan} lesson */
export const beginLesson = ({ name }) => page.lesson.set({ name, step: 0 });

/** "Lesson 1: What a single head does"; where there is little room a style leaves its title out.
 * @param {Plan} lesson */
export function nameOfLesson({ title: { [page.language.get()]: title } }) {
  const rest = page.t("door.title", { title });
  return html`${page.t("door.lesson")}<span class="hl-door-title">${rest}</span>`;
}

/** @param {HTMLElement} place */
export function mountDoor(place) {
  let isClosed = recall("door") === "closed";
  const close = () => {
    isClosed = true;
    remember("door", "closed");
    draw();
  };
  function draw() {
    const lesson = firstLesson();
    const isShown = !isClosed && page.selection.get().exhibit === FIRST.exhibit;
    place.hidden = lesson === undefined || !isShown;
    render(lesson && isShown ? lineOf(lesson, close) : nothing, place);
  }
  page.lesson.watch(({ name }) => {
    if (name !== null) close();
  });
  for (const store of [page.selection, page.language]) store.watch(draw);
}

/** @param {Plan} lesson @param {() => void} close */
function lineOf(lesson, close) {
  const { t } = page;
  return html`<span>${t("door.new")}</span>
    <button type="button" class="hl-door-lesson" @click=${() => beginLesson(lesson)}
      ><b>${nameOfLesson(lesson)}</b>
      <small>${t("door.minutes", lesson)}</small></button>
    <button type="button" class="hl-door-close" aria-label=${t("door.close")}
      title=${t("door.close")} @click=${close}>${icon("close")}</button>`;
}
