// The shares of the way, prepared for the picture and the sentences. Pure functions.

/** @typedef {import("../../../assets/kit/types.js").Label} Label */
/** @typedef {import("../../../assets/kit/types.js").Gloss} Gloss */
/** @typedef {{layer: number, position: number, share: number}} Best */

/**
 * The shares of the way from the receiver's difference of logits to the giver's, by a row for each
 * layer (layer 0 is the input of layer 1) and a number for each position or head.
 * @typedef {number[][]} Shares
 */

/** A step, from 1, at which the sentences lead to different tokens.
 * @typedef {{step: number, token: Label, instead_of: Label}} Parting */

/**
 * A turn of the answer: what each transplant changes, from where the last turn ended.
 * @typedef {{changes: number[], next: number|null}} Turn
 *
 * Two sentences, and what the states of `giver` change in the run of `receiver`.
 * @typedef {Turn & Parting & {giver: Label[], receiver: Label[], read: Label[],
 *   texts: [string, string][], differences: [number, number], partings: Parting[]}} Transplants
 *   `read`: the decoder's input; `texts`: source and translation of both; `differences`: of the
 *   logits of `token` and `instead_of`, in the giver's run and the receiver's
 */

/** @typedef {ReturnType<typeof statesOf>[number]} State */
/** @typedef {ReturnType<typeof headsOf>[number]} Head */

/** The changes of all turns as shares of the way, in rows; several maps, one after another.
 * @param {Turn[]} turns @param {[number, number]} differences
 * @param {[number, number][]} sizes rows and columns of each map @returns {Shares[]} */
export function sharesOf(turns, [giver, receiver], sizes) {
  const all = turns.flatMap(({ changes }) => changes).map((one) => one / (giver - receiver));
  return sizes.map(([rows, columns]) => Array.from({ length: rows }, () => all.splice(0, columns)));
}

/** The receiver's tokens; if the giver's differs, it follows an arrow.
 * @param {Label[]} giver @param {Label[]} receiver @returns {Label[]} */
export const labelled = (giver, receiver) =>
  receiver.map((one, i) => {
    const { line, gloss, ...own } = one;
    const other = giver[i];
    if (one.id === other.id) return one;
    const text = `${line ?? one.text} ← ${other.line ?? other.text}`;
    return { ...own, text, ...(gloss && other.gloss && { gloss: both(gloss, other.gloss) }) };
  });

/** What both stand for, or nothing: one word below two tokens would be of neither.
 * @param {Gloss} own @param {Gloss} other @returns {Gloss} */
const both = ([own, share, , side], [other, otherShare]) => [
  own && other && `${own} ← ${other}`,
  Math.min(share, otherShare),
  "",
  side,
];

/**
 * The state after a layer with the largest share. @param {Shares} rows
 */
export function strongest(rows) {
  /** @type {Best} */
  let best = { layer: 1, position: 0, share: -Infinity };
  rows.forEach((shares, layer) => {
    shares.forEach((share, position) => {
      if (layer > 0 && share > best.share) best = { layer, position, share };
    });
  });
  return best;
}

/** The last layer at which the strongest state's position still has half its share.
 * @param {Shares} rows @param {Best} best */
export const lastingUntil = (rows, { position, share }) =>
  rows.findLastIndex((shares) => shares[position] >= share / 2);

/** Every state of both stacks, the strongest first.
 * @param {{encoder: Shares, decoder: Shares}} shares @param {Label[]} read by the decoder
 * @param {Label[]} columns the receiver's tokens */
export const statesOf = ({ encoder, decoder }, read, columns) =>
  [
    { stack: "encoder", rows: encoder, labels: columns },
    { stack: "decoder", rows: decoder, labels: read },
  ]
    .flatMap(({ stack, rows, labels }) =>
      rows.flatMap((shares, layer) =>
        shares.map((share, position) => ({
          stack,
          layer,
          position,
          label: labels[position],
          share,
        })),
      ),
    )
    .sort((a, b) => b.share - a.share);

/** Every head, the strongest first. @param {Record<string, Shares>} kinds */
export const headsOf = (kinds) =>
  Object.entries(kinds)
    .flatMap(([kind, layers]) =>
      layers.flatMap((shares, layer) =>
        shares.map((share, head) => ({ kind, layer, head, share })),
      ),
    )
    .sort((a, b) => b.share - a.share);
