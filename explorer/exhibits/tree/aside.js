// Beside the tree: one candidate in words and numbers, with its buttons.

import { button } from "../../../assets/kit/choice.js";
import { percentText, signedText } from "../../../assets/kit/numbers.js";
import { penaltyOf } from "../../../assets/kit/penalty.js";
import { langOf } from "../../../assets/kit/token.js";
import { askWhy, canOpen } from "../../../assets/kit/why.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { nameOf, prefixText, prunedOf, shownPath } from "./shape.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("./shape.js").Node} Node */

const DIGITS = 4;
const CHANGE = 1e-4; // a smaller difference of sums is rounding

/** The facts about a node of a record's search; `now` ranks its finished texts. */
export function facts(/** @type {Page} */ { t }, /** @type {Node} */ node, record, now) {
  if (node.parent === null) return html`<h3>${t("tree.start")}</h3>`;
  const { label, forced, byVisitor } = node;
  const isWinner = now.winners.has(node) && !now.standings.has(node);
  const [before, after] = t("tree.node", { n: node.step + 1 }).split("{token}");
  const prefix = prefixText(node.parent);
  return html`
    <h3>${before}<b class="hl-${label.kind}" lang=${langOf(label.text)}>${nameOf(label)}</b>${after}
      <small title=${prefix}>${prefix ? t("tree.following", { prefix }) : t("tree.following.nothing")}</small>
    </h3>
    <dl>${numbersOf(t, node, record).map(
      ([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`,
    )}</dl>
    <p>${fateText(t, node, record, now)} ${isWinner ? t("tree.winner") : nothing}
      ${forced ? t(`tree.forced.${forcedBy(node, byVisitor)}`) : nothing}
      ${ruleText(t, node, record.search)}</p>`;
}

/** Who forced a token. @param {Node} node @param {boolean} byVisitor */
const forcedBy = ({ step }, byVisitor) => (byVisitor ? "prefix" : step === 0 ? "first" : "limit");

/** What rules did to a candidate, and which tokens they forbid after it. */
function ruleText(t, /** @type {Node} */ { step, rank, parent, forced, total, logProb }, search) {
  const by = total - (parent?.total ?? 0) - logProb;
  const changed =
    forced || Math.abs(by) < CHANGE ? "" : t("tree.changed", { by: signedText(by, DIGITS) });
  const after = (search.steps[step + 1]?.forbidden ?? []).filter((one) => one.parent === rank);
  /** @param {{id: number, log_prob: number}} of */
  const named = ({ id, log_prob: value }) =>
    t("tree.forbidden.token", {
      token: nameOf(search.labels[id]),
      value: signedText(value, DIGITS),
    });
  const list = [...new Set(after.map(({ rule }) => rule))].map((rule) => {
    const tokens = after.filter((one) => one.rule === rule).map(named);
    return t(`tree.forbidden.${rule}`, { tokens: tokens.join(t("tree.forbidden.comma")) });
  });
  const none =
    list.length > 0 ? t("tree.forbidden", { list: list.join(t("tree.forbidden.and")) }) : "";
  return [changed, none].filter(Boolean).join(" ");
}

/** The fate of a candidate; for a finished one, its score against the others. */
function fateText(t, /** @type {Node} */ node, { hypotheses, settings }, now) {
  const { fate, ends, total, step } = node;
  if (ends === null && fate !== "beaten") return t(`tree.fate.${fate}`);
  if (now.isOwn === false) return standingText(t, now.standings.get(node), now.scores);
  const count = hypotheses.length;
  const { length_penalty: alpha, penalty_form: form } = settings;
  const score = hypotheses[ends ?? -1]?.score ?? total / penaltyOf(form, alpha, step + 1);
  const to = ends === null ? count - 1 : ends === 0 && count > 1 ? 1 : 0; // its rival
  const other = hypotheses[to].score;
  const won = count === 1 ? "only" : score === other ? "equal" : ends === 0 ? "best" : "loses";
  const dropped = score === other ? "dropped_equal" : "dropped";
  const by = signedText(Math.abs(score - other), DIGITS);
  const texts = { score: signedText(score, DIGITS), other: signedText(other, DIGITS), by };
  const places = { n: (ends ?? 0) + 1, to: to + 1, count };
  return t(`tree.end.${ends === null ? dropped : won}`, { ...texts, ...places });
}

/** The same under a penalty that is not the search's own; a dropped one has no place there. */
function standingText(t, standing, scores) {
  if (standing === undefined) return t("tree.fate.beaten");
  const { rank, score } = standing;
  const count = scores.length;
  const to = rank === 0 ? 1 : 0;
  const other = scores.toSorted((a, b) => b - a)[to];
  const won = count === 1 ? "only" : score === other ? "equal" : rank === 0 ? "best" : "loses";
  const texts = { score, other, by: Math.abs(score - other) };
  const numbers = Object.entries(texts).map(([name, one]) => [name, signedText(one, DIGITS)]);
  const places = { n: rank + 1, to: to + 1, count };
  return t(`tree.now.${won}`, { ...Object.fromEntries(numbers), ...places });
}

function numbersOf(t, /** @type {Node} */ node, { search }) {
  const { count } = search.steps[node.step];
  return [
    [t("tree.probability"), percentText(Math.exp(node.logProb))],
    [t("tree.log_prob"), signedText(node.logProb, DIGITS)],
    [t("tree.total"), signedText(node.total, DIGITS)],
    [t("tree.place"), t("tree.place.of", { n: node.rank + 1, count })],
  ];
}

/** Why the search went on with another token after the same ones: on the page's path the written
 * one, elsewhere the best that followed, whose prefix the page then shows. A hypothesis that lost
 * is asked about where it parts from the best, which the page then shows. */
async function whyNot(/** @type {Page} */ page, { tree, model }, /** @type {Node} */ node) {
  const { step } = node;
  if (hasLost(node)) {
    const best = shownPath(tree, model.record.hypotheses[0].path);
    const parting = wayTo(node).find((one) => !best.includes(one)) ?? node;
    const refusal = model.record.shown === 0 ? null : await page.explain({ shown: 0 });
    if (refusal === null) askWhy(page, { step: parting.step, rival: parting.label.id });
    return;
  }
  const near = tree.steps[step].filter((one) => one.parent === node.parent && one !== node);
  const rival = node.label.id;
  if (model.path.includes(node)) return askWhy(page, { step, rival: null });
  if (near.some((one) => model.path.includes(one))) return askWhy(page, { step, rival });
  const best = near.sort((a, b) => b.logProb - a.logProb)[0] ?? node;
  const refusal = await page.explain({ node: [best.step, best.rank] });
  if (refusal === null) askWhy(page, { step, rival: best === node ? null : rival });
}

/** True of the end of a hypothesis that is not the best. */
const hasLost = (/** @type {Node} */ { ends }) => ends !== null && ends > 0;

/** A node and those that it follows, the first token first. @returns {Node[]} */
const wayTo = (/** @type {Node} */ node) =>
  node.parent === null ? [] : [...wayTo(node.parent), node];

/** What can be done with a node, as buttons. */
export function acts(/** @type {Page} */ page, scene, record, isOpen, deeds) {
  const { t } = page;
  const { cursor, layout, model } = scene;
  const isShown = model.path.includes(cursor) && !hasLost(cursor);
  const why = isShown ? "tree.why" : "tree.why_not";
  const { folds = [] } = layout.columns[cursor.step + 1] ?? {};
  const folded = folds.find(({ parent }) => parent === cursor)?.count ?? 0;
  const fold = () => deeds.fold(cursor);
  return html`
    ${cursor.parent && button({ label: t("tree.go_on"), onClick: () => deeds.goOn(cursor) })}
    ${
      cursor.parent && canOpen(page)
        ? button({ label: t(why), class: "hl-why-not", onClick: () => whyNot(page, scene, cursor) })
        : nothing
    }
    ${folded > 0 ? button({ label: t("tree.unfold", { n: folded }), onClick: fold }) : nothing}
    ${
      folded === 0 && isOpen && prunedOf(cursor) > 0
        ? button({ label: t("tree.fold"), onClick: fold })
        : nothing
    }
    ${record.node && button({ label: t("tree.whole", { n: record.shown + 1 }), onClick: deeds.whole })}`;
}
