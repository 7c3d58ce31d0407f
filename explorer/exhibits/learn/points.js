// The points of the training in words: how far, what the model writes, how likely it finds the
// current translation.

import { countText, percentText, signedText } from "../../../assets/kit/numbers.js";
import { langOf } from "../../../assets/kit/token.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";

/** "31 % of the training"; the two ends have names. */
export function pointText({ t }, share) {
  if (share === 0) return t("learn.random");
  return share === 1 ? t("learn.trained") : t("learn.share", { percent: Math.round(share * 100) });
}

const total = ({ log_probs: logProbs }) => logProbs.reduce((sum, one) => sum + one, 0);
const perToken = (one) => Math.exp(total(one) / one.log_probs.length);

/** The list of all points; each is a button that goes there. */
export const pointList = (page, { shares, known, at }, go) =>
  html`<ol class="hl-learn-list" aria-label=${page.t("learn.way")}>${shares.map((share, i) => {
    const one = known.get(share) ?? null;
    return html`<li><button type="button" aria-pressed=${share === at} @click=${() => go(i)}>
      <span>${pointText(page, share)} <small>${updatesText(page, share, one)}</small></span>
      <b lang=${(one && langOf(one.translation)) || nothing} data-known=${one !== null}>${
        one ? written(page, one) : page.t("learn.waiting")
      }</b>
      <small>${one ? findsText(page, one) : nothing}</small></button></li>`;
  })}</ol>`;

function updatesText({ t }, share, one) {
  const count = Number(((one?.updates ?? 0) * share).toPrecision(share === 1 ? 9 : 2));
  if (count === 0) return "";
  return t(share === 1 ? "learn.updates.all" : "learn.updates", { n: countText(count) });
}

const findsText = ({ t }, one) =>
  t("learn.finds", { sum: signedText(total(one), 2), mean: percentText(perToken(one)) });

const written = ({ t }, { translation, finished }) =>
  translation === "" ? t("learn.nothing") : `${translation}${finished ? "" : " …"}`;

/** For a file. */
export const rowsOfPoints = ({ shares, known }) => [
  ["share", "updates", "translation", "finished", "log_prob", "per_token"],
  ...shares
    .filter((share) => known.has(share))
    .map((share) => {
      const one = known.get(share);
      const updates = one.updates === null ? null : Math.round(one.updates * share);
      return [share, updates, one.translation, String(one.finished), total(one), perToken(one)];
    }),
];
