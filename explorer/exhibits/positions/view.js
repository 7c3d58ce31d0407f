// Positions: sliders on the left, and one of five ways to look at the same table of sinusoids.

import { button, choice } from "../../../assets/kit/choice.js";
import { listOf, oneOf, orNull, whole } from "../../../assets/kit/keep.js";
import { countText } from "../../../assets/kit/numbers.js";
import { createRequest } from "../../../assets/kit/request.js";
import { createSizes } from "../../../assets/kit/sizes.js";
import { slider } from "../../../assets/kit/slider.js";
import { liveView, room } from "../../../assets/kit/view.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { createDistance } from "./distance.js";
import { rotationView } from "./rotation.js";
import { decodeSums, sumView } from "./sum.js";
import { createTable } from "./table.js";
import { wavesView } from "./waves.js";

const BASES = [10, 100, 1000, 10_000, 100_000];
const FARTHEST = 64; // steps of k
const MAX_LENGTH = 256;
const MAX_SIZE = 512;
const OWN = { size: null, base: null, layout: null }; // the model's
const FIRST = {
  ...{ view: "table", length: 64, ...OWN },
  ...{ position: 20, dimension: 40, k: 5, others: [0, 85, 170], side: "source" },
};
const SLIDERS = {
  table: ["position", "dimension"],
  waves: ["dimension"],
  distance: ["k"],
  rotation: ["position", "dimension", "k"],
  sum: ["dimension"],
};

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

const checksOf = (/** @type {string[]} */ layouts) => ({
  view: oneOf(Object.keys(SLIDERS)),
  length: whole(8, MAX_LENGTH),
  size: orNull((value) => whole(4, MAX_SIZE)(value) && value % 2 === 0),
  base: orNull(oneOf(BASES)),
  layout: orNull(oneOf(layouts)),
  position: whole(0, MAX_LENGTH - 1),
  dimension: whole(0, 65_535),
  k: whole(0, FARTHEST),
  others: listOf(whole(0, 65_535), 3, 3),
  side: oneOf(["source", "target"]),
});

/**
 * What each way of looking is given.
 * @typedef {object} Scene
 * @property {Page} page
 * @property {HTMLElement} el
 * @property {any} state
 * @property {import("../../../assets/kit/sinusoids.js").Shape} shape
 * @property {(changes: object) => void} change
 * @property {import("../../../assets/kit/request.js").Answer|null} answer the model's own vectors
 * @property {ReturnType<typeof createSizes>} sizes
 * @property {number} height of a chart, px
 * @property {number} farthest the largest k
 * @property {{end: string|null}} held which point of the circle is dragged
 */

/** Answered in a saved file. */
export const questions = () => [{ question: "positions", args: {} }];

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const { base, layouts } = page.facts;
  /** @type {any} the model's own shape, as soon as it is known */
  let own = null;
  const set = page.keep(FIRST, checksOf(layouts));
  const held = { end: null }; // of the circle's two points the one that is dragged
  const request = createRequest(page, "positions", { changed: () => view.redraw(), prepare });
  const views = {
    table: createTable(),
    waves: wavesView,
    distance: createDistance(),
    rotation: rotationView,
    sum: sumView,
  };
  const sizes = createSizes(el, () => view.redraw());

  async function prepare(reply) {
    const sums = await decodeSums(reply, base);
    own = sums.shape;
    return sums;
  }

  /** What is set, in the model's own shape where nothing else is. */
  function stateNow() {
    const chosen = Object.entries(set.get()).filter(([, value]) => value !== null);
    const now = { size: 256, base, layout: layouts[0], ...own, ...Object.fromEntries(chosen) };
    const { position, length, dimension, size } = now;
    const inside = { position: Math.min(position, length - 1) };
    return { ...now, ...inside, dimension: Math.min(dimension, size - 1) };
  }

  const view = liveView({
    el,
    page,
    stores: [page.theme, page.selection, set],
    template() {
      const state = stateNow();
      const change = set.merge;
      const record = page.record.get();
      const answer = record === null || record.recorded ? null : request(record);
      const shape = { size: state.size, base: state.base, layout: state.layout };
      const height = Math.max(220, parseFloat(el.style.getPropertyValue("--room")) - 190 || 0);
      const scene = { page, el, state, shape, change, answer, sizes, height, held };
      return html`<div class="hl-positions">
        ${chooser(page, state, change)}
        <div class="hl-stack hl-controls">${controls(page, state, change, () => change(OWN))}</div>
        <div class="hl-positions-view">${views[state.view]({ ...scene, farthest: FARTHEST })}</div>
      </div>`;
    },
    drawn() {
      room(el);
      sizes.check();
    },
  });
  return view.end;
}

const chooser = (/** @type {Page} */ { t, uid }, state, change) =>
  choice({
    name: `${uid}-view`,
    label: t("positions.view"),
    class: "hl-plain hl-positions-which",
    options: Object.keys(SLIDERS).map((value) => ({ value, label: t(`positions.view.${value}`) })),
    value: state.view,
    onChange: (view) => change({ view }),
  });

function controls(/** @type {Page} */ page, state, change, reset) {
  const { t } = page;
  const ranges = {
    length: { min: 8, max: MAX_LENGTH },
    size: { min: 4, max: MAX_SIZE, step: 2 },
    position: { min: 0, max: state.length - 1 },
    k: { min: 0, max: FARTHEST },
  };
  const range = (/** @type {string} */ name) => {
    if (name === "dimension") return dimension(page, state, change);
    const onInput = (/** @type {number} */ value) => change({ [name]: value });
    const [label, value] = [t(`positions.${name}`), state[name]];
    return slider({ label, class: `hl-positions-${name}`, value, onInput, ...ranges[name] });
  };
  const isReal = state.view === "sum"; // the model's own vectors: nothing about them can be moved
  const shape = [range("length"), range("size"), base(page, state, change)];
  return html`
    ${isReal ? nothing : [...shape, layout(page, state, change)]}
    ${SLIDERS[state.view].map(range)}
    ${
      isReal
        ? nothing
        : html`<div>${button({ label: t("positions.reset"), onClick: reset })}</div>
          <p class="hl-note">${t("positions.counted")}</p>`
    }`;
}

/** Dimensions count from 1. */
const dimension = (/** @type {Page} */ { t }, { size, dimension: value }, change) =>
  slider({
    label: t("positions.dimension"),
    class: "hl-positions-dimension",
    min: 1,
    max: size,
    value: value + 1,
    onInput: (next) => change({ dimension: next - 1 }),
  });

const base = (/** @type {Page} */ { t }, state, change) =>
  slider({
    label: t("positions.base"),
    class: "hl-positions-base",
    min: 0,
    max: BASES.length - 1,
    value: BASES.indexOf(state.base),
    text: (i) => countText(BASES[i]),
    typed: false,
    onInput: (i) => change({ base: BASES[i] }),
  });

const layout = (/** @type {Page} */ { t, uid, facts }, state, change) =>
  choice({
    name: `${uid}-layout`,
    label: t("positions.layout"),
    class: "hl-plain hl-upright hl-positions-layout",
    options: facts.layouts.map((value) => ({ value, label: t(`positions.layout.${value}`) })),
    value: state.layout,
    onChange: (value) => change({ layout: value }),
  });
