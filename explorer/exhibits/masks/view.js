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
  sentences: null, // as they are typed, until they are asked
  asked: null, // what the visitor made of the batch
  kind: "decoder_self",
  prefix: 3,
  lit: null, // {map, row, col} that is looked at
  reads: null, // {batch, row, read, keys, alone}: what the row looked at may read, by one mask
  layer: null, // null: where masked keys leak the most
  head: null,
  query: null,
  own: null, // {batch, scores, masked} where the visitor changed them; `batch` is its key
  whole: false, // the whole row is masked
};
const PAD = { text: "<pad>", kind: "special" };

const checksOf = ({ fewest, most, longest }) => ({
  asked: orNull(listOf(text(longest), most, fewest)),
  kind: oneOf(KINDS),
  prefix: whole(0, 1000),
  layer: orNull(whole(0, 1000)),
  head: orNull(whole(0, 1000)),
  query: orNull(whole(0, 1000)),
  own: orNull(isOwn),
  whole: flag,
});

const isOwn = ({ batch, scores, masked }) =>
  text(4000)(batch) &&
  listOf(number(-LARGEST, LARGEST), 1000)(scores) &&
  listOf(flag, 1000)(masked) &&
  scores.length === masked.length;

/** Answered in a saved file. */
export function questions(record, /** @type {any} */ { choices, shared }) {
  const { "masks.asked": kept } = choices.get();
  const sentences = kept ? JSON.parse(kept) : usual(record, shared.constants.masks);
  return [{ question: "batch", args: { sentences } }];
}

/** The batch before anything is typed: the visitor's sentence where it fits, and examples. */
function usual(/** @type {any} */ record, facts) {
  const { examples } = record.model;
  const others = examples.length > 0 ? examples : facts.others;
  const own = fits(record, facts) ? [record.text] : [];
  return [...new Set([...own, ...others])].slice(0, facts.others.length);
}

const fits = ({ text: own, src }, { longest, tokens }) =>
  own.trim() !== "" && own.length <= longest && src.length <= tokens;

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const state = page.keep(FIRST, checksOf(page.facts));
  const request = createRequest(page, "batch", { changed: () => view.redraw(), prepare });
  /** @type {import("../../../assets/kit/types.js").Rec|null} */
  let about = null; // the model's first record: what is asked of it is the batch's alone
  /** @type {any} */
  let newest = null;
  const asked = () => state.get().asked ?? usual(newest, page.facts);
  const form = createForm(page, state, asked, (sentences) => {
    const isUsual = JSON.stringify(sentences) === JSON.stringify(usual(newest, page.facts));
    state.merge({ sentences: null, asked: isUsual ? null : sentences });
  });
  let batch = null; // the newest one; it stays while the next is made, or cannot be
  page.record.watch((record) => {
    if (record === null) return;
    const typed = typedAfter(newest, record, state.get().asked, page.facts);
    newest = record;
    if (about?.model.key !== record.model.key) [about, batch] = [record, null];
    state.merge({ asked: typed });
  });
  const view = liveView({
    el,
    page,
    stores: [state, page.theme],
    template() {
      if (about === null) return null;
      const answer = request(about, { sentences: asked() });
      batch = answer.value ?? batch;
      const isNarrow = narrow(el);
      const sides = `hl-masks-sides ${isNarrow ? "" : "hl-split"}`;
      return html`<div class="hl-masks hl-stack">
        <div class="hl-masks-batch">
          ${form(batch, [
            answer.value === null ? pending(page, answer) : nothing,
            fits(newest, page.facts)
              ? nothing
              : page.t("masks.unfit", { limit: page.facts.tokens }),
          ])}
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

/** What was typed stays, but the first sentence follows the page's where it was that one; and all
 * goes where a model of letters, which reads no sentence, comes or goes. */
function typedAfter(before, record, typed, facts) {
  const letters = [before, record].some((one) => one?.model.examples.length > 0);
  if (typed === null || (letters && before?.model.key !== record.model.key)) return null;
  const own = usual(record, facts)[0];
  return typed[0] === before?.text && own === record.text ? typed.with(0, own) : typed;
}

const prepare = async ({ rows, scores, which }, _, args) => ({
  key: JSON.stringify(args.sentences),
  rows: padded(rows, PAD),
  scores: { ...scores, values: await unpack(scores.values, Float32Array) },
  which,
});
