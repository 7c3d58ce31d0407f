// Masks drawn as matrices of 0 and −∞: those of the batch by layer kind, and three patterns.

import { choice } from "../../../assets/kit/choice.js";
import { ramps } from "../../../assets/kit/colour.js";
import { downloads } from "../../../assets/kit/download.js";
import { KINDS } from "../../../assets/kit/selection.js";
import { joined } from "../../../assets/kit/sentence.js";
import { slider } from "../../../assets/kit/slider.js";
import { mapsPicture, roomForRows, smallMap } from "../../../assets/kit/smallmap.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { bidirectionalMask, causalMask, masksOf, prefixMask, readBy } from "./patterns.js";

const ALLOWED = 0.12; // how dark a cell is that may be read
const SIGNS = 7; // em between three matrices in one line

/** The masks of every sentence. @param {{page: import("../../../assets/kit/types.js").Page,
 *   el: HTMLElement, state: any, batch: any}} given */
export function matrices(given) {
  const { page, el, state, batch } = given;
  const { t } = page;
  const { kind } = state.get();
  const place = el.querySelector(".hl-masks-matrices") ?? el;
  const widths = widthsOf(place, batch.rows, kind);
  const sentences = batch.rows.map((row, i) => sentenceOf(given, row, i, widths));
  const scenes = sentences.flat();
  const below = widths.isBeside ? "" : "hl-masks-below";
  const signs = scenes.length > sentences.length ? ["", "+", "="] : [""];
  return html`<section class="hl-stack hl-masks-matrices">
    ${choice({
      name: `${page.uid}-kind`,
      label: t("masks.kind"),
      class: "hl-masks-kinds",
      options: KINDS.map((value) => ({ value, label: t(`kind.${value}`) })),
      value: kind,
      onChange: (value) => state.merge({ kind: value, lit: null, reads: null }),
    })}
    <p class="hl-note">${joined(
      page,
      t("masks.shape", shapeOf(batch, kind)),
      t("masks.axes"),
      t(`masks.kind.${kind}`),
    )}</p>
    ${kind === "decoder_self" ? why(page) : nothing}
    <p class="hl-masks-reads" id="${page.uid}-reads" aria-live="polite">${readsOf(given)}</p>
    <div class="hl-masks-lines">${sentences.map(
      (masks, i) => html`<div class=${`hl-row ${below}`} data-sentence=${i}>
        ${masks.map(
          (scene, at) => html`${at > 0 ? html`<b class="hl-masks-sign">${signs[at]}</b>` : nothing}
          <figure data-mask=${scene.id}><figcaption>${scene.caption}</figcaption>
            ${mapOf(given, scene)}</figure>`,
        )}
      </div>`,
    )}</div>
    ${files(page, `masks-${kind}`, scenes)}
  </section>`;
}

/** Why the decoder may not look ahead, and where it is seen what becomes of one that may. */
const why = ({ t, shared, choose }) => html`<p class="hl-masks-why">${t("masks.why")}
  ${
    shared.exhibits?.some(({ name }) => name === "cheat")
      ? html`<button type="button" @click=${() => choose({ exhibit: "cheat" })}>${t("cheat.title")}
          →</button>`
      : nothing
  }</p>`;

const shapeOf = ({ rows: [{ src, tgt }, ...others] }, kind) => ({
  n: others.length + 1,
  queries: kind === "encoder_self" ? src.length : tgt.length,
  keys: kind === "decoder_self" ? tgt.length : src.length,
});

/** The decoder's three masks share a line; the others have one for each sentence. */
function widthsOf(place, rows, kind) {
  const font = parseFloat(getComputedStyle(place).fontSize);
  const room = place.clientWidth;
  const isBeside = room > 30 * font; // else each matrix has a line of its own
  if (!isBeside) return { font, isBeside, first: room, next: room };
  if (kind !== "decoder_self")
    return { font, isBeside, first: room / rows.length - 2 * font, next: 0 };
  const names = roomForRows(allOf(rows, "tgt"), font);
  const third = (room - names - SIGNS * font) / 3;
  return { font, isBeside, first: third + names, next: third };
}

/** The labels of every sentence: all matrices leave room for the longest, and so stand in line. */
const allOf = (rows, side) => rows.flatMap((row) => row[side]);

function sentenceOf({ page, state, batch }, row, i, { font, isBeside, first, next }) {
  const { t } = page;
  const { kind } = state.get();
  const room = {
    rows: allOf(batch.rows, kind === "encoder_self" ? "src" : "tgt"),
    columns: allOf(batch.rows, kind === "decoder_self" ? "tgt" : "src"),
  };
  return masksOf(kind, row).map(({ name: id, mask, rows, columns }, at, all) => {
    const what = t(`masks.mask.${id}`);
    const name = t("masks.matrix", { n: i + 1, what });
    const caption = at === 0 ? name : what;
    const width = at > 0 ? next : first;
    return {
      ...sceneOf(page, { map: `${i}.${id}`, mask, rows, columns }),
      ...{ id, caption, name, font, width, room, bare: at > 0 && isBeside },
      alone: at < all.length - 1 ? id : null, // one of those that the last one combines
      text: (value) => (Number.isNaN(value) ? "−∞" : "0"),
    };
  });
}

const sceneOf = (page, { map, mask, rows, columns }) => ({
  ...{ map, mask, rows, columns, most: 1.6 },
  queries: rows.length,
  keys: columns.length,
  cells: Float32Array.from(mask, (may) => (may ? ALLOWED : Number.NaN)),
  ramp: ramps[page.theme.get()],
});

/** One matrix; the row that is looked at is said in words. */
function mapOf({ page, state, batch }, scene) {
  const { lit } = state.get();
  const { map, mask, rows, columns, keys, alone = null } = scene;
  return smallMap(
    { ...scene, lit: lit?.map === map ? lit : null },
    {
      describedBy: `${page.uid}-reads`,
      onPoint(cell) {
        if (cell === null) return state.merge({ lit: null, reads: null });
        const read = readBy(mask, keys, cell.row).map((i) => columns[i].text);
        const reads = { batch, row: rows[cell.row].text, read, keys, alone };
        state.merge({ lit: { map, ...cell }, reads });
      },
    },
  );
}

function readsOf({ page: { t }, state, batch }) {
  const { reads } = state.get();
  if (reads === null || reads.batch !== batch) return t("masks.reads.how");
  const { row, read, keys: count, alone } = reads;
  return t(alone === null ? "masks.reads" : "masks.reads.alone", {
    what: alone === null ? "" : t(`masks.mask.${alone}`),
    row,
    n: read.length,
    count,
    tokens: read.join(t("masks.comma")) || "–",
  });
}

const files = (page, name, scenes) =>
  downloads(page, name, { csv: () => csvOf(scenes), svg: () => mapsPicture(scenes) });

const csvOf = (scenes) => [
  ["matrix", "row", "column", "query", "key", "may_read"],
  ...scenes.flatMap(({ name, mask, rows, columns, keys }) =>
    mask.map((may, i) => {
      const [row, column] = [Math.floor(i / keys), i % keys];
      return [name, row + 1, column + 1, rows[row].text, columns[column].text, Number(may)];
    }),
  ),
];

/** Bidirectional, causal and prefix, on the tokens of the first sentence. */
export function patterns(given) {
  const { page, el, state, batch } = given;
  const { t } = page;
  const { src, srcValid: n } = batch.rows[0];
  const prefix = Math.min(state.get().prefix, n);
  const masks = {
    bidirectional: bidirectionalMask(n),
    causal: causalMask(n),
    prefix: prefixMask(n, prefix),
  };
  const place = el.querySelector(".hl-masks-patterns") ?? el;
  const font = parseFloat(getComputedStyle(place).fontSize);
  const width = (place.clientWidth - 3 * font) / (place.clientWidth < 27 * font ? 1 : 3);
  const tokens = src.slice(0, n);
  const scenes = Object.entries(masks).map(([id, mask]) => ({
    ...sceneOf(page, { map: id, mask, rows: tokens, columns: tokens }),
    ...{ id, font, width, name: t(`masks.pattern.${id}`), most: 1.5 },
  }));
  return html`<section class="hl-stack hl-masks-patterns">
    <h2>${t("masks.patterns")}</h2>
    ${slider({
      class: "hl-masks-prefix",
      label: t("masks.prefix"),
      ...{ min: 0, max: n, value: prefix },
      onInput: (value) => state.merge({ prefix: value }),
    })}
    <div class="hl-masks-row">${scenes.map(
      (scene) => html`<figure data-pattern=${scene.id}><figcaption>${scene.name}</figcaption>
        ${mapOf(given, scene)}
        <p class="hl-note">${t(`masks.pattern.${scene.id}.who`)}</p></figure>`,
    )}</div>
    ${files(page, "mask-patterns", scenes)}
  </section>`;
}
