import { showGlosses } from "/assets/kit/gloss.js";
import {
  goesOn,
  grow,
  idsTo,
  layOut,
  neighbour,
  nodeAt,
  pathTo,
  prefixText,
  prunedOf,
  shownPath,
} from "/explorer/exhibits/tree/shape.js";
import {
  beyond,
  fitted,
  foldPlace,
  glossBelow,
  held,
  hit,
  placeOf,
  showing,
  zoomed,
} from "/explorer/exhibits/tree/sight.js";
import { assert, test } from "./check.mjs";

// The worked example of beam search, by hand: vocabulary A to E, beam 2. First A .4, B .3, C .2,
// D .1; after A: A .1, B .4, C .3, D .2; after B: A .5, B .2, C .1, D .2. So AB .16 and BA .15 go on.
const log = (values) => Float32Array.from(values, Math.log);
const word = (text) => ({ text, piece: text, kind: "word" });
const search = {
  labels: { 0: word("A"), 1: word("B"), 2: word("C"), 3: word("D") },
  steps: [
    {
      count: 4,
      parents: [-1, -1, -1, -1],
      ids: [0, 1, 2, 3],
      log_probs: log([0.4, 0.3, 0.2, 0.1]),
      totals: log([0.4, 0.3, 0.2, 0.1]),
      fates: ["kept", "kept", "pruned", "pruned"],
      forced: [0, 0, 0, 0],
    },
    {
      count: 8,
      parents: [0, 1, 0, 0, 1, 1, 0, 1],
      ids: [1, 0, 2, 3, 1, 3, 0, 2],
      log_probs: log([0.4, 0.5, 0.3, 0.2, 0.2, 0.2, 0.1, 0.1]),
      totals: log([0.16, 0.15, 0.12, 0.08, 0.06, 0.06, 0.04, 0.03]),
      fates: ["finished", "finished", "pruned", "pruned", "pruned", "pruned", "pruned", "pruned"],
      forced: [0, 0, 0, 0, 0, 0, 0, 0],
    },
  ],
};
const record = {
  search,
  prefix: [],
  path: [0, 0],
  tgt_out: [word("A"), { ...word("B"), joined: true }],
  tgt_in: [{ text: "<s>", piece: "<s>", kind: "special" }, word("A")],
  hypotheses: [{ path: [0, 0] }, { path: [1, 1] }],
};
const closed = { all: false, parents: new Set(), always: new Set() };
const tree = grow(record);
const names = (nodes) => nodes.map((node) => prefixText(node));

test("the winner, the ends of hypotheses, paths and ids", () => {
  assert.deepEqual(
    tree.steps
      .flat()
      .filter(({ winner }) => winner)
      .map(({ key }) => key),
    ["0.0", "1.0"],
  );
  assert.deepEqual(
    [tree.steps[1][0].ends, tree.steps[1][1].ends, tree.steps[1][2].ends],
    [0, 1, null],
  );
  assert.deepEqual(
    pathTo(tree.steps[1][7]).map(({ key }) => key),
    ["0.1", "1.7"],
  );
  assert.deepEqual(idsTo(tree.steps[1][7]), [1, 2]);
  assert.deepEqual(names(shownPath(tree, [1, 1])), ["B", "BA"]);
  assert.equal(nodeAt(tree, "1.7"), tree.steps[1][7]);
  assert.equal(nodeAt(tree, "9.9"), null);
});

test("a forced token is the visitor's only within the prefix", () => {
  const forced = (prefix) =>
    grow({
      ...record,
      prefix,
      search: {
        ...search,
        steps: [
          { ...search.steps[0], forced: [0, 1, 0, 0] },
          { ...search.steps[1], forced: [1, 0, 0, 0, 0, 0, 0, 0] },
        ],
      },
    });
  const { steps } = forced([1]);
  assert.deepEqual([steps[0][1].forced, steps[0][1].byVisitor], [true, true]);
  assert.deepEqual([steps[1][0].forced, steps[1][0].byVisitor], [true, false]);
  assert.equal(steps[0][0].forced, false);
});

test("pruned candidates are folded into a count per parent, and none is lost", () => {
  const { columns, rows, height } = layOut(tree, closed);
  assert.deepEqual(
    columns.map(({ nodes }) => names(nodes)),
    [
      ["A", "B"],
      ["AB", "BA"],
    ],
  );
  assert.deepEqual(
    columns[0].folds.map(({ parent, count }) => [parent.key, count]),
    [["root", 2]],
  );
  assert.deepEqual(
    columns[1].folds.map(({ parent, count }) => [parent.key, count]),
    [
      ["0.0", 3],
      ["0.1", 3],
    ],
  );
  assert.equal(height, 2);
  assert.equal(rows.get(tree.steps[1][1]), 1);
  assert.equal(prunedOf(tree.steps[0][0]), 3);
});

test("unfolding one parent shows its own, below, and moves nobody else", () => {
  const before = layOut(tree, closed);
  const { columns, rows, height } = layOut(tree, { ...closed, parents: new Set(["0.1"]) });
  assert.deepEqual(names(columns[1].nodes), ["AB", "BA", "BB", "BD", "BC"]);
  assert.deepEqual(
    columns[1].folds.map(({ parent, count }) => [parent.key, count]),
    [["0.0", 3]],
  );
  for (const [node, row] of before.rows) assert.equal(rows.get(node), row);
  assert.ok(rows.get(tree.steps[1][4]) > 1 && height > 5 && height < 6);
});

test("all unfolded, every candidate is there once", () => {
  const { columns } = layOut(tree, { ...closed, all: true });
  assert.deepEqual(
    columns.map(({ nodes }) => new Set(nodes).size),
    [4, 8],
  );
  assert.equal(columns.flatMap(({ folds }) => folds).length, 0);
});

test("a pruned candidate whose prefix is on show stays in sight", () => {
  const { columns } = layOut(tree, { ...closed, always: new Set(["1.6"]) });
  assert.deepEqual(names(columns[1].nodes), ["AB", "BA", "AA"]);
  assert.deepEqual(
    columns[1].folds.map(({ count }) => count),
    [2, 3],
  );
});

test("arrow keys: parent, best follower, neighbours; Home and End", () => {
  const layout = layOut(tree, { ...closed, parents: new Set(["0.1"]) });
  const go = (key, name) => neighbour(tree, layout, nodeAt(tree, key), name)?.key ?? null;
  assert.equal(go("1.1", "ArrowLeft"), "0.1");
  assert.equal(go("0.1", "ArrowLeft"), "root");
  assert.equal(go("root", "ArrowRight"), "0.0");
  assert.equal(go("0.1", "ArrowRight"), "1.1");
  assert.equal(go("1.1", "ArrowDown"), "1.4"); // 1.2 and 1.3 are folded
  assert.equal(go("1.4", "ArrowUp"), "1.1");
  assert.equal(go("1.7", "ArrowDown"), null);
  assert.equal(go("root", "ArrowUp"), null);
  assert.equal(go("1.7", "Home"), "0.0");
  assert.equal(go("0.1", "End"), "1.0");
});

test("parts of one word are joined; Han stands alone", () => {
  const piece = (text, kind = "word") => ({ piece: text, text: text.replace("▁", ""), kind });
  assert.ok(goesOn(piece("▁un"), piece("happy")));
  assert.ok(!goesOn(piece("▁un"), piece("▁happy")));
  assert.ok(!goesOn(piece("▁我"), piece("们")));
  assert.ok(!goesOn(piece("▁un"), piece(".")));
  assert.ok(!goesOn({ piece: "<s>", text: "<s>", kind: "special" }, piece("a")));
});

test("the text on show bears its own labels: bytes as their character, once", () => {
  const byte = (text, part) => ({
    text,
    piece: "<0xE9>",
    kind: "byte",
    part,
    joined: part[0] > 1,
    line: `${text} ${part[0]}/${part[1]}`,
  });
  const { steps } = grow({ ...record, tgt_out: [byte("锯", [1, 2]), byte("锯", [2, 2])] });
  assert.equal(steps[1][0].label.line, "锯 2/2");
  assert.ok(steps[1][0].joined && !steps[0][0].joined);
  assert.equal(prefixText(steps[1][0]), "锯");
});

const size = { width: 300, height: 120 };
const open = layOut(tree, { ...closed, all: true });
const em = 10;
const starts = [0, 1, 2, 3]; // of columns as wide as each other

test("a column is as wide as its longest word needs, and the means add up", () => {
  const long = { text: "大象大象大象", piece: "大象大象大象", kind: "word" };
  const grown = grow({ ...record, tgt_out: [word("A"), long] });
  const { need, starts: ends } = layOut(grown, closed);
  const wide = ends.slice(1).map((end, i) => (end - ends[i]) * need);
  assert.ok(wide[2] >= 6 + 1 && wide[2] > wide[1] && wide[0] === wide[1]);
  assert.ok(Math.abs(ends[3] - 3) < 1e-9);
});

test("the whole tree fits; a legible one is never too small", () => {
  const whole = fitted(open, size, em, false);
  const low = placeOf(whole, tree.steps[1][7], open.rows.get(tree.steps[1][7]));
  assert.ok(low.y + whole.high / 2 <= size.height && low.x + whole.wide <= size.width);
  assert.ok(fitted(open, { width: 50, height: 50 }, em, true).high >= 14);
});

test("a point finds what stands there, wherever the tree was moved", () => {
  let sight = fitted(open, size, em, false);
  for (const move of [
    (s) => s,
    (s) => zoomed(s, 2, { x: 90, y: 60 }, em),
    (s) => ({ ...s, x: s.x - 37, y: s.y + 11 }),
  ]) {
    sight = move(sight);
    for (const node of tree.steps.flat()) {
      const found = hit(tree, open, sight, 1, placeOf(sight, node, open.rows.get(node)), em);
      assert.equal(found?.node?.key, node.key);
    }
    const hidden = placeOf(sight, tree.steps[1][0], 0);
    assert.equal(hit(tree, open, sight, 0, hidden, em), null); // that step is not played yet
  }
});

test("the count of folded candidates can be hit", () => {
  const layout = layOut(tree, closed);
  const sight = { x: 12, y: 17, wide: 90, high: 30, starts };
  const parent = tree.steps[0][1];
  assert.equal(hit(tree, layout, sight, 1, foldPlace(sight, parent, 1, em), em).fold, parent);
  assert.equal(hit(tree, layout, sight, 0, foldPlace(sight, parent, 1, em), em)?.fold, undefined);
});

/** With the words of the example's text on show in another language. */
function told(act) {
  showGlosses("en", "en-de");
  const means = (text, gloss) => ({ ...word(text), gloss: [gloss, 0.9, "", "target"] });
  const tgt_out = [means("A", "everybody"), { ...means("B", "station"), joined: true }];
  const labels = { ...search.labels, 1: means("B", "others") };
  act(grow({ ...record, tgt_out, search: { ...search, labels } }));
  for (const name of ["glosses", "glossed"]) delete document.documentElement.dataset[name];
}

test("in low rows the text on show keeps what its words stand for, in place of their sums", () =>
  told(({ steps }) => {
    const below = (high, node) => Object.values(glossBelow({ high }, node, em));
    const [shown, other] = [steps[0][0], steps[0][1]];
    assert.deepEqual([shown.shown, shown.winner, other.shown], [true, true, false]);
    assert.deepEqual(below(40, shown), ["everybody", 0.85, false]); // of an em of ten px
    assert.deepEqual(below(40, other), ["others", 0.85, false]);
    for (const high of [36, 24, 19]) {
      assert.deepEqual(below(high, shown), ["everybody", 0, true]);
      assert.deepEqual(below(high, other), ["", 0, false]);
    }
    assert.deepEqual(below(18, shown), ["", 0, false]);
  }));

test("a column has room for what its words stand for, and the folded count keeps beside it", () =>
  told((grown) => {
    const plain = layOut(tree, closed);
    const { need, starts: ends } = layOut(grown, closed);
    const wide = (one, of) => (one[2] - one[1]) * of;
    assert.ok(wide(ends, need) >= 0.82 * 0.66 * "everybody".length + 1.75 - 1e-9);
    assert.ok(wide(ends, need) > wide(plain.starts, plain.need));
    const sight = { x: 12, y: 17, wide: 90, high: 25, starts };
    const [bare, beside] = [tree, grown].map(({ steps }) => foldPlace(sight, steps[0][0], 0, em));
    assert.ok(beside.x > bare.x && beside.y === bare.y);
  }));

test("zooming keeps the point where it is, and ends somewhere", () => {
  const sight = { x: 12, y: 17, wide: 60, high: 20 };
  const at = { x: 150, y: 60 };
  const node = (s) => [(at.x - s.x) / s.wide, (at.y - s.y) / s.high].map((v) => v.toFixed(6));
  assert.deepEqual(node(zoomed(sight, 1, at, em)), node(sight));
  assert.ok(zoomed(sight, 99, at, em).wide <= 200.001 && zoomed(sight, -99, at, em).high >= 1.1999);
});

test("the tree cannot be lost by dragging, and a node comes into sight", () => {
  const small = { x: 12, y: 17, wide: 60, high: 12 };
  const { x, y } = held({ ...small, x: 5000, y: 5000 }, open, size, em);
  assert.deepEqual([x, y], [12, 17]);
  const node = tree.steps[1][7];
  const large = { x: 12, y: 17, wide: 190, high: 80, starts };
  const { x: left, y: top } = placeOf(
    showing(large, node, open.rows.get(node), size, em),
    node,
    open.rows.get(node),
  );
  assert.ok(left >= 0 && left <= size.width && top >= 17 && top + 40 <= size.height + 0.01);
});

test("it is told beyond which edges the tree goes on", () => {
  const whole = fitted(open, size, em, false);
  const sides = (sight) => beyond({ layout: open, sight, upTo: 1 }, size, em);
  assert.deepEqual(sides(whole), []);
  assert.deepEqual(sides({ ...whole, x: whole.x - 3 * em }), ["left"]);
  assert.deepEqual(sides({ ...whole, y: whole.y - 3 * em }), ["top"]);
  assert.deepEqual(sides({ ...whole, wide: size.width, high: size.height }), ["right", "bottom"]);
});
