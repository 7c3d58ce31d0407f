// The draws of a seed's numbers from a distribution, and the sentences about them.

import { button } from "../../../assets/kit/choice.js";
import { signedText } from "../../../assets/kit/numbers.js";
import { pending } from "../../../assets/kit/request.js";
import { drawer, probabilities, uniformAt } from "../../../assets/kit/sampling.js";
import { joined } from "../../../assets/kit/sentence.js";
import { askWhy, canOpen } from "../../../assets/kit/why.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { chiSquare, LEAST } from "./chance.js";
import { shareText } from "./numbers.js";
import { isSeeded } from "./walk.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("../../../assets/kit/types.js").Typed} Typed */
/** @typedef {import("./source.js").Distribution} Distribution */
/** @typedef {import("./source.js").Names} Names */
/** @typedef {import("../../../assets/kit/sampling.js").Shape} Shape */
/** @typedef {import("./view.js").Scene} Scene */
/** @typedef {import("./view.js").Found} Found */
/** A number of a seed -> the id of the token drawn. @typedef {ReturnType<typeof drawer>} Pick */

/** A draw: the token, the number, and the piece of [0, 1) that is the token's.
 * @typedef {{id: number, u: number, from: number, to: number}} One
 *
 * Some draws: how often each token came; the token furthest off, its share and the one expected; a
 * test of all of them.
 * @typedef {{counts: Uint16Array, n: number, id: number, share: number, expected: number,
 *   chance: ReturnType<typeof chiSquare>}} Tally
 *
 * What was drawn; null if nothing was. @typedef {{one: One|null, tally: Tally|null}} Drawn
 */

/** @type {Drawn} */
export const NOTHING_DRAWN = { one: null, tally: null };

/**
 * The draw of the number at that index, and the result of the first `draws` numbers of the seed.
 * @param {Distribution} found @param {Shape} shape
 * @param {{seed: number, index: number|null, draws: number}} wanted @returns {Drawn}
 */
export function drawAll(found, shape, { seed, index, draws }) {
  if (index === null && draws === 0) return NOTHING_DRAWN;
  const weights = probabilities(found.ranked, shape);
  const pick = drawer(weights);
  return {
    one: index === null ? null : drawOne(weights, pick, uniformAt(seed, index)),
    tally: draws === 0 ? null : tallyOf(found, weights, pick, seed, draws),
  };
}

/** @param {Float64Array} weights @param {Pick} pick @param {number} u @returns {One} */
function drawOne(weights, pick, u) {
  const id = pick(u);
  let from = 0;
  for (let i = 0; i < id; i += 1) from += weights[i];
  return { id, u, from, to: from + weights[id] };
}

/** @param {Distribution} found @param {Float64Array} weights @param {Pick} pick
 * @param {number} seed @param {number} n @returns {Tally} */
function tallyOf({ ranked }, weights, pick, seed, n) {
  const counts = new Uint16Array(weights.length);
  for (let i = 0; i < n; i += 1) counts[pick(uniformAt(seed, i))] += 1;
  let id = ranked.order[0];
  let most = 0;
  for (let token = 0; token < counts.length; token += 1) {
    const off = Math.abs(counts[token] / n - weights[token]);
    if (off > most) [id, most] = [token, off];
  }
  const chance = chiSquare(counts, weights, ranked.order, n);
  return { counts, n, id, share: counts[id] / n, expected: weights[id], chance };
}

/** The token that was drawn or chosen. @param {Found} s */
function drawnText({ page: { t }, found, names, drawn: { one }, picked, settings, index }) {
  const { seed } = settings;
  const facts = (/** @type {number} */ id) => ({
    token: names.label(id).text,
    log_prob: signedText(found.logProbs[id], 4),
  });
  if (one === null)
    return picked === null ? t("sampling.choose") : t("sampling.chosen", facts(picked));
  const [u, from, to] = [one.u, one.from, one.to].map((value) => value.toFixed(6));
  return t("sampling.drawn", { n: (index ?? 0) + 1, seed, u, from, to, ...facts(one.id) });
}

/** @param {Page} page @param {Tally|null} tally @param {Names} names */
function tallyText(page, tally, names) {
  const { t } = page;
  if (tally === null) return "";
  const { n, id, chance } = tally;
  const [share, expected] = [tally.share, tally.expected].map(shareText);
  const furthest = t("sampling.tally", { n, token: names.label(id).text, share, expected });
  if (chance === null) return joined(page, furthest, t("sampling.tally.few", { least: LEAST }));
  const { chi, df, p } = chance;
  const facts = { chi: chi.toFixed(1), df, p: shareText(p) };
  return joined(page, furthest, t("sampling.tally.chance", facts));
}

/** Buttons for drawing tokens, and the tokens drawn. @param {Found} s */
export function drawing(s) {
  const { page, t, actions, over, answer, isHere, names, settings, drawn, picked, walk } = s;
  const { seed } = settings;
  /** @type {(label: string, name: "one"|"many"|"go", disabled: boolean, title?: string) => unknown} */
  const press = (label, name, disabled, title) =>
    button({ label, title, class: `hl-sampling-${name}`, onClick: actions[name], disabled });
  const token = picked === null ? null : names.label(picked).text;
  const goOn = token === null ? t("go.none") : t("go", { token });
  return html`<div class="hl-row">
      ${press(t("one"), "one", !isHere, t("one.hint"))}
      ${press(t("many"), "many", !isHere, t("many.hint"))}
      ${press(goOn, "go", picked === null)} ${whyNot(s)}
    </div>
    <div class="hl-sampling-said" aria-live="polite">
      ${answer.error ? pending(page, answer) : nothing}
      <p class="hl-sampling-drawn">${over !== null ? t(over) : isHere ? drawnText(s) : ""}</p>
      <p class="hl-sampling-tally">${tallyText(page, drawn.tally, names)}</p>
      <p class="hl-sampling-seeded">
        ${isSeeded(walk, settings) ? t("seeded", { seed }) : nothing}</p>
    </div>`;
}

/** The reason why the page's text continues with a different token from the chosen one.
 * @param {Found} s */
function whyNot({ t, page, picked, isOwn, record, selection: { step } }) {
  const isOther = picked !== null && !isOwn && picked !== record.tgt_out[step].id;
  if (!isOther || !canOpen(page)) return nothing;
  const onClick = () => askWhy(page, { step, rival: picked });
  return button({ label: t("why_not"), class: "hl-why-not", onClick });
}

/** Buttons: write token after token to the end, or stop. @param {Scene} s */
export function endButton({ t, actions, over, answer, isWriting }) {
  const isStuck = over !== null || Boolean(answer.error);
  return button({
    label: t(isWriting ? "stop" : "finish"),
    class: "hl-sampling-end",
    disabled: isStuck,
    onClick: actions.end,
  });
}

/** The seed of all draws. @param {Scene} s */
export function seedBox({ page, settings, actions }) {
  const { t, shared } = page;
  const { seed } = settings;
  const [min, max] = shared.ranges.seed;
  const type = (/** @type {Typed} */ { target }) => {
    if (target.value !== "" && target.checkValidity())
      actions.adjust({ seed: Number(target.value) });
  };
  const leave = (/** @type {Typed} */ { target }) => {
    target.value = String(seed);
  };
  return html`<label class="hl-select">${t("settings.seed")}
    <input type="number" class="hl-typed hl-sampling-seed" min=${min} max=${max} step="1"
      .value=${String(seed)} @input=${type} @change=${leave}></label>`;
}
