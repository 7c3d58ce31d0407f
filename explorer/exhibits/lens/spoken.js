// The decoder's output from each layer of the encoder.

import { signedText } from "../../../assets/kit/numbers.js";
import { langOf } from "../../../assets/kit/token.js";
import { html } from "../../../assets/vendor/lit-html.js";

/** @typedef {{text: string, log_prob: number, tokens: {id: number, line?: string, text: string}[]}}
 *   Spoken */

const idsOf = (/** @type {Spoken} */ { tokens }) => tokens.map(({ id }) => id).join(" ");

/**
 * The first layer from which all layers give the last one's translation. @param {Spoken[]} spoken
 */
export const standsFrom = (spoken) =>
  spoken.findLastIndex((one) => idsOf(one) !== idsOf(spoken[spoken.length - 1])) + 1;

export function spokenFinding({ t, answer: { spoken } }) {
  const [n, top] = [standsFrom(spoken), spoken.length - 1];
  if (n === 0) return t("spoken.always");
  return n === top ? t("spoken.last", { n }) : t("spoken.from", { n, top });
}

/**
 * The translations, the top layer first; parts that the layer below did not write are highlighted.
 */
export function spokenList({ t, answer: { spoken } }) {
  const top = spoken.length - 1;
  const last = spoken[top];
  return html`<ol class="hl-lens-spoken" reversed aria-label=${t("spoken.map")}>
    ${spoken.toReversed().map(
      (one, i) => html`<li class=${idsOf(one) === idsOf(last) ? "hl-lens-same" : ""}>
        <span>${nameOf(t, top - i, top)}</span>
        <b lang=${langOf(one.text)}>${marked(one, last)}</b>
        <small>${t("spoken.chance", { log_prob: signedText(one.log_prob, 2) })}</small></li>`,
    )}</ol>`;
}

const nameOf = (t, layer, top) =>
  t(layer === 0 ? "embedding" : layer === top ? "top" : "of", { n: layer });

/** Tokens that are also in the last layer's translation are bold. */
function marked({ tokens }, /** @type {Spoken} */ last) {
  const known = new Set(last.tokens.map(({ id }) => id));
  return tokens.map(({ id, text, line = text }) => (known.has(id) ? line : html`<i>${line}</i>`));
}

export const spokenSheet = ({ t, answer: { spoken } }) => ({
  name: t("spoken.map"),
  file: "decoder-lens",
  class: "hl-lens-spoken-table",
  rows: spoken,
  columns: {
    layer: { cell: (_, layer) => layer },
    text: {
      text: true,
      cell: ({ text }) => html`<span lang=${langOf(text)}>${text}</span>`,
      csv: ({ text }) => text,
    },
    sum: { cell: ({ log_prob }) => signedText(log_prob, 4), csv: ({ log_prob }) => log_prob },
  },
});
