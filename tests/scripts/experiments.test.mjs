import { colourOf, diverging } from "/assets/kit/colour.js";
import * as interventions from "/assets/kit/interventions.js";
import { changeText } from "/assets/kit/numbers.js";
import { createKept } from "/assets/kit/requests.js";
import { FIRST, KINDS } from "/assets/kit/selection.js";
import { read, write } from "/assets/shell/address.js";
import {
  isOff,
  maskOf,
  paintedMask,
  stories,
  toggleCell,
  toggleHead,
  toggleLayer,
} from "/explorer/exhibits/experiments/change.js";
import { changes } from "/explorer/exhibits/experiments/maps.js";
import {
  comparison,
  originalOf,
  padded,
  translations,
} from "/explorer/exhibits/experiments/records.js";
import { FORMAT } from "/explorer/exhibits/experiments/result.js";
import { assert, test } from "./check.mjs";

// As explorer/exchange/request.py gives them; tests/explorer/test_answer.py holds them to the model's.
const UNTOUCHED = {
  heads_off: [],
  cross_off: [],
  causal_mask: true,
  padding: 0,
  padding_mask: true,
  cells: [],
  scaling: true,
  positions: "kept",
  sides: "both",
  shift: 0,
  position_seed: 0,
};
const FACTS = {
  defaults: UNTOUCHED,
  choices: {
    positions: ["kept", "none", "shuffled", "shifted"],
    sides: ["source", "target", "both"],
  },
  largest: { padding: 65536, shift: 65536, position_seed: 2 ** 32 - 1 },
  entries: {
    heads_off: [KINDS, "whole", "whole"],
    cross_off: ["whole"],
    cells: [KINDS, "whole", "whole", "flag"],
  },
};
const [differences, filled, fromText, isUntouched, parts, toText] = [
  "differences",
  "filled",
  "fromText",
  "isUntouched",
  "parts",
  "toText",
].map((name) => (some) => interventions[name](some, FACTS));

test("only what differs is written down, and what changes nothing is no change", () => {
  assert.deepEqual(differences(filled({ causal_mask: false, padding_mask: false })), {
    causal_mask: false,
  });
  assert.deepEqual(differences({ padding: 2, padding_mask: false, shift: 3 }), {
    padding: 2,
    padding_mask: false,
  });
  assert.deepEqual(differences({ positions: "shifted", shift: 3 }), {
    positions: "shifted",
    shift: 3,
  });
  assert.ok(isUntouched({}) && isUntouched(UNTOUCHED) && isUntouched({ shift: 4 }));
  assert.deepEqual(
    parts({
      heads_off: [
        ["cross", 0, 1],
        ["cross", 0, 2],
      ],
      padding: 3,
      scaling: false,
    }),
    [
      { name: "heads_off", n: 2 },
      { name: "padding", n: 3 },
      { name: "scaling", n: 0 },
    ],
  );
});

test("the address keeps every change and leaves out what is absurd", () => {
  const some = {
    heads_off: [["cross", 0, 1]],
    cells: [["decoder_self", 2, 1, false]],
    causal_mask: false,
    padding: 4,
    padding_mask: false,
    cross_off: [2],
  };
  assert.deepEqual(fromText(toText(some)), differences(some));
  assert.equal(toText(UNTOUCHED), "");
  for (const text of [
    "",
    "x",
    "[]",
    "null",
    "3",
    '{"heads_off":"cross"}',
    '{"heads_off":[["across",0,1]]}',
    '{"heads_off":[["cross",0,-1]]}',
    '{"heads_off":[["cross",0,1.5]]}',
    '{"cells":[["cross",0,1,1]]}',
    '{"padding":-1}',
    '{"padding":1e9}',
    '{"scaling":0}',
    '{"positions":"turned"}',
    '{"position_seed":-1}',
    '{"__proto__":{"padding":3}}',
    '{"other":1}',
  ]) {
    assert.deepEqual(fromText(text), {});
  }
  assert.deepEqual(fromText('{"padding":2,"scaling":"no"}'), { padding: 2 });
  const model = { key: "m" };
  const shown = { text: "x", model, lang: "en", shown: 0, settings: {}, selection: FIRST };
  assert.deepEqual(
    read(write({ ...shown, interventions: filled(some) }, {}, "", FACTS), {}, FACTS).request,
    { interventions: differences(some) },
  );
  assert.ok(
    !write({ ...shown, interventions: filled({}) }, {}, "?changes=%7B%7D", FACTS).includes(
      "changes",
    ),
  );
});

test("heads and layers go off and on again", () => {
  const off = toggleHead(UNTOUCHED, ["cross", 1, 2]);
  assert.ok(isOff(off, ["cross", 1, 2]) && !isOff(off, ["cross", 2, 1]));
  assert.ok(isUntouched(toggleHead(off, ["cross", 1, 2])));
  assert.deepEqual(toggleLayer(toggleLayer(UNTOUCHED, 1), 2).cross_off, [1, 2]);
  assert.deepEqual(UNTOUCHED.heads_off, []);
});

test("a mask before and after a cell is painted", () => {
  const drawn = ({ allowed, keys }) =>
    allowed
      .map((may) => (may ? "0" : "x"))
      .join("")
      .match(new RegExp(`.{${keys}}`, "g"));
  assert.deepEqual(drawn(maskOf(UNTOUCHED, "decoder_self", 3, 3)), ["0xx", "00x", "000"]);
  assert.deepEqual(drawn(maskOf({ ...UNTOUCHED, padding: 2 }, "cross", 3, 2)), ["000xx", "000xx"]);
  assert.deepEqual(
    drawn(maskOf({ ...UNTOUCHED, padding: 1, padding_mask: false }, "encoder_self", 1, 9)),
    ["00", "00"],
  );
  const lifted = { ...UNTOUCHED, causal_mask: false, padding: 1 };
  assert.deepEqual(drawn(maskOf(lifted, "decoder_self", 1, 2)), ["00", "00"]); // pads no target
  assert.deepEqual(drawn(maskOf(lifted, "encoder_self", 1, 2)), ["0x", "0x"]);
  assert.deepEqual(drawn(maskOf(lifted, "cross", 2, 1)), ["00x"]);
  const once = toggleCell(UNTOUCHED, "decoder_self", { row: 0, col: 2 }, 3, 3);
  assert.deepEqual(once.cells, [["decoder_self", 0, 2, true]]);
  const { marks, ...mask } = paintedMask(once, "decoder_self", 3, 3);
  assert.deepEqual([drawn(mask), marks], [["0x0", "00x", "000"], [{ row: 0, col: 2 }]]);
  assert.ok(isUntouched(toggleCell(once, "decoder_self", { row: 0, col: 2 }, 3, 3)));
  assert.deepEqual(toggleCell(UNTOUCHED, "cross", { row: 1, col: 0 }, 3, 3).cells, [
    ["cross", 1, 0, false],
  ]);
});

test("of changed positions only what counts is written down", () => {
  const all = { sides: "source", shift: 3, position_seed: 7 };
  const of = (positions) => Object.keys(differences({ ...all, positions }));
  assert.deepEqual(of("kept"), []);
  assert.deepEqual(of("none"), ["positions", "sides"]);
  assert.deepEqual(of("shuffled"), ["positions", "sides", "position_seed"]);
  assert.deepEqual(of("shifted"), ["positions", "sides", "shift"]);
});

test("the difference of two maps: masked in one of them is 0 there, in both nothing", () => {
  const found = changes(
    Float32Array.of(0.5, NaN, 0.25, NaN),
    Float32Array.of(0.25, 0.75, NaN, NaN),
  );
  assert.deepEqual([...found.subarray(0, 3)], [-0.25, 0.75, -0.25]);
  assert.ok(Number.isNaN(found[3]));
});

test("what is told of the causal mask follows the numbers", () => {
  const token = (piece, log_prob) => ({ id: piece.length, piece, text: piece, log_prob });
  const answer = (after, first) => ({
    log_probs: [[-1, -1, -1], after],
    tgt_out: [token("a", 0)],
    next: [[], [[token(first, Math.log(0.5))]]],
    padding: null,
  });
  const keys = (told) => told.map(({ key }) => key.replace("experiments.", ""));
  const falls = stories(answer([-4, -2, -0.5], "</s>"), { causal_mask: false }, FORMAT);
  assert.deepEqual(keys(falls), ["cheat.falls", "cheat.ends", "cheat.why", "cheat.steps"]);
  assert.deepEqual(
    [falls[0].values, falls[1].values],
    [
      { n: 2, count: 3 },
      { token: "</s>", chance: "50.0 %" },
    ],
  );
  const rises = stories(answer([-0.1, -0.2, -0.5], "a"), { causal_mask: false }, FORMAT);
  assert.deepEqual(keys(rises), ["cheat.rises", "cheat.why", "cheat.steps"]);
  assert.deepEqual(keys(stories(answer([-1, -1, -1], "a"), {}, FORMAT)), []);
});

const RECORD = {
  text: "a b",
  settings: { method: "beam", beam_size: 5 },
  interventions: {},
  prefix: [8],
  shown: 2,
  node: null,
  src: [{ id: 1 }, { id: 2 }],
  tgt_out: [{ id: 8 }, { id: 9 }],
};
const CELLS = [
  ["cross", 0, 1, false],
  ["cross", 0, 2, false],
  ["encoder_self", 2, 0, false],
  ["decoder_self", 0, 5, true],
];

test("the record on the page is the original's, unless it is changed or a beginning", () => {
  const kept = createKept();
  const of = (more) => originalOf({ record: { ...RECORD, ...more }, kept }, FACTS);
  assert.equal(of({}).shown, 2);
  for (const more of [{ node: [1, 0] }, { interventions: { causal_mask: false } }]) {
    const { shown, node, interventions, prefix } = of(more);
    assert.deepEqual([shown, node, interventions, prefix], [0, null, {}, [8]]);
  }
  const record = { ...RECORD, node: [1, 0] };
  const [one, again] = [1, 2].map(() => originalOf({ record, kept }, FACTS));
  assert.ok(one === again, "asked once");
});

test("one search, and the original's tokens forced on the changed model", () => {
  const [free, forced] = comparison(RECORD, { ...UNTOUCHED, causal_mask: false });
  assert.deepEqual([free.prefix, free.shown, free.settings], [[8], 0, RECORD.settings]);
  assert.deepEqual([forced.prefix, forced.settings.method], [[8, 9], "greedy"]);
  assert.deepEqual(
    [free, forced].map((one) => one.interventions.causal_mask),
    [false, false],
  );
});

test("padding is compared with its other mask, and with none", () => {
  const asked = (changes) =>
    padded({ records: [RECORD, RECORD], interventions: { ...UNTOUCHED, ...changes } }, FACTS);
  const masks = asked({ padding: 3 }).map(({ interventions: one }) => one.padding_mask);
  assert.deepEqual(masks, [false]);
  const [other, bare] = asked({ padding: 3, padding_mask: false, cells: CELLS });
  assert.deepEqual([other.interventions.padding_mask, other.prefix], [true, [8, 9]]);
  const { padding, padding_mask: isMasked, cells } = bare.interventions;
  assert.deepEqual([padding, isMasked, cells], [0, true, [CELLS[0], CELLS[3]]]);
});

test("what is one sentence's does not reach others", () => {
  const changes = { ...UNTOUCHED, positions: "none", padding: 2, cells: CELLS };
  const subject = translations(RECORD, changes, ["c d", "d c"]);
  assert.deepEqual(
    subject.map(({ text, prefix, shown }) => [text, prefix, shown]),
    ["c d", "c d", "d c", "d c"].map((text) => [text, [], 0]),
  );
  const [before, after] = subject.map(({ interventions: one }) => one);
  assert.deepEqual([before, after.padding, after.cells, after.positions], [{}, 0, [], "none"]);
});

test("changes as people write them", () => {
  const changed = [0.5, -0.5, 0, 1e-5].map((one) => changeText(one));
  assert.deepEqual(changed, ["+0.500", "−0.500", "0.000", "0.000"]);
});

test("less is blue, more is orange, nothing is grey", () => {
  for (const ramp of Object.values(diverging)) {
    const [low, middle, high] = [0, 0.5, 1].map((place) => colourOf(ramp, place));
    assert.ok(low[2] > low[0] + 40 && high[0] > high[2] + 40);
    assert.ok(Math.max(...middle) - Math.min(...middle) < 12);
  }
});
