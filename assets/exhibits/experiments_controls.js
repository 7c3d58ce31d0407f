// What may be changed: heads, layers, masks, single cells. Each control is one change of `draft`.

import { element, svg } from "../elements.js";
import { colourOf, cssOf, diverging, isDark, ramps } from "../colour.js";
import { filled } from "../interventions.js";
import { signedText } from "../numbers.js";
import { axes, KINDS } from "../selection.js";
import { createSmallMap } from "../smallmap.js";
import { effects, record, selection, theme } from "../state.js";
import { number, t } from "../words.js";
import { isOff, MOST_PADDING, paintedMask, toggleCell, toggleHead, toggleLayer } from "./experiments_change.js";

const ALLOWED = 0.12; // how dark a cell is that may be read

// The colour of a change, `most` at the ends of the ramp.
export const changeColour = (change, most) => colourOf(diverging[theme.get()], 0.5 + change / 2 / (most || 1));

// All heads as buttons: off or on; coloured by what each is worth, once they are ranked.
export function createHeads(root, draft) {
  root.addEventListener("click", (event) => {
    const { head, layer } = event.target.closest("button")?.dataset ?? {};
    if (head) {
      const [kind, l, h] = head.split(".");
      draft.set(toggleHead(draft.get(), [kind, Number(l), Number(h)]));
    } else if (layer) draft.set(toggleLayer(draft.get(), Number(layer)));
  });
  return function draw() {
    const focused = document.activeElement?.closest?.("#hl-experiments-heads button")?.dataset;
    root.replaceChildren(...KINDS.map((kind) => kindOf(kind, record.get().attention[kind], draft.get())));
    const again = [...root.querySelectorAll("button")].find(({ dataset }) =>
      focused && dataset.head === focused.head && dataset.layer === focused.layer);
    again?.focus({ preventScroll: true });
  };
}

function kindOf(kind, { layers, heads }, changes) {
  const rows = Array.from({ length: layers }, (_, layer) => element("div", { class: "hl-experiments-layer" },
    element("span", {}, t("experiments.layer", { n: number(layer) })),
    ...Array.from({ length: heads }, (_, head) => headButton([kind, layer, head], changes)),
    kind === "cross" ? layerButton(layer, changes) : ""));
  return element("section", { class: `hl-kind hl-kind-${kind}`, style: `--heads:${heads}` },
    element("h3", {}, t(`kind.${kind}`)), ...rows);
}

function headButton(head, changes) {
  const [kind, layer, index] = head;
  const off = isOff(changes, head) || (kind === "cross" && changes.cross_off.includes(layer));
  const worth = effects.get()?.get(head.join("."));
  const values = { kind: t(`kind.${kind}`), layer: number(layer), head: number(index) };
  const name = worth === undefined ? t("experiments.head", values)
    : t("experiments.head.worth", { ...values, change: signedText(worth) });
  const colour = worth === undefined ? null : changeColour(worth, mostOf(effects.get()));
  return element("button", {
    type: "button", "data-head": head.join("."), "aria-pressed": String(off), "aria-label": name, title: name,
    style: colour && `background:${cssOf(colour)};color:${isDark(colour) ? "#fff" : "#1c1c22"}`,
  }, off ? "×" : number(index));
}

function layerButton(layer, changes) {
  const name = t("experiments.layer.off", { n: number(layer) });
  return element("button", {
    type: "button", "data-layer": layer, "aria-label": name, title: name,
    "aria-pressed": String(changes.cross_off.includes(layer)),
  }, t("experiments.all"));
}

export const mostOf = (changes) => Math.max(...Array.from(changes.values(), Math.abs));

// The masks, the padding and the scaling.
export function createMasks(field, draft) {
  const box = (name) => {
    const input = element("input", { type: "checkbox", "data-name": name });
    input.addEventListener("change", () => draft.merge({ [name]: input.checked }));
    field.append(element("label", {}, input, element("span", { "data-t": `experiments.mask.${name}` })));
    return input;
  };
  const boxes = [box("causal_mask"), box("padding_mask")];
  const padding = element("input", { type: "number", min: 0, max: MOST_PADDING, step: 1, "data-name": "padding" });
  padding.addEventListener("change", () => {
    draft.merge({ padding: Math.max(0, Math.min(MOST_PADDING, Math.round(Number(padding.value)) || 0)) });
  });
  field.append(element("label", {}, padding, element("span", { "data-t": "experiments.mask.padding" })));
  boxes.push(box("scaling"));
  return function draw() {
    for (const input of boxes) input.checked = draft.get()[input.dataset.name];
    padding.value = draft.get().padding;
  };
}

// The mask of one kind, its cells to be turned over.
export function createPaint(root, draft) {
  let kind = "cross";
  let pointed = null;
  const select = element("select", { "data-t-label": "experiments.paint.kind" },
    ...KINDS.map((one) => element("option", { value: one, "data-t": `kind.${one}` })));
  const says = element("p", { class: "hl-note hl-experiments-says", id: "hl-experiments-says" });
  const body = element("div", { class: "hl-experiments-scroll" });
  root.replaceChildren(
    element("div", { class: "hl-caption" }, element("h3", { "data-t": "experiments.paint" }), select), says, body);
  const map = createSmallMap(body, {
    describedBy: "hl-experiments-says",
    onPoint: (cell) => { pointed = cell; tell(); },
    onChoose: (cell) => draft.set(toggleCell(draft.get(), kind, cell, ...lengths())),
  });
  select.value = kind;
  select.addEventListener("change", () => { kind = select.value; pointed = null; draw(); });

  const lengths = () => [sourceOf(record.get()).length, record.get().tgt_out.length];

  function scene() {
    const mask = paintedMask(draft.get(), kind, ...lengths());
    const { rows, columns } = tokensOf(kind, draft.get());
    return { ...mask, rows, columns, cells: Float32Array.from(mask.allowed, (may) => (may ? ALLOWED : NaN)) };
  }

  function tell() {
    const { rows, columns, keys, allowed } = scene();
    const at = pointed !== null && pointed.row < rows.length && pointed.col < keys ? pointed : null;
    says.textContent = at === null ? t("experiments.paint.how")
      : t(allowed[at.row * keys + at.col] ? "experiments.paint.may" : "experiments.paint.not",
        { row: rows[at.row].text, col: columns[at.col].text });
    map.light(at);
  }

  function draw() {
    map.draw({
      ...scene(), ramp: ramps[theme.get()], width: body.clientWidth, most: 1.5,
      name: t("experiments.paint.map", { kind: t(`kind.${kind}`) }),
    });
    tell();
  }
  return draw;
}

// The source of a record without the padding that its own interventions added.
export const sourceOf = (shown) => shown.src.slice(0, shown.src.length - filled(shown.interventions).padding);

// Rows and columns of a kind: the source has the padding that is to be added.
function tokensOf(kind, { padding }) {
  const shown = record.get();
  const pad = { text: "<pad>", kind: "special" };
  const src = [...sourceOf(shown), ...Array.from({ length: padding }, () => pad)];
  const { rows, columns } = axes({ ...shown, src }, kind, selection.get().labels);
  return { rows: rows.labels, columns: columns.labels };
}

// A bar from the middle: to the left where something became less, to the right where more.
export function changeBar(change, most) {
  const half = Math.min(1, Math.abs(change) / (most || 1)) * 50;
  return svg("svg", { class: "hl-experiments-bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { x: change < 0 ? 50 - half : 50, y: 1, width: half, height: 8, fill: cssOf(changeColour(Math.sign(change), 1)) }),
    svg("line", { x1: 50, x2: 50, y1: 0, y2: 10 }));
}
