// The note above every view while the model is modified, and the button that undoes it.

import { parts } from "../kit/interventions.js";
import { page } from "./state.js";

export function mountChanged(/** @type {any} */ chip) {
  const undo = chip.querySelector("button");
  undo.addEventListener("click", () => page.explain({ interventions: {} }));
  const write = () => {
    const record = page.record.get();
    const changes = record === null ? [] : parts(record.interventions, page.shared.interventions);
    chip.hidden = changes.length === 0;
    undo.hidden = Boolean(page.shared.saved); // there is no model
    chip.title = page.t("changed.model", { what: listed(changes) });
    chip.querySelector("span").textContent = chip.title;
  };
  page.record.watch(write);
  page.language.watch(write);
}

// "2 heads off, no causal mask"
const listed = (/** @type {{name: string, n: number}[]} */ changes) =>
  changes.map(({ name, n }) => page.t(`changed.${name}`, { n })).join(page.t("changed.comma"));
