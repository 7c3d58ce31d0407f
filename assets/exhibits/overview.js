// All heads of the three kinds at once: a small map for each, and the way to choose one.

import { colourOf, ramps } from "../colour.js";
import { arrow, element, whenChanged } from "../elements.js";
import { pool } from "../pixels.js";
import { pngOf } from "../png.js";
import { KINDS } from "../selection.js";
import { effects, record, selection, theme } from "../state.js";
import { language, number, t } from "../words.js";
import { isolate, nameOf, pick, toggle } from "./attention_heads.js";
import { options } from "./attention_options.js";
import { sorted } from "./attention_measures.js";
import { measureText, measured, passes } from "./attention_sorting.js";
import { scaleOf } from "./attention_view.js";

const SHADES = 254; // steps of colour in a tile, whose image has room for one fewer than the ramp
const FINEST = 64; // pixels of a tile's side at most; longer sentences are pooled
const BUDGET = 12; // ms of painting in one frame; what is left waits for the next

export function createOverview(root) {
  const reshaped = whenChanged();
  const recoloured = whenChanged();
  const reordered = whenChanged();
  const remarked = whenChanged();
  let tiles = new Map(); // "kind.layer.head" -> button
  let orders = {}; // kind -> names of its heads as they stand
  let waiting = []; // names of the heads that are still to be painted

  function build(shown) {
    tiles = new Map();
    for (const kind of KINDS) for (const name of namesOf(kind, shown)) tiles.set(name, tileOf(name));
    root.replaceChildren(...KINDS.map((kind) => section(kind, shown.attention[kind])));
    root.style.setProperty("--rows", KINDS.reduce((rows, kind) => rows + shown.attention[kind].layers, 0));
  }

  function draw() {
    const shown = record.get();
    if (shown === null) return;
    const now = options.get();
    const counts = KINDS.flatMap((kind) => [shown.attention[kind].layers, shown.attention[kind].heads]);
    if (reshaped(language.get(), ...counts)) build(shown);
    if (recoloured(shown, theme.get(), now.own, tiles)) {
      waiting = [...tiles.keys()];
      paint(shown, shades(ramps[theme.get()]), now.own);
    }
    if (reordered(shown, effects.get(), tiles, now.measure, now.sorted, now.least)) arrange(shown, now);
    const chosen = selection.get();
    if (remarked(tiles, orders, chosen.kind, chosen.layer, chosen.head, now.heads, now.adding)) mark(chosen, now);
  }

  // As many tiles as a frame has time for, beginning with the kind on show.
  function paint(shown, colours, own) {
    const started = performance.now();
    const first = waiting.filter((name) => name.startsWith(selection.get().kind));
    waiting = [...first, ...waiting.filter((name) => !first.includes(name))];
    while (waiting.length > 0 && performance.now() - started < BUDGET) {
      const name = waiting.shift();
      const { cells, queries, keys } = cellsOf(name, shown);
      const small = pool(cells, queries, keys, FINEST, FINEST);
      const most = scaleOf(cells, own);
      tiles.get(name).firstChild.src = picture(small, most, colours);
    }
    if (waiting.length === 0) return;
    const [queue, current] = [waiting, tiles];
    requestAnimationFrame(() => {
      // Another sentence, or another colour, has its own queue.
      if (queue === waiting && current === tiles) paint(shown, colours, own);
    });
  }

  // The tiles in their order, and what the chosen measure says of each.
  function arrange(shown, now) {
    const focused = root.contains(document.activeElement) ? document.activeElement : null;
    const values = now.measure === "none" ? null : measured(shown, now.measure);
    orders = {};
    for (const kind of KINDS) {
      const plain = namesOf(kind, shown);
      const inOrder = now.sorted && values !== null;
      orders[kind] = inOrder ? sorted(plain, now.measure, (name) => values.get(name).value) : plain;
      const { heads } = shown.attention[kind];
      root.querySelector(`.hl-kind-${kind} .hl-tiles`).replaceChildren(
        ...(kind === KINDS[0] ? headings(heads, inOrder) : []),
        ...inRows(orders[kind], heads, inOrder).map((entry) => (typeof entry === "string" ? tiles.get(entry) : entry)),
      );
    }
    for (const [name, tile] of tiles) measureTile(name, tile, values?.get(name) ?? null, now);
    root.classList.toggle("hl-measured", values !== null);
    root.classList.toggle("hl-sorted", now.sorted && values !== null);
    focused?.focus();
  }

  function mark(chosen, now) {
    root.classList.toggle("hl-adding", now.adding);
    for (const [name, tile] of tiles) {
      const here = name === nameOf(chosen);
      tile.setAttribute("aria-pressed", here);
      tile.classList.toggle("hl-with", now.heads.includes(name));
      tile.tabIndex = here ? 0 : -1;
    }
  }

  root.addEventListener("click", (event) => {
    const tile = event.target.closest(".hl-tile");
    if (tile === null) return;
    const more = options.get().adding || event.ctrlKey || event.metaKey || event.shiftKey;
    (more ? toggle : pick)(tile.dataset.head);
  });
  root.addEventListener("dblclick", (event) => {
    const tile = event.target.closest(".hl-tile");
    if (tile !== null && !options.get().adding) isolate(tile.dataset.head);
  });
  root.addEventListener("keydown", (event) => {
    const step = arrow(event);
    const tile = event.target.closest(".hl-tile");
    if (step === null || tile === null) return;
    event.preventDefault();
    const name = neighbour(tile.dataset.head, step, record.get(), orders);
    if (!options.get().adding) pick(name); // else the arrows look for a head, and Enter takes it
    tiles.get(name).focus();
  });
  return { draw };
}

function cellsOf(name, shown) {
  const [kind, layer, head] = name.split(".");
  const maps = shown.attention[kind];
  return { cells: maps.head(Number(layer), Number(head)), queries: maps.queries, keys: maps.keys };
}

// A map as the address of an image. Seventy canvases on the page would each be a layer of their own,
// which the browser puts together again whenever anything on the page changes.
function picture({ cells, rows, columns }, most, colours) {
  const places = new Uint8Array(cells.length); // 0 where masked
  for (let i = 0; i < cells.length; i += 1) {
    if (!Number.isNaN(cells[i])) places[i] = 1 + Math.round(Math.min(1, cells[i] / most) * SHADES);
  }
  const file = pngOf(places, columns, rows, colours);
  return `data:image/png;base64,${btoa(String.fromCharCode(...file))}`;
}

const shades = (ramp) => Uint8Array.from({ length: 3 * (SHADES + 1) }, (_, i) => colourOf(ramp, Math.floor(i / 3) / SHADES)[i % 3]);

// The heads of a kind by layer and number.
const namesOf = (kind, { attention: { [kind]: { layers, heads } } }) =>
  Array.from({ length: layers * heads }, (_, i) => `${kind}.${Math.floor(i / heads)}.${i % heads}`);

// The tile beside another one; up and down go on from one kind to the next. `orders` says how the
// tiles of each kind stand, where that is not by layer and number.
export function neighbour(name, { rows, columns }, shown, orders = {}) {
  const [kind] = name.split(".");
  const orderOf = (one) => orders[one] ?? namesOf(one, shown);
  const lines = (one) => shown.attention[one].layers;
  const { heads } = shown.attention[kind];
  const place = orderOf(kind).indexOf(name);
  const column = Math.max(0, Math.min(heads - 1, (place % heads) + columns));
  let line = Math.floor(place / heads) + rows;
  let at = KINDS.indexOf(kind);
  if (line < 0 && at > 0) {
    at -= 1;
    line = lines(KINDS[at]) - 1;
  } else if (line >= lines(kind) && at < KINDS.length - 1) {
    at += 1;
    line = 0;
  }
  line = Math.max(0, Math.min(lines(KINDS[at]) - 1, line));
  return orderOf(KINDS[at])[line * heads + column];
}

// The numbers of the heads stand once, above the first kind; sorted, the columns mean nothing.
const headings = (heads, inOrder) => (inOrder
  ? [element("span", { class: "hl-corner hl-whole" }, t("heads.sorted"))]
  : [
    element("span", { class: "hl-corner" }, t("heads.head")),
    ...Array.from({ length: heads }, (_, head) => element("span", {}, number(head))),
  ]);

// Names of heads in rows, each row with its layer, or its ranks, before it.
function inRows(names, heads, inOrder) {
  const entries = [];
  for (let first = 0; first < names.length; first += heads) {
    const line = inOrder ? `${number(first)}–${Math.min(first + heads, names.length)}`
      : t("heads.layer", { n: number(first / heads) });
    entries.push(element("span", { class: "hl-layer" }, line), ...names.slice(first, first + heads));
  }
  return entries;
}

function fullName(name) {
  const [kind, layer, head] = name.split(".");
  return t("heads.tile", { kind: t(`kind.${kind}`), layer: number(Number(layer)), head: number(Number(head)) });
}

function tileOf(name) {
  const [, layer, head] = name.split(".").map(Number);
  return element(
    "button", { type: "button", class: "hl-tile", "data-head": name },
    element("img", { alt: "" }), element("i", { class: "hl-tag" }, `${number(layer)}·${number(head)}`), element("i", { class: "hl-gauge" }),
  );
}

// Writes a tile's measure: its bar, its tooltip and name, and whether it stays bright.
function measureTile(name, tile, found, { measure, least }) {
  const value = found?.value ?? null;
  const text = value === null ? fullName(name) : `${fullName(name)} · ${t(`measure.${measure}`)} ${measureText(measure, value)}`;
  tile.title = text;
  tile.setAttribute("aria-label", text);
  tile.style.setProperty("--measure", `${((found?.share ?? 0) * 100).toFixed(1)}%`);
  tile.dataset.measure = value === null ? "" : value;
  tile.classList.toggle("hl-gain", measure === "effect" && value > 0);
  tile.classList.toggle("hl-dim", found !== null && !passes(found, least));
}

function section(kind, { heads }) {
  return element("section", { class: `hl-kind hl-kind-${kind}` },
    element("h3", {}, t(`kind.${kind}`), element("small", {}, t(`kind.${kind}.short`))),
    element("div", { class: "hl-tiles", style: `--heads:${heads}` }));
}
