// The attention exhibit: the overview, one head large as a map or as lines, and its numbers in words.

import { ramps } from "../colour.js";
import { element, whenChanged } from "../elements.js";
import { createHeatmap } from "../heatmap.js";
import { drawInPanel, room } from "../panel.js";
import { axes, isDecoder, pointedLines, stripIndex } from "../selection.js";
import { choose, effects, hover, record, selection, theme } from "../state.js";
import { mountTakeaway } from "../takeaway.js";
import { language, t } from "../words.js";
import { createChips, drawnHeads, nameOf } from "./attention_heads.js";
import { createLines, linksOf } from "./attention_lines.js";
import { describe, followOptions, mountOptions, options, suffix } from "./attention_options.js";
import { linesSvg } from "./attention_picture.js";
import { mountSorting } from "./attention_sorting.js";
import { placeOf, scaleOf, viewOf } from "./attention_view.js";
import { createOverview } from "./overview.js";
import { createReadout, drawLegend, headName, mountLegend } from "./readout.js";

const ZOOM_STEP = 1.5;
const MOST_ZOOM = 8;

export function mount(root) {
  followOptions();
  const part = (id) => root.querySelector(`#${id}`);
  const overview = createOverview(part("hl-heads"));
  const readout = createReadout(part("hl-aside"));
  const chips = createChips(part("hl-chips"));
  const pictures = createPictures(part, () => redraw());
  const told = whenChanged();
  const moved = whenChanged();
  let zoom = 1;

  const redraw = drawInPanel(root, [record, theme, language, hover, options, effects], () => {
    const shown = record.get();
    if (shown === null) return;
    const now = options.get();
    const chosen = selection.get();
    const scene = sceneOf(shown, chosen, now);
    const byPointer = moved(hover.get());
    if (told(shown, chosen, now, theme.get(), language.get(), effects.get()) || !byPointer) {
      pictures.measure();
      chips.draw(shown, chosen, now, theme.get());
      tellOptions(part, now);
      drawLegend(part("hl-legend"), scene.most, now.own);
      room(root.querySelector(".hl-attention"));
      overview.draw();
    }
    pictures.draw(scene, now, zoom);
    readout.draw(scene);
  });

  for (const button of root.querySelectorAll("[data-zoom]")) {
    button.addEventListener("click", () => {
      const by = { in: zoom * ZOOM_STEP, out: zoom / ZOOM_STEP, fit: 1 }[button.dataset.zoom];
      zoom = Math.max(1, Math.min(MOST_ZOOM, by));
      redraw();
    });
  }
  mountLabelChoice(part("hl-labels"));
  mountOptions(part("hl-one"));
  mountSorting(root.querySelector(".hl-sorting"));
  mountLegend(part("hl-legend"));
  mountTakeaway(part("hl-take"), () => takenScene());
}

// The map and the lines of what is on show, and what the pointer does in them.
function createPictures(part, redraw) {
  const [mapSize, linesSize] = ["hl-map", "hl-lines"].map((id) => createSize(part(id), redraw));
  let last = null; // the scene that is drawn
  let pointed = null; // {end, index} of the lines, as long as what is hovered is `mine`
  let mine = null;
  const cellOf = (cell) => (cell === null ? null : { row: last.rowTokens[cell.row][0], col: last.columnTokens[cell.col][0] });
  const map = createHeatmap(part("hl-map"), {
    onPoint: (cell) => hover.set(cellOf(cell)), onChoose: (cell) => choose(cellOf(cell)),
  });
  const lines = createLines(part("hl-lines"), {
    onPoint: (token) => {
      pointed = token;
      mine = token === null ? null : stripToken(last, token);
      hover.set(mine);
    },
    onChoose: ({ end, index }) => {
      if (end === "row") choose({ row: last.rowTokens[index][0] });
      else choose({ row: last.chosen.row, col: last.columnTokens[index][0] });
    },
  });
  const changed = whenChanged();

  function draw(scene, { view }, zoom) {
    last = scene;
    part("hl-map").hidden = view === "lines";
    part("hl-lines").hidden = view === "map";
    const light = lightsOf(scene);
    if (view !== "lines") {
      if (changed(scene.cells, scene.strong, scene.rows, scene.name, scene.ramp, scene.most, zoom, ...mapSize.get())) {
        map.draw({ ...scene, zoom });
      }
      map.light(light);
    }
    if (view === "map") return;
    if (hover.get() !== mine) pointed = null;
    const own = pointed === null ? light.lit : { row: null, col: null, [pointed.end]: pointed.index };
    lines.draw({ rows: scene.rows, columns: scene.columns, heads: scene.heads, chosen: light, theme: theme.get(), pointed: own, sized: linesSize.get() });
  }
  return { draw, measure: () => { mapSize.forget(); linesSize.forget(); } };
}

// Width, height and letters of a box, measured only when they may have changed: to measure makes the
// browser lay out the page, which a pointer that moves cannot wait for.
function createSize(box, redraw) {
  let known = null;
  const forget = () => { known = null; };
  new ResizeObserver(() => {
    forget();
    redraw();
  }).observe(box);
  return { get: () => (known ??= [box.clientWidth, box.clientHeight, parseFloat(getComputedStyle(box).fontSize)]), forget };
}

// The token of a strip that an end of the lines stands for.
function stripToken({ shown, chosen, rowTokens, columnTokens }, { end, index }) {
  const sides = axes(shown, chosen.kind, chosen.labels);
  const axis = end === "row" ? sides.rows : sides.columns;
  const tokens = end === "row" ? rowTokens : columnTokens;
  return { side: axis.side, index: stripIndex(axis, tokens[index][0]) };
}

// The chosen and the pointed-at rows and columns as places in the view; null where they are hidden.
function lightsOf({ rowTokens, columnTokens, chosen, shown }) {
  const place = (tokens, token) => {
    const at = placeOf(tokens, token);
    return at === -1 ? null : at;
  };
  const lit = pointedLines(shown, chosen, hover.get());
  return {
    row: place(rowTokens, chosen.row), col: place(columnTokens, chosen.col),
    lit: { row: place(rowTokens, lit.row), col: place(columnTokens, lit.col) },
  };
}

const views = new Map(); // name of a head -> its view, as long as nothing that it depends on changes
const stale = whenChanged();
const regrouped = whenChanged();
let drawn = [];

// Everything about the chosen head that a picture, a file or a sentence needs.
function sceneOf(shown, chosen, now) {
  const { rows, columns } = axes(shown, chosen.kind, chosen.labels);
  const { words, specials, mass, own, view } = now;
  if (stale(shown, rows.labels, columns.labels, words, specials, mass, own)) views.clear();
  const of = (name) => {
    if (!views.has(name)) views.set(name, viewOfHead(shown, name, rows.labels, columns.labels, now));
    return views.get(name);
  };
  const head = of(nameOf(chosen));
  const names = view === "map" ? [] : drawnHeads(chosen, now, shown);
  if (regrouped(head, ...names.map(({ name, place }) => `${name} ${place}`))) {
    drawn = names.map(({ name, place }) => ({ name, place, links: of(name).links(), own: name === nameOf(chosen) }));
  }
  return {
    ...head, chosen, name: headName(chosen), shown, heads: drawn, ramp: ramps[theme.get()],
    along: (weight) => weight / head.most,
  };
}

function viewOfHead(shown, name, rows, columns, now) {
  const [kind, layer, head] = name.split(".");
  const maps = shown.attention[kind];
  const cells = maps.head(Number(layer), Number(head));
  const view = viewOf({ cells, queries: maps.queries, keys: maps.keys, rows, columns }, now);
  const most = scaleOf(view.cells, now.own);
  let links = null;
  return { ...view, most, links: () => { links ??= linksOf(view, most); return links; } };
}

// What is on show, for a file: its name says what was done to the weights, and so does the CSV.
function takenScene() {
  const now = options.get();
  const scene = sceneOf(record.get(), selection.get(), now);
  const note = describe({ ...now, mass: 100 }).map((sentence) => sentence.textContent).join("").trim();
  const taken = { ...scene, note, suffix: suffix(now) };
  return now.view === "lines" ? { ...taken, suffix: `${taken.suffix}-lines`, svg: (look) => linesSvg(taken, look) } : taken;
}

function tellOptions(part, now) {
  const note = part("hl-options-note");
  note.replaceChildren(...describe(now), ...(now.view === "map" ? [] : [element("span", {}, t("lines.least"))]));
  note.hidden = note.childElementCount === 0;
  part("hl-axes").hidden = now.view === "lines";
}

function mountLabelChoice(field) {
  for (const labels of ["writes", "reads"]) {
    const radio = element("input", { type: "radio", name: "hl-labels", value: labels });
    radio.addEventListener("change", () => choose({ labels }));
    field.append(element("label", {}, radio, element("span", { "data-t": `attention.labels.${labels}` })));
  }
  selection.watch(({ kind, labels }) => {
    field.hidden = !isDecoder(kind);
    for (const radio of field.querySelectorAll("input")) radio.checked = radio.value === labels;
  });
}
