// What the heads of a model do over many sentences, asked once in the background: from it come the
// names of a head's rows and its description. Without an answer the page goes on.

import { nameOf } from "../kit/heads.js";
import { page } from "./state.js";

/** Asks for the catalogue of each model whose sentence is shown. */
export function followRoles() {
  /** @type {Map<string, any>} */
  const known = new Map(); // by the model's key
  page.record.watch((record) => {
    if (record === null || record.recorded) return;
    const { key } = record.model;
    page.roles.set(known.get(key) ?? null);
    if (known.has(key)) return;
    known.set(key, null);
    ask(record).then(
      (found) => {
        known.set(key, found);
        if (page.record.get()?.model.key === key) take(found);
      },
      () => {}, // a model that is too large for it, a saved file: nothing is said of its heads
    );
  });
}

async function ask(/** @type {any} */ record) {
  const reply = await page.ask("catalogue", {}, record);
  if (reply === null) return null;
  const { heads, ...about } = reply;
  return { ...about, of: new Map(heads.map((/** @type {any} */ one) => [nameOf(one), one])) };
}

/** The rows of the head on show get the names that fit it, where the visitor has chosen none. */
function take(/** @type {any} */ found) {
  page.roles.set(found);
  page.selection.merge(page.namesFor(page.selection.get()));
}
