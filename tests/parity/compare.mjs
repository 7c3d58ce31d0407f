// Compares payloads with the engine's own run in Node, for tests/parity/test_proof.py: reads {folder,
// tokenizers, thresholds, about, cases: [{request, payloads}]} from a file, and writes a line of JSON
// for each case: for each payload {off, count, tie}, or {refused}.

import { readFileSync } from "node:fs";
import { finish, openEngine } from "../../assets/engine/engine.js";
import { payloadOf } from "../../assets/engine/payload.js";
import { decode } from "../../assets/kit/payload.js";
import { compare } from "../../explorer/exhibits/proof/compare.js";

const { folder, tokenizers, thresholds, about, cases } = JSON.parse(
  readFileSync(process.argv[2], "utf-8"),
);
const bytesOf = (/** @type {string} */ name) => {
  const { buffer, byteOffset, length } = readFileSync(`${folder}/${name}`);
  return buffer.slice(byteOffset, byteOffset + length);
};
const engine = openEngine({
  config: JSON.parse(readFileSync(`${folder}/config.json`, "utf-8")),
  weights: bytesOf("model.safetensors"),
  tokenizers: tokenizers.map(bytesOf),
  thresholds,
});

async function found(payload, own) {
  try {
    const { rows, tie } = compare(await decode(payload), own);
    const off = rows.filter((row) => row.off > 0).map(({ name }) => name);
    return { off, tie, count: rows.reduce((sum, { count }) => sum + count, 0) };
  } catch (error) {
    return { refused: error.message };
  }
}

for (const { request, payloads } of cases) {
  const own = await decode(await payloadOf(engine, finish(engine.explain(request)), about));
  const all = await Promise.all(payloads.map((payload) => found(payload, own)));
  process.stdout.write(`${JSON.stringify(all)}\n`);
}
