// A state or a head of one sentence's run, copied into the run of another: the twin of
// model/labs/patch.py, which says what the numbers mean. What is below a copied state is the
// receiver's own and is not computed again.

import { Edits, Transplants } from "../edits.js";
import { tokenEntries } from "../labels.js";
import { contextOf } from "./dissect.js";
import { textOf, token } from "./explainer.js";
import { KINDS, MAX_WRITTEN, parse, refusal } from "./request.js";
import { turn } from "./turns.js";
import { differenceOf } from "./why.js";

/** @typedef {import("./explainer.js").Explainer} Explainer */
/** @typedef {import("./explainer.js").Question} Question */
/** @typedef {import("../tokens.js").Tokens} Tokens */
/** @typedef {import("../edits.js").Stack} Stack */

/** @typedef {{step: number, token: number, insteadOf: number, way: number}} Parting from 0 */

/**
 * One sentence after the beginning of the translation.
 * @typedef {object} Run
 * @property {ReturnType<Explainer["network"]["encode"]>} encoded
 * @property {import("../network.js").State} state that the decoder begins with
 * @property {import("../network.js").Stack} record of the decoder
 * @property {number} difference of the two logits
 */

/**
 * Two sentences, and a step at which they lead to different tokens.
 * @typedef {object} Contrast
 * @property {Tokens} giver @property {Tokens} receiver @property {string[]} translations
 * @property {Tokens} read by the decoder
 * @property {{chosen: number, rival: number}} tokens of the giver and of the receiver
 * @property {Parting[]} all @property {Run[]} runs of the giver and of the receiver
 */

const MIN_DIFFERENCE = 1e-3; // of the two differences: below it, shares are meaningless
const ONE = 1; // transplant between checks of the time
const END = Number.MAX_SAFE_INTEGER;

/** Each state of both stacks, from number `first` on. @type {Question} */
export function transplant(explainer, _, args) {
  const pair = pairOf(explainer, args);
  const { giver, receiver, read, runs, tokens, all } = pair;
  const texts = [giver, receiver].map((one, i) => [textOf(one), pair.translations[i]]);
  const { changes, next } = changesOf(explainer, args, pair, stateEdits(explainer, pair));
  return {
    giver: tokenEntries(giver),
    receiver: tokenEntries(receiver),
    read: tokenEntries(read),
    texts,
    token: token(explainer, tokens.chosen),
    instead_of: token(explainer, tokens.rival),
    differences: runs.map(({ difference }) => difference),
    changes,
    next,
    step: read.ids.length,
    partings: all.map(({ step, token: own, insteadOf }) => ({
      step: step + 1,
      token: token(explainer, own),
      instead_of: token(explainer, insteadOf),
    })),
  };
}

/** Each head at all positions, from number `first` on. @type {Question} */
export function transplantHeads(explainer, _, args) {
  const pair = pairOf(explainer, args);
  return changesOf(explainer, args, pair, headEdits(explainer, pair));
}

/** What each transplant adds to the receiver's difference; as many as there is time for.
 * @param {Explainer} explainer @param {import("./request.js").Arguments} args
 * @param {Contrast} pair @param {(() => Transplants)[]} edits */
function changesOf(explainer, args, pair, edits) {
  const [, receiver] = pair.runs;
  const { found, next } = turn(args, edits.length, ONE, (from) => {
    const { difference } = run(explainer, pair, pair.receiver.ids, edits[from](), receiver);
    return difference - receiver.difference;
  });
  return { changes: found, next };
}

/** A transplant of each state, encoder first, layer by layer. @param {Explainer} explainer
 * @param {Contrast} pair */
function stateEdits({ network: { config } }, { runs: [giver, receiver] }) {
  const stacks = /** @type {Stack[]} */ (["encoder", "decoder"]);
  const statesOf = (/** @type {Run} */ { encoded, record }, /** @type {Stack} */ stack) =>
    (stack === "encoder" ? encoded.record : record).states;
  return stacks.flatMap((stack) =>
    statesOf(receiver, stack).flatMap((own, layer, below) => {
      const given = statesOf(giver, stack)[layer];
      return Array.from({ length: own.length / config.d_model }, (_, position) => () => {
        const [from, to] = [position, position + 1].map((at) => at * config.d_model);
        const state = own.slice();
        state.set(given.subarray(from, to), from);
        return new Transplants(config, stack, [...below.slice(0, layer), state]);
      });
    }),
  );
}

/** A transplant of each head's context, in the order of the kinds. @param {Explainer} explainer
 * @param {Contrast} pair */
function headEdits({ network: { config } }, { runs: [giver, receiver] }) {
  return KINDS.flatMap((kind) => {
    const stack = kind === "encoder_self" ? "encoder" : "decoder";
    const [given, own] = [giver, receiver].map(({ encoded, record }) =>
      stack === "encoder" ? encoded.record : record,
    );
    return (kind === "cross" ? given.cross : given.self).flatMap((record, layer) => {
      const { kept } = new Edits({}, config).attention(kind, layer);
      const [heads, keys, width] = [kept.length, record.keys.length, record.keys[0].length];
      const queries = record.queries.length / width;
      const context = contextOf(record, { heads, queries, keys }, kept);
      const below = own.states.slice(0, layer + 1);
      return kept.map((_, head) => () => {
        const isOwn = (/** @type {number} */ i) =>
          Math.floor((i % width) / (width / heads)) === head;
        const into = (/** @type {Float32Array} */ x) =>
          x.map((one, i) => (isOwn(i) ? context[i] : one));
        return new Transplants(config, stack, below, { kind, layer, into });
      });
    });
  });
}

// ------------------------------------------------------------------- the two sentences

/** @param {Explainer} explainer @param {import("./request.js").Arguments} args */
function pairOf(explainer, args) {
  const { longest } = explainer.facts.constants.transplant;
  const texts = ["giver", "receiver"].map((name) => args.text(name, longest));
  const step = args.whole("step", 0, MAX_WRITTEN); // 0: where the two differ most
  args.whole("first", 0, END);
  const key = JSON.stringify(["contrast", texts, step]);
  return explainer.engine.remembered(key, () => contrast(explainer, texts, step));
}

/** @param {Explainer} explainer @param {string[]} texts @param {number} wanted step from 1, or 0
 * @returns {Contrast} */
function contrast(explainer, texts, wanted) {
  const { engine, sheet, facts } = explainer;
  const [giver, receiver] = texts.map((text) => engine.read(text));
  const [first, second] = [giver, receiver].map(({ ids }) => ids.length);
  if (first !== second) throw refusal("error.model.transplant_lengths", { first, second });
  const written = texts.map(
    (text) => explainer.explain(parse({ text, settings: {} }, sheet, facts)).trace.written,
  );
  const all = partings(explainer, texts, written);
  if (all.length === 0) throw refusal("error.model.transplant_same");
  const { ids } = written[1];
  const step = wanted ? wanted - 1 : all.reduce((a, b) => (b.way > a.way ? b : a)).step;
  if (step >= ids.length)
    throw refusal("error.model.transplant_step", { step: wanted, steps: ids.length });
  const chosen = all.find((one) => one.step === step)?.token ?? ids[step];
  const tokens = { chosen, rival: ids[step] };
  const agree = { piece: explainer.tokenizer.piece(chosen, "target"), step: step + 1 };
  if (chosen === ids[step]) throw refusal("error.model.transplant_agree", agree);
  const { read } = explainer.trace(texts[1], ids.slice(0, step + 1), {});
  const pair = { giver, receiver, read, tokens, all };
  const edits = new Edits({}, explainer.network.config);
  const runs = [giver, receiver].map((one) => run(explainer, pair, one.ids, edits));
  if (Math.abs(runs[0].difference - runs[1].difference) < MIN_DIFFERENCE)
    throw refusal("error.model.transplant_agree", agree);
  return { ...pair, translations: written.map(textOf), runs };
}

/** Every step at which the sentences lead to different tokens after the receiver's beginning: the
 * giver's is that of its search after the same beginning, elsewhere its most likely one.
 * @param {Explainer} explainer @param {string[]} texts @param {Tokens[]} written */
function partings({ engine, trace }, texts, [{ ids: own }, { ids }]) {
  const [a, b] = texts.map((text) => engine.logitsOf(trace(text, ids, {}).top));
  /** @type {Parting[]} */
  const found = [];
  let areSame = true;
  for (const [step, insteadOf] of ids.entries()) {
    const giver = /** @type {Float32Array} */ (a.next().value);
    const receiver = /** @type {Float32Array} */ (b.next().value);
    /** @type {boolean} */
    const isOwn = areSame && step < own.length;
    const best = giver.reduce((most, one, i) => (one > giver[most] ? i : most), 0);
    /** @type {number} */
    const chosen = isOwn ? own[step] : best;
    const way = giver[chosen] - giver[insteadOf] - (receiver[chosen] - receiver[insteadOf]);
    if (chosen !== insteadOf && Math.abs(way) >= MIN_DIFFERENCE)
      found.push({ step, token: chosen, insteadOf, way });
    areSame &&= own[step] === insteadOf;
  }
  return found;
}

/** A sentence after the beginning of the translation; `known`: its own run, for edits of it.
 * @param {Explainer} explainer @param {Pick<Contrast, "read"|"tokens">} pair
 * @param {number[]} ids @param {Edits} edits @param {Run} [known] @returns {Run} */
function run({ network }, { read, tokens }, ids, edits, known) {
  const isBelow = known && edits instanceof Transplants && edits.stack === "decoder";
  const encoded = isBelow ? known.encoded : network.encode(ids, edits);
  const state = isBelow ? known.state : network.start(encoded.memory, encoded.mask);
  const { x, record } = network.decode([read.ids], state, edits);
  const last = x.subarray(x.length - network.config.d_model);
  return { encoded, state, record, difference: differenceOf(network, tokens, last) };
}
