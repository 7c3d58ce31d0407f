// What a teacher may change to see an identity break: one number of a copy. Pure functions; nothing
// that was sent is touched.

export const CHANGE = 0.01;

// What is changed for the sake of each identity.
export const TAMPERS = {
  rows: "weight", weights: "weight", masked: "masked", output: "output", after: "after", score: "log_prob",
  positions: "position", inputs: "token", stepwise: "forced", tokens: "piece",
};

export const LAYER_TAMPERS = ["masked", "output", "after"]; // these stand in a sub-layer's numbers

const raised = (array, at) => {
  const copy = array.slice();
  copy[at] += CHANGE;
  return copy;
};

// The record with one number changed; the same record where `what` stands elsewhere.
export function tamperedRecord(record, what) {
  if (what === "weight") {
    const maps = record.attention.decoder_self;
    const head = (layer, index) => (layer || index ? maps.head(layer, index) : raised(maps.head(0, 0), 0));
    return { ...record, attention: { ...record.attention, decoder_self: { ...maps, head } } };
  }
  if (what === "log_prob") {
    const candidate = record.hypotheses[0].path[0];
    const [first, ...rest] = record.search.steps;
    const steps = [{ ...first, log_probs: raised(first.log_probs, candidate) }, ...rest];
    return { ...record, search: { ...record.search, steps } };
  }
  if (what === "forced") {
    const [first, ...rest] = record.steps;
    return { ...record, steps: [{ ...first, log_prob: first.log_prob + CHANGE }, ...rest] };
  }
  if (what === "piece") {
    const [first, ...rest] = record.tgt_out;
    return { ...record, tgt_out: [{ ...first, piece: `${first.piece}x` }, ...rest] };
  }
  return record;
}

export function tamperedLayer(layer, what) {
  const names = { masked: "weights_masked", output: "output", after: "after" };
  const name = names[what];
  return name && layer[name].length ? { ...layer, [name]: raised(layer[name], 0) } : layer;
}

export function tamperedInputs(inputs, what) {
  const name = { position: "positions", token: "tokens" }[what];
  return name ? { ...inputs, source: { ...inputs.source, [name]: raised(inputs.source[name], 0) } } : inputs;
}
