// The shares of the way, prepared for the picture and the sentences. Pure functions.

/** @typedef {import("../../../assets/kit/types.js").Label} Label */
/** @typedef {import("../../../assets/kit/types.js").Gloss} Gloss */
/** @typedef {{layer: number, position: number, share: number}} Best */

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
 * The state after a layer with the largest share. @param {number[][]} rows layer 0: the embedding
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
 * @param {number[][]} rows @param {Best} best */
export const lastingUntil = (rows, { position, share }) =>
  rows.findLastIndex((shares) => shares[position] >= share / 2);

/** Every state of both stacks, the strongest first. */
export const statesOf = (
  /** @type {any} */ { encoder, decoder, read },
  /** @type {Label[]} */ columns,
) =>
  [
    ["encoder", encoder, columns],
    ["decoder", decoder, read],
  ]
    .flatMap(([stack, rows, labels]) =>
      rows.flatMap((/** @type {number[]} */ shares, /** @type {number} */ layer) =>
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

/** Every head, the strongest first. @param {Record<string, number[][]>} kinds */
export const headsOf = (kinds) =>
  Object.entries(kinds)
    .flatMap(([kind, layers]) =>
      layers.flatMap((shares, layer) =>
        shares.map((share, head) => ({ kind, layer, head, share })),
      ),
    )
    .sort((a, b) => b.share - a.share);
