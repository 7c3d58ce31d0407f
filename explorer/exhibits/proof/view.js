// The proof: the browser runs the shipped model again and compares everything with the page. For
// other models it recomputes every identity among the numbers received.

import { button, select } from "../../../assets/kit/choice.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { oneOf, orNull, text } from "../../../assets/kit/keep.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { createReruns, found } from "./again.js";
import { layerResults } from "./attention.js";
import { progress } from "./evidence.js";
import { prove } from "./identities.js";
import { GROUPS, LINES, layerSheet, lineSheet, summary, uncheckedList } from "./lines.js";
import { changed, picture } from "./picture.js";
import { followRecords } from "./run.js";
import { compared, running as rerunning, said, sheets } from "./table.js";
import {
  canTamper,
  TAMPERS,
  tamperedInputs,
  tamperedLayer,
  tamperedRecord,
  touchesLayer,
} from "./tamper.js";

/** @typedef {import("./run.js").Run} Run */

const LONGEST_TEXT = 2_000; // characters of a sentence that a link repeats
const SAMPLE = "decoder_self 0"; // the sub-layer in which a number may be changed

/** The model's data for a saved file. */
export const questions = () => [{ question: "proof_kept", args: {} }];

export const { mount } = exhibit({
  name: "proof",
  fields: () => ({
    line: { first: null, fits: orNull(oneOf(Object.keys(TAMPERS))) }, // whose number was changed
    of: { first: null, fits: orNull(text(LONGEST_TEXT)) }, // the sentence of the change
  }),
  engine: (page, redraw) => ({
    runs: followRecords(page, redraw),
    reruns: createReruns(page, redraw),
  }),
  scene: (s) => (s.page.again?.fits(s.record) ? againScene(s) : scene(s)),
  finding: (s) => html`<span class="hl-proof-sum">${s.rerun ? said(s) : summary(s)}</span>`,
  picture: (s, size) => (s.rerun ? compared(s, size) : picture(s, size)),
  controls: [(s) => (s.rerun ? rerunning(s) : running(s)), changing],
  numbers: (s) => (s.rerun ? sheets(s) : identitySheets(s)),
  reading: (s) =>
    s.rerun ? html`<p>${s.t("again.how")}</p>` : html`${uncheckedList(s)} <p>${s.t("note")}</p>`,
  files: (s) => (s.rerun ? { svg: null, json: () => s.comparison } : { json: () => s.results }),
});

const identitySheets = (s) => [
  ...Object.entries(GROUPS).map(([group, names]) => lineSheet(s, group, names)),
  ...(s.run.evidence.isKept ? [] : [layerSheet(s)]),
];

/** The browser's own run of the record, and its result; one number may be changed. */
function againScene(s) {
  const { page, record, reruns } = s;
  const rerun = reruns.of(record);
  const canChange = (/** @type {string} */ name) =>
    rerun.own !== null &&
    LINES.find((one) => TAMPERS[one] === TAMPERS[name]) === name && // each number once
    canTamper(record, TAMPERS[name]);
  const change = changeOf(s, canChange);
  const shown = change.line ? tamperedRecord(record, TAMPERS[change.line]) : record;
  const all = { ...s, ...change, rerun, shown, comparison: found(rerun, shown, page.again.sha256) };
  return { ...all, changed: change.line ? changed(all) : nothing };
}

/** The line whose number is changed for this sentence, and the change. */
function changeOf({ record, line: wanted, of, set }, /** @type {(name: string) => boolean} */ can) {
  const isMine = of === null || of === record.text; // null: a link without a sentence
  const line = wanted !== null && isMine && can(wanted) ? wanted : null;
  return {
    line,
    canChange: can,
    change: (/** @type {string} */ name) =>
      set(line === name ? { line: null, of: null } : { line: name, of: record.text }),
  };
}

/** The run for this record, and its present results. */
function scene(s) {
  const { record, runs } = s;
  const run = runs.of(record);
  const change = changeOf(s, (name) => possible(name, run));
  const results = proved(run, change.line && TAMPERS[change.line]);
  return { run, ...change, ...results, parts: progress(record, run.evidence) };
}

/** Tampering works on copies: the changed results, layers and steps. */
function proved(/** @type {Run} */ run, /** @type {string|null} */ what) {
  const { record, evidence, layers, alone } = run;
  const shownSteps = record.steps;
  if (what === null) {
    return { results: prove(record, evidence, layers, alone), layers, shownSteps };
  }
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
    shownSteps: changed.steps,
  };
}

/** True if there is a number to change for a line. */
function possible(/** @type {string} */ name, /** @type {Run} */ { record, evidence }) {
  const what = TAMPERS[name];
  const sample = evidence.layers.get(SAMPLE);
  if (what === "masked") return Boolean(sample?.weights_masked.length);
  if (touchesLayer(what)) return sample !== undefined;
  if (["position", "token"].includes(what)) return evidence.inputs !== null;
  return canTamper(record, what);
}

/** Buttons to stop or restart, and the progress. */
function running({ t, run, runs, record, parts }) {
  if (run === undefined) return nothing;
  return html`${button({
    label: t(run.isRunning ? "stop" : "again"),
    class: "hl-proof-run",
    onClick: () => (run.isRunning ? runs.stop(run) : runs.start(record)),
  })} ${
    run.isRunning
      ? html`<progress max="1" value=${parts.done / parts.all} aria-label=${t("progress")}></progress>`
      : nothing
  }`;
}

/** The menu of the line to change, for use without a pointer. */
function changing({ t, line, change, canChange, rerun }) {
  if (canChange === undefined) return nothing;
  const label = (/** @type {string} */ name) =>
    rerun ? t(`number.${TAMPERS[name]}`) : t(`formula.${name}`);
  const all = LINES.filter(canChange).map((name) => ({ value: name, label: label(name) }));
  if (all.length === 0) return nothing;
  return select({
    label: t("change"),
    value: line ?? "",
    options: [{ value: "", label: t("unchanged") }, ...all],
    onChange: (name) => change(name || line),
  });
}
