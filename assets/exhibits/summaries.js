// Summaries of many heads beside what each source token is worth to the output.

import { cssOf, diverging, ramps } from "../colour.js";
import { element, whenChanged } from "../elements.js";
import { createHeatmap, lineOf } from "../heatmap.js";
import { signedText, weightText } from "../numbers.js";
import { unpack } from "../packing.js";
import { drawInPanel, room } from "../panel.js";
import { axes, KINDS, pointedLines } from "../selection.js";
import { choose, hover, record, selection, theme } from "../state.js";
import { createStore } from "../store.js";
import { question } from "../wire.js";
import { language, number, t } from "../words.js";
import { agreement, occlusionMap, summaryOf, WAYS } from "./summaries_maths.js";

const wish = createStore({ way: "mean", layer: null }); // what is summed up; layer null: all of them
const found = createStore({ shown: null, map: null, trouble: null }); // the occlusion of a record
const pointed = createStore(null); // the cell {row, col} of the occlusion that is pointed at

export function mount(root) {
  const part = (id) => root.querySelector(`#${id}`);
  const summaryMap = createHeatmap(part("hl-summary-map"), {
    onPoint: hover.set, onChoose: choose, describedBy: "hl-summary-axes hl-summary-says",
  });
  const occlusionPicture = createHeatmap(part("hl-occlusion-map"), {
    onPoint: point, onChoose: ({ row, col }) => choose({ step: row, src: col }), describedBy: "hl-occlusion-says",
  });
  const drawn = { summary: whenChanged(), occlusion: whenChanged(), told: whenChanged() };
  let scene = null;
  mountChoices(part);

  const redraw = drawInPanel(root, [record, theme, language, hover, pointed, wish, found], () => {
    const shown = record.get();
    if (shown === null) return;
    if (found.get().shown !== shown && !shown.recorded) askFor(shown);
    room(root.querySelector(".hl-summaries"));
    const chosen = selection.get();
    const { way, layer } = wish.get();
    if (drawn.told(shown, chosen.kind, chosen.labels, way, layer, theme.get(), language.get(), found.get())) {
      scene = sceneOf(shown, chosen, wish.get());
      tell(part, scene);
    }
    const lit = pointedLines(shown, chosen, hover.get());
    const { fontSize } = getComputedStyle(part("hl-summary-map"));
    const sized = (map) => [fontSize, map.clientWidth, map.clientHeight];
    if (drawn.summary(scene, ...sized(part("hl-summary-map")))) summaryMap.draw(scene.summary);
    summaryMap.light({ row: chosen.row, col: chosen.col, lit });
    part("hl-occlusion-map").hidden = scene.occluded === null;
    if (scene.occluded !== null) {
      if (drawn.occlusion(scene, ...sized(part("hl-occlusion-map")))) occlusionPicture.draw(scene.occluded);
      const here = pointed.get() ?? { row: null, col: null };
      const both = chosen.kind === "cross" ? { row: lit.row ?? here.row, col: lit.col ?? here.col } : here;
      occlusionPicture.light({ row: chosen.step, col: chosen.src, lit: both });
    }
    readOut(part("hl-summary-readout"), scene, { ...chosen, lit });
    agree(part, scene, chosen.step);
  });
  // What is written around a map may take room from it after it was drawn.
  const resized = new ResizeObserver(redraw);
  for (const id of ["hl-summary-map", "hl-occlusion-map"]) resized.observe(part(id));
}

// A cell of the occlusion is also one of the cross map; elsewhere only its source token is lit.
function point(cell) {
  pointed.set(cell);
  if (cell === null) hover.set(null);
  else hover.set(selection.get().kind === "cross" ? cell : { side: "src", index: cell.col });
}

let asking = null; // the record whose occlusion is under way

async function askFor(shown) {
  if (asking === shown) return;
  asking = shown;
  found.set({ shown: null, map: null, trouble: null });
  try {
    const answer = await question("occlusion");
    if (answer === null || record.get() !== shown) return;
    const changes = await unpack(answer.changes, Float32Array);
    found.set({ shown, trouble: null, map: occlusionMap(changes, answer.rows, answer.columns, shown.src.length) });
  } catch (error) {
    const sentence = error.sentence ?? null;
    if (record.get() === shown) found.set({ shown, map: null, trouble: sentence ? sentence[language.get()] : t("error.unreachable") });
  } finally {
    asking = null;
  }
}

function sceneOf(shown, chosen, { way, layer }) {
  const look = theme.get();
  const last = layer === null ? null : Math.min(layer, shown.attention[chosen.kind].layers - 1);
  const { rows, columns } = axes(shown, chosen.kind, chosen.labels);
  const summary = {
    ...summaryOf(shown, chosen.kind, way, last), rows: rows.labels, columns: columns.labels,
    ramp: ramps[look], zoom: 1, name: t(`summaries.name.${way}`, { kind: t(`kind.${chosen.kind}`) }),
  };
  const { map, trouble } = found.get().shown === shown ? found.get() : { map: null, trouble: null };
  if (map === null) return { shown, kind: chosen.kind, way, layer: last, summary, occluded: null, trouble, most: 0 };
  const most = map.cells.reduce((largest, change) => Math.max(largest, Math.abs(change) || 0), 0) || 1;
  const occluded = {
    ...map, rows: shown.tgt_out, columns: shown.src, ramp: diverging[look], zoom: 1, name: t("summaries.occlusion"),
    along: (change) => 0.5 + change / most / 2, write: (change) => signedText(change, 1),
  };
  return { shown, kind: chosen.kind, way, layer: last, summary, occluded, trouble, most };
}

// What does not follow the pointer: names, what the summary is, the legend.
function tell(part, { shown, kind, way, layer, summary, occluded, trouble, most }) {
  const maps = shown.attention[kind];
  const { labels } = selection.get();
  part("hl-summary-dot").className = `hl-dot hl-kind-${kind}`;
  part("hl-summary-axes").textContent = t(kind === "encoder_self" ? "axes.encoder_self" : `axes.${kind}.${labels}`);
  const layers = layer === null ? maps.layers : layer + 1;
  const values = { count: maps.heads * (layer === null ? maps.layers : 1), layers, sum: (1 - 2 ** -layers).toFixed(3) };
  const rowSum = way === "rollout" && kind === "cross" ? ` ${t("summaries.rows", values)}` : "";
  part("hl-summary-says").textContent = t(`summaries.says.${way}`, values) + rowSum;
  part("hl-summary-how").replaceChildren(
    element("p", {}, t("summaries.rollout")), ...KINDS.map((one) => element("p", {}, t(`summaries.rollout.${one}`))),
  );
  part("hl-occlusion-says").textContent = trouble ?? t(occluded === null ? "summaries.working" : "summaries.occlusion.says");
  fillChoices(part, maps, { kind, way, layer });
  part("hl-summary-legend").replaceChildren(...legend(ramps[theme.get()], ["0", "0.5", "1"], t("legend.name")));
  part("hl-occlusion-legend").replaceChildren(...(occluded === null ? []
    : legend(diverging[theme.get()], [signedText(-most, 1), "0", `+${most.toFixed(1)}`], t("summaries.change"))));
}

function legend(ramp, ends, name) {
  const stops = ramp.filter((_, i) => i % 15 === 0).map(cssOf);
  return [element("span", {}, name), element("div", { class: "hl-scale" },
    element("div", { class: "hl-ramp", style: `background:linear-gradient(to right, ${stops.join(", ")})` }),
    ...ends.map((end) => element("span", {}, end)))];
}

function mountChoices(part) {
  part("hl-summary-kind").addEventListener("change", ({ target }) => choose({ kind: target.value }));
  part("hl-summary-way").addEventListener("change", ({ target }) => wish.merge({ way: target.value }));
  part("hl-summary-layer").addEventListener("change", ({ target }) => {
    wish.merge({ layer: target.value === "" ? null : Number(target.value) });
  });
}

function fillChoices(part, { layers }, { kind, way, layer }) {
  const fill = (select, entries, value) => {
    select.replaceChildren(...entries.map(([name, text]) => element("option", { value: name }, text)));
    select.value = value;
  };
  fill(part("hl-summary-kind"), KINDS.map((one) => [one, t(`kind.${one}`)]), kind);
  fill(part("hl-summary-way"), WAYS.map((one) => [one, t(`summaries.way.${one}`)]), way);
  const upTo = way === "rollout" ? "summaries.up_to" : "heads.layer";
  fill(part("hl-summary-layer"), [["", t("summaries.all")],
    ...Array.from({ length: layers }, (_, l) => [l, t(upTo, { n: number(l) })])], layer ?? "");
}

// The cell pointed at, else the chosen one: its weight in the summary, and its change without the token.
function readOut(box, { shown, kind, summary, occluded }, { row, col, step, src, lit }) {
  const word = (label) => element("b", { class: `hl-${label.kind}` }, lineOf(label));
  const filled = (key, tokens) => t(key).split(/(\{\w+\})/).map((piece) => (tokens[piece.slice(1, -1)] ? word(tokens[piece.slice(1, -1)]) : piece));
  const at = { row: lit.row ?? row, col: lit.col ?? col ?? 0 };
  const weight = summary.cells[at.row * summary.keys + at.col];
  const lines = [
    element("p", { class: "hl-words" }, ...filled("summaries.reads", { row: summary.rows[at.row], col: summary.columns[at.col] })),
    element("b", { class: "hl-summary-value", "data-row": at.row, "data-col": at.col }, Number.isNaN(weight) ? t("readout.masked") : weightText(weight)),
  ];
  if (occluded !== null) {
    const here = pointed.get() ?? (kind === "cross" ? at : { row: step, col: src });
    const change = occluded.cells[here.row * occluded.keys + here.col];
    const tokens = { row: shown.tgt_out[here.row], col: shown.src[here.col] };
    lines.push(element("p", { class: "hl-words" }, ...filled(Number.isNaN(change) ? "summaries.stays" : "summaries.without", tokens)));
    if (!Number.isNaN(change)) {
      lines.push(element("b", { class: "hl-summary-change", "data-row": here.row, "data-col": here.col }, signedText(change)),
        element("span", { class: "hl-note" }, t("summaries.times", { times: Math.exp(change).toPrecision(3) })));
    }
  }
  box.replaceChildren(...lines);
}

const rhoText = ({ rho }) => (rho === null ? "–" : signedText(rho, 3));

// How far the summary and the occlusion put the source tokens in the same order.
function agree(part, { kind, summary, occluded, shown }, step) {
  const there = kind === "cross" && occluded !== null;
  part("hl-agree").hidden = !there;
  part("hl-agree-says").textContent = t(there || kind === "cross" ? "summaries.agree.says" : "summaries.agree.cross");
  if (!there) return;
  const [all, row] = [agreement(summary, occluded), agreement(summary, occluded, step)];
  const entry = (name, found, id) => [element("dt", {}, name),
    element("dd", { id, title: t("summaries.cells", { count: found.count }) }, rhoText(found))];
  part("hl-agree").replaceChildren(
    ...entry(t("summaries.agree.all"), all, "hl-agree-all"),
    ...entry(t("summaries.agree.row", { row: lineOf(shown.tgt_out[step]) }), row, "hl-agree-row"),
  );
}
