// The state of the runs in one sentence: the question, a run's progress, its result.

import { percentText } from "../../../assets/kit/numbers.js";
import { sentenceOf } from "../../../assets/kit/request.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { nameOf } from "./curves.js";
import { hasScore, isAnswered, lossText } from "./question.js";
import { entrants, raceText } from "./race.js";
import { isOver } from "./trainer.js";

/** @param {any} s the scene */
export function finding(s) {
  const { t, page, runs, preset, trainer } = s;
  const run = runs.find(({ state }) => !isOver(state)) ?? runs.at(-1);
  if (run === undefined) return t(preset === "own" ? "own" : `asks.${preset}`, entrants(s));
  if (run.error) {
    return html`<span class="hl-failed" role="alert">${sentenceOf(page, run.error)}</span>`;
  }
  const diverged = run.result?.diverged ?? null;
  const isHeld = trainer.isPaused && run.state === "running";
  const key = diverged !== null ? "diverged" : isHeld ? "paused" : run.state;
  const values = {
    name: nameOf(runs, runs.indexOf(run)) || t("model"),
    place: run.place,
    update: diverged ?? run.frames.at(-1)?.update ?? 0,
    updates: run.settings.updates,
    seconds: (run.frames.at(-1)?.seconds ?? 0).toFixed(1),
  };
  const told = key === "done" ? doneText(s, run, values) : t(`state.${key}`, values);
  return html`<span class="hl-play-status" data-state=${run.state}>${told}
    ${run.result?.stopped ? t("cut", { seconds: page.facts.seconds }) : ""}</span>`;
}

/** The share of correct outputs of the trained models. */
function doneText(s, run, values) {
  const { t, runs } = s;
  const right = ({ result }) => percentText(result.free_accuracy);
  if (isAnswered(s) && s.race) return raceText(s);
  if (isAnswered(s)) {
    const [first, second] = runs;
    return t("finding.both", { first: right(first), second: right(second) });
  }
  const { loss } = run.frames[run.frames.length - 1];
  if (!hasScore(run)) return t("finding.loss", { ...values, loss: lossText(loss) });
  return t("finding.one", { ...values, right: right(run) });
}
