// The questions of the playground: what is asked, what the visitor expects, and what came of it.

import { button, choice } from "../../../assets/kit/choice.js";
import { percentText } from "../../../assets/kit/numbers.js";
import { html } from "../../../assets/vendor/lit-html.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("./trainer.js").Run} Run */

export const OUTCOMES = ["learnt", "partly", "failed"];

/** @param {{facts: any}} page @param {number} share of whole outputs that are right */
export const outcome = ({ facts }, share) =>
  share >= facts.learnt ? "learnt" : share < facts.failed ? "failed" : "partly";

/** The row of questions; the last one is the visitor's own.
 * @param {Page} page @param {{preset: string, choose: (name: string) => void}} given */
export const questions = ({ t, facts }, { preset, choose }) =>
  html`<div class="hl-play-presets" role="group" aria-label=${t("playground.presets")}>
    ${[...facts.presets.map(({ name }) => name), "own"].map((name) =>
      button({
        label: t(`playground.preset.${name}`),
        pressed: name === preset,
        onClick: () => choose(name),
      }),
    )}
  </div>`;

/**
 * The question that is chosen, the prediction, and once both runs are over the verdict.
 * @param {Page} page
 * @param {{preset: string, guess: string|null, runs: Run[],
 *   setGuess: (guess: string) => void}} given
 */
export function question(page, { preset, guess, runs, setGuess }) {
  const { t } = page;
  if (preset === "own") return html`<p class="hl-play-asks">${t("playground.own")}</p>`;
  const isOver = runs.length === 2 && runs.every(({ result }) => result !== null);
  return html`<div class="hl-play-asks hl-stack">
    <p>${t(`playground.asks.${preset}`)}</p>
    <div class="hl-play-answer">${
      isOver ? verdict(page, preset, guess, runs) : guessing(page, guess, setGuess)
    }</div>
  </div>`;
}

/** What the visitor expects of the second run. */
function guessing(page, guess, setGuess) {
  const { t, facts } = page;
  const percents = {
    learnt: percentText(facts.learnt),
    failed: percentText(facts.failed),
  };
  return choice({
    name: `${page.uid}-guess`,
    class: "hl-plain hl-play-guess",
    label: t("playground.guess"),
    value: guess ?? "",
    options: OUTCOMES.map((value) => ({
      value,
      label: t(`playground.outcome.${value}`, percents),
    })),
    onChange: setGuess,
  });
}

/** What came of it, from the numbers of these two runs. */
function verdict(page, preset, guess, /** @type {Run[]} */ [first, second]) {
  const { t } = page;
  const found = outcome(page, second.result.free_accuracy);
  const values = {
    first: percentText(first.result.free_accuracy),
    second: percentText(second.result.free_accuracy),
    guess: guess === null ? "" : t(`playground.short.${guess}`),
    found: t(`playground.short.${found}`),
  };
  const key = guess === null ? "none" : guess === found ? "right" : "wrong";
  return html`<p class="hl-play-verdict" role="status">
    <b>${t(`playground.verdict.${key}`, values)}</b>
    ${t("playground.verdict.numbers", values)}
    ${t(`playground.because.${preset}`, {
      first_loss: lossText(first.result.loss),
      second_loss: lossText(second.result.loss),
    })}</p>`;
}

/** Three digits of a loss. @param {number} loss */
export const lossText = (loss) => (loss < 1 ? loss.toPrecision(2) : loss.toFixed(2));
