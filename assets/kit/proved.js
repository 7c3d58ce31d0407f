// On every view of a sentence: that the browser ran the model again and got what is shown, and how
// long ago. Where the view was answered what was not compared, the mark is of the sentence.

import { html, nothing } from "../vendor/lit-html.js";

const MINUTE = 60_000; // ms

/**
 * The mark of the record on the page; none where it was not proved.
 * @param {any} page
 * @param {(question: string) => boolean} asks true for the questions of this view
 */
export function provedMark(page, asks) {
  const proved = page.proved.get();
  if (proved === null || proved.record !== page.record.get()) return nothing;
  const { record, holds, at, known } = proved;
  const minutes = Math.floor((Date.now() - at) / MINUTE);
  const age = page.t(minutes ? "proved.minutes" : "proved.now", { minutes });
  const answers = page.answers.get(record) ?? [];
  const isNew = (/** @type {any} */ one) => asks(one.question) && !known.includes(one);
  const isOlder = holds && answers.some(isNew);
  const title = page.t(isOlder ? "proved.older" : holds ? "proved.holds" : "proved.fails");
  return html`<button type="button" class="hl-proved" data-holds=${String(holds)} title=${title}
    aria-label="${title} ${age}" @click=${() => page.choose({ exhibit: "proof" })}>${
      holds ? "✓" : "✗"
    } ${isOlder ? page.t("proved.sentence", { age }) : age}</button>`;
}
