// The page's channels to the engine of the browser, where there is no server: assets/engine/
// answering.js is at the other end of `port`, in a worker or in the page itself.

import { fill } from "../kit/page.js";
import { channels, ofLines, page } from "./state.js";

const MEGABYTE = 1e6;

/** Says that the model did not come. */
export const unloaded = () => page.say({ words: "published.failed" });

/**
 * Opens the channels; a model is loaded when a request first needs it.
 * @param {Worker|MessagePort} port
 * @param {any} facts the page's
 * @param {Record<string, Record<string, string>>} folders by a model's key: the addresses of its
 *   files
 */
export function openChannels(port, facts, folders) {
  /** @type {Record<string, import("./state.js").Channel>} */
  const all = { ...channels, lines: ofLines };
  /** @type {import("../kit/types.js").Message|null} */
  let said = null; // of what is arriving
  port.onmessage = (/** @type {MessageEvent<any>} */ { data }) => {
    if (data.kind === "reply") {
      if (page.message.get() === said) page.say(null);
      return all[data.channel].receive(worded(data.reply));
    }
    said = loading(data);
    page.say(said);
    for (const channel of Object.values(all)) channel.keepWaiting(true);
  };
  port.postMessage({ kind: "begin", facts, folders });
  for (const [channel, { connect }] of Object.entries(all))
    connect((/** @type {any} */ request) => port.postMessage({ kind: "ask", channel, request }));
}

/** A reply as Python would word it: see explorer/exchange/reply.py. */
function worded(/** @type {any} */ { number, payload, refusal }) {
  if (payload) return { number, payload };
  const { key, message, values } = refusal;
  const named = [key, `error.model.${key}`].find((name) => name in page.words);
  const word = page.words[named ?? "error.input"];
  const given = named ? values : { message };
  const setting = page.words[`settings.${values.name}`];
  const inChinese = setting ? { ...given, name: `“${setting.zh}”` } : given;
  const isAway = Boolean(key?.startsWith("published.") || page.shared.lacking.includes(key));
  const sentence = { en: fill(word.en, given), zh: fill(word.zh, inChinese) };
  const { choices } = values; // what a text may begin with: the page offers the whole list
  return { number, message: choices ? { ...sentence, choices } : sentence, isAway };
}

const loading = (/** @type {{done: number, all: number}} */ { done, all }) => ({
  words: "published.loading",
  values: { done: (done / MEGABYTE).toFixed(1), all: (all / MEGABYTE).toFixed(1) },
  isWork: true,
});
