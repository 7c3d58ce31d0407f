import { assert, test } from "./check.mjs";

import {
  inputsAddUp, joinPieces, layerResults, masksFollowRules, penaltyOf, piecesMakeTexts, positionsAreTheFormula, rowsSumToOne,
  ruleOf, scoresAddUp, sinusoid, stepwiseIsForced, verdict, worst,
} from "/assets/exhibits/proof_checks.js";
import { TAMPERS, tamperedInputs, tamperedLayer, tamperedRecord } from "/assets/exhibits/proof_tamper.js";
import { layer, WEIGHTS } from "./small_layer.mjs";

const UNTOUCHED = { padding: 0, padding_mask: true, causal_mask: true, cells: [], positions: "kept", sides: "both", shift: 0 };
const maps = (queries, keys, cells) => ({ layers: 1, heads: 1, queries, keys, head: () => Float32Array.from(cells) });

// Two source tokens, two target tokens; one hypothesis of two steps, log-probs -0.5 and -1.25.
const sample = () => ({
  src: [{ piece: "▁Hi" }, { piece: "</s>" }], tgt_out: [{ piece: "你" }, { piece: "好" }], text: "Hi", translation: "你好",
  interventions: { ...UNTOUCHED }, prefix: [], settings: { penalty_form: "average", length_penalty: 1 },
  attention: {
    encoder_self: maps(2, 2, [0.25, 0.75, 1, 0]), decoder_self: maps(2, 2, [1, NaN, 0.5, 0.5]), cross: maps(2, 2, [0, 1, 0.125, 0.875]),
  },
  search: { steps: [
    { log_probs: Float32Array.of(-3, -0.5), forced: Uint8Array.of(0, 0) },
    { log_probs: Float32Array.of(-1.25), forced: Uint8Array.of(0) },
  ] },
  hypotheses: [{ path: [1, 0], log_prob: -1.75, score: -0.875, length: 2 }],
  path: [1, 0], steps: [{ log_prob: -0.5 }, { log_prob: -1.25 }],
});
const all = (record) => [rowsSumToOne, masksFollowRules, scoresAddUp, stepwiseIsForced, piecesMakeTexts].map((check) => verdict(check(record)));

test("what is true holds", () => {
  assert.deepEqual(all(sample()), ["holds", "holds", "holds", "holds", "holds"]);
  assert.equal(rowsSumToOne(sample()).count, 6);
  assert.equal(masksFollowRules(sample()).count, 1);
});

test("a row that is off by more than the steps of 16 bits is noticed", () => {
  const steps = 2 / 131070;
  const record = sample();
  record.attention.cross = maps(2, 2, [0, 1 + steps / 2, 0.125, 0.875]);
  assert.equal(verdict(rowsSumToOne(record)), "holds");
  record.attention.cross = maps(2, 2, [0, 1 + 2 * steps, 0.125, 0.875]);
  assert.equal(verdict(rowsSumToOne(record)), "fails");
});

test("a future that shows is noticed, and so is a past that is hidden", () => {
  const record = sample();
  record.attention.decoder_self = maps(2, 2, [0.9, 0.1, 0.5, 0.5]);
  assert.ok(Math.abs(masksFollowRules(record).deviation - 0.1) < 1e-6);
  record.attention.decoder_self = maps(2, 2, [1, NaN, NaN, 1]);
  assert.equal(verdict(masksFollowRules(record)), "fails");
});

test("the rules know padding, the causal mask, and what was painted over them", () => {
  const rule = (changes, kind) => ruleOf({ src: new Array(4), interventions: { ...UNTOUCHED, ...changes } }, kind);
  assert.deepEqual([rule({ padding: 1 }, "cross")(0, 2), rule({ padding: 1 }, "cross")(0, 3)], [true, false]);
  assert.equal(rule({ padding: 1, padding_mask: false }, "encoder_self")(0, 3), true);
  assert.deepEqual([rule({}, "decoder_self")(1, 1), rule({}, "decoder_self")(1, 2)], [true, false]);
  assert.equal(rule({ causal_mask: false }, "decoder_self")(1, 2), true);
  assert.equal(rule({ cells: [["decoder_self", 1, 2, true]] }, "decoder_self")(1, 2), true);
  assert.equal(rule({ cells: [["decoder_self", 1, 0, false]] }, "cross")(1, 0), true); // of another kind
});

test("both penalties, by hand", () => {
  assert.equal(penaltyOf({ penalty_form: "average", length_penalty: 2 }, 3), 9);
  assert.equal(penaltyOf({ penalty_form: "gnmt", length_penalty: 1 }, 7), 2);
  assert.equal(penaltyOf({ penalty_form: "gnmt", length_penalty: 0 }, 7), 1);
});

test("a forced end counts nothing, a forced beginning counts", () => {
  const record = sample();
  record.search.steps[1].forced[0] = 1;
  assert.equal(scoresAddUp(record).deviation, 1.25);
  record.prefix = [4, 5];
  assert.equal(scoresAddUp(record).deviation, 0);
});

test("a score over another penalty is noticed", () => {
  const record = sample();
  record.settings.length_penalty = 0.5;
  assert.equal(verdict(scoresAddUp(record)), "fails");
});

test("with the future open, stepwise and one pass need not agree; without, they must", () => {
  const record = sample();
  record.steps[1].log_prob = -0.25;
  assert.equal(verdict(stepwiseIsForced(record)), "fails");
  assert.equal(verdict(stepwiseIsForced(record, true)), "excused");
  record.interventions.causal_mask = false;
  assert.deepEqual([stepwiseIsForced(record).excuse, verdict(stepwiseIsForced(record))], ["future", "excused"]);
  record.interventions = { ...UNTOUCHED, cells: [["decoder_self", 0, 1, true]] };
  assert.equal(stepwiseIsForced(record).excuse, "future");
  record.interventions.cells = [["decoder_self", 1, 0, true]]; // the past is always there
  assert.equal(verdict(stepwiseIsForced(record)), "fails");
});

test("the sinusoids, by hand, in both layouts", () => {
  const near = (found, wanted) => assert.ok(Math.abs(found - wanted) < 1e-12, `${found} against ${wanted}`);
  near(sinusoid(3, 0, 4, "interleaved"), Math.sin(3));
  near(sinusoid(3, 1, 4, "interleaved"), Math.cos(3));
  near(sinusoid(3, 2, 4, "interleaved"), Math.sin(3 / 100));
  near(sinusoid(3, 1, 4, "halves"), Math.sin(3 / 100));
  near(sinusoid(3, 2, 4, "halves"), Math.cos(3));
});

function inputs(from = 0, layout = "interleaved") {
  const side = (count) => {
    const positions = Float32Array.from({ length: count * 4 }, (_, i) => sinusoid(Math.floor(i / 4) + from, i % 4, 4, layout));
    const tokens = positions.map((_, i) => i / 7);
    return { layout, count, tokens, positions, first: tokens.map((one, i) => one + positions[i]) };
  };
  return { source: side(2), target: side(3), shared: false };
}

test("position vectors are the formula's; one that is moved, taken away or shuffled says so", () => {
  const found = (one, changes) => positionsAreTheFormula(one, { interventions: { ...UNTOUCHED, ...changes } });
  assert.equal(verdict(found(inputs(), {})), "holds");
  assert.equal(verdict(found(inputs(0, "halves"), {})), "holds");
  assert.equal(verdict(found({ ...inputs(), source: { ...inputs().source, layout: "halves" } }, {})), "fails");
  assert.equal(verdict(found(inputs(2), { positions: "shifted", shift: 2 })), "holds");
  assert.equal(verdict(found(inputs(), { positions: "shifted", shift: 2 })), "fails");
  assert.equal(verdict(found(inputs(2), { positions: "none" })), "excused");
  assert.equal(verdict(found(inputs(2), { positions: "none", sides: "source" })), "fails"); // the target's are kept
  assert.equal(verdict(found({ ...inputs(), source: inputs(1).source }, { positions: "shuffled" })), "excused");
  assert.equal(verdict(inputsAddUp(inputs())), "holds");
});

test("pieces make the text, bytes and all", () => {
  assert.equal(joinPieces(["▁I", "▁am", "<0xF0>", "<0x9F>", "<0x90>", "<0xB1>", "!", "</s>"]), "I am🐱!");
  const record = sample();
  record.translation = "你们好";
  assert.equal(verdict(piecesMakeTexts(record)), "fails");
  record.src[0].piece = "<unk>"; // excuses the source, but not the translation
  assert.equal(verdict(piecesMakeTexts(record)), "fails");
  record.translation = "你好";
  assert.equal(verdict(piecesMakeTexts(record)), "excused");
});

test("a sub-layer proves its weights and its output, and a masked weight must be 0", () => {
  const shown = [WEIGHTS.slice(0, 6), WEIGHTS.slice(6)].map((cells) => Float32Array.from(cells));
  shown.forEach((cells) => { cells[2] = NaN; });
  const record = { attention: { cross: { head: (_, head) => shown[head] } } };
  const states = (one) => Object.fromEntries(Object.entries(layerResults(record, "cross", 0, one)).map(([name, result]) => [name, verdict(result)]));
  const fine = { masked: "holds", weights: "holds", output: "holds", after: "holds" };
  assert.deepEqual(states(layer()), fine);
  for (const what of ["masked", "output", "after"]) assert.deepEqual(states(tamperedLayer(layer(), what)), { ...fine, [what]: "fails" });
  shown[1][0] += 0.01;
  assert.deepEqual(states(layer()), { ...fine, weights: "fails" });
});

test("of several results the broken one is told, and an excuse hides no other fault", () => {
  const one = (deviation, tolerance, excuse = null) => ({ deviation, tolerance, count: 2, excuse });
  assert.deepEqual(worst([one(0.1, 1), one(0.2, 0.1), one(5, 9)]), { ...one(0.2, 0.1), count: 6 });
  assert.deepEqual(worst([one(7, 1, "none"), one(0.2, 0.1)]).deviation, 0.2);
  assert.equal(verdict(worst([one(7, 1, "none"), one(0.2, 1)])), "excused");
  assert.equal(verdict(worst([one(0, 1), one(NaN, 1)])), "fails");
  assert.equal(worst([{ ...one(0, 0), count: 0 }]).count, 0);
});

test("each change breaks the identity it is made for, and what was sent stays as it is", () => {
  const record = sample();
  const before = JSON.stringify(record);
  const broken = (what) => all(tamperedRecord(record, what));
  const fails = (...which) => ["rows", "masked", "score", "stepwise", "tokens"].map((name) => (which.includes(name) ? "fails" : "holds"));
  assert.deepEqual(broken(TAMPERS.rows), fails("rows"));
  assert.deepEqual(broken(TAMPERS.score), fails("score", "stepwise"));
  assert.deepEqual(broken(TAMPERS.stepwise), fails("stepwise"));
  assert.deepEqual(broken(TAMPERS.tokens), fails("tokens"));
  const sent = inputs();
  const positions = tamperedInputs(sent, TAMPERS.positions);
  assert.equal(verdict(positionsAreTheFormula(positions, record)), "fails");
  assert.equal(verdict(inputsAddUp(tamperedInputs(sent, TAMPERS.inputs))), "fails");
  assert.equal(verdict(positionsAreTheFormula(sent, record)), "holds");
  assert.equal(JSON.stringify(record), before);
});
