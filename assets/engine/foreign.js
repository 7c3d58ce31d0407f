// The tokenizers of other families, for a page without a server: the twin of model/text/foreign.py
// and cutters.py. explorer/publish.py writes what they need; engine.js loads this file, and the
// library with it, for such a model alone.

import { plain, visible } from "./characters.js";
import { lettersOf, normalised, textOf } from "./normaliser.js";
import { Refusal } from "./refusal.js";
import { UNKNOWN, WrittenPieces } from "./tokens.js";

/** @typedef {import("./normaliser.js").Letter} Letter */
/** @typedef {import("./tokens.js").Tokens} Tokens */
/** The number of a piece, and the characters that it covers.
 * @typedef {{number: number, begin: number, end: number}} Cut */
/** @typedef {{cut: (text: string) => Cut[]}} Cutter */

const SPACE = "▁";
const CODE = /^>>([^<>]+)<</;
const TARGET = /^<2[A-Za-z_]+>/;
const SOURCE_LANGUAGE = -1; // stands in a template for the number of the source's language
const SOME = 8; // language codes that a message names

/** @typedef {object} Sheet what explorer/publish.py says of a tokenizer
 * @property {string[]} pieces @property {string[]} [source_pieces] @property {number[]} special_ids
 * @property {string} style @property {number[]} opened @property {string[]} codes
 * @property {{source: string|null, target: string|null}|null} languages
 * @property {{before: number[], after: number[], numbers: Record<string, number>}} around */

/** Cuts as a family's own tokenizer does: `ForeignTokenizer` of model/text/foreign.py. */
export class ForeignTokenizer extends WrittenPieces {
  /** @param {Sheet} sheet @param {Cutter} cutter */
  constructor(sheet, cutter) {
    super(sheet.pieces, sheet.source_pieces, sheet);
    this.cutter = cutter;
    this.marked = new Set(sheet.special_ids);
    this.codes = sheet.codes;
    this.languages = sheet.languages;
    this.around = sheet.around;
  }

  /** @param {string} text @returns {Tokens} */
  encodeSource(text) {
    const characters = this.readable(text);
    const { source, begin } = this.code(characters);
    const found = this.cut(characters, begin);
    if (found.length === 0)
      throw new Refusal(
        "There is nothing to translate: the text is empty or holds only invisible characters. " +
          "Type a sentence.",
        "empty",
      );
    const language = this.around.numbers[source ?? ""] ?? this.unknown;
    const stand = (/** @type {number[]} */ ids, /** @type {number} */ at) =>
      ids.map((id) => ({ number: id === SOURCE_LANGUAGE ? language : id, begin: at, end: at }));
    return this.tokens(characters, [
      ...stand(this.around.before, begin),
      ...found,
      ...stand(this.around.after, characters.length),
    ]);
  }

  /** @param {string} text @returns {Tokens} */
  encodeTarget(text) {
    const characters = this.readable(text);
    return this.tokens(characters, this.cut(characters, 0));
  }

  /** @override @param {string} text */
  languageOf(text) {
    if (this.languages === null) return null;
    const { target } = this.code(this.readable(text));
    if (target !== null) return this.around.numbers[target];
    throw new Refusal(
      `This model translates into several languages; begin with one of ${some(this.codes)}.`,
      "no_language",
      { codes: some(this.codes), choices: this.codes },
    );
  }

  /** What is visible of a text, its signs in a form that the tokenizer knows.
   * @param {string} text */
  readable(text) {
    const seen = visible(text).trim();
    if (this.style === "bytes") return [...seen];
    const has = (/** @type {string} */ signs) =>
      this.cutter.cut(signs).every(({ number }) => number !== this.unknown);
    return [...plain(seen, has)];
  }

  /** The pieces of a text from a character on; a special token in it is text.
   * @param {string[]} characters @param {number} from @returns {Cut[]} */
  cut(characters, from) {
    return this.cutter.cut(characters.slice(from).join("")).map(({ number, begin, end }) => ({
      number: this.marked.has(number) ? this.unknown : number,
      begin: begin + from,
      end: end + from,
    }));
  }

  /** @param {string[]} characters @param {Cut[]} cuts @returns {Tokens} */
  tokens(characters, cuts) {
    return {
      characters,
      ids: cuts.map(({ number }) => number),
      pieces: cuts.map(({ number }) => this.piece(number)),
      spans: cuts.map(({ begin, end }) => [begin, end]),
    };
  }

  /** The languages of source and target, and where the text behind their code begins.
   * @param {string[]} characters */
  code(characters) {
    const text = characters.join("");
    const { source = null, target = null } = this.languages ?? {};
    const match = text.match(CODE);
    if (this.languages === null) {
      const isRead = this.codes.some((one) => TARGET.test(one));
      const other = match ?? (isRead ? text.match(TARGET) : null);
      if (other && !this.codes.includes(other[0])) this.refuse(other[0]);
      return { source: null, target: null, begin: 0 };
    }
    if (match === null) return { source, target, begin: 0 };
    const [first, second] = halves(match[1]);
    const { numbers } = this.around;
    const from = first || source;
    const isKnown = Object.hasOwn(numbers, second) && from !== null && Object.hasOwn(numbers, from);
    if (!isKnown) this.refuse(match[0]);
    const rest = text.slice(match[0].length);
    const begin = match[0].length + rest.length - rest.trimStart().length;
    return { source: from, target: second, begin: [...text.slice(0, begin)].length };
  }

  /** @param {string} code @returns {never} */
  refuse(code) {
    const asked = [...code].slice(0, 40).join("");
    if (this.codes.length === 0)
      throw new Refusal(
        `This model translates into one language only; leave ${asked} out.`,
        "one_language",
        { code: asked },
      );
    const codes = some(this.codes, asked);
    throw new Refusal(
      `This model has no target language ${asked}; begin with one of ${codes}.`,
      "language",
      { code: asked, codes, choices: this.codes },
    );
  }
}

/** "eng_Latn:fra_Latn" as both; the first is empty if there is one. @param {string} names */
function halves(names) {
  const at = names.lastIndexOf(":");
  return at < 0 ? ["", names] : [names.slice(0, at), names.slice(at + 1)];
}

/** Some of the codes, those first that begin as the one asked for, and how many there are.
 * @param {string[]} codes @param {string} [asked] */
function some(codes, asked = "") {
  const bare = (/** @type {string} */ code) => code.replace(/^[<>2]+|[<>2]+$/g, "").toLowerCase();
  const wanted = halves(bare(asked))[1].slice(0, 2);
  const alike = (/** @type {string} */ code) => Number(bare(code).startsWith(wanted));
  const sorted = codes.toSorted((one, other) => alike(other) - alike(one));
  const more = codes.length > SOME ? `, ... (${codes.length})` : "";
  return sorted.slice(0, SOME).join(", ") + more;
}

/** The tokenizer that a sheet describes. @param {any} sheet
 * @param {(name: string) => Promise<ArrayBuffer>} fetchFile */
export async function openTokenizer(sheet, fetchFile) {
  const library = await import("../vendor/tokenizers.js");
  const values = JSON.parse(new TextDecoder().decode(await fetchFile("tokenizer.json")));
  return new ForeignTokenizer(sheet, new LibraryCutter(library, values));
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
    return this.sections(lettersOf(text)).flatMap(({ number, letters }) => {
      if (number !== undefined)
        return [{ number, begin: letters[0].begin, end: letters[letters.length - 1].end }];
      const isFirst = letters[0].begin === 0;
      const words = this.words(normalised(this.normalizer, letters), isFirst);
      return words.flatMap((word) => this.pieces(word));
    });
  }

  /** The text between the added tokens that are read where they stand, and those.
   * @param {Letter[]} letters @returns {{number?: number, letters: Letter[]}[]} */
  sections(letters) {
    if (letters.length === 0) return [];
    const longest = [...this.read.keys()].sort((one, other) => other.length - one.length);
    const text = textOf(letters);
    if (!longest.some((one) => text.includes(one))) return [{ letters }];
    const escaped = longest.map((one) => one.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    let at = 0;
    return text.split(new RegExp(`(${escaped.join("|")})`, "u")).flatMap((part) => {
      const own = letters.slice(at, at + [...part].length);
      at += own.length;
      return own.length > 0 ? [{ number: this.read.get(part), letters: own }] : [];
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
