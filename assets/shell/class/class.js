// The class together: begins one, or joins it, and shows it in a strip below the bar. It imports no
// view, and no view knows it.

import { html, nothing, render } from "../../vendor/lit-html.js";
import { page } from "../state.js";
import { NEW, stage } from "../teach.js";
import { homeButton, takeHome } from "./home.js";
import { openJournal } from "./journal.js";
import { createLine } from "./line.js";
import { createStay, now, OUTSIDE, sentenceOf } from "./stay.js";
import { studentsPart, study } from "./student.js";
import { teach, teachersPart } from "./teacher.js";

/** @typedef {import("./stay.js").Pass} Pass */

const KEPT = "headlight.class";

/** @param {any} root of the bar @param {string} assets the folder of the scripts */
export function createRoom(root, assets) {
  const line = createLine(assets);
  const { stayIn, leave, say, acts } = createStays(line);
  async function enter(/** @type {string} */ code) {
    const own = kept();
    if (code === NEW) {
      now.merge({ isOpen: true });
      return stayIn(await line("begin", {}), teach);
    }
    if (own?.code === code && own.secret) return stayIn(own, teach);
    const { id } = await line("join", { code, id: own?.id });
    return stayIn({ code, id }, study);
  }
  /** Ends a page's class, a student's or everybody's; if nobody hears it, it is soon forgotten.
   * @param {"leave"|"end"} how */
  const end = (how) => () => {
    line(how, now.get().pass ?? {}).catch(() => {});
    leave(how === "end" ? page.words["class.ended"] : null);
  };
  const part = () => {
    const { pass, refusal } = now.get();
    if (pass?.secret) return teachersPart(now.get(), acts(), end("end"));
    if (pass !== null) return studentsPart(now.get(), acts(), end("leave"));
    return html`<p role="alert">${refusal?.[page.language.get()]}</p>
      ${homeButton(acts().takeHome)}
      <button type="button" @click=${() => leave()}>${page.t("class.close")}</button>`;
  };
  mountStrip(root, part);
  return {
    enter: (/** @type {string} */ code) => enter(code).catch((error) => say(sentenceOf(error))),
  };
}

/** The page's stays in classes, one after the other.
 * @param {import("./stay.js").Line} line */
function createStays(line) {
  /** What this page does in its class. @type {any} */
  let acts = {};
  let endStay = () => {};
  /** @param {import("../../kit/types.js").Texts|null} refusal */
  const say = (refusal) => {
    now.set(refusal === null ? OUTSIDE : { ...OUTSIDE, seen: now.get().seen, refusal });
    stage.set("outside");
  };
  const leave = (/** @type {Parameters<typeof say>[0]} */ refusal = null) => {
    endStay();
    setAddress(null);
    say(refusal);
  };
  /** @param {Pass} pass @param {typeof teach | typeof study} begin */
  async function stayIn(pass, begin) {
    const journal = openJournal(line, pass);
    const stay = createStay(line, pass, (news) => {
      journal.hear(news);
      now.merge({ seen: journal.entries.length });
      acts.hear(news);
    });
    stay.signal.addEventListener("abort", page.record.watch(journal.translate));
    endStay = stay.leave;
    keep(pass);
    now.merge({ pass, refusal: null });
    stage.set("inside");
    acts = { ...begin(stay, line), takeHome: () => takeHome(pass.code, journal.entries) };
    const refusal = await stay.attend();
    if (refusal !== null) leave(sentenceOf(refusal));
  }
  return { stayIn, leave, say, acts: () => acts };
}

/** @param {any} root @param {() => unknown} part */
function mountStrip(root, part) {
  const strip = document.createElement("div");
  root.querySelector(".hl-bar").after(strip);
  let said = /** @type {object|null} */ (null);
  const draw = () => {
    const { pass, refusal, place } = now.get();
    const whole = () => html`<section class="hl-class" aria-label=${page.t("class.name")}>
      ${part()}
      <p class="hl-unseen" role="status" data-part="class-place">${place}</p>
    </section>`;
    render(pass === null && refusal === null ? nothing : whole(), strip);
    // On a phone it may be above what is seen.
    if (refusal !== said && refusal !== null) strip.scrollIntoView({ block: "nearest" });
    said = refusal;
  };
  for (const store of [now, page.language, page.record, page.selection]) store.watch(draw);
}

/** @param {string|null} code of the class that the page's address names */
function setAddress(code) {
  const address = new URL(window.location.href);
  if (code === null) address.searchParams.delete("class");
  else address.searchParams.set("class", code);
  window.history.replaceState(window.history.state, "", address);
}

/** What the page shows its class, until its tab is closed: who leaves and comes back guesses once.
 * @param {Pass} pass */
function keep(pass) {
  setAddress(pass.code);
  try {
    window.sessionStorage.setItem(KEPT, JSON.stringify(pass));
  } catch {
    // Without storage a reload joins the class again, as another page.
  }
}

/** @returns {Pass|null} */
function kept() {
  try {
    return JSON.parse(window.sessionStorage.getItem(KEPT) ?? "null");
  } catch {
    return null;
  }
}
