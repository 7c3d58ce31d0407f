// A line {words, values, table} is answered with {forms, told}: the key and the parts of each word,
// and the values with what their labels stand for.

import { createInterface } from "node:readline";
import { base, parts } from "../../assets/engine/english.js";
import { glossed } from "../../assets/engine/gloss.js";

const page = () => ({ source: [], target: [] });

for await (const line of createInterface({ input: process.stdin })) {
  const { words, values, table } = JSON.parse(line);
  const forms = words.map((/** @type {string} */ word) => [base(word, table.forms), parts(word)]);
  const told = values.map((/** @type {any} */ value) => glossed(value, table, page));
  process.stdout.write(`${JSON.stringify({ forms, told })}\n`);
}
