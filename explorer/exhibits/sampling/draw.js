// The draws of a seed's numbers from a distribution, and the sentences about them.

import { button } from "../../../assets/kit/choice.js";
import { signedText } from "../../../assets/kit/numbers.js";
import { pending } from "../../../assets/kit/request.js";
import { drawer, probabilities, uniformAt } from "../../../assets/kit/sampling.js";
import { joined } from "../../../assets/kit/sentence.js";
import { askWhy, canAskWhy } from "../../../assets/kit/why.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { chiSquare, LEAST } from "./chance.js";
import { shareText } from "./numbers.js";
import { isSeeded } from "./walk.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("./source.js").Distribution} Distribution */

/**
 * {one, tally}: the draw of the number at that index, {id, u, from, to}, and the result of the
 * first `draws` numbers of the seed, {counts, n, id, share, expected, chance}; null if nothing is
 * drawn. The token `id` is the one furthest off; `chance` is a test of all of them.
 */
export function drawAll(found, shape, { seed, index, draws }) {
  if (index === null && draws === 0) return { one: null, tally: null };
  const weights = probabilities(found.ranked, shape);
  const pick = drawer(weights);
  return {
    one: index === null ? null : drawOne(weights, pick, uniformAt(seed, index)),
    tally: draws === 0 ? null : tallyOf(found, weights, pick, seed, draws),
  };
}

function drawOne(weights, pick, /** @type {number} */ u) {
  const id = pick(u);
  let from = 0;
  for (let i = 0; i < id; i += 1) from += weights[i];
  return { id, u, from, to: from + weights[id] };
}

function tallyOf({ ranked }, weights, pick, /** @type {number} */ seed, /** @type {number} */ n) {
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

/** @param {Page} page @param {Distribution} found */
function drawnText({ t }, found, names, { one, picked, seed, index }) {
  const facts = (id) => ({
    token: names.label(id).text,
    log_prob: signedText(found.logProbs[id], 4),
  });
  if (one === null)
    return picked === null ? t("sampling.choose") : t("sampling.chosen", facts(picked));
  const [u, from, to] = [one.u, one.from, one.to].map((value) => value.toFixed(6));
  return t("sampling.drawn", { n: index + 1, seed, u, from, to, ...facts(one.id) });
}

function tallyText(/** @type {Page} */ page, tally, names) {
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

/** Buttons for drawing tokens, and the tokens drawn. */
export function drawing(s) {
  const { page, t, actions, over, answer, isHere, found, names, settings, drawn, picked, walk } = s;
  const { seed } = settings;
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
      <p class="hl-sampling-drawn">${
        over !== null
          ? t(over)
          : isHere
            ? drawnText(page, found, names, { one: drawn.one, picked, seed, index: s.index })
            : ""
      }</p>
      <p class="hl-sampling-tally">${tallyText(page, drawn.tally, names)}</p>
      <p class="hl-sampling-seeded">
        ${isSeeded(walk, settings) ? t("seeded", { seed }) : nothing}</p>
    </div>`;
}

/** The reason why the page's text continues with a different token from the chosen one. */
function whyNot({ t, page, picked, isOwn, record, selection: { step } }) {
  const isOther = picked !== null && !isOwn && picked !== record.tgt_out[step].id;
  if (!isOther || !canAskWhy(page)) return nothing;
  const onClick = () => askWhy(page, { step, rival: picked });
  return button({ label: t("why_not"), class: "hl-why-not", onClick });
}

/** Buttons: write token after token to the end, or stop. */
export function endButton({ t, actions, over = null, answer, isWriting }) {
  const isStuck = over !== null || Boolean(answer?.error);
  return button({
    label: t(isWriting ? "stop" : "finish"),
    class: "hl-sampling-end",
    disabled: isStuck,
    onClick: actions.end,
  });
}

/** The seed of all draws. */
export function seedBox({ page, settings, actions }) {
  if (!settings) return nothing;
  const { t, shared } = page;
  const { seed } = settings;
  const [min, max] = shared.ranges.seed;
  const type = ({ target }) => {
    if (target.value !== "" && target.checkValidity())
      actions.adjust({ seed: Number(target.value) });
  };
  const leave = ({ target }) => {
    target.value = String(seed);
  };
  return html`<label class="hl-select">${t("settings.seed")}
    <input type="number" class="hl-typed hl-sampling-seed" min=${min} max=${max} step="1"
      .value=${String(seed)} @input=${type} @change=${leave}></label>`;
}
