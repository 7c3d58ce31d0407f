// Every weight of the model, counted in the browser from the shapes.

import { countText } from "../../../assets/kit/numbers.js";
import { pending } from "../../../assets/kit/request.js";
import { html } from "../../../assets/vendor/lit-html.js";

const numbersOf = ({ shape, times }) =>
  shape.reduce((/** @type {number} */ product, size) => product * size, times);

/** The table of weights, and whether they are as many as the running model has. */
export function weightSheet({ t, page, ask }) {
  const answer = ask("anatomy", {});
  const { parts = [], counted } = answer.value ?? {};
  const total = parts.reduce((/** @type {number} */ sum, part) => sum + numbersOf(part), 0);
  const sums = { total: countText(total), counted: countText(counted) };
  return {
    name: t("weights"),
    file: "weights",
    class: "hl-figure-weights",
    note: answer.value
      ? html`<span class="hl-figure-total">${t(total === counted ? "total" : "total.wrong", sums)}</span>
          ${t("weights.heads")}`
      : pending(page, answer),
    rows: parts,
    columns: {
      part: { text: true, cell: ({ place }) => t(`part.${place}`), csv: ({ place }) => place },
      weight: {
        text: true,
        cell: ({ name }) => html`<code>${name}</code>`,
        csv: ({ name }) => name,
      },
      times: { cell: ({ times }) => times },
      size: { cell: ({ shape }) => shape.join(" × ") },
      numbers: { cell: (part) => countText(numbersOf(part)), csv: numbersOf },
    },
  };
}
