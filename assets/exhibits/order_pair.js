// Two sentences of the same words in another order: does the model still tell them apart?

import { element } from "../elements.js";
import { signedText } from "../numbers.js";
import { record } from "../state.js";
import { question } from "../wire.js";
import { langOf, language, t } from "../words.js";

const PAIRS = { dog: "The dog bit the man. / The man bit the dog.", tom: "Tom loves Mary. / Mary loves Tom." };

export function createPair() {
  const heading = element("h3");
  const said = element("p", { class: "hl-note" });
  const buttons = Object.entries(PAIRS).map(([name, words]) => element("button", {
    type: "button", class: "hl-quiet-button", "data-pair": name, lang: "en", onclick: () => send(name),
  }, words));
  const table = element("div", { "aria-live": "polite" });
  const node = element("section", { id: "hl-order-pair" }, heading, said, ...buttons, table);
  let answer = null;
  let told = () => {};

  async function send(pair) {
    if (record.get() === null || record.get().recorded) return;
    answer = { waiting: true };
    told();
    try {
      const reply = await question("pair", { pair });
      if (reply === null) return;
      answer = reply;
    } catch (error) {
      answer = { trouble: error.sentence ?? null };
    }
    told();
  }

  function draw() {
    heading.textContent = t("order.pair");
    said.textContent = t("order.pair.said");
    if (answer === null) return;
    if (answer.waiting) table.replaceChildren(element("p", { class: "hl-note" }, t("order.waiting")));
    else if (answer.sentences) table.replaceChildren(...tableOf(answer.sentences));
    else table.replaceChildren(element("p", {}, answer.trouble?.[language.get()] ?? ""));
  }

  return { node, draw, onAnswer: (listener) => { told = listener; } };
}

function tableOf(sentences) {
  const cell = ({ text, log_prob: logProb }) => element("td", { lang: langOf(text) }, text, element("small", {}, signedText(logProb)));
  const verdict = (name) => (sentences[0][name].text === sentences[1][name].text ? "alike" : "other");
  const [kept, none] = ["kept", "none"].map(verdict);
  return [
    element("table", { class: "hl-order-pairs" },
      element("thead", {}, element("tr", {}, element("td", {}), ...sentences.map(({ text }) => element("th", { scope: "col", lang: "en" }, text)))),
      element("tbody", {}, ...["kept", "none"].map((name) => element("tr", { "data-row": name },
        element("th", { scope: "row" }, t(`order.pair.${name}`)), ...sentences.map((one) => cell(one[name])))))),
    element("p", { class: "hl-note", "data-verdict": `${kept} ${none}` }, `${t(`order.pair.kept.${kept}`)} ${t(`order.pair.none.${none}`)}`),
  ];
}
