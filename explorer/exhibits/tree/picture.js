// The tree, beside it the scores in the order of their ranks and the candidate that is pointed at;
// below it the earlier search, if a prefix is forced.

import { button } from "../../../assets/kit/choice.js";
import { signedText } from "../../../assets/kit/numbers.js";
import { lineUnder } from "../../../assets/kit/readersline.js";
import { pending } from "../../../assets/kit/request.js";
import { langOf } from "../../../assets/kit/token.js";
import { html, nothing, repeat } from "../../../assets/vendor/lit-html.js";
import { acts, facts } from "./aside.js";
import { caution, outcomeText } from "./controls.js";

const NARROW = 52; // em: if narrower, the scores are below the tree

export const isTouched = () => matchMedia("(pointer: coarse)").matches; // has no keyboard

export function picture(s, { width, em }) {
  const { t, page, record, tree, earlier, pointed, cursor, model, deeds } = s;
  const told = earlier.told() ?? { node: pointed?.label ? pointed : cursor, record, now: s };
  const keys = `${page.uid}-keys`;
  const { parents, refusal } = model.at.get();
  const isBelow = width < NARROW * em;
  return html`<div class="hl-tree-stage ${isBelow ? "hl-tree-below" : ""}">
    <div class="hl-tree-field" tabindex="0" role="application" aria-label=${t("title")}
      aria-describedby=${keys}><canvas class="hl-tree-canvas" aria-hidden="true"></canvas>
      ${zooms(s)}<span id=${keys} hidden>${t(isTouched() ? "touch" : "keys")}</span></div>
    <div class="hl-tree-side">
      ${scoreList(s)}
      ${
        refusal
          ? pending(page, { value: null, waiting: false, error: refusal, retry: deeds.run })
          : nothing
      }
      <p class="hl-tree-outcome" role="status">${outcomeText(s)}</p>
      <div class="hl-tree-card">
        <div class="hl-tree-facts" role="status">${facts(page, told.node, told.record, told.now)}</div>
        <div class="hl-tree-acts">
          ${acts(page, s, record, parents.includes(cursor.key), deeds)}</div>
      </div>
    </div>
    ${earlier.template(record, tree)}
  </div>`;
}

const zooms = ({ page, canvas }) => html`<div class="hl-zoom" role="group"
  aria-label=${page.t("zoom.name")}>
  ${button({ label: "−", title: page.t("zoom.out"), onClick: () => canvas.zoom(-1) })}
  ${button({ label: page.t("zoom.fit"), class: "hl-tree-fit", onClick: canvas.whole })}
  ${button({ label: "+", title: page.t("zoom.in"), onClick: () => canvas.zoom(1) })}
</div>`;

/** The finished texts, the best under this penalty first. A bar is the best score over its own. */
function scoreList(s) {
  const { t, entries, ranks, scores, chosen, deeds } = s;
  const order = entries.map((_, i) => i).sort((a, b) => ranks[a] - ranks[b]);
  const best = scores[order[0]];
  const share = (i) => (scores[i] < 0 ? Math.min(1, best / scores[i]) : 1);
  return html`<ol class="hl-tree-scores" aria-label=${t("scores")}>
    ${repeat(
      order,
      (i) => i,
      (i) => html`<li class=${ranks[i] === 0 ? "hl-tree-best" : ""}>
        <button type="button" aria-pressed=${String(i === chosen)}
          @click=${() => deeds.show(entries[i])}>
          <span class="hl-tree-rank">${ranks[i] + 1}${moved(s, i)}</span>
          <span class="hl-tree-text" lang=${langOf(entries[i].text)}
            >${textOf(s, entries[i])}</span>
          <b>${signedText(scores[i])}</b>
          <i style="--share:${share(i)}"></i>
          ${lineUnder(s.page, entries[i].text)}
        </button></li>`,
    )}
  </ol>${caution(s)}`;
}

/** The text, with a note for texts that look alike or are not in the search's list. */
export function textOf({ t, page, entries }, one) {
  const isAlike = entries.some((other) => other !== one && other.text === one.text);
  const note = { cut: "kind.cut", beaten: "kind.beaten" }[one.kind];
  return html`${one.text || page.t("hypothesis.empty")}
    ${isAlike ? html`<small>${t("alike")}</small>` : nothing}
    ${note ? html`<small>${t(note, { step: one.length })}</small>` : nothing}`;
}

/** The change of a rank from the search's own. */
export function moved({ t, entries, ranks }, i) {
  const { was } = entries[i];
  const now = ranks[i];
  if (was === now) return nothing;
  const move = was === null ? "new" : now < was ? "up" : "down";
  const words = t(`moved.${move}`, { was: (was ?? 0) + 1, now: now + 1 });
  const sign = { new: "–", up: "▲", down: "▼" }[move];
  return html` <small class="hl-${move}" title=${words}>${sign}${was === null ? "" : was + 1}</small
    ><span class="hl-unseen">${words}</span>`;
}
