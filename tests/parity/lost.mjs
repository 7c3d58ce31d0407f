// A line {table, texts} is answered with the words that each translation lost: its source, itself
// and its own translation, by the table of glosses of the way back.

import { createInterface } from "node:readline";
import { lost } from "../../assets/engine/lost.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { table, texts } = JSON.parse(line);
  const all = texts.map((/** @type {string[]} */ [source, translation, back]) =>
    lost(source, translation, back, table).map(({ text, begin, end }) => [text, begin, end]),
  );
  process.stdout.write(`${JSON.stringify(all)}\n`);
}
