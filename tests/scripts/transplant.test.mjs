import {
  headsOf,
  labelled,
  lastingUntil,
  sharesOf,
  statesOf,
  strongest,
} from "/explorer/exhibits/transplant/shares.js";
import { assert, test } from "./check.mjs";

const label = (id, text) => ({ id, text, kind: "word", piece: text });
const ROWS = [
  [2, 0],
  [0.5, 1.2],
  [0.4, 0.6],
  [0.9, 0.5],
];

test("where the sentences differ a column has both tokens", () => {
  const receiver = [label(1, "the"), label(2, "man")];
  const columns = labelled([label(1, "the"), label(3, "dog")], receiver);
  assert.equal(columns[0], receiver[0]);
  assert.equal(columns[1].text, "man ← dog");
});

test("such a column has both glosses, or none", () => {
  const [man, dog] = [label(1, "男人"), label(2, "狗")];
  const told = (one, word) => ({ ...one, gloss: [word, 0.5, "x"] });
  const of = (receiver, giver) => labelled([giver], [receiver])[0].gloss?.[0];
  assert.equal(of(told(man, "man"), told(dog, "dog")), "man ← dog");
  assert.equal(of(told(man, "man"), dog), undefined);
  assert.equal(of(man, told(dog, "dog")), undefined);
  assert.equal(of(told(man, "man"), told(dog, "")), "");
});

test("the strongest state stands behind a layer, and lasts while it keeps half of that", () => {
  const best = strongest(ROWS);
  assert.deepEqual(best, { layer: 1, position: 1, share: 1.2 });
  assert.equal(lastingUntil(ROWS, best), 2);
  assert.equal(lastingUntil(ROWS, { layer: 3, position: 0, share: 0.9 }), 3);
});

test("changes of several turns are shares of the way, map by map", () => {
  const turns = [{ changes: [1, 2, 3, 4] }, { changes: [-2, 8] }];
  const shares = sharesOf(
    turns,
    [3, -1],
    [
      [2, 2],
      [1, 2],
    ],
  );
  assert.deepEqual(shares, [
    [
      [0.25, 0.5],
      [0.75, 1],
    ],
    [[-0.5, 2]],
  ]);
});

test("the tables begin with what carries most", () => {
  const columns = [label(1, "a"), label(2, "b")];
  const states = statesOf({ encoder: ROWS, decoder: [[0.1], [1.5]] }, [label(0, "<s>")], columns);
  assert.equal(states.length, 10);
  assert.deepEqual(
    states.slice(0, 2).map(({ stack, layer, position, share }) => [stack, layer, position, share]),
    [
      ["encoder", 0, 0, 2],
      ["decoder", 1, 0, 1.5],
    ],
  );
  const heads = headsOf({ cross: [[0.1, 0.3]], decoder_self: [[0.2]] });
  assert.deepEqual(
    heads.map(({ kind, head }) => [kind, head]),
    [
      ["cross", 1],
      ["decoder_self", 0],
      ["cross", 0],
    ],
  );
});
