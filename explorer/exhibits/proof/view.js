// The proof: every identity recomputed from the numbers that were sent, and how far each is off.

import { button, select } from "../../../assets/kit/choice.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { oneOf, orNull, text } from "../../../assets/kit/keep.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { layerResults } from "./attention.js";
import { progress } from "./evidence.js";
import { prove } from "./identities.js";
import { GROUPS, LINES, layerSheet, lineSheet, summary, uncheckedList } from "./lines.js";
import { picture } from "./picture.js";
import { followRecords } from "./run.js";
import {
  canTamper,
  TAMPERS,
  tamperedInputs,
  tamperedLayer,
  tamperedRecord,
  touchesLayer,
} from "./tamper.js";

/** @typedef {import("./run.js").Run} Run */

const LONGEST_TEXT = 2_000; // characters of a sentence that a link says twice
const SAMPLE = "decoder_self 0"; // the sub-layer in which a number may be changed

/** What a saved file needs of the model. */
export const questions = () => [{ question: "proof_kept", args: {} }];

export const { mount } = exhibit({
  name: "proof",
  fields: () => ({
    line: { first: null, fits: orNull(oneOf(Object.keys(TAMPERS))) }, // whose number was changed
    of: { first: null, fits: orNull(text(LONGEST_TEXT)) }, // the sentence that it was changed for
  }),
  engine: (page, redraw) => ({ runs: followRecords(page, redraw) }),
  scene,
  finding: (s) => html`<span class="hl-proof-sum">${summary(s)}</span>`,
  picture,
  controls: [running, changing],
  numbers: (s) => [
    ...Object.entries(GROUPS).map(([group, names]) => lineSheet(s, group, names)),
    ...(s.run.evidence.isKept ? [] : [layerSheet(s)]),
  ],
  reading: (s) => html`${uncheckedList(s)} <p>${s.t("note")}</p>`,
  files: ({ results }) => ({ json: () => results }),
});

/** The run about this record, and what it proves now. */
function scene({ record, runs, line: wanted, of, set }) {
  const run = runs.of(record);
  const isMine = of === null || of === record.text; // null: a link that says no sentence
  const line = wanted !== null && isMine && possible(wanted, run) ? wanted : null;
  const found = proved(run, line && TAMPERS[line]);
  return {
    run,
    line,
    ...found,
    parts: progress(record, run.evidence),
    canChange: (/** @type {string} */ name) => possible(name, run),
    change: (/** @type {string} */ name) =>
      set(line === name ? { line: null, of: null } : { line: name, of: record.text }),
  };
}

/** What was tampered with is in copies: results, layers and steps as they then are. */
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

/** True if there is a number to change for the sake of a line. */
function possible(/** @type {string} */ name, /** @type {Run} */ { record, evidence }) {
  const what = TAMPERS[name];
  const sample = evidence.layers.get(SAMPLE);
  if (what === "masked") return Boolean(sample?.weights_masked.length);
  if (touchesLayer(what)) return sample !== undefined;
  if (["position", "token"].includes(what)) return evidence.inputs !== null;
  return canTamper(record, what);
}

/** Stop, or begin again; and how far it is. */
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

/** The line whose number is changed, for those who do not point at it. */
function changing({ t, line, change, canChange }) {
  if (canChange === undefined) return nothing;
  const all = LINES.filter(canChange).map((name) => ({ value: name, label: t(`formula.${name}`) }));
  return select({
    label: t("change"),
    value: line ?? "",
    options: [{ value: "", label: t("unchanged") }, ...all],
    onChange: (name) => change(name || line),
  });
}
