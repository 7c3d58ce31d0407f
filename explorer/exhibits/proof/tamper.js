// Changes for a teacher who wants to see an identity fail: one number of a copy. Pure functions;
// the received data is not modified.

export const CHANGE = 0.01;
const FAR = 9; // beyond every score of a search

/** The change for each identity. */
export const TAMPERS = {
  tokens: "piece",
  labels: "label",
  read: "read",
  positions: "position",
  inputs: "token",
  rows: "weight",
  masked: "masked",
  made: "x",
  weights: "weight",
  output: "output",
  after: "after",
  logits: "runner_up",
  order: "ranks",
  entropy: "entropy",
  stepwise: "forced",
  candidates: "candidate",
  best: "unlikely",
  draw: "seed",
  totals: "total",
  score: "log_prob",
  fates: "fate",
  list: "listed",
  dropped: "last_score",
  stop: "running",
  texts: "hypothesis",
  doubt: "doubt",
};

const IN_LAYER = { masked: "weights_masked", x: "x", output: "output", after: "after" };
const IN_INPUTS = { position: "positions", token: "tokens" };

const raised = (array, /** @type {number} */ at, by = CHANGE) => {
  const copy = array.slice();
  copy[at] += by;
  return copy;
};

/** `list` with `change` applied to its first (or n-th) entry. */
const withOne = (list, change, n = 0) => list.map((one, i) => (i === n ? change(one) : one));

const inStep = (record, /** @type {number} */ t, changeOf) => {
  const steps = withOne(record.search.steps, (step) => ({ ...step, ...changeOf(step) }), t);
  return { ...record, search: { ...record.search, steps } };
};
const inFirstStep = (record, changeOf) => inStep(record, 0, changeOf);

const inTop = (record, changeOf) => ({
  ...record,
  steps: withOne(record.steps, (step) => ({ ...step, top: changeOf(step.top) })),
});

const NO_DOUBT = { reasons: ["repeats"], signs: { log_prob: 0, repeats: 0, read: 0 } };

/** Each returns the record itself if it has no such number. @type {Record<string, (record: any) =>
 * any>} */
const IN_RECORD = {
  weight(record) {
    const maps = record.attention.decoder_self;
    const head = (layer, index) =>
      layer || index ? maps.head(layer, index) : raised(maps.head(0, 0), 0);
    return { ...record, attention: { ...record.attention, decoder_self: { ...maps, head } } };
  },
  piece: (record) => ({
    ...record,
    tgt_out: withOne(record.tgt_out, (one) => ({ ...one, piece: `${one.piece}x` })),
  }),
  label(record) {
    const [first] = Object.keys(record.search.labels);
    const label = record.search.labels[first];
    const labels = { ...record.search.labels, [first]: { ...label, text: `${label.text}x` } };
    return { ...record, search: { ...record.search, labels } };
  },
  read: (record) => ({
    ...record,
    tgt_in: withOne(record.tgt_in, (one) => ({ ...one, id: one.id + 1 })),
  }),
  runner_up: (record) =>
    record.steps[0].top.length < 2
      ? record
      : inTop(record, (top) =>
          withOne(top, (one) => ({ ...one, log_prob: one.log_prob + CHANGE }), 1),
        ),
  ranks: (record) =>
    record.steps[0].top.length < 2
      ? record
      : inTop(record, ([first, second, ...others]) => [second, first, ...others]),
  entropy: (record) => ({
    ...record,
    steps: withOne(record.steps, (step) => ({ ...step, entropy: step.entropy + CHANGE })),
  }),
  forced: (record) => ({
    ...record,
    steps: withOne(record.steps, (step) => ({ ...step, log_prob: step.log_prob + CHANGE })),
  }),
  log_prob: (record) =>
    inFirstStep(record, ({ log_probs: all }) => ({
      log_probs: raised(all, record.hypotheses[0].path[0]),
    })),
  candidate: (record) =>
    inFirstStep(record, ({ log_probs: all }) => ({ log_probs: raised(all, all.length - 1) })),
  unlikely(record) {
    const listed = [...record.search.steps[0].ids];
    const other = Object.keys(record.search.labels).find((id) => !listed.includes(Number(id)));
    if (other === undefined) return record;
    return inFirstStep(record, ({ ids }) => ({ ids: ids.with(-1, Number(other)) }));
  },
  seed(record) {
    const { settings } = record;
    if (settings.method !== "sampling") return record;
    return { ...record, settings: { ...settings, seed: settings.seed + 1 } };
  },
  total: (record) =>
    inFirstStep(record, ({ totals }) => ({ totals: raised(totals, totals.length - 1, -CHANGE) })),
  fate: (record) =>
    inFirstStep(record, ({ fates }) => ({
      fates: withOne(fates, (one) => (one === "beaten" ? "pruned" : "beaten"), fates.length - 1),
    })),
  listed: (record) =>
    record.hypotheses.length < 2
      ? record
      : { ...record, hypotheses: record.hypotheses.slice(0, -1) },
  last_score(record) {
    const { search, hypotheses } = record;
    if (!search.steps.some(({ fates }) => fates.includes("beaten"))) return record;
    const lower = (one) => ({ ...one, score: one.score - FAR });
    return { ...record, hypotheses: withOne(hypotheses, lower, hypotheses.length - 1) };
  },
  running(record) {
    const { steps, labels } = record.search;
    const { fates, ids } = steps.at(-1);
    const c = fates.findIndex((fate, i) => fate === "pruned" && labels[ids[i]].piece !== "</s>");
    if (c < 0) return record;
    return inStep(record, steps.length - 1, ({ totals }) => ({ totals: raised(totals, c, FAR) }));
  },
  doubt: (record) => ({ ...record, doubt: record.doubt === null ? NO_DOUBT : null }),
  hypothesis: (record) => ({
    ...record,
    hypotheses: withOne(
      record.hypotheses,
      (one) => ({ ...one, text: `${one.text}x` }),
      record.hypotheses.length - 1,
    ),
  }),
};

/** True if a sub-layer must be computed again for a change. */
export const touchesLayer = (/** @type {string} */ what) => what === "weight" || what in IN_LAYER;

/** The record with one number changed; the record itself if it does not have the number `what`. */
export const tamperedRecord = (record, /** @type {string} */ what) =>
  IN_RECORD[what]?.(record) ?? record;

/** True if the record has a number to change. */
export const canTamper = (record, /** @type {string} */ what) =>
  tamperedRecord(record, what) !== record;

export function tamperedLayer(layer, /** @type {string} */ what) {
  const name = IN_LAYER[what];
  return layer && name && layer[name].length ? { ...layer, [name]: raised(layer[name], 0) } : layer;
}

export function tamperedInputs(inputs, /** @type {string} */ what) {
  const name = IN_INPUTS[what];
  if (!inputs || !name) return inputs;
  return { ...inputs, source: { ...inputs.source, [name]: raised(inputs.source[name], 0) } };
}
