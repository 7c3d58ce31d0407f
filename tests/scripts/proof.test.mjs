import { penaltyOf } from "/assets/kit/penalty.js";
import { sinusoid } from "/assets/kit/sinusoids.js";
import {
  layerResults,
  masksFollowRules,
  rowsSumToOne,
  ruleOf,
} from "/explorer/exhibits/proof/attention.js";
import {
  entropyIsTheLogits,
  inputsAddUp,
  logitsGiveLogProbs,
  positionsAreTheFormula,
} from "/explorer/exhibits/proof/model.js";
import { verdict, worst } from "/explorer/exhibits/proof/result.js";
import {
  candidatesAreTheModels,
  fatesFollowRule,
  scoresAddUp,
  stepwiseIsForced,
  totalsAddUp,
} from "/explorer/exhibits/proof/search.js";
import {
  TAMPERS,
  tamperedInputs,
  tamperedLayer,
  tamperedRecord,
} from "/explorer/exhibits/proof/tamper.js";
import {
  hypothesesAreTheirPaths,
  labelsAreTheVocabulary,
  piecesMakeTexts,
  readIsStartAndWritten,
} from "/explorer/exhibits/proof/tokens.js";
import { assert, test } from "./check.mjs";
import { layer, WEIGHTS } from "./small_layer.mjs";

const UNTOUCHED = {
  padding: 0,
  padding_mask: true,
  causal_mask: true,
  cells: [],
  positions: "kept",
  sides: "both",
  shift: 0,
};
const maps = (queries, keys, cells) => ({
  layers: 1,
  heads: 1,
  queries,
  keys,
  head: () => Float32Array.from(cells),
});

const PIECES = ["<s>", "</s>", "▁Hi", "你", "好", "▁x"];
const token = (id) => ({
  id,
  piece: PIECES[id],
  text: PIECES[id].replace("▁", ""),
  kind: PIECES[id].startsWith("<") ? "special" : "word",
});
const both = (known) => ({ source: known, target: known });
const RULES = { start: 0, end: 1, limit: 2, forced_end: false, shared: false };
const words = () =>
  new Map(
    PIECES.map((_, id) => [
      id,
      { label: token(id), row: Float32Array.of(id, 1 - id), bias: id / 8 },
    ]),
  );

// Two source tokens, two target tokens; a search of 2 beams, log-probs -0.5 and -1.25 on the path.
const sample = () => ({
  src: [token(2), token(1)],
  tgt_in: [token(0), token(3)],
  tgt_out: [token(3), token(4)],
  text: "Hi",
  translation: "你好",
  interventions: { ...UNTOUCHED },
  prefix: [],
  shown: 0,
  node: null,
  model: { vocabulary: 6 },
  settings: { penalty_form: "average", length_penalty: 1, method: "beam", beam_size: 2 },
  attention: {
    encoder_self: maps(2, 2, [0.25, 0.75, 1, 0]),
    decoder_self: maps(2, 2, [1, NaN, 0.5, 0.5]),
    cross: maps(2, 2, [0, 1, 0.125, 0.875]),
  },
  search: {
    steps: [
      {
        count: 3,
        parents: Int32Array.of(-1, -1, -1),
        ids: Int32Array.of(5, 3, 4),
        log_probs: Float32Array.of(-0.25, -0.5, -4),
        totals: Float32Array.of(-0.25, -0.5, -4),
        fates: ["kept", "kept", "pruned"],
        forced: Uint8Array.of(0, 0, 0),
      },
      {
        count: 2,
        parents: Int32Array.of(1, 0),
        ids: Int32Array.of(4, 1),
        log_probs: Float32Array.of(-1.25, -3),
        totals: Float32Array.of(-1.75, -3.25),
        fates: ["finished", "beaten"],
        forced: Uint8Array.of(0, 0),
      },
    ],
    labels: Object.fromEntries([1, 3, 4, 5].map((id) => [id, token(id)])),
  },
  hypotheses: [
    { path: [1, 0], text: "你好", finished: false, log_prob: -1.75, score: -0.875, length: 2 },
  ],
  path: [1, 0],
  steps: [
    { log_prob: -0.5, chosen: 3, top: [], forced: false, entropy: 0 },
    { log_prob: -1.25, chosen: 4, top: [], forced: false, entropy: 0 },
  ],
});
const following = () =>
  new Map([
    [
      "",
      new Map([
        [5, -0.25],
        [3, -0.5],
        [4, -4],
      ]),
    ],
    ["3", new Map([[4, -1.25]])],
    ["5", new Map([[1, -3]])],
  ]);
const all = (record) =>
  [rowsSumToOne, masksFollowRules, scoresAddUp, stepwiseIsForced, piecesMakeTexts].map((check) =>
    verdict(check(record)),
  );

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
  const rule = (changes, kind) =>
    ruleOf({ src: new Array(4), interventions: { ...UNTOUCHED, ...changes } }, kind);
  assert.deepEqual(
    [rule({ padding: 1 }, "cross")(0, 2), rule({ padding: 1 }, "cross")(0, 3)],
    [true, false],
  );
  assert.equal(rule({ padding: 1, padding_mask: false }, "encoder_self")(0, 3), true);
  assert.deepEqual([rule({}, "decoder_self")(1, 1), rule({}, "decoder_self")(1, 2)], [true, false]);
  assert.equal(rule({ causal_mask: false }, "decoder_self")(1, 2), true);
  assert.equal(rule({ cells: [["decoder_self", 1, 2, true]] }, "decoder_self")(1, 2), true);
  assert.equal(rule({ cells: [["decoder_self", 1, 0, false]] }, "cross")(1, 0), true); // of another kind
});

test("both penalties, by hand", () => {
  assert.equal(penaltyOf("average", 2, 3), 9);
  assert.equal(penaltyOf("gnmt", 1, 7), 2);
  assert.equal(penaltyOf("gnmt", 0, 7), 1);
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
  assert.deepEqual(
    [stepwiseIsForced(record).excuse, verdict(stepwiseIsForced(record))],
    ["future", "excused"],
  );
  record.interventions = { ...UNTOUCHED, cells: [["decoder_self", 0, 1, true]] };
  assert.equal(stepwiseIsForced(record).excuse, "future");
  record.interventions.cells = [["decoder_self", 1, 0, true]]; // the past is always there
  assert.equal(verdict(stepwiseIsForced(record)), "fails");
});

test("the sinusoids, by hand, in both layouts", () => {
  const near = (found, wanted) =>
    assert.ok(Math.abs(found - wanted) < 1e-12, `${found} against ${wanted}`);
  near(sinusoid(3, 0, { size: 4, base: 10000, layout: "interleaved" }), Math.sin(3));
  near(sinusoid(3, 1, { size: 4, base: 10000, layout: "interleaved" }), Math.cos(3));
  near(sinusoid(3, 2, { size: 4, base: 10000, layout: "interleaved" }), Math.sin(3 / 100));
  near(sinusoid(3, 1, { size: 4, base: 10000, layout: "halves" }), Math.sin(3 / 100));
  near(sinusoid(3, 2, { size: 4, base: 10000, layout: "halves" }), Math.cos(3));
});

const embedded = () =>
  new Map(
    [0, 1, 2].map((id) => [
      id,
      { row: Float32Array.from({ length: 4 }, (_, i) => (id * 4 + i) / 14) },
    ]),
  );
const read = { src: [{ id: 0 }, { id: 1 }], tgt_in: [{ id: 0 }, { id: 1 }, { id: 2 }] };

function inputs(from = 0, layout = "interleaved") {
  const side = (count) => {
    const positions = Float32Array.from({ length: count * 4 }, (_, i) =>
      sinusoid(Math.floor(i / 4) + from, i % 4, { size: 4, base: 10000, layout }),
    );
    const tokens = positions.map((_, i) => i / 7);
    return {
      layout,
      count,
      scale: 2,
      tokens,
      positions,
      first: tokens.map((one, i) => one + positions[i]),
    };
  };
  return { source: side(2), target: side(3), shared: false };
}

test("position vectors are the formula's; one that is moved, taken away or shuffled says so", () => {
  const found = (one, changes) =>
    positionsAreTheFormula(one, { interventions: { ...UNTOUCHED, ...changes } });
  assert.equal(verdict(found(inputs(), {})), "holds");
  assert.equal(verdict(found(inputs(0, "halves"), {})), "holds");
  assert.equal(
    verdict(found({ ...inputs(), source: { ...inputs().source, layout: "halves" } }, {})),
    "fails",
  );
  assert.equal(verdict(found(inputs(2), { positions: "shifted", shift: 2 })), "holds");
  assert.equal(verdict(found(inputs(), { positions: "shifted", shift: 2 })), "fails");
  assert.equal(verdict(found(inputs(2), { positions: "none" })), "excused");
  assert.equal(verdict(found(inputs(2), { positions: "none", sides: "source" })), "fails"); // the target's are kept
  assert.equal(
    verdict(found({ ...inputs(), source: inputs(1).source }, { positions: "shuffled" })),
    "excused",
  );
  assert.equal(verdict(inputsAddUp(inputs(), read, both(embedded()))), "holds");
  assert.equal(
    verdict(inputsAddUp(inputs(), { ...read, src: [...read.src].reverse() }, both(embedded()))),
    "fails",
  );
  assert.equal(
    verdict(
      inputsAddUp(
        { ...inputs(), source: { ...inputs().source, scale: 1 } },
        read,
        both(embedded()),
      ),
    ),
    "fails",
  );
  const plain = inputs();
  for (const side of [plain.source, plain.target]) {
    side.scale = 1; // a model without the factor, whose embeddings are what the layer gets
    side.tokens = side.tokens.map((one) => one / 2);
    side.first = side.tokens.map((one, i) => one + side.positions[i]);
  }
  assert.equal(verdict(inputsAddUp(plain, read, both(embedded()))), "holds");
  plain.target.scale = 1.5;
  assert.equal(verdict(inputsAddUp(plain, read, both(embedded()))), "fails");
});

test("pieces make the text", () => {
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
  shown.forEach((cells) => {
    cells[2] = NaN;
  });
  const record = { attention: { cross: { head: (_, head) => shown[head] } } };
  const states = (one) =>
    Object.fromEntries(
      Object.entries(layerResults(record, "cross", 0, one)).map(([name, result]) => [
        name,
        verdict(result),
      ]),
    );
  const fine = {
    masked: "holds",
    made: "holds",
    weights: "holds",
    output: "holds",
    after: "holds",
  };
  assert.deepEqual(states(layer()), fine);
  for (const [line, what] of [
    ["masked", "masked"],
    ["output", "output"],
    ["after", "after"],
    ["made", "x"],
  ])
    assert.deepEqual(states(tamperedLayer(layer(), what)), { ...fine, [line]: "fails" });
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

const NAMED = {
  rows: rowsSumToOne,
  masked: masksFollowRules,
  score: scoresAddUp,
  stepwise: stepwiseIsForced,
  tokens: piecesMakeTexts,
  totals: totalsAddUp,
  fates: (record) => fatesFollowRule(record, RULES),
  candidates: (record) => candidatesAreTheModels(record, following()),
  labels: (record) => labelsAreTheVocabulary(record, both(words())),
  read: (record) => readIsStartAndWritten(record, RULES),
  texts: (record) => hypothesesAreTheirPaths(record, words(), RULES),
};
const fails = (record) =>
  Object.keys(NAMED).filter((name) => verdict(NAMED[name](record)) === "fails");

test("each change breaks the identity it is made for, and what was sent stays as it is", () => {
  const record = sample();
  const before = JSON.stringify(record);
  assert.deepEqual(fails(record), []);
  const breaks = {
    rows: ["rows"],
    score: ["score", "stepwise", "totals", "candidates"],
    stepwise: ["stepwise"],
    tokens: ["tokens", "labels", "read"],
    totals: ["totals"],
    fates: ["fates"],
    candidates: ["totals", "candidates"],
    labels: ["labels"],
    read: ["labels", "read"],
    texts: ["texts"],
  };
  for (const [line, wanted] of Object.entries(breaks)) {
    assert.deepEqual(fails(tamperedRecord(record, TAMPERS[line])), wanted);
  }
  assert.equal(JSON.stringify(record), before);
});

test("a changed position or embedding is noticed", () => {
  const sent = inputs();
  const holds = (check, what) => verdict(check(tamperedInputs(sent, TAMPERS[what])));
  assert.equal(
    holds((one) => positionsAreTheFormula(one, sample()), "positions"),
    "fails",
  );
  assert.equal(
    holds((one) => inputsAddUp(one, read, both(embedded())), "inputs"),
    "fails",
  );
  assert.equal(verdict(positionsAreTheFormula(sent, sample())), "holds");
});

/** How many candidates of the sample do not follow the rule, after a change of its parts. */
function strays(change) {
  const record = sample();
  change(record.search.steps, record);
  return fatesFollowRule(record, RULES).deviation;
}
const set = (list, at, value) => {
  list[at] = value;
};

test("the fates of two beams, by hand", () => {
  const none = strays(() => {});
  const notBeaten = strays(([, last]) => set(last.fates, 1, "pruned"));
  const tooMany = strays(([first]) => set(first.fates, 2, "kept"));
  const ofPruned = strays(([, last]) => set(last.parents, 1, 2)); // and the kept one is not continued
  const notForced = strays(([first]) => set(first.forced, 0, 1));
  const disordered = strays(([, last]) => set(last.totals, 0, -9));
  assert.deepEqual([none, notBeaten, tooMany, ofPruned, notForced, disordered], [0, 1, 1, 2, 1, 1]);
  assert.ok(strays((_, { settings }) => Object.assign(settings, { beam_size: 1 })) > 0);
  assert.ok(strays((_, { prefix }) => prefix.push(3)) > 0);
  assert.equal(
    strays((_, { settings }) => Object.assign(settings, { method: "beam_sampling" })),
    0,
  );
});

test("bytes show their character, what continues a word a dot", () => {
  const bytes = ["<0xC3>", "<0xA9>"].map((piece, i) => ({
    id: i,
    piece,
    text: "é",
    kind: "byte",
    joined: true,
    part: [i + 1, 2],
    line: `é ${i + 1}/2`,
  }));
  const known = new Map(
    bytes.map(({ id, piece }) => [
      id,
      { label: { id, piece, text: piece.slice(1, 5), kind: "byte" } },
    ]),
  );
  const holds = (src) =>
    verdict(
      labelsAreTheVocabulary(
        { src, tgt_in: [], tgt_out: [], steps: [], search: { labels: {}, steps: [] } },
        both(known),
      ),
    );
  assert.equal(holds(bytes), "holds");
  for (const change of [
    { text: "e" },
    { line: "é" },
    { joined: false },
    { id: 0 },
    { part: [1, 2] },
    { kind: "word" },
  ]) {
    assert.equal(holds([bytes[0], { ...bytes[1], ...change }]), "fails");
  }
});

test("what is read is labelled as it was written, also where a character is not yet complete", () => {
  const line = (k) => ({ kind: "byte", joined: k > 1, part: [k, 3], line: `好 ${k}/3` });
  const written = ["<0xE5>", "<0xA5>", "<0xBD>"].map((piece, i) => ({
    ...{ id: 6 + i, piece, text: "好", ...line(i + 1) },
  }));
  const alone = ({ id, piece }) => [
    id,
    { label: { id, piece, text: piece.slice(1, 5), kind: "byte" } },
  ];
  const known = new Map([...words(), ...written.map(alone)]);
  const states = (tgt_in) => {
    const record = { src: [], tgt_in, tgt_out: written, steps: [], search: sample().search };
    const labels = labelsAreTheVocabulary(record, both(known));
    return [verdict(labels), verdict(readIsStartAndWritten(record, RULES))];
  };
  const read = [token(0), ...written.slice(0, 2)];
  assert.deepEqual(states(read), ["holds", "holds"]);
  const cut = { ...written[1], part: [2, 2], line: "好 2/2" };
  assert.deepEqual(states([...read.slice(0, 2), cut]), ["holds", "fails"]);
  assert.deepEqual(states([{ ...token(0), text: "x" }, ...read.slice(1)]), ["fails", "holds"]);
});

test("log-probs and entropy are those of the last state", () => {
  const state = Float32Array.of(0.5, -0.25);
  const logits = Float32Array.from(
    words().values(),
    ({ row, bias }) => row[0] * 0.5 - row[1] * 0.25 + bias,
  );
  const total = Math.log(logits.reduce((sum, one) => sum + Math.exp(one), 0));
  const log_probs = Array.from(logits, (one) => one - total);
  const entropy = -log_probs.reduce((sum, one) => sum + Math.exp(one) * one, 0);
  const step = {
    chosen: 3,
    log_prob: log_probs[3],
    entropy,
    forced: false,
    top: [5, 4].map((id) => ({ id, log_prob: log_probs[id] })),
  };
  const record = { ...sample(), steps: [step] };
  const logitsOf = (one, sent = { state, logits, norm: null }) =>
    verdict(logitsGiveLogProbs({ ...record, steps: [one] }, [sent], words()));
  assert.equal(logitsOf(step), "holds");
  assert.equal(logitsOf({ ...step, log_prob: step.log_prob + 0.001 }), "fails");
  assert.equal(logitsOf({ ...step, chosen: 4 }), "fails");
  assert.equal(logitsOf({ ...step, top: [...step.top].reverse().slice(0, 1) }), "fails"); // not the likeliest
  assert.equal(logitsOf(step, { state: Float32Array.of(0.6, -0.25), logits, norm: null }), "fails");
  assert.equal(verdict(entropyIsTheLogits({ steps: [step] }, [{ logits }])), "holds");
  assert.equal(
    verdict(entropyIsTheLogits({ steps: [{ entropy: entropy + 0.001 }] }, [{ logits }])),
    "fails",
  );
});
