// Attention: all heads, one of them large as a map or as lines, and its numbers in words.

import { choice, toggle } from "../../../assets/kit/choice.js";
import { ramps } from "../../../assets/kit/colour.js";
import { downloads } from "../../../assets/kit/download.js";
import { eachFrame } from "../../../assets/kit/elements.js";
import { axesText, headText, nameOf } from "../../../assets/kit/heads.js";
import { isSwitchedOff } from "../../../assets/kit/interventions.js";
import { number } from "../../../assets/kit/keep.js";
import { legend } from "../../../assets/kit/legend.js";
import { fileName, rowsOf, svgOf } from "../../../assets/kit/mapfiles.js";
import { weightText } from "../../../assets/kit/numbers.js";
import { isDecoder } from "../../../assets/kit/selection.js";
import { slider } from "../../../assets/kit/slider.js";
import { liveView, narrow, room } from "../../../assets/kit/view.js";
import { html, nothing, render } from "../../../assets/vendor/lit-html.js";
import { chips, createHeads } from "./heads.js";
import { createMeasures } from "./measures.js";
import { createOptions, sentences, suffix, VIEWS } from "./options.js";
import { createOverview } from "./overview.js";
import { linesSvg } from "./picture.js";
import { createDrawn, createPictures, mapScene } from "./pictures.js";
import { announcement, linkList, measureList, readout, toldCell } from "./readout.js";
import { createSights } from "./sight.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

const ZOOM_STEP = 1.5;
const MOST_ZOOM = 8;
/** @type {[string, string|null, (zoom: number) => number][]} */
const ZOOMS = [
  ["out", "−", (zoom) => zoom / ZOOM_STEP],
  ["fit", null, () => 1],
  ["in", "+", (zoom) => zoom * ZOOM_STEP],
];
const LEAST = { map: 70, lines: 70, both: 96 }; // em of a view with the numbers at the side

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const options = createOptions(page);
  const zoom = page.keep({ zoom: 1 }, { zoom: number(1, MOST_ZOOM) });
  const heads = createHeads(page, options);
  const measures = createMeasures(page);
  const overview = createOverview(page, options, heads, measures);
  const sightOf = createSights(page, options);
  const drawn = createDrawn(page, options, sightOf);
  const sight = () => sightOf(nameOf(page.selection.get()));
  const part = (name) => /** @type {HTMLElement} */ (el.querySelector(name));
  /** @type {any} */
  let pictures = null;

  const tell = () =>
    render(readout(page, sight(), toldCell(page, sight(), page.hover.get())), part(".hl-readout"));
  const follow = eachFrame(() => {
    if (pictures === null || !page.visible.get() || page.signal.aborted) return;
    pictures.light();
    tell();
  });
  const view = liveView({
    el,
    page,
    stores: [page.selection, page.theme, page.effects, options, zoom],
    template: () =>
      page.record.get() &&
      html`<div class="hl-attention">
        ${overview.template()} ${large(page, options, zoom, heads)}
        ${aside(page, options, measures, sight(), drawn)}
      </div>`,
    drawn() {
      room(part(".hl-attention"));
      narrow(part(".hl-attention"), LEAST[options.get().view]);
      overview.paint(el);
      pictures ??= createPictures(page, { map: part(".hl-map"), lines: part(".hl-lines") });
      pictures.draw(sight(), options.get().view === "map" ? [] : drawn(), zoom.get().zoom);
      tell();
    },
  });
  page.hover.watch(follow);
  return view.end;
}

/** The chosen head, large: what it is, how it is seen, and the boxes of its pictures. */
function large(page, options, zoom, heads) {
  const { t } = page;
  const now = options.get();
  const notes = sentences(page, now);
  if (now.view !== "map") notes.push(t("lines.least"));
  if (isSwitchedOff(page.record.get(), page.selection.get())) notes.push(t("attention.off"));
  return html`<div class="hl-one">
    ${caption(page, now.view, zoom)} ${controls(page, options)} ${chips(page, options, heads)}
    <p class="hl-axes" id="${page.uid}-axes" ?hidden=${now.view === "lines"}
      >${axesText(page, page.selection.get())}</p>
    <p class="hl-note hl-options-note" ?hidden=${notes.length === 0}>${notes.join(" ")}</p>
    <div class="hl-drawn">
      <div class="hl-map" ?hidden=${now.view === "lines"}></div>
      <div class="hl-lines" ?hidden=${now.view === "map"}></div>
    </div>
  </div>`;
}

function caption(page, view, zoom) {
  const { t } = page;
  const chosen = page.selection.get();
  const set = (next) => zoom.merge({ zoom: Math.max(1, Math.min(MOST_ZOOM, next)) });
  return html`<div class="hl-caption">
    <h2 class="hl-head-name">
      <i class="hl-dot hl-kind-${chosen.kind}"></i>${headText(page, chosen)}</h2>
    ${
      isDecoder(chosen.kind)
        ? choice({
            name: `${page.uid}-labels`,
            label: t("attention.labels"),
            class: "hl-labels",
            options: ["writes", "reads"].map((value) => ({
              value,
              label: t(`attention.labels.${value}`),
            })),
            value: chosen.labels,
            onChange: (labels) => page.choose({ labels }),
          })
        : nothing
    }
    <div class="hl-zoom" role="group" aria-label=${t("zoom.name")}
      ?hidden=${view === "lines"}>${ZOOMS.map(
        ([name, sign, by]) => html`<button type="button" data-zoom=${name}
        aria-label=${t(`zoom.${name}`)} @click=${() => set(by(zoom.get().zoom))}
        >${sign ?? t("zoom.fit")}</button>`,
      )}</div>
  </div>`;
}

/** What of the weights is seen, and as what. */
function controls(page, options) {
  const { t } = page;
  const now = options.get();
  const box = (name, key, isOn, checked) =>
    toggle({
      label: t(`options.${name}`),
      title: t(`options.${name}.hint`),
      class: `hl-${key}`,
      checked,
      onChange: (value) => options.merge({ [key]: value === isOn }),
    });
  return html`<div class="hl-options" role="group" aria-label=${t("options.name")}>
    <span class="hl-views" role="group" aria-label=${t("options.view")}>${VIEWS.map(
      (view) => html`<button type="button" data-view=${view} aria-pressed=${now.view === view}
        @click=${() => options.merge({ view, adding: false })}
        >${t(`options.view.${view}`)}</button>`,
    )}</span>
    ${slider({
      label: t("options.mass"),
      title: t("options.mass.hint"),
      class: "hl-mass",
      min: 5,
      max: 100,
      step: 5,
      value: now.mass,
      text: (mass) => `${mass} %`,
      onInput: (mass) => options.merge({ mass }),
    })}
    ${box("hide", "specials", false, !now.specials)} ${box("words", "words", true, now.words)}
    ${box("own", "own", true, now.own)}
  </div>`;
}

/** The numbers at the right. The read-out follows the pointer; what is chosen is announced. */
function aside(page, options, measures, sight, drawn) {
  const { t } = page;
  const { own } = options.get();
  const files = createFiles(page, options, sight, drawn);
  const masked = html`<span class="hl-hatched"></span><span>${t("legend.masked")}</span>`;
  return html`<aside class="hl-aside">
    <div class="hl-readout"></div>
    <p class="hl-unseen" role="status">${announcement(page, sight)}</p>
    ${measureList(page, measures)}
    <div><h3>${t("attention.strongest")}</h3>${linkList(page, sight)}</div>
    ${legend({
      name: t("legend.name"),
      ramp: ramps[page.theme.get()],
      ends: own ? ["0", weightText(sight.most / 2), weightText(sight.most)] : ["0", "0.5", "1"],
      more: html`${masked}<p class="hl-note">${t(own ? "legend.own" : "legend.shared")}</p>`,
    })}
    ${downloads(page, files.name, files.formats)}
  </aside>`;
}

/** The files of what is shown: they and their names say what was done to the weights. */
function createFiles(page, options, sight, drawn) {
  const now = options.get();
  const isLines = now.view === "lines";
  const note = sentences(page, { ...now, mass: 100 }).join(" ");
  const scene = () => ({ ...mapScene(page, sight), note });
  const look = () => page.theme.get();
  const name = () => `${fileName(page.selection.get())}${suffix(now)}${isLines ? "-lines" : ""}`;
  const formats = {
    csv: () => rowsOf(scene()),
    svg: () =>
      isLines ? linesSvg({ ...scene(), heads: drawn() }, look()) : svgOf(scene(), look()),
  };
  return { name, formats };
}
