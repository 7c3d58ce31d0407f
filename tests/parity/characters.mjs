// A line {texts, pieces} is answered with what the browser makes of each text: [visible,
// normalised, the plain form for a model with these pieces].

import { createInterface } from "node:readline";
import { normalise, plain, visible } from "../../assets/engine/characters.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { texts, pieces } = JSON.parse(line);
  const has = (/** @type {string} */ form) => pieces.includes(form);
  const all = texts.map((text) => [visible(text), normalise(text), plain(text, has)]);
  process.stdout.write(`${JSON.stringify(all)}\n`);
}
