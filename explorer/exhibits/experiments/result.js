// The effect on the output: both translations, its log-prob token by token, the next tokens.

import { bars } from "../../../assets/kit/bars.js";
import { changeText, percentText, signedText, smallText } from "../../../assets/kit/numbers.js";
import { lineUnder } from "../../../assets/kit/readersline.js";
import { distinct, langOf, token } from "../../../assets/kit/token.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { changeBar } from "./heads.js";
import { pieces } from "./spoken.js";

export const FORMAT = {
  signed: signedText,
  change: changeText,
  percent: percentText,
  tiny: smallText,
};

/** Both translations; words that went are struck out in the first, new ones underlined below. */
export function texts({ t, page, answer: { texts: both } }) {
  const [before, after] = pieces(both[0], both[1]);
  const part = ({ text, isOwn }, own) => (isOwn ? own(text) : text);
  const line = (name, all, own) => {
    const text = all.map((one) => one.text).join("");
    return html`<p class="hl-experiments-text">
    <small>${t(name)}</small>
    <span lang=${langOf(text)}>${
      text ? all.map((one) => part(one, own)) : page.t("hypothesis.empty")
    }</span>${lineUnder(page, text)}</p>`;
  };
  return [
    line("before", before, (text) => html`<del>${text}</del>`),
    line("after", after, (text) => html`<ins>${text}</ins>`),
  ];
}

/** before, after, change of every token of the original output; `scale`: the largest change. */
function rowsOf({ tgt_out: written, log_probs: [before, after] }) {
  const rows = written.map((label, i) => ({
    label,
    before: before[i],
    after: after[i],
    change: after[i] - before[i],
  }));
  const scale = Math.max(0.01, ...rows.map(({ change }) => Math.abs(change))); // rounding: short
  return { rows, scale };
}

/** The original output token by token under both models, with each token's loss. */
export function tokenBars({ page, answer, selection }) {
  const { rows, scale } = rowsOf(answer);
  return html`<ol class="hl-lanes hl-experiments-bars" tabindex="0"
    style="--lanes:${rows.length}">${rows.map(
      (
        { label, before, after, change },
        i,
      ) => html`<li class=${i === selection.step ? "hl-chosen" : ""}
      @click=${() => page.choose({ step: i })}>${token(label)}
      <span>${percentText(Math.exp(before))} → ${percentText(Math.exp(after))}</span>
      ${changeBar(page, change, scale)}<b>${changeText(change)}</b></li>`,
    )}</ol>`;
}

/** The same as a table. */
export function tokenSheet({ t, page, answer, selection }) {
  const { rows } = rowsOf(answer);
  const sum = (name) => rows.reduce((total, row) => total + row[name], 0);
  const column = (name, text) => ({ cell: (row) => text(row[name]), csv: (row) => row[name] });
  return {
    name: t("tokens"),
    file: "before-after",
    class: "hl-experiments-tokens",
    rows,
    chosen: (_, i) => i === selection.step,
    onChoose: (_, i) => page.choose({ step: i }),
    columns: {
      token: { text: true, cell: ({ label }) => token(label), csv: ({ label }) => label.text },
      before: column("before", signedText),
      after: column("after", signedText),
      change: column("change", changeText),
    },
    foot: [
      t("sum"),
      signedText(sum("before")),
      signedText(sum("after")),
      changeText(sum("change")),
    ],
  };
}

const stepOf = ({ answer, selection }) => Math.min(selection.step, answer.tgt_out.length - 1);

/** The most likely next tokens of one step under both, each in its own order. */
export function nextTokens(s) {
  const { t, answer } = s;
  const { tgt_out: written, next } = answer;
  const step = stepOf(s);
  const list = (name, which) => html`<div>
    <h3>${t(name)}</h3>
    ${bars({
      label: t(name),
      bars: distinct(next[which][step]).map((/** @type {any} */ label) => ({
        name: token(label),
        share: Math.exp(label.log_prob),
        text: percentText(Math.exp(label.log_prob)),
        chosen: label.id === written[step].id,
      })),
    })}</div>`;
  return html`<div class="hl-pair hl-experiments-next">${list("before", 0)} ${list("after", 1)}</div>`;
}

export function nextSheet(s) {
  const { t, answer } = s;
  const { next, tgt_in: read, tgt_out: written } = answer;
  const step = stepOf(s);
  const values = { read: read[step].text, written: written[step].text };
  return {
    name: t("next", { n: step + 1 }),
    file: `next-step${step + 1}`,
    note: t("next.note", values),
    rows: ["before", "after"].flatMap((model, which) =>
      next[which][step].map((one, i) => ({ model, rank: i + 1, ...one })),
    ),
    columns: {
      model: { text: true, cell: ({ model }) => t(model), csv: ({ model }) => model },
      rank: { head: t("place"), cell: ({ rank }) => rank },
      token: { text: true, cell: (one) => token(one), csv: ({ piece }) => piece },
      id: { cell: ({ id }) => id },
      log_prob: { cell: (one) => signedText(one.log_prob), csv: (one) => one.log_prob },
    },
  };
}
