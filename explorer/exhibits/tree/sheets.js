// The tree in numbers: the scores, the sum of the chosen text, the candidates of a step.

import { formula } from "../../../assets/kit/formula.js";
import { signedText } from "../../../assets/kit/numbers.js";
import { langOf } from "../../../assets/kit/token.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { alphaText } from "./finding.js";
import { moved, textOf } from "./picture.js";
import { nameOf, prefixText } from "./shape.js";

const PREFIX = 7; // letters of a prefix in the table; the end distinguishes prefixes

// Small ones need more decimals for checking by hand.
const penaltyText = (/** @type {number} */ penalty) =>
  penalty < 1 ? penalty.toPrecision(5) : penalty.toFixed(4);

export const sheets = (s) => [scoreSheet(s), sumSheet(s), candidateSheet(s)];

/** One row for each finished text; it keeps its place while its rank changes. */
function scoreSheet(s) {
  const { t, entries, ranks, scores, penalties, chosen, deeds } = s;
  return {
    name: t("scores"),
    file: "scoring",
    class: "hl-tree-scoring",
    note: s.beatenCount === 0 ? t("beaten.none") : undefined,
    rows: entries,
    chosen: (_, i) => i === chosen,
    onChoose: deeds.show,
    columns: {
      rank: { cell: (_, i) => html`${ranks[i] + 1}${moved(s, i)}`, csv: (_, i) => ranks[i] + 1 },
      hypothesis: { text: true, cell: (one) => textOf(s, one), csv: (one) => one.text },
      score: { cell: (_, i) => signedText(scores[i], 4), csv: (_, i) => scores[i] },
      sum: { cell: (one) => signedText(one.log_prob, 4), csv: (one) => one.log_prob },
      length: { cell: (one) => one.length },
      penalty: { cell: (_, i) => penaltyText(penalties[i]), csv: (_, i) => penalties[i] },
    },
  };
}

/** The chosen text token by token, and its score written out. */
function sumSheet({ t, page, entries, chosen, scores, penalties, form, alpha, selection }) {
  const one = entries[chosen];
  const values = {
    sum: signedText(one.log_prob, 4),
    n: one.length,
    alpha: alphaText(alpha),
    penalty: penaltyText(penalties[chosen]),
    score: signedText(scores[chosen], 4),
  };
  return {
    name: t("one", { n: chosen + 1, text: one.text }),
    file: "score",
    class: "hl-tree-sum",
    note: html`${t("formula.sum", values)} <b>${formula(t(`formula.${form}`, values))}</b>`,
    rows: one.parts,
    chosen: (_, i) => i === selection.step,
    onChoose: (_, i) => page.choose({ step: i }),
    columns: {
      step: { cell: (_, i) => i + 1 },
      token: {
        text: true,
        csv: ({ label }) => label.piece,
        cell: ({ label }) => html`<span class="hl-${label.kind}" lang=${langOf(label.text)}
          >${nameOf(label)}</span>`,
      },
      log_prob: {
        cell: ({ log_prob: p }) => signedText(p, 4),
        csv: ({ log_prob: p }) => p,
      },
      adds: { cell: ({ adds }) => signedText(adds, 4), csv: ({ adds }) => adds },
      note: {
        text: true,
        cell: ({ free, forced }) => (free ? t("free") : forced ? t("forced") : ""),
      },
    },
  };
}

/** All candidates of the step that the cursor is at, best first. */
function candidateSheet({ t, tree, cursor, deeds, winners }) {
  const step = Math.max(0, cursor.step);
  const nodes = tree.steps[step];
  const prefixes = new Map(); // the same few parents again and again
  for (const { parent } of nodes) {
    if (!prefixes.has(parent)) prefixes.set(parent, prefixText(parent));
  }
  const unseen = (words) => html`<span class="hl-unseen"> · ${words}</span>`;
  return {
    name: t("list", { n: step + 1, count: nodes.length }),
    file: `candidates-${step + 1}`,
    class: "hl-tree-table",
    rows: nodes,
    chosen: (node) => node === cursor,
    onChoose: deeds.pick,
    columns: {
      rank: { cell: ({ rank }) => rank + 1 },
      token: {
        text: true,
        csv: ({ label }) => label.piece,
        cell: ({ label, forced }) => html`<span class="hl-${label.kind}" lang=${langOf(label.text)}
          >${nameOf(label)}</span>${forced ? [" ◆", unseen(t("mark.forced"))] : nothing}`,
      },
      after: {
        text: true,
        csv: ({ parent }) => prefixes.get(parent),
        cell: ({ parent }) => prefixCell(prefixes.get(parent)),
      },
      log_prob: { cell: ({ logProb }) => signedText(logProb), csv: ({ logProb }) => logProb },
      total: { cell: ({ total }) => signedText(total), csv: ({ total }) => total },
      fate: {
        text: true,
        csv: ({ fate }) => fate,
        cell: (node) =>
          html`${t(`list.${node.fate}`)}${winners.has(node) ? unseen(t("mark.winner")) : nothing}`,
      },
    },
  };
}

function prefixCell(/** @type {string} */ prefix) {
  const letters = [...prefix];
  const short = letters.length > PREFIX ? `…${letters.slice(-PREFIX).join("")}` : prefix || "–";
  return html`<span title=${prefix} lang=${langOf(prefix)}>${short}</span>`;
}
