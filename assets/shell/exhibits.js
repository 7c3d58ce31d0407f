// The exhibits: each is fetched and mounted when its tab is first chosen, in its own section.

import { mountView } from "../kit/page.js";
import { sheets } from "./sheets.js";
import { page } from "./state.js";
import { mountWay } from "./way.js";
import { translate } from "./words.js";

export function mount(root) {
  const mounted = new Map(); // name -> {visible, end}, null while it is fetched
  const sections = [...root.querySelectorAll(".hl-panel")];
  mountWay(root);
  sheets(root);

  async function open(section) {
    const name = section.dataset.exhibit;
    if (mounted.has(name)) return;
    mounted.set(name, null);
    try {
      const module = await import(`../../explorer/exhibits/${name}/view.js`);
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
  page.selection.watch(({ exhibit }) => {
    for (const section of sections) {
      section.hidden = section.dataset.exhibit !== exhibit;
      mounted.get(section.dataset.exhibit)?.visible.set(!section.hidden);
      if (!section.hidden) open(section);
    }
  });
  Object.assign(window, { headlight: { page, mounted } }); // for the console, and for tests
}
