// Step by step: one decoding step in full, and all of them in a table.

import { element } from "../elements.js";
import { percentText, signedText } from "../numbers.js";
import { drawInPanel } from "../panel.js";
import { choose, record, selection } from "../state.js";
import { langOf, language, number, t } from "../words.js";

export function mount(root) {
  drawInPanel(root, [record, language], () => {
    const shown = record.get();
    if (shown === null) return;
    const { step } = selection.get();
    root.querySelector("#hl-now-name").textContent = t("steps.now", {
      n: number(step), count: shown.tgt_out.length,
    });
    root.querySelector("#hl-now-read").replaceChildren(...readTokens(shown, step));
    root.querySelector("#hl-now-bars").replaceChildren(...bars(shown, step));
    root.querySelector("#hl-now-back").replaceChildren(...fedBack(shown, step));
    root.querySelector("#hl-all-steps").replaceChildren(...table(shown, step));
    root.querySelector("#hl-sum").textContent = sumText(shown);
  });
}

const chip = (label, ...classes) =>
  element("span", { class: ["hl-token", `hl-${label.kind}`, ...classes].join(" "), lang: langOf(label.text) }, label.line ?? label.text);

function readTokens(shown, step) {
  return shown.tgt_in.slice(0, step + 1).map((label, i) => chip(label, i === step ? "hl-lit" : ""));
}

// The likeliest tokens; the chosen one is marked, and added where it is not among them.
function bars(shown, step) {
  const { top, chosen, log_prob: logProb } = shown.steps[step];
  const own = { ...shown.tgt_out[step], log_prob: logProb };
  const listed = top.map((label) => (label.id === chosen ? { ...own, log_prob: label.log_prob } : label));
  const missing = !listed.some((label) => label.id === chosen);
  const rest = 1 - listed.reduce((sum, label) => sum + Math.exp(label.log_prob), 0);
  const lines = [...listed, ...(missing ? [own] : [])].map((label) => {
    const probability = Math.exp(label.log_prob);
    return element("li", { class: label.id === chosen ? "hl-chosen" : "", title: t("token.facts", { place: "–", ...label }) },
      chip({ ...label, line: label.text }),
      element("div", { class: "hl-bar-track" }, element("i", { style: `width:${(probability * 100).toFixed(2)}%` })),
      element("b", {}, percentText(probability)),
      element("small", {}, label.id === chosen ? t("steps.chosen") : ""));
  });
  const left = Math.max(0, missing ? rest - Math.exp(logProb) : rest);
  lines.push(element("li", { class: "hl-rest" }, element("span", {}, t("steps.rest")),
    element("div", { class: "hl-bar-track" }, element("i", { style: `width:${(left * 100).toFixed(2)}%` })),
    element("b", {}, percentText(left)), element("small", {})));
  return lines;
}

function fedBack(shown, step) {
  const written = shown.tgt_out[step];
  const last = step === shown.tgt_out.length - 1;
  const cut = shown.node === null ? "steps.cut" : "steps.prefix";
  const key = last ? (written.piece === "</s>" ? "steps.ends" : cut) : "steps.goes";
  const forced = shown.steps[step].forced ? ` ${t("steps.forced")}` : "";
  return [chip(written), ` ${t(key, { n: number(step) + 1 })}${forced}`];
}

function table(shown, step) {
  const names = ["step", "reads", "writes", "probability", "log_prob", "total"];
  const rows = shown.steps.map(({ log_prob: logProb }, i) => {
    const total = shown.search.steps[i].totals[shown.path[i]]; // what counts is the search's affair
    return element("tr", { class: i === step ? "hl-chosen" : "", onclick: () => choose({ step: i }) },
      element("td", {}, element("button", { type: "button", "aria-pressed": String(i === step) }, number(i))),
      element("td", {}, chip(shown.tgt_in[i])), element("td", {}, chip(shown.tgt_out[i])),
      element("td", {}, percentText(Math.exp(logProb))), element("td", {}, signedText(logProb)),
      element("td", {}, signedText(total)));
  });
  return [
    element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, t(`steps.${name}`))))),
    element("tbody", {}, ...rows),
  ];
}

// How the steps make the score of the hypothesis, with its own numbers.
function sumText(shown) {
  if (shown.node !== null) {
    const [step, candidate] = shown.node;
    return t("steps.sum.prefix", { log_prob: signedText(shown.search.steps[step].totals[candidate]) });
  }
  const { score, log_prob: logProb, length } = shown.hypotheses[shown.shown];
  const { penalty_form: form, length_penalty: alpha } = shown.settings;
  return t(`steps.sum.${form}`, { score: signedText(score), log_prob: signedText(logProb), n: length, alpha });
}
