// The sentences of the batch, as many as there are, each with its tokens.

import { button } from "../../../assets/kit/choice.js";
import { token } from "../../../assets/kit/token.js";
import { html, live, nothing } from "../../../assets/vendor/lit-html.js";

const PAUSE = 500; // ms without typing before the batch is made anew
const ANOTHER = "Where is it?";

/**
 * Gives the template of the form, with an `end` for the pause that may be under way.
 * @param {import("../../../assets/kit/types.js").Page} page
 * @param {() => string[]} asked the sentences of the batch on show
 * @param {(sentences: string[]) => void} take
 */
export function createForm(page, state, asked, take) {
  const { fewest, most } = page.facts;
  let pause = 0;

  const now = () => state.get().sentences ?? asked();

  function ask(sentences = now()) {
    clearTimeout(pause);
    take(sentences);
  }

  function type(i, text) {
    clearTimeout(pause);
    state.merge({ sentences: now().with(i, text) });
    pause = setTimeout(ask, PAUSE);
  }

  const submit = (event) => {
    event.preventDefault();
    ask();
  };

  const form = (batch, pending) => {
    const sentences = now();
    return html`<section class="hl-stack">
      <h2>${page.t("masks.batch")}</h2>
      <form class="hl-stack" @submit=${submit} @change=${() => ask()}>
        ${sentences.map((text, i) => line(text, i, batch?.rows[i]))}
        ${button({
          class: "hl-masks-add",
          label: page.t("masks.add"),
          disabled: sentences.length >= most,
          onClick: () => ask([...sentences, page.record.get()?.model.examples[0] ?? ANOTHER]),
        })}
      </form>
      ${pending}
    </section>`;
  };

  const line = (text, i, row) => html`<div class="hl-masks-line">
    <input type="text" maxlength=${page.facts.longest} autocomplete="off" .value=${live(text)}
      aria-label=${page.t("masks.sentence", { n: i + 1 })}
      @input=${(event) => type(i, event.target.value)}>
    ${
      now().length > fewest
        ? html`<button type="button" class="hl-button" @click=${() => ask(without(i))}
            aria-label=${page.t("masks.remove", { n: i + 1 })}>×</button>`
        : nothing
    }
    ${row ? tokensOf(row) : nothing}
  </div>`;

  const without = (i) => now().filter((_, at) => at !== i);

  const tokensOf = ({ src, srcValid, tgtValid }) => html`<div class="hl-masks-tokens">
      ${src.map((label) => token(label))}</div>
    <small class="hl-note">${page.t("masks.length", {
      n: srcValid,
      count: src.length,
      written: tgtValid,
    })}</small>`;

  return Object.assign(form, { end: () => clearTimeout(pause) });
}
