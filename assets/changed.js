// The sign that stands by every exhibit while the model on show is a changed one, and the way back.

import { parts } from "./interventions.js";
import { record } from "./state.js";
import { ask } from "./wire.js";
import { language, t } from "./words.js";

export function mountChanged(chip) {
  chip.querySelector("button").addEventListener("click", () => ask({ interventions: {} }));
  const write = () => {
    const shown = record.get();
    const changes = shown === null ? [] : parts(shown.interventions);
    chip.hidden = changes.length === 0;
    chip.querySelector("span").textContent = t("changed.model", { what: listed(changes) });
  };
  record.watch(write);
  language.watch(write);
}

// "2 heads off, no causal mask"
export const listed = (changes) =>
  changes.map(({ name, n }) => t(`changed.${name}`, { n })).join(t("changed.comma"));
