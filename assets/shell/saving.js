// "Save as one file": an HTML file with what is on the page, the scripts and styles, and the
// answers that the views ask for which need no model alive. assets/shell/saved.js opens it.

import { requestOf } from "../kit/requests.js";
import { html, render } from "../vendor/lit-html.js";
import { queryOf } from "./history.js";
import { channels, page } from "./state.js";
import { isHere } from "./way.js";

const SESSION = "<!--session-->"; // its place in the document, see explorer/saved.py
const STOPPED = new Error("stopped by the visitor");

/** @typedef {{question: string, args: object, when?: object}} Wanted `when`: the arguments that the
 *   answer belongs to, where these are not all of `args` */

/** @param {any} sheet @param {string} assets where the scripts are */
export function mountSave(sheet, assets) {
  const place = sheet.querySelector(".hl-sheet");
  /** @type {AbortController|null} */
  let life = null; // of the file that is being made
  const data = () => html`<button type="button" class="hl-button" data-session @click=${takeData}>
    ${page.t("share.session")}</button>`;
  const show = (/** @type {unknown} */ template) => render(html`${template}${data()}`, place);
  const stop = () => life?.abort(STOPPED);

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
      else show(html`<p role="alert">${sentenceOf(error)}</p>`);
    } finally {
      life = null;
    }
  }

  /** The session as data, in the bytes that Python writes: see explorer/session. */
  async function takeData() {
    try {
      const record = page.record.get();
      const body = { ...requestOf(record), question: "session", arguments: {} };
      const { payload } = await replied(
        channels.question.request(body),
        new AbortController().signal,
      );
      take(new Blob([payload.file], { type: "application/json" }), record.text, "json");
    } catch (error) {
      show(html`<p role="alert">${sentenceOf(error)}</p>`);
    }
  }

  sheet.addEventListener("toggle", () => {
    if (sheet.open && life === null) start();
  });
}

const sentenceOf = (error) => error.sentence?.[page.language.get()] ?? page.t("error.unreachable");

const running = (
  /** @type {number} */ done,
  /** @type {number} */ all,
  /** @type {() => void} */ stop,
) =>
  html`<p>${page.t("share.saving")}</p>
    <progress max=${all} .value=${done} aria-label=${page.t("share.saving")}></progress>
    <button type="button" class="hl-button" @click=${stop}>${page.t("share.stop")}</button>`;

/**
 * What the file holds: the words, the facts, the payload and the answers.
 * @param {any} record @param {string} assets
 * @param {(done: number, all: number) => void} told @param {AbortSignal} signal
 */
async function recorded(record, assets, told, signal) {
  const query = queryOf();
  const wanted = await wantedOf(record, assets);
  told(0, wanted.length);
  const { payload } = await replied(channels.explanation.request(requestOf(record)), signal);
  const answers = [];
  for (const { question, args, when = args } of wanted) {
    const body = { ...requestOf(record), question, arguments: args };
    const reply = await replied(channels.question.request(body), signal);
    answers.push({ question, when, payload: reply.payload });
    told(answers.length, wanted.length);
  }
  const { constants } = page.shared;
  const exhibits = page.shared.exhibits.map((one) => ({ ...one, saved: isKept(one) }));
  const kept = exhibits.filter(({ saved }) => saved).map(({ name }) => name);
  const own = Object.entries(constants).filter(([name]) => kept.includes(name));
  const saved = { query, date: new Date().toISOString().slice(0, 10) };
  const facts = { ...page.shared, exhibits, constants: Object.fromEntries(own) };
  const shared = { ...facts, recorded: false, published: undefined, saved };
  return { words: page.words, shared, payload, answers };
}

/** Whether an exhibit goes into the file: one that works there, and here. */
const isKept = ({ name, saved }) => saved && isHere(name);

/** The questions of every view that is saved. @returns {Promise<Wanted[]>} */
async function wantedOf(record, /** @type {string} */ assets) {
  const kept = page.shared.exhibits.filter(isKept);
  const views = await Promise.all(
    kept.map(({ name }) => import(`${assets}explorer/exhibits/${name}/view.js`)),
  );
  return views.flatMap((view) => view.questions?.(record, page) ?? []);
}

/** A reply with a payload; else what it says is thrown. */
async function replied(/** @type {Promise<any>} */ reply, /** @type {AbortSignal} */ signal) {
  const found = await reply;
  signal.throwIfAborted();
  if (found.payload) return found;
  throw Object.assign(new Error(found.message.en), { sentence: found.message });
}

/** The document with the session in it; no text of it can end the script that it stands in. */
async function assembled(session, /** @type {string} */ assets, /** @type {AbortSignal} */ signal) {
  const response = await fetch(`${assets}saved`, { signal });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  const [before, after] = (await response.text()).split(SESSION);
  const text = JSON.stringify(session).replaceAll("<", "\\u003c");
  const script = `<script type="application/json" id="headlight-session">${text}</script>`;
  return new Blob([before, script, after], { type: "text/html" });
}

/** Downloads the file; its name begins with the sentence. @param {Blob} file @param {string} text */
function take(file, text, ending = "html") {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `${["headlight", ...words.slice(0, 5)].join("-").slice(0, 60)}.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
