import {
  clearest,
  errorOf,
  fitting,
  hasPicture,
  keyOf,
  placesOf,
  ranked,
} from "/explorer/exhibits/truth/board.js";
import { assert, test } from "./check.mjs";

const row = (method, layer, head, label, aer) => ({
  method,
  layer,
  head,
  row_label: label,
  aer,
  low: aer - 0.05,
  high: aer + 0.05,
});
const ROWS = [
  row("weight", 1, null, "written", 0.6),
  row("weight", 1, null, "read", 0.4),
  row("weight", 1, 2, "written", 0.8),
  row("weight", 1, 2, "read", 0.1),
  row("weight", 1, 1, "written", 0.5),
  row("weight", 1, 1, "read", 0.7),
  row("random_head", null, null, "written", 0.55),
  row("random_head", null, null, "read", 0.55),
];

test("a place has both labels, and the one that errs less fits it", () => {
  const places = placesOf(ROWS);
  assert.deepEqual(
    places.map((one) => [keyOf(one), one.fits, errorOf(one)]),
    [
      ["weight.1.0", "read", 0.4],
      ["weight.1.2", "read", 0.1],
      ["weight.1.1", "written", 0.5],
      ["random_head.0.0", "written", 0.55],
    ],
  );
  assert.deepEqual(places[1].read, { aer: 0.1, low: 0.05, high: 0.1 + 0.05 });
});

test("the best comes first, heads and layers apart", () => {
  const keys = (shown) => ranked(placesOf(ROWS), shown).map(({ key }) => key);
  assert.deepEqual(keys("layers"), ["weight.1.0", "random_head.0.0"]);
  assert.deepEqual(keys("weight"), ["weight.1.2", "weight.1.1"]);
  assert.deepEqual(keys("norm"), []);
  assert.ok(!hasPicture(placesOf(ROWS)[3]) && hasPicture(placesOf(ROWS)[0]));
});

test("where there is no room the chosen one takes the last line", () => {
  const all = ranked(placesOf(ROWS), "weight");
  assert.equal(fitting(all, 2, "weight.1.1"), all);
  assert.deepEqual(
    fitting(all, 1, "weight.1.1").map(({ key }) => key),
    ["weight.1.1"],
  );
  assert.deepEqual(
    fitting(all, 1, "weight.1.2").map(({ key }) => key),
    ["weight.1.2"],
  );
});

test("a picture opens on its clearest link, of a row that says what it means", () => {
  const cells = Float32Array.of(0.9, 0.1, 0.3, 0.7, 0.2, 0.8);
  const gold = { cells, strongest: [0, 1, 1], columns: 2, told: () => true };
  const sure = [
    [0, 1], // people link another cell of this row
    [1, 1],
    [2, 1],
  ];
  assert.equal(clearest({ ...gold, sure }), 2);
  assert.equal(clearest({ ...gold, sure, told: (row) => row === 1 }), 1);
  assert.equal(clearest({ ...gold, sure, told: () => false }), 2);
  assert.equal(clearest({ ...gold, sure: [] }), null);
});
