// A small search written down straight from the rules at the top of model/decoding.py,
// model/beams.py and model/sampling.py, and not from the page's code: what the proof's identities
// must hold of. Its model has eight tokens; log-probs depend on the whole prefix.

export const PAD = 0;
export const END = 1;
const SIZE = 8;

export const SETTINGS = {
  method: "beam",
  beam_size: 2,
  penalty_form: "average",
  length_penalty: 1,
  temperature: 1,
  top_k: 0,
  top_p: 1,
  seed: 0,
  no_repeat: 0,
};
const UNTOUCHED = { causal_mask: true, cells: [], scaling: true, heads_off: [] };
export const RULES = {
  start: PAD,
  end: END,
  limit: 7,
  forced_end: false,
  shared: false,
  banned: [PAD],
  recorded: 3,
  thresholds: null,
  run: 3,
  looked_at: 0.1,
  untouched: UNTOUCHED,
};

/** Mulberry32, as model/sampling.py writes it. */
export function uniforms(seed) {
  let a = seed | 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** The log-probs of the model number `model` after a prefix, as float32. */
export function logProbsAfter(model, prefix) {
  const next = uniforms(
    prefix.reduce((hash, id) => Math.imul(hash, 31) + id + 1, model * 7919 + 1),
  );
  const logits = Array.from({ length: SIZE }, () => 4 * next());
  const total = Math.log(logits.reduce((sum, one) => sum + Math.exp(one), 0));
  return Float32Array.from(logits, (one) => one - total);
}

/** What would complete a run of n tokens that stands in the prefix. */
function repeated(prefix, n) {
  const found = [];
  for (let id = 0; n > 0 && id < SIZE; id += 1) {
    const run = [...prefix, id].slice(-n).join();
    const isThere = prefix.some(
      (_, i) => i + n <= prefix.length && prefix.slice(i, i + n).join() === run,
    );
    if (run.split(",").length === n && isThere) found.push(id);
  }
  return found;
}

/** The index that u draws from weights. */
function drawn(weights, u) {
  const whole = weights.reduce((sum, one) => sum + one, 0);
  let sum = 0;
  return weights.findIndex((one) => {
    sum += one;
    return sum > u * whole;
  });
}

/** Probabilities after temperature, top-k and top-p. */
function warped(logProbs, { temperature, top_k: k, top_p: p }) {
  let powers = Array.from(logProbs, (one) => Math.exp(one / temperature));
  const share = () => powers.map((one) => one / powers.reduce((sum, other) => sum + other, 0));
  if (k > 0) {
    const least = [...powers].sort((a, b) => b - a)[k - 1];
    powers = powers.map((one) => (one < least ? 0 : one));
  }
  const shares = share();
  let before = 0;
  const order = shares.map((_, id) => id).sort((a, b) => shares[b] - shares[a]);
  for (const id of order) {
    if (before >= p) powers[id] = 0;
    before += shares[id];
  }
  return share();
}

/** The continuations of one hypothesis that a step looks at: {id, lp, isPicked, isForced}. */
function optionsOf(now, one, t) {
  const { settings, rules, prefix, faults, next } = now;
  const logProbs = logProbsAfter(now.model, one.ids);
  const guarded =
    t >= prefix.length ? repeated(one.ids, faults.noGuard ? 0 : settings.no_repeat) : [];
  const allowed = logProbs.map((lp, id) =>
    rules.banned.includes(id) || guarded.includes(id) ? -Infinity : lp,
  );
  const isBeam = settings.method.includes("beam");
  const width = isBeam ? 2 * settings.beam_size : rules.recorded;
  const order = [...allowed.keys()].sort((a, b) => allowed[b] - allowed[a] || a - b);
  let top = order.filter((id) => allowed[id] > -Infinity);
  if (faults.skipsSecond) top = top.filter((_, rank) => rank !== 1);
  top = top.slice(0, width);
  let chosen = null;
  if (t < prefix.length) chosen = { id: prefix[t], isForced: true };
  else if (settings.method === "sampling") {
    const weights = warped(allowed, faults.ignoresTemperature ? SETTINGS : settings);
    chosen = { id: drawn(weights, next()), isForced: false };
  }
  if (chosen !== null && !top.includes(chosen.id)) top.push(chosen.id);
  return top.map((id) => ({
    ...{ id, lp: allowed[id], one, isPicked: chosen === null || chosen.id === id },
    isForced: Boolean(chosen?.isForced) && chosen?.id === id,
  }));
}

const penaltyOf = ({ penalty_form: form, length_penalty: alpha }, n) =>
  (form === "average" ? n : (5 + n) / 6) ** alpha;

/**
 * The record of a search, the whole distributions of its traced path, and its rules. `faults` makes
 * it wrong: {stopsAtFirst, goesOn, skipsSecond, ignoresTemperature, ignoresSeed, noGuard}.
 */
export function searched({
  model = 1,
  prefix = [],
  faults = {},
  rules: own = {},
  ...settings
} = {}) {
  const given = { ...SETTINGS, ...settings };
  const rules = { ...RULES, ...own };
  const next = uniforms(faults.ignoresSeed ? 99 : given.seed);
  const now = { model, prefix, faults, rules, settings: given, next };
  const beams = given.method.includes("beam") ? given.beam_size : 1;
  const steps = [];
  const ended = []; // {score, one, t, c}
  let live = [{ ids: [], path: [], total: 0 }];
  for (let t = 0; live.length > 0 && t < rules.limit; t += 1) {
    const all = live
      .flatMap((one, row) => optionsOf(now, one, t).map((option) => ({ ...option, row })))
      .map((option) => ({ ...option, total: option.one.total + option.lp }))
      .sort((a, b) => b.total - a.total || a.row - b.row || a.id - b.id);
    const isChosen = t < prefix.length || given.method === "sampling";
    const picked = all
      .filter(({ isPicked }) => isPicked)
      .slice(0, isChosen ? all.length : 2 * beams);
    const fates = all.map(() => "pruned");
    const running = [];
    picked.forEach((option, rank) => {
      const c = all.indexOf(option);
      const ids = [...option.one.ids, option.id];
      const longer = { ids, path: [...option.one.path, c], total: option.total };
      if (option.id === END || t === rules.limit - 1) {
        if (rank < beams)
          ended.push({ one: longer, t, c, score: option.total / penaltyOf(given, t + 1) });
      } else if (running.length < beams) {
        fates[c] = "kept";
        running.push(longer);
      }
    });
    steps.push({ all, fates });
    const list = ended.map(({ score }) => score).sort((a, b) => b - a);
    const isFull = list.length >= beams;
    const best = running.length > 0 ? running[0].total / penaltyOf(given, t + 1) : -Infinity;
    let stops = isFull && best <= list[beams - 1];
    if (faults.stopsAtFirst) stops = list.length > 0;
    if (faults.goesOn) stops = false;
    live = stops ? [] : running;
    if (live.length === 0)
      steps[t].fates = fates.map((fate) => (fate === "kept" ? "pruned" : fate));
  }
  const best = [...ended].sort((a, b) => b.score - a.score).slice(0, beams);
  for (const one of ended) steps[one.t].fates[one.c] = best.includes(one) ? "finished" : "beaten";
  return recordOf(now, steps, best);
}

function recordOf({ model, settings, rules, prefix }, steps, best) {
  const { ids, path } = best[0].one;
  const label = (id) => ({
    id,
    piece: id === END ? "</s>" : `p${id}`,
    text: `${id}`,
    kind: "word",
  });
  const logits = ids.map((_, t) => logProbsAfter(model, ids.slice(0, t)));
  const record = {
    settings,
    prefix,
    path,
    node: null,
    shown: 0,
    doubt: null,
    interventions: { ...UNTOUCHED },
    model: { vocabulary: SIZE },
    tgt_out: ids.map(label),
    src: [2, 3, END].map(label),
    hypotheses: best.map(({ one, score }) => ({
      ...{ path: one.path, score, log_prob: one.total, length: one.ids.length },
    })),
    steps: logits.map((row, t) => ({
      chosen: ids[t],
      log_prob: row[ids[t]],
      top: [...row.keys()]
        .sort((a, b) => row[b] - row[a])
        .slice(0, 4)
        .map((id) => ({ ...label(id), log_prob: row[id] })),
    })),
    search: {
      labels: Object.fromEntries(Array.from({ length: SIZE }, (_, id) => [id, label(id)])),
      steps: steps.map(({ all, fates }, t) => ({
        count: all.length,
        parents: Int32Array.from(all, ({ one }) => (t === 0 ? -1 : one.path[t - 1])),
        ids: Int32Array.from(all, ({ id }) => id),
        log_probs: Float32Array.from(all, ({ lp }) => lp),
        totals: Float64Array.from(all, ({ total }) => total),
        fates,
        forced: Uint8Array.from(all, ({ isForced }) => Number(isForced)),
      })),
    },
  };
  return { record, logits: logits.map((row) => ({ logits: row })), rules };
}
