// Compares payloads and answers with the engine's own run in Node, for tests/parity/test_proof.py:
// reads {folder, tokenizers, thresholds, glossary, about, facts, cases: [{request, payloads}], asked:
// [{request, shown: [answer, ...]}]} from a file (`served`: the sheet of a server in `about`, and its
// weights in the folder), and writes a line of JSON for each case: for each
// payload {off, ties, count}, or {refused}; then one for each question: [{count, off, deviation}].

import { readFileSync } from "node:fs";
import { createExplainer } from "../../assets/engine/answers/explainer.js";
import { finish, openEngine, openServed } from "../../assets/engine/engine.js";
import { payloadOf } from "../../assets/engine/payload.js";
import { ask } from "../../assets/engine/questions.js";
import { GivenTokens } from "../../assets/engine/tokens.js";
import { decode } from "../../assets/kit/payload.js";
import { tokensShown } from "../../assets/shell/rerun.js";
import { compareAnswer } from "../../explorer/exhibits/proof/answers.js";
import { compare } from "../../explorer/exhibits/proof/compare.js";

const { folder, tokenizers, thresholds, glossary, about, cases, facts, asked, served } = JSON.parse(
  readFileSync(process.argv[2], "utf-8"),
);
const bytesOf = (/** @type {string} */ name) => {
  const { buffer, byteOffset, length } = readFileSync(`${folder}/${name}`);
  return buffer.slice(byteOffset, byteOffset + length);
};
const engine = served ? openServed(about, bytesOf("weights")) : openOwn();
const isGiven = engine.tokenizer instanceof GivenTokens;

function openOwn() {
  return openEngine({
    config: JSON.parse(readFileSync(`${folder}/config.json`, "utf-8")),
    weights: bytesOf("model.safetensors"),
    tokenizers: tokenizers.map(bytesOf),
    thresholds,
    glossary,
  });
}

/** The engine's own record, and its steps with equal candidates, beside a search. */
async function ownOf(request, shown) {
  const { steps } = shown.search;
  if (engine.tokenizer instanceof GivenTokens) engine.tokenizer.take(tokensShown(request, shown));
  engine.follow(
    request,
    steps.map(({ parents, ids }) => ({ parents, ids })),
  );
  const explanation = finish(engine.explain(request));
  const { ties } = explanation.search;
  return { own: await decode(await payloadOf(engine, explanation, about)), ties };
}

/** Runs that followed the same candidates are one. @type {Map<string, any>} */
const runs = new Map();

async function resultOf(request, payload) {
  try {
    const shown = await decode(payload);
    const { steps } = shown.search;
    const key = JSON.stringify([
      request,
      isGiven ? shown.src : 0,
      steps.map(({ parents, ids }) => [...parents, ...ids]),
    ]);
    if (!runs.has(key)) runs.set(key, await ownOf(request, shown));
    const { own, ties } = runs.get(key);
    const rows = compare(shown, own);
    const largest = Object.fromEntries(rows.map(({ name, deviation }) => [name, deviation]));
    const off = rows.filter((row) => row.off > 0).map(({ name }) => name);
    const first = rows.flatMap(({ differences }) => differences.slice(0, 3));
    return { off, ties, largest, first, count: rows.reduce((sum, { count }) => sum + count, 0) };
  } catch (error) {
    return { refused: error.stack };
  }
}

for (const { request, payloads } of cases) {
  const results = [];
  for (const payload of payloads) results.push(await resultOf(request, payload));
  process.stdout.write(`${JSON.stringify(results)}\n`);
}

const explainer = createExplainer(engine, { sheet: about, facts, open: async () => null });
for (const { request, shown } of asked) {
  const { question, arguments: args } = request;
  /** @type {Map<string, Promise<any>>} */
  const answers = new Map();
  const own = (/** @type {any} */ given) => {
    const key = JSON.stringify(given);
    if (!answers.has(key)) answers.set(key, ask(explainer, { ...request, arguments: given }));
    return /** @type {Promise<any>} */ (answers.get(key)).catch((error) => ({
      refused: error.key ?? error.stack,
    }));
  };
  const rows = [];
  for (const payload of shown) {
    const { count, off, deviation } = await compareAnswer({ question, args, payload }, own);
    rows.push({ count, off, deviation });
  }
  process.stdout.write(`${JSON.stringify(rows)}\n`);
}
