// A student's part of a class.

import { html, nothing } from "../../vendor/lit-html.js";
import { page } from "../state.js";
import { createFollower } from "./follow.js";
import { studentsGuesses } from "./guesses.js";
import { homeButton } from "./home.js";
import { watchGuess } from "./question.js";
import { lessonOf } from "./shown.js";
import { now } from "./stay.js";

/** @typedef {ReturnType<typeof study> & {takeHome: () => void}} Studying */

/** Begins to follow. @param {import("./stay.js").Stay} stay */
export function study({ send, signal }) {
  const tell = (/** @type {boolean} */ isAway) => now.merge({ isAway });
  const shown = (/** @type {string} */ state) => now.merge({ place: sentenceOf(state) });
  const follower = createFollower({ tell, shown, signal });
  const { guess, offer } = createGuess(send);
  signal.addEventListener("abort", watchGuess(guess));
  return {
    hear(/** @type {import("./stay.js").News} */ news) {
      follower.hear(news);
      offer();
    },
    comeBack: follower.return,
    guess,
    handIn: (/** @type {string} */ text) => send("hand", { text }),
  };
}

/** Sends the page's guess, until the class has it; one may ask for it a moment later.
 * @param {import("./stay.js").Stay["send"]} send */
function createGuess(send) {
  /** @type {{key: string, choice: number}|null} */
  let own = null; // what the class does not have yet
  async function offer() {
    const { question } = now.get();
    if (own === null || question?.key !== own.key || question.own !== null) return;
    const given = own;
    own = null;
    if (!(await send("guess", given))) own ??= given;
  }
  const guess = (/** @type {string} */ key, /** @type {number} */ choice) => {
    own = { key, choice };
    offer();
  };
  return { guess, offer };
}

/** Where the class is, in words. @param {string} state */
function sentenceOf(state) {
  const led = lessonOf(state);
  const { exhibit } = page.selection.get();
  if (led === null) return page.t("class.now", { view: page.t(`${exhibit}.title`) });
  const lesson = led.lesson.title[page.language.get()];
  return page.t("class.now.step", { lesson, step: led.step + 1 });
}

/** @param {import("./stay.js").Now} shown @param {Studying} acts @param {() => void} leave */
export function studentsPart(shown, acts, leave) {
  const { isAway, isLost, pass, question, trouble } = shown;
  const words = isLost ? "class.lost" : isAway ? "class.own" : "class.following";
  const back = html`<button type="button" class="hl-primary" @click=${acts.comeBack}>
    ${page.t("class.return")}</button>`;
  return html`<p role="status"><b data-part="class-code">${pass?.code}</b> ${page.t(words)}</p>
    ${isAway ? back : nothing}
    ${ownSentence(shown, acts)}
    ${homeButton(acts.takeHome)}
    <button type="button" @click=${leave}>${page.t("class.leave")}</button>
    ${question ? studentsGuesses(question, acts.guess) : nothing}
    ${trouble ? html`<p role="alert">${trouble[page.language.get()]}</p>` : nothing}`;
}

/** A sentence that is not the class's can be handed in.
 * @param {import("./stay.js").Now} shown @param {Studying} acts */
function ownSentence({ state, handed }, { handIn }) {
  const text = page.record.get()?.text.trim() ?? "";
  if (text === "" || text === new URLSearchParams(state).get("text")?.trim()) return nothing;
  if (text === handed) return html`<p role="status">${page.t("class.handed")}</p>`;
  return html`<button type="button" data-part="hand-in" @click=${() => handIn(text)}>
    ${page.t("class.hand")}</button>`;
}
