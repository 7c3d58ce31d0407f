// Pixels as a PNG file, without a canvas: browsers that protect against fingerprinting change the
// pixels read back from one. Not compressed; for small pictures. Pure functions.
// Source: W3C, Portable Network Graphics (Third Edition), sections 5, 11, annex D (CRC); RFC 1950.

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const MOST = 65_535; // bytes of an uncompressed block

/** The file as a data URL. */
export const pngUrl = (/** @type {Parameters<typeof pngOf>} */ ...given) =>
  `data:image/png;base64,${btoa(String.fromCharCode(...pngOf(...given)))}`;

/** @typedef {ArrayLike<number>} Bytes */

/**
 * places: a byte a pixel, 0 for a clear one, else 1 + the place of its colour in `colours`: bytes
 * too, red, green and blue of up to 255. Returns the bytes of the file.
 * @param {Uint8Array} places @param {number} width @param {number} height @param {Bytes} colours
 */
export function pngOf(places, width, height, colours) {
  const line = width + 1; // each one begins with its filter: 0, none
  const raw = new Uint8Array(line * height);
  for (let row = 0; row < height; row += 1)
    raw.set(places.subarray(row * width, (row + 1) * width), row * line + 1);
  if (raw.length > MOST)
    throw new RangeError(`${width} x ${height} pixels are ${raw.length} bytes; ${MOST} at most`);
  const [low, high] = [raw.length & 255, raw.length >> 8];
  return joined([
    SIGNATURE,
    ...chunk("IHDR", [[...word(width), ...word(height), 8, 3, 0, 0, 0]]), // 8 bits; a palette
    ...chunk("PLTE", [[0, 0, 0], colours]),
    ...chunk("tRNS", [[0]]),
    ...chunk("IDAT", [
      [0x78, 0x01, 1, low, high, ~low & 255, ~high & 255],
      raw,
      word(adler32(raw)),
    ]),
    ...chunk("IEND", []),
  ]);
}

/** @param {string} name @param {Bytes[]} parts */
function chunk(name, parts) {
  const content = joined([Array.from(name, (letter) => letter.charCodeAt(0)), ...parts]);
  return [word(content.length - 4), content, word(crc32(content))];
}

/** @param {Bytes[]} parts */
function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const word = (/** @type {number} */ value) => [
  value >>> 24,
  (value >>> 16) & 255,
  (value >>> 8) & 255,
  value & 255,
];

const CRC = Uint32Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** @param {Bytes} bytes */
function crc32(bytes) {
  let crc = 0xffffffff;
  for (let i = 0; i < bytes.length; i += 1) crc = CRC[(crc ^ bytes[i]) & 255] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** @param {Bytes} bytes */
function adler32(bytes) {
  let [a, b] = [1, 0];
  for (let from = 0; from < bytes.length; from += 4_096) {
    for (let i = from; i < Math.min(from + 4_096, bytes.length); i += 1) b += a += bytes[i];
    [a, b] = [a % 65_521, b % 65_521];
  }
  return ((b << 16) | a) >>> 0;
}
