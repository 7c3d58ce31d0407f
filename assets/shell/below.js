// Beside the sentence: the decoding steps, the hypotheses, and what the translation says.

import { readsAhead } from "../kit/interventions.js";
import { percentText, signedText } from "../kit/numbers.js";
import { langOn } from "../kit/token.js";
import { html, nothing, render } from "../vendor/lit-html.js";
import { mountDoubt } from "./doubt.js";
import { mountSaid } from "./said.js";
import { page } from "./state.js";

/** @typedef {import("../kit/types.js").Rec} Rec */
/** @typedef {import("../kit/types.js").Label} Label */

const COLUMNS = ["rank", "text", "score", "behind", "log_prob", "length"];

export function mount(/** @type {any} */ root) {
  mountDoubt(root.querySelector("#hl-doubt"));
  mountNotes(root.querySelector("#hl-notes"));
  mountHypotheses(root.querySelector("#hl-hypotheses"));
  mountStepper(root.querySelector("#hl-stepper"));
  mountSaid(root.querySelector("#hl-said"), root.querySelector("#hl-turn"));
}

/** What is said of the files of this model: weights that were left out, a tokenizer's own class. */
function mountNotes(/** @type {any} */ sheet) {
  const draw = () => {
    const notes = page.record.get()?.model.notes ?? [];
    sheet.hidden = notes.length === 0;
    const lines = notes.map(([key, values]) => html`<p>${page.t(`notes.${key}`, values)}</p>`);
    render(lines, sheet.querySelector(".hl-sheet"));
  };
  page.record.watch(draw);
  page.language.watch(draw);
}

function mountHypotheses(/** @type {any} */ sheet) {
  const list = sheet.querySelector(".hl-sheet");
  const draw = () => {
    const record = page.record.get();
    if (record === null) return;
    const { t } = page;
    const choose = (/** @type {number} */ i) => {
      sheet.open = false;
      if (i !== record.shown || record.node !== null) page.explain({ shown: i });
    };
    render(summaryOf(record), sheet.querySelector("summary"));
    render(
      html`<div class="hl-hypothesis hl-heading">
          ${COLUMNS.map((name) => html`<span>${t(`hypothesis.${name}`)}</span>`)}
        </div>
        ${record.hypotheses.map((one, i) => row(one, i, record, choose))}
        <p class="hl-note">${t("hypothesis.note")}</p>`,
      list,
    );
  };
  page.record.watch(draw);
  page.language.watch(draw);
}

// The current hypothesis, or the current prefix and its fate in the search.
/** @param {Rec} record */
function summaryOf({ hypotheses, search, shown, node }) {
  if (node !== null) {
    const fate = search.steps[node[0]].fates[node[1]];
    return page.t(`hypothesis.prefix.${fate}`, { n: node[0] + 1 });
  }
  const score = signedText(hypotheses[shown].score);
  return html`<span>${page.t("hypothesis.summary", { n: shown + 1, count: hypotheses.length })}
    <span class="hl-roomy">${page.t("hypothesis.summary.score", { score })}</span></span>
    <span class="hl-whole" lang=${langOn(page, hypotheses[shown].text)}>${hypotheses[shown].text}</span>`;
}

/** The place of a better hypothesis with the same text in different tokens; or -1.
 * @param {Rec} record @param {number} i */
function twinOf({ hypotheses, search }, i) {
  const idsOf = (/** @type {import("../kit/types.js").Hypothesis} */ { path }) =>
    path.map((c, t) => search.steps[t].ids[c]).join();
  const own = hypotheses[i];
  return hypotheses.slice(0, i).findIndex((o) => o.text === own.text && idsOf(o) !== idsOf(own));
}

/**
 * The reason why it is not the first: its score is the sum of log-probs over a power of the length.
 * @param {Rec} record @param {number} i
 */
function reasonOf({ hypotheses: [first, ...others] }, i) {
  const own = others[i - 1];
  if (own.score === first.score) return "equal";
  if (own.log_prob >= first.log_prob) return "short";
  return own.length === first.length ? "same" : "less";
}

/** Splits a text in three: the beginning shared with the other, its own part, the shared end.
 * @param {string} text @param {string} other */
function inThree(text, other) {
  const [own, its] = [[...text], [...other]];
  const most = Math.min(own.length, its.length);
  let [from, back] = [0, 0];
  while (from < most && own[from] === its[from]) from += 1;
  while (back < most - from && own.at(-1 - back) === its.at(-1 - back)) back += 1;
  const to = own.length - back;
  return [own.slice(0, from), own.slice(from, to), own.slice(to)].map((part) => part.join(""));
}

/** @param {import("../kit/types.js").Hypothesis} hypothesis @param {number} i @param {Rec} record
 * @param {(i: number) => void} choose */
function row(hypothesis, i, record, choose) {
  const { t } = page;
  const text = hypothesis.text || t("hypothesis.empty");
  const length = hypothesis.finished ? "hypothesis.tokens" : "hypothesis.cut";
  const isCurrent = i === record.shown && record.node === null;
  const twin = twinOf(record, i);
  const [begin, apart, end] = inThree(text, i === 0 ? text : record.hypotheses[0].text);
  return html`<button type="button" class="hl-hypothesis" aria-pressed=${String(isCurrent)}
    @click=${() => choose(i)}>
    <span>${i + 1}</span><span lang=${langOn(page, text)}>${begin}<u>${apart}</u>${end}</span>
    <span>${signedText(hypothesis.score)}</span>
    <span>${i === 0 ? nothing : signedText(hypothesis.score - record.hypotheses[0].score)}</span>
    <span>${signedText(hypothesis.log_prob)}</span>
    <span>${t(length, { n: hypothesis.length })}</span>
    ${i === 0 ? nothing : html`<small>${t(`hypothesis.lost.${reasonOf(record, i)}`)}</small>`}
    ${twin < 0 ? nothing : html`<small>${t("hypothesis.twin", { n: twin + 1 })}</small>`}
  </button>`;
}

function mountStepper(/** @type {any} */ stepper) {
  const slider = stepper.querySelector("#hl-slider");
  const story = stepper.querySelector("#hl-story");
  /** @type {Record<string, (n: number) => number>} */
  const go = { first: () => 0, back: (n) => n - 1, forward: (n) => n + 1, last: () => Infinity };
  for (const button of stepper.querySelectorAll("[data-go]")) {
    const next = go[button.dataset.go];
    button.addEventListener("click", () => goTo(next(page.selection.get().step)));
  }
  slider.addEventListener("input", () => page.choose({ step: Number(slider.value) - 1 }));
  const draw = () => {
    const record = page.record.get();
    if (record === null) return;
    const { step } = page.selection.get();
    slider.max = record.tgt_out.length;
    slider.value = step + 1;
    stepper.querySelector("#hl-step").textContent = `${step + 1} / ${record.tgt_out.length}`;
    render(storyOf(record, step), story);
  };
  for (const store of [page.record, page.selection, page.language]) store.watch(draw);
}

function goTo(/** @type {number} */ step) {
  const record = page.record.get();
  if (record !== null)
    page.choose({ step: Math.max(0, Math.min(record.tgt_out.length - 1, step)) });
}

/** The end of the current text: its end token, the requested prefix, or the limit.
 * @param {Rec} record @param {Label} written */
function endOf({ node, hypotheses, shown }, written) {
  const isEnd = node === null && hypotheses[shown].finished; // by another token, in some models
  if (written.piece === "</s>" || isEnd) return "story.ends";
  return node === null ? "story.cut" : "story.prefix";
}

/**
 * The reason if the written token is not the most likely: forced, drawn, or kept by a search over
 * whole hypotheses. Nothing if a rule forbade the most likely token, or this one was pruned.
 * @param {Rec} record @param {number} step @param {Label} label
 */
function whyOf({ search, settings, steps, shown, node, path }, step, { id: written }) {
  const [{ id }] = steps[step].top;
  const { ids, parents, fates } = search.steps[step];
  if (id === written || (node !== null && fates[path[step]] === "pruned")) return nothing;
  if (steps[step].forced) return page.t("story.forced");
  if (settings.method.includes("sampling")) return page.t("story.drawn");
  const isRival = (/** @type {number} */ one, /** @type {number} */ c) =>
    one === id && (step === 0 || parents[c] === path[step - 1]);
  if (settings.method !== "beam" || !ids.some(isRival)) return nothing;
  return page.t(shown === 0 && node === null ? "story.best" : "story.kept");
}

/** One step as a sentence: the token read, the token written, the runners-up, the next step.
 * @param {Rec} record @param {number} step */
function storyOf(record, step) {
  const { t } = page;
  const { top, log_prob } = record.steps[step];
  const written = record.tgt_out[step];
  const word = (/** @type {Label} */ label) =>
    html`<b lang=${langOn(page, label.text)} class="hl-${label.kind}">${label.text}</b>`;
  const chance = (/** @type {import("../kit/types.js").Candidate} */ label) =>
    html`${word(label)} ${percentText(Math.exp(label.log_prob))}`;
  const others = top.filter((label) => label.id !== written.id).slice(0, 2);
  const isLast = step === record.tgt_out.length - 1;
  return html`<span>${t("story.reads")}${word(record.tgt_in[step])}${t("story.then")}</span>
    <span>${t("story.writes")}${chance({ ...written, log_prob })}</span>
    <span class="hl-faint">${t("story.others")}${others.map((label, i) => [
      i ? t("story.comma") : "",
      chance(label),
    ])}${whyOf(record, step, written)}${t("story.close")}</span>
    <span>${t(isLast ? endOf(record, written) : "story.back")}</span>
    ${readsAhead(record) ? html`<span>${t("story.ahead")}</span>` : nothing}`;
}
