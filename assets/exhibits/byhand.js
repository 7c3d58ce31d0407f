// Attention by hand: small matrices to edit, every step with its numbers, and where each comes from.

import { pick, slider } from "../controls.js";
import { element } from "../elements.js";
import { drawInPanel, room } from "../panel.js";
import { theme } from "../state.js";
import { language, number, t } from "../words.js";
import { at, attend, multiHead } from "./byhand_maths.js";
import { createGiven, result as resultTable } from "./byhand_matrices.js";
import { numberText, origin } from "./byhand_origin.js";
import { HEADS, LARGEST, PRESETS, resized, sizesOf } from "./byhand_presets.js";

const FIRST = "weights";
const STEPS = ["scores", "scaled", "masked", "weights", "output"];

export function mount(root) {
  const state = { preset: FIRST, ...PRESETS[FIRST](), chosen: { name: "output", row: 1, col: 0 } };
  const frame = root.querySelector(".hl-byhand");
  const steps = root.querySelector("#hl-byhand-steps");
  const told = root.querySelector("#hl-byhand-origin");
  const given = createGiven(root.querySelector("#hl-byhand-given"), () => redraw());
  let refocus = false; // the steps are made anew at every change; the chosen one keeps the focus

  const redraw = drawInPanel(root, [theme, language], () => {
    room(frame);
    controls.show(state);
    const result = compute(state);
    if (!exists(result, state.chosen)) state.chosen = { name: "output", row: 0, col: 0 };
    const made = origin(result, state.chosen, state, shownOf(state));
    given.draw(state, made.from);
    steps.replaceChildren(...drawing(state, result, made.from, choose));
    told.replaceChildren(...words(result, state, made));
    if (refocus) steps.querySelector("[aria-pressed=true]")?.focus();
    refocus = false;
  });

  function choose(chosen) {
    state.chosen = chosen;
    refocus = true;
    redraw();
  }

  const controls = createControls(state, (changes) => {
    Object.assign(state, changes);
    if (changes.given || changes.preset) given.rebuild();
    redraw();
  });
  root.querySelector("#hl-byhand-controls").append(...controls.nodes);
}

// Every step of what is typed in. Those that are typed in themselves are not steps.
export function compute({ mode, given, causal, scaling }) {
  const options = { causal, scaling };
  if (mode === "heads") return { ...given, ...multiHead(given, HEADS, options) };
  const typed = { scores: given.S, weights: given.W };
  return { ...given, ...attend(given, options, typed) };
}

function stepsOf({ mode, causal, scaling }) {
  if (mode === "weights") return ["output"];
  return STEPS.filter((name) => (name !== "scores" || mode !== "scores")
    && (name !== "scaled" || (scaling && mode !== "scores")) && (name !== "masked" || causal));
}

// What is on show of the steps: those computed, and what is typed in their place.
const shownOf = (state) => [...stepsOf(state), ...(state.mode === "scores" ? ["scores"] : [])];

const matrixOf = (result, { name, head }) => (head === undefined ? result[name] : result.heads?.[head]?.[name]);

function exists(result, chosen) {
  const found = matrixOf(result, chosen);
  const made = chosen.head !== undefined || !result.heads || ["concat", "output"].includes(chosen.name);
  return Boolean(found && made && chosen.row < found.rows && chosen.col < found.columns);
}

function drawing(state, result, from, onChoose) {
  const table = (name, head, caption) => resultTable(matrixOf(result, { name, head }), {
    name, head, caption, chosen: state.chosen, from, ramp: theme.get(), onChoose,
  });
  const line = (name, ...tables) => element("div", { class: "hl-byhand-line" }, ...(name ? [element("h3", {}, name)] : []), ...tables);
  const step = (name, head) => table(name, head, t(`byhand.step.${name}`, { d: numberText(state.mode === "heads" ? state.given.Q.columns / HEADS : state.given.Q?.columns ?? 1) }));
  if (state.mode !== "heads") return [line("", ...stepsOf(state).map((name) => step(name)))];
  const heads = result.heads.map((own, head) => line(t("byhand.head", { n: number(head) }),
    ...["Q", "K", "V"].map((name) => resultTable(own[name], { name, head, caption: `${name}${number(head)}`, chosen: {}, from })),
    ...stepsOf(state).map((name) => step(name, head))));
  return [...heads, line("", table("concat", undefined, t("byhand.step.concat")), table("output", undefined, t("byhand.step.mixed")))];
}

function words(result, state, { sum, masked }) {
  const { name, head, row, col } = state.chosen;
  const value = at(matrixOf(result, state.chosen), row, col);
  const place = t("byhand.place", { row: number(row), column: number(col), step: t(`byhand.name.${name}`) });
  const where = head === undefined ? place : t("byhand.place.head", { n: number(head), place });
  return [
    element("h3", {}, where),
    element("p", { class: "hl-byhand-sum" }, masked ? t("byhand.masked", { query: number(row), key: number(col) }) : `${sum} = ${numberText(value)}`),
    element("p", { class: "hl-note" }, t(`byhand.why.${name}`)),
  ];
}

function createControls(state, change) {
  const preset = pick({
    id: "hl-byhand-preset", words: "byhand.preset", value: state.preset,
    onChoose: (name) => change({ preset: name, ...PRESETS[name](), chosen: { name: "output", row: 1, col: 0 } }),
    choices: { weights: "byhand.preset.weights", counting: "byhand.preset.counting", self: "byhand.preset.self",
      causal: "byhand.preset.causal", cross: "byhand.preset.cross", scores: "byhand.preset.scores", heads: "byhand.preset.heads" },
  });
  const flag = (name, words) => {
    const box = element("input", { type: "checkbox", id: `hl-byhand-${name}`, onchange: () => change({ [name]: box.checked }) });
    return { box, node: element("label", { class: "hl-byhand-flag" }, box, element("span", { "data-t": words })) };
  };
  const causal = flag("causal", "byhand.causal");
  const scaling = flag("scaling", "byhand.scaling");
  const size = (name, words) => slider({ id: `hl-byhand-${name}`, words, min: 1, max: LARGEST, value: 1,
    onInput: (value) => change({ given: resized(state, { ...sizesOf(state), [name]: value }) }) });
  const sizes = { queries: size("queries", "byhand.queries"), keys: size("keys", "byhand.keys"), d_k: size("d_k", "byhand.d_k"), d_v: size("d_v", "byhand.d_v") };
  const note = element("p", { class: "hl-note" });

  function show(now) {
    preset.set(now.preset);
    causal.box.checked = now.causal;
    scaling.box.checked = now.scaling;
    causal.node.hidden = now.mode === "weights";
    scaling.node.hidden = now.mode === "weights" || now.mode === "scores";
    const found = sizesOf(now);
    for (const [name, one] of Object.entries(sizes)) {
      one.node.hidden = !(name in found);
      const input = one.node.querySelector("input");
      const even = now.mode === "heads" && name.startsWith("d_");
      [input.min, input.step] = even ? [2, 2] : [1, 1]; // two heads share the columns
      if (name in found) one.set(found[name]);
    }
    note.textContent = t(`byhand.note.${now.preset}`);
  }

  return { nodes: [preset.node, note, causal.node, scaling.node, ...Object.values(sizes).map(({ node }) => node)], show };
}
