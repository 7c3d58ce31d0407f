// Answers to the questions of views, Python's and the browser's, prepared for comparison.

import { unpack } from "../../../assets/kit/packing.js";

const PACKED = "eJ"; // prefix of packed numbers: deflate, in base64
const TYPES = {
  parents: Int32Array,
  ids: Int32Array,
  fates: Uint8Array,
  forced: Uint8Array,
  mask: Uint8Array,
};
const TIMED = ["seconds", "next"]; // times, and the progress of a reply within its time
const TURNS = ["changes", "heads", "outcomes", "drawn"]; // as many as time allowed

/** Both answers with their numbers unpacked and without anything that depends on a clock.
 * @param {{question: string, args: any, shown: any, own: any}} given */
export async function openAnswer({ question, args, shown, own }) {
  const [one, other] = await Promise.all([opened(shown), opened(own)]);
  for (const name of TURNS) {
    if (!Array.isArray(one[name]) || !Array.isArray(other[name])) continue;
    const most = Math.min(one[name].length, other[name].length);
    [one[name], other[name]] = [one[name].slice(0, most), other[name].slice(0, most)];
  }
  return { name: `${question} ${JSON.stringify(args)}`, shown: one, own: other };
}

async function opened(/** @type {any} */ value, name = "") {
  if (typeof value === "string" && value.startsWith(PACKED)) return unpacked(value, name);
  if (Array.isArray(value)) return Promise.all(value.map((one) => opened(one, name)));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !TIMED.includes(key));
  const parts = kept.map(async ([key, one]) => [key, await opened(one, key)]);
  return Object.fromEntries(await Promise.all(parts));
}

/** The numbers packed in a text; the text itself if there are none. */
async function unpacked(/** @type {string} */ text, /** @type {string} */ name) {
  try {
    return await unpack(text, TYPES[name] ?? Float32Array);
  } catch {
    return text;
  }
}
