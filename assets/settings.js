// How the next token is chosen. Python checks every value again.

import { element } from "./elements.js";
import { facts, record } from "./state.js";
import { ask, current } from "./wire.js";
import { language, t } from "./words.js";

const PAUSE = 250; // ms between the last keystroke and the request

// The fields in order: their kind, their range, and the methods that heed them.
const BEAMS = ["beam", "beam_sampling"];
const DRAWS = ["sampling", "beam_sampling"];
const FIELDS = [
  { name: "method", choices: ["greedy", "beam", "sampling", "beam_sampling"] },
  { name: "beam_size", min: 1, max: 16, step: 1, heeds: BEAMS },
  { name: "length_penalty", min: -5, max: 5, step: 0.1 },
  { name: "penalty_form", choices: ["average", "gnmt"] },
  { name: "temperature", min: 0.05, max: 10, step: 0.05, heeds: DRAWS },
  { name: "top_k", min: 0, max: 100000, step: 1, heeds: DRAWS },
  { name: "top_p", min: 0.01, max: 1, step: 0.01, heeds: DRAWS },
  { name: "seed", min: 0, max: 4294967295, step: 1, heeds: DRAWS },
];

export function mountSettings(sheet) {
  const summary = sheet.querySelector("summary");
  const form = sheet.querySelector("form");
  const inputs = new Map(FIELDS.map((field) => [field.name, input(field)]));
  const reset = element("button", { type: "button", "data-t": "settings.reset", onclick: () => {
    ask({ settings: { ...facts.get().defaults }, shown: 0 });
    fillIn(inputs, current.settings);
  } });
  form.replaceChildren(
    ...FIELDS.map(({ name }) =>
      element("label", { "data-t-title": `settings.${name}.hint` },
        element("span", { "data-t": `settings.${name}` }), inputs.get(name))),
    element("p", { class: "hl-note", "data-t": "settings.note" }), reset,
  );
  fillIn(inputs, current.settings);
  let timer = 0;
  form.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const settings = readFrom(inputs);
      heed(inputs, settings.method);
      ask({ settings, shown: 0 });
    }, PAUSE);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  const describe = () => { summary.textContent = summaryText(record.get()?.settings ?? current.settings); };
  record.watch(describe);
  language.watch(describe);
}

function input({ name, choices, min, max, step }) {
  if (!choices) return element("input", { type: "number", name, min, max, step, required: "" });
  return element("select", { name }, ...choices.map((choice) =>
    element("option", { value: choice, "data-t": `settings.${name}.${choice}` })));
}

function fillIn(inputs, settings) {
  for (const [name, field] of inputs) field.value = settings[name];
  heed(inputs, settings.method);
}

// Fields that the method does not heed are still kept, but greyed.
function heed(inputs, method) {
  for (const { name, heeds } of FIELDS) inputs.get(name).disabled = Boolean(heeds && !heeds.includes(method));
}

function readFrom(inputs) {
  const settings = {};
  for (const { name, choices } of FIELDS) {
    const { value } = inputs.get(name);
    settings[name] = choices ? value : Number(value || NaN);
  }
  return settings;
}

function summaryText(settings) {
  const parts = [t(`settings.method.${settings.method}`)];
  if (BEAMS.includes(settings.method)) {
    parts.push(t("settings.short.beam", settings), t("settings.short.penalty", settings));
  }
  if (DRAWS.includes(settings.method)) parts.push(t("settings.short.temperature", settings));
  return parts.join(" · ");
}
