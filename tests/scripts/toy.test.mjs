import {
  lostAt,
  nodesOf,
  readProbability,
  shared,
  shortText,
  standing,
  wrongRow,
} from "/explorer/exhibits/toy/sums.js";
import { layoutOf } from "/explorer/exhibits/toy/tree.js";
import { assert, test } from "./check.mjs";

const ln = (...values) => values.map(Math.log);
const SEARCH = {
  labels: { 0: { text: "A" }, 1: { text: "B" } },
  steps: [
    {
      count: 2,
      parents: [-1, -1],
      ids: [0, 1],
      log_probs: ln(0.6, 0.4),
      totals: ln(0.6, 0.4),
      fates: ["kept", "pruned"],
    },
    {
      count: 2,
      parents: [0, 0],
      ids: [1, 0],
      log_probs: ln(0.9, 0.1),
      totals: ln(0.54, 0.06),
      fates: ["finished", "pruned"],
    },
  ],
};

test("a candidate's text is its parent's and its own letter, its probability the product", () => {
  const columns = nodesOf(SEARCH);
  assert.deepEqual(
    columns.map((nodes) => nodes.map(({ text }) => text)),
    [
      ["A", "B"],
      ["AB", "AA"],
    ],
  );
  const [ab] = columns[1];
  assert.deepEqual([ab.parent, ab.before.text, ab.fate], [0, "A", "finished"]);
  assert.deepEqual(
    [ab.before.probability, ab.own, ab.probability].map((p) => p.toFixed(6)),
    ["0.600000", "0.900000", "0.540000"],
  );
});

test("a text is lost where its beginning was pruned, or was no candidate", () => {
  const columns = nodesOf(SEARCH);
  assert.equal(lostAt(columns, "AB"), null);
  assert.deepEqual([lostAt(columns, "AA").step, lostAt(columns, "AA").node.text], [1, "AA"]);
  assert.deepEqual([lostAt(columns, "BB").step, lostAt(columns, "BB").node.text], [0, "B"]);
  assert.deepEqual([lostAt(columns, "AC").step, lostAt(columns, "AC").node], [1, null]);
});

test("a rank among all texts, and whether it is the best, ties too", () => {
  const all = [
    ["AA", 0.3],
    ["AB", 0.3],
    ["BA", 0.2],
  ];
  assert.deepEqual(standing(all, "AB", 0.3), { rank: 1, isBest: true });
  assert.deepEqual(standing(all, "BA", 0.3), { rank: 2, isBest: false });
});

test("probabilities are written short, and read as people type them", () => {
  assert.deepEqual([0.16, 0.4, 0.04321, 1, 0, 0.1 + 0.2].map(shortText), [
    ".16",
    ".4",
    ".0432",
    "1",
    "0",
    ".3",
  ]);
  assert.deepEqual(
    ["0.25", ".25", " 0,25 ", "1", "0", "1.01", "-0.1", "", "x", "0.2.5"].map(readProbability),
    [0.25, 0.25, 0.25, 1, 0, null, null, null, null, null],
  );
});

test("a row that does not sum to 1 is found, and can be shared to 1", () => {
  assert.equal(
    wrongRow([
      [0.1, 0.2, 0.7],
      [0.5, 0.5, 0],
    ]),
    null,
  );
  assert.deepEqual(
    wrongRow([
      [0.5, 0.5],
      [0.5, 0.25],
    ]),
    { row: 1, sum: 0.75 },
  );
  assert.deepEqual(shared([0.5, 0.25, 0.25, 1]), [0.25, 0.125, 0.125, 0.5]);
  assert.deepEqual(shared([0, 0]), [0.5, 0.5]);
});

test("each candidate has a place of its own, a step to the right of its parent", () => {
  const columns = nodesOf(SEARCH);
  const { x, y, box, width, height } = layoutOf(columns);
  assert.ok(x(1) > x(0) + box && y(1) > y(0) + 1.5);
  assert.ok(width > x(1) + box && height >= y(1) + 1.5);
  const longer = columns.map((nodes) => nodes.map((node) => ({ ...node, text: `${node.text}AB` })));
  assert.ok(layoutOf(longer).box > box + 1, "longer texts, wider boxes");
});
