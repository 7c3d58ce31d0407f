// Answers requests of the page with the engine in Node, for tests/parity/test_answers.py: reads
// {site, requests} from a file, and writes a line of JSON for each request.

import { readFileSync } from "node:fs";
import { createAnswerer } from "../../assets/engine/answering.js";

const { site, requests } = JSON.parse(readFileSync(process.argv[2], "utf-8"));
const page = readFileSync(`${site}/index.html`, "utf-8");
const [, told] = page.match(/<script type="application\/json"[^>]*>(.*?)<\/script>/);
const facts = JSON.parse(told);

const filesOf = (key) => async (name) => {
  const file = readFileSync(`${site}/${facts.published.models[key].folder}/${name}`);
  return file.buffer.slice(file.byteOffset, file.byteOffset + file.length);
};
const { reply } = createAnswerer(facts, filesOf);

for (const request of requests) process.stdout.write(`${JSON.stringify(await reply(request))}\n`);
