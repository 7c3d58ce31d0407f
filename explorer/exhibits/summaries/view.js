// Many heads in one map, beside what each source token is worth to the output.

import { select } from "../../../assets/kit/choice.js";
import { diverging, ramps } from "../../../assets/kit/colour.js";
import { downloads } from "../../../assets/kit/download.js";
import { eachFrame } from "../../../assets/kit/elements.js";
import { axesText } from "../../../assets/kit/heads.js";
import { oneOf, whole } from "../../../assets/kit/keep.js";
import { legend } from "../../../assets/kit/legend.js";
import { rowsOf, svgOf } from "../../../assets/kit/mapfiles.js";
import { fixed, signedText } from "../../../assets/kit/numbers.js";
import { unpack } from "../../../assets/kit/packing.js";
import { createRequest, inTurns, pending } from "../../../assets/kit/request.js";
import { axes, KINDS } from "../../../assets/kit/selection.js";
import { createStore } from "../../../assets/kit/store.js";
import { liveView, room } from "../../../assets/kit/view.js";
import { html, nothing, render } from "../../../assets/vendor/lit-html.js";
import { createMaps } from "./maps.js";
import { agreement, announcement, proofs, readout, says } from "./readout.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

/** Before the model is there, the recorded example has no answers: they come with the live one. */
const LATER = { value: null, waiting: true, error: null, retry: () => {} };

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const wish = createWish(page);
  const pointed = createStore(null); // the cell {row, col} of the occlusion that is pointed at
  const changed = () => view.redraw();
  const summaryOf = createRequest(page, "summary", { changed, prepare: unpackedSummary });
  const occlusionOf = joined(createRequest(page, "occlusion", { changed, prepare: unpackedRows }));
  const part = (name) => /** @type {HTMLElement} */ (el.querySelector(name));
  /** @type {any} */
  let maps = null;
  /** @type {any} */
  let scene = null;

  function look(record) {
    const { kind } = page.selection.get();
    const { way, layer } = wish.get();
    const args = { kind, way, layer: Math.min(layer, record.attention[kind].layers) };
    const summary = record.recorded ? LATER : summaryOf(record, args);
    const occlusion = record.recorded ? LATER : occlusionOf(record);
    // What was there stays until the next one has come.
    const isSame = scene?.record === record && scene.args.kind === kind;
    const kept = summary.value ?? (isSame ? scene.value : null);
    return { record, args, summary, occlusion, value: kept, isOld: summary.value === null };
  }
  const tell = () => render(readout(page, scene, pointed.get()), part(".hl-readout"));
  const follow = eachFrame(() => {
    if (maps === null || !page.visible.get() || page.signal.aborted) return;
    maps.light(scene, pointed.get());
    tell();
  });
  const view = liveView({
    el,
    page,
    stores: [page.selection, page.theme, wish],
    template() {
      const record = page.record.get();
      if (record === null) return null;
      scene = look(record);
      return html`<div class="hl-summaries">
        ${summaryPart(page, scene, wish)} ${occlusionPart(page, scene)} ${aside(page, scene)}
      </div>`;
    },
    drawn() {
      room(part(".hl-summaries"));
      maps ??= createMaps(page, pointed, part(".hl-summary-map"), part(".hl-occlusion-map"));
      maps.draw(mapOf(page, scene), occlusionMap(page, scene));
      maps.light(scene, pointed.get());
      tell();
    },
  });
  page.hover.watch(follow);
  pointed.watch(follow);
  return view.end;
}

const createWish = (/** @type {Page} */ { keep, facts }) =>
  keep(
    { way: facts.ways[0], layer: 0 }, // layer 0: all of them
    { way: oneOf(facts.ways), layer: whole(0, 64) },
  );

const unpackedSummary = async (reply) => ({
  ...reply,
  cells: await unpack(reply.cells, Float32Array),
});

const unpackedRows = async (reply) => ({
  ...reply,
  changes: await unpack(reply.changes, Float32Array),
});

/** Gives about(record): the occlusion from all turns, or the first Answer that is not there. */
function joined(about) {
  const kept = new WeakMap();
  return (record) => {
    const { values, open } = inTurns(about, record);
    if (open !== null) return open;
    if (!kept.has(record)) kept.set(record, occlusionCells(values, record));
    return { ...LATER, waiting: false, value: kept.get(record) };
  };
}

/** The occlusion as a map of the cross kind: rows are written, columns are read; NaN where kept. */
function occlusionCells(turns, record) {
  const taken = turns.flatMap(({ changes }) => [...changes]);
  const [{ columns }, keys] = [turns[0], record.src.length];
  const cells = new Float32Array(columns * keys).fill(NaN);
  for (let i = 0; i < taken.length; i += 1) {
    cells[(i % columns) * keys + Math.floor(i / columns)] = taken[i];
  }
  const most = taken.reduce((largest, change) => Math.max(largest, Math.abs(change)), 0) || 1;
  const along = (change) => 0.5 + change / most / 2;
  const write = (change) => signedText(change, 1);
  return { cells, queries: columns, keys, most, along, write, agreement: turns.at(-1).agreement };
}

function mapOf(page, { record, args, value }) {
  if (value === null) return null;
  const { rows, columns } = axes(record, args.kind, page.selection.get().labels);
  const ramp = ramps[page.theme.get()];
  return { ...value, rows: rows.labels, columns: columns.labels, ramp, name: nameOf(page, args) };
}

function occlusionMap(page, { record, occlusion: { value } }) {
  if (value === null) return null;
  return {
    ...value,
    rows: record.tgt_out,
    columns: record.src,
    ramp: diverging[page.theme.get()],
    name: page.t("summaries.occlusion"),
  };
}

const nameOf = ({ t }, { kind, way }) => t(`summaries.name.${way}`, { kind: t(`kind.${kind}`) });

function summaryPart(page, scene, wish) {
  const { t } = page;
  const { args, summary, value, isOld } = scene;
  const { kind, way, layer } = args;
  return html`<section class="hl-summary">
    <div class="hl-caption">
      <h2><i class="hl-dot hl-kind-${kind}"></i>${t("summaries.name")}</h2>
      <details class="hl-pop hl-at-end">
        <summary>${t("measure.how")}</summary>
        <div class="hl-sheet"><p>${t("summaries.rollout")}</p>
          ${KINDS.map((one) => html`<p>${t(`summaries.rollout.${one}`)}</p>`)}</div>
      </details>
      ${choices(page, scene, wish)}
    </div>
    <p class="hl-axes" id="${page.uid}-axes">${axesText(page, page.selection.get())}</p>
    <div class="hl-map hl-summary-map ${isOld ? "hl-old" : ""}"></div>
    <div class="hl-row">
      ${legend({ name: t("legend.name"), ramp: ramps[page.theme.get()], ends: ["0", "0.5", "1"] })}
      ${downloads(
        page,
        `summary-${kind}-${way}-${layer || "all"}`,
        filesOf(page, () => mapOf(page, scene)),
      )}
    </div>
    <div class="hl-note hl-summary-says">${value === null ? nothing : says(page, scene)}
      ${isOld ? pending(page, summary) : nothing}</div>
  </section>`;
}

const filesOf = (page, map) => ({
  csv: () => map() && rowsOf(map()),
  svg: () => map() && svgOf([map()], page.theme.get()),
});

function choices(page, { record, args }, wish) {
  const { t } = page;
  const set = (name, value) => (name === "kind" ? page.choose : wish.merge)({ [name]: value });
  const one = (name, values, text) =>
    select({
      label: t(`summaries.${name}`),
      class: `hl-summary-${name}`,
      quiet: true,
      options: values.map((each) => ({ value: String(each), label: text(each) })),
      value: String(args[name]),
      onChange: (value) => set(name, name === "layer" ? Number(value) : value),
    });
  const layers = Array.from({ length: record.attention[args.kind].layers + 1 }, (_, n) => n);
  const upTo = args.way === "rollout" ? "summaries.up_to" : "heads.layer";
  return html`<div class="hl-row hl-summary-choice">
    ${one("kind", KINDS, (each) => t(`kind.${each}`))}
    ${one("way", page.facts.ways, (each) => t(`summaries.way.${each}`))}
    ${one("layer", layers, (n) => (n ? t(upTo, { n }) : t("summaries.all")))}
  </div>`;
}

function occlusionPart(page, scene) {
  const { t } = page;
  const { value } = scene.occlusion;
  const files = filesOf(page, () => occlusionMap(page, scene));
  return html`<section class="hl-summary">
    <div class="hl-caption"><h2>${t("summaries.occlusion")}</h2></div>
    <p class="hl-axes">${t("summaries.occlusion.axes")}</p>
    <div class="hl-map hl-occlusion-map" ?hidden=${value === null}></div>
    <div class="hl-row">${
      value === null
        ? pending(page, scene.occlusion)
        : [
            legend({
              name: t("summaries.change"),
              ramp: diverging[page.theme.get()],
              ends: [signedText(-value.most, 1), "0", `+${fixed(value.most, 1)}`],
            }),
            downloads(page, "occlusion", files),
          ]
    }</div>
    <p class="hl-note hl-occlusion-says" id="${page.uid}-occlusion">
      ${t("summaries.occlusion.says")}</p>
  </section>`;
}

function aside(page, scene) {
  return html`<aside class="hl-aside">
    <div class="hl-readout"></div>
    <p class="hl-unseen" role="status">${announcement(page, scene)}</p>
    ${agreement(page, scene)} ${proofs(page)}
  </aside>`;
}
