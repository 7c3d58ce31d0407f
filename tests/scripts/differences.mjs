// Reads pairs of texts or of lists of tokens as lines of JSON, and writes how they differ, for
// test_differences.py.

import process from "node:process";
import readline from "node:readline";
import { parts, tokenChanges } from "../../assets/kit/differences.js";

for await (const line of readline.createInterface({ input: process.stdin })) {
  const [first, second] = JSON.parse(line);
  const found =
    typeof first === "string" ? parts([...first], [...second]) : tokenChanges(second, first);
  process.stdout.write(`${JSON.stringify(found)}\n`);
}
