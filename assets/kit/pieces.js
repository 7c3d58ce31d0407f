// Joins the pieces of a vocabulary to a text, as in model/text/tokenizer.py.

const SPECIALS = ["<pad>", "<s>", "</s>"];
const BYTE = /^<0x([0-9A-F]{2})>$/;
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * The text that pieces make: "▁I", "▁am" -> "I am". Special tokens are dropped. Bytes join to
 * characters; each byte that is not part of a character becomes U+FFFD, as in SentencePiece.
 * @param {string[]} pieces
 */
export function textOf(pieces) {
  let text = "";
  for (let i = 0; i < pieces.length; ) {
    const bytes = bytesFrom(pieces, i);
    if (bytes.length > 0) text += decoded(bytes);
    else if (!SPECIALS.includes(pieces[i])) {
      const shown = pieces[i].replaceAll("▁", " ");
      text += text === "" ? shown.replace(/^ /, "") : shown;
    }
    i += Math.max(1, bytes.length);
  }
  return text;
}

/** The adjacent bytes from a place on. */
function bytesFrom(/** @type {string[]} */ pieces, /** @type {number} */ from) {
  const bytes = [];
  for (const piece of pieces.slice(from)) {
    const byte = BYTE.exec(piece);
    if (byte === null) break;
    bytes.push(parseInt(byte[1], 16));
  }
  return bytes;
}

function decoded(/** @type {number[]} */ bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; ) {
    const [character, width] = characterAt(bytes, i);
    text += character;
    i += width;
  }
  return text;
}

/** @param {number[]} bytes @param {number} at @returns {[string, number]} and its width */
function characterAt(bytes, at) {
  for (const width of [1, 2, 3, 4]) {
    try {
      return [UTF8.decode(Uint8Array.from(bytes.slice(at, at + width))), width];
    } catch {
      // perhaps with one byte more
    }
  }
  return ["\ufffd", 1];
}
