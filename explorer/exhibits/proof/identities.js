// All identities of the proof, in the order of the page. Pure functions.

import {
  KINDS,
  layerResults,
  layersAreLinked,
  masksFollowRules,
  rowsSumToOne,
} from "./attention.js";
import { bestAreCandidates, drawsAreTheSeeds, topIsInOrder } from "./choices.js";
import { doubtFollows } from "./doubt.js";
import { droppedScoreLower, listIsFull, stopsByRule } from "./ending.js";
import { layersOf } from "./evidence.js";
import {
  entropyIsTheLogits,
  inputsAddUp,
  logitsGiveLogProbs,
  positionsAreTheFormula,
} from "./model.js";
import { LEFT_OUT, worst } from "./result.js";
import {
  candidatesAreTheModels,
  fatesFollowRule,
  scoresAddUp,
  stepwiseIsForced,
  totalsAddUp,
} from "./search.js";
import {
  hypothesesAreTheirPaths,
  labelsAreTheVocabulary,
  piecesMakeTexts,
  readIsStartAndWritten,
} from "./tokens.js";

export { KINDS };

/** @typedef {import("./evidence.js").Evidence} Evidence */
/** @typedef {import("./result.js").Result} Result */

/**
 * The identities that need only the record. @param {any} record @returns {Record<string, Result>}
 */
export const recordProves = (record) => ({
  tokens: piecesMakeTexts(record),
  rows: rowsSumToOne(record),
  masks: masksFollowRules(record),
  order: topIsInOrder(record),
  totals: totalsAddUp(record),
  score: scoresAddUp(record),
  list: listIsFull(record),
  dropped: droppedScoreLower(record),
});

/**
 * One result for each identity; null while its evidence is missing.
 * @param {any} record @param {Evidence} evidence
 * @param {Map<string, Record<string, Result>>} layers the Results of each sub-layer
 * @param {Record<string, Result>} alone the Results of the record alone
 * @returns {Record<string, Result|null>}
 */
export function prove(record, evidence, layers, alone = recordProves(record)) {
  const { rules, inputs, words, steps } = evidence;
  const hasWords = words.target.size > 0;
  const isComplete = layers.size === layersOf(record).length;
  const hasSteps = steps.length >= record.steps.length;
  const of = (name) => [...layers.values()].map((one) => one[name]);
  const missing = evidence.isKept ? LEFT_OUT : null;
  const whenComplete = (make) => (isComplete ? worst(make()) : missing);
  return {
    tokens: alone.tokens,
    labels: hasWords ? labelsAreTheVocabulary(record, words) : null,
    read: rules && readIsStartAndWritten(record, rules),
    positions: inputs && positionsAreTheFormula(inputs, record),
    inputs: inputs && hasWords ? inputsAddUp(inputs, record, words) : null,
    rows: alone.rows,
    masked: whenComplete(() => [alone.masks, ...of("masked")]),
    made: whenComplete(() => [...of("made"), layersAreLinked(evidence.layers, inputs)]),
    weights: whenComplete(() => of("weights")),
    output: whenComplete(() => of("output")),
    after: whenComplete(() => of("after")),
    order: alone.order,
    logits: hasSteps ? logitsGiveLogProbs(record, steps, words.target) : missing,
    entropy: hasSteps ? entropyIsTheLogits(record, steps) : missing,
    stepwise: rules && stepwiseIsForced(record, rules.shared),
    candidates: evidence.isWhole ? candidatesAreTheModels(record, evidence.following) : missing,
    best: rules && (hasSteps || evidence.isKept) ? bestAreCandidates(record, steps, rules) : null,
    draw: rules && hasSteps ? drawsAreTheSeeds(record, steps, rules) : missing,
    totals: alone.totals,
    score: alone.score,
    fates: rules && fatesFollowRule(record, rules),
    list: alone.list,
    dropped: alone.dropped,
    stop: rules && stopsByRule(record, rules),
    texts: rules && hasWords ? hypothesesAreTheirPaths(record, words.target, rules) : null,
    doubt: rules && doubtFollows(record, rules),
  };
}

/** The Results of each sub-layer of the evidence. @param {any} record @param {Evidence} evidence */
export const layersProve = (record, { layers }) =>
  new Map(
    [...layers].map(([name, numbers]) => {
      const [kind, index] = name.split(" ");
      return [name, layerResults(record, kind, Number(index), numbers)];
    }),
  );
