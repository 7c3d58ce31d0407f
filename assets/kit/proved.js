// On every view of a sentence: that the browser ran the model again and got what is shown, and how
// long ago. What views were answered since then was not compared: then the mark is of the sentence.

import { html, nothing } from "../vendor/lit-html.js";

const MINUTE = 60_000; // ms

/** The mark of the record on the page; none where it was not proved. @param {any} page */
export function provedMark(page) {
  const proved = page.proved.get();
  if (proved === null || proved.record !== page.record.get()) return nothing;
  const { record, holds, at, known } = proved;
  const minutes = Math.floor((Date.now() - at) / MINUTE);
  const age = page.t(minutes ? "proved.minutes" : "proved.now", { minutes });
  const isOlder = holds && page.answers.get(record) !== known;
  const title = page.t(isOlder ? "proved.older" : holds ? "proved.holds" : "proved.fails");
  return html`<button type="button" class="hl-proved" data-holds=${String(holds)} title=${title}
    aria-label="${title} ${age}" @click=${() => page.choose({ exhibit: "proof" })}>${
      holds ? "✓" : "✗"
    } ${isOlder ? page.t("proved.sentence", { age }) : age}</button>`;
}
