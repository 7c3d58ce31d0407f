import {
  beginningsOf,
  lostAt,
  nodesOf,
  readProbability,
  shared,
  shortText,
  standing,
  tagsOf,
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

const within = (columns, room) => {
  const { x, y, boxes, high } = layoutOf(columns, room);
  const most = Math.max(...columns.map((nodes) => nodes.length));
  assert.ok(
    x(0) >= 0 && x(columns.length - 1) + boxes.at(-1) <= room.width,
    "the columns have room",
  );
  assert.ok(x(1) > x(0) + boxes[0], "a step is to the right of the one before");
  assert.ok(
    high > 0 && y(1) >= y(0) + high && y(most - 1) + high <= room.height,
    "so have the rows",
  );
};

test("each candidate has a place of its own in the room that there is", () => {
  const columns = nodesOf(SEARCH);
  const many = columns.map(([node]) => Array.from({ length: 25 }, () => node));
  const rooms = [
    { width: 700, height: 480, em: 14 },
    { width: 366, height: 380, em: 14 },
    { width: 760, height: 300, em: 22 },
  ];
  for (const room of rooms) {
    within(columns, room);
    within(many, room);
    within([...many, ...many], room);
  }
  assert.ok(layoutOf(many, rooms[1]).letter >= 12, "25 candidates can be read on a phone");
  assert.ok(layoutOf(columns, rooms[0]).isFull && !layoutOf([...many, ...many], rooms[1]).isFull);
});

test("all beginnings of texts, each as likely as those that go on from it", () => {
  const table = [
    [0.6, 0.4],
    [0.1, 0.9],
    [1, 0],
  ];
  const columns = beginningsOf(table, 3, "AB");
  assert.deepEqual(
    columns.map((all) => all.map(({ text }) => text)),
    [
      ["A", "B"],
      ["AA", "AB", "BA"],
      ["AAA", "AAB", "ABA", "BAA", "BAB"],
    ],
  );
  for (const all of columns) {
    let from = 0;
    for (const one of all) {
      assert.ok(Math.abs(one.from - from) < 1e-12 && one.own > 0);
      from += one.probability;
    }
    assert.ok(Math.abs(from - 1) < 1e-12);
  }
  assert.deepEqual([columns[0][0].before, columns[2][2].before], [null, 0.6 * 0.9]);
});

test("who found a text; one is missed that is likelier than one that was found", () => {
  const hypotheses = [
    { text: "AB", log_prob: Math.log(0.3) },
    { text: "BA", log_prob: Math.log(0.1) },
  ];
  const named = (text, p) =>
    tagsOf({ text, p }, hypotheses, { text: "BA" }).map(({ name }) => name);
  assert.deepEqual(
    [named("AB", 0.3), named("BA", 0.1), named("CA", 0.2), named("CB", 0.1)],
    [["beam"], ["beam", "greedy"], ["missed"], []],
  );
});
