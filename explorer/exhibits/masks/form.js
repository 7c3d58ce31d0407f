// The sentences of the batch, as many as there are, each with its tokens.

import { button } from "../../../assets/kit/choice.js";
import { token } from "../../../assets/kit/token.js";
import { html, live, nothing } from "../../../assets/vendor/lit-html.js";

const PAUSE = 500; // ms without typing before the batch is made anew
const ANOTHER = "Where is it?";

/**
 * Gives the template of the form, with an `end` for the pause that may be under way.
 * @param {import("../../../assets/kit/types.js").Page} page
 */
export function createForm(page, state) {
  const { fewest, most } = page.facts;
  let pause = 0;

  function ask(sentences = state.get().sentences) {
    clearTimeout(pause);
    state.merge({ sentences, asked: sentences });
  }

  function type(i, text) {
    clearTimeout(pause);
    state.merge({ sentences: state.get().sentences.with(i, text) });
    pause = setTimeout(ask, PAUSE);
  }

  const submit = (event) => {
    event.preventDefault();
    ask();
  };

  const form = (batch, pending) => {
    const { sentences } = state.get();
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
      state.get().sentences.length > fewest
        ? html`<button type="button" class="hl-button" @click=${() => ask(without(i))}
            aria-label=${page.t("masks.remove", { n: i + 1 })}>×</button>`
        : nothing
    }
    ${row ? tokensOf(row) : nothing}
  </div>`;

  const without = (i) => state.get().sentences.filter((_, at) => at !== i);

  const tokensOf = ({ src, srcValid, tgtValid }) => html`<div class="hl-masks-tokens">
      ${src.map((label) => token(label))}</div>
    <small class="hl-note">${page.t("masks.length", {
      n: srcValid,
      count: src.length,
      written: tgtValid,
    })}</small>`;

  return Object.assign(form, { end: () => clearTimeout(pause) });
}
