// The class together: Teach begins one, `?class=CODE` joins it. It imports no view, and no view
// knows it.

import { createStore } from "../kit/store.js";
import { html, nothing, render } from "../vendor/lit-html.js";
import {
  askForm,
  studentsGuesses,
  teachersGuesses,
  watchGuess,
  watchLesson,
  watchNext,
} from "./classguess.js";
import { createLine, listen } from "./classline.js";
import { createFollower } from "./classstudent.js";
import { leadClass } from "./classteacher.js";
import { lessonOf } from "./classview.js";
import { note } from "./note.js";
import { qrCode } from "./qr.js";
import { page } from "./state.js";

/** @typedef {import("./classguess.js").Asked} Asked */
/** @typedef {import("./classline.js").Pass} Pass */
/** @typedef {import("./classline.js").News} News */

const KEPT = "headlight.class";
const NEW = "new";
const SELF = /^(localhost|127\.[\d.]+|\[::1\])$/; // addresses that lead nowhere from a phone
const QUIET = 4; // cells of paper around a QR code

/**
 * @typedef {object} Now
 * @property {Pass|null} pass null outside a class
 * @property {number} here students, for the teacher
 * @property {number} guessed those who have guessed, for the teacher
 * @property {import("./classguess.js").Question|null} question what the class is asked
 * @property {boolean} isBeginning whether the class has been begun, or is about to be
 * @property {boolean} isOpen whether the teacher shows how to join
 * @property {boolean} isAway whether the student is on own ways
 * @property {boolean} isLost whether the server is out of reach
 * @property {import("../kit/types.js").Texts|null} refusal why there is no class
 * @property {string|null} trouble a key: what the class cannot do now
 * @property {string} place where the class is, in words, for a screen reader
 * @property {string} base the page's address, as phones reach it
 * @property {string[]|null} hosts this machine's addresses, if the link leads to it alone
 */

/** @type {Now} */
const OUTSIDE = {
  pass: null,
  here: 0,
  guessed: 0,
  question: null,
  isBeginning: false,
  isOpen: false,
  isAway: false,
  isLost: false,
  refusal: null,
  trouble: null,
  place: "",
  base: "",
  hosts: null,
};

const now = createStore(OUTSIDE);
let press = () => {}; // of Teach, once the class is mounted

/** Teach stands beside the list of views, where it takes no room from the sentence.
 * @param {HTMLElement} index */
export function mountTeach(index) {
  const place = document.createElement("p");
  place.className = "hl-teach";
  index.before(place);
  const teach = () =>
    html`<button type="button" data-part="teach" ?disabled=${now.get().isBeginning}
      @click=${() => press()}>
      ${page.t("class.teach")}</button>`;
  const draw = () => render(now.get().pass === null ? teach() : nothing, place);
  for (const store of [now, page.language]) store.watch(draw);
}

/** @param {any} root @param {string} assets the folder of the scripts */
export function mountClass(root, assets) {
  const asked = new URLSearchParams(window.location.search).get("class");
  if (page.shared.saved || page.shared.published) {
    press = () => note("class.away", {});
    if (asked !== null) press();
    return;
  }
  const place = document.createElement("div");
  root.querySelector(".hl-bar").after(place);
  const room = createRoom(assets);
  const draw = () => {
    const { pass, refusal } = now.get();
    render(pass === null && refusal === null ? nothing : strip(now.get(), room), place);
  };
  for (const store of [now, page.language, page.record, page.selection]) store.watch(draw);
  press = room.begin;
  if (asked === NEW) room.begin();
  else if (asked !== null) room.enter(asked.trim().toUpperCase());
}

/** @typedef {ReturnType<typeof createRoom>} ClassRoom */

/** @param {string} assets */
function createRoom(assets) {
  const line = createLine(assets);
  const stay = createStay(line);
  const { attend, leave, signal, refuse } = stay;
  const { send, guess, offer } = createVoice(line, stay);
  const ask = (/** @type {Asked|null} */ question) => send("ask", { question });
  async function lead(/** @type {Pass} */ own) {
    now.merge({ base: plainAddress() });
    const refused = (/** @type {string|null} */ trouble) => now.merge({ trouble });
    leadClass({ line, pass: own, refused, signal: signal() });
    attend(own, ({ here = 0, guessed = 0 }) => {
      now.merge({ here, guessed });
      lesson.look();
    });
    const lesson = watchLesson(ask); // from here on, as it asks in the class that is attended
    for (const end of [lesson.end, watchNext(now, ask)]) until(signal(), end);
    if (SELF.test(window.location.hostname)) now.merge(await outwards(line).catch(() => ({})));
  }
  async function follow(/** @type {string} */ code) {
    const { id } = await line("join", { code, id: kept()?.id });
    const tell = (/** @type {boolean} */ isAway) => now.merge({ isAway });
    const shown = (/** @type {string} */ state) => now.merge({ place: sentenceOf(state) });
    const follower = createFollower({ tell, shown, signal: signal() });
    room.comeBack = follower.return;
    attend({ code, id }, (news) => {
      follower.hear(news);
      offer();
    });
    until(signal(), watchGuess(guess));
  }
  const begin = async () => {
    if (now.get().isBeginning) return;
    now.merge({ isOpen: true, isBeginning: true });
    await lead(await line("begin", {}));
  };
  const enter = (/** @type {string} */ code) => {
    const own = kept();
    return own?.code === code && own.secret ? lead(own) : follow(code);
  };
  const room = {
    ...{ comeBack: () => {}, close: leave, ask, guess },
    begin: () => begin().catch(refuse),
    enter: (/** @type {string} */ code) => enter(code).catch(refuse),
    callBack: () => send("call"),
    reveal: () => send("reveal"),
    leave: endings(line, leave),
  };
  return room;
}

/** @param {AbortSignal} signal @param {() => void} end */
const until = (signal, end) => signal.addEventListener("abort", end, { once: true });

/** Ends a page's class, of a student or of all; if that is not heard, it is forgotten soon anyway.
 * @param {ReturnType<typeof createLine>} line @param {() => void} leave */
const endings = (line, leave) => async (/** @type {"leave"|"end"} */ how) => {
  const { pass } = now.get();
  leave();
  if (how === "end") note("class.ended", {});
  await line(how, pass ?? {}).catch(() => {});
};

/** What a page tells its class.
 * @param {ReturnType<typeof createLine>} line @param {ReturnType<typeof createStay>} stay */
function createVoice(line, { signal, hear }) {
  /** @type {{key: string, choice: number}|null} */
  let own = null; // a guess that the class does not have yet, or asks for a moment later
  /** Whether the class has heard it, or refused it. @param {string} name @param {object} [given] */
  async function send(name, given) {
    const life = signal();
    try {
      hear(await line(name, { ...now.get().pass, ...given }), life);
      if (!life.aborted) now.merge({ trouble: null });
    } catch (error) {
      const isLost = error.reason === undefined;
      if (!life.aborted) now.merge(isLost ? { isLost } : { trouble: error.reason });
      return !isLost;
    }
    return true;
  }
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
  return { send, guess, offer };
}

/** The time that the page spends in a class.
 * @param {ReturnType<typeof createLine>} line */
function createStay(line) {
  let [life, version] = [new AbortController(), -1];
  /** Whether news are as new as all before, and the page is still in the class.
   * @param {News} news @param {AbortSignal} signal */
  const hear = (news, signal) => {
    if (signal.aborted || news.version < version) return false;
    version = news.version;
    now.merge({ question: news.question });
    return true;
  };
  const refuse = (/** @type {any} */ { sentence, reason = "error.unreachable" }) =>
    now.set({ ...OUTSIDE, refusal: sentence ?? page.words[reason] });
  const leave = () => {
    life.abort();
    [life, version] = [new AbortController(), -1];
    setAddress(null);
    now.set(OUTSIDE);
  };
  return {
    leave,
    refuse,
    hear,
    signal: () => life.signal,
    /** @param {Pass} pass @param {(news: News) => void} act */
    async attend(pass, act) {
      const { signal } = life;
      keep(pass);
      now.merge({ pass, refusal: null });
      const lost = (/** @type {boolean} */ isLost) => now.merge({ isLost });
      const tell = (/** @type {News} */ news) => hear(news, signal) && act(news);
      const refusal = await listen({ line, pass, tell, lost, signal });
      if (refusal === null) return;
      leave();
      refuse(refusal);
    },
  };
}

const plainAddress = () => window.location.origin + window.location.pathname;

/** The page's address as other devices reach it, or that they do not.
 * @param {ReturnType<typeof createLine>} line */
async function outwards(line) {
  const { addresses } = await line("addresses", {});
  const open = addresses.find((/** @type {any} */ one) => one.open);
  if (open === undefined) return { hosts: addresses.map((/** @type {any} */ one) => one.host) };
  const base = new URL(plainAddress());
  base.hostname = open.host;
  return { base: base.href };
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

/** Where the class is, in words. @param {string} state */
function sentenceOf(state) {
  const led = lessonOf(state);
  const { exhibit } = page.selection.get();
  if (led === null) return page.t("class.now", { view: page.t(`${exhibit}.title`) });
  const lesson = led.lesson.title[page.language.get()];
  return page.t("class.now.step", { lesson, step: led.step + 1 });
}

/** @param {string} words @param {() => void} act @param {string} [own] */
const button = (words, act, own = "") =>
  html`<button type="button" class=${own} @click=${act}>${page.t(words)}</button>`;

/** @param {Now} shown @param {ClassRoom} room */
function strip(shown, room) {
  return html`<section class="hl-class" aria-label=${page.t("class.name")}>
    ${partOf(shown, room)}
    <p class="hl-unseen" role="status" data-part="class-place">${shown.place}</p>
  </section>`;
}

/** @param {Now} shown @param {ClassRoom} room */
function partOf(shown, room) {
  if (shown.pass === null)
    return html`<p role="alert">${shown.refusal?.[page.language.get()]}</p>
      ${button("class.close", room.close)}`;
  return shown.pass.secret ? teacher(shown, room) : student(shown, room);
}

/** @param {Now} shown @param {ClassRoom} room */
function teacher(shown, room) {
  const { pass, here, isOpen, isLost, trouble } = shown;
  const fold = () => now.merge({ isOpen: !isOpen });
  return html`<p><span>${page.t("class.code")}</span>
      <b data-part="class-code">${pass?.code}</b>
      <span data-part="class-here">${page.t("class.here", { count: here })}</span></p>
    <button type="button" aria-expanded=${String(isOpen)} @click=${fold}>
      ${page.t("class.door")}</button>
    ${button("class.back", room.callBack)}
    ${button("class.end", () => room.leave("end"))}
    ${askForm(room.ask)}
    ${shown.question ? teachersGuesses(shown.question, shown, room) : nothing}
    ${isOpen ? door(shown) : nothing}
    ${isLost || trouble ? html`<p role="alert">${page.t(trouble ?? "class.lost")}</p>` : nothing}`;
}

/** @param {Now} shown */
function door({ pass, base, hosts }) {
  const link = `${base}?class=${pass?.code}`;
  const rows = hosts === null ? qrCode(link) : []; // a code that leads nowhere is not shown
  return html`<div class="hl-class-door">
    <div>
      ${hosts === null ? html`<p>${page.t("class.open")}</p>` : nothing}
      <p><a href=${link} target="_blank" rel="noopener">${link}</a></p>
      <p class="hl-class-code" aria-hidden="true">${pass?.code}</p>
      ${hosts === null ? nothing : html`<p role="alert">${page.t("class.alone")}</p>`}
      ${hosts?.length ? html`<p>${hostsText(hosts)}</p>` : nothing}
    </div>
    ${rows === null ? html`<p>${page.t("class.wide")}</p>` : nothing}
    ${rows?.length ? picture(rows) : nothing}
  </div>`;
}

const hostsText = (/** @type {string[]} */ hosts) =>
  page.t("class.alone.hosts", { hosts: hosts.join(", ") });

/** @param {boolean[][]} rows */
function picture(rows) {
  const size = rows.length + 2 * QUIET;
  const cell = (/** @type {boolean} */ isDark, /** @type {number} */ x, /** @type {number} */ y) =>
    isDark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : "";
  const path = rows.flatMap((row, y) => row.map((isDark, x) => cell(isDark, x, y))).join("");
  return html`<svg class="hl-class-qr" viewBox="0 0 ${size} ${size}" role="img"
    shape-rendering="crispEdges" aria-label=${page.t("class.qr")}><path d=${path}></path></svg>`;
}

/** @param {Now} shown @param {ClassRoom} room */
function student({ isAway, isLost, pass, question }, room) {
  const words = isLost ? "class.lost" : isAway ? "class.own" : "class.following";
  const back = button("class.return", () => room.comeBack(), "hl-primary");
  return html`<p role="status"><b data-part="class-code">${pass?.code}</b> ${page.t(words)}</p>
    ${isAway ? back : nothing}
    ${button("class.leave", () => room.leave("leave"))}
    ${question ? studentsGuesses(question, room.guess) : nothing}`;
}
