// The exhibits: each is fetched and mounted when its tab is first chosen, in its own section.

import { mountView } from "../kit/page.js";
import { sheets } from "./sheets.js";
import { page } from "./state.js";
import { isHere, mountWay } from "./way.js";
import { translate } from "./words.js";

/** @param {any} root @param {{assets: string}} gradio where the scripts are */
export function mount(root, { assets }) {
  const mounted = new Map(); // name -> {visible, end}, null while it is fetched
  const sections = [...root.querySelectorAll(".hl-panel")];
  mountWay(root, assets);
  sheets(root);

  async function open(section) {
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
      offerRetry(section);
    }
  }

  // A server that is gone, or a network that was lost for a moment.
  function offerRetry(section) {
    const notice = document.createElement("p");
    notice.className = "hl-failed";
    notice.role = "alert";
    const retry = document.createElement("button");
    retry.type = "button";
    retry.textContent = page.t("request.retry");
    retry.addEventListener("click", () => {
      notice.remove();
      open(section);
    });
    notice.append(page.t("error.view"), " ", retry);
    section.querySelector(".hl-exhibit").before(notice);
  }

  page.language.watch(() => translate(root));
  let shown = "";
  page.selection.watch(({ exhibit }) => {
    for (const section of sections) {
      section.hidden = section.dataset.exhibit !== exhibit;
      mounted.get(section.dataset.exhibit)?.visible.set(!section.hidden);
      if (section.hidden) continue;
      open(section);
      if (shown !== exhibit) bringOut(section);
      shown = exhibit;
    }
  });
  Object.assign(window, { headlight: { page, mounted } }); // for the console, and for tests
}

/** Chosen further down the page: the view begins below the strip of tokens, not behind it. */
function bringOut(section) {
  const strip = document.querySelector(".hl-sentence").getBoundingClientRect();
  window.scrollBy(0, Math.min(0, section.getBoundingClientRect().top - strip.bottom));
}

/** A view that a saved session does not have, because there is no model for it. */
function sayAway(section) {
  const notice = document.createElement("p");
  notice.className = "hl-away";
  section.querySelector(".hl-exhibit").append(notice);
  page.language.watch(() => {
    notice.textContent = page.t("saved.away");
    translate(section);
  });
}
