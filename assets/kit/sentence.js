// Sentences with tokens in them: "{row} reads {col}", where a field stands for a token's label.

import { html, nothing } from "../vendor/lit-html.js";
import { asideOf, glossOf, isWithoutGloss } from "./gloss.js";
import { lineOf } from "./heatplan.js";
import { languageNamed, languagePair } from "./languages.js";
import { langOf } from "./token.js";

/** A translation or a part of one: its lines break as those of the sentence around it.
 * @typedef {{text: string, kind: "phrase", gloss?: undefined}} Phrase
 *
 * A number of the sentence that also stands in the picture, which marks it.
 * @typedef {{text: string, kind: "marked"}} Marked
 *
 * As a token or a phrase is said: between these marks or by its name, and what it stands for.
 * @typedef {{quotes: [string, string], name: string, lang: string, said: string}} Said
 * @typedef {import("./types.js").Label & Said} Token
 * @typedef {Token|(Phrase & Said)} Told
 * @typedef {string|Told|Marked} Piece */

/** Tokens that are called by their name: nobody can say a mark aloud. @type {Record<string, string>} */
const NAMES = {
  ...{ "<s>": "start", "</s>": "end", "<pad>": "pad", "<unk>": "unknown" },
  ...{ ".": "full_stop", "。": "full_stop", ",": "comma", "，": "comma", "、": "list_comma" },
  ...{ "?": "question_mark", "？": "question_mark", "!": "exclamation_mark" },
  ...{ "！": "exclamation_mark", ":": "colon", "：": "colon", ";": "semicolon", "；": "semicolon" },
};

/** A number that the picture marks. @param {string} text @returns {Marked} */
export const marked = (text) => ({ text, kind: "marked" });

/** A text, or a part of one. @param {string} text @returns {Phrase} */
export const phrase = (text) => ({ text, kind: "phrase" });

/**
 * The pieces of a sentence of the page: text, and in the place of its fields tokens, phrases and
 * numbers.
 * @param {import("./types.js").Page} page
 * @param {string} pattern
 * @param {Record<string, import("./types.js").Label|Phrase|Marked|undefined>} labels
 * @returns {Piece[]}
 */
export function piecesOf(page, pattern, labels) {
  const { is_spaced: isSpaced } = languageNamed(page.language.get());
  const pieces = pattern
    .split(/\{(\w+)\}/) // text and names of fields by turns: " to " is no field
    .map((piece, i) => (i % 2 ? (labels[piece] ?? `{${piece}}`) : piece));
  const isWord = (/** @type {number} */ i) => typeof pieces[i] === "object" && !isMarked(pieces[i]);
  return pieces.map((piece, i) => {
    if (typeof piece === "object")
      return piece.kind === "marked" ? aloud(page, piece) : told(page, pieces, i);
    if (isSpaced) return piece;
    const text = isWord(i - 1) ? piece.trimStart() : piece; // no blank beside quotation marks
    return isWord(i + 1) ? text.trimEnd() : text;
  });
}

/** A bound in words: nobody says ">99 %". @param {import("./types.js").Page} page
 * @param {Marked} number @returns {Marked} */
function aloud({ t }, { text }) {
  const [bound, value] = [text.charAt(0), text.slice(1)];
  if (bound === "<") return marked(t("number.below", { value }));
  return marked(bound === ">" ? t("number.above", { value }) : text);
}

/** @param {any} piece @returns {piece is Marked} */
const isMarked = (piece) => typeof piece === "object" && piece.kind === "marked";

/** One token or phrase.
 * @param {import("./types.js").Page} page @param {any[]} pieces @param {number} i @returns {Told} */
function told(page, pieces, i) {
  const piece = pieces[i];
  const name = NAMES[piece.text] ? page.t(`called.${NAMES[piece.text]}`) : "";
  const isFirst = pieces.slice(0, i).every((one) => one === "");
  const lang = langOf(piece.text) || latinOf(page, piece);
  return {
    ...piece,
    quotes: languageNamed(page.language.get()).quotes,
    name: isFirst ? name.charAt(0).toUpperCase() + name.slice(1) : name,
    lang,
    said: saidOf(page, piece, pieces.slice(0, i), lang),
  };
}

/** What a word stands for; of two that stand for the same, the second one says how they differ.
 * @param {import("./types.js").Page} page @param {any} piece @param {any[]} before @param {string} lang */
function saidOf({ t }, piece, before, lang) {
  const gloss = glossOf(piece);
  if (gloss === "") return isWithoutGloss(piece) ? t("gloss.none") : "";
  const alike = before.find(
    (other) => typeof other === "object" && other.text !== piece.text && glossOf(other) === gloss,
  );
  if (alike === undefined) return gloss;
  const isForm = baseOf(alike.text, lang) === baseOf(piece.text, lang);
  return t(isForm ? "gloss.form" : "gloss.also", { gloss });
}

/** What the forms of a word share, where its language has endings that say so: jeden, jedem.
 * @param {string} text @param {string} lang */
function baseOf(text, lang) {
  const word = text.toLowerCase();
  const { ending } = languageNamed(lang.split("-")[0]);
  return ending ? word.replace(new RegExp(ending, "u"), "") : word;
}

/** The language of a pair that has Latin letters; where both have, that of the piece's side: of a
 * word of the source, of one whose meaning says so, else of the translation.
 * @param {import("./types.js").Page} page
 * @param {Phrase|import("./types.js").Label} piece */
function latinOf(page, piece) {
  const isLatin = (/** @type {string} */ code) =>
    languageNamed(code).letters === languageNamed("").letters;
  const codes = languagePair(page).split("-").filter(isLatin);
  if (codes.length < 2) return codes[0] ?? "";
  const { src = [] } = page.record.get() ?? {};
  const side = piece.gloss?.[3] ?? (src.some((one) => isSame(one, piece)) ? "source" : "target");
  return codes[side === "source" ? 0 : 1];
}

/** @param {any} one @param {any} other */
const isSame = (one, other) => one.id === other.id && one.text === other.text;

/** True for a token, to which the marks around it are glued. @param {Piece|undefined} piece
 * @returns {piece is Token} */
const isToken = (piece) => typeof piece === "object" && !["phrase", "marked"].includes(piece.kind);

const MARK = /^[」”）).,:;!?…，。：；！？、]+/; // what may not begin a line
const OPEN = /[「“(（]+$/; // nor end one

/** Tokens as elements, so that they stand out. @param {Piece[]} pieces */
export const shown = (pieces) =>
  pieces.map((one, i) => {
    if (typeof one === "string") {
      const text = isToken(pieces[i - 1]) ? one.replace(MARK, "") : one;
      return isToken(pieces[i + 1]) ? text.replace(OPEN, "") : text;
    }
    if (one.kind === "marked") return html`<span class="hl-glued" data-marked>${one.text}</span>`;
    if (!isToken(one)) return quoted(one, one.text);
    const glued = (/** @type {RegExp} */ marks, /** @type {Piece} */ piece) =>
      (typeof piece === "string" && marks.exec(piece)?.[0]) || "";
    const [open, mark] = [glued(OPEN, pieces[i - 1]), glued(MARK, pieces[i + 1])];
    return html`<span class="hl-glued">${open}${word(one)}${mark}</span>`;
  });

/** A token: by its name, as the special one that it is, or between quotation marks.
 * @param {Token} one */
function word(one) {
  if (one.name || one.kind === "special")
    return html`<b class="hl-special" data-token=${lineOf(one)}>${one.name || lineOf(one)}</b>`;
  return html`<span data-gloss=${one.said || nothing}>${quoted(one, lineOf(one))}</span>`;
}

/** @param {Told} one @param {string} text */
const quoted = ({ quotes: [open, close], kind, lang }, text) =>
  html`${open}<q class="hl-${kind}" lang=${lang || nothing}>${text}</q>${close}`;

// Numbers and words that a line could part.
const PARTED =
  /([<>]?[\d.,]+ %|(?:layer|head|step|position|temperature) \d[\d.·]*(?<![.])|[a-z]+(?:-[a-z]+)+)/i;

/** A text whose lines break beside its numbers and its words, not within: never "85.7" here and "%"
 * there, nor "layer" and "3", nor "log-" and "prob". @param {string} text */
export const unbroken = (text) =>
  text
    .split(PARTED)
    .map((piece, i) => (i % 2 ? html`<span class="hl-glued">${piece}</span>` : piece));

/** Sentences after one another, with a blank between them where the language has blanks.
 * @param {import("./types.js").Page} page @param {string[]} sentences */
export const joined = ({ language }, ...sentences) =>
  sentences.join(languageNamed(language.get()).is_spaced ? " " : "");

/** As one text, to be read aloud. @param {Piece[]} pieces */
export const spoken = (pieces) =>
  pieces
    .map((one) => {
      if (typeof one === "string") return one;
      if (one.kind === "marked") return one.text;
      const [open, close] = one.quotes;
      return (
        one.name || `${open}${isToken(one) ? lineOf(one) : one.text}${close}${asideOf(one.said)}`
      );
    })
    .join("");
