// The way into a class: Teach, and a link with `?class=`. What a class needs is fetched only then.

import { createStore } from "../kit/store.js";
import { html, nothing, render } from "../vendor/lit-html.js";
import { note } from "./note.js";
import { page } from "./state.js";

export const NEW = "new"; // in place of a code: begin a class

export const stage = createStore(/** @type {"outside"|"entering"|"inside"} */ ("outside"));
let enter = (/** @type {string} */ _code) => {}; // once the bar is mounted

/** Teach stands beside the list of views, where it takes no room from the sentence.
 * @param {HTMLElement} index */
export function mountTeach(index) {
  const place = document.createElement("p");
  place.className = "hl-teach";
  index.before(place);
  const teach = () =>
    html`<button type="button" data-part="teach" ?disabled=${stage.get() === "entering"}
      @click=${() => enter(NEW)}>
      ${page.t("class.teach")}</button>`;
  const draw = () => render(stage.get() === "inside" ? nothing : teach(), place);
  for (const store of [stage, page.language]) store.watch(draw);
}

/** @param {any} root of the bar @param {string} assets the folder of the scripts */
export function mountClass(root, assets) {
  // Not its own type: a saved file has every script that another one names (explorer/saved.py).
  /** @type {{enter: (code: string) => void}|null} */
  let room = null;
  const isAway = page.shared.saved || page.shared.published;
  enter = async (code) => {
    if (isAway) return note("class.away", {});
    if (stage.get() !== "outside") return;
    stage.set("entering");
    try {
      const { createRoom } = await import(`${assets}assets/shell/class/class.js`);
      room ??= createRoom(root, assets);
    } catch {
      stage.set("outside");
      return note("error.unreachable", {});
    }
    room?.enter(code);
  };
  const asked = new URLSearchParams(window.location.search).get("class");
  if (asked !== null) enter(asked === NEW ? NEW : asked.trim().toUpperCase());
}
