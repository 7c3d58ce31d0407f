// "Save as one file": an HTML file with the page's content, scripts and styles, and the answers for
// views that work without a model. assets/shell/saved.js opens it.

import { lostOf } from "../kit/lost.js";
import { linesOnShow } from "../kit/readersline.js";
import { requestOf } from "../kit/requests.js";
import { html, render } from "../vendor/lit-html.js";
import { queryOf } from "./history.js";
import { lessonModel } from "./model.js";
import { channels, counted, page } from "./state.js";
import { isHere } from "./views.js";

const SESSION = "<!--session-->"; // its place in the document, see explorer/saved.py
const STOPPED = new Error("stopped by the visitor");

/** @typedef {import("../kit/types.js").Rec} Rec */
/** @typedef {{question: string, args: object, when?: object}} Wanted `when`: the arguments that the
 *   answer belongs to, where these are not all of `args` */

/** @param {any} sheet @param {string} assets where the scripts are */
export function mountSave(sheet, assets) {
  const place = sheet.querySelector(".hl-sheet");
  /** @type {AbortController|null} */
  let life = null; // of the file in progress
  const data = () => html`<button type="button" class="hl-button" data-session
      @click=${() => takeData("session", failed)}>${page.t("share.session")}</button>
    <button type="button" class="hl-button" data-arrays title=${page.t("share.arrays.hint")}
      @click=${() => takeData("arrays", failed)}>${page.t("share.arrays")}</button>`;
  const show = (/** @type {unknown} */ template) => render(html`${template}${data()}`, place);
  const stop = () => life?.abort(STOPPED);
  const failed = (/** @type {any} */ error) => show(html`<p role="alert">${sentenceOf(error)}</p>`);

  async function start() {
    const record = page.record.get();
    if (record === null || record.recorded)
      return render(html`<p>${page.t("share.later")}</p>`, place);
    life = new AbortController();
    const { signal } = life;
    const told = (/** @type {number} */ done, /** @type {number} */ all) =>
      show(running(done, all, stop));
    try {
      const session = await recorded(record, assets, told, signal);
      const file = await assembled(session, assets, signal);
      take(file, record.text);
      const size = (file.size / 1e6).toFixed(1);
      show(html`<p>${page.t("share.saved", { size })}</p>`);
    } catch (error) {
      if (error === STOPPED) show(html`<p>${page.t("share.stopped")}</p>`);
      else failed(error);
    } finally {
      life = null;
    }
  }

  sheet.addEventListener("toggle", () => {
    if (!sheet.open || life !== null) return;
    const lesson = lessonSize() === null ? null : page.lesson.get().name;
    if (lesson === null) start();
    else show(lessonFile(assets, lesson, start));
  });
}

/** @type {Record<string, {ending: string, made: (payload: any) => Blob}>} */
const FORMS = {
  session: {
    ending: "json",
    made: ({ file }) => new Blob([file], { type: "application/json" }),
  },
  arrays: {
    ending: "npz",
    made: ({ npz }) => new Blob([Uint8Array.from(atob(npz), (letter) => letter.charCodeAt(0))]),
  },
};

/** The record as data, byte for byte as written by Python: see explorer/session.
 * @param {string} question @param {(error: unknown) => void} failed */
async function takeData(question, failed) {
  try {
    const record = /** @type {Rec} */ (page.record.get());
    const body = { ...requestOf(record), question, arguments: {} };
    const { payload } = await replied(channels.question, body, new AbortController().signal);
    const { ending, made } = FORMS[question];
    take(made(payload), record.text, ending);
  } catch (error) {
    failed(error);
  }
}

const FRAME = 4.5; // MB of a lesson's file beside the model, whose bytes are written in letters

/** About how many MB a lesson with its model takes; null where no server gives it. */
function lessonSize() {
  const { published, models } = page.shared;
  const key = lessonModel(); // which the file has
  const weights = models.find((one) => one.key === key)?.weights ?? null;
  return published || weights === null || page.record.get()?.model.key !== key
    ? null
    : Math.round((weights.bytes * 4) / 3 / 1e6 + FRAME);
}

/** The way to the file of the lesson that is open; the view that is shown can be saved as well. */
const lessonFile = (
  /** @type {string} */ assets,
  /** @type {string} */ name,
  /** @type {() => void} */ start,
) =>
  html`<p>${page.t("share.lesson", { size: lessonSize() })}</p>
    <a class="hl-button hl-primary" download href="${assets}lesson/${name}?lang=${page.language.get()}">${page.t("share.lesson.take")}</a>
    <button type="button" class="hl-button" @click=${start}>${page.t("share.view")}</button>`;

const sentenceOf = (/** @type {any} */ error) =>
  error.sentence?.[page.language.get()] ?? page.t("error.unreachable");

const running = (
  /** @type {number} */ done,
  /** @type {number} */ all,
  /** @type {() => void} */ stop,
) =>
  html`<p>${page.t("share.saving")}</p>
    <progress max=${all} .value=${done} aria-label=${page.t("share.saving")}></progress>
    <button type="button" class="hl-button" @click=${stop}>${page.t("share.stop")}</button>`;

/**
 * The file's content: the words, the facts, the payload, the answers, the reader's lines and the
 * lost words.
 * @param {any} record @param {string} assets
 * @param {(done: number, all: number) => void} told @param {AbortSignal} signal
 */
async function recorded(record, assets, told, signal) {
  const [query, lines] = [queryOf(), Object.fromEntries(linesOnShow(page))];
  const lost = lostOf(page, record);
  const wanted = await wantedOf(record, assets);
  told(0, wanted.length);
  const { payload } = await replied(channels.explanation, requestOf(record), signal);
  const answers = [];
  for (const { question, args, when = args } of wanted) {
    const body = { ...requestOf(record), question, arguments: args };
    const reply = await replied(channels.question, body, signal);
    answers.push({ question, when, payload: reply.payload });
    told(answers.length, wanted.length);
  }
  const { constants } = page.shared;
  const exhibits = page.shared.exhibits.map((one) => ({ ...one, saved: isKept(one) }));
  const kept = exhibits.filter(({ saved }) => saved).map(({ name }) => name);
  const own = Object.entries(constants).filter(([name]) => kept.includes(name));
  const saved = { query, date: new Date().toISOString().slice(0, 10) };
  const facts = { ...page.shared, exhibits, constants: Object.fromEntries(own) };
  const shared = { ...facts, published: undefined, saved };
  return { words: page.words, shared, payload, answers, lines, lost };
}

/** True if an exhibit goes into the file: it must work there and here. */
const isKept = (/** @type {{name: string, saved: boolean}} */ { name, saved }) =>
  saved && isHere(name);

/** The questions of every saved view. @returns {Promise<Wanted[]>} */
async function wantedOf(/** @type {Rec} */ record, /** @type {string} */ assets) {
  const kept = page.shared.exhibits.filter(isKept);
  const views = await Promise.all(
    kept.map(({ name }) => import(`${assets}explorer/exhibits/${name}/view.js`)),
  );
  return views.flatMap((view) => view.questions?.(record, page) ?? []);
}

/** The reply if it has a payload; otherwise throws its message. */
async function replied(
  /** @type {import("./state.js").Channel} */ channel,
  /** @type {object} */ body,
  /** @type {AbortSignal} */ signal,
) {
  const found = await counted(channel, body, () => !signal.aborted);
  signal.throwIfAborted();
  if (found.payload) return found;
  throw Object.assign(new Error(found.message.en), { sentence: found.message });
}

/**
 * The document with the session, whose texts cannot end the script that contains them.
 * @param {any} session
 * @param {string} assets
 * @param {AbortSignal} signal
 */
async function assembled(session, assets, signal) {
  const response = await fetch(`${assets}saved`, { signal });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  const [before, after] = (await response.text()).split(SESSION);
  const text = JSON.stringify(session).replaceAll("<", "\\u003c");
  const script = `<script type="application/json" id="headlight-session">${text}</script>`;
  return new Blob([before, script, after], { type: "text/html" });
}

/**
 * Downloads the file; its name begins with the sentence. @param {Blob} file @param {string} text
 */
export function take(file, text, ending = "html") {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `${["headlight", ...words.slice(0, 5)].join("-").slice(0, 60)}.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
