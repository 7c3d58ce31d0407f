// The steps of both stacks with the shapes of the data, and the table of weights.

import { exhibit } from "../../../assets/kit/exhibit.js";
import { choice } from "../../../assets/kit/fields.js";
import { orNull } from "../../../assets/kit/keep.js";
import { countText } from "../../../assets/kit/numbers.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { forms, numbersOf, stepsOf } from "./maths.js";
import { picture } from "./picture.js";

const FORMULAS = { post: "x ← LayerNorm(x + Sublayer(x))", pre: "x ← x + Sublayer(LayerNorm(x))" };
const STACKS = ["encoder", "decoder"];

export const { mount, questions } = exhibit({
  name: "flow",
  fields: ({ norms }) => asTheModel({ norm: choice(norms, { first: norms[0] }) }),
  ask: () => ["anatomy", {}],
  scene,
  finding,
  picture,
  controls: ["norm"],
  numbers: (s) => [shapeSheet(s), weightSheet(s), formSheet(s)],
  reading: ({ t, norm, own }) => html`<p><code>${FORMULAS[norm]}</code>
    ${t(norm === own ? "own" : "other")}</p><p>${t("letters")}</p><p>${t("boxes")}</p>`,
});

/** The field, with null for the model's own value. */
function asTheModel(
  /** @type {Record<string, import("../../../assets/kit/fields.js").Field>} */ all,
) {
  const { norm: field } = all;
  const shown = ({ value, scene: { norm } }) => value ?? norm ?? field.first;
  const control = (given) => field.control?.({ ...given, value: shown(given) });
  return { norm: { first: null, fits: orNull(field.fits ?? (() => true)), control } };
}

/** The steps of both stacks for this sentence, and the total of the weights. */
function scene({ record, answer: { config, parts, counted }, norm: chosen }) {
  const norm = chosen ?? config.norm;
  const sizes = { ...config, S: record.src.length, T: record.tgt_in.length };
  const stacks = STACKS.map((stack) => ({
    stack,
    steps: stepsOf(stack, sizes, norm),
    layers: sizes[`n_${stack}_layers`],
    tokens: stack === "encoder" ? sizes.S : sizes.T,
  }));
  const total = parts.reduce((/** @type {number} */ sum, part) => sum + numbersOf(part), 0);
  return { sizes, stacks, parts, counted, norm, total, own: config.norm };
}

function finding({ t, sizes, total, counted, norm, own }) {
  const values = { total: countText(total), counted: countText(counted) };
  if (total !== counted) return t("finding.wrong", values);
  if (norm !== own) return t(`finding.${norm}`);
  return t("finding", { ...values, n: sizes.S, d: sizes.d_model });
}

const shapeSheet = ({ t, stacks }) => ({
  name: t("shapes"),
  file: "shapes",
  rows: stacks.flatMap(({ stack, steps }) => steps.map((step) => ({ ...step, stack }))),
  columns: {
    stack: { text: true, cell: ({ stack }) => t(`place.${stack}`) },
    step: { text: true, cell: ({ name }) => t(`step.${name}`) },
    shape: { cell: ({ shape }) => shape },
  },
});

const weightSheet = ({ t, parts, total, counted }) => ({
  name: t("parameters"),
  file: "weights",
  class: "hl-flow-table",
  note: html`<span class="hl-flow-total">${t(total === counted ? "total" : "total.wrong", {
    total: countText(total),
    counted: countText(counted),
  })}</span>`,
  rows: parts,
  columns: {
    place: { text: true, cell: ({ place }) => t(`place.${place}`), csv: ({ place }) => place },
    weight: { text: true, cell: ({ name }) => html`<code>${name}</code>`, csv: ({ name }) => name },
    times: { cell: ({ times }) => times },
    shape: { cell: ({ shape }) => shape.join(" × ") },
    numbers: { cell: (part) => countText(numbersOf(part)), csv: numbersOf },
  },
});

const formSheet = ({ t, sizes }) => ({
  name: t("forms"),
  file: "forms",
  note: t("forms.note"),
  rows: forms(sizes),
  columns: {
    form: {
      text: true,
      cell: ({ name, stack }) => {
        const [form, place] = [t(`form.${name}`), stack && t(`place.${stack}`)];
        return html`${form}${place && html` <small>${place}</small>`}`;
      },
      csv: ({ name, stack }) => `${name} ${stack}`.trim(),
    },
    formula: {
      text: true,
      cell: ({ formula }) => html`<code>${formula}</code>`,
      csv: ({ formula }) => formula,
    },
    numbers: { cell: ({ numbers }) => countText(numbers), csv: ({ numbers }) => numbers },
  },
});
