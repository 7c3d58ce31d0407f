// The attention exhibit: the overview, one head large, and its numbers in words.

import { element, whenChanged } from "../elements.js";
import { createHeatmap } from "../heatmap.js";
import { createOverview } from "./overview.js";
import { ramps } from "../colour.js";
import { drawInPanel, room } from "../panel.js";
import { createReadout, headName, mountLegend } from "./readout.js";
import { axes, isDecoder, pointedLines } from "../selection.js";
import { choose, hover, record, selection, theme } from "../state.js";
import { mountTakeaway } from "../takeaway.js";
import { language } from "../words.js";

const ZOOM_STEP = 1.5;
const MOST_ZOOM = 8;

export function mount(root) {
  const overview = createOverview(root.querySelector("#hl-heads"));
  const readout = createReadout(root.querySelector("#hl-aside"));
  const map = createHeatmap(root.querySelector("#hl-map"), {
    onPoint: hover.set, onChoose: choose,
  });
  const size = root.querySelector("#hl-map");
  const changed = whenChanged();
  let zoom = 1;

  const redraw = drawInPanel(root, [record, theme, language, hover], () => {
    const shown = record.get();
    if (shown === null) return;
    room(root.querySelector(".hl-attention"));
    overview.draw();
    const chosen = selection.get();
    const scene = { ...sceneOf(shown, chosen), ramp: ramps[theme.get()], zoom };
    const { fontSize } = getComputedStyle(size);
    if (changed(scene.cells, scene.rows, scene.name, scene.ramp, zoom, size.clientWidth, size.clientHeight, fontSize)) {
      map.draw(scene);
    }
    map.light({ row: chosen.row, col: chosen.col, lit: pointedLines(shown, chosen, hover.get()) });
    readout.draw(scene);
  });

  for (const button of root.querySelectorAll("[data-zoom]")) {
    button.addEventListener("click", () => {
      const by = { in: zoom * ZOOM_STEP, out: zoom / ZOOM_STEP, fit: 1 }[button.dataset.zoom];
      zoom = Math.max(1, Math.min(MOST_ZOOM, by));
      redraw();
    });
  }
  mountLabelChoice(root.querySelector("#hl-labels"));
  mountLegend(root.querySelector("#hl-legend"));
  mountTakeaway(root.querySelector("#hl-take"), () => sceneOf(record.get(), selection.get()));
}

// Everything about the chosen head that a picture, a file or a sentence needs.
function sceneOf(shown, chosen) {
  const maps = shown.attention[chosen.kind];
  const { rows, columns } = axes(shown, chosen.kind, chosen.labels);
  return {
    cells: maps.head(chosen.layer, chosen.head), queries: maps.queries, keys: maps.keys,
    rows: rows.labels, columns: columns.labels, chosen, name: headName(chosen), shown,
  };
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
