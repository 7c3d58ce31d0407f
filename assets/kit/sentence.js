// Sentences with tokens in them: "{row} reads {col}", where a field stands for a token's label.

import { html, nothing } from "../vendor/lit-html.js";
import { glossAside, glossMark } from "./gloss.js";
import { lineOf } from "./heatplan.js";
import { languageNamed } from "./languages.js";
import { langOf } from "./token.js";

/** A translation or a part of one: its lines break as those of the sentence around it.
 * @typedef {{text: string, kind: "phrase", gloss?: undefined}} Phrase */
/** @typedef {string|import("./types.js").Label|Phrase} Piece */

/**
 * The pieces of a sentence of the page: text, and labels in the place of its fields.
 * @param {import("./types.js").Page} page
 * @param {string} pattern
 * @param {Record<string, import("./types.js").Label|Phrase|undefined>} labels
 * @returns {Piece[]}
 */
export function piecesOf({ language }, pattern, labels) {
  const pieces = pattern.split(/(\{\w+\})/).map((piece) => labels[piece.slice(1, -1)] ?? piece);
  const { is_spaced: isSpaced, quotes } = languageNamed(language.get());
  return isSpaced ? pieces : quoted(pieces, quotes);
}

/** Where no blank parts words, one that is spoken of is between quotation marks.
 * @param {Piece[]} pieces @param {[string, string]} quotes */
const quoted = (pieces, [open, close]) =>
  pieces.map((piece, i) => {
    if (typeof piece !== "string") return piece;
    const text = typeof pieces[i - 1] === "object" ? `${close}${piece.trimStart()}` : piece;
    return typeof pieces[i + 1] === "object" ? `${text.trimEnd()}${open}` : text;
  });

/** True for a token, to which the marks around it are glued. @param {Piece|undefined} piece
 * @returns {piece is import("./types.js").Label} */
const isToken = (piece) => typeof piece === "object" && piece.kind !== "phrase";

const MARK = /^[」”）).,:;!?…，。：；！？、]+/; // what may not begin a line
const OPEN = /[「“(（]+$/; // nor end one

/** Tokens as elements, so that they stand out. @param {Piece[]} pieces */
export const shown = (pieces) =>
  pieces.map((one, i) => {
    if (typeof one === "string") {
      const text = isToken(pieces[i - 1]) ? one.replace(MARK, "") : one;
      return isToken(pieces[i + 1]) ? text.replace(OPEN, "") : text;
    }
    if (!isToken(one))
      return html`<b class="hl-phrase" lang=${langOf(one.text) || nothing}>${one.text}</b>`;
    const glued = (/** @type {RegExp} */ marks, /** @type {Piece} */ piece) =>
      (typeof piece === "string" && marks.exec(piece)?.[0]) || "";
    const [open, mark] = [glued(OPEN, pieces[i - 1]), glued(MARK, pieces[i + 1])];
    const word = html`<b class="hl-${one.kind}" data-gloss=${glossMark(one)}>${lineOf(one)}</b>`;
    return open || mark ? html`<span class="hl-glued">${open}${word}${mark}</span>` : word;
  });

const PARTED = /([<>]?[\d.,]+ %|[a-z]+(?:-[a-z]+)+)/i; // numbers and words that a line could part

/** A text whose lines break beside its numbers and its words, not within: never "85.7" here and "%"
 * there, nor "log-" and "prob". @param {string} text */
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
      return isToken(one) ? lineOf(one) + glossAside(one) : one.text;
    })
    .join("");
