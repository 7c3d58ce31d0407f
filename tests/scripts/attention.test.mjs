import { colourOf, ramps } from "/assets/kit/colour.js";
import { csvText } from "/assets/kit/download.js";
import { neighbour } from "/assets/kit/heads.js";
import { rowsOf, svgOf } from "/assets/kit/mapfiles.js";
import { FADED, pixels } from "/assets/kit/pixels.js";
import { drawnHeads } from "/explorer/exhibits/attention/heads.js";
import {
  groups,
  linesOf,
  scaleOf,
  strongestOf,
  viewOf,
  wordLabel,
} from "/explorer/exhibits/attention/look.js";
import * as measures from "/explorer/exhibits/attention/measures.js";
import { PLAIN, suffix } from "/explorer/exhibits/attention/options.js";
import { linesSvg } from "/explorer/exhibits/attention/picture.js";
import { assert, test } from "./check.mjs";

const near = (found, wanted, within = 1e-6) =>
  assert.ok(Math.abs(found - wanted) <= within, `${found} is not ${wanted}`);
const same = (found, wanted) => {
  assert.equal(found.length, wanted.length);
  wanted.forEach((value, i) =>
    Number.isNaN(value)
      ? assert.ok(Number.isNaN(found[i]), `${found[i]} at ${i}`)
      : near(found[i], value),
  );
};
const token = (text, more = {}) => ({ text, kind: "word", piece: text, ...more });
const end = { text: "</s>", kind: "special", piece: "</s>" };
const start = { text: "<s>", kind: "special", piece: "<s>" };
const shownAll = { words: false, specials: true, mass: 100 };

test("heads are sorted by a measure, those without one behind; the largest loss first", () => {
  const values = { a: 0.2, b: null, c: 0.9, d: 0.2 };
  assert.deepEqual(
    measures.sorted(["a", "b", "c", "d"], "end", (name) => values[name]),
    ["c", "a", "d", "b"],
  );
  const changes = { a: -0.1, b: 0.5, c: -3 };
  assert.deepEqual(
    measures.sorted(["a", "b", "c"], "effect", (name) => changes[name]),
    ["c", "a", "b"],
  );
  near(measures.share("entropy", 1, [1, 2, null]), 0.5);
  near(measures.share("effect", -3, [-3, 0.5]), 1);
  assert.equal(measures.passes({ value: 0.3, share: 0.3 }, 30), true);
  assert.equal(measures.passes({ value: 0.3, share: 0.29 }, 30), false);
  assert.equal(measures.passes({ value: null, share: 0 }, 0), true);
  assert.equal(measures.passes({ value: null, share: 0 }, 1), false);
});

// "un happy ." reads "a b c </s>": queries 0 and 1 are one word, and so are keys 1 and 2.
const map = {
  ramp: ramps.light,
  name: "",
  cells: new Float32Array([0.1, 0.2, 0.3, 0.4, 0.5, 0.1, 0.1, 0.3, 0.0, 0.25, 0.25, 0.5]),
  queries: 3,
  keys: 4,
  rows: [token("un"), token("happy", { joined: true }), token(".")],
  columns: [token("a"), token("b"), token("c", { joined: true }), end],
};

test("a row that read nothing but hidden tokens is left with nothing, and masks stay masks", () => {
  const causal = {
    cells: new Float32Array([1, NaN, 0.4, 0.6]),
    queries: 2,
    keys: 2,
    rows: [token("x"), token("y")],
    columns: [start, token("x")],
  };
  same(viewOf(causal, { ...shownAll, specials: false }).cells, [NaN, 1]);
  const alone = { ...causal, rows: [end, end] };
  assert.equal(viewOf(alone, { ...shownAll, specials: false }).queries, 2); // never an empty picture
});

test("a masked cell counts as 0 in a mean over queries, and stays masked where all are", () => {
  const causal = {
    cells: new Float32Array([1, NaN, NaN, 0.2, 0.8, NaN, 0.1, 0.2, 0.7]),
    queries: 3,
    keys: 3,
    rows: [token("u"), token("v", { joined: true }), token("w")],
    columns: [token("s"), token("u"), token("v")],
  };
  same(viewOf(causal, { ...shownAll, words: true }).cells, [0.6, 0.4, NaN, 0.1, 0.2, 0.7]);
});

test("an unknown word is no special token to hide", () => {
  const unknown = {
    ...map,
    columns: [{ text: "<unk>", kind: "special", piece: "<unk>" }, ...map.columns.slice(1)],
  };
  assert.equal(viewOf(unknown, { ...shownAll, specials: false }).keys, 3);
});

test("the strongest of a row: the fewest that reach the share, of its own sum", () => {
  const cells = new Float32Array([0.5, 0.3, 0.2, 0.1, 0.1, NaN]);
  const strong = (share) => Array.from(strongestOf({ cells, queries: 2, keys: 3 }, share)).join("");
  assert.equal(strong(0.5), "100100");
  assert.equal(strong(0.51), "110110");
  assert.equal(strong(0.8), "110110");
  assert.equal(strong(0.81), "111110");
  assert.equal(strong(1), "111110");
});

test("byte pieces of one character make one character of a word", () => {
  const cat = [1, 2].map((k) => token("🐱", { kind: "byte", part: [k, 2], joined: k > 1 }));
  assert.equal(wordLabel([token("a"), ...cat]).text, "a🐱");
  assert.deepEqual(groups([token("x", { joined: true }), token("y")], true), [[0], [1]]);
});

test("the scale ends at 1, or at the head's largest weight", () => {
  assert.equal(scaleOf(new Float32Array([0.25, NaN]), false), 1);
  assert.equal(scaleOf(new Float32Array([0.25, NaN]), true), 0.25);
  const along = (weight) => weight / 0.25;
  assert.deepEqual(
    Array.from(pixels(new Float32Array([0.25]), ramps.light, along).subarray(0, 3)),
    colourOf(ramps.light, 1),
  );
  const faded = pixels(new Float32Array([1, 1]), ramps.light, undefined, new Uint8Array([1, 0]));
  assert.deepEqual(Array.from(faded.subarray(0, 3)), colourOf(ramps.light, 1));
  assert.deepEqual(Array.from(faded.subarray(4, 7)), colourOf(ramps.light, FADED));
});

test("a file's name says what was done to the weights", () => {
  const wish = { ...PLAIN, mass: 80, words: true, specials: false, own: true };
  assert.equal(suffix(wish), "-words-nospecials-strongest80-ownscale");
  assert.equal(suffix({ ...PLAIN, words: false }), "");
});

const maps = { layers: 3, heads: 8 };
const shown = { attention: { encoder_self: maps, decoder_self: maps, cross: maps } };

test("heads drawn together are of one kind, the selected one among them; alone if isolated", () => {
  const chosen = { kind: "cross", layer: 0, head: 1 };
  const names = (options) =>
    drawnHeads(chosen, { isolated: false, heads: [], ...options }, shown).map(
      ({ name, place }) => `${place} ${name}`,
    );
  assert.deepEqual(names({}), ["0 cross.0.1"]);
  const heads = ["cross.2.2", "encoder_self.0.0", "cross.0.1", "cross.9.9"];
  assert.deepEqual(names({ heads }), ["0 cross.2.2", "1 cross.0.1"]);
  assert.deepEqual(names({ heads, isolated: true }), ["1 cross.0.1"]); // and keeps its colour
});

test("arrow keys follow the order on show", () => {
  const cross = Array.from(
    { length: 24 },
    (_, i) => `cross.${Math.floor(i / 8)}.${i % 8}`,
  ).reverse();
  assert.equal(neighbour("cross.2.7", { rows: 0, columns: 1 }, shown, { cross }), "cross.2.6");
  assert.equal(
    neighbour("decoder_self.2.0", { rows: 1, columns: 0 }, shown, { cross }),
    "cross.2.7",
  );
});

test("links under 0.01 and those not among the strongest are not drawn", () => {
  const view = { cells: new Float32Array([0.5, 0.009, NaN, 0.2]), keys: 2, strong: null };
  assert.deepEqual(
    linesOf(view, 1).map(({ row, col, level }) => [row, col, level]),
    [
      [0, 0, 10],
      [1, 1, 4],
    ],
  );
  assert.equal(linesOf({ ...view, strong: new Uint8Array([1, 1, 1, 0]) }, 1).length, 1);
  assert.equal(linesOf(view, 0.5)[0].level, 20);
});

test("files say what was done to the weights", () => {
  const scene = { ...map, name: "head", note: "Words: summed", strong: new Uint8Array(12).fill(1) };
  assert.ok(
    csvText(rowsOf({ ...scene, sides: { token: scene.rows } })).startsWith(
      '"token: Words: summed","a",',
    ),
  );
  assert.ok(svgOf([scene], "light").includes("Words: summed"));
  const lines = linesSvg(
    {
      ...scene,
      heads: [{ name: "cross.0.1", place: 0, links: linesOf({ ...map, strong: null }, 1) }],
    },
    "dark",
  );
  assert.equal(lines.split("<line").length - 1, 1 + 11); // its key, and the weights over 0.01
  assert.ok(lines.includes("&lt;/s&gt;") && lines.includes("1·2"));
});
