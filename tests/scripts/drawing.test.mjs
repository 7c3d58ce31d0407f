import { crc32, inflateSync } from "node:zlib";
import { colourOf, isDark, ramps } from "/assets/kit/colour.js";
import { csvText } from "/assets/kit/download.js";
import { neighbour } from "/assets/kit/heads.js";
import { written } from "/assets/kit/heatplan.js";
import { rowsOf, svgOf } from "/assets/kit/mapfiles.js";
import {
  cellText,
  durationText,
  percentText,
  signedText,
  weightText,
} from "/assets/kit/numbers.js";
import { pixels, pool } from "/assets/kit/pixels.js";
import { pngOf } from "/assets/kit/png.js";
import { render } from "/assets/vendor/lit-html.js";
import { picture as lens } from "/explorer/exhibits/lens/picture.js";
import { assert, test } from "./check.mjs";

// OKLab lightness of an sRGB colour, by the published matrices.
function lightness(rgb) {
  const [r, g, b] = rgb.map((c) =>
    c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4,
  );
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
}

for (const [name, way] of [
  ["light", -1],
  ["dark", 1],
]) {
  test(`the ${name} ramp changes its lightness by equal steps`, () => {
    const steps = [];
    for (let i = 0; i < 10; i += 1) {
      steps.push(
        way *
          (lightness(colourOf(ramps[name], (i + 1) / 10)) -
            lightness(colourOf(ramps[name], i / 10))),
      );
    }
    const mean = steps.reduce((a, b) => a + b) / steps.length;
    for (const step of steps)
      assert.ok(Math.abs(step - mean) < 0.08 * mean, `${step} is not near ${mean}`);
  });
}

test("colours stay at the ends of the ramp outside of 0 to 1", () => {
  assert.deepEqual(colourOf(ramps.light, 7), colourOf(ramps.light, 1));
  assert.deepEqual(colourOf(ramps.light, -7), colourOf(ramps.light, 0));
  assert.equal(isDark(colourOf(ramps.light, 1)), true);
  assert.equal(isDark(colourOf(ramps.dark, 1)), false);
});

test("pooling keeps the strongest and what is wholly masked", () => {
  const cells = new Float32Array([0.1, 0.9, NaN, NaN, 0.2, 0.3, NaN, NaN]);
  const small = pool(cells, 2, 4, 1, 2);
  assert.ok(Math.abs(small.cells[0] - 0.9) < 1e-6 && Number.isNaN(small.cells[1]));
  assert.equal(pool(cells, 2, 4, 64, 64).cells, cells);
});

test("a masked cell is clear, not the colour of 0", () => {
  const bytes = pixels(new Float32Array([NaN, 0]), ramps.light);
  assert.equal(bytes[3], 0);
  assert.equal(bytes[7], 255);
});

test("labels are thinned, but never the marked ones", () => {
  assert.deepEqual(written(5, 20, 1.1 * 14, []), [0, 1, 2, 3, 4]);
  const few = written(100, 4, 1.1 * 14, [50, null]);
  assert.ok(few.length < 30 && few.includes(50));
  for (let i = 1; i < few.length; i += 1) assert.ok((few[i] - few[i - 1]) * 4 >= 14);
  assert.deepEqual(written(64, 10, 70, [], true), [0, 10, 20, 30, 40, 50, 60]); // round numbers
});

test("numbers have the digits that are meant", () => {
  assert.deepEqual([0.0471, 1, 0.9996, 0.0001, 0].map(cellText), [
    ".047",
    "1",
    "1.000",
    ".000",
    "0",
  ]);
  assert.deepEqual([0.93123, 0.0001, 0, 1].map(percentText), [
    "93.1 %",
    "<0.1 %",
    "0.0 %",
    "100.0 %",
  ]);
  assert.deepEqual([0.9996, 0.99949, 1].map(percentText), [">99.9 %", "99.9 %", "100.0 %"]);
  assert.equal(signedText(-1.23456), "−1.235");
  assert.deepEqual(
    [-0.04, -0.05, 0.04].map((value) => signedText(value, 1)),
    ["0.0", "−0.1", "0.0"],
  );
  assert.deepEqual([-0, -0.0004, -0.0006].map(weightText), ["0.000", "0.000", "-0.001"]);
  assert.deepEqual([0.0384, 2.31].map(durationText), ["38 ms", "2.3 s"]);
});

test("arrow keys go from head to head and from kind to kind", () => {
  const maps = { layers: 3, heads: 8 };
  const shown = { attention: { encoder_self: maps, decoder_self: maps, cross: maps } };
  assert.equal(neighbour("encoder_self.2.4", { rows: 1, columns: 0 }, shown), "decoder_self.0.4");
  assert.equal(neighbour("cross.0.4", { rows: -1, columns: 0 }, shown), "decoder_self.2.4");
  assert.equal(neighbour("encoder_self.0.0", { rows: -1, columns: -1 }, shown), "encoder_self.0.0");
  assert.equal(neighbour("cross.2.7", { rows: 1, columns: 1 }, shown), "cross.2.7");
});

test("arrow keys between kinds of which one has fewer heads", () => {
  const [few, many] = [
    { layers: 2, heads: 2 },
    { layers: 3, heads: 4 },
  ];
  const shown = { attention: { encoder_self: few, decoder_self: many, cross: many } };
  assert.equal(neighbour("encoder_self.1.1", { rows: 1, columns: 0 }, shown), "decoder_self.0.1");
  assert.equal(neighbour("decoder_self.0.3", { rows: -1, columns: 0 }, shown), "encoder_self.1.1");
  assert.equal(neighbour("decoder_self.2.3", { rows: 1, columns: 0 }, shown), "cross.0.3");
});

const scene = {
  cells: new Float32Array([1, NaN, 0.25, 0.75]),
  queries: 2,
  keys: 2,
  name: "a <head>",
  ramp: ramps.light,
  rows: [{ text: 'say "hi"' }, { text: "=1+1" }],
  columns: [{ text: "</s>" }, { text: "x", line: "·x" }],
};

test("a CSV holds labels and weights, and no formula", () => {
  const sides = { read: [{ text: "<s>" }, scene.rows[0]], written: scene.rows };
  const lines = [
    '"read","written","</s>","·x"\r\n',
    '"<s>","say ""hi""",1,\r\n',
    '"say ""hi""","\'=1+1",0.25,0.75\r\n',
  ];
  assert.equal(csvText(rowsOf({ ...scene, sides })), lines.join(""));
  const changed = rowsOf({ ...scene, sides, note: "as words" });
  assert.deepEqual(changed[0], ["read: as words", "written", "</s>", "·x"]);
});

test("no text of a CSV is run as a formula", () => {
  const formulas = [
    "=1",
    "+1",
    "-1",
    "@a",
    "\t=1",
    "\r=1",
    "\nx",
    " =1",
    "\u3000=1",
    "＝1",
    "＋1",
    "－1",
    " ＠a",
  ];
  for (const text of formulas) assert.equal(csvText([[text]]), `"'${text}"\r\n`);
  for (const text of [" a", "a=1", "a\t-1", "–1"]) assert.equal(csvText([[text]]), `"${text}"\r\n`);
  assert.equal(csvText([[-1.5, -1]]), "-1.5,-1\r\n");
});

test("an SVG holds all labels as text", () => {
  const svg = svgOf([scene], "light");
  assert.ok(
    svg.includes("&lt;/s&gt;") && svg.includes("a &lt;head&gt;") && !svg.includes("<head>"),
  );
  assert.equal(svg.split("<rect").length - 1, 4); // the paper and three cells
});

/** The chunks of a PNG whose check sums are right, by name. */
function chunksOf(png) {
  const view = new DataView(png.buffer, png.byteOffset);
  const chunks = {};
  for (let at = 8; at < png.length; ) {
    const [length, begin] = [view.getUint32(at), at + 8];
    const name = String.fromCharCode(...png.subarray(at + 4, begin));
    assert.equal(view.getUint32(begin + length), crc32(png.subarray(at + 4, begin + length)));
    chunks[name] = png.subarray(begin, begin + length);
    at = begin + length + 4;
  }
  return chunks;
}

test("a PNG holds its pixels", () => {
  const [width, height] = [64, 37];
  const colours = Uint8Array.from({ length: 3 * 255 }, (_, i) => (i * 7) % 256);
  const places = Uint8Array.from({ length: width * height }, (_, i) => (i * 11 + (i >> 5)) % 256);
  const png = new Uint8Array(pngOf(places, width, height, colours));
  assert.deepEqual([...png.subarray(0, 8)], [137, 80, 78, 71, 13, 10, 26, 10]);
  const { IHDR, PLTE, tRNS, IDAT } = chunksOf(png);
  // Width, height; 8 bits, by palette, and no interlacing.
  assert.deepEqual([...IHDR], [0, 0, 0, width, 0, 0, 0, height, 8, 3, 0, 0, 0]);
  assert.deepEqual([...PLTE.subarray(3)], [...colours]);
  assert.deepEqual([...tRNS], [0]); // the first colour, and no other, is seen through
  const rows = inflateSync(IDAT);
  assert.equal(rows.length, (width + 1) * height);
  for (let row = 0; row < height; row++) {
    const [filter, ...pixels] = rows.subarray(row * (width + 1), (row + 1) * (width + 1));
    assert.equal(filter, 0);
    assert.deepEqual(pixels, [...places.subarray(row * width, (row + 1) * width)]);
  }
  assert.throws(
    () => pngOf(new Uint8Array(300 * 300), 300, 300, new Uint8Array(3)),
    /65535 at most/,
  );
});

test("the lens writes a token in every cell, however many steps there are", () => {
  for (const [steps, width, em] of [
    [9, 1100, 14],
    [128, 1100, 14],
    [128, 1240, 22], // a projector
    [40, 366, 14], // a phone
    [128, 366, 14],
  ]) {
    const label = (i) => ({
      id: i,
      text: `token${i}`,
      kind: "word",
      piece: `▁token${i}`,
      log_prob: -1,
    });
    const tgt_out = Array.from({ length: steps }, (_, i) => label(i));
    const answer = { layers: Array.from({ length: 4 }, () => tgt_out.map((one) => [one])) };
    const page = { theme: { get: () => "light" } };
    const s = {
      t: (key) => key,
      page,
      record: { tgt_out },
      answer,
      selection: { step: steps - 1 },
    };
    const box = document.createElement("div");
    render(lens(s, { width, height: 520, em }), box);
    const map = box.querySelector(".hl-lens-map");
    const cells = [...map.querySelectorAll(".hl-lens-cell")];
    assert.equal(cells.length, 4 * steps);
    assert.ok(cells.every((one) => one.querySelector("text")?.textContent.startsWith("t")));
    assert.equal(map.querySelectorAll(".hl-head").length, steps);
    const isCut = Number(map.getAttribute("width")) > width;
    const names = box.querySelectorAll(".hl-lens-names text").length;
    assert.deepEqual([isCut, names], [steps > 9, steps > 9 ? 4 : 0]);
    render(null, box);
  }
});
