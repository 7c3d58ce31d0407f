// An encoder without positions gives every word the same vector wherever it stands: measured.

import { element } from "../elements.js";
import { record } from "../state.js";
import { question } from "../wire.js";
import { langOf, language, t } from "../words.js";

// "1.2e-6" or "3.42": a deviation, with the digits that say something.
export const smallText = (value) => (value === 0 || value >= 0.001 ? value.toPrecision(3) : value.toExponential(1));

export function createEquivariance() {
  const heading = element("h3");
  const said = element("p", { class: "hl-note" });
  const own = element("p", { class: "hl-order-line" });
  const moved = element("p", { class: "hl-order-line" });
  const found = element("dl", { class: "hl-order-found" });
  const proof = element("p", { class: "hl-note" });
  const again = element("button", { type: "button", class: "hl-quiet-button", onclick: () => send(seed + 1) });
  const node = element("section", { id: "hl-order-equivariance" }, heading, said, own, moved, found, proof, again);
  let seed = 1;
  let asked = null;
  let answer = null;
  let told = () => {};

  async function send(next) {
    const shown = record.get();
    seed = next;
    asked = shown;
    try {
      const reply = await question("equivariance", { seed });
      if (reply === null) return;
      answer = { ...reply, trouble: null, shown };
    } catch (error) {
      answer = { trouble: error.sentence ?? null };
    }
    told();
  }

  function draw() {
    const shown = record.get();
    if (shown !== null && !shown.recorded && asked?.text !== shown.text) send(seed);
    heading.textContent = t("order.encoder");
    said.textContent = t("order.encoder.said");
    again.textContent = t("order.encoder.again");
    if (answer === null) return;
    if (answer.trouble !== null) {
      proof.textContent = answer.trouble[language.get()];
      return;
    }
    if (answer.shown.text !== shown.text) return; // the next answer is under way
    const word = (i) => element("span", { class: "hl-order-word", lang: langOf(shown.src[i].text) }, shown.src[i].line ?? shown.src[i].text);
    own.replaceChildren(...answer.order.map((_, i) => word(i)));
    moved.replaceChildren(...answer.order.map((i) => word(i)));
    const most = { none: Math.max(...answer.none), kept: Math.max(...answer.kept) };
    found.replaceChildren(...["none", "kept"].flatMap((name) => [
      element("dt", {}, t(`order.encoder.${name}`)),
      element("dd", { "data-found": name }, smallText(most[name])),
    ]));
    proof.textContent = t("order.encoder.size", { size: answer.size.toFixed(3) });
  }

  return { node, draw, onAnswer: (listener) => { told = listener; } };
}
