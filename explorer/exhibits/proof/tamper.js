// What a teacher may change to see an identity break: one number of a copy. Pure functions; nothing
// that was sent is touched.

export const CHANGE = 0.01;

/** What is changed for the sake of each identity. */
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
  entropy: "entropy",
  stepwise: "forced",
  candidates: "candidate",
  totals: "total",
  score: "log_prob",
  fates: "fate",
  texts: "hypothesis",
};

const IN_LAYER = { masked: "weights_masked", x: "x", output: "output", after: "after" };
const IN_INPUTS = { position: "positions", token: "tokens" };

const raised = (array, /** @type {number} */ at, by = CHANGE) => {
  const copy = array.slice();
  copy[at] += by;
  return copy;
};

/** `list` with its first (or n-th) entry replaced by what `change` makes of it. */
const withOne = (list, change, n = 0) => list.map((one, i) => (i === n ? change(one) : one));

const inFirstStep = (record, changeOf) => {
  const steps = withOne(record.search.steps, (step) => ({ ...step, ...changeOf(step) }));
  return { ...record, search: { ...record.search, steps } };
};

/** @type {Record<string, (record: any) => any>} */
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
  runner_up: (record) => ({
    ...record,
    steps: withOne(record.steps, (step) => ({
      ...step,
      top: withOne(step.top, (one) => ({ ...one, log_prob: one.log_prob + CHANGE }), 1),
    })),
  }),
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
  total: (record) =>
    inFirstStep(record, ({ totals }) => ({ totals: raised(totals, totals.length - 1, -CHANGE) })),
  fate: (record) =>
    inFirstStep(record, ({ fates }) => ({
      fates: withOne(fates, (one) => (one === "beaten" ? "pruned" : "beaten"), fates.length - 1),
    })),
  hypothesis: (record) => ({
    ...record,
    hypotheses: withOne(
      record.hypotheses,
      (one) => ({ ...one, text: `${one.text}x` }),
      record.hypotheses.length - 1,
    ),
  }),
};

/** Whether a sub-layer must be computed anew for the sake of a change. */
export const touchesLayer = (/** @type {string} */ what) => what === "weight" || what in IN_LAYER;

/** The record with one number changed; the same record where `what` stands elsewhere. */
export const tamperedRecord = (record, /** @type {string} */ what) =>
  IN_RECORD[what]?.(record) ?? record;

export function tamperedLayer(layer, /** @type {string} */ what) {
  const name = IN_LAYER[what];
  return layer && name && layer[name].length ? { ...layer, [name]: raised(layer[name], 0) } : layer;
}

export function tamperedInputs(inputs, /** @type {string} */ what) {
  const name = IN_INPUTS[what];
  if (!inputs || !name) return inputs;
  return { ...inputs, source: { ...inputs.source, [name]: raised(inputs.source[name], 0) } };
}
