// The roles of a model's heads over many sentences, requested once in the background: they give a
// head's row labels and its description. The page works without them.

import { nameOf } from "../kit/heads.js";
import { page } from "./state.js";

const AGAIN = 2_000; // ms until the page asks how far a model's catalogue is

/** Requests the catalogue of each model in use. */
export function followRoles() {
  /** @type {Map<string, any>} */
  const known = new Map(); // by the model's key
  page.record.watch((record) => {
    if (record === null || record.recorded) return;
    const { key } = record.model;
    page.roles.set(known.get(key) ?? null);
    if (known.has(key)) return;
    known.set(key, null);
    follow(record, (found) => {
      known.set(key, found);
      if (page.record.get()?.model.key === key) take(found);
    });
  });
}

/** Asks until the catalogue is complete. @param {any} record @param {(found: any) => void} tell */
async function follow(record, tell) {
  try {
    const found = await ask(record);
    if (found === null) return;
    tell(found);
    if (found.few && !found.few.is_over && !page.shared.saved)
      setTimeout(() => follow(record, tell), AGAIN);
  } catch {
    // A model whose file cannot be read, or a saved session: its heads get no description.
  }
}

async function ask(/** @type {any} */ record) {
  const reply = await page.ask("catalogue", {}, record);
  if (reply === null) return null;
  const { heads, ...about } = reply;
  return { ...about, of: new Map(heads.map((/** @type {any} */ one) => [nameOf(one), one])) };
}

/** The current head's rows get fitting labels, unless the visitor has chosen them. */
function take(/** @type {any} */ found) {
  page.roles.set(found);
  page.selection.merge(page.namesFor(page.selection.get()));
}
