// The mark on every view of a sentence: the browser ran the model again and got the same, and how
// long ago. If the view's answers were not compared, the mark is for the sentence only.

import { html, nothing } from "../vendor/lit-html.js";

const MINUTE = 60_000; // ms

/**
 * The mark for the record on the page; none if it was not proved.
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
