// The list of the views' questions that the engine answers, with their handlers. A test compares
// every answer that both can give (tests/parity/test_answers.py).
//
// Other questions need Python: the view that asks one says why (`Exhibit.away`).

import { bleu } from "./answers/bleu.js";
import { batch, equivariance, headsOff } from "./answers/changes.js";
import { nextToken, smoothing, times, vocabulary } from "./answers/decoding.js";
import {
  decoderLens,
  dropout,
  figure,
  lens,
  microscopeHead,
  near,
  positions,
  share,
  stream,
} from "./answers/layers.js";
import { LINES, lines } from "./answers/lines.js";
import { looks, looksWithout } from "./answers/looks.js";
import { Arguments, parse, refusal } from "./answers/request.js";
import { occlusion, summary } from "./answers/summaries.js";
import { toy, toyTable } from "./answers/toy.js";
import { transplant, transplantHeads } from "./answers/transplant.js";
import { why, whyOff } from "./answers/why.js";

import { glossed, textsOf } from "./gloss.js";

/** @typedef {import("./answers/explainer.js").Question} Question */

/** @typedef {import("./answers/explainer.js").Explainer} Explainer */

/** Constant for a model; explorer/publish.py computed the answers with Python. */
const known =
  (/** @type {string} */ name) =>
  (/** @type {any} */ { sheet }) =>
    sheet.answers[name];

/** @type {Record<string, (explainer: any, request: any, args: any) => any>} */
export const QUESTIONS = {
  anatomy: known("anatomy"),
  batch,
  bleu,
  catalogue: known("catalogue"),
  curves: known("curves"),
  decoder_lens: decoderLens,
  dropout,
  equivariance,
  figure,
  heads_off: headsOff,
  lens,
  lesson,
  looks,
  looks_without: looksWithout,
  microscope_head: microscopeHead,
  near,
  next_token: nextToken,
  occlusion,
  positions,
  schedule: known("schedule"),
  smoothing,
  stream,
  share,
  summary,
  times,
  toy,
  toy_table: toyTable,
  transplant,
  transplant_heads: transplantHeads,
  vocabulary,
  why,
  why_off: whyOff,
};

/**
 * The question of a lesson's step: its answer is stored, since the model is the same for everybody.
 * @type {Question}
 */
function lesson({ sheet }, _, args) {
  const steps = sheet.lessons[args.choice("lesson", Object.keys(sheet.lessons))];
  const found = steps[args.whole("step", 0, steps.length - 1)];
  if (found === null) throw refusal("error.request");
  return found;
}

/**
 * The answer to a question about the explanation of a request.
 * @param {Explainer} explainer @param {any} raw the request, as the page sends it
 */
export async function ask(explainer, { question, arguments: args = {}, ...raw }) {
  if (question === LINES) return lines(explainer, new Arguments(args));
  const { away } = explainer.facts;
  if (Object.hasOwn(away, question)) throw refusal(away[question]);
  if (!Object.hasOwn(QUESTIONS, question)) throw refusal("error.request");
  const request = parse(raw, explainer.sheet, explainer.facts);
  const answer = await settled(await QUESTIONS[question](explainer, request, new Arguments(args)));
  const { glossary } = explainer.engine;
  return glossary === null
    ? answer
    : glossed(answer, glossary, () => textsOf(explainer.explain(request).trace, glossary));
}

/** Resolves a value whose parts may be promises (packed arrays). @returns {Promise<any>} */
async function settled(/** @type {any} */ value) {
  const found = await value;
  if (Array.isArray(found)) return isPlain(found) ? found : Promise.all(found.map(settled));
  if (typeof found !== "object" || found === null) return found;
  const parts = Object.entries(found).map(async ([name, part]) => [name, await settled(part)]);
  return Object.fromEntries(await Promise.all(parts));
}

const isPlain = (/** @type {any[]} */ all) => all.every((one) => typeof one !== "object");
