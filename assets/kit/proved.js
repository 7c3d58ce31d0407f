// On every view: that the browser ran the model again and got what is shown, and how long ago.

import { html, nothing } from "../vendor/lit-html.js";

const MINUTE = 60_000; // ms

/** The mark of the record on the page; none where it was not proved. @param {any} page */
export function provedMark(page) {
  const proved = page.proved.get();
  if (proved === null || proved.record !== page.record.get()) return nothing;
  const { holds, at } = proved;
  const minutes = Math.floor((Date.now() - at) / MINUTE);
  const age = page.t(minutes ? "proved.minutes" : "proved.now", { minutes });
  const title = page.t(holds ? "proved.holds" : "proved.fails");
  return html`<button type="button" class="hl-proved" data-holds=${String(holds)} title=${title}
    aria-label="${title} ${age}" @click=${() => page.choose({ exhibit: "proof" })}>${
      holds ? "✓" : "✗"
    } ${age}</button>`;
}
