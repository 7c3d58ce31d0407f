// A file of weights: safetensors with float16 or float32 numbers, and its SHA-256. Pure functions.
//
// The hash is computed here, not by SubtleCrypto: browsers offer that only over https, and a class
// may reach a teacher's machine over http.

import { Refusal } from "./refusal.js";

/**
 * @typedef {object} Tensor
 * @property {number[]} shape
 * @property {Float32Array} data row by row
 */

const LARGEST_HEADER = 4_000_000; // bytes
/** Of a number, by the name of its type. @type {Record<string, number>} */
const BYTES = { I8: 1, F16: 2, F32: 4 };
const SCALE = ".scale"; // suffix of the scales of a matrix with one byte per weight

/**
 * The tensors of a file by their names. Numbers are little-endian in the file, as in every browser.
 * @param {ArrayBuffer} file
 * @returns {Map<string, Tensor>}
 */
export function openWeights(file) {
  const header = headerOf(file);
  const tensors = new Map();
  for (const [name, { dtype, shape, data_offsets: offsets }] of Object.entries(header.entries)) {
    if (name === "__metadata__") continue;
    const [begin, end] = offsets;
    const count = shape.reduce(
      (/** @type {number} */ product, /** @type {number} */ size) => product * size,
      1,
    );
    const fits = end - begin === count * BYTES[dtype] && header.length + end <= file.byteLength;
    if (!fits) throw new Refusal(`The weight ${name} is damaged; download the file again.`);
    tensors.set(name, { shape, data: numbersOf(dtype, file, header.length + begin, count) });
  }
  return tensors;
}

/** The numbers at a place of the file; float32 ones stay in it, where its alignment allows. */
function numbersOf(
  /** @type {string} */ dtype,
  /** @type {ArrayBuffer} */ file,
  /** @type {number} */ begin,
  /** @type {number} */ count,
) {
  if (dtype === "F32" && begin % BYTES.F32 === 0) return new Float32Array(file, begin, count);
  const bytes = file.slice(begin, begin + count * BYTES[dtype]);
  if (dtype === "F32") return new Float32Array(bytes);
  return dtype === "I8"
    ? Float32Array.from(new Int8Array(bytes))
    : fromHalves(new Uint16Array(bytes));
}

/** The weights of a snapshot, each row times its scale: see model/checkpoint/snapshots.py.
 * @param {Map<string, Tensor>} tensors */
export function restored(tensors) {
  /** @type {Map<string, Tensor>} */
  const whole = new Map();
  for (const [name, { shape, data }] of tensors) {
    if (name.endsWith(SCALE)) continue;
    const scale = tensors.get(name + SCALE)?.data;
    const width = shape[shape.length - 1];
    const own = scale ? data.map((one, i) => one * scale[Math.floor(i / width)]) : data;
    whole.set(name, { shape, data: own });
  }
  return whole;
}

/** @param {ArrayBuffer} file */
function headerOf(file) {
  const size = file.byteLength < 8 ? 0 : Number(new DataView(file).getBigUint64(0, true));
  if (size === 0 || size > Math.min(LARGEST_HEADER, file.byteLength - 8))
    throw new Refusal("This is no file of weights (safetensors); download it again.");
  const text = new TextDecoder().decode(new Uint8Array(file, 8, size));
  return { length: 8 + size, entries: JSON.parse(text) };
}

/** @type {Float32Array|null} */
let halves = null; // the value of each of the 65,536 patterns of a float16

/** @param {Uint16Array} patterns */
function fromHalves(patterns) {
  halves ??= Float32Array.from({ length: 65_536 }, (_, pattern) => halfOf(pattern));
  const numbers = new Float32Array(patterns.length);
  for (let i = 0; i < patterns.length; i += 1) numbers[i] = halves[patterns[i]];
  return numbers;
}

/** IEEE 754: one bit of sign, five of the exponent, ten of the fraction. */
function halfOf(/** @type {number} */ pattern) {
  const sign = pattern & 0x8000 ? -1 : 1;
  const exponent = (pattern >> 10) & 31;
  const fraction = pattern & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return exponent === 0
    ? sign * fraction * 2 ** -24
    : sign * (1024 + fraction) * 2 ** (exponent - 25);
}

// ------------------------------------------------------------------- SHA-256 (FIPS 180-4)

const PRIMES = firstPrimes(64);
/** The first 32 bits of the fractional parts of the primes' cube and square roots. */
const ROUNDS = Int32Array.from(PRIMES, (prime) => (Math.cbrt(prime) % 1) * 2 ** 32);
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => (Math.sqrt(prime) % 1) * 2 ** 32);

function firstPrimes(/** @type {number} */ count) {
  /** @type {number[]} */
  const found = [];
  for (let n = 2; found.length < count; n += 1) if (found.every((p) => n % p)) found.push(n);
  return found;
}

/** The SHA-256 of some bytes, 64 hexadecimal digits. @param {ArrayBuffer} file */
export function sha256(file) {
  const state = START.slice();
  const words = new Int32Array(64);
  const whole = file.byteLength - (file.byteLength % 64);
  const view = new DataView(file);
  for (let at = 0; at < whole; at += 64) digest(state, words, view, at);
  const rest = file.byteLength - whole;
  const last = new Uint8Array(rest < 56 ? 64 : 128); // the rest, a bit, zeros, the length in bits
  last.set(new Uint8Array(file, whole));
  last[rest] = 128;
  const end = new DataView(last.buffer);
  end.setBigUint64(last.length - 8, BigInt(file.byteLength) * 8n);
  for (let at = 0; at < last.length; at += 64) digest(state, words, end, at);
  return Array.from(state, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

const turned = (/** @type {number} */ x, /** @type {number} */ by) => (x >>> by) | (x << (32 - by));

/** @param {Int32Array} state @param {Int32Array} w @param {DataView} view @param {number} at */
function digest(state, w, view, at) {
  for (let i = 0; i < 16; i += 1) w[i] = view.getInt32(at + 4 * i);
  for (let i = 16; i < 64; i += 1) {
    const x = w[i - 15];
    const y = w[i - 2];
    const early = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
    const late = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
    w[i] = (w[i - 16] + early + w[i - 7] + late) | 0;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i += 1) {
    const mixed = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const first = (h + mixed + ((e & f) ^ (~e & g)) + ROUNDS[i] + w[i]) | 0;
    const other = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const second = (other + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] = (state[i] + word) | 0;
  });
}
