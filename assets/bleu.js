// BLEU of one candidate, with every count that makes it. Equal to sacrebleu; tests compare the two.
// Source: Papineni et al. 2002; the tokenisers are sacrebleu's "13a" and "zh". Pure functions.

export const ORDERS = [1, 2, 3, 4];

// White space as Python's str.split() has it: JavaScript's own differs in a few characters.
const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const SPACES = new RegExp(`[${SPACE}]+`, "u");
const AT_THE_START = new RegExp(`^[${SPACE}]+`, "u");
const AT_THE_END = new RegExp(`[${SPACE}]+$`, "u");

const words = (line) => line.split(SPACES).filter((word) => word !== "");

// What both tokenisers do last: punctuation apart, but the points and commas within numbers.
const apart = (line) => words(line
  .replace(/([{-~[-` -&(-+:-@/])/gu, " $1 ")
  .replace(/([^0-9])([.,])/gu, "$1 $2 ")
  .replace(/([.,])([^0-9])/gu, " $1 $2")
  .replace(/([0-9])(-)/gu, "$1 $2 "));

const ENTITIES = [["&quot;", '"'], ["&amp;", "&"], ["&lt;", "<"], ["&gt;", ">"]];

function western(text) {
  let line = text.replaceAll("<skipped>", "").replaceAll("-\n", "").replaceAll("\n", " ");
  for (const [entity, sign] of ENTITIES) line = line.replaceAll(entity, sign);
  return apart(` ${line} `);
}

// The characters that "zh" sets apart. Its table has two slips, which count as it stands: what was
// meant as U+20000 to U+2A6D6 is U+2001 to U+2A6D, with the dashes and quotes of every language.
const CHINESE = [
  [0x3400, 0x4db5], [0x4e00, 0x9fa5], [0x9fa6, 0x9fbb], [0xf900, 0xfa2d], [0xfa30, 0xfa6a],
  [0xfa70, 0xfad9], [0x2001, 0x2a6d], [0x2f81, 0x2fa1], [0xff00, 0xffef], [0x2e80, 0x2eff],
  [0x3000, 0x303f], [0x31c0, 0x31ef], [0x2f00, 0x2fdf], [0x2ff0, 0x2fff], [0x3100, 0x312f],
  [0x31a0, 0x31bf], [0xfe10, 0xfe1f], [0xfe30, 0xfe4f], [0x2600, 0x26ff], [0x2700, 0x27bf],
  [0x3200, 0x32ff], [0x3300, 0x33ff],
];

function chinese(text) {
  const line = Array.from(text.replace(AT_THE_START, ""), (letter) => {
    const code = letter.codePointAt(0);
    return CHINESE.some(([from, to]) => code >= from && code <= to) ? ` ${letter} ` : letter;
  });
  return apart(line.join(""));
}

export const TOKENISERS = { "13a": western, zh: chinese };

export const tokenise = (text, tokeniser) => TOKENISERS[tokeniser](text.replace(AT_THE_END, ""));

// The tokeniser that suits the texts: "zh" as soon as one of them has a Chinese character.
export const suited = (texts) => (texts.some((text) => /\p{Script=Han}/u.test(text)) ? "zh" : "13a");

// All n-grams of a text: a Map from the n-gram, its tokens joined by spaces, to how often it is there.
export function countGrams(tokens, n) {
  const counts = new Map();
  for (const gram of gramsOf(tokens, n)) counts.set(gram, (counts.get(gram) ?? 0) + 1);
  return counts;
}

export const gramsOf = (tokens, n) =>
  tokens.slice(0, Math.max(0, tokens.length - n + 1)).map((_, i) => tokens.slice(i, i + n).join(" "));

// The n-grams of one order: [{gram, count, most, clipped}], those of the candidate in its order.
// `most` is how often the reference has it that has it most; more than that does not count.
export function clippedCounts(candidate, references, n) {
  const theirs = references.map((reference) => countGrams(reference, n));
  return [...countGrams(candidate, n)].map(([gram, count]) => {
    const most = Math.max(0, ...theirs.map((counts) => counts.get(gram) ?? 0));
    return { gram, count, most, clipped: Math.min(count, most) };
  });
}

// The length of the reference that is nearest to the candidate's; of two as near, the shorter.
export const closestLength = (length, lengths) => lengths.reduce((best, one) => {
  const [near, nearest] = [Math.abs(one - length), Math.abs(best - length)];
  return near < nearest || (near === nearest && one < best) ? one : best;
});

export function brevityPenalty(c, r) {
  if (c >= r) return 1;
  return c > 0 ? Math.exp(1 - r / c) : 0;
}

// The score, 0 to 100, from clipped counts and totals of the four orders.
//   smoothing "none": an order without a match makes the score 0
//             "exp":  the k-th order without a match counts as 1 / 2^k matches (sacrebleu)
//   shortened: orders that the candidate is too short for are left out (sacrebleu's sentence_bleu)
export function scoreOf({ matches, totals, c, r }, { smoothing, shortened }) {
  const bp = brevityPenalty(c, r);
  const precisions = [0, 0, 0, 0];
  let orders = ORDERS.length;
  let halves = 1;
  if (matches.some((count) => count > 0)) {
    for (let i = 0; i < ORDERS.length && totals[i] > 0; i += 1) {
      if (shortened) orders = i + 1;
      if (matches[i] > 0) precisions[i] = matches[i] / totals[i];
      else if (smoothing === "exp") precisions[i] = 1 / ((halves *= 2) * totals[i]);
    }
  }
  const used = precisions.slice(0, orders);
  const mean = used.some((p) => p === 0) ? 0 : Math.exp(used.reduce((sum, p) => sum + Math.log(p), 0) / orders);
  return { precisions, orders, bp, mean, score: 100 * bp * mean };
}

// The whole of it: tokens, counts, lengths and score of one candidate against its references.
export function bleu(candidate, references, { tokeniser, smoothing = "exp", shortened = false }) {
  const tokens = tokenise(candidate, tokeniser);
  const theirs = references.map((reference) => tokenise(reference, tokeniser));
  const grams = ORDERS.map((n) => clippedCounts(tokens, theirs, n));
  const sum = (name) => grams.map((order) => order.reduce((total, gram) => total + gram[name], 0));
  const lengths = { c: tokens.length, r: closestLength(tokens.length, theirs.map((one) => one.length)) };
  const counts = { matches: sum("clipped"), totals: sum("count"), ...lengths };
  return { tokens, references: theirs, grams, ...counts, ...scoreOf(counts, { smoothing, shortened }) };
}
