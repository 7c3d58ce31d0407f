// Text as people have it, in the characters that a model reads: the twin of
// model/text/characters.py, which says what each of these is for.

import { LANGUAGES } from "../kit/languagetable.js";

const INVISIBLE =
  "\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff" +
  "\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}";
const EMOJI =
  "\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf" +
  "\u2900-\u297f\u2b00-\u2bff\u3030\u303d\u3297\u3299\u{1f000}-\u{1faff}";
const MONGOLIAN = "\u1800-\u180a\u1810-\u18af";
const UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff";
const JOINED =
  "\u0620-\u109f\u1700-\u17ff\u1900-\u1cff\ua800-\uaaff\uabc0-\uabff\u{10a00}-\u{10aff}" +
  "\u{11000}-\u{11fff}\u{1e900}-\u{1e95f}";
const USED = [
  `[${EMOJI}](?:[\ufe0e\ufe0f]|[\u{e0020}-\u{e007e}]+\u{e007f})?(?:\u200d(?=[${EMOJI}]))?`,
  "[0-9#*]\ufe0f(?=\u20e3)",
  `[${UNSPACED}]\u200b(?=[${UNSPACED}])`,
  `[${JOINED}][\u200c\u200d]`,
  `[${MONGOLIAN}][\u180b-\u180f]+\u200d?`,
].join("|");
const UNSEEN = new RegExp(`(${USED})|[${INVISIBLE}]`, "gu");
const BLANK = /[\p{Cc}\u2028\u2029\u2800\u3164\uffa0\ufffc\p{Cs}]/gu;

const SHAPES =
  "\u0132\u0133\u017f\u01c4-\u01cc\u01f1-\u01f3\u2102\u210a-\u2113\u2115\u2119-\u211d\u2124" +
  "\u2128\u212c\u212d\u212f-\u2131\u2133\u2134\u2160-\u217f\u24b6-\u24c1\u24c3-\u24e9\u2e9f" +
  "\u2ef3\u2f00-\u2fd5\ufb00-\ufb06\ufb13-\ufb17\ufb1d\ufb1f-\ufb28\ufb2a-\ufb4f\ufb50-\ufbb1" +
  "\ufbd3-\ufc5d\ufc64-\ufd3d\ufd50-\ufd8f\ufd92-\ufdc7\ufdf0-\ufdfb\ufe80-\ufefc\uff10-\uff19" +
  "\uff21-\uff3a\uff41-\uff5a\uff66-\uff9f\uffa1-\uffdc\u{1d400}-\u{1d7ff}\u{1f130}-\u{1f149}";
const SHAPED = new RegExp(`[${SHAPES}]+`, "gu");
const NARROWER = "\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\ufe50-\ufe6b";

export const SPACE = "▁"; // SentencePiece's mark for a space inside a piece
const to = (/** @type {string} */ plainer, /** @type {string} */ signs) =>
  [...signs].map((sign) => /** @type {const} */ ([sign, plainer]));
const TYPOGRAPHIC = new Map([
  ...to("'", "‘’"),
  ...to('"', "“”"),
  ...to("...", "…"),
  ...to(" ", `\u00a0${SPACE}`),
]);
const HALF_PLAIN = new Map(
  Object.values(LANGUAGES).flatMap(({ quotes: [first, last] }) =>
    TYPOGRAPHIC.has(last) && !TYPOGRAPHIC.has(first) ? [[first, last]] : [],
  ),
);
const SIGNS = new Map([
  ...TYPOGRAPHIC,
  ...to("'", "‚‛‹›′`´ʼʹ"),
  ...to('"', "„‟«»″〝〞＂"),
  ...to("-", "\u2010\u2011‒–—―\u2212\u2043"),
  ...to("/", "⁄∕"),
  ...to(".", "․"),
  ...to("..", "‥"),
  ...to(" ", "\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"),
  ...to(" ", "\u202f\u205f\u3000"),
]);
const TYPED = new RegExp(`[${[...TYPOGRAPHIC.keys()].join("")}]`, "gu");
const PLAINER = new RegExp(
  `.[\u0300-\u036f]+|[${[...SIGNS.keys()].join("")}${NARROWER}${SHAPES}]`,
  "gu",
);

/** Tabs and the ends of lines and pages. */
export const LAYOUT = [..."\t\n\v\f\r\x85\u2028\u2029"];

/** Drops what nobody sees; controls become spaces, but for those of the layout that a model reads.
 * @param {string} text @param {string[]} [layout] */
export const visible = (text, layout = []) =>
  text
    .replace(UNSEEN, (_, used) => used ?? "")
    .replace(BLANK, (sign) => (layout.includes(sign) ? sign : " "));

/** Words with single spaces between them. @param {string} text */
export const spaced = (text) =>
  text
    .split(/\p{Z}+/u)
    .filter(Boolean)
    .join(" ");

/** What our models read of a text. @param {string} text */
export const normalise = (text) =>
  spaced(
    visible(text)
      .replace(SHAPED, (shapes) => shapes.normalize("NFKC"))
      .normalize("NFC")
      .replace(TYPED, (sign) => TYPOGRAPHIC.get(sign) ?? sign),
  );

/** Closes the quotation marks that `normalise` left open. @param {string} text */
export function requoted(text) {
  for (const [first, last] of HALF_PLAIN) {
    const sign = TYPOGRAPHIC.get(last);
    text = text.replace(new RegExp(`(${first}[^${first}${sign}]*)${sign}`, "g"), `$1${last}`);
  }
  return text;
}

const WITHOUT = Object.values(LANGUAGES)
  .filter(({ is_spaced: isSpaced }) => !isSpaced)
  .map(({ letters }) => letters)
  .join("");
const BESIDE = new RegExp(
  `(?<=[${WITHOUT}]) (?![${WITHOUT}])|(?<![${WITHOUT}]) (?=[${WITHOUT}])`,
  "gu",
);

/** Drops the blanks beside a script that is written without them. @param {string} text */
export const unspaced = (text) => text.replace(BESIDE, "");

/** Signs and shapes that a model has no piece for, as plain ones that it has.
 * @param {string} text @param {(sign: string) => boolean} has */
export const plain = (text, has) =>
  text.replace(PLAINER, (form) => {
    if (has(form)) return form;
    const plainer = SIGNS.get(form) ?? form.normalize([...form].length === 1 ? "NFKC" : "NFC");
    return [...plainer].every((one) => one === " " || has(one)) ? plainer : form;
  });

// Words in capitals of the Latin letters, whose small forms are as long.
const CAPITAL = "A-Z\u00c0-\u00d6\u00d8-\u00de";
const CAPITALS = new RegExp(`[${CAPITAL}]+(?:'[${CAPITAL}]+)*`, "gu");
const LOUD = new RegExp(`^(?:[${CAPITAL}]|[^\\p{L}\\p{N}_])+$`, "u");
const CODE = /[\p{Nd}_@/\\]|[\p{L}\p{N}_]\.[\p{L}\p{N}_]/u;
const LOUD_WORDS = 3;
const LONGEST_NAME = 4;

/** A text in capitals, or words in a row, as it is usually written.
 * @param {string} text @param {(piece: string) => boolean} has */
export function calm(text, has) {
  const chunks = text.split(" ");
  const words = chunks.flatMap((w, i) => (/\p{L}/u.test(w) && !CODE.test(w) ? [i] : []));
  /** @type {number[]} */
  let run = [];
  const lower = () => {
    const longer = run.filter((i) => (chunks[i].match(CAPITALS)?.[0].length ?? 0) > 1).length;
    if (longer > 0 && (run.length === words.length || (run.length >= LOUD_WORDS && longer > 1)))
      for (const i of run)
        chunks[i] = calmWord(chunks[i], has, i === 0 || /[.!?]$/.test(chunks[i - 1]));
    run = [];
  };
  for (const i of words) {
    if (LOUD.test(chunks[i])) run.push(i);
    else lower();
  }
  lower();
  return chunks.join(" ");
}

/** @param {string} chunk @param {(piece: string) => boolean} has @param {boolean} begins */
function calmWord(chunk, has, begins) {
  const first = chunk.search(CAPITALS);
  return chunk.replace(CAPITALS, (word, /** @type {number} */ at) => {
    const low = word.toLowerCase();
    const name = word[0] + low.slice(1);
    if (word === "I" || word.startsWith("I'")) return name;
    const forms = word.includes("'") ? [low] : [low, name, word].filter((one) => has(SPACE + one));
    const form = forms[0] ?? (word.length <= LONGEST_NAME ? word : low);
    return form === low && begins && at === first ? name : form;
  });
}
