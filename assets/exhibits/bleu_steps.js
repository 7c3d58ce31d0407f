// From counts to the score: precisions, brevity penalty, geometric mean, each with its numbers.

import { ORDERS } from "../bleu.js";
import { element } from "../elements.js";
import { t } from "../words.js";

const precise = (value) => value.toFixed(4);

export function scoreSteps(found, smoothing) {
  const { c, r, bp, mean, score, orders, precisions } = found;
  const product = precisions.slice(0, orders).map(precise).join(" · ");
  return [
    element("h3", {}, t("bleu.precisions")),
    element("table", { class: "hl-table" }, element("tbody", {}, ...ORDERS.map((n) => precisionRow(found, n, smoothing)))),
    element("h3", {}, t("bleu.penalty")),
    element("p", {}, penaltyText(c, r, bp)),
    element("h3", {}, t("bleu.mean")),
    element("p", {}, t("bleu.mean.numbers", { product, orders, mean: precise(mean) })),
    element("h3", {}, "BLEU"),
    element("p", {}, t("bleu.score", { bp: precise(bp), mean: precise(mean) })),
    element("output", { class: "hl-value", id: "hl-bleu-value" }, score.toFixed(2)),
  ];
}

function precisionRow({ matches, totals, precisions, orders }, n, smoothing) {
  const [match, total, p] = [matches[n - 1], totals[n - 1], precisions[n - 1]];
  const note = n > orders ? t("bleu.left_out") : noteOf(match, total, p, smoothing);
  return element("tr", {}, element("th", { scope: "row" }, "p", element("sub", {}, n)),
    element("td", {}, `${match} / ${total}`), element("td", { "data-precision": n }, precise(p)), element("td", {}, note));
}

function noteOf(match, total, p, smoothing) {
  if (total === 0) return t("bleu.too_short");
  if (match > 0) return "";
  return smoothing === "exp" && p > 0 ? t("bleu.smoothed", { times: Math.round(1 / (p * total)), total }) : t("bleu.no_match");
}

function penaltyText(c, r, bp) {
  if (c > r) return t("bleu.penalty.long", { c, r });
  if (c === r) return t("bleu.penalty.equal", { c, r });
  return t("bleu.penalty.short", { c, r, bp: precise(bp) });
}
