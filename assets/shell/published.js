// Opens the page on a static host: the same page, whose questions an engine in a worker answers.
// explorer/publish.py writes the folder.

import { fill } from "../kit/page.js";
import { mount } from "./start.js";
import { channels, page } from "./state.js";

const ASSETS = new URL("../../", import.meta.url).href;
const SITE = new URL(".", document.baseURI).href;
const PARTS = {
  bar: "hl-top",
  sentence: "hl-middle",
  below: "hl-below",
  exhibits: "hl-exhibits",
  lesson: "hl-lesson",
};
const PATIENCE = 4_000; // ms for the browser to take over the keeping of files

const element = /** @type {HTMLElement} */ (document.querySelector("#headlight-facts"));
const facts = JSON.parse(element.textContent ?? "");
Object.assign(page.shared, facts);

/** A folder for a class begins with its lessons, where the address names no view. */
function begin() {
  const { begin: view } = facts.published;
  const address = new URL(window.location.href);
  if (view === null || address.searchParams.has("view") || window.history.state?.query) return;
  address.searchParams.set("view", view);
  window.history.replaceState(null, "", address);
}

/** What keeps the folder for later is at work, or there is none: http beyond this machine, say. */
async function keeper() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  try {
    await serviceWorker.register(`${SITE}offline.js`);
    if (serviceWorker.controller !== null) return;
    await new Promise((resolve) => {
      serviceWorker.addEventListener("controllerchange", resolve, { once: true });
      setTimeout(resolve, PATIENCE);
    });
  } catch {
    // The browser forbids it, as in a private window; the page then needs its host each time.
  }
}

/** The engine, from whose load on the channels are open. */
function connect() {
  const worker = new Worker(`${ASSETS}assets/engine/answering.js`, { type: "module" });
  const fail = () => page.say({ words: "published.failed" });
  worker.addEventListener("error", fail);
  worker.addEventListener("message", ({ data }) => {
    if (data.kind === "reply") channels[data.channel].receive(JSON.stringify(worded(data.reply)));
    else if (data.kind === "loading") page.say(loading(data));
    else if (data.kind === "failed") fail();
    else open(worker);
  });
  const { models } = facts.published;
  const addresses = Object.entries(models).map(([key, one]) => [key, `${SITE}${one.folder}/`]);
  worker.postMessage({ kind: "begin", facts, folders: Object.fromEntries(addresses) });
}

/** A reply as Python would word it: see explorer/exchange/reply.py. */
function worded(/** @type {any} */ { number, payload, refusal }) {
  if (payload) return { number, payload };
  const { key, message, values } = refusal;
  const named = [key, `error.model.${key}`].find((name) => name in page.words);
  const word = page.words[named ?? "error.input"];
  const given = named ? values : { message };
  const setting = page.words[`settings.${values.name}`];
  const inChinese = setting ? { ...given, name: `“${setting.zh}”` } : given;
  const isAway = Boolean(key?.startsWith("published."));
  return { number, message: { en: fill(word.en, given), zh: fill(word.zh, inChinese) }, isAway };
}

const MEGABYTE = 1e6;
const loading = ({ done, all }) => ({
  words: "published.loading",
  values: { done: (done / MEGABYTE).toFixed(1), all: (all / MEGABYTE).toFixed(1) },
  isWork: true,
});

function open(/** @type {Worker} */ worker) {
  page.say(null);
  for (const [channel, { connect: take }] of Object.entries(channels))
    take((/** @type {any} */ request) => worker.postMessage({ kind: "ask", channel, request }));
  once(keepAll);
}

/** Once the page is live the rest of the folder is fetched, so that all of it is there offline. */
function once(/** @type {() => void} */ act) {
  const end = page.record.watch((record) => {
    if (record === null || record.recorded) return;
    setTimeout(() => end());
    act();
  });
}

async function keepAll() {
  if (!navigator.serviceWorker?.controller) return;
  for (const path of facts.published.kept) {
    const { body } = await fetch(`${SITE}${path}`, { priority: "low" });
    await body?.cancel();
  }
  document.body.dataset.kept = "";
}

begin();
for (const [part, id] of Object.entries(PARTS)) {
  mount(part, document.getElementById(id), { props: {}, assets: ASSETS });
}
mount("page", document.createElement("div"), { props: { facts }, assets: ASSETS });
keeper().then(connect);
