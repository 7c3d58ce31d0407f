// The scripts of a page. The kit and the views keep no state of their own, so that all pages share
// them; each page gets the shell's anew, as a reload in a browser does. Those are read as functions,
// which take what they import and return what they export: a module stays in memory for ever once it
// was imported, and is compiled again for each page.

import { readFileSync } from "node:fs";
import { addressOf } from "./loader.mjs";

const OWN = /\/assets\/(?:shell|exchange)\//;
const IMPORT = /^import (?:\{([^}]*)\} from )?"([^"]+)";/gm;
const EXPORT = /^export ((?:async )?function|const|class) (?:(\w+)|(\{ [\w, ]+ \}))/gm;
const known = new Map(); // by address: a function, or what a module of all pages exports
const reading = new Map(); // by address: the promise that it is known, with all that it imports

/** @returns {(address: string) => Promise<any>} imports for one page */
export function pageImport() {
  const own = new Map(); // by address: what the page's own modules export
  function begin(address) {
    if (!OWN.test(address)) return known.get(address);
    if (!own.has(address)) {
      const load = (specifier) => imported(addressOf(specifier, address));
      own.set(address, known.get(address)(begin, load, { url: address }));
    }
    return own.get(address);
  }
  async function imported(address) {
    await read(address);
    return begin(address);
  }
  return imported;
}

function read(address) {
  if (!reading.has(address))
    reading.set(address, OWN.test(address) ? readOwn(address) : readShared(address));
  return reading.get(address);
}

const readShared = async (address) => known.set(address, await import(address));

async function readOwn(address) {
  const [needs, exported] = [[], []];
  const body = readFileSync(new URL(address), "utf8")
    .replaceAll(IMPORT, (_, names = "", specifier) => {
      needs.push(addressOf(specifier, address));
      return `const {${names.replaceAll(" as ", ": ")}} = $begin("${needs.at(-1)}");`;
    })
    .replaceAll(EXPORT, (_, kind, name, all) => {
      exported.push(name ?? all.slice(1, -1));
      return `${kind} ${name ?? all}`;
    })
    .replaceAll("import(", "$load(")
    .replaceAll("import.meta", "$meta");
  const code = `"use strict"; ${body}\nreturn { ${exported} };\n//# sourceURL=${address}`;
  known.set(address, new Function("$begin", "$load", "$meta", code));
  await Promise.all(needs.map(read));
}
