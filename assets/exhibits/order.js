// Order: what the running model does without positions, with shuffled or with shifted ones.

import { pick, slider } from "../controls.js";
import { element } from "../elements.js";
import { unpack } from "../packing.js";
import { drawInPanel, room } from "../panel.js";
import { record, selection, theme } from "../state.js";
import { ask, question } from "../wire.js";
import { language, t } from "../words.js";
import { createEquivariance } from "./order_equivariance.js";
import { createPair } from "./order_pair.js";
import { createResult } from "./order_result.js";

const PAUSE = 250; // ms between the last move of a control and the request
const MOVED = ["positions", "sides", "shift", "position_seed"];

export function mount(root) {
  const frame = root.querySelector(".hl-order");
  const place = root.querySelector("#hl-order-result");
  const state = { positions: "none", sides: "both", shift: 20, seed: 0, found: null, trouble: null };
  const result = createResult();
  const encoder = createEquivariance();
  const pair = createPair();
  place.append(result.node, element("div", { class: "hl-order-side" }, encoder.node, pair.node));

  const redraw = drawInPanel(root, [record, theme, language], () => {
    room(frame);
    controls.show(state);
    result.draw({ ...state, waiting: state.found?.key !== keyOf(state), theme: theme.get() });
    encoder.draw();
    pair.draw();
    inquire();
  });
  encoder.onAnswer(redraw);
  pair.onAnswer(redraw);
  const controls = createControls(state, (changes) => {
    Object.assign(state, changes);
    if (state.positions === "shuffled" && state.sides === "target") state.sides = "source";
    redraw();
  });
  root.querySelector("#hl-order-controls").append(...controls.nodes);

  let asked = null;
  let timer = 0;
  function inquire() {
    const key = keyOf(state);
    if (key === null || key === asked) return;
    asked = key;
    clearTimeout(timer);
    timer = setTimeout(() => send(key), PAUSE);
  }

  async function send(key) {
    const { positions, sides, shift, seed } = state;
    const { kind, layer, head } = selection.get();
    try {
      const answer = await question("order", { positions, sides, shift, seed, kind, layer, head });
      if (answer === null) return;
      const found = await decoded(answer);
      Object.assign(state, { found: { ...found, key, kind }, trouble: null });
    } catch (error) {
      Object.assign(state, { found: null, trouble: error.sentence ?? null });
    }
    redraw();
  }
}

// What a request is about; null while there is nothing to ask about.
function keyOf({ positions, sides, shift, seed }) {
  const shown = record.get();
  if (shown === null || shown.recorded) return null;
  const { kind, layer, head } = selection.get();
  const { text, settings, prefix, path, node, interventions } = shown;
  const change = [positions, sides, positions === "shifted" ? shift : 0, positions === "shuffled" ? seed : 0];
  return JSON.stringify([text, settings, prefix, path, node, interventions, change, kind, layer, head]);
}

// The packed numbers as two halves: before, after.
async function decoded({ again, weights, ...rest }) {
  const halves = async (text) => {
    const both = await unpack(text, Float32Array);
    return [both.subarray(0, both.length / 2), both.subarray(both.length / 2)];
  };
  return { ...rest, again: await halves(again), weights: await halves(weights) };
}

function createControls(state, change) {
  const positions = pick({
    id: "hl-order-positions", words: "order.positions", value: state.positions, onChoose: (value) => change({ positions: value }),
    choices: { none: "order.positions.none", shuffled: "order.positions.shuffled", shifted: "order.positions.shifted" },
  });
  const sides = pick({
    id: "hl-order-sides", words: "order.sides", value: state.sides, onChoose: (value) => change({ sides: value }),
    choices: { both: "order.sides.both", source: "order.sides.source", target: "order.sides.target" },
  });
  const shift = slider({ id: "hl-order-shift", words: "order.shift", min: 1, max: 300, value: state.shift, onInput: (value) => change({ shift: value }) });
  const again = element("button", { type: "button", class: "hl-quiet-button", "data-t": "order.again", onclick: () => change({ seed: state.seed + 1 }) });
  const whole = element("button", { type: "button", class: "hl-quiet-button", "data-t": "order.whole", onclick: () => {
    const { positions: kind, sides: where, shift: by, seed } = state;
    const moved = { positions: kind, sides: where, shift: kind === "shifted" ? by : 0, position_seed: kind === "shuffled" ? seed : 0 };
    ask({ interventions: { ...record.get().interventions, ...moved } });
  } });
  const undo = element("button", { type: "button", class: "hl-quiet-button", "data-t": "order.undo", onclick: () => {
    const rest = Object.entries(record.get().interventions).filter(([name]) => !MOVED.includes(name));
    ask({ interventions: Object.fromEntries(rest) });
  } });
  const note = element("p", { class: "hl-note" });

  function show(now) {
    positions.set(now.positions);
    sides.set(now.sides);
    shift.node.hidden = now.positions !== "shifted";
    again.hidden = now.positions !== "shuffled";
    const target = sides.node.querySelector("[value=target]");
    target.disabled = now.positions === "shuffled";
    const moved = record.get()?.interventions.positions ?? "kept";
    undo.hidden = moved === "kept";
    note.textContent = t(`order.note.${now.positions}`);
  }

  return { nodes: [positions.node, sides.node, shift.node, again, note, whole, undo], show };
}
