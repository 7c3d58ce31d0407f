// What a token stands for in the other language, for a reader who does not know its own: a small
// second line under it. The labels bring it (explorer/exchange/gloss.py); here it is decided
// whether it is shown, once for all views: the document says whose language it is to be in.

import { nothing, svg } from "../vendor/lit-html.js";
import { languageNamed, languageOf } from "./languages.js";

/** @typedef {{gloss?: import("./types.js").Gloss}} Told a label, of which only the gloss matters */

export const SMALL = 0.75; // em of its letters
const LOOK = "fill:var(--faint, #8a8a94);font-weight:400"; // in a file too, whatever surrounds it

/** Shows the glosses in a language; an empty text shows none. `pair`: the model's languages, "de-en".
 * @param {string} language @param {string} pair */
export function showGlosses(language, pair) {
  const [source, target] = pair.split("-");
  const { dataset } = document.documentElement;
  dataset.glosses = language;
  // What stands for a word of one side is in the language of the other.
  dataset.glossed = { [target]: "source", [source]: "target" }[language] ?? "";
}

/** The gloss of a label as it is shown: an empty text where it has none, where it is in the
 * language of another reader, and where glosses are off. @param {Told|undefined} label */
export function glossOf(label) {
  const [word = "", , , side] = label?.gloss ?? [];
  const { glosses: shown, glossed } = globalThis.document?.documentElement.dataset ?? {};
  if (side !== undefined) return side === glossed ? word : "";
  return shown === languageOf(word).code ? word : "";
}

/** Whether a word of the other language is known to stand for no single word of the reader's, as
 * 了 does. @param {Told & {text?: string}} label */
export function isWithoutGloss({ gloss, text = "" }) {
  if (gloss === undefined || gloss[0] !== "") return false;
  const { glosses: shown = "", glossed } = globalThis.document?.documentElement.dataset ?? {};
  if (gloss[3] !== undefined) return gloss[3] === glossed;
  return shown !== "" && languageOf(text).letters !== languageNamed(shown).letters;
}

/** The value of the attribute `data-gloss`, after whose element the styles write the gloss.
 * @param {Told|undefined} label */
export const glossMark = (label) => glossOf(label) || nothing;

/** In parentheses after a token that is read aloud or stands in a line of text.
 * @param {Told|undefined} label */
export const glossAside = (label) => asideOf(glossOf(label));

/** What a token stands for in parentheses, if it stands for something. @param {string} word */
export function asideOf(word) {
  if (word === "") return "";
  return languageOf(word).is_spaced ? ` (${word})` : `（${word}）`;
}

/** For a tooltip: how a token is spoken, and what it stands for. @param {Told|undefined} label */
export function glossFacts(label) {
  const [, share = 0, pinyin = ""] = label?.gloss ?? [];
  const word = glossOf(label);
  const told = word && `${word} ${Math.round(share * 100)} %`;
  return [pinyin, told].filter(Boolean).join(" · ");
}

/** em of a line of glosses. */
export const GLOSS_LINE = 1.05;

/** About how wide a gloss is, in em of the token's letters. @param {Told|undefined} label */
export const glossWidth = (label) =>
  SMALL * [...glossOf(label)].reduce((sum, one) => sum + (one > "\u2e80" ? 1 : 0.56), 0);

/** Whether a label has a gloss that fits into so many px. @param {Told} label
 * @param {number} em px @param {number} room px */
export const hasRoomForGloss = (label, em, room) =>
  glossOf(label) !== "" && glossWidth(label) * em <= room;

/** The gloss in a drawing; nothing where it has no room.
 * @param {Told} label
 * @param {{x: number, y: number, em: number, room: number, anchor?: string}} place px; the middle
 *   of the line, and what it may be wide */
export function glossText(label, { x, y, em, room, anchor = "middle" }) {
  if (!hasRoomForGloss(label, em, room)) return nothing;
  return svg`<text class="hl-gloss" x=${x} y=${y} text-anchor=${anchor}
    dominant-baseline="central" style=${`${LOOK};font-size:${SMALL * em}px`}
    >${glossOf(label)}</text>`;
}
