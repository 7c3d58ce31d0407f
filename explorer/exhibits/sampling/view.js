// Sampling: the distribution of the next token under temperature, top-k and top-p, and drawing from
// it. Python is asked once for each prefix; sliders and draws are computed here.

import { exhibit } from "../../../assets/kit/exhibit.js";
import { countText } from "../../../assets/kit/numbers.js";
import { createSliders } from "../../../assets/kit/samplers.js";
import { reshape } from "../../../assets/kit/sampling.js";
import { steps } from "../../../assets/kit/telling.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { createBars, tokenSheet } from "./bars.js";
import { createCurve } from "./curve.js";
import { drawAll, endButton, NOTHING_DRAWN, seedBox } from "./draw.js";
import { finding, isSure } from "./finding.js";
import { createChoices, replay } from "./kept.js";
import { measureSheet, stageSheet } from "./numbers.js";
import { curveBelow, picture } from "./picture.js";
import { createScene, endOf } from "./scene.js";
import { createSource, everyToken } from "./source.js";
import { textButtons, whoseText } from "./text.js";
import { idsOf } from "./walk.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("../../../assets/kit/types.js").Rec} Rec */
/** @typedef {import("../../../assets/kit/exhibit.js").Base} Base */
/** @typedef {import("./walk.js").Walk} Walk */

/**
 * All that there is to see. `over`: why no token can follow; `isHere`: the distribution is that of
 * the text; `picked`: the id of the token drawn or chosen.
 * @typedef {import("./scene.js").State & {record: Rec, names: import("./source.js").Names|null,
 *   over: string|null, answer: ReturnType<ReturnType<typeof createSource>>, isHere: boolean,
 *   drawn: import("./draw.js").Drawn, picked: number|null}} Seen
 *
 * With a distribution.
 * @typedef {Seen & {found: import("./source.js").Distribution, names: import("./source.js").Names,
 *   shape: import("../../../assets/kit/sampling.js").Shape}} Shown
 *
 * @typedef {() => Shown|(Seen & {found: null, shape?: undefined})} Look
 *
 * @typedef {Base & ReturnType<typeof engine> & ReturnType<Look>} Scene
 * @typedef {Base & ReturnType<typeof engine> & Shown} Found
 */

const ORDER = ["temperature", "top_k", "top_p"]; // of the sliders

/** Answered in a saved file: the distribution at each step of the translation. @param {Rec} record */
export function questions({ tgt_out: written }) {
  const ids = written.map(({ id }) => id);
  const next = ids.map((_, step) => ({
    question: "next_token",
    args: { ids: ids.slice(0, step) },
  }));
  return [{ question: "vocabulary", args: {} }, ...next];
}

/** @type {import("../../../assets/kit/exhibit.js").View<Scene>} */
const VIEW = {
  name: "sampling",
  engine,
  scene: ({ follow, record, selection }) => follow(record, selection.step),
  telling: ({ record }) => steps(record, (step) => record.steps[step].entropy),
  cell: ({ selection: { step } }) => ({ step, weights: null }),
  finding,
  nothing: isSure,
  picture,
  drawn: ({ showEnd, el, walk }) => showEnd(el, walk),
  controls: [(s) => sliders(s, ["temperature", "top_p"])],
  adjust: [(s) => sliders(s, ["top_k"]), whoseText, textButtons, seedBox, endButton],
  numbers: (s) => (s.found === null ? [] : [tokenSheet(s), stageSheet(s), measureSheet(s)]),
  reading: (s) => html`
    <p>${s.t("note", { n: countText(s.record.model.vocabulary) })}</p>
    ${s.found ? curveBelow(s) : nothing}`,
  files: ({ found, shape, names }) => ({
    name: "next-token",
    csv: () => found && everyToken(found, shape, names),
  }),
};

export const { mount } = exhibit(VIEW);

/** State that lives as long as the view: the text, the settings, the draws. */
function engine(/** @type {Page} */ page, /** @type {() => void} */ redraw) {
  const choices = createChoices(page);
  const scene = createScene(choices);
  const look = createLook(page, scene, changed);
  const actions = createActions(page, scene, look, redraw);
  let isReady = false;
  /** @type {Walk|null} */
  let text = null; // the text whose end is in view
  choices.watch(() => isReady && redraw());
  page.selection.watch(({ step }) => {
    const record = page.record.get();
    // At once: a link's choices come after its step.
    if (record !== null) scene.follow(record, step);
  });
  isReady = true;

  function changed() {
    replay(scene, look);
    actions.write();
    redraw();
  }
  return {
    actions,
    bars: createBars(page, actions.choose),
    curve: createCurve(page),
    sliders: createSliders(page, "hl-sampling-", actions.adjust),
    follow(/** @type {Rec} */ record, /** @type {number} */ step) {
      scene.follow(record, step);
      replay(scene, look);
      return look();
    },
    showEnd(/** @type {HTMLElement} */ el, /** @type {Walk} */ walk) {
      if (text === walk) return;
      text = walk;
      const strip = el.querySelector(".hl-sampling-text");
      if (strip) strip.scrollLeft = strip.scrollWidth;
    },
  };
}

/** Gives look(): all that there is to see. `found` is the distribution after the text; while it is
 * under way (`isHere` is false) the one before it.
 * @param {Page} page @param {import("./scene.js").Scene} scene @param {() => void} changed
 * @returns {Look} */
function createLook(page, scene, changed) {
  const source = createSource(page, changed);
  const { state } = scene;
  /** @type {import("./source.js").Distribution|null} */
  let last = null;
  let model = ""; // the prefix of the last distribution
  let powers = new Float64Array(0); // room for those of every frame

  return () => {
    const record = /** @type {Rec} */ (page.record.get()); // the view is drawn from one
    const { names } = source(record, null);
    const over = endOf(state.walk, names?.longest ?? Infinity);
    const answer = source(record, over === null ? idsOf(state.walk) : null);
    if (record.model.key !== model) last = null;
    model = record.model.key;
    const found = answer.found ?? last;
    last = found;
    const isHere = answer.found !== null;
    const now = { ...state, record, over, answer, isHere };
    if (found === null || names === null)
      return { ...now, names, found: null, drawn: NOTHING_DRAWN, picked: null };
    const size = found.ranked.order.length;
    if (powers.length !== size) powers = new Float64Array(size);
    const shape = reshape(found.ranked, state.settings, powers);
    const drawn = drawAll(found, shape, isHere ? { ...state, ...state.settings } : NONE);
    const picked = isHere ? (drawn.one?.id ?? state.chosen) : null;
    return { ...now, names, found, shape, drawn, picked };
  };
}

const NONE = { seed: 0, index: null, draws: 0 };

/** The actions of buttons, bars and sliders; all except writing stop the automatic writing.
 * @param {Page} page @param {import("./scene.js").Scene} scene @param {Look} look
 * @param {() => void} redraw */
function createActions(page, scene, look, redraw) {
  const { state, actions } = scene;
  /** @type {<A extends unknown[]>(does: (...given: A) => unknown) => (...given: A) => void} */
  const act =
    (does) =>
    (...given) => {
      state.isWriting = false;
      does(...given);
      redraw();
    };
  /** The drawn or chosen token joins the text. */
  function append() {
    const { found, names, picked } = look();
    if (picked === null || found === null) return;
    actions.append({ id: picked, log_prob: found.logProbs[picked], label: names.label(picked) });
  }
  /** Writes tokens while their distributions are available, then requests the next. */
  function write() {
    while (state.isWriting && look().isHere) {
      if (state.index === null) actions.one();
      append();
    }
    const { over, answer } = look();
    if (over !== null || answer.error !== null) state.isWriting = false;
    redraw();
  }
  const settings = () => ({ ...page.current.settings, ...state.settings, method: "sampling" });
  return {
    adjust: act(actions.adjust),
    one: act(actions.one),
    many: act(actions.many),
    back: act(actions.back),
    start: act(actions.start),
    empty: act(actions.empty),
    show: act(actions.show),
    choose: act((/** @type {number} */ id) =>
      state.chosen === id ? append() : actions.choose(id),
    ),
    go: act(append),
    use: act(() => page.explain({ settings: settings() })),
    take: act(() => page.explain({ prefix: idsOf(state.walk) })),
    write,
    end() {
      state.isWriting = !state.isWriting;
      write();
    },
    drag(/** @type {boolean} */ isDragging) {
      state.isDragging = isDragging;
      redraw();
    },
  };
}

/** Some of the three sliders; while one is dragged the axis of the bars does not shrink.
 * @param {Scene} s @param {string[]} names */
function sliders({ sliders: template, settings, record, actions }, names) {
  const all = template(settings, record.model.vocabulary);
  const drag = (/** @type {import("../../../assets/kit/types.js").Typed} */ event) =>
    actions.drag(event.target.type === "range");
  const letGo = () => actions.drag(false);
  return html`<div class="hl-sampling-set" @pointerdown=${drag} @pointerup=${letGo}
    @pointercancel=${letGo} @change=${letGo}>${all.filter((_, i) => names.includes(ORDER[i]))}</div>`;
}
