import { createHash } from "node:crypto";
import { qrCode } from "/assets/shell/class/qr.js";
import { assert, test } from "./check.mjs";

// Drawn by the Python library qrcode 8.2, at error correction M with mask 0.
const LINK = "http://192.168.1.20:7860/?class=BCDFG";
const DRAWN = [
  "#######...#...#....##.#######",
  "#.....#.#.#.#.##..##..#.....#",
  "#.###.#..###...#..#.#.#.###.#",
  "#.###.#..#####.#....#.#.###.#",
  "#.###.#.###..##....##.#.###.#",
  "#.....#..#.#..##.#.##.#.....#",
  "#######.#.#.#.#.#.#.#.#######",
  "...........##..###..#........",
  "#.#.#.#.........###.....#..#.",
  ".#..#...###..#.##.....##.#..#",
  "...####..##...#..#..#####.###",
  "###.##..##.####..##..###.#.#.",
  ".######.##....#.####..##.#.##",
  "...#...#.#.#..###.#...##.##.#",
  "#..#..##...###..##..#......##",
  "#.##...#.........###.#..##.#.",
  "#.....#...#.....##....#....##",
  ".#.###..#.#.##.###...###..#.#",
  "#.#...#.##.#..#..##.##...#.##",
  ".#...#.#.##.#######..###.#.#.",
  "#...#.#.#.#...##.#..#####....",
  "........#.###.#.....#...#.###",
  "#######....#.#.....##.#.##.##",
  "#.....#...##.....#.##...##...",
  "#.###.#.##.##....#..######.##",
  "#.###.#...#.#...##.###..##.##",
  "#.###.#.#.##.##...##.#..###.#",
  "#.....#..#...#...#####...#.#.",
  "#######.##..###..#..###..#.##",
];
// Of so many letters x: the beginning of the SHA-256 of its rows, the shortest and the longest
// text of each version.
const DIGESTS = [
  [1, "941ef525a045c90c"],
  [14, "87bae821693809a1"],
  [15, "11b905ddb9f83c32"],
  [26, "4da660857725e0a2"],
  [27, "9644d96bf11dee6a"],
  [42, "25a2fb04f7f2d7a8"],
  [43, "869032a983bb82e0"],
  [62, "e5dddf8f80cae637"],
  [63, "4869dbb794380968"],
  [84, "58570b2e1f9f1681"],
  [85, "49266f075fcff251"],
  [106, "655b5359fc94271d"],
];

const rowsOf = (text) =>
  qrCode(text).map((row) => row.map((isDark) => (isDark ? "#" : ".")).join(""));

test("the QR code of a class's link is the one that another library draws", () => {
  assert.deepEqual(rowsOf(LINK), DRAWN);
});

test("so is that of the shortest and the longest text of each version", () => {
  for (const [length, digest] of DIGESTS) {
    const rows = rowsOf("x".repeat(length)).join("\n");
    assert.equal(createHash("sha256").update(rows).digest("hex").slice(0, 16), digest);
  }
});

test("a text that is too long has no QR code", () => {
  assert.equal(qrCode("x".repeat(107)), null);
  assert.equal(qrCode("猫".repeat(36)), null); // 108 bytes
});
