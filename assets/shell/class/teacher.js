// The teacher's part of a class.

import { html, nothing } from "../../vendor/lit-html.js";
import { translate } from "../model.js";
import { page } from "../state.js";
import { askForm, watchNext } from "./ask.js";
import { door, findWay } from "./door.js";
import { teachersGuesses } from "./guesses.js";
import { homeButton } from "./home.js";
import { lead } from "./lead.js";
import { watchLesson } from "./question.js";
import { now } from "./stay.js";

/** @typedef {ReturnType<typeof teach> & {takeHome: () => void}} Teaching */

/** @param {import("./stay.js").Stay} stay @param {import("./stay.js").Line} line */
export function teach(stay, line) {
  const ask = (/** @type {import("./question.js").Asked|null} */ question) =>
    stay.send("ask", { question });
  const lesson = watchLesson(ask);
  const endNext = watchNext(now, ask);
  stay.signal.addEventListener("abort", () => {
    lesson.end();
    endNext();
  });
  lead(stay);
  findWay(line);
  return {
    hear: lesson.look,
    ask,
    callBack: () => stay.send("call"),
    reveal: () => stay.send("reveal"),
    clear: () => stay.send("clear"),
  };
}

/** @param {import("./stay.js").Now} shown @param {Teaching} acts @param {() => void} end */
export function teachersPart(shown, acts, end) {
  const { pass, here, isOpen, isLost, trouble, question, sentences } = shown;
  const fold = () => now.merge({ isOpen: !isOpen });
  return html`<p><span>${page.t("class.code")}</span>
      <b data-part="class-code">${pass?.code}</b>
      <span data-part="class-here">${page.t("class.here", { count: here })}</span></p>
    <button type="button" aria-expanded=${String(isOpen)} @click=${fold}>
      ${page.t("class.door")}</button>
    <button type="button" @click=${acts.callBack}>${page.t("class.back")}</button>
    ${homeButton(acts.takeHome)}
    <button type="button" @click=${end}>${page.t("class.end")}</button>
    ${askForm(acts.ask)}
    ${question ? teachersGuesses(question, shown, acts) : nothing}
    ${sentences.length > 0 ? handedIn(sentences, acts.clear) : nothing}
    ${isOpen ? door(shown) : nothing}
    ${isLost ? html`<p role="alert">${page.t("class.lost")}</p>` : nothing}
    ${trouble ? html`<p role="alert">${trouble[page.language.get()]}</p>` : nothing}`;
}

/** Students' sentences, folded: the projector shows none before the teacher wants it.
 * @param {import("./line.js").Sentence[]} sentences @param {() => void} clear */
function handedIn(sentences, clear) {
  const count = sentences.reduce((sum, one) => sum + one.count, 0);
  const open =
    (/** @type {string} */ text) =>
    (/** @type {Event} */ { target }) => {
      const list = /** @type {Element} */ (target).closest("details");
      if (list) list.open = false;
      translate(text);
    };
  const from = (/** @type {number} */ pages) =>
    pages > 1 ? html` <small>${page.t("class.sentence.count", { count: pages })}</small>` : nothing;
  const item = (/** @type {import("./line.js").Sentence} */ one) =>
    html`<li><button type="button" @click=${open(one.text)}>${one.text}</button>
      ${from(one.count)}</li>`;
  return html`<details class="hl-class-fold" data-part="sentences">
    <summary>${page.t("class.sentences", { count })}</summary>
    <p>${page.t("class.sentences.seen")}</p>
    <ul>${sentences.map(item)}</ul>
    <button type="button" @click=${clear}>${page.t("class.sentences.clear")}</button>
  </details>`;
}
