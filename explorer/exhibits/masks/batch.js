// The sentences of the batch, and the form for changing them.

import { button, select } from "../../../assets/kit/choice.js";
import { ownOf } from "../../../assets/kit/languages.js";
import { token } from "../../../assets/kit/token.js";
import { html, live, nothing } from "../../../assets/vendor/lit-html.js";

const ANOTHER = { en: "Where is it?", zh: "它在哪里？", de: "Wo ist es?" };

const lengthOf = (text) => [...text].length;

/** True if the visitor's sentence can be in the batch. */
export const usualFits = ({ text, src }, { longest, tokens }) =>
  text.trim() !== "" && lengthOf(text) <= longest && src.length <= tokens;

/** The batch before anything is typed: the visitor's sentence, if it fits, one a little longer, so
 * that the sentence is padded, and a shorter example. */
function usual(/** @type {any} */ record, facts) {
  const { text, src, model } = record;
  const isOwn = model.examples.length > 0;
  const examples = isOwn ? model.examples : ownOf(facts.others, text);
  const isFit = usualFits(record, facts);
  const first = isFit ? text : examples[0];
  const longer = `${ownOf(facts.longer, text)}${first}`;
  const isLong = isFit && src.length + facts.added > facts.tokens;
  const hasRoom = !isOwn && !isLong && lengthOf(longer) <= facts.longest;
  return beside(first, hasRoom ? longer : null, examples);
}

/** A sentence; a longer one, of the examples if none is given; and a shorter example. */
function beside(text, given, examples) {
  const different = examples.filter((one) => one !== text);
  different.sort((a, b) => lengthOf(a) - lengthOf(b));
  const others = different.length > 0 ? different : [text];
  const isMore = (/** @type {string} */ one) => lengthOf(one) > lengthOf(text);
  const longer = given ?? others.find(isMore) ?? others.at(-1);
  const shorter = others.findLast((one) => one !== longer && !isMore(one));
  return [text, longer, shorter ?? others[0]];
}

/** The batch of the question: a sentence without typed text (null) follows the page's. */
export function sentencesOf({ record, page, asked }) {
  const own = usual(record, page.facts);
  return asked?.map((one, i) => one ?? own[i] ?? own[0]) ?? own;
}

/** Sets new sentences; unchanged ones still follow the page's. */
function take({ record, page, set }, sentences) {
  const own = usual(record, page.facts);
  const kept = sentences.map((one, i) => (one === own[i] ? null : one));
  const isUsual = kept.length === own.length && kept.every((one) => one === null);
  set({ typed: null, asked: isUsual ? null : kept });
}

/** A menu of the batch's sentences. */
export function sentencePick(s) {
  const sentences = sentencesOf(s);
  return select({
    label: s.t("sentence"),
    quiet: true,
    class: "hl-masks-sentence",
    options: sentences.map((text, i) => ({ value: String(i), label: `${i + 1}: ${text}` })),
    value: String(Math.min(s.at ?? s.sentence ?? 0, sentences.length - 1)),
    onChange: (value) => s.set({ sentence: Number(value), lit: null }),
  });
}

/** The texts in the lines: Enter may come before the last letter is drawn. */
const written = ({ currentTarget }) =>
  [...currentTarget.querySelectorAll("input")].map(({ value }) => value);

/** A line for each sentence; typed text is sent when the line loses focus, or with Enter. */
export function form(s) {
  const { t, page, record, set } = s;
  const sentences = s.typed ?? sentencesOf(s);
  const { fewest, most } = page.facts;
  const added = record.model.examples[0] ?? ownOf(ANOTHER, record.text);
  const submit = (event) => {
    event.preventDefault();
    take(s, written(event));
  };
  const left = (event) => take(s, written(event));
  return html`<form class="hl-masks-batch" @submit=${submit} @change=${left}>
    ${sentences.map((text, i) => line(s, sentences, text, i, sentences.length > fewest))}
    ${button({
      class: "hl-masks-add",
      label: t("add"),
      disabled: sentences.length >= most,
      onClick: () => take(s, [...sentences, added]),
    })}
    ${
      s.asked === null
        ? nothing
        : button({
            class: "hl-masks-usual",
            label: t("usual"),
            onClick: () => set({ typed: null, asked: null }),
          })
    }
  </form>`;
}

function line(s, sentences, text, i, canGo) {
  const { t, page, set, answer } = s;
  const type = (event) => {
    sentences = sentences.with(i, event.target.value);
    set({ typed: sentences });
  };
  return html`<div class="hl-masks-line">
    <input type="text" maxlength=${page.facts.longest} autocomplete="off" .value=${live(text)}
      aria-label=${t("sentence.n", { n: i + 1 })} @input=${type}>
    ${
      canGo
        ? html`<button type="button" class="hl-button" @click=${() =>
            take(
              s,
              sentences.filter((_, at) => at !== i),
            )} aria-label=${t("remove", { n: i + 1 })}>×</button>`
        : nothing
    }
    ${answer?.rows[i] ? tokensOf(t, answer.rows[i]) : nothing}
  </div>`;
}

const tokensOf = (t, { src, srcValid, tgtValid }) => html`<div class="hl-masks-tokens">
    ${src.map((label) => token(label))}</div>
  <small class="hl-note">${t("length", {
    n: srcValid,
    count: src.length,
    written: tgtValid,
  })}</small>`;
