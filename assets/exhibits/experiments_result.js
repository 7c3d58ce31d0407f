// What became of the output: both translations, its log-prob token by token, the next tokens.

import { element } from "../elements.js";
import { percentText, signedText } from "../numbers.js";
import { choose, selection } from "../state.js";
import { langOf, number, t } from "../words.js";
import { changeBar } from "./experiments_controls.js";

export const changeText = (change) => `${change > 0 ? "+" : ""}${signedText(change)}`;

// A very small number as people write it: 4.8e-7 -> "4.8 × 10⁻⁷".
export function tinyText(value) {
  if (value === 0) return "0";
  const [digits, power] = value.toExponential(1).split("e");
  const raised = [...power.replace("+", "")].map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)] ?? "⁻").join("");
  return `${digits} × 10${raised}`;
}

export const FORMAT = { signed: signedText, change: changeText, percent: percentText, tiny: tinyText };

// Both translations; what is gone is struck out in the first, what is new is underlined in the second.
export function texts({ texts: [before, after], difference }) {
  const line = (name, wanted, tag, text) => element("p", { class: "hl-experiments-text" },
    element("small", {}, t(`experiments.${name}`)),
    element("span", { lang: langOf(text) }, ...(text ? difference.filter(([what]) => what === "same" || what === wanted)
      .map(([what, part]) => (what === "same" ? part : element(tag, {}, part))) : [t("hypothesis.empty")])));
  return [line("before", "less", "del", before), line("after", "more", "ins", after)];
}

// The original output, token by token under both models.
export function tokenTable({ tgt_out: written, log_probs: [before, after] }, step) {
  const most = Math.max(...before.map((one, i) => Math.abs(after[i] - one)), 1e-9);
  const scale = Math.max(most, 0.01); // what is only rounding stays short
  const names = ["token", "before", "after", "change"];
  const rows = written.map((label, i) => element("tr", { class: i === step ? "hl-chosen" : "", onclick: () => choose({ step: i }) },
    element("th", { scope: "row" }, element("button", { type: "button", "aria-pressed": String(i === step), class: `hl-token hl-${label.kind}`, lang: langOf(label.text) }, label.line ?? label.text)),
    element("td", {}, signedText(before[i])), element("td", {}, signedText(after[i])),
    element("td", {}, changeText(after[i] - before[i])), element("td", {}, changeBar(after[i] - before[i], scale))));
  const sum = (list) => list.reduce((total, one) => total + one, 0);
  const [a, b] = [sum(before), sum(after)];
  return [
    element("caption", { class: "hl-note" }, t("experiments.tokens")),
    element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, t(`experiments.${name}`))), element("th"))),
    element("tbody", {}, ...rows),
    element("tfoot", {}, element("tr", {}, element("th", { scope: "row" }, t("experiments.sum")),
      element("td", {}, signedText(a)), element("td", {}, signedText(b)), element("td", {}, changeText(b - a)), element("td"))),
  ];
}

// The likeliest next tokens of one step under both, each in its own order.
export function nextTokens({ tgt_in: read, tgt_out: written, next }) {
  const step = Math.min(selection.get().step, written.length - 1);
  const list = (name, which) => element("div", {},
    element("h3", {}, t(`experiments.${name}`)),
    element("ol", { class: "hl-bars" }, ...next[which][step].map((label) => {
      const chance = Math.exp(label.log_prob);
      const own = label.id === written[step].id;
      return element("li", { class: own ? "hl-chosen" : "", title: own ? t("experiments.own") : null },
        element("span", { class: `hl-token hl-${label.kind}`, lang: langOf(label.text) }, label.text),
        element("div", { class: "hl-bar-track" }, element("i", { style: `width:${(chance * 100).toFixed(2)}%` })),
        element("b", {}, percentText(chance)));
    })));
  return [
    element("h2", {}, t("experiments.next", { n: number(step) })),
    element("p", { class: "hl-note" }, t("experiments.next.note", { read: read[step].text, written: written[step].text })),
    element("div", { class: "hl-experiments-pair" }, list("before", 0), list("after", 1)),
  ];
}
