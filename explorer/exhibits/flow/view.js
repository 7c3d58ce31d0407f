// The steps of both stacks with the shapes of the data, and the table of weights.

import { choice } from "../../../assets/kit/choice.js";
import { downloads } from "../../../assets/kit/download.js";
import { oneOf, orNull } from "../../../assets/kit/keep.js";
import { countText } from "../../../assets/kit/numbers.js";
import { answered, createRequest } from "../../../assets/kit/request.js";
import { table } from "../../../assets/kit/table.js";
import { liveView } from "../../../assets/kit/view.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { forms, stepsOf } from "./maths.js";

const FORMULAS = { post: "x ← LayerNorm(x + Sublayer(x))", pre: "x ← x + Sublayer(LayerNorm(x))" };

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

/** Answered in a saved file. */
export const questions = () => [{ question: "anatomy", args: {} }];

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  // null: the model's own
  const shown = page.keep({ norm: null }, { norm: orNull(oneOf(page.facts.norms)) });
  const anatomy = createRequest(page, "anatomy", { changed: () => view.redraw() });
  const view = liveView({
    el,
    page,
    stores: [shown],
    template() {
      const record = page.record.get();
      if (record === null || record.recorded) return null;
      return answered(page, anatomy(record), (model) => {
        const sizes = { ...model.config, S: record.src.length, T: record.tgt_in.length };
        return html`<div class="hl-flow hl-split">
          ${stacks(page, sizes, shown)} ${weights(page, model)}</div>`;
      });
    },
  });
  return view.end;
}

function stacks(/** @type {Page} */ page, sizes, state) {
  const { t } = page;
  const shown = state.get().norm ?? sizes.norm;
  const steps = (/** @type {string} */ stack) => stepsOf(stack, sizes, shown);
  return html`<section class="hl-stack">
    ${choice({
      name: `${page.uid}-norm`,
      label: t("flow.norm"),
      class: "hl-plain hl-flow-norm",
      options: page.facts.norms.map((value) => ({ value, label: t(`flow.norm.${value}`) })),
      value: shown,
      onChange: (value) => state.merge({ norm: value }),
    })}
    <p class="hl-flow-formula"><code>${FORMULAS[shown]}</code>
      ${t(shown === sizes.norm ? "flow.own" : "flow.other")}</p>
    <div class="hl-split">${["encoder", "decoder"].map(
      (stack) => html`<section class="hl-flow-stack hl-flow-${stack}">
        <h3>${t(`flow.${stack}`, { n: sizes[`n_${stack}_layers`] })}</h3>
        <ol>${steps(stack).map(
          ({ name, shape, layer }) => html`<li class=${layer ? "hl-flow-inside" : ""}>
            ${t(`flow.step.${name}`)} <code>${shape}</code></li>`,
        )}</ol></section>`,
    )}</div>
    <p class="hl-note">${t("flow.letters")}</p>
    ${downloads(page, "shapes", {
      csv: () => [
        ["stack", "step", "shape"],
        ...["encoder", "decoder"].flatMap((stack) =>
          steps(stack).map(({ name, shape }) => [stack, t(`flow.step.${name}`), shape]),
        ),
      ],
    })}</section>`;
}

function weights(/** @type {Page} */ page, { parts, counted, config }) {
  const { t } = page;
  const total = parts.reduce((/** @type {number} */ sum, { numbers }) => sum + numbers, 0);
  const values = { total: countText(total), counted: countText(counted) };
  return html`<section class="hl-stack">
    <h2>${t("flow.parameters")}</h2>
    ${table({
      label: t("flow.parameters"),
      class: "hl-flow-table",
      columns: ["place", "name", "times", "shape", "numbers"].map((name, i) => ({
        name: t(`flow.column.${name}`),
        text: i < 2,
      })),
      rows: parts.map(({ place, name, times, shape, numbers }) => ({
        cells: [
          t(`flow.place.${place}`),
          html`<code>${name}</code>`,
          times,
          shape.join(" × "),
          countText(numbers),
        ],
      })),
    })}
    <p class="hl-flow-total">${t(total === counted ? "flow.total" : "flow.total.wrong", values)}</p>
    ${downloads(page, "weights", {
      csv: () => [
        ["place", "weight", "times", "shape", "numbers"],
        ...parts.map(({ place, name, times, shape, numbers }) => {
          return [place, name, times, shape.join(" × "), numbers];
        }),
      ],
    })}
    <h3>${t("flow.forms")}</h3>
    ${table({
      label: t("flow.forms"),
      columns: ["form", "formula", "numbers"].map((name) => ({
        name: t(`flow.column.${name}`),
        text: name !== "numbers",
      })),
      rows: forms(config).map(({ stack, name, formula, numbers }) => ({
        cells: [
          html`${t(`flow.form.${name}`)}${stack && html` <small>${t(`flow.place.${stack}`)}</small>`}`,
          html`<code>${formula}</code>`,
          countText(numbers),
        ],
      })),
    })}
    <p class="hl-note">${t("flow.forms.note")}</p></section>`;
}
