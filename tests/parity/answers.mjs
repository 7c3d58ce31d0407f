// Answers requests of the page with the engine in Node, for tests/parity/test_answers.py: a line
// {site} opens a folder ({facts} instead of its page's), each line after it is a request, which is
// answered with a line; {tokens: text, side} asks for the tokens of a text alone, {file, texts} for
// what a tokenizer.json cuts.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { createAnswerer } from "../../assets/engine/answering.js";
import { LibraryCutter } from "../../assets/engine/cutters.js";
import * as library from "../../assets/vendor/tokenizers.js";

let answerer = null;
let own = ""; // the key of the default model

function factsOf(/** @type {string} */ site) {
  const page = readFileSync(`${site}/index.html`, "utf-8");
  const [, written] = page.match(/<script type="application\/json"[^>]*>(.*?)<\/script>/);
  return JSON.parse(written);
}

function open({ site, facts = factsOf(site) }) {
  const filesOf = (key) => async (name) => {
    const file = readFileSync(`${site}/${facts.published.models[key].files[name]}`);
    return file.buffer.slice(file.byteOffset, file.byteOffset + file.length);
  };
  own = facts.models[0].key;
  return createAnswerer(facts, filesOf);
}

async function tokensOf({ tokens, side }) {
  const { explainer } = await answerer.modelOf(own);
  try {
    const { characters, ids, pieces, spans } = explainer.tokenizer[side](tokens);
    return { text: characters.join(""), ids, pieces, spans };
  } catch ({ key, values, message }) {
    return { key, values, message };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.site) answerer = open(message);
  const reply = message.site
    ? {}
    : message.file
      ? message.texts.map((text) => new LibraryCutter(library, message.file).cut(text))
      : "tokens" in message
        ? await tokensOf(message)
        : await answerer.reply(message);
  process.stdout.write(`${JSON.stringify(reply)}\n`);
}
