// From counts to the score: precisions, brevity penalty, geometric mean, each with its numbers.

import { table } from "../../../assets/kit/table.js";
import { html } from "../../../assets/vendor/lit-html.js";

const precise = (value) => value.toFixed(4);

/** @param {import("../../../assets/kit/types.js").Page} page */
export function steps(page, found) {
  const { t } = page;
  const { bp, mean, score, orders, precisions } = found;
  const rows = page.facts.orders.map((n) => ({ cells: precisionRow(page, found, n) }));
  const names = ["n", "matches", "precision", "note"];
  const isNoted = rows.some(({ cells }) => cells[3] !== "");
  const product = precisions.slice(0, orders).map(precise).join(" · ");
  return html`<section class="hl-stack hl-bleu-score" aria-live="polite">
    <h3>${t("bleu.precisions")}</h3>
    ${table({
      label: t("bleu.precisions"),
      columns: names.slice(0, isNoted ? 4 : 3).map((name, i) => ({
        name: t(`bleu.column.${name}`),
        text: i === 3,
      })),
      rows: isNoted ? rows : rows.map(({ cells }) => ({ cells: cells.slice(0, 3) })),
    })}
    <h3>${t("bleu.penalty")}</h3>
    <p>${penaltyText(page, found)}</p>
    <h3>${t("bleu.mean")}</h3>
    <p>${t("bleu.mean.numbers", { product, orders, mean: precise(mean) })}</p>
    <h3>BLEU</h3>
    <p>${t("bleu.score", { bp: precise(bp), mean: precise(mean) })}</p>
    <output class="hl-value hl-bleu-value">${score.toFixed(2)}</output>
  </section>`;
}

function precisionRow(page, found, n) {
  const { matches, totals, precisions, orders } = found;
  const [match, total, p] = [matches[n - 1], totals[n - 1], precisions[n - 1]];
  const note =
    n > orders ? page.t("bleu.left_out") : noteOf(page, match, total, p, found.smoothing);
  return [n, `${match} / ${total}`, html`<span data-precision=${n}>${precise(p)}</span>`, note];
}

function noteOf({ t }, match, total, p, smoothing) {
  if (total === 0) return t("bleu.too_short");
  if (match > 0) return "";
  if (smoothing !== "exp" || p === 0) return t("bleu.no_match");
  return t("bleu.smoothed", { times: Math.round(1 / (p * total)), total });
}

function penaltyText({ t }, { c, r, bp }) {
  const which = c > r ? "long" : c === r ? "equal" : "short";
  return t(`bleu.penalty.${which}`, { c, r, bp: precise(bp) });
}
