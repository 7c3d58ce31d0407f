// Another model on the same sentence: both translations and scores, and a head of each.

import { select } from "../../../assets/kit/choice.js";
import { ramps } from "../../../assets/kit/colour.js";
import { matrix } from "../../../assets/kit/map.js";
import { durationText, signedText } from "../../../assets/kit/numbers.js";
import { unpack } from "../../../assets/kit/packing.js";
import { createRequest, pending } from "../../../assets/kit/request.js";
import { table } from "../../../assets/kit/table.js";
import { token } from "../../../assets/kit/token.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

const WIDE = 26; // em of a map, at most

/**
 * Gives the section as a template, nothing where the server offers one model.
 * @param {Page} page
 * @param {{get: () => any, merge: (changes: object) => void}} state `other`: the model's key, null
 *   for none; `layer`, `head`: of its head, counted from 0
 * @param {() => void} changed
 */
export function createModels(page, state, changed) {
  const prepare = async (reply) => ({ ...reply, cells: await unpack(reply.weights, Float32Array) });
  const ask = (/** @type {string} */ name) => createRequest(page, name, { changed, prepare });
  const [here, there] = [ask("model_here"), ask("model_there")];
  const elsewhere = made();

  return (/** @type {any} */ record, /** @type {number} */ em) => {
    const others = page.shared.models.filter(({ key }) => key !== record.model.key);
    if (others.length === 0) return nothing;
    const { other, layer, head } = state.get();
    const chosen = others.find(({ key }) => name(key) === other);
    const { kind, ...own } = page.selection.get();
    const answers = chosen && [
      here(record, { kind, layer: own.layer, head: own.head }),
      there(elsewhere(record, chosen.key), { kind, layer, head }),
    ];
    return html`<section class="hl-stack hl-compare-models">
      <div class="hl-row"><h2>${page.t("compare.models")}</h2>
        ${choose(page, state, others, chosen)}</div>
      ${answers ? both(page, state, answers, em) : nothing}
    </section>`;
  };
}

const name = (/** @type {string} */ key) => `model-${key}`; // the default one's key is empty

/** The record as if another model had made it, the same object as long as both are the same. */
function made() {
  /** @type {any} */
  let last = { record: null, key: null };
  return (record, key) => {
    if (last.record !== record || last.key !== key) {
      const about = { ...record, model: { ...record.model, key }, recorded: false };
      Object.assign(about, { prefix: [], interventions: {}, shown: 0, node: null });
      last = { record, key, about };
    }
    return last.about;
  };
}

function choose(/** @type {Page} */ page, state, others, chosen) {
  const none = { value: "", label: page.t("compare.models.none") };
  return select({
    class: "hl-compare-other",
    label: page.t("compare.models.with"),
    options: [none, ...others.map((one) => ({ value: name(one.key), label: one.name }))],
    value: chosen ? name(chosen.key) : "",
    onChange: (value) => state.merge({ other: value || null, layer: 0, head: 0 }),
  });
}

function both(/** @type {Page} */ page, state, answers, /** @type {number} */ em) {
  const { t } = page;
  const open = answers.find(({ value }) => value === null);
  if (open) return pending(page, open);
  const found = answers.map(({ value }) => value);
  const columns = ["model", "text", "log_prob", "score", "length", "seconds"];
  return html`${table({
    label: t("compare.models"),
    class: "hl-compare-table",
    columns: columns.map((key, i) => ({ name: t(`compare.${key}`), text: i < 2 })),
    rows: found.map((one) => ({
      cells: [
        one.name,
        html`<span class="hl-tokens">${one.tokens.map((label) => token(label))}</span>`,
        ...[signedText(one.log_prob, 4), signedText(one.score, 4), one.length],
        durationText(one.seconds),
      ],
    })),
  })}
    <div class="hl-row hl-compare-heads">${found.map(
      (one, i) => html`<div class="hl-stack"><h3>${one.name}</h3>
        ${i === 1 ? headChoice(page, state, one) : html`<p class="hl-note">${headName(page, one)}</p>`}
        ${map(page, one, em)}</div>`,
    )}</div>
    <p class="hl-note">${t("compare.models.note")}</p>`;
}

const headName = (/** @type {Page} */ page, { layer, layers, head, heads }) =>
  page.t("compare.models.head", {
    kind: page.t(`kind.${page.selection.get().kind}`),
    ...{ layer: layer + 1, layers, head: head + 1, heads },
  });

/** The other model's head: it may have other layers and heads than the one on the page. */
function headChoice(/** @type {Page} */ page, state, one) {
  const pick = (/** @type {"layer"|"head"} */ key, label, /** @type {number} */ count) =>
    select({
      class: `hl-compare-${key}`,
      label: page.t(label),
      options: Array.from({ length: count }, (_, i) => ({
        value: String(i),
        label: String(i + 1),
      })),
      value: String(one[key]),
      onChange: (value) => state.merge({ [key]: Number(value) }),
    });
  return html`<div class="hl-row">
    ${pick("layer", "compare.models.layer", one.layers)}
    ${pick("head", "compare.models.which", one.heads)}</div>`;
}

function map(/** @type {Page} */ page, one, /** @type {number} */ em) {
  return matrix({
    cells: one.cells,
    queries: one.rows.length,
    keys: one.columns.length,
    rows: one.rows,
    columns: one.columns,
    ramp: ramps[page.theme.get()],
    name: `${one.name}: ${headName(page, one)}`,
    width: WIDE * em,
    font: em,
  });
}
