// How to read the tree: its marks, its axes, its keys; and the scores over α, with their crossings.

import { signedText } from "../../../assets/kit/numbers.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { FATES, SIGNS } from "./fates.js";
import { isTouched } from "./picture.js";
import { plot } from "./plot.js";

const PLOT = { width: 44, height: 24 }; // em

export function reading(s) {
  const { t, el, lines } = s;
  const em = parseFloat(getComputedStyle(el).fontSize);
  const width = Math.min(PLOT.width * em, el.clientWidth);
  return html`${legend(s)}
    <p>${t("axes")}</p>
    <p>${t(isTouched() ? "touch" : "keys")}</p>
    <h3>${t("plot")}</h3>
    <p>${t(lines.length === 1 ? "plot.alone" : "plot.note")}</p>
    <div class="hl-tree-plot">${plot(s, { width, height: PLOT.height * em, em })}</div>
    <ul class="hl-tree-reigns">${reignTexts(s).map((text) => html`<li>${text}</li>`)}</ul>`;
}

const legend = ({ t }) => html`<ul class="hl-tree-legend" aria-label=${t("legend")}>
  ${SIGNS.map(
    (name) => html`<li title=${name in FATES ? t(`fate.${name}`) : ""}><canvas
      data-sign=${name} aria-hidden="true"></canvas>${t(`mark.${name}`)}</li>`,
  )}
</ul>`;

/** The best text for each range, in words. */
function reignTexts({ t, reigning, lines }) {
  if (lines.length === 1) return [];
  if (reigning.length === 1) return [t("reign.all", { n: reigning[0].who + 1 })];
  return reigning.map(({ who, from, to }, i) => {
    const place = i === 0 ? "first" : i === reigning.length - 1 ? "last" : "between";
    const ends = { from: signedText(from, 2), to: signedText(to, 2) };
    return t(`reign.${place}`, { n: who + 1, ...ends });
  });
}
