// The questions of the playground: the question, the visitor's guess, and the result.

import { choice, select } from "../../../assets/kit/choice.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { winner } from "./ahead.js";
import { entrants, reasons, WINNERS } from "./race.js";

/** @typedef {import("./trainer.js").Run} Run */

export const OUTCOMES = ["learnt", "partly", "failed"];

/** @param {{facts: any}} page @param {number} share of whole outputs that are right */
export const outcome = ({ facts }, share) =>
  share >= facts.learnt ? "learnt" : share < facts.failed ? "failed" : "partly";

/** True if a run is over and has scores; one that diverged has none. @param {Run} run */
export const hasScore = ({ result }) => typeof result?.free_accuracy === "number";

/** The names of all questions. @param {any} facts @returns {string[]} */
export const namesOf = ({ presets, races }) => [
  ...[...presets, ...races].map(({ name }) => name),
  "own",
];

/** The menu of questions; the last one is the visitor's own. @param {any} s the scene */
export const questions = (s) =>
  select({
    label: s.t("presets"),
    quiet: true,
    class: "hl-play-presets",
    value: s.preset,
    options: namesOf(s.page.facts).map((value) => ({
      value,
      label: s.t(`preset.${value}`),
    })),
    onChange: s.choosePreset,
  });

/** The visitor's guess, before anything is trained: how good the second run gets, or which wins.
 * @param {any} s the scene */
export function guessing(s) {
  const { t, page, preset, race, guess, set } = s;
  if (preset === "own") return nothing;
  return choice({
    name: `${page.uid}-guess`,
    class: "hl-plain hl-play-guess",
    label: t(race ? "guess.race" : "guess"),
    value: guess ?? "",
    options: (race ? WINNERS : OUTCOMES).map((value) => ({ value, label: answerText(s, value) })),
    onChange: (value) => set({ guess: value }),
  });
}

/** An answer in words. @param {any} s the scene @param {string} value */
const answerText = (s, value) =>
  s.race && value !== "neither" ? entrants(s)[value] : s.t(`short.${value}`);

/** True if both runs of a question are over and have scores. @param {any} s the scene */
export const isAnswered = ({ preset, runs }) =>
  preset !== "own" && runs.length === 2 && runs.every(hasScore);

/** The result, from the numbers of these two runs, with the reason. @param {any} s the scene */
export function verdict(s) {
  const { t, page, preset, race, guess, runs } = s;
  const [first, second] = /** @type {Run[]} */ (runs);
  const found = race ? winner(preset, runs) : outcome(page, second.result.free_accuracy);
  const values = {
    guess: guess === null ? "" : answerText(s, guess),
    found: answerText(s, found),
  };
  const key = guess === null ? "none" : guess === found ? "right" : "wrong";
  const because = () =>
    t(`because.${preset}`, {
      first_loss: lossText(first.result.loss),
      second_loss: lossText(second.result.loss),
    });
  return html`<p class="hl-play-verdict" role="status"><b>${t(`verdict.${key}`, values)}</b>
    ${race ? reasons(s) : because()}</p>`;
}

/** Three digits of a loss. @param {number} loss */
export const lossText = (loss) => (loss < 1 ? loss.toPrecision(2) : loss.toFixed(2));
