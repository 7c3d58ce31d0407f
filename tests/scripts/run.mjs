// Runs files of tests, each named in a line of the input, and writes the results of each as a line.
// They have a window without a screen, whose clock runs while a test waits.

import { register } from "node:module";
import process from "node:process";
import readline from "node:readline";
import { Clock, openWindow } from "../javascript/window.mjs";

register("../javascript/loader.mjs", import.meta.url);
const clock = new Clock();
const errors = [];
openWindow(clock, (message) => errors.push(message));
const { run } = await import("./check.mjs");

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** What a promise comes to, the clock put forward until then. */
async function passing(promise) {
  let isOver = false;
  const end = promise.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    clock.tick(1);
    await turn();
  }
  return end;
}

for await (const name of readline.createInterface({ input: process.stdin })) {
  await passing(import(new URL(name, import.meta.url)));
  const results = await passing(run());
  for (const error of errors.splice(0)) results.push({ name: "reported", error });
  process.stdout.write(`${JSON.stringify(results)}\n`);
}
