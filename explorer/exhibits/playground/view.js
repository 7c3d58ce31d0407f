// Train one yourself: a small Transformer learns a task of letters while you watch.

import { plot } from "../../../assets/kit/chart.js";
import { button, select, toggle } from "../../../assets/kit/choice.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { local } from "../../../assets/kit/fields.js";
import { flag, oneOf, orNull, whole } from "../../../assets/kit/keep.js";
import { KINDS } from "../../../assets/kit/selection.js";
import { slider } from "../../../assets/kit/slider.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import {
  apart,
  charts,
  fileOf,
  gradientSheet,
  nameOf,
  resultSheet,
  rowsOf,
  seeds,
} from "./curves.js";
import { finding } from "./finding.js";
import { form } from "./form.js";
import { allMaps } from "./maps.js";
import { guessing, isAnswered, namesOf, OUTCOMES, questions, verdict } from "./question.js";
import { entrantsForm, lengthSheets, raceOf, WINNERS } from "./race.js";
import { createSampler } from "./sample.js";
import { takers, takersWhy } from "./take.js";
import { taskPicture } from "./task.js";
import { createTrainer } from "./trainer.js";

const NARROW = 46; // em of a stacked picture
const TALLEST = 1.1; // times its width: the picture of the task
const CURVE = 12.4; // em of a curve's height, at least

export const { mount } = exhibit({
  name: "playground",
  fields: (facts) => ({
    preset: kept(facts.presets[0].name, oneOf(namesOf(facts))),
    first: kept("paper", oneOf(Object.keys(facts.models))), // the models of a race
    second: kept("t5", oneOf(Object.keys(facts.models))),
    guess: kept(null, orNull(oneOf([...OUTCOMES, ...WINNERS]))),
    settings: kept(facts.presets[0].second, (value) => areSettings(facts, value)),
    keeps: kept(false, flag), // the last run stays beside the next one
    kind: kept("cross", oneOf(KINDS)),
    layer: kept(0, whole(0, facts.ranges.layers[1] - 1)),
    at: local(null), // the current update; null follows the newest
    lit: local(null),
  }),
  engine: (page, redraw, fields) => {
    const trainer = createTrainer(page, redraw);
    clearsBetween(fields, trainer);
    return { trainer, sample: createSampler(page, redraw) };
  },
  scene,
  finding,
  picture,
  controls: [questions, training, (s) => (isBegun(s) ? steps(s) : guessing(s))],
  adjust: [takers, entrantsForm, shownHeads, keeping, settingsForm],
  numbers: (s) => [resultSheet(s), ...lengthSheets(s, nameOf), gradientSheet(s)],
  reading: (s) =>
    html`${apart(s)} ${seeds(s)} ${takersWhy(s)} <p>${s.t("guess.bounds", {
      learnt: Math.round(s.page.facts.learnt * 100),
      failed: Math.round(s.page.facts.failed * 100),
    })}</p>`,
  files: ({ runs }) =>
    isBegun({ runs }) ? { csv: () => rowsOf(runs), json: () => fileOf(runs), svg: null } : {},
});

const kept = (first, /** @type {(value: any) => boolean} */ fits) => ({ first, fits });

/** Another question, also one from a link or a lesson, begins without the runs of the last one. */
function clearsBetween(fields, trainer) {
  const textOf = ({ preset, first, second }) => [preset, first, second].join();
  let last = textOf(fields.get());
  fields.watch((/** @type {any} */ now) => {
    const isOther = textOf(now) !== last;
    last = textOf(now);
    if (!isOther || now.preset === "own") return; // own settings may be laid over what was trained
    trainer.stop();
    trainer.clear();
  });
}

const isBegun = ({ runs }) => runs.some(({ frames }) => frames.length > 0);

/** What older links call the positions. */
const FORMER = new Map([
  [true, "sinusoids"],
  [false, "none"],
]);

/** Settings with every field: an older link lacks some. */
function complete({ presets }, value) {
  const positions = FORMER.get(value?.positions) ?? value?.positions;
  return { ...presets[0].first, ...value, ...(positions === undefined ? {} : { positions }) };
}

/** True if these are settings that the form can show; Python checks them before a run. */
function areSettings(facts, given) {
  const { presets, ranges, tasks, words } = facts;
  const usual = presets[0].second;
  const value = complete(facts, given);
  const isAsUsual = (/** @type {string} */ name) => typeof value[name] === typeof usual[name];
  const isInside = ([name, [low, high]]) => value[name] >= low && value[name] <= high;
  const isWord = ([name, all]) => all.includes(value[name]);
  return (
    given !== null &&
    typeof given === "object" &&
    Object.keys(usual).every(isAsUsual) &&
    Object.hasOwn(tasks, value.task) &&
    Object.entries(ranges).every(isInside) &&
    Object.entries(words).every(isWord)
  );
}

/** The runs, each at the current frame, with the visitor's actions. */
function scene({ page, trainer, at, set, preset: name, first, second, settings: given }) {
  const { facts } = page;
  const { runs } = trainer;
  const race = raceOf(facts, name);
  const byName = (/** @type {string} */ one) => pairOf(facts, one, { first, second });
  const frameOf = ({ frames }) =>
    frames.findLast(({ update }) => at === null || update <= at) ?? frames[0] ?? null;
  const newest = Math.max(0, ...runs.map(({ frames }) => frames.at(-1)?.update ?? 0));
  return {
    runs,
    newest,
    race,
    // Of a question these are its own, also where a link names the question alone.
    settings: byName(name)?.second ?? complete(facts, given),
    chosen: byName(name),
    frames: runs.map(frameOf),
    go: (/** @type {number} */ update) =>
      set({ at: update >= newest ? null : Math.max(0, update) }),
    choosePreset(/** @type {string} */ wanted) {
      trainer.stop();
      trainer.clear();
      const own = byName(name)?.first; // a custom one starts as in the paper
      const settings = byName(wanted)?.second ?? own;
      set({ preset: wanted, guess: null, at: null, ...(settings && { settings }) });
    },
    choosePair(/** @type {{first?: string, second?: string}} */ models) {
      const settings = race.runs[models.second ?? second];
      set({ ...models, guess: null, at: null, settings });
    },
  };
}

/** The two runs of a question, if it is none of the visitor's own. */
const pairOf = (facts, name, { first, second }) => {
  const race = raceOf(facts, name);
  if (race) return { first: race.runs[first], second: race.runs[second] };
  return facts.presets.find((/** @type {any} */ one) => one.name === name);
};

/** The task, until something is trained; then the maps of all models beside their curves. */
function picture(s, size) {
  const { width, height, em } = size;
  // Below each other all is as tall as it is; what was there before must not stretch the task.
  if (!isBegun(s)) return taskPicture(s, { ...size, height: Math.min(height, TALLEST * width) });
  const isNarrow = width < NARROW * em;
  const all = charts(s);
  const letters = Math.min(em, Math.max(12, height / all.length / CURVE));
  const left = isNarrow ? width : width * (s.runs.length > 1 ? 0.6 : 0.5);
  const curve = { width: isNarrow ? width : width - left - 1.5 * em, em: letters };
  const tall = isNarrow ? 16 * em : height / all.length - 0.4 * em;
  const below = isAnswered(s) ? 4 * em : 0;
  const maps = allMaps(s, { width: left, height: isNarrow ? width * 1.3 : height - below, em });
  const answer = isAnswered(s) ? verdict(s) : nothing;
  const curves = html`<div class="hl-play-curves" style="font-size:${letters}px">
    ${all.map((one) => html`<div class="hl-play-curve">${plot(s.page, { ...curve, height: tall }, one)}</div>`)}
    ${all.length === 1 ? html`<p class="hl-note">${s.t("too_few")}</p>` : nothing}</div>`;
  if (isNarrow) {
    // One below the other, as tall as they are; a race is decided by its curves.
    const parts = s.race ? [answer, curves, maps] : [maps, answer, curves];
    return html`<div class="hl-play-stacked">${parts}</div>`;
  }
  return html`<div class="hl-play-watch" style="grid-template-columns:${left}px minmax(0, 1fr)">
    <div class="hl-play-left">${maps} ${answer}</div> ${curves}</div>`;
}

/** Train, or pause and stop. */
function training({ t, el, trainer, chosen, race, settings, keeps, set }) {
  const { isActive, isPaused, runs } = trainer;
  const start = () => {
    const last = keeps && !chosen ? runs.filter(({ result }) => result).slice(-1) : [];
    set({ at: null });
    el.querySelector("[data-part=finding]").scrollIntoView({ block: "nearest" }); // the result
    trainer.start(chosen ? [chosen.first, chosen.second] : [settings], last);
  };
  if (!isActive) {
    const label = t(chosen ? bothOf(chosen, race) : "train");
    return button({ label, class: "hl-play-train", onClick: start });
  }
  return html`<span class="hl-row">${button({
    label: t(isPaused ? "continue" : "pause"),
    class: "hl-play-pause",
    pressed: isPaused,
    onClick: () => trainer.pause(!isPaused),
  })} ${button({ label: t("stop"), class: "hl-play-stop", onClick: trainer.stop })}</span>`;
}

/** What the two models are. */
const bothOf = ({ name }, race) =>
  race ? "train.race" : name === "heads" ? "train.heads" : "train.change";

/** Back and forth through the recorded frames. */
function steps({ t, runs, at, go, newest }) {
  const all = runs.map(({ frames }) => frames.map(({ update }) => update));
  const updates = all.reduce((most, one) =>
    one.at(-1) > most.at(-1) || !most.length ? one : most,
  );
  const last = updates.length - 1;
  const now = at ?? newest;
  return slider({
    label: html`<span class="hl-unseen">${t("recorded")}</span>`,
    class: "hl-play-at",
    min: 0,
    max: last,
    value: Math.max(
      0,
      updates.findLastIndex((update) => update <= now),
    ),
    text: (i) => t("at", { n: updates[Math.min(i, last)] }),
    typed: false,
    disabled: last < 1,
    onInput: (i) => go(updates[Math.min(i, last)]),
  });
}

/** Changed settings of a preset make a custom question. */
function settingsForm({ page, settings, sample, trainer, set }) {
  const latest = (/** @type {any} */ now) =>
    now.preset === "own" ? complete(page.facts, now.settings) : settings;
  return form(page, {
    settings,
    sample: sample(settings),
    isLocked: trainer.isActive,
    set: (changes) =>
      set((now) => ({ settings: { ...latest(now), ...changes }, preset: "own", guess: null })),
  });
}

function keeping({ t, chosen, trainer, keeps, set }) {
  if (chosen || trainer.isActive) return nothing;
  return toggle({
    label: t("keep"),
    class: "hl-play-keep",
    checked: keeps,
    onChange: (value) => set({ keeps: value }),
  });
}

/** The heads of the maps: the kind, the layer. */
function shownHeads({ t, page, kind, layer, settings, runs, set }) {
  const layers = Math.max(settings.layers, ...runs.map((run) => run.settings.layers));
  const all = Array.from({ length: layers }, (_, i) => ({
    value: String(i),
    label: String(i + 1),
  }));
  return html`${select({
    class: "hl-play-kind",
    label: t("kind"),
    value: kind,
    options: KINDS.map((value) => ({ value, label: page.t(`kind.${value}`) })),
    onChange: (value) => set({ kind: value, lit: null }),
  })} ${
    layers > 1
      ? select({
          label: t("layer"),
          value: String(Math.min(layer, layers - 1)),
          options: all,
          onChange: (value) => set({ layer: Number(value), lit: null }),
        })
      : nothing
  }`;
}
