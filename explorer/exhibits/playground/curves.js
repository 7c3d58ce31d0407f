// The curves of one run, or of two laid over each other, with their final numbers.

import { countText, percentText } from "../../../assets/kit/numbers.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { settingText, valueText } from "./form.js";
import { hasScore, lossText } from "./question.js";
import { entrants, lengthChart } from "./race.js";
import { differences } from "./trainer.js";

/** @typedef {import("./trainer.js").Run} Run */

const LOOKS = /** @type {const} */ ({ free: [1, 2], forced: [4, 3] });
const LEAST = 3.6; // nats at the top of the loss axis: a guess among some thirty letters

/** "A" and "B", or nothing for a single run. */
export const nameOf = (/** @type {Run[]} */ runs, i) => (runs.length > 1 ? "AB"[i] : "");

/** Loss and accuracy of every run, as charts; accuracy by length in place of the loss where that is
 * the question. @param {any} s the scene */
export function charts(s) {
  const { t, runs, frames, at, go } = s;
  const ends = runs.map(({ result, settings }) => result?.diverged ?? settings.updates);
  const diverged = runs.flatMap(({ result }, i) =>
    result?.diverged
      ? [{ x: result.diverged, name: `${nameOf(runs, i)} ${t("diverged")}`.trim() }]
      : [],
  );
  const shared = {
    x: { from: 0, to: Math.max(...ends), name: t("updates") },
    marks: [...(at === null ? [] : [{ x: at, quiet: true }]), ...diverged],
    onPoint: (value, event) => event.buttons & 1 && go(Math.round(value)),
  };
  const isCounted = runs.some(({ about }) => about?.tests);
  const isOpen = runs.every(({ about }) => about === null);
  if (!frames.some((one) => one)) return [];
  const accuracy = isCounted || isOpen ? [accuracies(s, shared)] : [];
  if (s.preset === "further") return [lengthChart(s, byLength(s)), ...accuracy];
  return [losses(s, shared), ...accuracy];
}

/** A run's accuracy by length, as a line with the model's name. @param {any} s the scene */
const byLength = (s) =>
  s.runs.map(({ result }, /** @type {number} */ i) => ({
    look: LOOKS.free[i],
    name: `${nameOf(s.runs, i)} ${entrants(s)[i === 0 ? "first" : "second"]}`,
    points: (result?.by_length ?? []).map((one) => [one.length, one.free_accuracy]),
  }));

const line = (runs, i, look, name, of) => ({
  look,
  name: `${nameOf(runs, i)} ${name}`.trim(),
  points: runs[i].frames.map((frame) => [frame.update, of(frame)]),
});

/** An exploding loss has powers of ten on its axis. */
function losses({ t, runs }, shared) {
  const all = runs.flatMap(({ frames }) => frames.map(({ loss }) => loss));
  const [low, high] = [Math.max(1e-4, Math.min(1, ...all)), Math.max(LEAST, ...all)];
  const isLog = high > 2 * LEAST;
  return {
    ...shared,
    name: t("loss.alt"),
    file: "playground-loss",
    y: { from: isLog ? low : 0, to: high, log: isLog, name: t("loss") },
    lines: runs.map((_, i) => line(runs, i, LOOKS.free[i], t("loss"), (f) => f.loss)),
  };
}

function accuracies({ t, runs }, shared) {
  const counted = runs.flatMap((run, i) => (run.about?.tests ? [i] : []));
  const luck = (field, name) =>
    [...new Set(counted.map((i) => runs[i].about[field]))].map((y) => ({
      y,
      name: `${name}: ${percentText(y)}`,
      quiet: true,
    }));
  return {
    ...shared,
    name: t("accuracy.alt"),
    file: "playground-accuracy",
    y: { from: 0, to: 1, name: t("accuracy"), text: (v) => `${Math.round(v * 100)} %` },
    marks: [
      ...shared.marks,
      ...luck("chance_accuracy", t("chance.free")),
      ...luck("chance_token_accuracy", t("chance.forced")),
    ],
    lines: counted.flatMap((i) => [
      line(runs, i, LOOKS.free[i], t("free"), (frame) => frame.free_accuracy),
      line(runs, i, LOOKS.forced[i], t("forced"), (f) => f.teacher_forced_accuracy),
    ]),
  };
}

/** The differences between A and B, in words. @param {any} s the scene */
export function apart({ t, runs }) {
  if (runs.length < 2) return nothing;
  const all = differences(runs[0].settings, runs[1].settings);
  if (all.length === 0) return html`<p>${t("same")}</p>`;
  const [first, second] = runs.map(({ about }) => about && countText(about.parameters));
  return html`${all.map(
    ({ name, first, second }) =>
      html`<p class="hl-play-apart">${t("apart", {
        name: settingText(t, name),
        first: valueText(t, name, first),
        second: valueText(t, name, second),
      })}</p>`,
  )}
  ${first && second ? html`<p>${t("sizes.both", { first, second })}</p>` : nothing}`;
}

/** The results of a preset's two runs on five seeds. @param {any} s the scene */
export function seeds({ t, page: { facts }, preset }) {
  const known = facts.claims[preset];
  if (known === undefined) return nothing;
  const listed = (/** @type {number[]} */ all) =>
    all.map((one) => Math.round(100 * one)).join(", ");
  const values = {
    first: listed(known.first),
    second: listed(known.second),
    chance: Math.max(...known.chance.map((one) => Math.round(1000 * one) / 10)),
    n: known.first.length,
  };
  return html`<p class="hl-note hl-play-seeds">${t("seeds", values)}</p>`;
}

/** The final numbers of every run. @param {any} s the scene */
export function resultSheet(s) {
  const { t, runs } = s;
  const rows = runs.flatMap((run, i) =>
    run.result ? [{ ...run.result, run: nameOf(runs, i) }] : [],
  );
  const columns = {
    free: shares(t, "free_accuracy", "chance_accuracy"),
    forced: shares(t, "teacher_forced_accuracy", "chance_token_accuracy"),
    loss: { cell: ({ loss }) => (loss === null ? "–" : lossText(loss)), csv: ({ loss }) => loss },
    updates: { cell: ({ updates }) => updates },
    parameters: { cell: (one) => countText(one.parameters), csv: (one) => one.parameters },
    seconds: { cell: (one) => `${one.seconds.toFixed(1)} s`, csv: (one) => one.seconds },
  };
  return {
    name: t("results"),
    file: "playground-results",
    class: "hl-play-results",
    note: counted(s),
    rows,
    columns: {
      ...(runs.length > 1 ? { run: { text: true, head: "", cell: ({ run }) => run } } : {}),
      ...Object.fromEntries(
        Object.entries(columns).map(([key, one]) => [key, { ...one, head: t(`column.${key}`) }]),
      ),
    },
  };
}

/** The examples behind the shares, or the reason why there are none. */
function counted({ t, page: { facts }, runs }) {
  const done = runs.filter(({ result }) => result !== null);
  const scored = done.find(hasScore);
  const isShort = done.some(({ result }) => result.test_inputs === 0);
  const values = { tests: scored?.result.test_inputs, watched: facts.watched };
  return html`${isShort ? t("too_few") : nothing} ${scored ? t("counted", values) : nothing}`;
}

const shares = (t, /** @type {string} */ value, /** @type {string} */ luck) => ({
  cell: (result) => share(t, result[value], result[luck]),
  csv: (result) => result[value],
});

/** The share of correct outputs, and below it that of chance. */
const share = (t, value, luck) =>
  value === null
    ? "–"
    : html`${percentText(value)}<small class="hl-play-chance">${t("chance", {
        chance: percentText(luck),
      })}</small>`;

/** The curves as rows. @param {Run[]} runs */
export const rowsOf = (runs) => [
  [
    "run",
    "update",
    "loss",
    "teacher_forced_accuracy",
    "chance_token_accuracy",
    "free_accuracy",
    "chance_accuracy",
    "seconds",
  ],
  ...runs.flatMap(({ frames, about }, i) =>
    frames.map((frame) => [
      nameOf(runs, i),
      frame.update,
      frame.loss,
      frame.teacher_forced_accuracy,
      about.chance_token_accuracy,
      frame.free_accuracy,
      about.chance_accuracy,
      frame.seconds,
    ]),
  ),
];

/** Settings, results and curves, without the attention. @param {Run[]} runs */
export const fileOf = (runs) =>
  runs.map(({ settings, result, about, frames }) => ({
    settings,
    result,
    curve_chance_accuracy: about?.chance_accuracy ?? null,
    curve_chance_token_accuracy: about?.chance_token_accuracy ?? null,
    curve: frames.map(({ weights, ...rest }) => rest),
  }));

/** The size of each run's last update in each layer. @param {any} s the scene */
export function gradientSheet({ t, runs, frames }) {
  const begun = runs.flatMap((_, i) => (frames[i]?.update > 0 ? [i] : []));
  const most = Math.max(0, ...begun.map((i) => frames[i].gradients.length));
  const column = (/** @type {number} */ i) => ({
    head: nameOf(runs, i) || t("size"),
    cell: (_, layer) => frames[i].gradients[layer]?.toPrecision(2) ?? "",
    csv: (_, layer) => frames[i].gradients[layer] ?? null,
  });
  const nameAt = (/** @type {number} */ layer) => {
    const { layers } = runs[begun[0]].settings;
    return t(layer < layers ? "encoder" : "decoder", { n: (layer % layers) + 1 });
  };
  return {
    name: t("gradients"),
    file: "playground-gradients",
    class: "hl-play-gradients",
    note: t("gradients.note"),
    rows: Array.from({ length: most }, (_, layer) => layer),
    columns: {
      layer: { text: true, cell: nameAt },
      ...Object.fromEntries(begun.map((i) => [`gradient_${nameOf(runs, i) || "A"}`, column(i)])),
    },
  };
}
