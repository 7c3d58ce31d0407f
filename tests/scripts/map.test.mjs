import { ramps } from "/assets/kit/colour.js";
import { showGlosses } from "/assets/kit/gloss.js";
import { inLine, layOut } from "/assets/kit/heatplan.js";
import { matrix } from "/assets/kit/map.js";
import { rowsOf, svgOf } from "/assets/kit/mapfiles.js";
import { render } from "/assets/vendor/lit-html.js";
import { assert, test } from "./check.mjs";

const SIZES = [
  [3, 3],
  [5, 40],
  [40, 40],
  [128, 128],
];
const words = (/** @type {number} */ n) =>
  Array.from({ length: n }, (_, i) => ({ text: `token${i}`, kind: "word" }));
const sceneOf = (queries, keys, more = {}) => ({
  cells: Float32Array.from({ length: queries * keys }, (_, i) =>
    i % 7 ? i / queries / keys : NaN,
  ),
  ...{ queries, keys, rows: words(queries), columns: words(keys), ramp: ramps.light },
  ...{ name: "map", width: 760, height: 520, font: 14, ...more },
});

function drawn(scene, hands = {}) {
  const box = document.createElement("div");
  document.body.append(box);
  render(matrix(scene, hands), box);
  return box;
}

test("a map of any size has its cells, and what has no room scrolls", () => {
  for (const [queries, keys] of SIZES) {
    for (const large of [false, true]) {
      const scene = sceneOf(queries, keys, { large });
      const { width, height, left, top } = layOut(scene);
      const box = drawn(scene);
      const canvas = box.querySelector("canvas");
      assert.deepEqual([canvas.width, canvas.height], [keys, queries]);
      const data = canvas.getContext("2d").getImageData(0, 0, keys, queries).data;
      scene.cells.forEach((one, i) => {
        assert.equal(data[i * 4 + 3], Number.isNaN(one) ? 0 : 255);
      });
      const whole = width * keys + left <= 760 && height * queries + top <= 520;
      const { maxWidth, maxHeight } = box.querySelector(".hl-matrix").style;
      assert.deepEqual([maxWidth, maxHeight], ["760px", "520px"]);
      if (queries <= 40) assert.ok(whole, `${queries} x ${keys} does not fit`);
      box.remove();
    }
  }
});

test("the first and the last row's labels are whole in low rows", () => {
  const scene = sceneOf(7, 7, { width: 300, height: 90 });
  const { height, letter } = layOut(scene);
  assert.ok(height < letter);
  const box = drawn(scene);
  const places = [...box.querySelectorAll(".hl-rows text")].map((one) =>
    Number(one.getAttribute("y")),
  );
  assert.ok(Math.min(...places) >= letter / 2);
  assert.ok(Math.max(...places) <= 7 * height - letter / 2);
  box.remove();
});

test("the first and the last number above narrow columns are whole", () => {
  const columns = Array.from({ length: 256 }, (_, i) => ({ text: String(i), kind: "number" }));
  const scene = sceneOf(3, 256, { columns, width: 400, chosen: { row: 0, col: 255 } });
  const { width, letter } = layOut(scene);
  const box = drawn(scene);
  const labels = [...box.querySelectorAll(".hl-columns text:not(.hl-dot)")];
  const end = (one, /** @type {number} */ side) =>
    Number(one.getAttribute("x")) + (side * letter * 0.55 * one.textContent.length) / 2;
  assert.ok(Math.min(...labels.map((one) => end(one, -1))) >= 0);
  assert.ok(Math.max(...labels.map((one) => end(one, 1))) <= 256 * width);
  box.remove();
});

test("no two labels cross, each is there or has its dot, and marked ones always are", () => {
  for (const [queries, keys] of SIZES) {
    const scene = sceneOf(queries, keys, { large: true, lit: { row: queries - 1, col: keys - 1 } });
    const { height, letter } = layOut(scene);
    const box = drawn(scene);
    const labels = [...box.querySelectorAll(".hl-rows text")];
    const written = labels.filter((one) => one.textContent !== "·");
    assert.ok(labels.length === queries || height < 4);
    assert.ok(written.some((one) => one.dataset.at === String(queries - 1)));
    const at = written.map((one) => Number(one.getAttribute("y"))).sort((a, b) => a - b);
    for (let i = 1; i < at.length; i += 1) assert.ok(at[i] - at[i - 1] >= letter * 0.75);
    box.remove();
  }
});

test("slanted labels do not touch, and no dot stands on a label", () => {
  const place = (one) =>
    one
      .getAttribute("transform")
      .match(/-?[\d.]+/g)
      .map(Number);
  for (const [width, font, large] of [
    [460, 14, true],
    [300, 24, true], // the small masks on a projector
    [180, 14, true], // and on a phone
    [330, 24, false],
    [120, 13, false],
  ]) {
    for (const count of [11, 18, 40]) {
      const scene = sceneOf(count, count, { width, font, large, height: width / 2 });
      const { letter, slant } = layOut(scene);
      const box = drawn(scene);
      const labels = [...box.querySelectorAll(".hl-columns text")];
      const isDot = (one) => one.textContent === "·";
      const across = Math.sin((slant * Math.PI) / 180);
      const [at, dots] = [false, true].map((dot) => labels.filter((one) => isDot(one) === dot));
      const xs = at.map((one) => place(one)[0] * across).sort((a, b) => a - b);
      const least = Math.min(...xs.slice(1).map((x, i) => x - xs[i]));
      assert.ok(
        slant > 0 && least >= letter - 0.01,
        `${count} in ${width} px: ${least} of ${letter}`,
      );
      const base = place(at[0])[1]; // where the labels begin; a dot hangs 0.3 em above its place
      for (const one of dots) assert.ok(place(one)[1] - base >= 0.3 * letter);
      const rows = [...box.querySelectorAll(".hl-rows text")];
      const end = Number(rows.find((one) => !isDot(one)).getAttribute("x"));
      for (const one of rows.filter(isDot))
        assert.ok(Number(one.getAttribute("x")) - end >= 0.3 * letter); // a dot's own width
      box.remove();
    }
  }
});

test("a label that is cut says so, and has the whole in its title", () => {
  const rows = [{ text: "a very long token indeed", kind: "word" }];
  const box = drawn(sceneOf(1, 3, { rows }));
  const label = box.querySelector(".hl-rows text");
  assert.ok(label.textContent.startsWith("a very…"));
  assert.equal(label.querySelector("title").textContent, rows[0].text);
  box.remove();
});

test("numbers of an axis are round where not all have room, and lie flat", () => {
  const rows = Array.from({ length: 64 }, (_, i) => ({ text: String(i), kind: "number" }));
  const columns = Array.from({ length: 256 }, (_, i) => ({ text: String(i), kind: "number" }));
  const scene = sceneOf(64, 256, { rows, columns, fine: true });
  assert.equal(layOut(scene).slant, 0);
  const box = drawn(scene);
  const shown = [...box.querySelectorAll(".hl-columns text")].map((one) => Number(one.dataset.at));
  const every = shown[1] - shown[0];
  assert.ok([10, 20, 25, 50].includes(every), `every ${every}th`);
  box.remove();
});

test("arrow keys move what is looked at, and where a cell is chosen the choice", () => {
  const found = [];
  const hands = { onPoint: (cell) => found.push(cell), onChoose: (cell) => found.push(cell) };
  const press = (box, key) =>
    box.querySelector(".hl-field").dispatchEvent(new KeyboardEvent("keydown", { key }));
  for (const start of [{ lit: { row: 0, col: 0 } }, { chosen: { row: 0, col: 0 } }]) {
    const box = drawn(sceneOf(3, 3, start), hands);
    press(box, "ArrowDown");
    press(box, "ArrowRight"); // before the map is drawn again
    press(box, "ArrowLeft");
    press(box, "ArrowLeft");
    box.remove();
  }
  const [down, right, left] = [
    { row: 1, col: 0 },
    { row: 1, col: 1 },
    { row: 1, col: 0 },
  ];
  assert.deepEqual(found, [down, right, left, down, right, left, left]);
});

test("maps in line have cells of one size, or a line each", () => {
  const labels = { rows: words(6), columns: words(6) };
  const { isBeside, first, next } = inLine(labels, 900, 14);
  assert.ok(isBeside);
  const own = layOut(sceneOf(6, 6, { width: first, height: undefined }));
  const beside = layOut(sceneOf(6, 6, { width: next, height: undefined, bare: true }));
  assert.equal(own.width, beside.width);
  assert.equal(inLine({ rows: words(40), columns: words(40) }, 500, 14).isBeside, false);
});

test("a file has every label of a large map", () => {
  const picture = svgOf([sceneOf(3, 128)], "light");
  for (let i = 0; i < 128; i += 1) assert.ok(picture.includes(`>token${i}<`), `token${i}`);
});

test("a file has all maps beside one another, and every cell of them", () => {
  const scenes = [sceneOf(3, 3), sceneOf(3, 5)];
  const picture = svgOf(scenes, "dark");
  const masked = scenes.flatMap(({ cells }) => [...cells]).filter(Number.isNaN).length;
  assert.equal(picture.split("<path").length - 1, masked);
  assert.equal(picture.split("<rect").length - 1, 1 + 9 + 15 - masked);
  assert.deepEqual(
    rowsOf({ ...scenes[0], sides: { row: scenes[0].rows } }).map((row) => row.length),
    [4, 4, 4, 4],
  );
});

test("the one marked cell has both its labels, and its row a gloss with room for it", () => {
  showGlosses("en", "en-zh");
  const rows = words(30).map((one) => ({
    ...one,
    text: "阳台",
    gloss: ["balconies", 0.9, "", "target"],
  }));
  const more = { rows, told: true, width: 240, height: 240, lit: { row: 7, col: null } };
  const scene = sceneOf(30, 30, { ...more, marks: [{ row: 7, col: 13 }] });
  const box = drawn(scene);
  const labels = [...box.querySelectorAll(".hl-columns text:not(.hl-dot)")];
  assert.ok(labels.some((one) => one.textContent.includes("token13")));
  assert.ok(labels.length < 30);
  const glosses = [...box.querySelectorAll(".hl-rows .hl-gloss")].map((one) => one.textContent);
  assert.deepEqual(
    glosses.map((one) => one.trim()),
    ["balconies"],
  );
  box.remove();
  for (const name of ["glosses", "glossed"]) delete document.documentElement.dataset[name];
});
