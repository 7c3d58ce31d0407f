// Below the steps: what the translation says, in one line, and beside them the way back.

import { reverseOf } from "../kit/languages.js";
import { lineUnder, toFetch } from "../kit/readersline.js";
import { html, nothing, render } from "../vendor/lit-html.js";
import { page } from "./state.js";

/** The line of the translation; the way back, if the page has a model for it.
 * @param {HTMLElement} row @param {HTMLButtonElement} button */
export function mountSaid(row, button) {
  button.addEventListener("click", () => {
    const [reverse, record] = [reverseOf(page), page.record.get()];
    if (reverse && record) page.explain({ text: record.translation, model: reverse.key, shown: 0 });
  });
  const draw = () => {
    const record = page.record.get();
    if (record === null) return;
    const missing = toFetch(page);
    const line = missing ? fetchButton(missing) : lineUnder(page, record.translation);
    render(line, row);
    row.hidden = line === nothing;
    const hasReverse = record.translation !== "" && reverseOf(page) !== undefined;
    button.hidden = !hasReverse || Boolean(page.shared.saved);
    button.disabled = Boolean(record.recorded);
  };
  for (const store of [page.record, page.language, page.lined, page.lines, page.fetched])
    store.watch(draw);
}

/** On a page without a server: the press that fetches the second model.
 * @param {{model: string, size: number}} missing */
const fetchButton = (missing) =>
  html`<button type="button" class="hl-fetch-lines" @click=${() => page.fetched.set(true)}
    >≈ ${page.t("line.fetch", missing)}</button>`;
