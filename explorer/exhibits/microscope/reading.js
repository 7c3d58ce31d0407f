// How to read the picked number: what it is, and the lines of Python that print it.

import { html } from "../../../assets/vendor/lit-html.js";
import { pythonFor } from "./python.js";
import { placesOf } from "./trace.js";

const SAID = 2000; // ms that the copy button says what it did

/** What the copy button says; drawn again when that changes. @param {() => void} redraw */
export function createCopied(redraw) {
  let word = "copy";
  return {
    get: () => word,
    set(/** @type {string} */ next) {
      word = next;
      redraw();
    },
  };
}

export const reading = (s) => html`<p class="hl-micro-says"><b>${s.t(`name.${s.stage}`)}</b>:
    ${s.t(`says.${s.stage === "after" && s.layer.rms ? "rms" : s.stage}`)}</p>${python(s)}`;

function python(s) {
  const { t, page, origin, stage, place, at, record, layer, copied } = s;
  const code = pythonFor(stage, place, at, {
    record,
    defaults: page.shared.defaults,
    untouched: page.shared.interventions.defaults,
    places: placesOf(origin.value),
    zero: origin.value === 0,
    layer,
  });
  const copy = async (event) => {
    const box = event.target.closest("section").querySelector("pre");
    try {
      await navigator.clipboard.writeText(code);
      copied.set("copied");
    } catch {
      getSelection()?.selectAllChildren(box); // not allowed to copy: selected, so that Ctrl+C does
      copied.set("selected");
    }
    setTimeout(() => copied.set("copy"), SAID);
  };
  return html`<section class="hl-micro-python">
    <h3>${t("python")}</h3>
    <button type="button" class="hl-button hl-micro-copy" @click=${copy}>${t(copied.get())}</button>
    <p class="hl-note">${t("python.note")}</p>
    <pre class="hl-micro-code" tabindex="0" aria-label=${t("python")}>${code}</pre>
  </section>`;
}
