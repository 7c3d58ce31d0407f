// A text of the visitor's own, token by token, and the numbers of the seed that it took. Pure functions.
//
//   {base, added, taken}   base: the tokens that it began with, [{id, log_prob, label}]
//                          added: the same with {drawn, from}
//                          taken: how many numbers of the seed have been used since its start
//                          drawn: {index, settings}: which number drew the token, under what; or null
//                          from: how many numbers had been used when the token before it was there

export const begin = (base) => ({ base, added: [], taken: 0 });

export const tokensOf = ({ base, added }) => [...base, ...added];

// The text after one more draw: the next number of the seed is used.
export const take = (walk) => ({ ...walk, taken: walk.taken + 1 });

// With one more token. `from` of the next one is what is taken now.
export function add(walk, token) {
  const from = walk.from ?? 0;
  return { ...walk, added: [...walk.added, { ...token, from }], from: walk.taken };
}

// Without its last added token; the seed stands where it stood before that one was drawn.
export function back(walk) {
  if (walk.added.length === 0) return { ...walk, taken: 0 };
  const { from } = walk.added.at(-1);
  return { ...walk, added: walk.added.slice(0, -1), taken: from, from };
}

export const sumOf = (tokens) => tokens.reduce((sum, { log_prob: logProb }) => sum + logProb, 0);

// Whether sampling itself would have written just these tokens after the base: each drawn with its own
// number, the first with the first, all under the settings given.
export const isSeeded = ({ added }, settings) => added.length > 0 && added.every(({ drawn }, i) =>
  drawn !== null && drawn.index === i && sameSettings(drawn.settings, settings));

export const sameSettings = (a, b) =>
  ["temperature", "top_k", "top_p", "seed"].every((name) => a[name] === b[name]);
