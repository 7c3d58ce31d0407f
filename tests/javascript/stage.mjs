// The page without a browser: its own templates and scripts in a window without a screen. Python
// (tests/stage.py) sends commands as lines of JSON, and answers the page's requests meanwhile.
//
// Each command ends when the page is at rest: no reply, script or frame is awaited any more, save
// replies that Python holds back. Time does not pass by itself.

import { once } from "node:events";
import { register } from "node:module";
import process from "node:process";
import readline from "node:readline";
import { pathToFileURL } from "node:url";
import { act, read, reveal } from "./hand.mjs";
import { pageImport } from "./modules.mjs";
import { Clock, media, openWindow, resize } from "./window.mjs";

const ROOT = pathToFileURL(`${process.argv[2]}/`).href;
const CALM = 4; // frames in a row without work
const PATIENCE = 20_000; // ms of real time until a page counts as stuck
const STEP = 8; // ms of real time for a frame while a script is awaited

register("./loader.mjs", import.meta.url);
const clock = new Clock();
const errors = [];
const { window, listening, real } = openWindow(clock, (message) => errors.push(message));
const pause = (ms) => new Promise((resolve) => real.setTimeout(resolve, ms));
const turn = () => new Promise((resolve) => setImmediate(resolve));

process.on("unhandledRejection", (error) => errors.push(String(error?.stack ?? error)));
for (const level of ["error", "warn"])
  console[level] = (...told) => errors.push(told.map((part) => part?.stack ?? part).join(" "));

/** Requests that Python has not answered yet, by number: the function that takes the reply. */
const asked = new Map();
const held = new Set();
let count = 0;
let page = null; // of the shell
let files = []; // that were saved
let clipboard = "";

const send = (message) => process.stdout.write(`${stringify(message)}\n`);

function ask(request, take) {
  count += 1;
  asked.set(count, take);
  send({ ask: count, ...request });
}

/** Python's reply to a request, or its word that the reply is held back. */
function answer({ to, ...reply }) {
  if (reply.held) return held.add(to);
  const take = asked.get(to);
  asked.delete(to);
  held.delete(to);
  take?.(reply);
}

/** Bytes that are being unpacked, off this thread. */
let unpacking = 0;
const UNPACKS = [
  [Response, ["arrayBuffer", "blob", "text", "json"]],
  [Blob, ["arrayBuffer", "text"]],
  [ReadableStreamDefaultReader, ["read"]],
];
for (const [{ prototype }, names] of UNPACKS)
  for (const name of names) {
    const plain = prototype[name];
    prototype[name] = function () {
      unpacking += 1;
      return plain.call(this).finally(() => {
        unpacking -= 1;
      });
    };
  }
const { parse, stringify } = JSON; // a test may plant a fault there

/** True while the page waits for something that will come without a visitor. */
function isWorking() {
  if (asked.size > held.size || unpacking > 0) return true;
  const { body } = window.document;
  const panel = body.querySelector(".hl-panel:not([hidden])");
  if (panel && !panel.querySelector(".hl-exhibit > *, .hl-failed")) return true;
  if (held.size > 0) return false;
  const waits = "busy" in body.dataset || "asking" in body.dataset;
  return waits || panel?.querySelector(".hl-pending[role=status], progress.hl-first") !== null;
}

/** Puts the clock forward until nothing is awaited. */
async function rest() {
  let until = real.performance.now() + PATIENCE;
  for (let [calm, seen] = [0, count]; calm < CALM; seen = count) {
    await turn();
    if (asked.size > held.size) until = real.performance.now() + PATIENCE; // Python's own time
    if (asked.size > held.size || unpacking > 0) await pause(0);
    else clock.tick();
    await turn();
    // A reply may come in the very turn of its request, and is then being unpacked.
    const isQuiet = count === seen && asked.size === held.size && unpacking === 0;
    // What the page shows is dear to look through: at the first calm frame and at the last.
    const isCalm = isQuiet && ((calm > 0 && calm < CALM - 1) || !isWorking());
    calm = isCalm ? calm + 1 : 0;
    if (!isCalm && asked.size === held.size && unpacking === 0) await pause(STEP);
    if (real.performance.now() > until) throw new Error(`no rest: ${stateOf()}`);
  }
}

const stateOf = () =>
  JSON.stringify({ ...window.document.body.dataset, asked: asked.size, held: held.size });

/** The page's own files and calls, which Python answers as the server does. */
function fetched(address, { body = null } = {}) {
  return new Promise((resolve) => {
    ask({ fetch: String(address), body }, ({ status = 200, text }) =>
      resolve(new Response(text, { status })),
    );
  });
}

/** A new visitor's window with a document in it. */
function begin({ html, query = "", viewport, locale, storage = {}, queries = [] }) {
  close();
  for (const text of queries) media.add(text);
  resize(window, viewport.width, viewport.height);
  Object.defineProperty(navigator, "language", { value: locale, configurable: true });
  Object.defineProperty(navigator, "clipboard", {
    value: {
      writeText: async (text) => {
        clipboard = text;
      },
    },
    configurable: true,
  });
  for (const [name, text] of Object.entries(storage)) window.localStorage.setItem(name, text);
  const { document } = window;
  document.body.innerHTML = html;
  window.happyDOM.setURL(`http://stage/${query}`);
  window.history.replaceState(null, "", `http://stage/${query}`);
  const imported = pageImport();
  shell = (name) => imported(`${ROOT}assets/shell/${name}.js`);
}
/** Imports one of the page's own scripts. */
let shell = null;

async function open({ facts, ...given }) {
  begin(given);
  const { channels, page: opened } = await shell("state");
  const { parsed } = await import(`${ROOT}assets/exchange/channel.js`);
  page = opened;
  for (const [name, channel] of Object.entries(channels)) {
    const take = ({ text, failed }) => (failed ? channel.fail() : channel.receive(parsed(text)));
    channel.connect((request) => ask({ channel: name, request }, take));
  }
  const { mount } = await shell("start");
  for (const [part, id] of Object.entries(PARTS))
    mount(part, document.getElementById(id), { props: {}, assets: ROOT });
  mount("page", document.createElement("div"), { props: { facts }, assets: ROOT, trigger() {} });
  await rest();
}

/** A document of its own, which one of the shell's scripts brings to life. */
async function openFile({ script, marks, ...given }) {
  begin(given);
  for (const mark of marks) window.document.body.setAttribute(mark, "");
  await shell(script);
  await rest();
}

/** The shell's parts and their places, as in the page with Gradio. */
const PARTS = {
  bar: "hl-top",
  sentence: "hl-middle",
  below: "hl-below",
  exhibits: "hl-exhibits",
  lesson: "hl-lesson",
};

function close() {
  Object.assign(JSON, { parse, stringify });
  for (const view of window.headlight?.mounted.values() ?? []) view?.end?.(); // null: it is grey
  listening.end();
  clock.clear();
  asked.clear();
  held.clear();
  errors.length = 0;
  files = [];
  clipboard = "";
  window.localStorage.clear();
  window.sessionStorage.clear();
  const { body, documentElement } = window.document;
  body.replaceChildren();
  for (const { name } of [...body.attributes]) body.removeAttribute(name);
  documentElement.removeAttribute("style");
  media.clear();
}

globalThis.fetch = window.fetch = fetched;
URL.createObjectURL = (blob) => {
  files.push({ blob });
  return `blob:${files.length}`;
};
URL.revokeObjectURL = () => {};
window.HTMLAnchorElement.prototype.click = function () {
  if (this.download) Object.assign(files.at(-1), { name: this.download });
  else this.dispatchEvent(new window.MouseEvent("click", { bubbles: true, cancelable: true }));
};

/** The files that were saved since the last call: their names and their bytes. */
async function saved() {
  const taken = files.splice(0).filter(({ name }) => name);
  const bytes = async ({ blob }) => Buffer.from(await blob.arrayBuffer()).toString("base64");
  return Promise.all(taken.map(async (file) => ({ name: file.name, bytes: await bytes(file) })));
}

async function run(script, given) {
  // biome-ignore lint/security/noGlobalEval: the tests' own scripts, as Playwright's `evaluate`
  const value = globalThis.eval(`(${script})`);
  const result = await (typeof value === "function" ? value(given) : value);
  return result === undefined ? null : result;
}

/** Time goes on while a script of the test waits for frames or timers. */
async function withTime(work) {
  let until = real.performance.now() + PATIENCE;
  let isOver = false;
  const over = Promise.resolve(work).finally(() => {
    isOver = true;
  });
  over.catch(() => {}); // it is awaited below
  for (await turn(); !isOver; await turn()) {
    if (asked.size > held.size) until = real.performance.now() + PATIENCE; // Python's own time
    if (asked.size > held.size || unpacking > 0) await pause(0);
    else clock.tick();
    if (real.performance.now() > until) throw new Error(`a script does not end: ${stateOf()}`);
  }
  return over;
}

const COMMANDS = {
  open,
  openFile,
  close,
  rest,
  saved,
  read: ({ path, what, given }) => read(window, path, what, given),
  reveal: ({ path }) => reveal(window, path),
  act: ({ path, what, given }) => withTime(act(window, path, what, given)),
  evaluate: ({ script, given }) => withTime(run(script, given)),
  holds: async ({ script, given }) => Boolean(await withTime(run(script, given))),
  errors: () => errors.splice(0),
  clipboard: () => clipboard,
  resize: ({ width, height }) => resize(window, width, height),
  media: ({ query, holds }) => (holds ? media.add(query) : media.delete(query)) && null,
  async pass({ ms }) {
    for (const end = clock.now + ms; clock.now < end; ) {
      clock.tick(Math.min(16, end - clock.now));
      await turn();
    }
  },
  history: ({ by }) => window.history.go(by),
};

/** The look of the page is for Python: a command that acts also waits for rest. */
const LOOKS = new Set(["read", "holds", "reveal", "errors", "clipboard", "close", "saved"]);

async function obey({ command, ...given }) {
  try {
    const value = (await COMMANDS[command](given)) ?? null;
    if (!LOOKS.has(command) && !given.restless) await rest();
    send({ done: value });
  } catch (error) {
    send({ failed: error.stack ?? String(error) });
  }
}

Object.defineProperty(globalThis, "headlight", { get: () => window.headlight });
Object.defineProperty(globalThis, "thePage", { get: () => page });
globalThis.module = (path) => import(`${ROOT}${path}`); // for the tests' own scripts
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = parse(line);
  if ("to" in message) answer(message);
  else obey(message);
});
await once(process.stdin, "end");
process.exit(); // whatever the page is still busy with: the tests have ended
