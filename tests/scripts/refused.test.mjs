// A refusal of the engine in a page without a server, as Python would word it.

import { assert, test } from "./check.mjs";

const { openChannels } = await import("../../assets/shell/engine.js");
const { channels, page } = await import("../../assets/shell/state.js");

/** What the page hears of a refusal. */
function heard(refusal) {
  const [name] = Object.keys(channels);
  let found = null;
  channels[name] = { ...channels[name], receive: (reply) => (found = reply) };
  Object.assign(page.shared, { lacking: [] });
  const word = { en: "begin with {codes}", zh: "开头：{codes}" };
  page.words = {
    "error.model.no_language": word,
    "error.input": { en: "{message}", zh: "{message}" },
  };
  const port = { postMessage: () => {}, onmessage: null };
  openChannels(port, {}, {});
  port.onmessage({ data: { kind: "reply", channel: name, reply: { number: 1, refusal } } });
  return found.message;
}

test("a text without a language is refused with all that it may begin with", () => {
  const choices = [">>fra<<", ">>deu<<", ">>zho<<"];
  const values = { codes: ">>fra<<, ...", choices };
  const message = heard({ key: "no_language", message: "", values });
  assert.deepEqual(message.choices, choices);
  assert.equal(message.en, "begin with >>fra<<, ...");
});

test("other refusals offer nothing to begin with", () => {
  const message = heard({ key: null, message: "No.", values: {} });
  assert.deepEqual(message, { en: "No.", zh: "No." });
});
