// All heads of the three kinds at one point of the training, as small maps to choose from.

import { arrow, element, whenChanged } from "../elements.js";
import { ramps } from "../colour.js";
import { drawCells, pool } from "../pixels.js";
import { KINDS } from "../selection.js";
import { choose, selection, theme } from "../state.js";
import { language, number, t } from "../words.js";

const FINEST = 48; // pixels of a tile's side at most

export function createGrid(root) {
  const reshaped = whenChanged();
  const recoloured = whenChanged();
  let tiles = [];

  // now: {attention: {kind: decoded maps}}
  function draw(now) {
    const shapes = KINDS.flatMap((kind) => [now.attention[kind].layers, now.attention[kind].heads]);
    if (reshaped(language.get(), ...shapes)) build(now.attention);
    if (recoloured(now, theme.get(), tiles)) {
      for (const { kind, layer, head, button } of tiles) paint(button, now.attention[kind], layer, head);
    }
    const chosen = selection.get();
    for (const { kind, layer, head, button } of tiles) {
      const here = kind === chosen.kind && layer === chosen.layer && head === chosen.head;
      button.setAttribute("aria-pressed", String(here));
      button.tabIndex = here ? 0 : -1;
    }
  }

  function build(attention) {
    tiles = [];
    root.replaceChildren(...KINDS.map((kind, i) => group(kind, attention[kind], i === 0, tiles)));
    root.style.setProperty("--rows", KINDS.reduce((rows, kind) => rows + attention[kind].layers, 0));
  }

  root.addEventListener("keydown", (event) => {
    const step = arrow(event);
    const at = tiles.findIndex(({ button }) => button === event.target.closest("button"));
    if (step === null || at < 0) return;
    event.preventDefault();
    const next = tiles[at + step.columns + step.rows * widthOf(tiles)];
    if (next) pick(next);
  });
  return { draw };
}

const widthOf = (tiles) => 1 + Math.max(...tiles.map(({ head }) => head));

function pick({ kind, layer, head, button }) {
  choose({ kind, layer, head });
  button.focus();
}

function paint(button, maps, layer, head) {
  const small = pool(maps.head(layer, head), maps.queries, maps.keys, FINEST, FINEST);
  drawCells(button.firstChild, small, ramps[theme.get()]);
}

function group(kind, { layers, heads }, first, tiles) {
  const grid = element("div", { class: "hl-tiles", style: `--heads:${heads}` });
  if (first) {
    grid.append(element("span", { class: "hl-corner" }, t("heads.head")),
      ...Array.from({ length: heads }, (_, head) => element("span", {}, number(head))));
  }
  for (let layer = 0; layer < layers; layer += 1) {
    grid.append(element("span", { class: "hl-layer" }, t("heads.layer", { n: number(layer) })));
    for (let head = 0; head < heads; head += 1) {
      const name = t("heads.tile", { kind: t(`kind.${kind}`), layer: number(layer), head: number(head) });
      const button = element("button", { type: "button", class: "hl-tile", "data-learn": `${kind}.${layer}.${head}`, "aria-label": name, title: name }, element("canvas"));
      const tile = { kind, layer, head, button };
      button.addEventListener("click", () => pick(tile));
      tiles.push(tile);
      grid.append(button);
    }
  }
  return element("section", { class: `hl-kind hl-kind-${kind}` }, element("h3", {}, t(`kind.${kind}`)), grid);
}
