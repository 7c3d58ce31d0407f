// Many heads in one map, and its agreement with leaving words out: the twin of
// explorer/exhibits/summaries and model/labs/summaries.py.

import { pack } from "../../kit/packing.js";
import { KINDS, refusal } from "./request.js";
import { turn } from "./turns.js";

/** @typedef {import("./explainer.js").Question} Question */
/** @typedef {import("./explainer.js").Pass} Pass */
/** @typedef {import("./explainer.js").Maps} Maps */

const WAYS = ["mean", "max", "rollout"];
const AT_ONCE = 4; // source tokens that are left out before the clock is looked at
const MOST_LAYERS = 1_000;
// Values nearer than this stand in an order that rounding decides: log-probs, and weights by their
// own size.
const [NEAR_LOSS, NEAR_WEIGHT] = [5e-5, 1e-4];

/** Many heads of a kind in one map. `layer` counts from 1; 0 stands for all. @type {Question} */
export function summary(explainer, request, args) {
  const kind = args.choice("kind", KINDS);
  const way = args.choice("way", WAYS);
  const layer = args.whole("layer", 0, MOST_LAYERS);
  const { trace } = explainer.explain(request);
  const { queries, keys } = trace.attention[kind];
  return { queries, keys, cells: pack(Float32Array.from(summarised(trace, kind, way, layer))) };
}

/**
 * The loss of each output token without each source token, and the summaries' agreement. The proof,
 * which asks with `until`, is told by how much rounding may move each correlation: `room`.
 * @type {Question}
 */
export function occlusion(explainer, request, args) {
  const { interventions, text } = request;
  if (interventions.cells.some((/** @type {[string]} */ [kind]) => kind !== "decoder_self"))
    throw refusal("error.model.painted");
  const { trace } = explainer.explain(request);
  const source = trace.src.ids.slice(0, trace.src.ids.length - interventions.padding);
  const about = ["occlusion", text, trace.written.ids, interventions];
  const columns = trace.written.ids.length;
  const changeOf = (/** @type {number} */ left) =>
    explainer.engine.remembered(JSON.stringify([...about, left]), () => {
      const ids = source.filter((_, i) => i !== left);
      const now = explainer.logProbs(ids, trace, interventions);
      return now.map((x, t) => Math.fround(x - trace.logProb[t]));
    });
  const total = source.length - 1;
  const { found, next } = turn(args, total, AT_ONCE, (from, to) =>
    Array.from({ length: to - from }, (_, i) => changeOf(from + i)),
  );
  const answer = { columns, changes: pack(Float32Array.from(found.flat(2))), next };
  if (next !== null) return answer;
  const whole = Array.from({ length: total }, (_, left) => changeOf(left));
  const room = args.given("until") ? { room: agreement(trace, whole, roomOf) } : {};
  return { ...answer, agreement: agreement(trace, whole, agreed), ...room };
}

/** How well each summary of cross-attention ranks the source like the losses.
 * @template T @param {Pass} trace @param {number[][]} changes
 * @param {(weights: number[][], loss: number[][]) => T} measure */
function agreement(trace, changes, measure) {
  const { layers, queries, keys } = trace.attention.cross;
  const rows = changes.length;
  const loss = Array.from({ length: queries }, (_, t) => changes.map((row) => -row[t]));
  const all = WAYS.map((way) => {
    const each = Array.from({ length: layers + 1 }, (_, layer) => {
      const cells = summarised(trace, "cross", way, layer);
      const weights = loss.map((_, t) => cells.slice(t * keys, t * keys + rows));
      return measure(weights, loss);
    });
    return [way, each];
  });
  return Object.fromEntries(all);
}

/** The rank correlation of weights and losses: of all cells, and of each row. */
function agreed(/** @type {number[][]} */ weights, /** @type {number[][]} */ loss) {
  const counts = weights.map((row) => row.filter((one) => !Number.isNaN(one)).length);
  return {
    all: rankCorrelation(weights.flat(), loss.flat()),
    rows: weights.map((row, t) => rankCorrelation(row, loss[t])),
    cells: [counts.reduce((a, b) => a + b, 0), ...counts],
  };
}

/** By how much rounding may move what `agreed` finds. */
const roomOf = (/** @type {number[][]} */ weights, /** @type {number[][]} */ loss) => ({
  all: room(weights.flat(), loss.flat()),
  rows: weights.map((row, t) => room(row, loss[t])),
});

/** One map (query, key), NaN where masked, of the heads of one layer; of all if `layer` is 0.
 * @param {Pass} trace @param {string} kind @param {string} way @param {number} layer
 * @returns {number[]} */
function summarised(trace, kind, way, layer) {
  const maps = trace.attention[kind];
  const last = layer ? Math.min(layer, maps.layers) - 1 : null;
  const cells = way === "rollout" ? rollout(trace, kind, last) : pooled(maps, way, last);
  return cells.map((one, i) => (maps.mask[i] ? one : NaN));
}

/** The mean or the maximum over all heads; of one layer, or of all.
 * @param {Maps} maps @param {string} way @param {number|null} layer @returns {number[]} */
function pooled({ layers, heads, mask, weights }, way, layer) {
  const [from, to] = layer === null ? [0, layers * heads] : [layer * heads, (layer + 1) * heads];
  return Array.from(mask, (_, cell) => {
    let [total, most] = [0, 0];
    for (let head = from; head < to; head += 1) {
      const weight = weights[head * mask.length + cell];
      total += weight;
      most = Math.max(most, weight);
    }
    return way === "max" ? most : total / (to - from);
  });
}

// ------------------------------------------------------------------- rollout

/** @typedef {number[][]} Matrix */

const identity = (/** @type {number} */ size) =>
  Array.from({ length: size }, (_, i) => Array.from({ length: size }, (__, j) => Number(i === j)));

/** @param {Matrix} a @param {Matrix} b @returns {Matrix} */
const times = (a, b) =>
  a.map((row) => b[0].map((_, j) => row.reduce((sum, one, k) => sum + one * b[k][j], 0)));

/** The mean over the heads of each layer up to `last`. @returns {Matrix[]} */
function layerMeans(/** @type {Maps} */ maps, /** @type {number|null} */ last) {
  const count = last === null ? maps.layers : last + 1;
  return Array.from({ length: count }, (_, layer) => {
    const cells = pooled(maps, "mean", layer);
    return Array.from({ length: maps.queries }, (__, q) =>
      cells.slice(q * maps.keys, (q + 1) * maps.keys),
    );
  });
}

const withResidual = (/** @type {Matrix} */ mean) =>
  mean.map((row, i) => row.map((one, j) => (one + Number(i === j)) / 2));

const rolled = (/** @type {Matrix[]} */ means) =>
  means.reduce((all, mean) => times(withResidual(mean), all), identity(means[0].length));

/** Attention rolled out through the layers up to `last`.
 * @param {Pass} trace @param {string} kind @param {number|null} last @returns {number[]} */
function rollout({ attention }, kind, last) {
  if (kind !== "cross") return rolled(layerMeans(attention[kind], last)).flat();
  const encoder = rolled(layerMeans(attention.encoder_self, null));
  const crosses = layerMeans(attention.cross, last);
  const selves = layerMeans(attention.decoder_self, last);
  let read = crosses[0].map((row) => row.map(() => 0));
  for (const [i, cross] of crosses.entries()) {
    const [kept, more] = [times(withResidual(selves[i]), read), times(cross, encoder)];
    read = kept.map((row, q) => row.map((one, k) => (one + more[q][k]) / 2));
  }
  return read.flat();
}

// ------------------------------------------------------------------- ranks

/** Spearman's rho; null if one list has no order to compare. Pairs with NaN are ignored. */
function rankCorrelation(/** @type {number[]} */ first, /** @type {number[]} */ second) {
  const [a, b] = known(first, second).map((values) => centred(ranks(values)));
  const size = Math.sqrt(dot(a, a) * dot(b, b));
  return size ? dot(a, b) / size : null;
}

/** The most that a rank correlation of weights and losses moves when those that are nearly equal
 * change their places: each rank by the places that its value may take.
 * @param {number[]} weights @param {number[]} losses */
function room(weights, losses) {
  const values = known(weights, losses);
  const [a, b] = values.map((one) => centred(ranks(one)).map(Math.abs));
  const moved = [
    places(values[0], (x, y) => y - x <= NEAR_WEIGHT * y),
    places(values[1], (x, y) => y - x <= NEAR_LOSS),
  ];
  const size = Math.sqrt(dot(a, a) * dot(b, b));
  const most = dot(moved[0], b) + dot(moved[1], a) + dot(moved[0], moved[1]);
  return size ? most / size : 0;
}

/** Both lists without the places where one has NaN. @param {number[]} first @param {number[]} second */
function known(first, second) {
  const isKnown = (/** @type {unknown} */ _, /** @type {number} */ i) =>
    !Number.isNaN(first[i]) && !Number.isNaN(second[i]);
  return [first.filter(isKnown), second.filter(isKnown)];
}

const dot = (/** @type {number[]} */ x, /** @type {number[]} */ y) =>
  x.reduce((sum, one, i) => sum + one * y[i], 0);

/** By how many places each value can move among those that it is near to, one after the other.
 * @param {number[]} values @param {(x: number, y: number) => boolean} areNear of x, and y above it */
function places(values, areNear) {
  const order = values.map((_, i) => i).sort((a, b) => values[a] - values[b]);
  const found = Array(values.length).fill(0);
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && areNear(values[order[to - 1]], values[order[to]])) to += 1;
    for (let i = from; i < to; i += 1) found[order[i]] = to - from - 1;
    from = to;
  }
  return found;
}

function centred(/** @type {number[]} */ all) {
  const mean = all.reduce((a, b) => a + b, 0) / all.length;
  return all.map((one) => one - mean);
}

/** Ranks from 1; equal values get the mean of theirs. */
function ranks(/** @type {number[]} */ values) {
  const order = values.map((_, i) => i).sort((a, b) => values[a] - values[b]);
  const found = Array(values.length).fill(0);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to < order.length && values[order[to]] === values[order[from]]) to += 1;
    for (let i = from; i < to; i += 1) found[order[i]] = (from + to + 1) / 2;
    from = to;
  }
  return found;
}
