// All heads of the three kinds at once: a small map for each, and the way to choose one.

import { arrow, element, whenChanged } from "../elements.js";
import { drawCells, pool } from "../pixels.js";
import { ramps } from "../colour.js";
import { KINDS } from "../selection.js";
import { choose, record, selection, theme } from "../state.js";
import { language, number, t } from "../words.js";

const FINEST = 64; // pixels of a tile's side at most; longer sentences are pooled

export function createOverview(root) {
  const reshaped = whenChanged();
  const recoloured = whenChanged();
  let tiles = new Map(); // "kind.layer.head" -> button

  function build(shown) {
    tiles = new Map();
    root.replaceChildren(...KINDS.map((kind) => group(kind, shown.attention[kind], tiles)));
    root.style.setProperty("--rows", KINDS.reduce((rows, kind) => rows + shown.attention[kind].layers, 0));
  }

  function draw() {
    const shown = record.get();
    if (shown === null) return;
    const counts = KINDS.flatMap((kind) => [shown.attention[kind].layers, shown.attention[kind].heads]);
    if (reshaped(language.get(), ...counts)) build(shown);
    if (recoloured(shown, theme.get(), tiles)) paint(shown, ramps[theme.get()]);
    mark();
  }

  function paint(shown, ramp) {
    for (const [name, tile] of tiles) {
      const [kind, layer, head] = name.split(".");
      const maps = shown.attention[kind];
      const small = pool(maps.head(Number(layer), Number(head)), maps.queries, maps.keys, FINEST, FINEST);
      drawCells(tile.firstChild, small.cells, small.rows, small.columns, ramp);
    }
  }

  function mark() {
    const { kind, layer, head } = selection.get();
    for (const [name, tile] of tiles) {
      const here = name === `${kind}.${layer}.${head}`;
      tile.setAttribute("aria-pressed", here);
      tile.tabIndex = here ? 0 : -1;
    }
  }

  root.addEventListener("click", (event) => {
    const tile = event.target.closest(".hl-tile");
    if (tile) pick(tile.dataset.head);
  });
  root.addEventListener("keydown", (event) => {
    const step = arrow(event);
    const tile = event.target.closest(".hl-tile");
    if (step === null || tile === null) return;
    event.preventDefault();
    const name = neighbour(tile.dataset.head, step, record.get());
    pick(name);
    tiles.get(name).focus();
  });
  return { draw };
}

function pick(name) {
  const [kind, layer, head] = name.split(".");
  choose({ kind, layer: Number(layer), head: Number(head) });
}

// The tile beside another one; up and down go on from one kind to the next.
export function neighbour(name, { rows, columns }, shown) {
  const [kind, layerText, headText] = name.split(".");
  const { heads } = shown.attention[kind];
  const head = Math.max(0, Math.min(heads - 1, Number(headText) + columns));
  let layer = Number(layerText) + rows;
  let at = KINDS.indexOf(kind);
  if (layer < 0 && at > 0) {
    at -= 1;
    layer = shown.attention[KINDS[at]].layers - 1;
  } else if (layer >= shown.attention[kind].layers && at < KINDS.length - 1) {
    at += 1;
    layer = 0;
  }
  const { layers } = shown.attention[KINDS[at]];
  return `${KINDS[at]}.${Math.max(0, Math.min(layers - 1, layer))}.${head}`;
}

// The numbers of the heads stand once, above the first kind.
const headNumbers = (heads) => [
  element("span", { class: "hl-corner" }, t("heads.head")),
  ...Array.from({ length: heads }, (_, head) => element("span", {}, number(head))),
];

function group(kind, { layers, heads }, tiles) {
  const grid = element("div", { class: "hl-tiles", style: `--heads:${heads}` });
  if (kind === KINDS[0]) grid.append(...headNumbers(heads));
  for (let layer = 0; layer < layers; layer += 1) {
    grid.append(element("span", { class: "hl-layer" }, t("heads.layer", { n: number(layer) })));
    for (let head = 0; head < heads; head += 1) {
      const values = { kind: t(`kind.${kind}`), layer: number(layer), head: number(head) };
      const tile = element(
        "button",
        { type: "button", class: "hl-tile", "data-head": `${kind}.${layer}.${head}`,
          "aria-label": t("heads.tile", values), title: t("heads.tile", values) },
        element("canvas"),
      );
      tiles.set(tile.dataset.head, tile);
      grid.append(tile);
    }
  }
  return element("section", { class: `hl-kind hl-kind-${kind}` },
    element("h3", {}, t(`kind.${kind}`), element("small", {}, t(`kind.${kind}.short`))), grid);
}
