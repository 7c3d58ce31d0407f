// The labels of tokens: the twin of explorer/labels.py, which has the explanations. Pure functions.

import { isAlone } from "../kit/languages.js";
import { BYTES, END, PAD, START, UNKNOWN } from "./tokens.js";

/** @typedef {import("./tokens.js").Tokens} Tokens */
/**
 * @typedef {object} Label
 * @property {string} text
 * @property {string} kind word, special, byte or space
 * @property {boolean} [joined] it follows the previous label without a space
 * @property {[number, number]|null} [part] the k-th of the n bytes of one character
 */

const [SPACE, SPACE_SIGN] = ["▁", "␣"];
const SPECIALS = new Set([PAD, START, END, UNKNOWN]);
const MODIFIER = /\p{M}|\u200d|[\u{1f3fb}-\u{1f3ff}]/u;
const ALNUM = /[\p{L}\p{N}]/u;

/** A token outside any text, in the page's form. @param {string} piece @param {number} id */
export const tokenEntry = (piece, id) => entryOf(labelOfPiece(piece), piece, id);

/** The tokens of a text in the page's form. @param {Tokens} tokens */
export const tokenEntries = (tokens) =>
  tokens.entries ??
  labelsOf(tokens).map((label, i) => entryOf(label, tokens.pieces[i], tokens.ids[i]));

/** `_label` of explorer/exchange/payload.py. @param {Label} label */
function entryOf(label, /** @type {string} */ piece, /** @type {number} */ id) {
  const { text, kind, joined, part } = label;
  const line = part ? `${text} ${part[0]}/${part[1]}` : joined ? `·${text}` : text;
  return {
    text,
    kind,
    piece,
    id,
    ...(line === text ? {} : { line }),
    ...(joined ? { joined } : {}),
    ...(part ? { part } : {}),
  };
}

/** @param {Tokens} tokens @returns {Label[]} */
function labelsOf(tokens) {
  const { pieces } = tokens;
  if (pieces.every((piece) => SPECIALS.has(piece) || [...piece].length === 1))
    return pieces.map(labelOfPiece);
  const parts = byteParts(tokens);
  return pieces.map((_, i) => {
    const part = parts.get(i);
    return part ? byteLabel(tokens, i, part) : pieceLabel(tokens, i);
  });
}

/** @param {string} piece @returns {Label} */
function labelOfPiece(piece) {
  if (BYTES.test(piece)) return { text: `0x${piece.replace(/<0x|>/g, "")}`, kind: "byte" };
  return SPECIALS.has(piece) ? { text: piece, kind: "special" } : plain(piece);
}

/** @param {Tokens} tokens @param {number} i @returns {Label} */
function pieceLabel(tokens, i) {
  const { pieces, spans, characters } = tokens;
  const [begin, end] = spans[i];
  const isWritten = begin !== end && pieces[i] !== characters.slice(begin, end).join("");
  if (SPECIALS.has(pieces[i]) && !isWritten) return { text: pieces[i], kind: "special" };
  const label = plain(pieces[i]);
  return pieces[i].startsWith(SPACE) ? label : { ...label, joined: continues(tokens, i) };
}

/** Which part of its character each byte piece is. @param {Tokens} tokens */
function byteParts({ pieces, spans }) {
  /** @type {Map<number, [number, number]>} */
  const parts = new Map();
  for (let i = 0; i < pieces.length; ) {
    let run = i;
    while (
      run < pieces.length &&
      BYTES.test(pieces[run]) &&
      spans[run].every((one, k) => one === spans[i][k])
    )
      run += 1;
    for (let j = i; j < run; j += 1) parts.set(j, [j - i + 1, run - i]);
    i = Math.max(run, i + 1);
  }
  return parts;
}

/** A byte shows its character, or its own number if there is none.
 * @param {Tokens} tokens @param {number} i @param {[number, number]} part @returns {Label} */
function byteLabel(tokens, i, part) {
  const [begin, end] = tokens.spans[i];
  const character = tokens.characters.slice(begin, end).filter(isNoSpace).join("");
  if (!character || character.includes("\ufffd")) return labelOfPiece(tokens.pieces[i]);
  return {
    text: drawable(character),
    kind: "byte",
    joined: part[0] > 1 || continues(tokens, i),
    part: part[1] > 1 ? part : null,
  };
}

/** @param {string} piece @returns {Label} */
function plain(piece) {
  const text = piece.startsWith(SPACE) ? piece.slice(1) : piece;
  if (!text) return { text: SPACE_SIGN, kind: "space" };
  return { text: drawable(text.replaceAll(SPACE, SPACE_SIGN)), kind: "word" };
}

/** The text, with every invisible character written as its code point. @param {string} text */
function drawable(text) {
  const shown = Array.from(text, (one) => (leavesAMark(one) ? one : codePoint(one))).join("");
  return /^[\p{Mn}\p{Me}]/u.test(shown) ? `◌${shown}` : shown;
}

// What Python strips from a text; `trim` would take U+FEFF too.
const SPACES = new Set([9, 10, 11, 12, 13, 28, 29, 30, 31, 133]);
const isNoSpace = (/** @type {string} */ one) =>
  !/\p{Z}/u.test(one) && !SPACES.has(one.charCodeAt(0));
const leavesAMark = (/** @type {string} */ one) => !/\p{C}|\p{Z}|[\ufe00-\ufe0f]/u.test(one);
const codePoint = (/** @type {string} */ one) =>
  `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** Whether token i continues the word of the token before it. @param {Tokens} tokens
 * @param {number} i */
function continues({ spans, characters, pieces }, i) {
  const at = spans[i][0];
  if (i === 0 || at === 0 || at >= characters.length || SPECIALS.has(pieces[i - 1])) return false;
  const [before, after] = [characters[at - 1], characters[at]];
  if (MODIFIER.test(after) || before === "\u200d") return true;
  const isWord = inWord(characters, at - 1) && inWord(characters, at);
  return isWord && !isAlone(before) && !isAlone(after);
}

/** Letters and digits, and an apostrophe or hyphen between two of them. @param {string[]} text
 * @param {number} at */
function inWord(text, at) {
  if (ALNUM.test(text[at])) return true;
  return (
    "'’-".includes(text[at]) && ALNUM.test(text[at - 1] ?? "") && ALNUM.test(text[at + 1] ?? "")
  );
}
