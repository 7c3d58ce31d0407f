// The mask laboratory: a batch, its masks by layer kind, patterns, and three ways to mask a score.

import { flag, listOf, number, oneOf, orNull, text, whole } from "../../../assets/kit/keep.js";
import { unpack } from "../../../assets/kit/packing.js";
import { createRequest, pending } from "../../../assets/kit/request.js";
import { KINDS } from "../../../assets/kit/selection.js";
import { liveView, narrow } from "../../../assets/kit/view.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { createForm } from "./form.js";
import { matrices, patterns } from "./matrices.js";
import { padded } from "./patterns.js";
import { LARGEST, ways } from "./ways.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

const FIRST = {
  sentences: [], // as they are typed
  asked: ["I like cats.", "She is a good student.", "No."], // after a pause
  kind: "encoder_self",
  prefix: 3,
  lit: null, // {map, row, col} that is looked at
  reads: null, // {batch, row, read, keys, alone}: what the row looked at may read, by one mask
  layer: 0,
  head: 0,
  query: 0,
  own: null, // {batch, scores, masked} where the visitor changed them; `batch` is its key
  whole: false, // the whole row is masked
};
const PAD = { text: "<pad>", kind: "special" };

const checksOf = ({ fewest, most, longest }) => ({
  asked: listOf(text(longest), most, fewest),
  kind: oneOf(KINDS),
  prefix: whole(0, 1000),
  layer: whole(0, 1000),
  head: whole(0, 1000),
  query: whole(0, 1000),
  own: orNull(isOwn),
  whole: flag,
});

const isOwn = ({ batch, scores, masked }) =>
  text(4000)(batch) &&
  listOf(number(-LARGEST, LARGEST), 1000)(scores) &&
  listOf(flag, 1000)(masked) &&
  scores.length === masked.length;

/** Answered in a saved file. */
export function questions(_, /** @type {any} */ { choices }) {
  const { "masks.asked": kept } = choices.get();
  return [{ question: "batch", args: { sentences: kept ? JSON.parse(kept) : FIRST.asked } }];
}

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const state = page.keep(FIRST, checksOf(page.facts));
  const request = createRequest(page, "batch", { changed: () => view.redraw(), prepare });
  const form = createForm(page, state);
  let { asked } = FIRST;
  state.watch((now) => {
    if (now.asked === asked && now.sentences.length > 0) return;
    ({ asked } = now);
    state.merge({ sentences: asked }); // as a link or the back button brought them
  });
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
  if (own.length > 0) return own.slice(0, FIRST.asked.length);
  return before?.model.examples.length > 0 ? FIRST.asked : typed;
}

const prepare = async ({ rows, scores, which }, _, args) => ({
  key: JSON.stringify(args.sentences),
  rows: padded(rows, PAD),
  scores: { ...scores, values: await unpack(scores.values, Float32Array) },
  which,
});
