// The identities of the proof. Pure functions over what the page was sent; each gives
//   {deviation, tolerance, count, excuse}
// the largest deviation and how many numbers were compared; `excuse` names why an identity need not
// hold (an intervention that breaks it by design), and is null otherwise. NaN holds nothing.

import { largestDeviation } from "../matrix.js";
import { wholeLayer } from "../sublayer.js";

const HALF_STEP = 1 / 131070; // how far a weight on show may be from the model's (16 bits)
const SINGLE = 1e-6; // what a sum of a few float32 numbers may be off

export const KINDS = ["encoder_self", "decoder_self", "cross"];

export const holds = ({ deviation, tolerance }) => deviation <= tolerance;

// "holds", "excused" or "fails".
export const verdict = (result) => (holds(result) ? "holds" : result.excuse ? "excused" : "fails");

// The worst of several results of one identity: one that fails before one that is excused, and of
// equals the one that is nearest to its tolerance or furthest beyond it. A NaN is beyond everything.
export function worst(results) {
  const rank = (one) => ["holds", "excused", "fails"].indexOf(verdict(one));
  const beyond = ({ deviation, tolerance }) => (Number.isNaN(deviation) ? Infinity : deviation - tolerance);
  const parts = results.filter(({ count }) => count > 0);
  const first = parts.reduce((bad, one) =>
    (rank(one) > rank(bad) || (rank(one) === rank(bad) && beyond(one) > beyond(bad)) ? one : bad), parts[0] ?? results[0]);
  return { ...first, count: parts.reduce((sum, { count }) => sum + count, 0) };
}

// Every row of every head's weights sums to 1, as far as 16-bit steps allow.
export function rowsSumToOne({ attention }) {
  return worst(KINDS.map((kind) => {
    const { layers, heads, queries, keys, head } = attention[kind];
    let deviation = 0;
    eachHead(layers, heads, (layer, index) => {
      const cells = head(layer, index);
      for (let row = 0; row < queries; row += 1) {
        let sum = 0;
        for (let col = 0; col < keys; col += 1) sum += Number.isNaN(cells[row * keys + col]) ? 0 : cells[row * keys + col];
        deviation = Math.max(deviation, Math.abs(sum - 1));
      }
    });
    return { deviation, tolerance: keys * HALF_STEP + SINGLE, count: layers * heads * queries, excuse: null };
  }));
}

function eachHead(layers, heads, act) {
  for (let layer = 0; layer < layers; layer += 1) for (let head = 0; head < heads; head += 1) act(layer, head);
}

// Whether the rules let a query read a key: no padding, no future, and the cells painted over that.
export function ruleOf({ src, interventions }, kind) {
  const { padding, padding_mask: paddingMask, causal_mask: causal, cells } = interventions;
  const real = src.length - (paddingMask ? padding : 0);
  const painted = new Map(cells.filter(([its]) => its === kind).map(([, row, col, on]) => [`${row} ${col}`, on]));
  return (row, col) => painted.get(`${row} ${col}`)
    ?? (kind === "decoder_self" ? !causal || col <= row : col < real);
}

// What the rules forbid is masked in every head on show, and nothing else is.
export function masksFollowRules(record) {
  return worst(KINDS.map((kind) => {
    const { layers, heads, queries, keys, head } = record.attention[kind];
    const rule = ruleOf(record, kind);
    let deviation = 0;
    let count = 0;
    eachHead(layers, heads, (layer, index) => {
      const cells = head(layer, index);
      for (let i = 0; i < cells.length; i += 1) {
        const may = rule(Math.floor(i / keys), i % keys);
        if (may === Number.isNaN(cells[i])) deviation = Math.max(deviation, may ? 1 : Math.abs(cells[i]) || 1);
        if (!may) count += 1;
      }
    });
    return { deviation, tolerance: 0, count: Math.max(count, deviation ? 1 : 0), excuse: null };
  }));
}

// What one sub-layer proves: {masked, weights, output, after}, each a result.
export function layerResults(record, kind, index, layer) {
  const { output, after, weights } = wholeLayer(layer);
  const { heads, queries, keys } = layer;
  let off = 0;
  for (let head = 0; head < heads; head += 1) {
    const shown = record.attention[kind].head(index, head);
    for (let i = 0; i < queries * keys; i += 1) {
      const one = Number.isNaN(shown[i]) ? 0 : shown[i];
      off = Math.max(off, Math.abs(one - weights[head * queries * keys + i]));
    }
  }
  const masked = layer.weights_masked;
  return {
    masked: { deviation: largestDeviation(masked, new Float32Array(masked.length)), tolerance: 0, count: masked.length, excuse: null },
    weights: { deviation: off, tolerance: HALF_STEP + 1e-5, count: weights.length, excuse: null },
    output: { deviation: largestDeviation(output, layer.output), tolerance: 1e-4, count: output.length, excuse: null },
    after: { deviation: largestDeviation(after, layer.after), tolerance: 1e-4, count: after.length, excuse: null },
  };
}

// A forced end token is not the model's choice and counts nothing; a forced beginning counts.
const counts = (step, t, prefix, candidate) => !(step.forced[candidate] && t >= prefix.length);

export function penaltyOf({ penalty_form: form, length_penalty: alpha }, length) {
  return (form === "average" ? length : (5 + length) / 6) ** alpha;
}

// The steps' log-probs add up to each hypothesis' log-prob, and its score is that over the penalty.
export function scoresAddUp({ hypotheses, search, settings, prefix }) {
  return worst(hypotheses.map(({ path, log_prob: logProb, score, length }) => {
    let sum = 0;
    path.forEach((candidate, t) => {
      if (counts(search.steps[t], t, prefix, candidate)) sum += search.steps[t].log_probs[candidate];
    });
    const deviation = Math.max(Math.abs(sum - logProb), Math.abs(logProb / penaltyOf(settings, length) - score));
    return { deviation, tolerance: 1e-4, count: path.length + 1, excuse: null };
  }));
}

// What the search was told step by step is what one pass over the whole hypothesis says.
export function stepwiseIsForced({ search, steps, path, interventions }, shared = false) {
  const future = interventions.cells.some(([kind, row, col, on]) => kind === "decoder_self" && col > row && on);
  const excuse = !interventions.causal_mask || future ? "future" : shared ? "shared" : null;
  const told = path.map((candidate, t) => search.steps[t].log_probs[candidate]);
  const deviation = largestDeviation(told, steps.map((step) => step.log_prob));
  return { deviation, tolerance: 1e-4, count: path.length, excuse };
}

// PE(pos, 2i) = sin(pos / 10000^(2i/d)), PE(pos, 2i+1) = cos of the same; "halves" has all sines first.
export function sinusoid(position, dimension, width, layout) {
  const pair = layout === "interleaved" ? Math.floor(dimension / 2) : dimension % (width / 2);
  const isSine = layout === "interleaved" ? dimension % 2 === 0 : dimension < width / 2;
  const angle = position * 10000 ** ((-2 * pair) / width);
  return isSine ? Math.sin(angle) : Math.cos(angle);
}

// The position vectors of a side are the formula's; moved on where an intervention moves them.
export function positionsAreTheFormula(inputs, { interventions }) {
  return worst(["source", "target"].map((side) => {
    const { positions, count, layout } = inputs[side];
    const { positions: how, sides, shift } = interventions;
    const moved = how !== "kept" && (sides === side || sides === "both") && !(how === "shuffled" && side === "target");
    const width = positions.length / count;
    const from = moved && how === "shifted" ? shift : 0;
    const formula = Float64Array.from(positions, (_, i) => sinusoid(Math.floor(i / width) + from, i % width, width, layout));
    return {
      deviation: largestDeviation(positions, formula), tolerance: 1e-6, count: positions.length,
      excuse: moved && how !== "shifted" ? how : null,
    };
  }));
}

// Embedding times sqrt(d_model) plus position is what the first layer gets.
export function inputsAddUp(inputs) {
  return worst(["source", "target"].map((side) => {
    const { tokens, positions, first } = inputs[side];
    return { deviation: largestDeviation(tokens.map((one, i) => one + positions[i]), first), tolerance: 1e-5, count: first.length, excuse: null };
  }));
}

const SPECIALS = ["<pad>", "<s>", "</s>"];

// The text that pieces make: "▁I", "▁am" -> "I am". Bytes are joined to characters.
export function joinPieces(pieces) {
  const bytes = [];
  for (const piece of pieces) {
    const byte = /^<0x([0-9A-F]{2})>$/.exec(piece);
    if (byte) bytes.push(parseInt(byte[1], 16));
    else if (!SPECIALS.includes(piece)) bytes.push(...new TextEncoder().encode(piece.replaceAll("▁", " ")));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes)).replace(/^ /, "");
}

// Some tokenizers read ligatures and full-width letters as plain ones; that is no other text.
const plain = (text) => text.normalize("NFKC").replace(/\s+/g, " ").trim();

// The pieces of both sides make the texts on show. The deviation counts texts that they do not make.
export function piecesMakeTexts({ src, tgt_out: tgtOut, text, translation }) {
  const unknown = src.some(({ piece }) => piece === "<unk>");
  const off = (labels, whole) => (plain(joinPieces(labels.map(({ piece }) => piece))) === plain(whole) ? 0 : 1);
  return worst([
    { deviation: off(src, text), tolerance: 0, count: src.length, excuse: unknown ? "unknown" : null },
    { deviation: off(tgtOut, translation), tolerance: 0, count: tgtOut.length, excuse: null },
  ]);
}
