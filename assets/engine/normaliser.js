// What a tokenizer makes of a text before it cuts, letter by letter: the normalisers of a
// tokenizer.json and of a SentencePiece model. Each letter knows which characters of the text it
// stands for, which the library in assets/vendor/ does not tell. Where those are, is what
// `tokenizers` and SentencePiece answer in Python (tests/parity/test_published.py).

/**
 * @typedef {object} Letter
 * @property {string} sign @property {number} begin @property {number} end in the text's characters
 */

/** The characters of a text, each standing for itself. @param {string} text @returns {Letter[]} */
export const lettersOf = (text) => Array.from(text, (sign, i) => ({ sign, begin: i, end: i + 1 }));

/** @param {Letter[]} letters */
export const textOf = (letters) => letters.map(({ sign }) => sign).join("");

/** What is written for some letters: the k-th character stands for the k-th of them, what is more
 * than them for the last one. @param {string} text @param {Letter[]} own @returns {Letter[]} */
const written = (text, own) =>
  Array.from(text, (sign, i) => ({ ...own[Math.min(i, own.length - 1)], sign }));

/** Each part of the letters that a pattern finds, written anew; the pattern finds all of them.
 * @param {Letter[]} letters @param {Iterable<string>} parts
 * @param {(part: string) => string} write */
function rewritten(letters, parts, write) {
  let at = 0;
  return Array.from(parts).flatMap((part) => {
    const own = letters.slice(at, at + [...part].length);
    at += own.length;
    return written(write(part), own);
  });
}

// A character with the marks behind it, and a Hangul syllable in parts.
const COMPOSED = /.[\p{M}\u1160-\u11ff]*/gsu;
const PARTED = // what BERT puts spaces around
  /[\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff\u{20000}-\u{2a6df}\u{2a700}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/u;
const DROPPED = /[\0\ufffd\p{Cc}\p{Cf}\p{Co}\p{Cs}]/u;
const WHITE = /\s/u;

/** @param {any} form @param {Letter[]} letters */
function byBert({ clean_text: cleans, handle_chinese_chars: parts, ...form }, letters) {
  const strips = form.strip_accents ?? form.lowercase;
  return letters.flatMap((letter) => {
    let text = letter.sign;
    if (cleans && WHITE.test(text)) text = " ";
    else if (cleans && DROPPED.test(text)) return [];
    if (parts && PARTED.test(text)) text = ` ${text} `;
    if (strips) text = text.normalize("NFD").replace(/\p{Mn}/gu, "");
    return written(form.lowercase ? text.toLowerCase() : text, [letter]);
  });
}

/** @param {any} form @param {Letter[]} letters @returns {Letter[]} */
function replaced({ pattern: { String: text, Regex: pattern }, content }, letters) {
  const own = pattern ?? text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const [all, whole] = [textOf(letters), new RegExp(`^(?:${own})$`, "u")];
  let at = 0;
  return Array.from(all.matchAll(new RegExp(`${own}|.`, "gsu")), ([part]) => part).flatMap(
    (part) => {
      const of = letters.slice(at, at + [...part].length);
      at += of.length;
      return whole.test(part) ? written(content, of.slice(-1)) : of;
    },
  );
}

/** @param {any} form @param {Letter[]} letters */
function stripped({ strip_left: left, strip_right: right }, letters) {
  const isWhite = (/** @type {Letter} */ { sign }) => WHITE.test(sign);
  const first = left ? letters.findIndex((one) => !isWhite(one)) : 0;
  const last = right ? letters.findLastIndex((one) => !isWhite(one)) : letters.length - 1;
  return first < 0 ? [] : letters.slice(first, last + 1);
}

/** @param {string} form */
const composed = (form) => (/** @type {unknown} */ _, /** @type {Letter[]} */ letters) =>
  rewritten(letters, textOf(letters).match(COMPOSED) ?? [], (part) => part.normalize(form));

/** The normalisers of a tokenizer.json that the engine has; `NORMALISERS` of model/text/cutters.py
 * lists them too. @type {Record<string, (form: any, letters: Letter[]) => Letter[]>} */
const NORMALISERS = {
  BertNormalizer: byBert,
  Lowercase: (_, letters) => letters.flatMap((one) => written(one.sign.toLowerCase(), [one])),
  NFC: composed("NFC"),
  NFD: composed("NFD"),
  NFKC: composed("NFKC"),
  NFKD: composed("NFKD"),
  Precompiled: ({ precompiled_charsmap: map }, letters) => mapped(charsmapOf(map), letters),
  Replace: replaced,
  Sequence: ({ normalizers }, letters) =>
    normalizers.reduce(
      (/** @type {Letter[]} */ so, /** @type {any} */ one) => normalised(one, so),
      letters,
    ),
  Strip: stripped,
};

/** The letters as a normaliser of a tokenizer.json leaves them. @param {any} form
 * @param {Letter[]} letters @returns {Letter[]} */
export const normalised = (form, letters) =>
  form === null ? letters : NORMALISERS[form.type](form, letters);

// ------------------------------------------------------------------- SentencePiece's table

/**
 * A table of replacements: a trie in an array, and the texts at its leaves.
 * @typedef {{trie: Uint32Array, texts: Uint8Array}} Charsmap
 */

/** The first bytes say how long the trie is. @param {Uint8Array} bytes @returns {Charsmap} */
export function openCharsmap(bytes) {
  const whole = bytes.slice();
  const size = new DataView(whole.buffer).getUint32(0, true);
  return {
    trie: new Uint32Array(whole.slice(4, 4 + size).buffer),
    texts: whole.subarray(4 + size),
  };
}

/** @type {Map<string, Charsmap>} */
const opened = new Map(); // a tokenizer has one

/** @param {string} text in base64 */
function charsmapOf(text) {
  const found =
    opened.get(text) ?? openCharsmap(Uint8Array.from(atob(text), (one) => one.charCodeAt(0)));
  opened.clear();
  opened.set(text, found);
  return found;
}

/** The replacements of the beginnings of a text, the shortest first: how many bytes, and the text.
 * @param {Charsmap} map @param {Uint8Array} bytes
 * @returns {Generator<{size: number, text: string}>} */
export function* replacements({ trie, texts }, bytes) {
  const offset = (/** @type {number} */ unit) => (unit >>> 10) << ((unit & 512) >>> 6);
  let place = offset(trie[0]);
  for (const [i, byte] of bytes.entries()) {
    place ^= byte;
    const unit = trie[place];
    if (byte === 0 || (unit & 0x800000ff) !== byte) return;
    place ^= offset(unit);
    if (((unit >>> 8) & 1) === 0) continue;
    const begin = trie[place] & 0x7fffffff;
    const end = texts.indexOf(0, begin);
    yield { size: i + 1, text: new TextDecoder().decode(texts.subarray(begin, end)) };
  }
}

const SMALL = 6; // bytes of what is looked up as a whole
const bytesOf = (/** @type {string} */ text) => new TextEncoder().encode(text);

/** As `tokenizers` does it: letters that are seen as one are looked up together, then alone; what
 * is found for the first of their bytes stands for all. @param {Charsmap} map
 * @param {Letter[]} letters */
function mapped(map, letters) {
  const found = (/** @type {string} */ part) => replacements(map, bytesOf(part)).next().value?.text;
  const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });
  const parts = Array.from(segmenter.segment(textOf(letters)), ({ segment }) => segment);
  const alone = parts.flatMap((part) => {
    const isWhole = bytesOf(part).length < SMALL && found(part) !== undefined;
    return isWhole ? [part] : [...part];
  });
  return rewritten(letters, alone, (part) => found(part) ?? part);
}
