// What cuts the text of other families: the twin of model/text/cutters.py, without the pieces with
// "@@" of Blenderbot small.

import { SPACE } from "./characters.js";
import { lettersOf, normalised, openCharsmap, replacements, textOf } from "./normaliser.js";
import { bestPaths, openPieces, unigramOf } from "./tokens.js";

/** @typedef {import("./normaliser.js").Letter} Letter */
/** The number of a piece, and the characters that it covers; of a SentencePiece model the piece.
 * @typedef {{number: number, begin: number, end: number, piece?: string}} Cut */

const FIRST = 3; // the number of byte 0 in ByT5

/** The pieces of a text, cut on its own before, between and behind those that are read where they
 * stand. @param {Map<string, number>} read @param {string} text
 * @param {(letters: Letter[]) => Cut[]} cut */
function around(read, text, cut) {
  const longest = [...read.keys()].sort((one, other) => other.length - one.length);
  const escaped = longest.map((one) => one.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const letters = lettersOf(text);
  let at = 0;
  const parts = read.size > 0 ? text.split(new RegExp(`(${escaped.join("|")})`, "u")) : [text];
  return parts.flatMap((part) => {
    const own = letters.slice(at, at + [...part].length);
    at += own.length;
    if (own.length === 0) return [];
    const number = read.get(part);
    return number === undefined
      ? cut(own)
      : [{ number, begin: own[0].begin, end: own[own.length - 1].end }];
  });
}

// ------------------------------------------------------------------- tokenizer.json

/** Whether a part of a pre-tokenizer is of a kind. @param {any} one @param {string} type
 * @returns {any} */
const partOf = (one, type) =>
  one?.type === "Sequence"
    ? (one.pretokenizers ?? one.processors)
        .map((/** @type {any} */ part) => partOf(part, type))
        .find(Boolean)
    : one?.type === type && one;

/** A tokenizer.json: the library splits words and merges, the spans are counted here. */
export class LibraryCutter {
  /** @param {typeof import("../vendor/tokenizers.js")} library @param {any} values the file */
  constructor({ Tokenizer }, values) {
    const { normalizer, pre_tokenizer: pre, post_processor: post, model } = values;
    const none = { normalizer: null, post_processor: null, decoder: null, added_tokens: [] };
    this.library = new Tokenizer({ ...values, ...none }, {});
    this.normalizer = normalizer;
    this.kind = model.type;
    this.isFused = model.type === "Unigram" || model.fuse_unk;
    this.mark = model.continuing_subword_prefix ?? "";
    this.isBytes = Boolean(partOf(pre, "ByteLevel"));
    this.dropsWhite = Boolean(partOf(pre, "WhitespaceSplit") || partOf(pre, "BertPreTokenizer"));
    this.isSplit = partOf(pre, "Metaspace")?.split ?? false;
    this.trim = [partOf(post, "RobertaProcessing"), partOf(post, "ByteLevel")].find(
      (one) => one?.trim_offsets,
    );
    /** @type {Map<string, number>} */
    this.read = new Map(
      values.added_tokens
        .filter((/** @type {any} */ { special }) => !special)
        .map((/** @type {any} */ { content, id }) => [content, id]),
    );
  }

  /** @param {string} text @returns {Cut[]} */
  cut(text) {
    return around(this.read, text, (letters) => {
      const isFirst = letters[0].begin === 0;
      const words = this.words(normalised(this.normalizer, letters), isFirst);
      return words.flatMap((word) => this.pieces(word));
    });
  }

  /** The words as the library splits them, letter by letter.
   * @param {Letter[]} letters @param {boolean} isFirst @returns {Letter[][]} */
  words(letters, isFirst) {
    if (letters.length === 0) return [];
    const section = { section_index: isFirst ? 0 : 1 };
    const found = this.library.pre_tokenizer?.(textOf(letters), section) ?? [textOf(letters)];
    const left = this.isBytes ? letters.flatMap(bytesOf) : [...letters];
    const isLonger = found.reduce((sum, one) => sum + [...one].length, 0) > left.length;
    if (this.isBytes && isLonger) left.unshift(left[0]); // a space that stands for the first letter
    const words = found.map((word) => this.placed([...word], left));
    return this.isSplit ? words.flatMap(splitAtSpaces) : words;
  }

  /** The letters of a word, taken from those that are left. @param {string[]} signs
   * @param {Letter[]} left */
  placed(signs, left) {
    const isWhite = () => left.length > 0 && /^\s$/u.test(left[0].sign);
    if (this.dropsWhite) while (isWhite()) left.shift();
    let last = left[0];
    return signs.map((sign) => {
      const [next] = left;
      const isNext = next && (this.isBytes || next.sign === sign || (sign === SPACE && isWhite()));
      if (!isNext) return { ...(next ?? last), sign };
      left.shift();
      last = next;
      return { ...next, sign };
    });
  }

  /** The pieces of a word. @param {Letter[]} word @returns {Cut[]} */
  pieces(word) {
    const { model } = this.library;
    const unknown = model.unk_token_id;
    let at = 0;
    /** @type {(Cut & {text: string})[]} */
    const found = [];
    for (const text of this.texts(textOf(word))) {
      const marked = at > 0 ? this.mark + text : text;
      const number = model.tokens_to_ids.get(this.kind === "WordPiece" ? marked : text) ?? unknown;
      const own = word.slice(at, at + [...text].length);
      at += own.length;
      if (number === undefined) continue; // it has no unknown piece, and leaves such letters out
      const [{ begin }, { end }] = [own[0], own[own.length - 1]];
      const before = found[found.length - 1];
      if (this.isFused && number === unknown && before?.number === unknown) before.end = end;
      else found.push({ number, begin, end, text });
    }
    return this.trim ? found.map((one) => trimmed(one, this.trim)) : found;
  }

  /** A word in the parts that are pieces. @param {string} word @returns {string[]} */
  texts(word) {
    const { model } = this.library;
    if (this.kind === "Unigram") return model.tokenize(word);
    if (this.kind === "BPE")
      return model.ignore_merges && model.tokens_to_ids.has(word) ? [word] : model.bpe(word);
    const found = model.encode([word]);
    if (found.length === 1 && found[0] === model.unk_token) return [word];
    return found.map((piece, i) => (i > 0 ? piece.slice(this.mark.length) : piece));
  }
}

/** @param {Letter[]} word @returns {Letter[][]} */
function splitAtSpaces(word) {
  /** @type {Letter[][]} */
  const parts = [];
  for (const letter of word) {
    if (letter.sign === SPACE || parts.length === 0) parts.push([]);
    parts[parts.length - 1].push(letter);
  }
  return parts;
}

/** @param {Letter} letter @returns {Letter[]} */
const bytesOf = ({ sign, begin, end }) =>
  Array.from(new TextEncoder().encode(sign), () => ({ sign: "", begin, end }));

/** A piece without the spaces around it, as "Ġ" writes them.
 * @param {Cut & {text: string}} cut @param {{add_prefix_space: boolean}} how @returns {Cut} */
function trimmed({ number, begin, end, text }, { add_prefix_space: hasPrefix }) {
  const [leading] = text.match(/^[Ġ\s]*/u) ?? [""];
  const [trailing] = text.match(/[Ġ\s]*$/u) ?? [""];
  const before = leading.length - Number(hasPrefix && begin === 0 && leading.length > 0);
  const from = Math.min(begin + before, end);
  return { number, begin: from, end: trailing ? Math.max(end - trailing.length, from) : end };
}

// ------------------------------------------------------------------- SentencePiece, and bytes

/** A SentencePiece model, whose pieces have a family's numbers. */
export class PieceCutter {
  /** @param {ArrayBuffer} file @param {string[]} pieces by number
   * @param {Record<string, number>} read */
  constructor(file, pieces, read) {
    const { all, trainer, normalizer } = openPieces(file);
    this.isUnigram = (trainer[3] ?? 1) === 1;
    this.map = normalizer[2]?.length ? openCharsmap(normalizer[2]) : null;
    this.hasPrefix = normalizer[3] !== 0;
    this.isSpaced = normalizer[4] !== 0;
    this.model = unigramOf(all);
    this.numbers = new Map(pieces.map((piece, id) => [piece, id]));
    this.unknown = this.numbers.get("<unk>") ?? -1;
    this.read = new Map(Object.entries(read));
  }

  /** @param {string} text @returns {Cut[]} */
  cut(text) {
    return around(this.read, text, (letters) => this.pieces(letters));
  }

  /** @param {Letter[]} letters @returns {Cut[]} */
  pieces(letters) {
    const { signs, places } = this.normalised(letters);
    const ends = this.isUnigram ? this.byPaths(signs) : this.byMerges(signs);
    /** @type {{piece: string, begin: number, end: number, isUnknown: boolean}[]} */
    const found = [];
    let from = 0;
    for (const to of ends) {
      const piece = signs.slice(from, to).join("");
      const own = { piece, begin: places[from], end: places[to] };
      const isUnknown = !this.model.normal.has(piece);
      const before = found[found.length - 1];
      if (isUnknown && before?.isUnknown)
        Object.assign(before, { end: own.end, piece: before.piece + piece });
      else found.push({ ...own, isUnknown });
      from = to;
    }
    // A vocabulary may number what the model itself does not know, as Marian's does.
    return found.map(({ piece, begin, end }) => ({
      number: this.numbers.get(piece) ?? this.unknown,
      begin,
      end,
      piece,
    }));
  }

  /** The signs that are cut, and where each begins in the text; at last where it ends: `Normalize`
   * of SentencePiece. @param {Letter[]} letters */
  normalised(letters) {
    /** @type {string[]} */
    const signs = [];
    /** @type {number[]} */
    const places = [];
    const put = (/** @type {string} */ sign, /** @type {number} */ place) => {
      signs.push(sign === " " ? SPACE : sign);
      places.push(place);
    };
    let wasSpace = this.isSpaced;
    let last = letters[letters.length - 1].end;
    for (const { text, begin } of this.replaced(letters)) {
      const own = wasSpace ? text.replace(/^ +/, "") : text;
      if (own !== "" && signs.length === 0 && this.hasPrefix) put(" ", begin);
      for (const sign of own) put(sign, begin);
      if (own !== "") wasSpace = own.endsWith(" ");
      wasSpace = wasSpace && this.isSpaced;
    }
    while (this.isSpaced && signs[signs.length - 1] === SPACE) {
      signs.pop();
      last = places.pop() ?? last;
    }
    return { signs, places: [...places, last] };
  }

  /** The text with what the model's table puts in its place, the longest first.
   * @param {Letter[]} letters */
  *replaced(letters) {
    for (let at = 0; at < letters.length; ) {
      const { begin } = letters[at];
      const bytes = new TextEncoder().encode(textOf(letters.slice(at, at + 8)));
      const found = this.map ? [...replacements(this.map, bytes)].at(-1) : undefined;
      yield { text: found?.text ?? letters[at].sign, begin };
      at += found ? [...new TextDecoder().decode(bytes.subarray(0, found.size))].length : 1;
    }
  }

  /** Where each piece ends, by the likeliest path. @param {string[]} signs */
  byPaths(signs) {
    const best = bestPaths(this.model, signs);
    const ends = [];
    for (let end = signs.length; end > 0; end = best[end].from) ends.unshift(end);
    return ends;
  }

  /** Where each piece ends: the neighbours with the best score are merged first.
   * @param {string[]} signs */
  byMerges(signs) {
    const parts = [...signs];
    const scoreOf = (/** @type {number} */ i) =>
      this.model.normal.get(parts[i] + parts[i + 1])?.score ?? -Infinity;
    const scores = parts.slice(1).map((_, i) => scoreOf(i));
    for (;;) {
      let best = -1;
      for (let i = 0; i < scores.length; i += 1)
        if (scores[i] > (scores[best] ?? -Infinity)) best = i;
      if (best < 0) break;
      parts.splice(best, 2, parts[best] + parts[best + 1]);
      scores.splice(best, 1);
      if (best > 0) scores[best - 1] = scoreOf(best - 1);
      if (best < scores.length) scores[best] = scoreOf(best);
    }
    let at = 0;
    return parts.map((part) => (at += [...part].length));
  }
}

/** ByT5: a piece is a byte, behind three special tokens; its span is that of its character. */
export class ByteCutter {
  /** @param {Record<string, number>} read */
  constructor(read) {
    this.read = new Map(Object.entries(read));
  }

  /** @param {string} text @returns {Cut[]} */
  cut(text) {
    return around(this.read, text, (letters) =>
      letters.flatMap(({ sign, begin, end }) =>
        Array.from(new TextEncoder().encode(sign), (byte) => ({
          number: FIRST + byte,
          begin,
          end,
        })),
      ),
    );
  }
}
