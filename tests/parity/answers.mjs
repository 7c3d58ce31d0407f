// Answers requests of the page with the engine in Node, for tests/parity/test_answers.py: the first
// line is {site}, and each line after it a request, which is answered with a line.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { createAnswerer } from "../../assets/engine/answering.js";

let answerer = null;

function open(/** @type {string} */ site) {
  const page = readFileSync(`${site}/index.html`, "utf-8");
  const [, written] = page.match(/<script type="application\/json"[^>]*>(.*?)<\/script>/);
  const facts = JSON.parse(written);
  const filesOf = (key) => async (name) => {
    const file = readFileSync(`${site}/${facts.published.models[key].files[name]}`);
    return file.buffer.slice(file.byteOffset, file.byteOffset + file.length);
  };
  return createAnswerer(facts, filesOf);
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.site) answerer = open(message.site);
  const reply = message.site ? {} : await answerer.reply(message);
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
