// Runs the browser's engine in Node, for tests/parity/test_engine.py: reads {model, requests} from a
// file, and writes a line of JSON for each request: {payload, raw} or {error}.

import { readFileSync } from "node:fs";
import { finish, openEngine } from "../../assets/engine/engine.js";
import { payloadOf } from "../../assets/engine/payload.js";

const ABOUT = { key: "", name: "tiny", revision: null, defaults: {}, examples: [] };
const { folder, tokenizers, thresholds, requests } = JSON.parse(
  readFileSync(process.argv[2], "utf-8"),
);

const bytesOf = (/** @type {string} */ name) => {
  const { buffer, byteOffset, length } = readFileSync(`${folder}/${name}`);
  return buffer.slice(byteOffset, byteOffset + length);
};
const textOf = (/** @type {Float32Array} */ array) =>
  Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString("base64");
const joined = (/** @type {Float32Array[]} */ arrays) =>
  textOf(Float32Array.from(arrays.flatMap((one) => [...one])));

const engine = openEngine({
  config: JSON.parse(readFileSync(`${folder}/config.json`, "utf-8")),
  weights: bytesOf("model.safetensors"),
  tokenizers: tokenizers.map(bytesOf),
  thresholds,
});

async function answer(request) {
  const found = finish(engine.explain(request));
  const { attention, encoderStates, decoderStates } = found.trace;
  const weights = Object.entries(attention).map(([kind, layers]) => [
    kind,
    joined(layers.map((layer) => layer.weights)),
  ]);
  return {
    payload: await payloadOf(engine, found, ABOUT),
    raw: {
      ...Object.fromEntries(weights),
      encoder_states: joined(encoderStates),
      decoder_states: joined(decoderStates),
    },
  };
}

for (const request of requests) {
  const line = await answer(request).catch(({ message, key, values, stack }) => ({
    error: { message, key, values, stack },
  }));
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
