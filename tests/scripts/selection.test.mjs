import { axes, FIRST, pinned, pointedLines, rowOnShow, select } from "/assets/kit/selection.js";
import { assert, test } from "./check.mjs";

// "a b </s>" -> "x y z </s>", two layers, four heads.
const token = (text) => ({ text });
const map = (queries, keys) => ({ layers: 2, heads: 4, queries, keys });
const record = {
  src: ["a", "b", "</s>"].map(token),
  tgt_in: ["<s>", "x", "y", "z"].map(token),
  tgt_out: ["x", "y", "z", "</s>"].map(token),
  attention: { encoder_self: map(3, 3), decoder_self: map(4, 4), cross: map(4, 3) },
};
const start = select(FIRST, {}, record);

test("a row of the decoder is a step, both ways", () => {
  assert.equal(select(start, { row: 2 }, record).step, 2);
  assert.equal(select(start, { step: 3 }, record).row, 3);
});

test("a row of the encoder is a source token, and steps leave it alone", () => {
  const encoder = select(start, { kind: "encoder_self", row: 0 }, record);
  assert.equal(select(encoder, { row: 2 }, record).src, 2);
  assert.equal(select(encoder, { step: 3 }, record).row, encoder.row);
});

test("a source token is the column of cross-attention", () => {
  assert.equal(select(start, { src: 1 }, record).col, 1);
  assert.equal(select(start, { row: 1, col: 2 }, record).src, 2);
});

test("from one kind to another the words stay chosen and the column goes", () => {
  const crossed = select(start, { row: 2, col: 1 }, record);
  const encoder = select(crossed, { kind: "encoder_self" }, record);
  assert.deepEqual([encoder.row, encoder.col], [1, null]);
  const decoder = select(encoder, { kind: "decoder_self" }, record);
  assert.deepEqual([decoder.row, decoder.col, decoder.step], [2, null, 2]);
});

test("everything stays inside the record, whatever the address says", () => {
  const wild = select(
    start,
    { kind: "nonsense", layer: 99, head: -3, step: 1e9, src: NaN, col: 7 },
    record,
  );
  assert.deepEqual([wild.kind, wild.layer, wild.head, wild.step, wild.row], ["cross", 1, 0, 3, 3]);
  assert.ok(wild.col < 3 && wild.src < 3);
});

test("a column can be let go", () => {
  const chosen = select(start, { row: 1, col: 1 }, record);
  assert.equal(select(chosen, { step: 0, src: 0, col: null }, record).col, null);
});

test("decoder rows are labelled by what is written or by what was read; its columns by what was read", () => {
  const names = (axis) => axis.labels.map((label) => label.text).join(" ");
  assert.equal(names(axes(record, "decoder_self", "writes").rows), "x y z </s>");
  assert.equal(names(axes(record, "decoder_self", "reads").rows), "<s> x y z");
  assert.equal(names(axes(record, "decoder_self", "writes").columns), "<s> x y z");
  assert.equal(names(axes(record, "cross", "reads").columns), "a b </s>");
});

test("a token pointed at lights its row and its column", () => {
  // The target strip is <s> x y z </s>: its cell 2 is y, written at step 1 and read at step 2.
  const y = { side: "tgt", index: 2 };
  assert.deepEqual(pointedLines(record, { ...start, kind: "cross" }, y), { row: 1, col: null });
  assert.deepEqual(pointedLines(record, { ...start, kind: "decoder_self" }, y), { row: 1, col: 2 });
  assert.deepEqual(pointedLines(record, { ...start, kind: "decoder_self", labels: "reads" }, y), {
    row: 2,
    col: 2,
  });
  const b = { side: "src", index: 1 };
  assert.deepEqual(pointedLines(record, { ...start, kind: "encoder_self" }, b), { row: 1, col: 1 });
  assert.deepEqual(pointedLines(record, { ...start, kind: "cross" }, b), { row: null, col: 1 });
  assert.equal(rowOnShow(record, { ...start, row: 3 }, b), 3);
  assert.equal(rowOnShow(record, start, y), 1);
});

test("what is chosen can be chosen again for another record, without the bounds of this one", () => {
  const cross = select(start, { layer: 1, head: 2, step: 3 }, record);
  assert.deepEqual(pinned(cross, { step: 11 }), { step: 11 });
  assert.deepEqual(pinned(cross, { row: 7, col: 9 }), { src: 9, step: 7, col: 9 });
  assert.deepEqual(pinned(cross, { head: 0 }), { kind: "cross", layer: 1, head: 0 });
  assert.deepEqual(pinned(cross, { exhibit: "tree", labels: "reads" }), {
    labels: "reads",
    exhibit: "tree",
  });
  const encoder = pinned(select(cross, { col: 1 }, record), { kind: "encoder_self" });
  assert.deepEqual(encoder, { kind: "encoder_self", layer: 1, head: 2, col: null });
  assert.deepEqual(pinned({ ...cross, kind: "encoder_self" }, { row: 2 }), { src: 2 });
});
