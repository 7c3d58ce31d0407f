// The tokenizers of other families, for a page without a server: the twin of model/text/foreign.py.
// explorer/publish.py writes what they need; answering.js loads this file for such a model alone.

import { LAYOUT, plain, SPACE, visible } from "./characters.js";
import { ByteCutter, LibraryCutter, PieceCutter } from "./cutters.js";
import { Refusal } from "./refusal.js";
import { WrittenPieces } from "./tokens.js";

/** @typedef {import("./tokens.js").Tokens} Tokens */
/** @typedef {import("./cutters.js").Cut} Cut */
/** @typedef {{cut: (text: string) => Cut[]}} Cutter */

const CODE = /^>>([^<>]+)<</;
const TARGET = /^<2[A-Za-z_]+>/;
// They stand in a template for the numbers of the languages.
const [SOURCE_LANGUAGE, TARGET_LANGUAGE] = [-1, -2];
const SOME = 8; // language codes that a message names

/** @typedef {object} Sheet what explorer/publish.py says of a tokenizer
 * @property {string[]} pieces @property {string[]} [source_pieces] @property {number[]} special_ids
 * @property {string} style @property {number[]} opened @property {string[]} codes
 * @property {{source: string|null, target: string|null}|null} languages
 * @property {number|null} [language] the number of the usual target; null: the files force none, or
 *   another token; undefined: every text names one
 * @property {{before: number[], after: number[], numbers: Record<string, number>,
 *   read: Record<string, number>}} around what stands around a text, the languages, and the pieces
 *   that are read where they stand */

/** Cuts as a family's own tokenizer does: `ForeignTokenizer` of model/text/foreign.py. */
export class ForeignTokenizer extends WrittenPieces {
  /** @param {Sheet} sheet @param {Cutter} cutter */
  constructor(sheet, cutter) {
    super(sheet.pieces, sheet.source_pieces, sheet);
    this.sheet = sheet;
    this.cutter = cutter;
    const read = new Set(Object.values(sheet.around.read));
    this.marked = new Set(sheet.special_ids.filter((number) => !read.has(number)));
    /** @type {string[]|undefined} the tabs and line ends that the vocabulary has */
    this.layout = undefined;
    this.codes = sheet.codes;
    this.languages = sheet.languages;
    this.around = sheet.around;
  }

  /** @param {string} text @returns {Tokens} */
  encodeSource(text) {
    const characters = this.readable(text);
    const { source, target, begin } = this.code(characters);
    const found = this.cut(characters, begin);
    if (found.length === 0 || characters.join("").trim() === "")
      throw new Refusal(
        "There is nothing to translate: the text is empty or holds only invisible characters. " +
          "Type a sentence.",
        "empty",
      );
    const numberOf = (/** @type {string|null} */ code) =>
      this.around.numbers[code ?? ""] ?? this.unknown;
    const languages = new Map([
      [SOURCE_LANGUAGE, numberOf(source)],
      [TARGET_LANGUAGE, numberOf(target)],
    ]);
    const stand = (/** @type {number[]} */ ids, /** @type {number} */ at) =>
      ids.map((id) => ({ number: languages.get(id) ?? id, begin: at, end: at }));
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
    if (this.sheet.language === null) return null; // the files force another token
    throw new Refusal(
      `This model translates into several languages; begin with one of ${some(this.codes)}.`,
      "no_language",
      { codes: some(this.codes), choices: this.codes },
    );
  }

  /** What is visible of a text, its signs in a form that the tokenizer knows.
   * @param {string} text */
  readable(text) {
    const has = (/** @type {string} */ signs) =>
      this.cutter.cut(signs).every((cut) => this.isKnown(cut));
    this.layout ??= LAYOUT.filter(has);
    const seen = visible(text, this.layout);
    return [...(this.style === "bytes" ? seen : plain(seen.trim(), has))];
  }

  /** @param {Cut} cut */
  isKnown({ number }) {
    return number !== this.unknown;
  }

  /** The pieces of a text from a character on; a special token in it is text.
   * @param {string[]} characters @param {number} from @returns {Cut[]} */
  cut(characters, from) {
    return this.cutter
      .cut(characters.slice(from).join(""))
      .map(({ number, begin, end, piece }) => ({
        number: this.marked.has(number) ? this.unknown : number,
        begin: begin + from,
        end: end + from,
        piece,
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
    const isKnown = Object.hasOwn(numbers, second) && (!from || Object.hasOwn(numbers, from));
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

/** A Marian: a vocabulary numbers what two SentencePiece models cut, and a language's code at the
 * beginning of a source is a piece. `Tokenizer` of model/text/tokenizer.py with the form "marian". */
export class MarianTokenizer extends ForeignTokenizer {
  /** @param {Sheet} sheet @param {Cutter} cutter of the source
   * @param {Cutter} [target] it has a vocabulary of its own, or the source's */
  constructor(sheet, cutter, target) {
    super(sheet, cutter);
    this.layout = /** @type {string[]} */ ([]); // SentencePiece reads them as spaces
    const codes = new Set(sheet.codes);
    const numbered = [...this.sourcePieces.entries()].filter(([, piece]) => codes.has(piece));
    this.coded = new Map(numbered.map(([number, piece]) => [piece, number]));
    this.other = target && new MarianTokenizer({ ...sheet, source_pieces: undefined }, target);
  }

  /** @override @param {string[]} characters @param {number} from @returns {Cut[]} */
  cut(characters, from) {
    const code = characters.join("").match(CODE)?.[0] ?? "";
    const number = this.coded.get(code);
    if (number === undefined) return super.cut(characters, from);
    const end = [...code].length;
    return [{ number, begin: 0, end, piece: code }, ...super.cut(characters, end)];
  }

  /** The pieces as they were cut, also those without a number.
   * @override @param {string[]} characters @param {Cut[]} cuts @returns {Tokens} */
  tokens(characters, cuts) {
    const tokens = super.tokens(characters, cuts);
    return { ...tokens, pieces: cuts.map(({ piece }, i) => piece ?? tokens.pieces[i]) };
  }

  /** @override @param {string} text @returns {Tokens} */
  encodeTarget(text) {
    return this.other ? this.other.encodeTarget(text) : super.encodeTarget(text);
  }

  /** @override @param {Cut} cut */
  isKnown(cut) {
    return cut.piece === SPACE || super.isKnown(cut);
  }
}

/** The tokenizer that a sheet describes. @param {any} sheet
 * @param {(name: string) => Promise<ArrayBuffer>} fetchFile */
export async function openTokenizer(sheet, fetchFile) {
  const [pieces, source] = [sheet.pieces, sheet.source_pieces ?? sheet.pieces];
  const { read } = sheet.around;
  if (sheet.cutter === "library") {
    const library = await import("../vendor/tokenizers.js");
    const values = JSON.parse(new TextDecoder().decode(await fetchFile("tokenizer.json")));
    return new ForeignTokenizer(sheet, new LibraryCutter(library, values));
  }
  if (sheet.cutter === "bytes") return new ForeignTokenizer(sheet, new ByteCutter(read));
  if (sheet.cutter === "pieces")
    return new ForeignTokenizer(
      sheet,
      new PieceCutter(await fetchFile("pieces.model"), pieces, read),
    );
  const [one, other] = [await fetchFile("source.spm"), await fetchFile("target.spm")];
  return new MarianTokenizer(
    sheet,
    new PieceCutter(one, source, read),
    new PieceCutter(other, pieces, read),
  );
}
