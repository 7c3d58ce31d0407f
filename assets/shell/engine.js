// The page's channels to the engine of the browser, where there is no server: assets/engine/
// answering.js is at the other end of `port`, in a worker or in the page itself.

import { fill } from "../kit/page.js";
import { channels, page } from "./state.js";

const MEGABYTE = 1e6;

/** Says that the model did not come. */
export const unloaded = () => page.say({ words: "published.failed" });

/**
 * Loads the model; the channels open when it is there.
 * @param {Worker|MessagePort} port
 * @param {any} facts the page's
 * @param {Record<string, Record<string, string>>} folders by a model's key: the addresses of its
 *   files
 * @param {() => void} [opened]
 */
export function openChannels(port, facts, folders, opened = () => {}) {
  port.onmessage = (/** @type {MessageEvent<any>} */ { data }) => {
    if (data.kind === "reply") channels[data.channel].receive(worded(data.reply));
    else if (data.kind === "loading") page.say(loading(data));
    else if (data.kind === "failed") unloaded();
    else {
      page.say(null);
      for (const [channel, { connect }] of Object.entries(channels))
        connect((/** @type {any} */ request) =>
          port.postMessage({ kind: "ask", channel, request }),
        );
      opened();
    }
  };
  port.postMessage({ kind: "begin", facts, folders });
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
