// Sampling: the distribution of the next token under temperature, top-k and top-p, and drawing from
// it. Python is asked once for each prefix; all that a slider or a draw does happens here.

import { sizeOf } from "../../../assets/kit/chart.js";
import { createSliders } from "../../../assets/kit/drawing.js";
import { countText } from "../../../assets/kit/numbers.js";
import { reshape } from "../../../assets/kit/sampling.js";
import { liveView } from "../../../assets/kit/view.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { createBars } from "./bars.js";
import { createCurve } from "./curve.js";
import { drawAll, drawing } from "./draw.js";
import { createKeeper } from "./kept.js";
import { measuresTable, stagesTable } from "./numbers.js";
import { createScene, endOf } from "./scene.js";
import { createSource, everyToken } from "./source.js";
import { textOf } from "./text.js";
import { idsOf } from "./walk.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

/** Answered in a saved file: the distribution at each step of the translation. */
export function questions({ tgt_out: written }) {
  const ids = written.map(({ id }) => id);
  const next = ids.map((_, step) => ({
    question: "next_token",
    args: { ids: ids.slice(0, step) },
  }));
  return [{ question: "vocabulary", args: {} }, ...next];
}

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const scene = createScene();
  const keeper = createKeeper(page, scene);
  const look = createLook(page, scene, changed);
  const actions = createActions(page, scene, look, () => view.redraw());
  const parts = {
    bars: createBars(page, actions.choose),
    sliders: createSliders(page, "hl-sampling-", actions.adjust),
    curve: createCurve(page),
  };
  let text = null; // whose end is in sight
  const view = liveView({
    el,
    page,
    stores: [page.selection, keeper.store],
    template() {
      const record = page.record.get();
      if (record === null) return null;
      scene.follow(record, page.selection.get().step);
      keeper.follow(record);
      keeper.replay(look);
      return layout(page, look(), actions, parts, el.querySelector(".hl-sampling-curve"));
    },
    drawn() {
      if (text === scene.state.walk) return;
      text = scene.state.walk;
      const strip = /** @type {Element} */ (el.querySelector(".hl-sampling-text"));
      strip.scrollLeft = strip.scrollWidth;
    },
  });

  function changed() {
    keeper.replay(look);
    actions.write();
    view.redraw();
  }
  return view.end;
}

/** Gives look(): all that there is to see. `found` is the distribution after the text; while it is
 * under way (`isHere` is false) the one before it. */
function createLook(/** @type {Page} */ page, scene, /** @type {() => void} */ changed) {
  const source = createSource(page, changed);
  const { state } = scene;
  let last = null;
  let model = ""; // whose distribution the last one is
  let powers = new Float64Array(0); // room for those of every frame

  return () => {
    const record = page.record.get();
    const { names } = source(record, null);
    const over = endOf(state.walk, names?.longest ?? Infinity);
    const answer = source(record, over === null ? idsOf(state.walk) : null);
    if (record?.model.key !== model) last = null;
    model = record?.model.key ?? "";
    const found = answer.found ?? last;
    last = found;
    const isHere = answer.found !== null;
    const now = { ...state, record, names, over, answer, found, isHere };
    if (found === null) return { ...now, drawn: drawAll(null, null, NONE), picked: null };
    const size = found.ranked.order.length;
    if (powers.length !== size) powers = new Float64Array(size);
    const shape = reshape(found.ranked, state.settings, powers);
    const drawn = drawAll(found, shape, isHere ? { ...state, ...state.settings } : NONE);
    const picked = isHere ? (drawn.one?.id ?? state.chosen) : null;
    return { ...now, shape, drawn, picked };
  };
}

const NONE = { seed: 0, index: null, draws: 0 };

/** What buttons, bars and sliders do; all but writing stop the writing to the end. */
function createActions(/** @type {Page} */ page, scene, look, /** @type {() => void} */ redraw) {
  const { state, actions } = scene;
  const act = (does) => (value) => {
    Object.assign(state, { isWriting: false, coming: [] });
    does(value);
    redraw();
  };
  /** The drawn or chosen token joins the text. */
  function append() {
    const { found, names, picked } = look();
    if (picked === null) return;
    actions.append({ id: picked, log_prob: found.logProbs[picked], label: names.label(picked) });
  }
  /** One token after another, as far as their distributions are there; the next is asked for. */
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
  /** @type {any} */
  const acts = Object.fromEntries(Object.entries(actions).map(([name, does]) => [name, act(does)]));
  return {
    ...acts,
    choose: act((id) => (state.chosen === id ? append() : actions.choose(id))),
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

function layout(/** @type {Page} */ page, now, actions, parts, /** @type {Element|null} */ place) {
  const { found, shape, settings, record, names } = now;
  const { vocabulary } = record.model;
  const drag = (event) => actions.drag(event.target.type === "range");
  const letGo = () => actions.drag(false);
  const rows = () => everyToken(found, shape, names);
  return html`<div class="hl-sampling ${now.isHere || now.over ? "" : "hl-sampling-old"}">
    ${textOf(page, now, actions)}
    <div class="hl-sampling-set hl-stack" @pointerdown=${drag} @pointerup=${letGo}
      @pointercancel=${letGo} @change=${letGo}>
      ${parts.sliders(settings, vocabulary)}
      ${found && [stagesTable(page, found, shape, settings), measuresTable(page, found, shape)]}
      <p class="hl-note">${page.t("sampling.note", { n: countText(vocabulary) })}</p>
    </div>
    <div class="hl-sampling-head hl-stack">${found && parts.bars(now)}</div>
    <div class="hl-sampling-side hl-stack">
      ${drawing(page, now, actions)}
      <div class="hl-sampling-curve">
        ${found && parts.curve(now, sizeOf(place, { height: 260 }), rows)}
      </div>
    </div>
  </div>`;
}
