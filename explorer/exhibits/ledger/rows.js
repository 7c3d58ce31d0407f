// The table of the scores: one row for each finished text.

import { downloads } from "../../../assets/kit/download.js";
import { signedText } from "../../../assets/kit/numbers.js";
import { table } from "../../../assets/kit/table.js";
import { langOf } from "../../../assets/kit/token.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

// Small ones need more places to be checked by hand.
export const penaltyText = (penalty) => (penalty < 1 ? penalty.toPrecision(5) : penalty.toFixed(4));

/** One row for each finished text; it keeps its place while its rank changes. */
export function rows(/** @type {Page} */ page, scene) {
  const { t } = page;
  const { entries, ranks, scores, penalties, chosen, isOwn } = scene;
  // The score is the answer: it stands where no narrow window hides it.
  const numbers = ["score", "sum", "length", "penalty"];
  const columns = ["rank", "text", ...numbers].map((name) => ({
    name: t(`ledger.${name}`),
    text: !numbers.includes(name),
  }));
  const cells = entries.map((one, i) => [
    rankCell(t, one.was, ranks[i]),
    textCell(t, one, i),
    signedText(scores[i], 4),
    signedText(one.log_prob, 4),
    one.length,
    penaltyText(penalties[i]),
  ]);
  const look = ({ was, kind }, i) =>
    [kind === "beaten" && "hl-beaten", `hl-${moveOf(was, ranks[i])}`, ranks[i] === 0 && "hl-first"]
      .filter(Boolean)
      .join(" ");
  return [
    table({
      ...{ label: t("ledger.title"), class: `hl-ledger-table ${isOwn ? "" : "hl-moved"}`, columns },
      rows: entries.map((one, i) => ({
        ...{ cells: cells[i], class: look(one, i), chosen: i === chosen },
        onChoose: () => show(page, one),
      })),
    }),
    downloads(page, "scoring", {
      csv: () => [
        ["rank", "hypothesis", ...numbers],
        ...entries.map((one, i) => [
          ...[ranks[i] + 1, one.text, scores[i], one.log_prob, one.length, penalties[i]],
        ]),
      ],
    }),
  ];
}

/** Shows an entry in the whole page: a hypothesis, or the prefix that a dropped one is. */
function show(/** @type {Page} */ page, { was, path }) {
  page.explain(was === null ? { shown: 0, node: [path.length - 1, path.at(-1)] } : { shown: was });
}

/** How a rank moved: new, up, down or no. */
function moveOf(was, now) {
  if (was === null) return "new";
  return now < was ? "up" : now > was ? "down" : "no";
}

function rankCell(t, was, now) {
  const move = moveOf(was, now);
  const sign = { new: "–", up: `▲ ${was + 1} →`, down: `▼ ${was + 1} →`, no: "" }[move];
  const words = t(`ledger.moved.${move}`, { was: was + 1, now: now + 1 });
  return html`<span title=${words}><small>${sign}</small> <b>${now + 1}</b></span>
    <span class="hl-unseen">${words}</span>`;
}

function textCell(t, { text, kind, length }, i) {
  const notes = {
    cut: t("ledger.kind.cut"),
    beaten: t("ledger.kind.beaten", { n: i + 1, step: length }),
  };
  return html`<span lang=${langOf(text)}>${text || t("hypothesis.empty")}</span>
    ${kind in notes ? html`<small>${notes[kind]}</small>` : nothing}`;
}
