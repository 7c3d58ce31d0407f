// Requests for explanations, derived from their records. Pure functions.

/** @typedef {import("./types.js").Rec} Rec */
/** @typedef {import("./types.js").Part} Part */

/** The request that a record answers; one that a view asks for may name other weights, and the
 * parts that it needs; `longest` ends its translation after that many tokens. @param {any} record
 */
export const requestOf = ({
  text,
  settings,
  shown,
  prefix,
  node,
  interventions,
  model,
  parts,
  longest,
}) => ({
  model: model.key,
  text,
  first: false,
  settings,
  shown,
  prefix,
  begin: "",
  node,
  interventions,
  ...(model.weights && { weights: model.weights }),
  ...(parts && { parts }),
  ...(longest && { longest }),
});

/** The request for the best translation after some changes. @param {Rec} record
 * @param {Partial<Rec>} changes @returns {Rec} */
export const best = (record, changes) => ({
  ...record,
  recorded: false,
  shown: 0,
  node: null,
  ...changes,
});

/**
 * The request for the tokens on the page, all of them forced, as other weights or a changed model
 * read them: it ends where they end. @param {Rec} record @param {string} weights "": its own
 * @param {Rec["interventions"]} interventions @param {Part[]} [parts]
 */
export const forced = (record, weights, interventions, parts) =>
  best(record, {
    model: { ...record.model, weights },
    settings: { ...record.settings, method: "greedy" }, // nothing is left to search
    prefix: record.tgt_out.map(({ id }) => id),
    longest: record.tgt_out.length,
    interventions,
    ...(weights && parts && { parts }), // the proof repeats those of the model itself, and whole
  });

/** Returns kept(record, key, make): what `make` gave for a record and a key, always the same: an
 * answer is kept by the request that it is about. */
export function createKept() {
  /** @type {WeakMap<object, Map<string, any>>} */
  const all = new WeakMap();
  /** @template T @param {object} record @param {unknown} key @param {() => T} make @returns {T} */
  return (record, key, make) => {
    const known = all.get(record) ?? new Map();
    all.set(record, known);
    const name = JSON.stringify(key);
    if (!known.has(name)) known.set(name, make());
    return known.get(name);
  };
}

/**
 * The identity of a search: two records that agree in it have the same search. @param {any} record
 */
export const searchOf = ({ text, settings, prefix, interventions, model }) =>
  JSON.stringify([model.key, text, settings, prefix, interventions]);

/**
 * The request after `changes`; parts that no longer apply are reset. A different model has its own
 * defaults: only settings that the visitor chose stay.
 * @param {any} request
 * @param {any} changes
 * @param {Record<string, any>} defaults of the previous model
 */
export function changed(request, changes, defaults) {
  /** @type {any} */
  const fresh = { node: null, begin: "", first: false };
  if (STARTS_ANEW.some((name) => name in changes)) fresh.shown = 0;
  if ("text" in changes && changes.text !== request.text) fresh.prefix = [];
  if ("model" in changes && changes.model !== request.model) {
    const own = Object.entries(request.settings).filter(
      ([name, value]) => value !== defaults[name] && name !== "rules_off", // of that checkpoint
    );
    Object.assign(fresh, { prefix: [], interventions: {}, settings: Object.fromEntries(own) });
  }
  return { ...request, ...fresh, ...changes };
}

const STARTS_ANEW = ["model", "text", "settings", "prefix", "begin", "interventions"];

/** True if a request to the default model has a text with settings and nothing else.
 * @param {any} request @param {string} own the default model */
export const isPlain = ({ model, shown, prefix, begin, node, interventions }, own) =>
  model === own &&
  begin === "" &&
  node === null &&
  shown + prefix.length + Object.keys(interventions).length === 0;
