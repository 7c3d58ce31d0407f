// Positions: sliders on the left, one view of the same table of sinusoids beside them.

import { pick, slider } from "../controls.js";
import { element } from "../elements.js";
import { drawInPanel, room } from "../panel.js";
import { record, selection, theme } from "../state.js";
import { question } from "../wire.js";
import { language, t } from "../words.js";
import { createDistance } from "./positions_distance.js";
import { LAYOUTS } from "./positions_maths.js";
import { createRotation } from "./positions_rotation.js";
import { createSum, decodeSums } from "./positions_sum.js";
import { createTable } from "./positions_table.js";
import { createWaves } from "./positions_waves.js";

const BASES = [10, 100, 1000, 10_000, 100_000];
const VIEWS = { table: createTable, waves: createWaves, distance: createDistance, rotation: createRotation, sum: createSum };
const SHAPE = { size: 256, base: 10_000, layout: "interleaved" };

export function mount(root) {
  const frame = root.querySelector(".hl-positions");
  const view = root.querySelector("#hl-positions-view");
  const state = { view: "table", length: 64, ...SHAPE, position: 20, dimension: 40, k: 5, sums: null, trouble: null };
  const views = {};
  let own = SHAPE; // the model's own

  const redraw = drawInPanel(root, [record, theme, language], () => {
    room(frame);
    controls.show(state);
    views[state.view] ??= VIEWS[state.view](change);
    const { node, draw } = views[state.view];
    if (view.firstChild !== node) view.replaceChildren(node);
    draw({ ...state, shape: { size: state.size, base: state.base, layout: state.layout }, theme: theme.get() });
  });

  function change(changes) {
    Object.assign(state, changes);
    state.position = Math.min(state.position, state.length - 1);
    state.dimension = Math.min(state.dimension, state.size - 1);
    redraw();
  }

  const controls = createControls(state, change, () => change({ ...own }));
  root.querySelector("#hl-positions-controls").append(...controls.nodes);
  root.querySelector("#hl-positions-chooser").append(controls.chooser);

  let asked = null;
  const ask = () => {
    const shown = record.get();
    if (shown === null || shown.recorded || shown === asked || selection.get().exhibit !== "positions") return;
    asked = shown;
    question("positions").then(async (answer) => {
      if (answer === null) return;
      const sums = await decodeSums(answer);
      const first = state.sums === null;
      own = { size: answer.d_model, base: SHAPE.base, layout: answer.layout };
      change({ sums, trouble: null, ...(first ? own : {}) });
    }).catch((error) => change({ sums: null, trouble: error.sentence ?? null }));
  };
  record.watch(ask);
  selection.watch(ask);
}

function createControls(state, change, reset) {
  const chooser = pick({
    id: "hl-positions-which", words: "positions.view", value: state.view, onChoose: (view) => change({ view }),
    choices: { table: "positions.view.table", waves: "positions.view.waves", distance: "positions.view.distance",
      rotation: "positions.view.rotation", sum: "positions.view.sum" },
  });
  const length = slider({ id: "hl-positions-length", words: "positions.length", min: 8, max: 256, value: state.length, onInput: (value) => change({ length: value }) });
  const size = slider({ id: "hl-positions-size", words: "positions.size", min: 4, max: 512, step: 2, value: state.size, onInput: (value) => change({ size: value }) });
  const base = slider({ id: "hl-positions-base", words: "positions.base", min: 0, max: BASES.length - 1, value: BASES.indexOf(state.base),
    text: (i) => BASES[i].toLocaleString("en"), onInput: (i) => change({ base: BASES[i] }) });
  const layout = pick({ id: "hl-positions-layout", words: "positions.layout", value: state.layout, onChoose: (value) => change({ layout: value }),
    choices: Object.fromEntries(LAYOUTS.map((one) => [one, `positions.layout.${one}`])) });
  const position = slider({ id: "hl-positions-position", words: "positions.position", min: 0, max: state.length - 1, value: state.position, onInput: (value) => change({ position: value }) });
  const dimension = slider({ id: "hl-positions-dimension", words: "positions.dimension", min: 1, max: state.size, value: state.dimension + 1, onInput: (value) => change({ dimension: value - 1 }) });
  const k = slider({ id: "hl-positions-k", words: "positions.k", min: 0, max: 64, value: state.k, onInput: (value) => change({ k: value }) });
  const table = [length, size, base, layout];
  const note = element("p", { class: "hl-note" });
  const button = element("button", { type: "button", class: "hl-quiet-button", "data-t": "positions.reset", onclick: reset });

  function show(now) {
    chooser.set(now.view);
    length.set(now.length);
    size.set(now.size);
    base.set(BASES.indexOf(now.base));
    layout.set(now.layout);
    position.limit(now.length - 1);
    position.set(now.position);
    dimension.limit(now.size);
    dimension.set(now.dimension + 1);
    k.set(now.k);
    const real = now.view === "sum";
    for (const { node } of [...table, position]) node.hidden = real;
    button.hidden = real;
    dimension.node.hidden = now.view === "distance";
    position.node.hidden = real || now.view === "waves" || now.view === "distance";
    k.node.hidden = now.view !== "rotation" && now.view !== "distance";
    note.hidden = real;
    note.textContent = t("positions.counted");
  }

  return { chooser: chooser.node, nodes: [...table.map(({ node }) => node), position.node, dimension.node, k.node, button, note], show };
}
