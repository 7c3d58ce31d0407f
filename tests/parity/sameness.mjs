// Runs the browser's engine in Node, for bench/sameness.py: reads {folder, tokenizers, requests}
// from a file, and writes a line of JSON for each request: its tokens, hypotheses and attention.

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { finish, openEngine } from "../../assets/engine/engine.js";

const { folder, tokenizers, requests } = JSON.parse(readFileSync(process.argv[2], "utf-8"));

const bytesOf = (/** @type {string} */ name) => {
  const { buffer, byteOffset, length } = readFileSync(`${folder}/${name}`);
  return buffer.slice(byteOffset, byteOffset + length);
};
const textOf = (/** @type {Float32Array[]} */ arrays) =>
  Buffer.concat(
    arrays.map((one) => Buffer.from(one.buffer, one.byteOffset, one.byteLength)),
  ).toString("base64");

const engine = openEngine({
  config: JSON.parse(readFileSync(`${folder}/config.json`, "utf-8")),
  weights: bytesOf("model.safetensors"),
  tokenizers: tokenizers.map(bytesOf),
  thresholds: null,
});

function answer(request) {
  const { src, search, trace } = finish(engine.explain(request));
  const kinds = Object.entries(trace.attention);
  return {
    source: src.ids,
    hypotheses: search.hypotheses.map(({ ids }) => ids),
    // The sums of the hypotheses, then each token of the best one.
    log_probs: [
      ...search.hypotheses.map(({ log_prob }) => log_prob),
      ...trace.steps.map(({ logProb }) => logProb),
    ],
    attention: Object.fromEntries(
      kinds.map(([kind, layers]) => [kind, textOf(layers.map(({ weights }) => weights))]),
    ),
  };
}

// Written no faster than it is read.
for (const request of requests) {
  const hasRoom = process.stdout.write(`${JSON.stringify(answer(request))}\n`);
  if (!hasRoom) await once(process.stdout, "drain");
}
