// SentencePiece: text to tokens and back, the twin of model/text/tokenizer.py for our own formats.
// Reads the serialised unigram models itself. Spans count characters (code points), as in Python.

import {
  calm,
  normalise,
  plain,
  requoted,
  SPACE,
  spaced,
  unspaced,
  visible,
} from "./characters.js";
import { spelled } from "./copied.js";
import { Refusal } from "./refusal.js";

/**
 * @typedef {object} Tokens
 * @property {string[]} characters of the text
 * @property {number[]} ids
 * @property {string[]} pieces
 * @property {[number, number][]} spans which characters each piece covers
 * @property {any[]} [entries] the page's own labels, where the tokens are the page's
 *
 * @typedef {object} Unigram a SentencePiece model
 * @property {string[]} pieces by their ids
 * @property {Map<string, {id: number, score: number}>} normal the pieces for cutting text
 * @property {number} longest characters of one piece
 * @property {number} unknownScore
 * @property {boolean} hasPrefix it puts a space before every text
 */

export const [PAD, START, END, UNKNOWN] = ["<pad>", "<s>", "</s>", "<unk>"];
export const BYTE = /^<0x([0-9A-F]{2})>$/;
export const BYTES = /^(<0x[0-9A-F]{2}>)+$/; // pieces of other families have several
const CODE = /^\s*>>(?:[^<>:]*:)?([^<>]+)<</; // of the target language, with which a text may begin
export const UNKNOWN_TEXT = "tokens_unknown"; // key of a refusal
const FIRST_LETTER = 4; // after the special tokens
const UNKNOWN_PENALTY = 10; // below the least likely piece
const [NORMAL, BYTE_TYPE] = [1, 6]; // of a piece, in the file

// ------------------------------------------------------------------- the model's file

/** The fields of a protobuf message: [number, value], whole numbers or bytes.
 * @param {Uint8Array} bytes */
function* fieldsOf(bytes) {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * factor;
      if (byte < 128 || byte === undefined) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const wire = tag & 7;
    if (wire === 0) {
      yield/** @type {const} */ ([tag >> 3, varint()]);
    } else {
      const size = wire === 2 ? varint() : wire === 5 ? 4 : 8;
      yield/** @type {const} */ ([tag >> 3, bytes.subarray(at, at + size)]);
      at += size;
    }
  }
}

/** The last value of each field. @param {Uint8Array} bytes @returns {Record<number, any>} */
const messageOf = (bytes) => Object.fromEntries(fieldsOf(bytes));

/** What is in the file of a SentencePiece model. @param {ArrayBuffer} file */
export function openPieces(file) {
  /** @type {{piece: string, score: number, type: number}[]} */
  const all = [];
  let [trainer, normalizer] = /** @type {Record<number, any>[]} */ ([{}, {}]);
  for (const [field, value] of fieldsOf(new Uint8Array(file))) {
    if (typeof value === "number") continue;
    if (field === 1) all.push(pieceOf(messageOf(value)));
    if (field === 2) trainer = messageOf(value);
    if (field === 3) normalizer = messageOf(value);
  }
  return { all, trainer, normalizer };
}

/** The pieces for cutting text. @param {{piece: string, score: number, type: number}[]} all */
export function unigramOf(all) {
  const known = all.map(({ piece, score, type }, id) => ({ piece, score, type, id }));
  const normal = known.filter(({ type }) => type === NORMAL);
  return {
    pieces: all.map(({ piece }) => piece),
    normal: new Map(normal.map(({ piece, score, id }) => [piece, { id, score }])),
    longest: normal.reduce((most, { piece }) => Math.max(most, [...piece].length), 1),
    unknownScore: Math.fround(
      normal.reduce((least, { score }) => Math.min(least, score), Infinity) - UNKNOWN_PENALTY,
    ),
  };
}

/**
 * A model of SentencePiece in one of our formats, from its file.
 * @param {ArrayBuffer} file
 * @returns {Unigram}
 */
export function openUnigram(file) {
  const { all, trainer, normalizer } = openPieces(file);
  if (all.length === 0 || (trainer[3] ?? 1) !== 1 || !trainer[35] || normalizer[2]?.length)
    throw new Refusal(
      "This tokenizer is no unigram model with bytes and without a normalisation of its own, the " +
        "only kind that the browser reads. Use a model of Headlight's format.",
    );
  if (all.some(({ type }) => type > 3 && type !== BYTE_TYPE))
    throw new Refusal("This tokenizer has pieces of its user's own; the browser reads none.");
  return { ...unigramOf(all), hasPrefix: normalizer[3] !== 0 };
}

function pieceOf(/** @type {Record<number, any>} */ { 1: piece, 2: score, 3: type }) {
  return {
    piece: new TextDecoder("utf-8", { ignoreBOM: true }).decode(piece),
    score: score ? new DataView(score.buffer, score.byteOffset).getFloat32(0, true) : 0,
    type: type ?? NORMAL,
  };
}

// ------------------------------------------------------------------- segmentation

/**
 * The most likely pieces of a text: Viterbi's algorithm with the arithmetic of SentencePiece
 * (`EncodeOptimized`), so that ties are resolved alike. A character without a piece becomes its
 * bytes.
 * @param {Unigram} model @param {string[]} characters
 */
function segment(model, characters) {
  const marked = characters.map((one) => (one === " " ? SPACE : one));
  const offset = model.hasPrefix && marked.length > 0 ? 1 : 0;
  if (offset) marked.unshift(SPACE);
  const best = bestPaths(model, marked);
  /** @type {{pieces: string[], spans: [number, number][]}} */
  const found = { pieces: [], spans: [] };
  for (let end = marked.length; end > 0; end = best[end].from) {
    const { from, isKnown } = best[end];
    const piece = marked.slice(from, end).join("");
    const pieces = isKnown ? [piece] : bytesOf(piece);
    /** @type {[number, number]} */
    const span = [Math.max(0, from - offset), end - offset];
    found.pieces.unshift(...pieces);
    found.spans.unshift(...pieces.map(() => span));
  }
  return found;
}

/** For each end, where the last piece of the best path begins.
 * @param {Omit<Unigram, "hasPrefix">} model @param {string[]} marked */
export function bestPaths({ normal, longest, unknownScore }, marked) {
  const best = Array.from({ length: marked.length + 1 }, () => ({
    score: 0,
    from: -1,
    isKnown: true,
  }));
  /** @type {(end: number, score: number, from: number, isKnown: boolean) => void} */
  const offer = (end, score, from, isKnown) => {
    const place = best[end];
    if (place.from >= 0 && score <= place.score) return;
    Object.assign(place, { score: Math.fround(score), from, isKnown });
  };
  for (let from = 0; from < marked.length; from += 1) {
    const before = best[from].score;
    let piece = "";
    for (let end = from + 1; end <= Math.min(marked.length, from + longest); end += 1) {
      piece += marked[end - 1];
      const entry = normal.get(piece);
      if (entry) offer(end, entry.score + before, from, true);
    }
    if (!normal.has(marked[from])) offer(from + 1, Math.fround(unknownScore + before), from, false);
  }
  return best;
}

const bytePiece = (/** @type {number} */ byte) =>
  `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`;

const bytesOf = (/** @type {string} */ text) =>
  Array.from(new TextEncoder().encode(text), bytePiece);

// ------------------------------------------------------------------- normalisation

/** The normalisation of each format; see `_NORMALISERS` of model/text/tokenizer.py.
 * @type {Record<string, (text: string) => string>} */
const NORMALISERS = {
  "headlight-1": (text) => spaced(normalise(text).replace(/(?!\u200d)\p{C}/gu, " ")),
  "headlight-2": normalise,
  "headlight-3": normalise,
};

// ------------------------------------------------------------------- the tokenizer

/** The numbered pieces of a model; the source's may be others than the target's. */
class Pieces {
  /** @param {string[]} pieces of the target @param {string[]} [source] */
  constructor(pieces, source = pieces) {
    this.pieces = pieces;
    this.sourcePieces = source;
    this.numbers = new Map(pieces.map((piece, id) => [piece, id]));
    const number = (/** @type {string} */ piece) => this.numbers.get(piece) ?? -1;
    this.pad = number(PAD);
    this.start = this.numbers.get(START) ?? this.pad; // Marian has no start piece
    this.end = number(END);
    this.unknown = number(UNKNOWN);
    this.size = pieces.length;
    const bytes = Array.from({ length: 256 }, (_, byte) => number(bytePiece(byte)));
    this.bytes = bytes.includes(-1) ? [] : bytes; // SentencePiece has all or none
  }

  /** The piece of an id; an empty string if there is none.
   * @param {number} id @param {string} [side] */
  piece(id, side = "target") {
    return (side === "source" ? this.sourcePieces : this.pieces)[id] ?? "";
  }

  /** The number of the language that a source text asks decoding for; null if there is none.
   * @param {string} _ @returns {number|null} */
  languageOf(_) {
    return null;
  }

  /** Tokens of given ids, with the text that they make. @param {number[]} ids */
  targetTokens(ids) {
    return tokensOf(ids, this.pieces, new Set([this.pad, this.start, this.end]), "each");
  }

  /** The text of target ids. @param {number[]} ids */
  decode(ids) {
    return this.targetTokens(ids).characters.join("");
  }
}

/** The tokens of a source text, with the end token. @param {Tokens} tokens @param {number} end */
function ended({ characters, ids, pieces, spans }, end) {
  const place = characters.length;
  return {
    characters,
    ids: [...ids, end],
    pieces: [...pieces, END],
    spans: /** @type {[number, number][]} */ ([...spans, [place, place]]),
  };
}

/** The tokenizer of a checkpoint in one of our formats; both sides have the same pieces. */
export class Tokenizer extends Pieces {
  /** @param {string} format @param {Unigram} source @param {Unigram} target */
  constructor(format, source, target) {
    super(target.pieces);
    if (!(format in NORMALISERS))
      throw new Refusal(`The browser reads no tokenizer of the format ${format}.`);
    this.normalised = NORMALISERS[format];
    this.source = source;
    this.target = target;
  }

  /** The encoder's input: the pieces of the text, then the end token.
   * @param {string} text @returns {Tokens} */
  encodeSource(text) {
    const calmed = calm(this.normalised(text), (piece) => this.numbers.has(piece));
    const read = this.source.hasPrefix ? calmed : unspaced(calmed);
    const tokens = this.cutAlike(this.encode(this.source, read));
    if (tokens.ids.length === 0)
      throw new Refusal(
        "There is nothing to translate: the text is empty or holds only invisible characters. " +
          "Type a sentence.",
        "empty",
      );
    return ended(tokens, this.end);
  }

  /** What is copied letter by letter is cut as a target language without spaces cuts it.
   * @param {Tokens} tokens @returns {Tokens} */
  cutAlike(tokens) {
    if (this.target.hasPrefix) return tokens;
    const { characters } = tokens;
    const [pieces, spans] = [[...tokens.pieces], [...tokens.spans]];
    const places = spelled(characters.join(""), (piece) => this.numbers.has(piece));
    for (const [begin, end] of places.reverse()) {
      const at = spans.findIndex(([first, last]) => first < end && begin < last);
      const past = spans.findLastIndex(([first, last]) => first < end && begin < last) + 1;
      const [first, last] = [spans[at][0], spans[past - 1][1]];
      const bare = characters[first] === " " ? first + 1 : first;
      const item = this.encode(this.target, characters.slice(bare, last).join(""));
      const hasMark = pieces[at].startsWith(SPACE);
      /** @type {[number, number][]} */
      const own = item.spans.map(([from, to]) => [from + bare, to + bare]);
      if (hasMark) own.unshift([first, bare]);
      pieces.splice(at, past - at, ...(hasMark ? [SPACE] : []), ...item.pieces);
      spans.splice(at, past - at, ...own);
    }
    const ids = pieces.map((piece) => this.numbers.get(piece) ?? this.unknown);
    return { characters, ids, pieces, spans };
  }

  /** A translation in the decoder's form, without start and end. @param {string} text */
  encodeTarget(text) {
    return this.encode(this.target, text);
  }

  targetTokens(/** @type {number[]} */ ids) {
    const tokens = super.targetTokens(ids);
    return { ...tokens, characters: [...requoted(tokens.characters.join(""))] };
  }

  /** @param {Unigram} model @param {string} text @returns {Tokens} */
  encode(model, text) {
    const characters = [...plain(this.normalised(text), (sign) => model.normal.has(sign))];
    const found = segment(model, characters);
    const ids = found.pieces.map((piece) => this.numbers.get(piece) ?? this.unknown);
    return { characters, ids, ...found };
  }
}

/** A model of letters, each a token: the twin of model/text/alphabet.py. */
export class Letters extends Pieces {
  /** @param {string} text @returns {Tokens} */
  encodeSource(text) {
    const tokens = this.encodeTarget(text);
    if (tokens.ids.length === 0)
      throw new Refusal("There is nothing to read: the text is empty. Type some letters.");
    return ended(tokens, this.end);
  }

  /** @param {string} text @returns {Tokens} */
  encodeTarget(text) {
    const letters = this.pieces.slice(FIRST_LETTER).join("");
    const characters = [...plain(visible(text).trim(), (sign) => letters.includes(sign))];
    const odd = characters.find((one) => !letters.includes(one));
    if (odd !== undefined)
      throw new Refusal(
        `This model reads only these characters: ${letters}. “${odd}” is not one of them.`,
        "letters",
        { letters, odd },
      );
    const ids = characters.map((one) => this.numbers.get(one) ?? this.unknown);
    return { characters, ids, pieces: characters, spans: characters.map((_, i) => [i, i + 1]) };
  }
}

/** Pieces of another family, which are joined in its style. */
export class WrittenPieces extends Pieces {
  /** @param {string[]} pieces @param {string[]|undefined} source
   * @param {{special_ids?: number[], style?: string, opened?: number[], broken?: string}} how
   * numbers that are no text; how pieces are joined; those that the next one continues; what is
   * written for bytes that form no character */
  constructor(
    pieces,
    source,
    { special_ids: ids, style = "spaces", opened = [], broken = "each" },
  ) {
    super(pieces, source);
    this.broken = broken;
    this.specials = new Set(ids ?? [this.pad, this.start, this.end]);
    this.specials.delete(this.unknown);
    this.style = style;
    /** @type {Set<number>} */
    this.opened = new Set(opened);
  }

  targetTokens(/** @type {number[]} */ ids) {
    return this.style === "words" || this.style === "open"
      ? wordsOf(ids, this)
      : tokensOf(ids, this.pieces, this.specials, this.broken);
  }
}

/** A tokenizer that is not known here: the tokens of the page's own texts are given to it. */
export class GivenTokens extends WrittenPieces {
  /** @type {Map<string, Tokens>} */
  sources = new Map();
  /** @type {Map<string, Tokens>} */
  targets = new Map();

  /** @param {string[]} pieces @param {string[]} source
   * @param {{special_ids?: number[], style?: string, opened?: number[], language?: number|null}} how
   * see `WrittenPieces`; and the language that a text takes if it names none */
  constructor(pieces, source, { language = null, ...how }) {
    super(pieces, source, how);
    this.language = language;
  }

  languageOf(/** @type {string} */ text) {
    if (this.language === null) return null;
    const code = text.match(CODE)?.[1];
    return this.numbers.get(`>>${code}<<`) ?? this.language;
  }

  /** Takes the tokens that the page shows of its text, and of a typed beginning, in place of those
   * before. @param {{text: string, shown: string, entries: any[], begin: string, ids: number[]}} of
   */
  take({ text, shown, entries, begin, ids }) {
    const [pieces, numbers] = [entries.map(({ piece }) => piece), entries.map(({ id }) => id)];
    /** @type {[number, number][]} */
    const spans = entries.map(() => [0, 0]); // the entries are shown as they came
    const tokens = { characters: [...shown], ids: numbers, pieces, spans, entries };
    this.sources = new Map([[text, tokens]]);
    this.targets = new Map([[begin, this.targetTokens(ids)]]);
  }

  encodeSource(/** @type {string} */ text) {
    return known(this.sources, text);
  }

  encodeTarget(/** @type {string} */ text) {
    return known(this.targets, text);
  }
}

function known(/** @type {Map<string, Tokens>} */ all, /** @type {string} */ text) {
  const tokens = all.get(text);
  if (tokens) return tokens;
  throw new Refusal("The browser does not know the tokens of this text.", UNKNOWN_TEXT);
}

/** Tokens of given ids whose pieces are joined to words: `target_tokens` of model/text/foreign.py.
 * @param {number[]} ids
 * @param {Pick<GivenTokens, "pieces"|"specials"|"style"|"opened">} tokenizer @returns {Tokens} */
function wordsOf(ids, { pieces, specials, style, opened }) {
  /** @type {string[]} */
  const characters = [];
  /** @type {[number, number][]} */
  const spans = [];
  let isJoined = true;
  for (const id of ids) {
    const piece = specials.has(id) ? "" : (pieces[id] ?? "");
    const starts = style === "open" || piece.startsWith(SPACE);
    const shown = piece.startsWith(SPACE) ? piece.slice(1) : piece;
    if (characters.length > 0 && shown && starts && !isJoined) characters.push(" ");
    const from = characters.length;
    characters.push(...shown);
    spans.push([from, characters.length]);
    if (shown) isJoined = opened.has(id);
  }
  return { characters, ids: [...ids], pieces: ids.map((id) => pieces[id] ?? ""), spans };
}

/** Tokens of given ids, with the text that they make: bytes are joined to characters.
 * @param {number[]} ids @param {string[]} pieces @param {Set<number>} special
 * @param {string} broken @returns {Tokens} */
function tokensOf(ids, pieces, special, broken) {
  const own = ids.map((id) => pieces[id] ?? "");
  /** @type {string[]} */
  const characters = [];
  /** @type {[number, number][]} */
  const spans = [];
  for (let i = 0; i < ids.length; ) {
    let run = i;
    while (run < ids.length && BYTES.test(own[run])) run += 1;
    if (run > i) {
      joinBytes(own.slice(i, run), characters, spans, broken);
      i = run;
      continue;
    }
    let shown = special.has(ids[i]) ? "" : own[i].replaceAll(SPACE, " ");
    if (characters.length === 0 && shown.startsWith(" ")) shown = shown.slice(1);
    const from = characters.length;
    characters.push(...shown);
    spans.push([from, characters.length]);
    i += 1;
  }
  return { characters, ids: [...ids], pieces: own, spans };
}

const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const LENIENT = new TextDecoder("utf-8", { ignoreBOM: true });

/** Decodes a run of byte pieces. What is no character is one U+FFFD for each byte, or for each part
 * of a character, or nothing: `Broken` of model/text/tokenizer.py.
 * @param {string[]} run @param {string[]} characters @param {[number, number][]} spans
 * @param {string} broken */
function joinBytes(run, characters, spans, broken) {
  const values = run.map((piece) => piece.match(/[0-9A-F]{2}(?=>)/g) ?? []);
  const raw = Uint8Array.from(values.flat(), (value) => Number.parseInt(value, 16));
  /** @type {[number, number][]} */
  const places = []; // of the character of each byte
  while (places.length < raw.length) {
    const at = places.length;
    const isPart = (/** @type {number} */ n) =>
      at + n <= raw.length && LENIENT.decode(raw.subarray(at, at + n)) === "\ufffd";
    let character = broken === "none" ? "" : "\ufffd";
    let width = broken === "each" ? 1 : ([3, 2].find(isPart) ?? 1);
    for (let n = 1; n <= Math.min(4, raw.length - at); n += 1) {
      try {
        character = STRICT.decode(raw.subarray(at, at + n));
        width = n;
        break;
      } catch {
        // not complete yet
      }
    }
    const begin = characters.length;
    if (character !== "") characters.push(character);
    places.push(...new Array(width).fill([begin, characters.length]));
  }
  let first = 0;
  for (const { length } of values) {
    spans.push([places[first][0], places[first + length - 1][1]]);
    first += length;
  }
}
