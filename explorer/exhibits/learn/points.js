// The points of the training in words and numbers: how far, what the model writes, how likely it
// finds the current translation, which links of the chosen head are strongest.

import { countText, percentText, signedText, weightText } from "../../../assets/kit/numbers.js";
import { strongest } from "../../../assets/kit/payload.js";
import { token } from "../../../assets/kit/token.js";
import { html } from "../../../assets/vendor/lit-html.js";

const LINKS = 8; // that the numbers list

/** "31 % of training"; the two ends have names. */
export function pointText({ t }, /** @type {number} */ share) {
  if (share === 0) return t("random");
  return share === 1 ? t("trained") : t("share", { percent: Math.round(share * 100) });
}

/** "about 6,700 updates", "" where the training is not known. */
export function updatesText({ t, now }, /** @type {number} */ share) {
  const count = Number(((now.updates ?? 0) * share).toPrecision(share === 1 ? 9 : 2));
  if (count === 0) return "";
  return t(share === 1 ? "updates.all" : "updates.about", { n: countText(count) });
}

/** What a checkpoint writes by itself. */
export const written = ({ t }, { translation, finished }) =>
  translation === "" ? t("nothing") : `${translation}${finished ? "" : " …"}`;

/** The same, where each character without a shape is a chip, as a token of it is everywhere.
 * @param {string} text */
export const spelled = (text) =>
  text
    .split(/(U\+[0-9A-F]{4,6})/)
    .map((part, i) => (i % 2 ? html`<span class="hl-token hl-word">${part}</span>` : part));

export const pointSheets = (s) => [pointSheet(s), linkSheet(s)];

function pointSheet(s) {
  const { t, shares, known, now, set } = s;
  const total = ({ log_probs: logProbs }) => logProbs.reduce((sum, one) => sum + one, 0);
  const perToken = (one) => Math.exp(total(one) / one.log_probs.length);
  return {
    name: t("way"),
    class: "hl-learn-points",
    rows: shares.flatMap((share) => known.get(share) ?? []),
    chosen: ({ share }) => share === now.share,
    onChoose: ({ share }) => set({ at: share }),
    columns: {
      share: {
        head: t("point"),
        text: true,
        cell: ({ share }) => pointText(s, share),
        csv: ({ share }) => share,
      },
      updates: {
        cell: ({ share }) => updatesText(s, share),
        csv: ({ updates, share }) => (updates === null ? null : Math.round(updates * share)),
      },
      translation: {
        text: true,
        cell: (one) => spelled(written(s, one)),
        csv: (one) => one.translation,
      },
      log_prob: { cell: (one) => signedText(total(one), 2), csv: total },
      per_token: { cell: (one) => percentText(perToken(one)), csv: perToken },
    },
  };
}

/** The strongest links of the chosen head, with their weights at the other point. */
function linkSheet(s) {
  const { kind, layer, head } = s.selection;
  const { keys } = s.now.attention[kind];
  const cellsOf = (point) => point.attention[kind].head(layer, head);
  const label = (labels, name) => ({
    text: true,
    cell: (link) => token(labels[link[name]]),
    csv: (link) => labels[link[name]].piece,
  });
  const weight = (point) => ({
    head: pointText(s, point.share),
    cell: ({ row, col }) => weightText(cellsOf(point)[row * keys + col]),
  });
  return {
    name: s.t("links"),
    file: "learn-links",
    class: "hl-learn-links",
    rows: strongest(cellsOf(s.now), keys, LINKS),
    columns: {
      row: label(s.rows, "row"),
      col: label(s.columns, "col"),
      now: weight(s.now),
      ...(s.other && { other: weight(s.other) }),
    },
  };
}
