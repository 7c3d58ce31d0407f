// Opens a session saved as one file: the same page, with the file answering questions.

import { mount } from "./start.js";
import { channels, page } from "./state.js";

const ASSETS = "headlight/"; // prefix of the scripts' names, see explorer/saved.py
const PARTS = { bar: "hl-top", sentence: "hl-middle", below: "hl-below", exhibits: "hl-exhibits" };

const element = /** @type {HTMLElement} */ (document.querySelector("#headlight-session"));
const {
  words,
  shared,
  payload,
  answers,
  lines = {},
  lost = null,
} = JSON.parse(element.textContent ?? "");
Object.assign(page, { words, shared });
page.lines.set(lines);
page.lost.set(lost);

const isEqual = (/** @type {unknown} */ one, /** @type {unknown} */ other) =>
  JSON.stringify(one) === JSON.stringify(other);
/** True if every given field is as in `whole`. */
const isPart = (/** @type {any} */ given, /** @type {any} */ whole) =>
  Object.entries(given).every(([name, value]) => isEqual(value, whole[name]));

/** True for the same explanation as the saved one. @param {any} request */
const isSaved = ({ text, shown, prefix, node, begin, settings, interventions }) =>
  isEqual(
    [text, shown, prefix, node],
    [payload.text, payload.shown, payload.prefix, payload.node],
  ) &&
  begin === "" &&
  isPart(settings, payload.settings) &&
  isPart(interventions, payload.interventions);

/** @param {any} request */
function payloadFor({ question, arguments: args, ...request }) {
  if (!isSaved(request)) return null;
  if (question === undefined) return payload;
  const found = answers.find(
    (/** @type {any} */ one) => one.question === question && isPart(one.when, args),
  );
  return found?.payload ?? null;
}

for (const channel of Object.values(channels)) {
  channel.connect((/** @type {any} */ request) => {
    const found = payloadFor(request);
    const reply = found ? { payload: found } : { message: words["saved.missing"] };
    channel.receive({ number: request.number, ...reply });
  });
}

for (const [part, id] of Object.entries(PARTS)) {
  mount(part, document.getElementById(id), { props: {}, assets: ASSETS });
}
mount("page", document.createElement("div"), { props: { facts: shared }, assets: ASSETS });
