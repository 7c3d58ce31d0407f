// The identities of tokens and texts: ids, pieces, their labels, and whole texts. Pure functions;
// each returns a Result.

import { isByte, textOf } from "../../../assets/kit/pieces.js";
import { mistakes, result, worst } from "./result.js";
import { pathTo } from "./search.js";

/** @typedef {import("../../../assets/kit/types.js").Label} Label */
/** @typedef {Map<number, {label: Label, row: Float32Array, output?: Float32Array, bias: number}>}
 *   Words by id: the row of the embedding, and that of the output matrix
 * @typedef {{source: Words, target: Words}} Sides */

// Some tokenizers read ligatures and full-width letters as plain ones; that is not a different
// text.
const plain = (/** @type {string} */ text) => text.normalize("NFKC").replace(/\s+/g, " ").trim();
const makes = (/** @type {string[]} */ pieces, /** @type {string} */ text) =>
  plain(textOf(pieces)) === plain(text);
const piecesOf = (/** @type {Label[]} */ labels) => labels.map(({ piece }) => piece);

/** The pieces of each side, joined, give its text. */
export function piecesMakeTexts({ src, tgt_out: written, text, translation }) {
  const isUnknown = src.some(({ piece }) => piece === "<unk>");
  const off = (labels, whole) => (makes(piecesOf(labels), whole) ? 0 : 1);
  return worst([
    result(off(src, text), 0, src.length, isUnknown ? "unknown" : null),
    result(off(written, translation), 0, written.length),
  ]);
}

const FIELDS = ["id", "piece", "text", "kind", "line", "joined", "part"];
const isSame = (/** @type {any} */ a, /** @type {any} */ b) =>
  FIELDS.every((name) => JSON.stringify(a[name]) === JSON.stringify(b[name]));

/** Every id has the vocabulary's piece and that piece's label. The input after the start token is
 * compared with the output: see `readIsStartAndWritten`.
 * @param {any} record @param {Sides} sides */
export function labelsAreTheVocabulary({ src, tgt_in, tgt_out, steps, search }, sides) {
  const lone = [
    ...Object.entries(search.labels).map(([id, one]) => ({ ...one, isKey: Number(id) === one.id })),
    ...steps.flatMap(({ top }) => top.map((one) => ({ ...one, isKey: true }))),
  ];
  /** @returns {any} */
  const known = (one, words = sides.target) => words.get(one.id)?.label;
  const says = (labels, words) =>
    labels.map((one, /** @type {number} */ i) => saysItsPiece(labels, i, known(one, words)));
  return mistakes([
    ...lone.map((one) => one.isKey && known(one) !== undefined && isSame(one, known(one))),
    ...search.steps.flatMap(({ ids }) => Array.from(ids, (id) => String(id) in search.labels)),
    ...says(src, sides.source),
    ...[tgt_in.slice(0, 1), tgt_out].flatMap((labels) => says(labels, sides.target)),
  ]);
}

/** True if a token in a text shows its piece; `alone` is the label that it has by itself.
 * @param {Label[]} labels @param {number} i @param {Label|undefined} alone */
function saysItsPiece(labels, i, alone) {
  if (alone === undefined) return false;
  const { piece, text, kind, joined = false, part, line = text } = labels[i];
  const [k, n] = part ?? [1, 1];
  const texts = isByte(piece)
    ? [alone.text, ...charactersOf(labels.slice(i - k + 1, i - k + 1 + n))]
    : [];
  const wanted = part ? `${text} ${k}/${n}` : joined ? `·${text}` : text;
  return (
    piece === alone.piece &&
    (isByte(piece) ? texts.includes(text) : text === alone.text) &&
    (kind === alone.kind || (alone.kind === "special" && kind === "word")) &&
    (k === 1 || joined) &&
    line === wanted
  );
}

/** The possible labels of a character made of byte pieces. @param {Label[]} bytes */
function charactersOf(bytes) {
  const character = textOf(piecesOf(bytes)).trim();
  const code = [...character].map(
    (one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`,
  );
  return [character, `◌${character}`, code.join("")];
}

/** The decoder reads the start token and then its own output, with the same labels.
 * @param {any} record @param {{start: number}} rules */
export const readIsStartAndWritten = ({ tgt_in: read, tgt_out: written }, { start }) =>
  mistakes([
    read.length === written.length,
    ...read.map((one, i) => {
      if (i === 0) return one.id === start;
      return written[i - 1] !== undefined && isSame(one, written[i - 1]);
    }),
  ]);

/** Every hypothesis's text, end and length match its path; the traced one is the one shown.
 * @param {any} record @param {Words} words @param {{end: number}} rules */
export function hypothesesAreTheirPaths(record, words, { end }) {
  const { hypotheses, search, shown, node, path, tgt_out: written, translation } = record;
  const { steps } = search;
  const idsOf = (way) => way.map((candidate, t) => steps[t]?.ids[candidate]);
  const wanted = node === null ? hypotheses[shown]?.path : pathTo(steps, node[0], node[1]);
  const ids = idsOf(path);
  const isUnknown = (way) => idsOf(way).some((id) => words.get(id)?.label.piece === "<unk>");
  return worst([
    ...hypotheses.map((one, i) => {
      const { path: way, text, finished, length, score } = one;
      const pieces = idsOf(way).map((id) => words.get(id)?.label.piece ?? "");
      const last = way.length - 1;
      const truths = [
        makes(pieces, text),
        finished === (idsOf(way).at(-1) === end),
        length === way.length,
        way.join() === pathTo(steps, last, way[last]).join(),
        i === 0 || score <= hypotheses[i - 1].score,
      ];
      return mistakes(truths, isUnknown(way) ? "unknown" : null);
    }),
    mistakes([
      wanted !== undefined && wanted.join() === path.join(),
      ids.join() === written.map(({ id }) => id).join(),
      node !== null || translation === hypotheses[shown]?.text,
    ]),
  ]);
}
