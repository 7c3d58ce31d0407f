// What became of the output: both translations, its log-prob token by token, the next tokens.

import { bars } from "../../../assets/kit/bars.js";
import { downloads } from "../../../assets/kit/download.js";
import { changeText, percentText, signedText, smallText } from "../../../assets/kit/numbers.js";
import { table } from "../../../assets/kit/table.js";
import { distinct, langOf, token } from "../../../assets/kit/token.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { changeBar } from "./heads.js";

export const FORMAT = {
  signed: signedText,
  change: changeText,
  percent: percentText,
  tiny: smallText,
};

/** Both translations; what is gone is struck out in the first, what is new is underlined below. */
export function texts({ t }, { texts: [before, after], difference }) {
  const part = ([what, text]) =>
    ({ both: text, first: html`<del>${text}</del>`, second: html`<ins>${text}</ins>` })[what];
  const line = (name, wanted, text) => html`<p class="hl-experiments-text">
    <small>${t(`experiments.${name}`)}</small>
    <span lang=${langOf(text)}>${
      text
        ? difference.filter(([what]) => what === "both" || what === wanted).map(part)
        : t("hypothesis.empty")
    }</span></p>`;
  return [line("before", "first", before), line("after", "second", after)];
}

/** The original output, token by token under both models. */
export function tokenTable(page, { tgt_out: written, log_probs: [before, after] }) {
  const { t } = page;
  const { step } = page.selection.get();
  const rows = written.map((_, i) => [before[i], after[i], after[i] - before[i]]);
  const scale = Math.max(0.01, ...rows.map(([, , change]) => Math.abs(change))); // rounding: short
  const sums = [0, 1, 2].map((column) => rows.reduce((sum, row) => sum + row[column], 0));
  const cells = (/** @type {number[]} */ [a, b, change]) => [
    signedText(a),
    signedText(b),
    changeText(change),
  ];
  const names = ["token", "before", "after", "change"];
  return html`<p class="hl-note">${t("experiments.tokens")}</p>
    ${table({
      label: t("experiments.tokens"),
      class: "hl-experiments-tokens",
      columns: [
        ...names.map((name, i) => ({ name: t(`experiments.${name}`), text: i === 0 })),
        { name: "" },
      ],
      rows: rows.map((row, i) => ({
        cells: [token(written[i]), ...cells(row), changeBar(page, row[2], scale)],
        chosen: i === step,
        onChoose: () => page.choose({ step: i }),
      })),
      foot: [t("experiments.sum"), ...cells(sums), ""],
    })}
    ${downloads(page, "before-after", {
      csv: () => [names, ...rows.map((row, i) => [written[i].text, ...row])],
    })}`;
}

/** The likeliest next tokens of one step under both, each in its own order. */
export function nextTokens(page, { tgt_in: read, tgt_out: written, next }) {
  const { t } = page;
  const step = Math.min(page.selection.get().step, written.length - 1);
  const list = (name, which) => html`<div>
    <h3>${t(`experiments.${name}`)}</h3>
    ${bars({
      label: t(`experiments.${name}`),
      bars: distinct(next[which][step]).map((/** @type {any} */ label) => ({
        name: token(label),
        share: Math.exp(label.log_prob),
        text: percentText(Math.exp(label.log_prob)),
        chosen: label.id === written[step].id,
      })),
    })}</div>`;
  const values = { read: read[step].text, written: written[step].text };
  return html`<section class="hl-stack hl-experiments-next">
    <h2>${t("experiments.next", { n: step + 1 })}</h2>
    <p class="hl-note">${t("experiments.next.note", values)}</p>
    <div class="hl-experiments-pair">${list("before", 0)} ${list("after", 1)}</div>
    ${downloads(page, `next-step${step + 1}`, { csv: () => csvOf(next, step) })}
  </section>`;
}

const csvOf = (next, step) => [
  ["model", "rank", "token", "id", "log_prob"],
  ...["original", "modified"].flatMap((model, which) =>
    next[which][step].map((one, i) => [model, i + 1, one.piece, one.id, one.log_prob]),
  ),
];
