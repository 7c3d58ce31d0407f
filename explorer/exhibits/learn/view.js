// Watch heads learn: the same sentence at points of the training, from random to trained.

import { button } from "../../../assets/kit/choice.js";
import { downloads } from "../../../assets/kit/download.js";
import { eachFrame } from "../../../assets/kit/elements.js";
import { axesText, headText } from "../../../assets/kit/heads.js";
import { isUntouched } from "../../../assets/kit/interventions.js";
import { number } from "../../../assets/kit/keep.js";
import { decodeMaps } from "../../../assets/kit/payload.js";
import { createRequest, pending } from "../../../assets/kit/request.js";
import { KINDS } from "../../../assets/kit/selection.js";
import { slider } from "../../../assets/kit/slider.js";
import { createPainter, tiles } from "../../../assets/kit/tiles.js";
import { liveView, room } from "../../../assets/kit/view.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { createPair, linksText } from "./pair.js";
import { pointList, pointText, rowsOfPoints } from "./points.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

const PACE = 1300; // ms between two points while it plays

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const state = page.keep({ at: 1, isPlaying: false }, { at: number(0, 1) }); // the share of the training
  const about = createRequest(page, "learn", { changed: () => view.redraw(), prepare: decoded });
  const painter = createPainter();
  const part = (name) => /** @type {HTMLElement} */ (el.querySelector(name));
  /** @type {any} */
  let scene = null;
  /** @type {any} */
  let pair = null;
  /** @type {HTMLElement|null} */
  let box = null; // where the pair is drawn; another one after a wait

  const view = liveView({
    el,
    page,
    stores: [page.selection, page.theme, state],
    template() {
      const record = page.record.get();
      if (record === null) return null;
      scene = sceneOf(record, gather(about, record, state.get().at), state.get().at, scene);
      const isChanged = !isUntouched(record.interventions, page.shared.interventions);
      return html`<div class="hl-learn">
        ${isChanged ? html`<p class="hl-note">${page.t("learn.original")}</p>` : nothing}
        ${way(page, scene, state, player)} ${picture(page, scene)}
      </div>`;
    },
    drawn() {
      room(part(".hl-learn"));
      if (scene.now === null) return;
      painter(el, scene.now.attention, page.theme.get(), () => 1, page.selection.get().kind);
      if (box !== part(".hl-learn-before")) {
        box = part(".hl-learn-before");
        pair = createPair(page, box, part(".hl-learn-after"));
      }
      pair.draw(scene);
    },
  });
  const player = createPlayer(page, state, () => scene.shares);
  page.hover.watch(eachFrame(() => page.visible.get() && scene?.now && pair?.light(scene)));
  return view.end;
}

async function decoded(reply) {
  const maps = await Promise.all(KINDS.map((kind) => decodeMaps(reply.attention[kind])));
  return { ...reply, attention: Object.fromEntries(KINDS.map((kind, i) => [kind, maps[i]])) };
}

/**
 * What is known of this sentence: {known: share -> reply, shares, pending}. Asks for the wished
 * point first, then for the one before it, then for the others, one after the other, so that the
 * slider never waits again.
 */
function gather(about, record, at) {
  const known = new Map();
  const first = about(record, { share: at });
  if (first.value === null) return { known, shares: null, pending: first };
  const { shares } = first.value;
  known.set(at, first.value);
  const before = shares[shares.indexOf(at) - 1];
  for (const share of [before, ...shares].filter((one) => one !== undefined && one !== at)) {
    const answer = about(record, { share });
    if (answer.value === null) return { known, shares, pending: answer };
    known.set(share, answer.value);
  }
  return { known, shares, pending: null };
}

/** What is drawn: while the wished point is not there, what was drawn last of this sentence. */
function sceneOf(record, { known, shares: found, pending: answer }, at, last) {
  const isSame = last?.record === record;
  const shares = found ?? last?.shares ?? [1];
  const now = known.get(at) ?? null;
  const kept = isSame ? { now: last.now, before: last.before } : { now: null, before: null };
  const before = now && (known.get(shares[shares.indexOf(at) - 1]) ?? null);
  const points = known.size === 0 && isSame ? last.known : known;
  return { record, at, shares, known: points, answer, ...(now ? { now, before } : kept) };
}

/** Goes from point to point; it stops at the last one, and when the view is out of sight. */
function createPlayer(page, state, sharesOf) {
  let timer = 0;
  const go = (index) => {
    const shares = sharesOf();
    state.merge({ at: shares[Math.max(0, Math.min(shares.length - 1, index))] });
  };
  const stop = () => {
    clearInterval(timer);
    state.merge({ isPlaying: false });
  };
  const step = () => {
    const next = sharesOf().indexOf(state.get().at) + 1;
    if (!page.visible.get()) return stop();
    if (next >= sharesOf().length - 1) stop();
    go(next);
  };
  page.signal.addEventListener("abort", () => clearInterval(timer));
  return {
    go(index) {
      stop();
      go(index);
    },
    toggle() {
      if (state.get().isPlaying) return stop();
      if (state.get().at === sharesOf().at(-1)) go(0);
      clearInterval(timer);
      timer = window.setInterval(step, PACE);
      state.merge({ isPlaying: true });
    },
  };
}

/** The way of the training: play, the slider, and each point in words. */
function way(page, scene, state, player) {
  const { t } = page;
  const { shares, at, answer, known } = scene;
  const { isPlaying } = state.get();
  const isAlone = shares.length === 1;
  return html`<div class="hl-learn-way">
    <div class="hl-learn-controls" role="group" aria-label=${t("learn.way")}>
      ${button({
        label: t(isPlaying ? "learn.pause" : "learn.play"),
        class: "hl-learn-play",
        disabled: isAlone,
        onClick: player.toggle,
      })}
      ${slider({
        label: html`<span class="hl-unseen">${t("learn.way")}</span>`,
        class: "hl-learn-share",
        min: 0,
        max: shares.length - 1,
        value: shares.indexOf(at),
        text: (index) => pointText(page, shares[index]),
        typed: false,
        disabled: isAlone,
        onInput: player.go,
      })}
    </div>
    ${pointList(page, scene, player.go)}
    ${answer?.error ? pending(page, answer) : nothing}
    <p class="hl-note">${t(isAlone && known.size > 0 ? "learn.none" : "learn.rounded")}</p>
    ${downloads(page, "learn", { csv: () => (known.size > 0 ? rowsOfPoints(scene) : null) })}
  </div>`;
}

/** All heads at this point, and the chosen one at this point and at the one before. */
function picture(page, scene) {
  const { now, before, answer } = scene;
  if (now === null) return answer?.error ? nothing : html`<div>${pending(page, answer)}</div>`;
  const chosen = page.selection.get();
  const figure = (name, one) => html`<figure class=${name} ?hidden=${one === null}>
    <figcaption>${one && pointText(page, one.share)}</figcaption><div class="hl-map"></div>
  </figure>`;
  return html`${tiles(page, { attention: now.attention })}
    <div class="hl-learn-pair">
      <h2><i class="hl-dot hl-kind-${chosen.kind}"></i>${headText(page, chosen)}</h2>
      <p class="hl-axes" id="${page.uid}-axes">${axesText(page, chosen)}</p>
      <div class="hl-learn-maps">
        ${figure("hl-learn-before", before)} ${figure("hl-learn-after", now)}</div>
      <p class="hl-note hl-learn-links" id="${page.uid}-links">${linksText(page, scene)}</p>
    </div>`;
}
