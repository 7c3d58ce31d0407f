// A QR code of a link: ISO/IEC 18004, bytes, versions 1 to 6, error correction M (15 % of it may be
// unreadable from the last row). One of the eight masks is used for all: a reader finds it in the
// format bits, and the choice among them only makes bad light a little better.

/** Of each version: correction bytes per block, blocks, data bytes per block (table 9). */
const VERSIONS = [
  [10, 1, 16],
  [16, 1, 28],
  [26, 1, 44],
  [18, 2, 32],
  [24, 2, 43],
  [16, 4, 27],
];
const HEAD = 2; // bytes that the mode and the length take, rounded up
const PADDING = [0xec, 0x11];
const FORMAT = 0b101010000010010; // level M and mask 0, with its own correction (table C.1)
const FIELD = 0x11d; // the polynomial of the field of 256 values

const [POWERS, LOGS] = tables();

function tables() {
  const [powers, logs] = [new Uint8Array(255), new Uint8Array(256)];
  let value = 1;
  for (let i = 0; i < 255; i++) {
    powers[i] = value;
    logs[value] = i;
    value = value < 128 ? value * 2 : (value * 2) ^ FIELD;
  }
  return [powers, logs];
}

const product = (/** @type {number} */ a, /** @type {number} */ b) =>
  a === 0 || b === 0 ? 0 : POWERS[(LOGS[a] + LOGS[b]) % 255];

/** The rows of a text's QR code, true where it is dark; null if the text is too long.
 * @param {string} text */
export function qrCode(text) {
  const bytes = new TextEncoder().encode(text);
  const at = VERSIONS.findIndex(([, blocks, data]) => bytes.length <= blocks * data - HEAD);
  if (at < 0) return null;
  const grid = frame(at + 1);
  fill(grid, codewords(bytes, VERSIONS[at]));
  return grid.map((row) => row.map((cell) => cell === 1 || cell === true));
}

/** @param {Uint8Array} bytes @param {number[]} version */
function codewords(bytes, [correction, blocks, size]) {
  const data = framed(bytes, blocks * size);
  const parts = Array.from({ length: blocks }, (_, i) => data.slice(i * size, (i + 1) * size));
  const checks = parts.map((part) => remainder(part, generator(correction)));
  const woven = (/** @type {number[][]} */ rows) =>
    rows[0].flatMap((_, i) => rows.map((r) => r[i]));
  return [...woven(parts), ...woven(checks)];
}

/** Mode and length before the bytes, four zero bits and padding after them.
 * @param {Uint8Array} bytes @param {number} size */
function framed(bytes, size) {
  const nibbles = [4, bytes.length >> 4, bytes.length & 15];
  for (const byte of bytes) nibbles.push(byte >> 4, byte & 15);
  nibbles.push(0);
  const whole = [];
  for (let i = 0; i < nibbles.length; i += 2) whole.push(nibbles[i] * 16 + nibbles[i + 1]);
  for (let i = 0; whole.length < size; i++) whole.push(PADDING[i % 2]);
  return whole;
}

/** The polynomial (x - 1)(x - a)(x - a²)..., without its first coefficient, which is 1.
 * @param {number} degree */
function generator(degree) {
  let all = [1];
  for (let i = 0; i < degree; i++) {
    const next = [...all, 0];
    for (let j = 0; j < all.length; j++) next[j + 1] ^= product(all[j], POWERS[i]);
    all = next;
  }
  return all.slice(1);
}

/** @param {number[]} data @param {number[]} divisor */
function remainder(data, divisor) {
  const rest = divisor.map(() => 0);
  for (const byte of data) {
    const factor = byte ^ /** @type {number} */ (rest.shift());
    rest.push(0);
    for (let i = 0; i < divisor.length; i++) rest[i] ^= product(divisor[i], factor);
  }
  return rest;
}

/** @typedef {(boolean|number|null)[][]} Grid fixed cells are 0 or 1, data true or false */

/** The fixed patterns of a version. @param {number} version @returns {Grid} */
function frame(version) {
  const size = 17 + 4 * version;
  /** @type {Grid} */
  const grid = Array.from({ length: size }, () => Array(size).fill(null));
  for (let i = 0; i < size; i++) grid[6][i] = grid[i][6] = 1 - (i % 2);
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ])
    rings(grid, [row, column], 4, [1, 1, 0, 1, 0]);
  if (version > 1) rings(grid, [size - 7, size - 7], 2, [1, 0, 1]);
  format(grid);
  return grid;
}

/** Squares around a centre, from the inside out. @param {Grid} grid @param {number[]} centre
 * @param {number} radius @param {number[]} colours */
function rings(grid, [row, column], radius, colours) {
  for (let y = -radius; y <= radius; y++)
    for (let x = -radius; x <= radius; x++) {
      const line = grid[row + y];
      if (line?.[column + x] === undefined) continue;
      line[column + x] = colours[Math.max(Math.abs(x), Math.abs(y))];
    }
}

/** The format bits, twice, and the one cell that is always dark. @param {Grid} grid */
function format(grid) {
  const last = grid.length - 1;
  for (let i = 0; i < 15; i++) {
    const bit = (FORMAT >> i) & 1;
    grid[i < 6 ? i : i < 8 ? i + 1 : last - 14 + i][8] = bit;
    grid[8][i < 8 ? last - i : i < 9 ? 7 : 14 - i] = bit;
  }
  grid[last - 7][8] = 1;
}

/** The data, in columns of two from the right, upwards and downwards in turn, with mask 0.
 * @param {Grid} grid @param {number[]} words */
function fill(grid, words) {
  const size = grid.length;
  let at = 0;
  let isUp = true;
  for (let right = size - 1; right > 0; right -= 2) {
    if (right === 6) right = 5; // the column of the timing pattern
    for (let i = 0; i < size; i++) {
      const row = isUp ? size - 1 - i : i;
      for (const column of [right, right - 1]) {
        if (grid[row][column] !== null) continue;
        const bit = ((words[at >> 3] ?? 0) >> (7 - (at & 7))) & 1;
        grid[row][column] = (bit === 1) !== ((row + column) % 2 === 0);
        at += 1;
      }
    }
    isUp = !isUp;
  }
}
