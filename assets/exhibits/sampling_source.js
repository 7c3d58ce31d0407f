// What the exhibit needs of Python: the log-probs after a prefix, and how tokens are written. Each is
// asked for once and kept.

import { unpack } from "../packing.js";
import { rank, reshape } from "../sampling.js";
import { question } from "../wire.js";

const UNTOUCHED = { temperature: 1, top_k: 0, top_p: 1 };
const MOST_KEPT = 2_000_000; // log-probs, over all prefixes

// `onArrival` is called when something has come, or has failed to.
export function createSource(onArrival) {
  const kept = new Map(); // oldest first
  let asking = null; // the key of what is under way
  let trouble = null; // {key, error}
  let names = null;
  let naming = null;

  // The distribution after `ids` under the wish of `shown`; null while it is under way.
  function at(shown, ids) {
    const key = keyOf(shown, ids);
    const found = kept.get(key) ?? null;
    if (found === null && asking !== key && trouble?.key !== key) fetchOne(key, ids);
    return found;
  }

  // What went wrong with it, or null.
  function troubleAt(shown, ids) {
    return trouble?.key === keyOf(shown, ids) ? trouble.error : null;
  }

  async function fetchOne(key, ids) {
    asking = key;
    trouble = null;
    try {
      const [answer] = await Promise.all([question("next_token", { ids }), learnNames()]);
      if (answer !== null) keep(key, distribution(key, await unpack(answer.log_probs, Float32Array)));
    } catch (error) {
      if (asking === key) trouble = { key, error };
    }
    if (asking === key) asking = null;
    onArrival();
  }

  function learnNames() {
    naming ??= question("vocabulary").then(readNames).then((read) => { names = read; }, (error) => {
      naming = null;
      throw error;
    });
    return naming;
  }

  function keep(key, found) {
    kept.set(key, found);
    const most = Math.max(2, Math.floor(MOST_KEPT / found.ranked.order.length));
    for (const old of kept.keys()) {
      if (kept.size <= most) break;
      kept.delete(old);
    }
  }

  return { at, troubleAt, names: () => names };
}

const keyOf = ({ text, interventions }, ids) => JSON.stringify([text, interventions, ids]);

// {key, logProbs, ranked, own: the model's own shape, shares: its probabilities by rank, rankOf: by id}
export function distribution(key, logProbs) {
  const ranked = rank(logProbs);
  const own = reshape(ranked, UNTOUCHED);
  const rankOf = new Int32Array(logProbs.length);
  ranked.order.forEach((id, place) => { rankOf[id] = place; });
  return { key, logProbs, ranked, own, shares: own.powers.map((power) => power / own.sums.all), rankOf };
}

// Every token in rows for a file, best first: the model's own log-prob and probability, the one that it
// is drawn with, and what cut it.
export function everyToken({ ranked: { order, values }, shares }, { powers, counts, sums }, names) {
  const fate = (place) => (place < counts.p ? "kept" : place < counts.k ? "cut by top-p" : place < counts.all ? "cut by top-k" : "never");
  const head = ["rank", "id", "token", "log_prob", "probability", "drawn with", "fate"];
  return [head, ...Array.from(order, (id, place) => [
    place + 1, id, names.label(id).piece, values[place], shares[place], place < counts.p ? powers[place] / sums.p : 0, fate(place),
  ])];
}

// What `vocabulary` of explorer/exhibits/sampling.py tells: {label: id -> label, longest}.
async function readNames({ texts, kinds, begins, longest }) {
  const bits = await unpack(begins, Uint8Array);
  const kindOf = new Map(Object.entries(kinds).flatMap(([kind, ids]) => ids.map((id) => [id, kind])));
  const label = (id) => {
    const text = texts[id] ?? `#${id}`;
    const begun = bits[id >> 3] & (128 >> (id & 7)) && kindOf.get(id) !== "space";
    return { id, text, kind: kindOf.get(id) ?? "word", piece: begun ? `▁${text}` : text };
  };
  return { label, longest };
}
