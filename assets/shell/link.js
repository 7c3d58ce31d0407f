// A link to the page's state: packed if long, with the name of the model.

import { LONGEST, shortened } from "./address.js";

const LONGEST_NAME = 120; // most characters of a model's name to read
const MOST = 200_000; // most characters in a packed link
const FORMAT = "deflate-raw";

/** @param {ReadableStream} stream @param {number} most */
async function gathered(stream, most) {
  const reader = stream.getReader();
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts);
    size += value.length;
    if (size > most) throw new Error("a packed link that holds too much");
    parts.push(value);
  }
}

const through = (
  /** @type {Blob} */ blob,
  /** @type {CompressionStream|DecompressionStream} */ stream,
) => gathered(blob.stream().pipeThrough(stream), MOST);

/** @param {string} query */
async function packed(query) {
  const blob = await through(new Blob([query]), new CompressionStream(FORMAT));
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const made = btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `packed=${made}`;
}

/** The query string in a link; empty if it cannot be read. @param {string} query */
export async function unpackedQuery(query) {
  const text = new URLSearchParams(query).get("packed");
  if (text === null) return query;
  try {
    const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return await (await through(new Blob([bytes]), new DecompressionStream(FORMAT))).text();
  } catch {
    return "";
  }
}

const nameOf = (/** @type {{name: string, revision: string|null}} */ { name, revision }) =>
  revision ? `${name}@${revision}` : name;

/**
 * The link to a query string, and the names of the choices that are too long for it.
 * @param {string} query @param {any} model
 */
export async function linkTo(query, model) {
  const { origin, pathname } = window.location;
  const full = `${query}&${new URLSearchParams({ made: nameOf(model) })}`;
  const base = `${origin}${pathname}?`;
  if (full.length <= LONGEST) return { link: base + full, left: [] };
  const short = await packed(full);
  if (short.length <= LONGEST) return { link: base + short, left: [] };
  const { query: rest, left } = shortened(full);
  return { link: base + rest, left };
}

/** Both models if a link was made with a different one from the current; else null.
 * @param {string} query @param {any} model */
export function otherModel(query, model) {
  const made = new URLSearchParams(query).get("made")?.slice(0, LONGEST_NAME) ?? null;
  const own = nameOf(model);
  return made === null || made === own ? null : { made, own };
}
