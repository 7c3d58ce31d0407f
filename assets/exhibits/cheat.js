// The decoder cheats: four decoders on the same tokens, one of them trained without the mask.

import { element, whenChanged } from "../elements.js";
import { percentText, signedText } from "../numbers.js";
import { drawInPanel, room } from "../panel.js";
import { choose, record, selection } from "../state.js";
import { createStore } from "../store.js";
import { langOf, language, number, t } from "../words.js";
import { question } from "../wire.js";

const DECODERS = ["shipped", "unmasked", "cheater", "blindfold"];
const found = createStore(null); // Python's answer, or {sentence} where there is none

export function mount(root) {
  const wanted = whenChanged();
  drawInPanel(root, [record, language, found], () => {
    const shown = record.get();
    if (shown === null || shown.recorded) return;
    room(root.querySelector(".hl-cheat"));
    if (wanted(shown)) get();
    if (found.get() !== null) draw(root, shown, found.get());
  });
}

async function get() {
  found.set(null);
  const answer = await question("cheat").catch((error) => ({ sentence: error.sentence ?? null }));
  if (answer !== null) found.set(answer);
}

function draw(root, shown, answer) {
  const says = root.querySelector("#hl-cheat-says");
  const table = root.querySelector("#hl-cheat-table");
  if ("sentence" in answer) {
    says.textContent = answer.sentence?.[language.get()] ?? t("error.unreachable");
    table.replaceChildren();
    return;
  }
  if (answer.shipped.length !== shown.tgt_out.length) return; // about another sentence
  says.textContent = t("cheat.says", Object.fromEntries(DECODERS.map((name) => [name, percentText(mean(answer[name]))])));
  table.replaceChildren(head(), body(shown, answer), foot(answer));
}

// The mean of the probabilities of some log-probs.
export const mean = (logProbs) => logProbs.reduce((sum, x) => sum + Math.exp(x), 0) / logProbs.length;

const head = () => element("thead", {}, element("tr", {}, element("th", { scope: "col" }, t("cheat.token")),
  ...DECODERS.map((name) => element("th", { scope: "col" }, t(`cheat.${name}`)))));

function body(shown, answer) {
  const { step } = selection.get();
  return element("tbody", {}, ...shown.tgt_out.map((label, i) => element("tr", { class: i === step ? "hl-chosen" : "" },
    element("td", {}, element("button", { type: "button", "aria-pressed": String(i === step), onclick: () => choose({ step: i }) }, number(i)),
      element("span", { class: `hl-token hl-${label.kind}`, lang: langOf(label.text) }, label.line ?? label.text)),
    ...DECODERS.map((name) => cell(answer[name][i], answer.shipped[i])))));
}

function cell(logProb, before) {
  const probability = Math.exp(logProb);
  const change = Math.abs(logProb - before) < 5e-4 ? "" : logProb > before ? "▲" : "▼";
  return element("td", {}, element("div", { class: "hl-cheat-cell" },
    element("div", { class: "hl-bar-track" }, element("i", { style: `width:${(100 * probability).toFixed(2)}%` })),
    element("b", {}, percentText(probability)), element("small", {}, change)));
}

const foot = (answer) => element("tfoot", {}, element("tr", {}, element("th", { scope: "row" }, t("cheat.sum")),
  ...DECODERS.map((name) => element("td", {}, signedText(answer[name].reduce((sum, x) => sum + x, 0))))));
