// The mask laboratory: a batch, its masks by layer kind, patterns, and three ways to mask a score.

import { unpack } from "../../../assets/kit/packing.js";
import { createRequest, pending } from "../../../assets/kit/request.js";
import { createStore } from "../../../assets/kit/store.js";
import { liveView, narrow } from "../../../assets/kit/view.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { createForm } from "./form.js";
import { matrices, patterns } from "./matrices.js";
import { padded } from "./patterns.js";
import { ways } from "./ways.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

const SENTENCES = ["I like cats.", "She is a good student.", "No."];
const PAD = { text: "<pad>", kind: "special" };

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const state = createStore({
    sentences: SENTENCES, // as they are typed
    asked: SENTENCES, // after a pause
    kind: "encoder_self",
    prefix: 3,
    lit: null, // {map, row, col} that is looked at
    reads: null, // {batch, row, read, keys}: what the row looked at last may read
    layer: 0,
    head: 0,
    query: 0,
    own: null, // {batch, scores, masked} where the visitor changed them
    whole: false, // the whole row is masked
  });
  const request = createRequest(page, "batch", { changed: () => view.redraw(), prepare });
  const form = createForm(page, state);
  /** @type {import("../../../assets/kit/types.js").Rec|null} */
  let about = null; // the model's first record: the batch is the same with every other
  let batch = null; // the newest one; it stays while the next is made, or cannot be
  page.record.watch((record) => {
    if (record === null || about?.model.key === record.model.key) return;
    const sentences = sentencesOf(about, record, state.get().asked);
    [about, batch] = [record, null];
    state.merge({ sentences, asked: sentences });
  });
  const view = liveView({
    el,
    page,
    stores: [state, page.theme],
    template() {
      if (about === null) return null;
      const answer = request(about, { sentences: state.get().asked });
      batch = answer.value ?? batch;
      const isNarrow = narrow(el);
      const sides = `hl-masks-sides ${isNarrow ? "" : "hl-split"}`;
      return html`<div class="hl-masks hl-stack">
        <div class="hl-masks-batch">
          ${form(batch, answer.value === null ? pending(page, answer) : nothing)}
          ${batch && matrices({ el, page, state, batch })}
        </div>
        <div class=${sides}>
          ${batch && patterns({ el, page, state, batch })} ${batch && ways({ page, state, batch })}
        </div>
      </div>`;
    },
  });
  return () => {
    form.end();
    view.end();
  };
}

/** What was typed stays, unless a model of letters, which reads no sentence, comes or goes. */
function sentencesOf(before, record, typed) {
  const own = record.model.examples;
  if (own.length > 0) return own.slice(0, SENTENCES.length);
  return before?.model.examples.length > 0 ? SENTENCES : typed;
}

const prepare = async ({ rows, scores, which }) => ({
  rows: padded(rows, PAD),
  scores: { ...scores, values: await unpack(scores.values, Float32Array) },
  which,
});
