// The link to the page's state: copied, or shown for copying by hand.

import { html, nothing, render } from "../vendor/lit-html.js";
import { queryOf } from "./history.js";
import { linkTo } from "./link.js";
import { page } from "./state.js";

const SAID = 2000; // ms that the sheet confirms the copied link

export function mountCopy(/** @type {any} */ sheet) {
  const place = sheet.querySelector(".hl-sheet");
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  const show = (/** @type {unknown} */ template, /** @type {number} */ forMs) => {
    clearTimeout(timer);
    render(template, place);
    sheet.open = true;
    const close = () => {
      sheet.open = false;
    };
    if (forMs > 0) timer = setTimeout(close, forMs);
  };
  sheet.querySelector("summary").addEventListener("click", async (/** @type {Event} */ event) => {
    event.preventDefault();
    const query = queryOf();
    if (query === null) return show(html`<p>${page.t("share.later")}</p>`, SAID);
    const { link, left } = await linkTo(query, page.record.get()?.model);
    try {
      await navigator.clipboard.writeText(link);
      const isWhole = left.length === 0;
      show(html`<p>${page.t("share.copied")}</p>${leftOut(left)}`, isWhole ? SAID : 0);
    } catch {
      show(byHand(link, left), 0); // not allowed here, or no secure connection
      place.querySelector("input").select();
    }
  });
}

/** The views whose choices were too long for the link. @param {string[]} left */
function leftOut(left) {
  if (left.length === 0) return nothing;
  const views = left.map((name) => (name === "changes" ? "experiments" : name.split(".")[0]));
  const what = [...new Set(views)].map((name) => page.t(`${name}.title`));
  return html`<p>${page.t("share.left", { what: what.join(page.t("changed.comma")) })}</p>`;
}

const byHand = (/** @type {string} */ link, /** @type {string[]} */ left) =>
  html`<label><span>${page.t("share.by_hand")}</span>
    <input type="text" readonly .value=${link} @focus=${(/** @type {any} */ { target }) => target.select()}></label>
  ${leftOut(left)}`;
