// Inside a layer: the residual stream, what sub-layers add, LayerNorm in numbers, and the ReLUs.

import { createAsked } from "../asked.js";
import { element } from "../elements.js";
import { largestDeviation } from "../matrix.js";
import { signedText } from "../numbers.js";
import { unpack } from "../packing.js";
import { drawInPanel, room } from "../panel.js";
import { choose, record, selection, theme } from "../state.js";
import { createStore } from "../store.js";
import { langOf, language, number, t } from "../words.js";
import { drawSigned } from "./stream_cells.js";
import { byColumns, byRows, layerNorm, moments } from "./stream_maths.js";

const VECTORS = ["before", "inside", "adds", "total", "after", "gamma", "beta"];
const view = createStore({ stack: "encoder", part: 0, dim: 0 }); // what of it is on show

export function mount(root) {
  const about = createAsked("stream", unpacked);
  mountStacks(root.querySelector("#hl-stream-stack"));
  root.querySelector("#hl-stream-dim").addEventListener("input", (event) => {
    view.merge({ dim: Number(event.target.value) - 1 });
  });
  const redraw = drawInPanel(root, [record, language, theme, view], () => {
    const shown = record.get();
    if (shown === null || shown.recorded) return;
    room(root.querySelector(".hl-stream"));
    const { stack } = view.get();
    const layer = Math.min(selection.get().layer, shown.attention[stack === "encoder" ? "encoder_self" : "cross"].layers - 1);
    const answer = about(shown, { stack, layer }, redraw);
    if (answer !== null) draw(root, shown, answer);
  });
}

async function unpacked(answer) {
  const all = async (entry, names) => ({
    name: entry.name,
    ...Object.fromEntries(await Promise.all(names.map(async (name) => [name, await unpack(entry[name], Float32Array)]))),
  });
  const lengths = await Promise.all(answer.lengths.map((parts) =>
    Promise.all(parts.map((part) => all(part, ["before", "adds", "total", "after"])))));
  return {
    ...answer, lengths,
    fired: await Promise.all(answer.fired.map((text) => unpack(text, Float32Array))),
    parts: await Promise.all(answer.parts.map((part) => all(part, VECTORS))),
    hidden: await unpack(answer.hidden, Float32Array),
  };
}

function mountStacks(field) {
  for (const name of ["encoder", "decoder"]) {
    const radio = element("input", { type: "radio", name: "hl-stream-stack", value: name });
    radio.addEventListener("change", () => view.merge({ stack: name, part: 0 }));
    field.append(element("label", {}, radio, element("span", { "data-t": `stream.${name}` })));
  }
  view.watch(({ stack }) => {
    for (const radio of field.querySelectorAll("input")) radio.checked = radio.value === stack;
  });
}

function draw(root, shown, answer) {
  const part = (id) => root.querySelector(`#hl-stream-${id}`);
  const tokens = answer.stack === "encoder" ? shown.src : shown.tgt_in;
  const { src, step } = selection.get();
  const at = Math.min(answer.stack === "encoder" ? src : step, tokens.length - 1);
  part("at").replaceChildren(t("stream.at", { n: number(at) }), " ", element("b", { lang: langOf(tokens[at].text) }, tokens[at].line ?? tokens[at].text),
    ` · ${t("stream.deviation", { deviation: answer.deviation.toExponential(1) })}`);
  part("norms").replaceChildren(...norms(answer, at));
  drawPart(part, answer, at);
  drawRelu(part, answer, at);
  drawBatch(part, answer, at, tokens);
}

// One bar for each sub-layer: how long the vector is before, what is added, what it is after.
function norms(answer, at) {
  const longest = Math.max(...answer.lengths.flat().flatMap((one) => [one.before[at], one.adds[at], one.total[at], one.after[at]]));
  const bar = (name, length) => element("div", { class: `hl-stream-bar hl-stream-${name}` },
    element("span", {}, t(`stream.${name}`)),
    element("div", { class: "hl-bar-track" }, element("i", { style: `width:${((100 * length) / longest).toFixed(2)}%` })),
    element("b", {}, length.toFixed(2)));
  return answer.lengths.flatMap((parts, layer) => parts.map((one, i) => element("button", {
    type: "button", class: "hl-stream-part", "aria-pressed": String(layer === answer.layer && i === view.get().part),
    onclick: () => { view.merge({ part: i }); choose({ layer }); },
  }, element("h3", {}, t("stream.part", { layer: number(layer), name: t(`stream.${one.name}`) })),
  ...["before", "adds", "after"].map((name) => bar(name, one[name][at])))));
}

// The norm of one sub-layer at one position: what goes in, what comes out, and one number of it.
function drawPart(part, answer, at) {
  const one = answer.parts[Math.min(view.get().part, answer.parts.length - 1)];
  const size = one.gamma.length;
  const row = (name) => one[name].subarray(at * size, (at + 1) * size);
  const [from, to] = answer.norm === "pre" ? ["before", "inside"] : ["total", "after"];
  const normed = layerNorm(row(from), one.gamma, one.beta);
  part("name").textContent = t("stream.layernorm", { layer: number(answer.layer), name: t(`stream.${one.name}`) });
  const strip = (title, numbers) => {
    const { mean, variance } = moments(numbers);
    const canvas = element("canvas", { class: "hl-stream-cells", role: "img", "aria-label": `${title}: ${t("stream.moments", { mean: signedText(mean), variance: variance.toFixed(3) })}` });
    drawSigned(canvas, numbers, 1, numbers.length, theme.get());
    return element("figure", {}, element("figcaption", {}, element("span", {}, title),
      element("small", {}, t("stream.moments", { mean: signedText(mean), variance: variance.toFixed(3) }))), canvas);
  };
  part("strips").replaceChildren(strip(t("stream.in"), row(from)), strip("γ", one.gamma), strip("β", one.beta), strip(t("stream.out"), row(to)));
  const dim = Math.min(view.get().dim, size - 1);
  const { mean, variance } = moments(row(from));
  part("dim").max = size;
  part("dim").value = number(dim);
  part("formula").textContent = t("stream.formula", {
    dim: number(dim), x: signedText(row(from)[dim], 4), mean: signedText(mean, 4), variance: variance.toFixed(4),
    gamma: signedText(one.gamma[dim], 4), beta: signedText(one.beta[dim], 4), y: signedText(normed[dim], 4),
    own: signedText(row(to)[dim], 4), off: largestDeviation(normed, row(to)).toExponential(1),
  });
}

function drawRelu(part, answer, at) {
  const size = answer.hidden.length / answer.positions;
  const row = answer.hidden.subarray(at * size, (at + 1) * size);
  const share = (x) => `${(100 * x).toFixed(1)} %`;
  const fired = row.reduce((count, x) => count + (x > 0 ? 1 : 0), 0);
  part("fired").textContent = t("stream.fired", {
    n: fired, size, share: share(fired / size), activation: answer.activation,
    layers: answer.fired.map((shares, layer) => `${number(layer)}: ${share(shares.reduce((a, b) => a + b, 0) / shares.length)}`).join(" · "),
  });
  const canvas = part("relu");
  drawSigned(canvas, row, 8, Math.ceil(size / 8), theme.get());
  canvas.setAttribute("aria-label", part("fired").textContent);
}

// The same table normalised by rows and by columns: two pictures, and how far apart they are.
function drawBatch(part, answer, at, tokens) {
  const one = answer.parts[Math.min(view.get().part, answer.parts.length - 1)];
  const size = one.gamma.length;
  const table = answer.norm === "pre" ? one.before : one.total;
  const pictures = { rows: byRows(table, size), columns: byColumns(table, size) };
  part("batch").replaceChildren(...Object.entries(pictures).map(([name, numbers]) => {
    const canvas = element("canvas", { class: "hl-stream-cells hl-stream-table", role: "img", "aria-label": t(`stream.batch.${name}`) });
    drawSigned(canvas, numbers, tokens.length, size, theme.get());
    return element("figure", {}, element("figcaption", {}, t(`stream.batch.${name}`)), canvas);
  }));
  const alone = table.subarray(at * size, (at + 1) * size);
  part("batch-numbers").textContent = t("stream.batch.numbers", {
    rows: largestDeviation(layerNorm(alone), pictures.rows.subarray(at * size, (at + 1) * size)).toExponential(1),
    columns: largestDeviation(byColumns(alone, size), pictures.columns.subarray(at * size, (at + 1) * size)).toFixed(2),
  });
}
