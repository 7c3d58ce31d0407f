// The decoding settings. Python checks every value again.

import { html, live, nothing, render } from "../vendor/lit-html.js";
import { rulesList } from "./rules.js";
import { page } from "./state.js";

const PAUSE = 250; // ms between the last keystroke and the request
const BEAMS = ["beam", "beam_sampling"];
const DRAWS = ["sampling", "beam_sampling"];

// The fields in order, with kind, range, and the methods that use them.
/** @typedef {{name: string, step?: number, choices?: string[], methods?: string[]}} Field */
/** @typedef {(name: string, value: string|number|string[]) => void} Change */

/** @type {Field[]} */
const FIELDS = [
  { name: "method", choices: ["greedy", "beam", "sampling", "beam_sampling"] },
  { name: "beam_size", step: 1, methods: BEAMS },
  { name: "length_penalty", step: 0.1 },
  { name: "penalty_form", choices: ["average", "gnmt"] },
  { name: "temperature", step: 0.05, methods: DRAWS },
  { name: "top_k", step: 1, methods: DRAWS },
  { name: "top_p", step: 0.01, methods: DRAWS },
  { name: "seed", step: 1, methods: DRAWS },
];

/** The settings of the last request, whose owner is `page.current`. */
const current = () => ({ ...page.shared.defaults, ...page.current.settings });

export function mountSettings(/** @type {any} */ sheet) {
  const form = sheet.querySelector("form");
  let changes = /** @type {Record<string, any>} */ ({}); // since the last answer: a refused value can still be mended
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;

  /** @type {Change} */
  function change(name, value) {
    changes = { ...changes, [name]: value };
    draw();
    clearTimeout(timer);
    timer = setTimeout(() => send({ ...current(), ...changes }), PAUSE);
  }

  /** @type {(name: string, isOn: boolean) => void} */
  function turn(name, isOn) {
    const off = { ...current(), ...changes }.rules_off ?? [];
    const others = off.filter((/** @type {string} */ one) => one !== name);
    change("rules_off", isOn ? others : [...others, name].sort());
  }

  function send(/** @type {object} */ settings) {
    timer = undefined;
    page.explain({ settings, shown: 0 });
  }

  function reset() {
    clearTimeout(timer);
    changes = {};
    send({}); // Python fills in the model's own
    draw();
  }

  function draw() {
    const { t } = page;
    const settings = { ...current(), ...changes };
    render(
      html`${FIELDS.map((field) => input(field, settings, change))}
        ${notOfTheModel() && html`<p class="hl-note">${t("settings.beams")}</p>`}
        <p class="hl-note">${t("settings.note")}</p>
        ${rulesList(page, settings.rules_off ?? [], turn)}
        <button type="button" @click=${reset}>${t("settings.reset")}</button>`,
      form,
    );
    const shown = page.record.get()?.settings ?? settings;
    sheet.querySelector("summary > span").textContent = summaryText(shown);
  }

  form.addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
  page.record.watch(() => {
    if (timer === undefined) changes = {};
    draw();
  });
  page.language.watch(draw);
}

/** A field not used by the method keeps its value, greyed out.
 * @param {Field} field @param {Record<string, any>} settings @param {Change} change */
function input({ name, choices, step, methods }, settings, change) {
  const { t } = page;
  const [min, max] = page.shared.ranges[name] ?? [];
  const isUnused = Boolean(methods && !methods.includes(settings.method));
  const value = live(String(settings[name]));
  /** @typedef {import("../kit/types.js").Typed} Typed */
  const choose = (/** @type {Typed} */ { target }) => change(name, target.value);
  const type = (/** @type {Typed} */ { target }) =>
    change(name, Number(target.value || Number.NaN));
  const option = (
    /** @type {string} */ one,
  ) => html`<option value=${one} ?selected=${one === settings[name]}>
    ${t(`settings.${name}.${one}`)}</option>`;
  return html`<label title=${t(`settings.${name}.hint`)}>
    <span>${t(`settings.${name}`)}</span>
    ${
      choices
        ? html`<select name=${name} .value=${value}
          @input=${choose}>${choices.map(option)}</select>`
        : html`<input type="number" name=${name} min=${min ?? nothing} max=${max ?? nothing}
            step=${step ?? nothing} required ?disabled=${isUnused}
            .value=${Number.isNaN(settings[name]) ? nothing : value} @input=${type}>`
    }
  </label>`;
}

/** The number of beams that Headlight chose, as the model's files name none. */
const notOfTheModel = () => page.record.get()?.model.beams;

function summaryText(/** @type {Record<string, any>} */ settings) {
  const { t } = page;
  const parts = [t(`settings.method.${settings.method}`)];
  if (BEAMS.includes(settings.method)) {
    const beams = t("settings.short.beam", settings);
    const isOurs = notOfTheModel() === settings.beam_size;
    parts.push(isOurs ? `${beams} (${t("settings.short.ours")})` : beams);
    parts.push(t("settings.short.penalty", settings));
  }
  const { rules_off: off = [] } = settings;
  if (off.length > 0) parts.push(t("settings.short.rules", { n: off.length }));
  if (DRAWS.includes(settings.method)) parts.push(t("settings.short.temperature", settings));
  return parts.join(" · ");
}
