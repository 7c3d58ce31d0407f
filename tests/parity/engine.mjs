// Runs the browser's engine in Node, for tests/parity/engine.py: a line {model: {folder, tokenizers,
// thresholds}} opens a model, and a line {request} is answered with {payload, raw} or {error}; a
// line {request, cells} with the parts of these scores, and each score without its parts `out`.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { passOf } from "../../assets/engine/answers/explainer.js";
import { look } from "../../assets/engine/answers/looks.js";
import { scoreWithout } from "../../assets/engine/answers/removal.js";
import { finish, openEngine } from "../../assets/engine/engine.js";
import { payloadOf } from "../../assets/engine/payload.js";

const ABOUT = { key: "", name: "tiny", revision: null, defaults: {}, examples: [] };
let engine = null;

const textOf = (/** @type {Float32Array} */ array) =>
  Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString("base64");
const joined = (/** @type {Float32Array[]} */ arrays) =>
  textOf(Float32Array.from(arrays.flatMap((one) => [...one])));

function open({ folder, tokenizers, thresholds }) {
  const bytesOf = (/** @type {string} */ name) => {
    const { buffer, byteOffset, length } = readFileSync(`${folder}/${name}`);
    return buffer.slice(byteOffset, byteOffset + length);
  };
  return openEngine({
    config: JSON.parse(readFileSync(`${folder}/config.json`, "utf-8")),
    weights: bytesOf("model.safetensors"),
    tokenizers: tokenizers.map(bytesOf),
    thresholds,
  });
}

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

/** The parts of some scores of a request's record. */
async function looks(request, cells) {
  const found = finish(engine.explain(request));
  const pass = passOf(found.trace, engine.network.config, found.edits.given);
  return cells.map(({ out, ...cell }) => {
    const { table, ...others } = look(engine, pass, cell);
    return { table: [...table], ...others, without: scoreWithout(engine, pass, cell, out) };
  });
}

for await (const line of createInterface({ input: process.stdin })) {
  const { model, request, cells } = JSON.parse(line);
  if (model) engine = open(model);
  const reply = model
    ? {}
    : await (cells ? looks(request, cells) : answer(request)).catch(
        ({ message, key, values, stack }) => ({
          error: { message, key, values, stack },
        }),
      );
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
