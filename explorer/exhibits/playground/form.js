// The settings of a run: the task with examples of it, the parts of the model, its sizes, the
// training. Each has a short explanation.

import { select, toggle } from "../../../assets/kit/choice.js";
import { countText } from "../../../assets/kit/numbers.js";
import { sentenceOf } from "../../../assets/kit/request.js";
import { slider } from "../../../assets/kit/slider.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

const WIDTHS = [8, 16, 32, 48, 64, 96, 128];
const RATES = [1e-5, 1e-4, 3e-4, 1e-3, 2e-3, 3e-3, 4e-3, 5e-3, 6e-3, 8e-3, 1e-2, 2e-2, 5e-2, 0.1];
const SIZES = ["layers", "heads", "d_model", "d_ff"];

/**
 * @param {Page} page
 * @param {{settings: any, sample: any, isLocked: boolean, set: (changes: object) => void}} given
 */
export function form(page, given) {
  const { t } = page;
  const group = (name, fields, isOpen) => html`<details ?open=${isOpen}>
    <summary>${t(`playground.group.${name}`)}</summary>
    <div class="hl-stack">${fields}</div>
  </details>`;
  return html`<fieldset class="hl-play-form" ?disabled=${given.isLocked}>
    <legend class="hl-unseen">${t("playground.settings")}</legend>
    ${task(page, given)}
    ${group("parts", parts(page, given), true)}
    ${group("sizes", sizes(page, given), false)}
    ${group("training", training(page, given), false)}
  </fieldset>`;
}

/** The task, its length and letters, and a few examples. */
function task(page, { settings, sample, set }) {
  const { t, facts } = page;
  const { length, alphabet } = facts.tasks[settings.task];
  const bounded = (name, [min, , max]) =>
    min === max
      ? nothing
      : slider({
          label: t(`playground.${name}.${settings.task === "add" ? "digits" : "letters"}`),
          class: `hl-play-${name}`,
          min,
          max,
          value: settings[name],
          onInput: (value) => set({ [name]: Math.round(value) }),
        });
  return html`<div class="hl-stack">
    ${select({
      label: t("playground.task"),
      class: "hl-play-task",
      value: settings.task,
      options: Object.keys(facts.tasks).map((value) => ({
        value,
        label: t(`playground.task.${value}`),
      })),
      onChange: (value) => set(taskChanges(facts, settings, value)),
    })}
    <p class="hl-note">${t(`playground.rule.${settings.task}`)}</p>
    ${bounded("length", length)} ${facts.tasks[settings.task].has_lengths ? shorter(page, settings, set) : nothing}
    ${bounded("alphabet", alphabet)}
    ${examples(page, sample)}
  </div>`;
}

/** Whether training has shorter examples, too. */
const shorter = ({ t }, settings, set) =>
  html`<div>${toggle({
    label: t("playground.set.shorter"),
    class: "hl-play-shorter",
    checked: settings.shorter,
    onChange: (value) => set({ shorter: value }),
  })}
  <p class="hl-note">${t("playground.why.shorter")}</p></div>`;

/** A different task has its own lengths and sizes; the parts that are off stay off. */
function taskChanges(facts, settings, task) {
  const { length, alphabet, d_ff, updates, rate, shorter: mixed } = facts.tasks[task].usual;
  return { ...settings, task, length, alphabet, d_ff, updates, rate, shorter: mixed };
}

function examples(/** @type {Page} */ page, sample) {
  if (sample === null) return nothing;
  if (sample.error)
    return html`<p class="hl-failed" role="alert">
    ${sentenceOf(page, sample.error)}</p>`;
  return html`<ul class="hl-play-examples" aria-label=${page.t("playground.examples")}>
    ${sample.pairs.map(
      ([source, target]) => html`<li><code>${source}</code> → <code>${target}</code></li>`,
    )}
  </ul>`;
}

const CHOSEN = ["positions", "norm", "norm_kind", "feed_forward", "embedding"];

/** The parts of the model: those of one of the known models, or each on its own. */
function parts(page, { settings, sample, set }) {
  const { t, facts } = page;
  const note = (/** @type {string} */ key) =>
    html`<p class="hl-note">${t(`playground.${key}`)}</p>`;
  return [
    modelMenu(page, { settings, sample, set }),
    CHOSEN.map((name) => [
      select({
        label: t(`playground.set.${name}`),
        class: `hl-play-${name}`,
        value: settings[name],
        options: facts.words[name].map((value) => ({
          value,
          label: t(`playground.${name}.${value}`),
        })),
        onChange: (value) => set({ [name]: value }),
      }),
      note(`why.${name}.${settings[name]}`),
    ]),
    facts.switches.map(
      (name) => html`<div>${toggle({
        label: t(`playground.set.${name}`),
        class: `hl-play-${name}`,
        checked: settings[name],
        onChange: (value) => set({ [name]: value }),
      })}
      ${note(`why.${name}`)}</div>`,
    ),
  ];
}

/** Sets all parts to those of a model, and d_ff so that its size stays the same. */
function modelMenu({ t, facts }, { settings, sample, set }) {
  const has = ([, its]) => Object.entries(its).every(([name, one]) => settings[name] === one);
  const models = Object.entries(facts.models);
  const [now = "mixed"] = models.find(has) ?? [];
  const widths = sample?.d_ff ?? {};
  return [
    select({
      label: t("playground.parts"),
      class: "hl-play-parts",
      value: now,
      options: [
        ...models.map(([name]) => ({
          value: name,
          label: t(`playground.made.${name}`),
          disabled: !(name in widths),
        })),
        ...(now === "mixed" ? [{ value: now, label: t("playground.made.mixed") }] : []),
      ],
      onChange: (name) => set({ ...facts.models[name], d_ff: widths[name] }),
    }),
    html`<p class="hl-note">${t("playground.why.parts")}</p>`,
  ];
}

function sizes(page, { settings, sample, set }) {
  const { t, facts } = page;
  const number = (name) => numberField(page, settings, set, name);
  const width = (name) => {
    const all = [...new Set([...WIDTHS, 256, 512, settings[name]])].sort((a, b) => a - b);
    const [low, high] = facts.ranges[name];
    return select({
      label: t(`playground.set.${name}`),
      class: `hl-play-${name}`,
      value: String(settings[name]),
      options: all
        .filter((value) => value >= low && value <= high)
        .map((value) => ({ value: String(value), label: value })),
      onChange: (value) => set({ [name]: Number(value) }),
    });
  };
  return [
    SIZES.map((name) => [
      name.startsWith("d_") ? width(name) : number(name),
      html`<p class="hl-note">${t(`playground.why.${name}`)}</p>`,
    ]),
    sample?.parameters
      ? html`<p class="hl-note">${t("playground.parameters", {
          n: countText(sample.parameters),
          most: countText(facts.parameters),
        })}</p>`
      : nothing,
  ];
}

function training(page, { settings, set }) {
  const { t, facts } = page;
  const number = (name, step) => numberField(page, settings, set, name, step);
  const note = (name) => html`<p class="hl-note">${t(`playground.why.${name}`)}</p>`;
  return [
    select({
      label: t("playground.set.rate"),
      class: "hl-play-rate",
      value: String(settings.rate),
      options: [...new Set([...RATES, settings.rate])]
        .sort((a, b) => a - b)
        .map((value) => ({ value: String(value), label: value })),
      onChange: (value) => set({ rate: Number(value) }),
    }),
    note("rate"),
    number("warmup"),
    note("warmup"),
    select({
      label: t("playground.set.schedule"),
      class: "hl-play-schedule",
      value: settings.schedule,
      options: facts.words.schedule.map((value) => ({
        value,
        label: t(`playground.schedule.${value}`),
      })),
      onChange: (value) => set({ schedule: value }),
    }),
    number("batch"),
    number("updates"),
    number("label_smoothing", 0.01),
    note("label_smoothing"),
    number("dropout", 0.01),
    note("dropout"),
    number("seed"),
    note("seed"),
  ];
}

function numberField({ t, facts }, settings, set, name, step = 1) {
  const [min, max] = facts.ranges[name];
  const rounded = (value) => (facts.whole.includes(name) ? Math.round(value) : value);
  return slider({
    label: t(`playground.set.${name}`),
    class: `hl-play-${name}`,
    min,
    max,
    step,
    value: settings[name],
    onInput: (value) => set({ [name]: rounded(value) }),
  });
}

/** A setting's value in words. @param {(key: string) => string} t the view's words */
export function valueText(t, name, value) {
  if (typeof value === "boolean") return t(value ? "on" : "off");
  if (name === "schedule" || name === "task" || CHOSEN.includes(name)) return t(`${name}.${value}`);
  return String(value);
}

/** A setting's name in words. @param {(key: string) => string} t */
export const settingText = (t, name) =>
  ["task", "length", "alphabet"].includes(name) ? t(name) : t(`set.${name}`);
