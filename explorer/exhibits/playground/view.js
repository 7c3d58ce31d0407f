// Train one yourself: a small Transformer learns a task of letters while you watch.

import { button, toggle } from "../../../assets/kit/choice.js";
import { flag, oneOf, orNull, whole } from "../../../assets/kit/keep.js";
import { sentenceOf } from "../../../assets/kit/request.js";
import { KINDS } from "../../../assets/kit/selection.js";
import { slider } from "../../../assets/kit/slider.js";
import { liveView, narrow } from "../../../assets/kit/view.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { curves, nameOf, results, seeds } from "./curves.js";
import { form } from "./form.js";
import { gradients, maps } from "./maps.js";
import { OUTCOMES, question, questions } from "./question.js";
import { createSampler } from "./sample.js";
import { takers } from "./take.js";
import { createTrainer, isOver } from "./trainer.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const { facts } = page;
  const first = {
    preset: facts.presets[0].name,
    guess: null,
    settings: facts.presets[0].second,
    keeps: false, // the last run stays beside the next one
    shown: /** @type {number|null} */ (null), // whose heads: null is the run under way, or the last
    at: /** @type {number|null} */ (null), // the frame looked at; null follows the newest
    kind: "cross",
    layer: 0,
    lit: null,
  };
  const state = page.keep(first, {
    preset: oneOf([...facts.presets.map(({ name }) => name), "own"]),
    guess: orNull(oneOf(OUTCOMES)),
    settings: (value) => areSettings(facts, value),
    keeps: flag,
    kind: oneOf(KINDS),
    layer: whole(0, facts.ranges.layers[1] - 1),
  });
  const trainer = createTrainer(page, () => view.redraw());
  const sample = createSampler(page, () => view.redraw());
  const scene = { el, page, state, trainer, sample };
  const view = liveView({
    el,
    page,
    stores: [state, page.theme],
    template: () => template(scene),
    drawn: () => narrow(el, 66),
  });
  return view.end;
}

/** Whether these are settings that the form can show; Python checks them before a run. */
function areSettings({ presets, ranges, tasks }, value) {
  const usual = presets[0].second;
  const isAsUsual = (/** @type {string} */ name) => typeof value?.[name] === typeof usual[name];
  const isInside = ([name, [low, high]]) => value[name] >= low && value[name] <= high;
  return (
    Object.keys(usual).every(isAsUsual) &&
    Object.hasOwn(tasks, value.task) &&
    Object.entries(ranges).every(isInside)
  );
}

function template({ el, page, state, trainer, sample }) {
  const now = state.get();
  const { runs } = trainer;
  const shown = shownOf(now, runs);
  return html`<div class="hl-play">
    ${questions(page, { preset: now.preset, choose: (name) => choose(page, state, trainer, name) })}
    <div class="hl-play-body">
      ${form(page, {
        settings: now.settings,
        sample: sample(now.settings),
        isLocked: trainer.isActive,
        set: (changes) => state.merge(changed(state.get(), changes)),
      })}
      <div class="hl-stack hl-play-main">
        ${question(page, {
          preset: now.preset,
          guess: now.guess,
          runs,
          setGuess: (guess) => state.merge({ guess }),
        })}
        ${controls(page, state, trainer)}
        ${runs.length > 0 ? watching(el, page, state, trainer, shown) : nothing}
      </div>
    </div>
  </div>`;
}

/** The run that is chosen; without a choice the one under way, or the last one with a picture. */
function shownOf({ shown }, runs) {
  if (shown !== null && shown < runs.length) return shown;
  const begun = runs.findLastIndex(({ frames }) => frames.length > 0);
  return Math.max(0, begun);
}

/** A preset's settings that are changed are the visitor's own. */
const changed = ({ settings }, changes) => ({
  settings: { ...settings, ...changes },
  preset: "own",
  guess: null,
});

function choose(page, state, trainer, name) {
  trainer.stop();
  const byName = (/** @type {string} */ wanted) =>
    page.facts.presets.find((one) => one.name === wanted);
  const preset = byName(name);
  const before = byName(state.get().preset);
  trainer.clear();
  state.merge({
    preset: name,
    guess: null,
    at: null,
    shown: null,
    ...(preset && { settings: preset.second }),
    ...(!preset && before && { settings: before.first }), // one's own begins as in the paper
  });
}

/** Train, pause, stop; and the slider through what was recorded. */
function controls(page, state, trainer) {
  const { t, facts } = page;
  const now = state.get();
  const preset = facts.presets.find(({ name }) => name === now.preset);
  const start = () => {
    const kept = now.keeps && !preset ? trainer.runs.filter(({ result }) => result).slice(-1) : [];
    state.merge({ at: null, shown: null });
    trainer.start(preset ? [preset.first, preset.second] : [now.settings], kept);
  };
  const { isActive, isPaused } = trainer;
  return html`<div class="hl-row hl-play-controls">
    ${
      isActive
        ? [
            button({
              label: t(isPaused ? "playground.continue" : "playground.pause"),
              class: "hl-play-pause",
              pressed: isPaused,
              onClick: () => trainer.pause(!isPaused),
            }),
            button({ label: t("playground.stop"), class: "hl-play-stop", onClick: trainer.stop }),
          ]
        : button({
            label: t(preset ? "playground.train.both" : "playground.train"),
            class: "hl-play-train",
            onClick: start,
          })
    }
    ${
      preset || isActive
        ? nothing
        : toggle({
            label: t("playground.keep"),
            checked: now.keeps,
            onChange: (keeps) => state.merge({ keeps }),
          })
    }
    ${status(page, trainer)}
    ${steps(page, state, trainer)}
  </div>`;
}

/** Back and forth through the frames of the run that is shown. */
function steps(page, state, trainer) {
  const { runs } = trainer;
  const { at } = state.get();
  const run = runs[shownOf(state.get(), runs)];
  if (run === undefined || run.frames.length < 2) return nothing;
  const last = run.frames.length - 1;
  return html`${slider({
    label: html`<span class="hl-unseen">${page.t("playground.recorded")}</span>`,
    class: "hl-play-at",
    min: 0,
    max: last,
    value: Math.min(at ?? last, last),
    text: (i) => page.t("playground.at", { n: run.frames[Math.min(i, last)].update }),
    typed: false,
    onInput: (value) => state.merge({ at: value >= last ? null : value }),
  })}`;
}

/** What is under way, in a sentence. */
function status(page, { runs, isPaused }) {
  const { t } = page;
  const run = runs.find(({ state }) => !isOver(state)) ?? runs.at(-1);
  if (run === undefined) return html`<p class="hl-note">${t("playground.idle")}</p>`;
  if (run.error) {
    return html`<p class="hl-failed" role="alert">${sentenceOf(page, run.error)}</p>`;
  }
  const key = isPaused && run.state === "running" ? "paused" : run.state;
  const values = {
    name: nameOf(runs, runs.indexOf(run)),
    place: run.place,
    update: run.frames.at(-1)?.update ?? 0,
    updates: run.settings.updates,
    seconds: (run.frames.at(-1)?.seconds ?? 0).toFixed(1),
  };
  const cut = run.result?.stopped ? t("playground.cut", { seconds: page.facts.seconds }) : "";
  return html`<p class="hl-note hl-play-status" data-state=${run.state}>
    ${t(`playground.state.${key}`, values)} ${cut}</p>`;
}

/** The curves, and what the shown run does at the frame looked at. */
function watching(el, page, state, trainer, shown) {
  const { runs } = trainer;
  const run = runs[shown];
  const last = run.frames.length - 1;
  const at = state.get().at;
  const frame = run.frames[Math.min(at ?? last, last)];
  const place = el.querySelector(".hl-play-curve");
  const right = el.querySelector(".hl-play-right");
  const font = parseFloat(getComputedStyle(el).fontSize);
  const go = (update) => {
    const i = run.frames.findIndex((one) => one.update >= update);
    state.merge({ at: i < 0 || i === last ? null : i });
  };
  return html`<div class="hl-play-watch">
    ${curves(page, { runs, at: frame && at !== null ? frame.update : null, place, go }).map(
      (one) => html`<div class="hl-play-curve">${one}</div>`,
    )}
    ${frame ? gradients(page, run, frame) : nothing}
    <div class="hl-play-right">
      ${runs.length > 1 ? whose(page, state, runs, shown) : nothing}
      ${
        frame && run.about
          ? maps(page, { run, frame, state, width: right?.clientWidth ?? 28 * font, font })
          : nothing
      }
    </div>
    <div class="hl-play-below">${results(page, runs)} ${seeds(page, state.get().preset)}
      ${takers(page, runs)}</div>
  </div>`;
}

/** Which of two runs the maps are of. */
const whose = (/** @type {Page} */ { t }, state, runs, shown) =>
  html`<div class="hl-row" role="group" aria-label=${t("playground.whose")}>
    ${runs.map((_, i) =>
      button({
        label: t("playground.of", { name: nameOf(runs, i) }),
        pressed: i === shown,
        onClick: () => state.merge({ shown: i, at: null }),
      }),
    )}
  </div>`;
