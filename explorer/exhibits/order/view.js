// Order: what the model does without positions, with shuffled or with shifted ones.

import { button, choice } from "../../../assets/kit/choice.js";
import { oneOf, whole } from "../../../assets/kit/keep.js";
import { createRequest, pending } from "../../../assets/kit/request.js";
import { createSizes } from "../../../assets/kit/sizes.js";
import { slider } from "../../../assets/kit/slider.js";
import { liveView } from "../../../assets/kit/view.js";
import { html, nothing, render } from "../../../assets/vendor/lit-html.js";
import { equivariance } from "./equivariance.js";
import { pair } from "./pair.js";
import { decodeResult, result } from "./result.js";

const PAUSE = 250; // ms between the last move of a control and the question
const MAX_ANSWERS = 12; // kept of one record
const CHANGED = ["positions", "sides", "shift", "position_seed"];

const FIRST = { positions: "none", sides: "both", shift: 20, seed: 0 };
const POSITIONS = ["none", "shuffled", "shifted"];
const SIDES = ["both", "source", "target"];

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

const checksOf = (/** @type {any} */ { farthest }) => ({
  positions: oneOf(POSITIONS),
  sides: oneOf(SIDES),
  shift: whole(1, farthest),
  seed: whole(0, 2 ** 31),
});

/** Three columns, each drawn on its own: a slider that moves draws only the controls.
 * @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const set = page.keep(FIRST, checksOf(page.facts));
  /** @type {any} `settled`: what Python is asked about, once the controls rest */
  const state = { lit: null, run: null, settled: changeOf(set.get()) };
  render(html`<div class="hl-order"><form></form><div></div><div></div></div>`, el);
  const boxes = /** @type {HTMLElement[]} */ ([...(el.firstElementChild?.children ?? [])]);
  const sizes = createSizes(boxes[1], () => main.redraw());
  const order = createRequest(page, "order", {
    changed: () => main.redraw(),
    prepare: decodeResult,
    most: () => MAX_ANSWERS,
  });
  let timer = 0;

  const change = changeIn(set);
  const point = (/** @type {any} */ lit) => {
    state.lit = lit;
    main.redraw();
  };
  const live = (
    /** @type {HTMLElement} */ box,
    /** @type {(record: any) => unknown} */ template,
  ) => ({
    el: box,
    page,
    template() {
      const record = page.record.get();
      return record === null || record.recorded ? null : template(record);
    },
  });
  const left = liveView(live(boxes[0], (record) => controls(page, record, set.get(), change)));
  const main = liveView({
    ...live(boxes[1], (record) => mainColumn(page, record, order, state, sizes, point)),
    stores: [page.theme, page.selection],
    drawn: () => sizes.check(),
  });
  const right = sideColumn(page, (template) => liveView(live(boxes[2], template)));
  set.watch((now) => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      state.settled = changeOf(now);
      main.redraw();
    }, PAUSE);
    left.redraw();
  });
  return () => {
    clearTimeout(timer);
    for (const view of [left, main, right]) view.end();
    render(nothing, el);
  };
}

/** What the controls do: shuffled positions of the target alone are none of the choices. */
const changeIn = (set) => (/** @type {object} */ changes) => {
  const next = { ...set.get(), ...changes };
  const isNone = next.positions === "shuffled" && next.sides === "target";
  set.merge(isNone ? { ...next, sides: "source" } : next);
};

/** The arguments of a change: a shift counts only where positions are shifted, a seed where they
 * are shuffled. */
const changeOf = ({ positions, sides, shift, seed }) => ({
  positions,
  sides,
  shift: positions === "shifted" ? shift : 0,
  seed: positions === "shuffled" ? seed : 0,
});

/** The last result stays, dimmed, until the next one is there. */
function mainColumn(/** @type {Page} */ page, record, order, state, sizes, point) {
  const { kind, layer, head } = page.selection.get();
  const answer = order(record, { ...state.settled, kind, layer, head });
  if (answer.value !== null) state.run = { ...answer.value, record, kind };
  const { run, lit } = state;
  const isWaiting = answer.value === null && answer.error === null;
  const size = sizes.of(".hl-order-main", 0);
  return html`<div class="hl-stack hl-order-main ${isWaiting ? "hl-order-waiting" : ""}"
    aria-busy=${String(isWaiting)}>
    ${
      run === null || answer.error !== null
        ? pending(page, answer)
        : result({ page, record: run.record, run, lit, size, point })
    }</div>`;
}

/** Two questions of their own, drawn by `draw`. */
function sideColumn(/** @type {Page} */ page, draw) {
  const how = { changed: () => view.redraw(), most: () => MAX_ANSWERS };
  const ask = {
    equivariance: createRequest(page, "equivariance", how),
    pair: createRequest(page, "pair", how),
  };
  const names = Object.keys(page.facts.pairs);
  const set = page.keep({ pair: names[0], draw: 1 }, { pair: oneOf(names), draw: whole(1, 1e9) });
  const choose = (/** @type {string} */ name) => set.merge({ pair: name });
  const again = () => set.merge({ draw: set.get().draw + 1 });
  const view = draw((record) => {
    const { pair: name, draw: seed } = set.get();
    return html`<div class="hl-stack">
      ${pair(page, name, ask.pair(record, { pair: name }), choose)}
      ${equivariance(page, record.src, ask.equivariance(record, { seed }), again)}</div>`;
  });
  set.watch(() => view.redraw());
  return view;
}

function controls(/** @type {Page} */ page, record, state, change) {
  const { t, uid } = page;
  const radios = (/** @type {string} */ name, /** @type {string[]} */ values) =>
    choice({
      name: `${uid}-${name}`,
      label: t(`order.${name}`),
      class: `hl-plain hl-upright hl-order-${name}`,
      options: values.map((value) => ({
        value,
        label: t(`order.${name}.${value}`),
        disabled: value === "target" && state.positions === "shuffled",
      })),
      value: state[name],
      onChange: (value) => change({ [name]: value }),
    });
  return html`<div class="hl-stack hl-controls">
    ${radios("positions", POSITIONS)}
    ${radios("sides", SIDES)}
    ${state.positions === "shifted" ? shift(page, state, change) : nothing}
    ${
      state.positions === "shuffled"
        ? button({ label: t("order.again"), onClick: () => change({ seed: state.seed + 1 }) })
        : nothing
    }
    <p class="hl-note">${t(`order.note.${state.positions}`)}</p>
    ${wholePage(page, record, state)}</div>`;
}

const shift = (/** @type {Page} */ { t, facts }, state, change) =>
  slider({
    label: t("order.shift"),
    class: "hl-order-shift",
    min: 1,
    max: facts.farthest,
    value: state.shift,
    onInput: (value) => change({ shift: value }),
  });

/** The change for every view of the page, and the way back. */
function wholePage(/** @type {Page} */ { t, explain }, { interventions }, state) {
  const { seed, ...change } = changeOf(state);
  const rest = Object.entries(interventions).filter(([name]) => !CHANGED.includes(name));
  const isChanged = (interventions.positions ?? "kept") !== "kept";
  const moved = { ...interventions, ...change, position_seed: seed };
  const kept = Object.fromEntries(rest);
  const set = (/** @type {object} */ next) => () => explain({ interventions: next });
  return [
    button({ label: t("order.whole"), onClick: set(moved) }),
    isChanged ? button({ label: t("order.undo"), onClick: set(kept) }) : nothing,
  ];
}
