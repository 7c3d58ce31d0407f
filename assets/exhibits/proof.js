// The proof: every identity computed again from the numbers that were sent, and how far each is off.

import { element } from "../elements.js";
import { unpack } from "../packing.js";
import { drawInPanel, room } from "../panel.js";
import { record } from "../state.js";
import { hasMatrix, matrixKey, openLayer, withMatrix } from "../sublayer.js";
import { question } from "../wire.js";
import { language, number, t } from "../words.js";
import {
  KINDS, inputsAddUp, layerResults, masksFollowRules, piecesMakeTexts, positionsAreTheFormula, rowsSumToOne, scoresAddUp,
  stepwiseIsForced, verdict, worst,
} from "./proof_checks.js";
import { LAYER_TAMPERS, TAMPERS, tamperedInputs, tamperedLayer, tamperedRecord } from "./proof_tamper.js";

const LINES = ["rows", "masked", "weights", "output", "after", "score", "stepwise", "positions", "inputs", "tokens"];
const SIGNS = { holds: "✓", fails: "✗", excused: "–", waiting: "…" };
const SAMPLE = { kind: "decoder_self", layer: 0 }; // the sub-layer that is kept, for changing a number of it

export function mount(root) {
  const part = (id) => root.querySelector(`#hl-proof-${id}`);
  let run = null; // what was computed for the record on show: see `start`
  let tamper = null; // the line whose number was changed

  const redraw = drawInPanel(root, [record, language], () => {
    const shown = record.get();
    if (shown === null) return;
    room(root.querySelector(".hl-proof"));
    if (run?.record !== shown) start(shown);
    draw();
  });

  function start(shown) {
    if (run !== null) run.stopped = true;
    tamper = null;
    run = {
      record: shown, total: planOf(shown).length, layers: new Map(), inputs: null, sample: null, fixed: new Map(),
      stopped: false, trouble: null,
    };
    work(run, redraw);
  }

  function draw() {
    const results = resultsOf(run, tamper);
    const waiting = !run.stopped && run.trouble === null && (run.layers.size < run.total || run.inputs === null);
    part("lines").replaceChildren(heading(), element("tbody", {}, ...LINES.map((name) =>
      row(name, results[name], { tamper, possible: possible(name, run), change }))));
    part("layers").replaceChildren(...layerTable(run, tamper));
    part("sum").replaceChildren(...summary(results, run, waiting));
    const progress = part("progress");
    progress.value = run.layers.size / run.total;
    progress.hidden = !waiting;
    part("run").textContent = t(waiting ? "proof.stop" : "proof.again");
    part("changed").hidden = tamper === null;
    part("changed").textContent = tamper === null ? "" : t("proof.changed", { what: t(`proof.number.${TAMPERS[tamper]}`) });
  }

  function change(name) {
    tamper = tamper === name ? null : name;
    draw();
    part("lines").querySelector(`[data-change="${name}"]`)?.focus();
  }

  part("run").addEventListener("click", () => {
    if (run === null) return;
    if (part("progress").hidden) start(run.record);
    else run.stopped = true;
    draw();
  });
}

function planOf(shown) {
  return KINDS.flatMap((kind) => Array.from({ length: shown.attention[kind].layers }, (_, layer) => ({ kind, layer })));
}

// Asks for one sub-layer after the other, and keeps of each what it proves.
async function work(run, redraw) {
  const on = () => !run.stopped && record.get() === run.record;
  try {
    const answer = await question("proof_inputs");
    if (answer === null || !on()) return;
    run.inputs = await openInputs(answer);
    redraw();
    for (const { kind, layer } of planOf(run.record)) {
      const key = matrixKey(run.record.model, kind, layer);
      const sent = await question("proof_layer", { kind, layer, matrix: !hasMatrix(key) });
      if (sent === null || !on()) return;
      const numbers = withMatrix(key, await openLayer(sent));
      run.layers.set(`${kind} ${layer}`, layerResults(run.record, kind, layer, numbers));
      if (kind === SAMPLE.kind && layer === SAMPLE.layer) run.sample = numbers;
      redraw();
      await new Promise((resolve) => { setTimeout(resolve); }); // the page stays answerable
    }
  } catch (error) {
    run.trouble = error;
    redraw();
  }
}

async function openInputs(answer) {
  const side = async (one) => {
    const [tokens, positions, first] = await Promise.all([one.tokens, one.positions, one.first].map((text) => unpack(text, Float32Array)));
    return { ...one, tokens, positions, first };
  };
  return { shared: answer.shared, source: await side(answer.source), target: await side(answer.target) };
}

// The results of all lines so far: null for one that still waits for its numbers.
function resultsOf(run, tamper) {
  const what = tamper === null ? null : TAMPERS[tamper];
  const shown = tamperedRecord(run.record, what);
  if (!run.fixed.has(what)) run.fixed.set(what, fixedResults(shown));
  const { masks, ...fixed } = run.fixed.get(what);
  const layers = layersOf(run, shown, what);
  const of = (name) => (layers.length < run.total ? null : worst(layers.map((one) => one[name])));
  const inputs = run.inputs === null ? null : tamperedInputs(run.inputs, what);
  return {
    ...fixed, masked: layers.length < run.total ? null : worst([masks, of("masked")]),
    weights: of("weights"), output: of("output"), after: of("after"), stepwise: inputs && stepwiseIsForced(shown, inputs.shared),
    positions: inputs && positionsAreTheFormula(inputs, shown), inputs: inputs && inputsAddUp(inputs),
  };
}

// What needs the record only.
const fixedResults = (shown) => ({
  rows: rowsSumToOne(shown), masks: masksFollowRules(shown), score: scoresAddUp(shown), tokens: piecesMakeTexts(shown),
});

function layersOf(run, shown, what) {
  const found = new Map(run.layers);
  const touched = what === "weight" || LAYER_TAMPERS.includes(what);
  if (touched && run.sample !== null) {
    const { kind, layer } = SAMPLE;
    found.set(`${kind} ${layer}`, layerResults(shown, kind, layer, tamperedLayer(run.sample, what)));
  }
  return [...found.values()];
}

// Whether there is a number to change for the sake of a line.
function possible(name, run) {
  const what = TAMPERS[name];
  if (what === "masked") return Boolean(run.sample?.weights_masked.length);
  if (LAYER_TAMPERS.includes(what) || name === "weights") return run.sample !== null;
  return !["position", "token"].includes(what) || run.inputs !== null;
}

function heading() {
  const names = ["holds", "identity", "deviation", "tolerance", "count", "change"];
  return element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, t(`proof.column.${name}`)))));
}

const small = (value) => (value === 0 ? "0" : value.toExponential(1).replace("-", "−"));

function row(name, result, { tamper, possible: can, change }) {
  const state = result === null ? "waiting" : verdict(result);
  const numbers = result === null ? ["", "", ""] : [small(result.deviation), small(result.tolerance), result.count.toLocaleString("en")];
  const why = state === "excused" ? t(`proof.excuse.${result.excuse}`) : result?.count === 0 ? t("proof.nothing") : "";
  return element("tr", { "data-line": name, "data-state": state, "data-deviation": result === null ? null : String(result.deviation) },
    element("td", { class: "hl-proof-state" }, element("b", { "aria-hidden": "true" }, SIGNS[state]), ` ${t(`proof.state.${state}`)}`),
    element("th", { scope: "row" }, element("span", {}, t(`proof.line.${name}`)), element("code", {}, t(`proof.formula.${name}`)),
      why ? element("small", {}, why) : ""),
    ...numbers.map((text) => element("td", { class: "hl-proof-number" }, text)),
    element("td", {}, can ? element("button", {
      type: "button", "data-change": name, "aria-pressed": String(tamper === name), onclick: () => change(name),
    }, t(tamper === name ? "proof.undo" : "proof.change")) : ""));
}

// The deviation of every sub-layer's output: a row a kind, a column a layer.
function layerTable(run, tamper) {
  const most = Math.max(...KINDS.map((kind) => run.record.attention[kind].layers));
  const what = tamper === null ? null : TAMPERS[tamper];
  const columns = Array.from({ length: most }, (_, layer) => element("th", { scope: "col" }, t("proof.layer", { n: number(layer) })));
  const cell = (kind, layer) => {
    const found = run.layers.get(`${kind} ${layer}`);
    if (!found) return element("td", {}, layer < run.record.attention[kind].layers ? SIGNS.waiting : "");
    const sample = what === "output" && kind === SAMPLE.kind && layer === SAMPLE.layer;
    const result = sample ? layerResults(run.record, kind, layer, tamperedLayer(run.sample, what)).output : found.output;
    const state = verdict(result);
    return element("td", { "data-state": state, "data-layer": `${kind}.${layer}`, "data-deviation": String(result.deviation) }, `${SIGNS[state]} ${small(result.deviation)}`);
  };
  return [
    element("thead", {}, element("tr", {}, element("td", {}), ...columns)),
    element("tbody", {}, ...KINDS.map((kind) => element("tr", {}, element("th", { scope: "row" }, t(`kind.${kind}`)),
      ...columns.map((_, layer) => cell(kind, layer))))),
  ];
}

function summary(results, run, waiting) {
  if (run.trouble !== null) return [run.trouble.sentence?.[language.get()] ?? t("error.unreachable")];
  const states = LINES.map((name) => (results[name] === null ? "waiting" : verdict(results[name])));
  const count = (state) => states.filter((one) => one === state).length;
  if (count("fails")) return [`${SIGNS.fails} ${t("proof.sum.fails", { n: count("fails"), all: LINES.length })}`];
  if (waiting) return [`${SIGNS.waiting} ${t("proof.sum.waiting", { n: run.layers.size, all: run.total })}`];
  if (count("waiting")) return [`${SIGNS.waiting} ${t("proof.sum.stopped", { n: count("holds"), all: LINES.length })}`];
  if (count("excused")) return [`${SIGNS.holds} ${t("proof.sum.excused", { n: count("holds"), all: LINES.length })}`];
  return [`${SIGNS.holds} ${t("proof.sum.holds", { all: LINES.length, off: small(results.output.deviation) })}`];
}
