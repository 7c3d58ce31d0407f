// Sampling: the distribution of the next token under temperature, top-k and top-p, and drawing from it.
// Python is asked once for each prefix; all that a slider or a draw does happens here.

import { whenChanged } from "../elements.js";
import { csvFile, offer } from "../files.js";
import { drawInPanel, room } from "../panel.js";
import { reshape } from "../sampling.js";
import { record, selection, theme } from "../state.js";
import { ask, current } from "../wire.js";
import { language, t } from "../words.js";
import { createPicture } from "./sampling_picture.js";
import { createControls } from "./sampling_controls.js";
import { createScene } from "./sampling_scene.js";
import { createSource, everyToken } from "./sampling_source.js";
import { createText } from "./sampling_text.js";
import { tokensOf } from "./sampling_walk.js";

const MANY = 200;
const MOST_DRAWS = 20_000;

export function mount(root) {
  const scene = createScene();
  const { state } = scene;
  const retold = whenChanged();
  const progress = { writing: false, dragging: false };
  const redraw = drawInPanel(root, [record, theme, language], draw);
  const source = createSource(() => {
    draw();
    if (progress.writing) writeOn();
  });
  // Does what the visitor wants, and draws it; writing to the end stops for all else.
  const act = (does) => (...args) => {
    progress.writing = false;
    if (record.get() === null || state.walk === null) return;
    does(...args);
    redraw();
  };
  const picture = createPicture(root, { onChoose: act(chooseOrGoOn), onSize: redraw });
  const text = createText(root, { onWhose: act((whose) => (whose === "own" ? scene.showOwn() : scene.showPage())) });
  const controls = createControls(root.querySelector("#hl-sampling-sliders"), {
    onChange: act((changes) => scene.adjust(changes)),
    onDrag: (dragging) => {
      progress.dragging = dragging;
      redraw();
    },
  });
  mountButtons(root, {
    one: act(() => scene.drawOne()),
    many: act(() => scene.drawMore(state.draws < MOST_DRAWS ? MANY : 0)),
    go: act(goOn),
    end: finish,
    back: act(() => scene.takeBack()),
    start: act(() => scene.rewind()),
    empty: act(() => scene.startEmpty()),
    use: act(() => ask({ settings: { ...current.settings, ...state.settings, method: "sampling" } })),
    take: act(() => ask({ prefix: tokensOf(state.walk).map(({ id }) => id) })),
  });
  offer(root.querySelector("#hl-sampling-away"), {
    csv: () => {
      const { found, names } = view();
      return found === null ? null : csvFile("next-token", everyToken(found, reshape(found.ranked, state.settings), names));
    },
  });
  const showSeed = mountSeed(root.querySelector("#hl-sampling-seed"), act((seed) => scene.adjust({ seed })));

  // What there is to see: the scene and the distribution after its text, which may be on its way.
  function view() {
    const names = source.names();
    const over = scene.ended(names?.longest ?? Infinity);
    const ids = tokensOf(state.walk).map(({ id }) => id);
    return {
      ...state, ...progress, names, over, shown: record.get(), step: selection.get().step,
      found: over ? null : source.at(record.get(), ids),
      trouble: over ? null : source.troubleAt(record.get(), ids),
    };
  }

  function draw() {
    if (record.get() === null || root.querySelector(".hl-panel").hidden) return;
    if (!progress.dragging) room(root.querySelector(".hl-sampling"));
    if (scene.follow(record.get(), selection.get().step)) progress.writing = false;
    const now = view();
    controls.draw(state.settings, now.shown.model.vocabulary, t("sampling.off"));
    showSeed(state.settings.seed);
    const next = picture.draw(now);
    if (retold(now.walk, now.mine, now.step, now.shown, next?.id, now.over, language.get())) {
      text.draw({ ...now, next, start: now.shown.tgt_in[0] });
    }
  }

  function chooseOrGoOn(id) {
    if (state.chosen === id) goOn();
    else scene.choose(id);
  }

  // The drawn or chosen token joins the text.
  function goOn() {
    const { found, names } = view();
    const id = found === null ? null : picture.picked(found, state);
    if (id !== null) scene.goOn({ id, log_prob: found.logProbs[id], label: names.label(id) });
  }

  function finish() {
    progress.writing = !progress.writing;
    if (progress.writing) writeOn();
    redraw();
  }

  // One token after another, as far as their distributions are there; the next one is being asked for.
  function writeOn() {
    while (progress.writing && view().found !== null) {
      if (state.index === null) scene.drawOne();
      goOn();
    }
    const { over, trouble } = view();
    if (over !== null || trouble !== null) progress.writing = false;
    redraw();
  }
}

function mountButtons(root, actions) {
  for (const [name, act] of Object.entries(actions)) {
    root.querySelector(`#hl-sampling-${name}`).addEventListener("click", () => act());
  }
}

// Gives what shows a seed in its box, but for one that is being typed.
function mountSeed(box, onSeed) {
  box.addEventListener("input", () => {
    const seed = Number(box.value || NaN);
    if (Number.isInteger(seed) && seed >= 0 && seed <= Number(box.max)) onSeed(seed);
  });
  return (seed) => {
    if (document.activeElement !== box) box.value = seed;
  };
}
