// The proof: every identity recomputed from the numbers that were sent, and how far each is off.

import { button } from "../../../assets/kit/choice.js";
import { downloads } from "../../../assets/kit/download.js";
import { oneOf, orNull } from "../../../assets/kit/keep.js";
import { pending } from "../../../assets/kit/request.js";
import { liveView } from "../../../assets/kit/view.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { layerResults } from "./attention.js";
import { progress } from "./evidence.js";
import { prove } from "./identities.js";
import { GROUPS, layerTable, lineTable, summary } from "./lines.js";
import { createRuns } from "./run.js";
import { TAMPERS, tamperedInputs, tamperedLayer, tamperedRecord, touchesLayer } from "./tamper.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("./run.js").Run} Run */

const SAMPLE = "decoder_self 0"; // the sub-layer in which a number may be changed

/** What a saved file needs of the model. */
export const questions = () => [{ question: "proof_kept", args: {} }];

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  // the line whose number was changed
  const tamper = page.keep({ line: null }, { line: orNull(oneOf(Object.keys(TAMPERS))) });
  const runs = createRuns(page, () => view.redraw());
  /** @type {Run|null} */
  let run = null;

  function start(record) {
    if (run !== null) tamper.merge({ line: null });
    run = runs.start(record);
    return run;
  }

  const view = liveView({
    el,
    page,
    stores: [tamper],
    template() {
      const record = page.record.get();
      if (record === null) return null;
      const current = run?.record === record ? run : start(record);
      const { line: wanted } = tamper.get();
      const line = wanted !== null && possible(wanted, current) ? wanted : null;
      const found = proved(current, line && TAMPERS[line]);
      return html`<div class="hl-proof hl-stack">
        ${top(page, current, found.results, {
          line,
          toggle: () => (current.isRunning ? runs.stop(current) : start(record)),
          retry: () => runs.go(current),
        })}
        ${tables(page, current, found, tamper)}
      </div>`;
    },
  });
  return view.end;
}

/** What was tampered with is in copies: results and layers as they then are. */
function proved(/** @type {Run} */ run, /** @type {string|null} */ what) {
  const { record, evidence, layers, alone } = run;
  if (what === null) return { results: prove(record, evidence, layers, alone), layers };
  const changed = tamperedRecord(record, what);
  const sample = tamperedLayer(evidence.layers.get(SAMPLE), what);
  let all = layers;
  let numbers = evidence.layers;
  if (touchesLayer(what) && sample) {
    all = new Map(layers).set(SAMPLE, layerResults(changed, "decoder_self", 0, sample));
    numbers = new Map(numbers).set(SAMPLE, sample);
  }
  const inputs = tamperedInputs(evidence.inputs, what);
  return {
    results: prove(changed, { ...evidence, inputs, layers: numbers }, all),
    layers: all,
  };
}

function top(/** @type {Page} */ page, /** @type {Run} */ run, results, { line, toggle, retry }) {
  const { t } = page;
  const { done, all } = progress(run.record, run.evidence);
  const what = line && TAMPERS[line];
  return html`<div class="hl-row">
      <p class="hl-proof-sum" role="status">${summary(page, run, results, { done, all })}</p>
      ${
        run.isRunning
          ? html`<progress max="1" value=${done / all}
            aria-label=${t("proof.progress")}></progress>`
          : nothing
      }
      ${button({
        label: t(run.isRunning ? "proof.stop" : "proof.again"),
        class: "hl-proof-run",
        onClick: toggle,
      })}
      ${downloads(page, "proof", { json: () => results })}
    </div>
    ${run.error ? pending(page, { value: null, waiting: false, error: run.error, retry }) : nothing}
    ${
      what
        ? html`<p class="hl-proof-changed" role="status">${t("proof.changed", {
            what: t(`proof.number.${what}`),
          })}</p>`
        : nothing
    }`;
}

function tables(/** @type {Page} */ page, /** @type {Run} */ run, { results, layers }, tamper) {
  const { t } = page;
  const { line } = tamper.get();
  const change = (name) => tamper.merge({ line: tamper.get().line === name ? null : name });
  return html`${Object.entries(GROUPS).map(
    ([group, names]) => html`<h2>${t(`proof.group.${group}`)}</h2>
      ${lineTable(page, names, results, { line, change, possible: (name) => possible(name, run) })}`,
  )}
  ${
    run.evidence.isKept
      ? nothing
      : [html`<h2>${t("proof.layers")}</h2>`, layerTable(page, run.record, layers)]
  }
  <p class="hl-note">${t("proof.note")}</p>`;
}

/** Whether there is a number to change for the sake of a line. */
function possible(/** @type {string} */ name, /** @type {Run} */ { record, evidence }) {
  const what = TAMPERS[name];
  const sample = evidence.layers.get(SAMPLE);
  if (what === "masked") return Boolean(sample?.weights_masked.length);
  if (touchesLayer(what)) return sample !== undefined;
  if (what === "runner_up") return record.steps[0].top.length > 1;
  return !["position", "token"].includes(what) || evidence.inputs !== null;
}
