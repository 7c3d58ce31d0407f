// Where the strips and ribbons of the whole model stand, what is looked at, what plays; formulas.

import { formula } from "../../assets/kit/formula.js";
import { glossWidth, SMALL, showGlosses } from "../../assets/kit/gloss.js";
import { textWidth } from "../../assets/kit/heatplan.js";
import { back, forward, next, whole } from "../../explorer/exhibits/figure/play.js";
import {
  armOf,
  comers,
  createMean,
  crossOf,
  GAP_OF_GLOSS,
  layWhole,
  lookedAt,
  namedOf,
  placeOf,
  ribbon,
  ribbonsOf,
} from "../../explorer/exhibits/figure/whole.js";
import { insideOf, isPlace } from "../../explorer/exhibits/figure/within.js";
import { assert, test } from "./check.mjs";

const label = (text, kind = "word") => ({ id: 1, text, piece: text, kind });
const maps = (layers, heads, queries, keys, weight) => ({
  layers,
  heads,
  queries,
  keys,
  head: (layer, head) =>
    Float32Array.from({ length: queries * keys }, (_, i) =>
      weight(layer, head, Math.floor(i / keys), i % keys),
    ),
});
const causal = (_, __, row, key) => (key > row ? Number.NaN : 1 / (row + 1));
const even = (count) => () => 1 / count;

/** Two heads: one reads the row's own place, the other reads evenly. */
const cross = (_, head, row, key) => (head === 0 ? Number(row === key) : 0.25);
const record = (source = 4, target = 3) => ({
  src: [label("The"), label("old"), label("."), label("</s>", "special")]
    .concat(Array.from({ length: source }, (_, i) => label(`word${i}`)))
    .slice(0, source),
  tgt_in: Array.from({ length: target }, (_, i) => label(`字${i}`)),
  attention: {
    encoder_self: maps(3, 2, source, source, even(source)),
    decoder_self: maps(2, 2, target, target, causal),
    cross: maps(2, 2, target, source, cross),
  },
});
const LAYERS = { encoder: 3, decoder: 2 };
const room = (width, height = 540, em = 13) => ({ width, height, em });

const mean = createMean();

test("rows of strips stand above one another, both stacks as tall", () => {
  const plan = layWhole(LAYERS, record(), room(1180));
  for (const stack of ["encoder", "decoder"]) {
    const { levels } = plan.stacks[stack];
    assert.deepEqual(levels.length, LAYERS[stack] + 1);
    levels.slice(1).forEach((y, i) => {
      assert.deepEqual(y + plan.strip.tall < levels[i], true);
    });
  }
  assert.deepEqual(plan.stacks.encoder.levels.at(-1), plan.stacks.decoder.levels.at(-1));
  assert.deepEqual(plan.stacks.encoder.levels[0], plan.stacks.decoder.levels[0]);
  assert.deepEqual(plan.height <= 540, true);
});

test("everything fits, or is wider than its frame and scrolls; nothing overlaps", () => {
  for (const [count, width] of [
    [6, 1180],
    [15, 960],
    [40, 1180],
    [40, 366],
    [6, 366],
  ]) {
    const plan = layWhole(LAYERS, record(count, count), room(width, width < 700 ? 0 : 540));
    const { encoder, decoder } = plan.stacks;
    assert.deepEqual(plan.pitch >= 12 && plan.strip.wide < plan.pitch, true);
    assert.deepEqual(encoder.x + count * plan.pitch < plan.trunk, true);
    assert.deepEqual(plan.trunk < decoder.x, true);
    assert.deepEqual(decoder.x + count * plan.pitch <= plan.width, true);
    const isShort = count <= 15;
    if (isShort) assert.deepEqual(plan.width <= width, true);
    assert.deepEqual(plan.out.x + plan.out.width <= width, true); // the next token is in sight
    if (plan.isWide) assert.deepEqual(plan.out.x > decoder.x + count * plan.pitch, true);
  }
});

test("on a laptop and a projector every name has room for what it stands for", () => {
  showGlosses("en", "en-de");
  const words = "Obwohl mein Nachbar versprochen hatte, die Pflanzen zu gießen, starben".split(" ");
  const meant = "although my neighbour promised had the plants to water collapsed".split(" ");
  const tgt = words.map((text, i) => ({ ...label(text), gloss: [meant[i], 0.9, "", "target"] }));
  for (const [count, place] of [
    [3, room(1126, 560, 12)],
    [10, room(1126, 560, 12)],
    [10, room(1240, 430, 16)],
  ]) {
    const tgt_in = tgt.slice(0, count);
    const { names, pitch, height } = layWhole(LAYERS, { ...record(count, count), tgt_in }, place);
    const gloss = (one) => glossWidth(one) * (names.isFlat ? place.em : names.told);
    const name = (one) => textWidth(one.text.slice(0, 9)) * names.letter;
    if (names.isFlat) {
      const both = tgt_in.slice(1).map((one, i) => (gloss(one) + gloss(tgt_in[i])) / 2);
      assert.ok(Math.max(...both) < pitch, count);
    } else {
      const whole = tgt_in.map((one) => name(one) + GAP_OF_GLOSS * names.letter + gloss(one));
      assert.ok(Math.max(...whole) < names.most + 1, count); // the last letter may be a dot
      assert.ok(SMALL * names.told <= names.letter + 1e-9); // no line touches the next
    }
    assert.ok(height <= place.height + 1e-9, count);
  }
  for (const one of ["glosses", "glossed"]) delete document.documentElement.dataset[one];
});

test("where tokens are too close some have their names, and those that are marked", () => {
  const plan = layWhole(LAYERS, record(15, 89), room(1126, 560, 12));
  const named = namedOf(plan, 89, [40, 41]);
  const gaps = named.slice(1).map((i, at) => i - named[at]);
  assert.ok(named.includes(40) && named.includes(41) && named.length < 89);
  assert.deepEqual(
    gaps.filter((gap) => gap === 1),
    [1],
  );
  assert.equal(namedOf(layWhole(LAYERS, record(9, 9), room(1126, 560, 12)), 9, [0]).length, 9);
});

test("a deep model is taller than its frame, and its bands keep their room", () => {
  const plan = layWhole({ encoder: 24, decoder: 24 }, record(), room(1180));
  const { levels } = plan.stacks.encoder;
  assert.deepEqual(levels[0] - levels[1] - plan.strip.tall >= 19.9, true);
  assert.deepEqual(plan.height > 540, true);
});

test("a ribbon is as wide as its weight at both ends", () => {
  const shape = ribbon([10, 100], [50, 20], 6);
  assert.deepEqual(shape.startsWith("M7 100C"), true);
  assert.deepEqual(shape.includes("47 20H53C"), true);
  assert.deepEqual(shape.endsWith("13 100Z"), true);
});

test("ribbons: one for each weight that can be seen, none for what the mask forbids", () => {
  const plan = layWhole(LAYERS, record(), room(1180));
  const { decoder_self: own } = record().attention;
  const count = (/** @type {number[]} */ rows) =>
    ribbonsOf(plan, "decoder", 0, mean(own, 0), rows).split("M").length - 1;
  assert.deepEqual(count([0]), 1);
  assert.deepEqual(count([0, 1, 2]), 6);
});

test("means of heads and layers are those added up by hand", () => {
  const { attention } = record();
  assert.deepEqual([...mean(attention.cross, 0)].slice(0, 4), [0.625, 0.125, 0.125, 0.125]);
  assert.deepEqual([...crossOf(mean, record(), 1)], [0.125, 0.625, 0.125, 0.125]);
  assert.deepEqual([...mean(attention.decoder_self, 0)].slice(0, 3), [1, 0, 0]);
});

test("looked at: words before punctuation, and a second one only where it counts", () => {
  assert.deepEqual(
    lookedAt(mean, record(), 1).map(({ label: { text } }) => text),
    ["old"],
  );
  assert.deepEqual(
    lookedAt(mean, record(), 2).map(({ label: { text } }) => text),
    ["The", "old"],
  );
  const marks = {
    ...record(),
    src: [label("."), label("!"), label("?"), label("</s>", "special")],
  };
  assert.deepEqual(
    lookedAt(mean, marks, 2).map(({ label: { text } }) => text),
    ["?"],
  );
});

test("vectors come from where they are read: all tokens of the encoder, one of the decoder", () => {
  const plan = layWhole(LAYERS, record(), room(1180));
  assert.deepEqual(comers(plan, { mean, record: record(), step: 2 }, "encoder", 1).length, 4);
  const all = comers(plan, { mean, record: record(), step: 1 }, "decoder", 0);
  assert.deepEqual(
    all
      .filter(({ stack }) => stack === "decoder")
      .map(({ i }) => i)
      .sort(),
    [0, 1],
  );
  assert.deepEqual(all.filter(({ stack }) => stack === "encoder").length, 3);
  const [x, y] = placeOf(plan, "decoder", 1, 1, false).map((one) => Math.round(one * 10) / 10);
  for (const { stack, way } of all)
    if (stack === "decoder") assert.deepEqual(way.endsWith(`${x} ${y}`), true);
  assert.deepEqual(
    armOf(plan, 0).startsWith(`M${Math.round(placeOf(plan, "encoder", 0, 3, true)[0] * 10) / 10} `),
    true,
  );
});

test("one step is played to its end; the next start plays the next one", () => {
  const order = ["encoder.tokens", "encoder.0.layer", "decoder.tokens", "decoder.softmax"];
  const record = { tgt_out: [1, 2] };
  const s = { order, step: 0, stage: null, played: null, of: record, record };
  const stages = [];
  for (let now = next(s, true); now !== null && now.stage !== null; ) {
    stages.push(now.stage);
    now = next({ ...s, ...now }, false);
    if (now.stage === null) assert.deepEqual(now.played, 0);
  }
  assert.deepEqual(stages, [0, 1, 2, 3]);
  assert.deepEqual(next({ ...s, played: 0 }, false), null);
  const second = next({ ...s, played: 0 }, true);
  assert.deepEqual([second.stage, second.selection.step], [2, 1]); // the encoder has done its work
  assert.deepEqual(next({ ...s, step: 1, played: 1 }, true).selection.step, 0);
  // A sentence that opens on a later step, and one after another that was played.
  for (const opened of [{ step: 1 }, { step: 1, played: 1, of: {} }]) {
    const fresh = { ...s, ...opened };
    assert.deepEqual([next(fresh, true).stage, forward(fresh).stage], [0, 0]);
    assert.deepEqual(next({ ...fresh, ...next(fresh, true) }, false).stage, 1);
    assert.deepEqual(back({ ...fresh, ...forward(fresh), stage: 1 }).stage, 0);
  }
  assert.deepEqual(forward({ ...s, ...whole(s) }).selection.step, 1); // after all of this one
});

test("what is open inside a layer is one of this model's", () => {
  assert.deepEqual(["", "cross.1", "encoder_self.0.7"].every(isPlace), true);
  assert.deepEqual(["cross", "cross.1.2.3", "x.1", 3, "cross.-1"].some(isPlace), false);
  const { kind, layer, head } = insideOf("cross.1.1", record());
  assert.deepEqual([kind, layer, head], ["cross", 1, 1]);
  assert.deepEqual(insideOf("cross.1", record()).head, null);
  assert.deepEqual(
    [insideOf("cross.2", record()), insideOf("cross.1.2", record()), insideOf("", record())],
    [null, null, null],
  );
});

test("formulas: what is raised, lowered or under a root is mathematics, the rest is text", () => {
  const shown = (text) => {
    const host = document.createElement("p");
    host.append(...formula(text));
    return host.innerHTML;
  };
  assert.deepEqual(
    shown("sin(20 / 10000^(40/256))"),
    "sin(20 / <math><msup><mn>10000</mn><mtext>40/256</mtext></msup></math>)",
  );
  assert.deepEqual(
    shown("q · k / √d_k"),
    "q · k / <math><msqrt><msub><mi>d</mi><mi>k</mi></msub></msqrt></math>",
  );
  assert.deepEqual(shown("n^−0.5"), "<math><msup><mi>n</mi><mtext>−0.5</mtext></msup></math>");
  assert.deepEqual(
    shown("W^{Q}_{3} + 1"),
    "<math><msub><msup><mi>W</mi><mi>Q</mi></msup><mn>3</mn></msub></math> + 1",
  );
  assert.deepEqual(shown("no formula (at all)"), "no formula (at all)");
});
