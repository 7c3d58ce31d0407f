// The exhibits: each is fetched and mounted when its tab is first chosen, in its own section.

import { mountView } from "../kit/page.js";

import { mountMenu } from "./menu.js";
import { page } from "./state.js";
import { mountTeach } from "./teach.js";
import { awayWords, isHere } from "./views.js";
import { translate } from "./words.js";

/** @param {any} root @param {{assets: string}} gradio where the scripts are */
export function mount(root, { assets }) {
  const mounted = new Map(); // name -> {visible, end}, null while it is fetched
  const sections = [...root.querySelectorAll(".hl-panel")];
  mountMenu(root, assets);
  mountTeach(root.querySelector("#hl-index"));

  async function open(/** @type {any} */ section) {
    const name = section.dataset.exhibit;
    if (mounted.has(name)) return;
    mounted.set(name, null);
    if (!isHere(name)) return sayAway(section);
    try {
      const module = await import(`${assets}explorer/exhibits/${name}/view.js`);
      const view = mountView(module, section.querySelector(".hl-exhibit"), page, name);
      mounted.set(name, view);
      view.visible.set(!section.hidden);
      page.language.watch(() => translate(section));
    } catch (error) {
      mounted.delete(name);
      reportError(error);
      offerRetry(section, () => open(section));
    }
  }

  for (const store of [page.language, page.record]) store.watch(() => translate(root));
  page.selection.watch(({ exhibit }) => {
    const before = sections.find((section) => !section.hidden);
    for (const section of sections) {
      section.hidden = section.dataset.exhibit !== exhibit;
      mounted.get(section.dataset.exhibit)?.visible.set(!section.hidden);
    }
    const chosen = sections.find((section) => !section.hidden);
    if (!chosen) return; // a file with one view alone, at first
    open(chosen);
    if (chosen !== before) bringOut(chosen);
  });
  Object.assign(window, { headlight: { page, mounted } }); // for the console, and for tests
}

/** If chosen further down the page, the view starts below the strip of tokens, not behind it. */
function bringOut(/** @type {HTMLElement} */ section) {
  const strip = document.querySelector(".hl-sentence")?.getBoundingClientRect().bottom ?? 0;
  window.scrollBy(0, Math.min(0, section.getBoundingClientRect().top - strip));
}

/** The server is gone, or the network was lost for a moment. */
function offerRetry(/** @type {HTMLElement} */ section, /** @type {() => void} */ again) {
  const notice = document.createElement("p");
  notice.className = "hl-failed";
  notice.role = "alert";
  const retry = document.createElement("button");
  retry.type = "button";
  retry.textContent = page.t("request.retry");
  retry.addEventListener("click", () => {
    notice.remove();
    again();
  });
  notice.append(page.t("error.view"), " ", retry);
  section.querySelector(".hl-exhibit")?.before(notice);
}

/** A view that is not available: the file has no model for it, or it needs a server. */
function sayAway(/** @type {any} */ section) {
  const notice = document.createElement("p");
  notice.className = "hl-away";
  section.querySelector(".hl-exhibit").append(notice);
  page.language.watch(() => {
    notice.textContent = page.t(awayWords(section.dataset.exhibit));
    translate(section);
  });
}
