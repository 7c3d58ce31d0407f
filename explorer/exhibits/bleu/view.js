// BLEU by hand: texts to type, their n-grams counted and clipped, and the score step by step.

import { select } from "../../../assets/kit/choice.js";
import { listOf, oneOf, text, whole } from "../../../assets/kit/keep.js";
import { createRequest, pending } from "../../../assets/kit/request.js";
import { liveView, narrow } from "../../../assets/kit/view.js";
import { html, live, nothing } from "../../../assets/vendor/lit-html.js";
import { counts, lines } from "./counts.js";
import { steps } from "./steps.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

const FREE = "free";
const PAUSE = 300; // ms without typing before the texts are scored

// The candidate and the references of each example; "own" is made of what the page shows.
const PRESETS = {
  own: [],
  repeated: ["the the the the the the the", "the cat is on the mat", "there is a cat on the mat"],
  order: ["on the mat is the cat", "the cat is on the mat"],
  short: ["the cat is on", "the cat is on the mat"],
  chinese: ["我昨天在车站遇到了他。", "我昨天在车站见到了他。", "昨天我在车站遇见了他。"],
};

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const state = createState(page);
  const request = createRequest(page, "bleu", { changed: () => view.redraw() });
  /** @type {any} */
  let about = null; // the model's first record: the score is the same with every other
  let found = null; // the newest score; it stays while the next is made
  const form = createForm(page, state);
  const follow = followChoices(state, form);
  page.record.watch((record) => {
    if (record === null) return;
    if (about?.model.key !== record.model.key) about = record;
    if (state.get().preset === "own") form.fill("own");
    follow(state.get());
  });
  state.watch((now) => about !== null && follow(now));
  const view = liveView({
    el,
    page,
    stores: [state],
    template() {
      if (about === null) return null;
      narrow(el);
      const { asked, tokeniser, way } = state.get();
      const [candidate, ...references] = asked;
      const isScored = references.some((text) => text.trim() !== "");
      const answer = isScored ? request(about, { candidate, references, tokeniser, way }) : null;
      found = answer === null ? null : (answer.value ?? found);
      return html`<div class="hl-bleu">
        <section class="hl-stack">
          ${form.template()}
          ${answer === null ? html`<p>${page.t("bleu.empty")}</p>` : nothing}
          ${answer?.error || (answer && found === null) ? pending(page, answer) : nothing}
          ${found && texts(page, state, found)}
        </section>
        ${found && [counts(page, found, state), steps(page, found)]}
      </div>`;
    },
  });
  return () => {
    form.end();
    view.end();
  };
}

function createState(/** @type {Page} */ page) {
  const { references, longest, tokenisers, ways } = page.facts;
  const count = references + 1;
  const first = {
    preset: "own", // "free" once the visitor has typed
    typed: [], // what the visitor typed, after a pause
    texts: [], // the candidate and the references, as they are typed
    asked: [], // after a pause
    tokeniser: "auto",
    way: "exp",
    order: 1,
    gram: null, // that is pointed at
  };
  return page.keep(first, {
    preset: oneOf([...Object.keys(PRESETS), FREE]),
    typed: (value) => listOf(text(longest), count)(value) && [0, count].includes(value.length),
    tokeniser: oneOf(["auto", ...tokenisers]),
    way: oneOf(ways),
    order: whole(1, 4),
  });
}

/** Fills the boxes with what a link or the back button brought. */
function followChoices(state, form) {
  let followed = "";
  return ({ preset, typed, texts: shown }) => {
    const key = JSON.stringify([preset, typed]);
    if (key === followed) return;
    followed = key;
    if (preset !== FREE) form.fill(preset);
    else if (typed.length > 0 && typed !== shown) state.merge({ texts: typed, asked: typed });
  };
}

function texts(page, state, found) {
  const { t } = page;
  const { preset } = state.get();
  const { tokeniser, scores } = found;
  const note = preset === "own" ? "bleu.note.own" : "bleu.note.free";
  const [greedy, beam] = [scores[0], scores.at(-1)].map((one) => one?.toFixed(2));
  return html`<div class="hl-stack hl-bleu-lines">${lines(page, found, state.get())}</div>
    <p class="hl-note">${t(note, { tokeniser })}</p>
    ${
      scores.length > 0
        ? html`<p class="hl-note hl-bleu-card">${t("bleu.card", { greedy, beam })}</p>`
        : nothing
    }`;
}

/** The texts to type and the settings; `fill` writes an example into them. */
function createForm(page, state) {
  const { references, longest, tokenisers, ways } = page.facts;
  let pause = 0;

  function fill(preset) {
    clearTimeout(pause);
    const given = preset === "own" ? own(page.record.get()) : PRESETS[preset];
    const all = Array.from({ length: references + 1 }, (_, i) => given[i] ?? "");
    state.merge({ preset, typed: [], texts: all, asked: all, gram: null });
  }

  function type(i, text) {
    clearTimeout(pause);
    state.merge({ preset: FREE, texts: state.get().texts.with(i, text) });
    pause = setTimeout(() => {
      const { texts: typed } = state.get();
      state.merge({ typed, asked: typed, gram: null });
    }, PAUSE);
  }

  const box = (text, i) => html`<label class="hl-bleu-box">
    <span>${i === 0 ? page.t("bleu.candidate") : page.t("bleu.reference", { n: i })}</span>
    <textarea rows="1" maxlength=${longest} spellcheck="false" .value=${live(text)}
      @input=${(event) => type(i, event.target.value)}></textarea></label>`;

  const setting = (name, values) =>
    select({
      class: `hl-bleu-${name}`,
      label: page.t(`bleu.${name}`),
      options: values.map((value) => ({ value, label: page.t(`bleu.${name}.${value}`) })),
      value: state.get()[name],
      onChange: (value) => state.merge({ [name]: value }),
    });

  const template = () => html`<div class="hl-row" role="group" aria-label=${page.t("bleu.presets")}>
      <span>${page.t("bleu.presets")}</span>
      ${Object.keys(PRESETS).map(
        (name) => html`<button type="button" class="hl-button" data-preset=${name}
          aria-pressed=${String(name === state.get().preset)} @click=${() => fill(name)}>
          ${page.t(`bleu.preset.${name}`)}</button>`,
      )}</div>
    ${state.get().texts.map(box)}
    <div class="hl-row">
      ${setting("tokeniser", ["auto", ...tokenisers])} ${setting("way", ways)}</div>`;

  return { fill, template, end: () => clearTimeout(pause) };
}

/** The translation on the page, and another hypothesis in the place of a human translation. */
function own({ hypotheses, shown }) {
  const { text } = hypotheses[shown];
  return [text, hypotheses.find((one) => one.text !== text)?.text ?? text];
}
