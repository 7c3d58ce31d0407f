// Opens the page on a static host: the same page, with an engine in a worker answering questions.
// explorer/publish.py writes the folder.

import { openChannels, unloaded } from "./engine.js";
import { mountAll } from "./start.js";
import { page } from "./state.js";

const ASSETS = new URL("../../", import.meta.url).href;
const SITE = new URL(".", document.baseURI).href;
const PATIENCE = 4_000; // ms for the service worker to take over

const element = /** @type {HTMLElement} */ (document.querySelector("#headlight-facts"));
const facts = JSON.parse(element.textContent ?? "");
Object.assign(page.shared, facts);

/** A folder for a class opens its lessons, unless the address names a view. */
function begin() {
  const { begin: view } = facts.published;
  const address = new URL(window.location.href);
  if (view === null || address.searchParams.has("view") || window.history.state?.query) return;
  address.searchParams.set("view", view);
  window.history.replaceState(null, "", address);
}

/** Resolves when the service worker is active, or if there is none (http from another machine). */
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
    // The browser forbids it, as in a private window; the page then always needs its host.
  }
}

function connect() {
  const worker = new Worker(`${ASSETS}assets/engine/answering.js`, { type: "module" });
  worker.addEventListener("error", unloaded);
  /** @param {Record<string, any>} all @param {(one: any) => any} make */
  const each = (all, make) =>
    Object.fromEntries(Object.entries(all).map(([name, one]) => [name, make(one)]));
  const addresses = each(facts.published.models, ({ files }) =>
    each(files, (path) => `${SITE}${path}`),
  );
  openChannels(worker, facts, addresses);
  once(keepAll);
}

/** Once the page is live, the rest of the folder is fetched for offline use.
 * @param {(record: import("../kit/types.js").Rec) => void} act */
function once(act) {
  const end = page.record.watch((record) => {
    if (record === null || record.recorded) return;
    setTimeout(() => end());
    act(record);
  });
}

/** What the page needs, and the model that is shown; another one is kept when it is chosen.
 * @param {import("../kit/types.js").Rec} record */
async function keepAll({ model }) {
  if (!navigator.serviceWorker?.controller) return;
  const { kept, models } = facts.published;
  const below = (/** @type {string} */ folder) => (/** @type {string} */ path) => folder + path;
  for (const { page: own, site } of [kept, models[model.key].kept]) {
    for (const address of [...site.map(below(SITE)), ...own.map(below(ASSETS))]) {
      const { body } = await fetch(address, { priority: "low" });
      await body?.cancel();
    }
  }
  document.body.dataset.kept = "";
}

begin();
mountAll(facts, ASSETS);
keeper().then(connect);
