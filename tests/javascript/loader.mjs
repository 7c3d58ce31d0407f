// Each page that a test opens gets the shell's modules anew, as a reload in a browser does: the
// number of the page goes from an import to what it imports. The kit and the views keep no state of
// their own, so that all pages share them. "/assets/..." is a file of this repository, as on the page,
// and so is "headlight/assets/...", as scripts are called in a saved file (explorer/saved.py).

import { readFile } from "node:fs/promises";

const ROOT = new URL("../../", import.meta.url);
const FOLDERS = ["assets/", "explorer/"].map((name) => new URL(name, ROOT).pathname);
const isPages = (path) => FOLDERS.some((folder) => path.startsWith(folder));
const OWN = /\/assets\/(?:shell|exchange)\//;
const sources = new Map(); // by path: hundreds of pages have the same

export async function resolve(specifier, context, next) {
  const from = context.parentURL ?? "file:///";
  const [, rooted] = /^(?:\/|headlight\/)((?:assets|explorer)\/.*)/.exec(specifier) ?? [];
  const place = rooted
    ? new URL(rooted, ROOT)
    : /^[.f]/.test(specifier) && new URL(specifier, from);
  if (!place || !isPages(place.pathname)) return next(specifier, context);
  const number = new URL(from).searchParams.get("page");
  if (number !== null && OWN.test(place.pathname) && !place.search) place.search = `page=${number}`;
  return { url: place.href, format: "module", shortCircuit: true };
}

export async function load(url, context, next) {
  const { pathname } = new URL(url);
  if (!isPages(pathname)) return next(url, context);
  if (!sources.has(pathname))
    sources.set(pathname, await readFile(new URL(pathname, ROOT), "utf8"));
  return { source: sources.get(pathname), format: "module", shortCircuit: true };
}
