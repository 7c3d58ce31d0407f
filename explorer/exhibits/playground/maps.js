// What the model does with one example at a frame: what it writes, where its heads look, and how
// large the gradient of each layer is.

import { bars } from "../../../assets/kit/bars.js";
import { select } from "../../../assets/kit/choice.js";
import { ramps } from "../../../assets/kit/colour.js";
import { KINDS } from "../../../assets/kit/selection.js";
import { smallMap } from "../../../assets/kit/smallmap.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { headOf } from "./trainer.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("./trainer.js").Run} Run */
/** @typedef {import("./trainer.js").Frame} Frame */

const SMALLEST = 1e-4; // the left end of the bars of the gradients
const LARGEST = 10;

/**
 * @param {Page} page
 * @param {{run: Run, frame: Frame, state: any, width: number, font: number}} given
 */
export function maps(page, { run, frame, state, width, font }) {
  const { t } = page;
  const { kind, layer: chosen, lit } = state.get();
  const { layers, heads } = run.settings;
  const layer = Math.min(chosen, layers - 1);
  const columns = Math.min(heads, heads > 4 || width < 30 * font ? 2 : heads);
  const room = Math.floor(width / columns) - font;
  return html`<section class="hl-play-maps hl-stack">
    ${writes(page, run, frame)}
    <div class="hl-row">
      ${select({
        class: "hl-play-kind",
        label: t("playground.kind"),
        value: kind,
        options: KINDS.map((value) => ({ value, label: t(`kind.${value}`) })),
        onChange: (value) => state.merge({ kind: value, lit: null }),
      })}
      ${
        layers > 1
          ? select({
              label: t("playground.layer"),
              value: String(layer),
              options: Array.from({ length: layers }, (_, i) => ({
                value: String(i),
                label: i + 1,
              })),
              onChange: (value) => state.merge({ layer: Number(value), lit: null }),
            })
          : nothing
      }
    </div>
    <div class="hl-play-heads" style="grid-template-columns: repeat(${columns}, minmax(0, 1fr))">
      ${Array.from({ length: heads }, (_, head) =>
        headMap(page, { run, frame, kind, layer, head, room, font, lit, state }),
      )}
    </div>
    <p class="hl-note">${t(`playground.axes.${kind}`)} ${pointed(page, run, frame, state, layer)}</p>
  </section>`;
}

function headMap(page, { run, frame, kind, layer, head, room, font, lit, state }) {
  const { t } = page;
  const { cells, rows, columns } = headOf(run, frame, { kind, layer, head });
  const labels = (all) => all.map(label);
  return html`<figure>
    <figcaption>${t("playground.head", { n: head + 1 })}</figcaption>
    ${smallMap(
      {
        cells,
        queries: rows.length,
        keys: columns.length,
        rows: labels(rows),
        columns: labels(columns),
        ramp: ramps[page.theme.get()],
        name: t("playground.map", { head: head + 1, layer: layer + 1, kind: t(`kind.${kind}`) }),
        width: room,
        font,
        lit: lit?.head === head ? lit : null,
      },
      { onPoint: (cell) => state.merge({ lit: cell && { ...cell, head } }) },
    )}
  </figure>`;
}

const label = (piece) => ({ text: piece, kind: piece.startsWith("<") ? "special" : "word" });

/** The weight that is pointed at, in words. */
function pointed(page, run, frame, state, layer) {
  const { lit, kind } = state.get();
  if (lit === null || lit.head >= run.settings.heads) return nothing;
  const { cells, rows, columns } = headOf(run, frame, { kind, layer, head: lit.head });
  if (lit.row >= rows.length || lit.col >= columns.length) return nothing;
  const value = cells[lit.row * columns.length + lit.col];
  return html`<b>${page.t("playground.weight", {
    row: rows[lit.row],
    col: columns[lit.col],
    weight: Number.isNaN(value) ? page.t("playground.masked") : value.toFixed(2),
  })}</b>`;
}

/** The example: what is read, what is right, what the model writes on its own at this update. */
function writes({ t }, { about }, { written }) {
  const [source, target] = about.examples[0];
  const letters = [...written].map((letter, i) =>
    letter === target[i] ? letter : html`<mark>${letter}</mark>`,
  );
  const isRight = written === target;
  return html`<p class="hl-play-writes"><code>${source}</code> → <code>${letters}</code>
    <span class=${isRight ? "" : "hl-play-wrong"}>${t(
      isRight ? "playground.right" : "playground.wrong",
      { target },
    )}</span></p>`;
}

/** The size of each layer's gradient, on a fixed scale of powers of ten. */
export function gradients({ t }, /** @type {Run} */ run, /** @type {Frame} */ frame) {
  if (frame.update === 0) return nothing;
  const { layers } = run.settings;
  const share = (size) => Math.log10(Math.max(size, SMALLEST) / SMALLEST);
  return html`<section class="hl-play-gradients">
    <h3>${t("playground.gradients")}</h3>
    ${bars({
      label: t("playground.gradients"),
      bars: frame.gradients.map((size, i) => ({
        name: t(i < layers ? "playground.encoder" : "playground.decoder", { n: (i % layers) + 1 }),
        share: share(size) / Math.log10(LARGEST / SMALLEST),
        text: size.toPrecision(2),
      })),
    })}
    <p class="hl-note">${t("playground.gradients.note")}</p>
  </section>`;
}
