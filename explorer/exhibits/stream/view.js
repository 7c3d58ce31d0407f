// The residual stream: what each sub-layer adds, LayerNorm in numbers, and the ReLUs.

import { choice } from "../../../assets/kit/choice.js";
import { downloads } from "../../../assets/kit/download.js";
import { oneOf, whole } from "../../../assets/kit/keep.js";
import { largestDeviation, layerNorm } from "../../../assets/kit/matrix.js";
import { memo } from "../../../assets/kit/memo.js";
import { bracketedText, percentText, signedText, smallText } from "../../../assets/kit/numbers.js";
import { unpack } from "../../../assets/kit/packing.js";
import { answered, createRequest } from "../../../assets/kit/request.js";
import { signedCells } from "../../../assets/kit/signed.js";
import { slider } from "../../../assets/kit/slider.js";
import { token } from "../../../assets/kit/token.js";
import { liveView } from "../../../assets/kit/view.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { byColumns, byRows, moments } from "./maths.js";

const LENGTHS = ["before", "adds", "total", "after"];
const VECTORS = [...LENGTHS, "inside", "gamma", "beta"];
const POWER = 0.7; // of a cell's colour: small numbers stay visible
const RELU_ROWS = 8;
const STACKS = ["encoder", "decoder"];

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

/**
 * What of a reply is shown: one sub-layer at one position.
 * @typedef {{page: Page, reply: any, shown: any, set: (changes: object) => void, at: number,
 *   tokens: any[], part: any, size: number, row: (name: string) => Float32Array,
 *   columns: typeof byColumns}} Scene
 */

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const shown = page.keep(
    { stack: "encoder", part: 0, dim: 0 },
    { stack: oneOf(STACKS), part: whole(0, 2), dim: whole(0, 65_535) },
  );
  const changed = () => view.redraw();
  const request = createRequest(page, "stream", { changed, prepare: unpacked });
  const columns = memo(byColumns);
  const view = liveView({
    el,
    page,
    stores: [page.selection, page.theme, shown],
    template() {
      const record = page.record.get();
      if (record === null || record.recorded) return null;
      const { stack } = shown.get();
      const { layers } = record.attention[stack === "encoder" ? "encoder_self" : "cross"];
      const layer = Math.min(page.selection.get().layer, layers - 1);
      return html`<div class="hl-stream hl-stack">
        ${choice({
          name: `${page.uid}-stack`,
          label: page.t("stream.stack"),
          class: "hl-plain hl-stream-stack",
          options: STACKS.map((value) => ({ value, label: page.t(`stream.${value}`) })),
          value: stack,
          onChange: (value) => shown.merge({ stack: value, part: 0 }),
        })}
        ${answered(page, request(record, { stack, layer }), (reply) => {
          const scene = sceneOf(page, record, reply, shown, columns);
          return [place(scene), lengths(scene), norm(scene), relu(scene), batch(scene)];
        })}</div>`;
    },
  });
  return view.end;
}

/** The reply with its packed arrays as numbers. @param {any} reply */
async function unpacked(reply) {
  const floats = (/** @type {string} */ text) => unpack(text, Float32Array);
  const all = async (entry, /** @type {string[]} */ names) => {
    const arrays = await Promise.all(names.map((name) => floats(entry[name])));
    return { name: entry.name, ...Object.fromEntries(names.map((name, i) => [name, arrays[i]])) };
  };
  return {
    ...reply,
    lengths: await Promise.all(
      reply.lengths.map((parts) => Promise.all(parts.map((part) => all(part, LENGTHS)))),
    ),
    fired: await Promise.all(reply.fired.map(floats)),
    parts: await Promise.all(reply.parts.map((part) => all(part, VECTORS))),
    hidden: await floats(reply.hidden),
  };
}

/** @returns {Scene} */
function sceneOf(/** @type {Page} */ page, record, reply, shown, columns) {
  const tokens = reply.stack === "encoder" ? record.src : record.tgt_in;
  const { src, step } = page.selection.get();
  const at = Math.min(reply.stack === "encoder" ? src : step, tokens.length - 1);
  const part = reply.parts[Math.min(shown.get().part, reply.parts.length - 1)];
  const size = part.gamma.length;
  const row = (/** @type {string} */ name) => part[name].subarray(at * size, (at + 1) * size);
  const set = shown.merge;
  return { page, reply, shown: shown.get(), set, at, tokens, part, size, row, columns };
}

function place(/** @type {Scene} */ { page, reply, at, tokens }) {
  const off = reply.deviation;
  const deviation = page.t(off === 0 ? "stream.exact" : "stream.deviation", {
    deviation: smallText(off),
  });
  return html`<p class="hl-stream-at">${page.t("stream.at", { n: at + 1 })} ${token(tokens[at])}
    <span class="hl-note">${deviation}</span></p>`;
}

/** A card for each sub-layer: how long the vector is before, what is added, what it is after. */
function lengths(/** @type {Scene} */ { page, reply, shown, set, at }) {
  const { t } = page;
  const all = reply.lengths.flat().flatMap((one) => LENGTHS.map((name) => one[name][at]));
  const longest = Math.max(...all);
  const bar = (one, /** @type {string} */ name) => html`<span class="hl-stream-${name}">
    ${t(`stream.${name}`)}<span class="hl-bar-track">
      <i style="width:${((100 * one[name][at]) / longest).toFixed(2)}%"></i></span>
    <b>${one[name][at].toFixed(2)}</b></span>`;
  const choose = (/** @type {number} */ layer, /** @type {number} */ part) => {
    set({ part });
    page.choose({ layer });
  };
  const rows = reply.lengths.flatMap((parts, layer) =>
    parts.map((one) => [layer + 1, one.name, ...LENGTHS.map((name) => one[name][at])]),
  );
  return html`<section class="hl-stack">
    <h2>${t("stream.norms")}</h2>
    <p class="hl-note">${t(reply.norm === "post" ? "stream.norms.note.post" : "stream.norms.note")}</p>
    <div class="hl-stream-parts">${reply.lengths.map((parts, layer) =>
      parts.map(
        (one, i) => html`<button type="button" class="hl-stream-part"
          aria-pressed=${String(layer === reply.layer && i === shown.part)}
          @click=${() => choose(layer, i)}>
          <strong>${t("stream.part", { layer: layer + 1, name: t(`stream.${one.name}`) })}</strong>
          ${["before", "adds", "after"].map((name) => bar(one, name))}</button>`,
      ),
    )}</div>
    ${downloads(page, `stream-lengths-${reply.stack}-${at + 1}`, {
      csv: () => [["layer", "sub-layer", ...LENGTHS], ...rows],
    })}</section>`;
}

/**
 * The norm of one sub-layer at one position: what goes in, what comes out, and one number of it.
 */
function norm(/** @type {Scene} */ scene) {
  const { page, reply, shown, set, part, size, row } = scene;
  const { t } = page;
  const [from, to] = reply.norm === "pre" ? ["before", "inside"] : ["total", "after"];
  const strips = { in: row(from), gamma: part.gamma, beta: part.beta, out: row(to) };
  const title = { in: t("stream.in"), gamma: "γ", beta: "β", out: t("stream.out") };
  return html`<section class="hl-stack">
    <h2 class="hl-stream-name">${t("stream.layernorm", {
      layer: reply.layer + 1,
      name: t(`stream.${part.name}`),
    })}</h2>
    ${Object.entries(strips).map(([name, numbers]) => strip(page, title[name], numbers))}
    ${slider({
      label: t("stream.dim"),
      class: "hl-stream-dim",
      min: 1,
      max: size,
      value: Math.min(shown.dim, size - 1) + 1,
      onInput: (value) => set({ dim: value - 1 }),
    })}
    <p class="hl-stream-formula">${formula(scene, row(from), row(to))}</p>
    ${downloads(page, `stream-${reply.stack}-layer${reply.layer + 1}-${part.name}`, {
      csv: () => [
        ["dimension", ...Object.keys(strips)],
        ...Array.from(part.gamma, (_, i) => [i + 1, ...Object.values(strips).map((one) => one[i])]),
      ],
    })}</section>`;
}

function strip(/** @type {Page} */ { t, theme }, /** @type {string} */ title, numbers) {
  const { mean, variance } = moments(numbers);
  const about = t("stream.moments", { mean: signedText(mean), variance: variance.toFixed(3) });
  return html`<figure>
    <figcaption>${title}<small>${about}</small></figcaption>
    ${signedCells({
      ...{ cells: numbers, rows: 1, columns: numbers.length, power: POWER },
      theme: theme.get(),
      name: `${title}: ${about}`,
    })}</figure>`;
}

function formula(/** @type {Scene} */ { page, reply, shown, part, size }, before, after) {
  const dim = Math.min(shown.dim, size - 1);
  const { mean, variance } = moments(before);
  const normed = layerNorm(before, part.gamma, part.beta, reply.eps);
  return page.t("stream.formula", {
    dim: dim + 1,
    eps: reply.eps,
    x: signedText(before[dim], 4),
    mean: bracketedText(mean, 4),
    variance: variance.toFixed(4),
    gamma: signedText(part.gamma[dim], 4),
    beta: bracketedText(part.beta[dim], 4),
    y: signedText(normed[dim], 4),
    own: signedText(after[dim], 4),
    off: smallText(largestDeviation(normed, after)),
  });
}

function relu(/** @type {Scene} */ { page, reply, at }) {
  const { t, theme } = page;
  const size = reply.hidden.length / reply.positions;
  const units = reply.hidden.subarray(at * size, (at + 1) * size);
  const columns = Math.ceil(size / RELU_ROWS);
  const cells = new Float32Array(RELU_ROWS * columns);
  cells.set(units);
  const fired = units.reduce((/** @type {number} */ count, x) => count + (x > 0 ? 1 : 0), 0);
  const mean = (/** @type {Float32Array} */ all) => all.reduce((a, b) => a + b, 0) / all.length;
  const about = t("stream.fired", {
    n: fired,
    size,
    share: percentText(fired / size),
    activation: reply.activation,
    layers: reply.fired.map((all, i) => `${i + 1}: ${percentText(mean(all))}`).join(" · "),
  });
  const look = { rows: RELU_ROWS, columns, power: POWER, theme: theme.get() };
  return html`<section class="hl-stack">
    <h2>${t("stream.relu")}</h2>
    <p class="hl-stream-fired">${about}</p>
    ${signedCells({ cells, name: about, class: "hl-signed hl-stream-units", ...look })}</section>`;
}

/** The same table normalised by rows and by columns: two pictures, and how far apart they are. */
function batch(/** @type {Scene} */ { page, reply, at, tokens, part, size, columns }) {
  const { t, theme } = page;
  const { eps } = reply;
  const table = reply.norm === "pre" ? part.before : part.total;
  const pictures = { rows: byRows(table, size, eps), columns: columns(table, size, eps) };
  const alone = table.subarray(at * size, (at + 1) * size);
  const own = (/** @type {Float64Array} */ all) => all.subarray(at * size, (at + 1) * size);
  const rows = largestDeviation(byRows(alone, size, eps), own(pictures.rows));
  const look = { rows: tokens.length, columns: size, power: POWER, theme: theme.get() };
  return html`<section class="hl-stack">
    <h2>${t("stream.batch")}</h2>
    <p class="hl-note">${t("stream.batch.note")}</p>
    <div class="hl-split">${Object.entries(pictures).map(([key, cells]) => {
      const name = t(`stream.batch.${key}`);
      return html`<figure><figcaption>${name}</figcaption>
        ${signedCells({ cells, name, class: "hl-signed hl-stream-table", ...look })}</figure>`;
    })}</div>
    <p>${t(rows === 0 ? "stream.batch.same" : "stream.batch.numbers", {
      rows: smallText(rows),
      columns: largestDeviation(byColumns(alone, size, eps), own(pictures.columns)).toFixed(2),
    })}</p></section>`;
}
