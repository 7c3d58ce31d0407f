// All heads of the three kinds at once: a small map for each, for choosing one.

import { html, nothing, ref, repeat } from "../vendor/lit-html.js";
import { colourOf, ramps } from "./colour.js";
import { arrow } from "./elements.js";
import { headOf, headText, nameOf, namesOf, neighbour } from "./heads.js";
import { pool } from "./pixels.js";
import { pngUrl } from "./png.js";
import { KINDS } from "./selection.js";

const SHADES = 254; // steps of colour in a tile, whose image has room for one fewer than the ramp
const FINEST = 64; // pixels of a tile's side at most; longer sentences are pooled
const BUDGET = 12; // ms of painting in one frame; the rest waits for the next

/** @typedef {import("./types.js").Page} Page */
/** @typedef {import("./types.js").Maps} Maps */
/** The maps of each kind. @typedef {Record<string, Maps>} Attention */
/** The text beside a tile's map; `share`, 0 to 1, is its bar.
 * @typedef {{title: string, class?: string, share?: number, value?: number|null}} About */

/**
 * @typedef {object} Tiles
 * @property {Attention} attention
 * @property {Record<string, string[]>} [orders] the names of a kind's heads, highest first
 * @property {string} [class]
 * @property {(name: string) => About} [about]
 * @property {boolean} [isPainted] the template paints its tiles; else the caller does
 * (createPainter)
 * @property {(name: string, event: any) => void} [onPick]
 * @property {(name: string) => void} [onOpen] a double click
 * @property {boolean} [isFolded] the tiles of the chosen kind alone; the other names open theirs
 */

/** @type {WeakMap<Element, ReturnType<typeof createPainter>>} of the tiles of a template */
const painters = new WeakMap();

/** Paints tiles on the common scale once their template is rendered.
 * @param {Page} page @param {Element} root @param {Attention} attention */
function paintSoon(page, root, attention) {
  const painter = painters.get(root) ?? createPainter();
  painters.set(root, painter);
  const { kind } = page.selection.get();
  queueMicrotask(() => painter(root, attention, page.theme.get(), () => 1, kind));
}

/** @param {Page} page @param {Tiles} given */
export function tiles(page, given) {
  const { attention, orders = {}, onOpen = () => {} } = given;
  const onPick = given.onPick ?? ((/** @type {string} */ name) => page.choose(headOf(name)));
  const tileAt = (/** @type {any} */ { target }) => target.closest(".hl-tile")?.dataset.head;
  const withTile =
    (/** @type {(name: string, event: any) => void} */ act) => (/** @type {Event} */ event) =>
      tileAt(event) && act(tileAt(event), event);
  const step = withTile((name, event) => {
    const by = arrow(event);
    if (by === null) return;
    event.preventDefault();
    const next = neighbour(name, by, { attention }, orders);
    if (given.isFolded && headOf(next).kind !== headOf(name).kind) return; // it has no tile
    onPick(next, event);
    event.currentTarget.querySelector(`[data-head="${next}"]`).focus();
  });
  const lines = KINDS.reduce((sum, kind) => sum + attention[kind].layers, 0);
  return html`<div class="hl-heads ${given.class ?? ""}" style="--rows: ${lines}"
    ${given.isPainted ? ref((root) => root && paintSoon(page, root, attention)) : nothing}
    @click=${withTile(onPick)} @dblclick=${withTile(onOpen)} @keydown=${step}>
    ${KINDS.map((kind) => section(page, kind, given))}
  </div>`;
}

/** @param {Page} page @param {string} kind @param {Tiles} given */
function section(page, kind, given) {
  const { t } = page;
  const { heads } = given.attention[kind];
  const above = given.attention[KINDS[KINDS.indexOf(kind) - 1]];
  /** @type {(name: string) => About} */
  const about = given.about ?? ((name) => ({ title: headText(page, headOf(name)) }));
  const chosen = page.selection.get();
  const here = nameOf(chosen);
  const told = html`${t(`kind.${kind}`)}<small>${t(`kind.${kind}.short`)}</small>`;
  const open = () => page.choose({ kind, ...withinKind(chosen, given.attention[kind]) });
  if (given.isFolded && kind !== chosen.kind) {
    return html`<section class="hl-kind hl-kind-${kind}"><h3><button type="button"
      aria-expanded="false" @click=${open}>${told}</button></h3></section>`;
  }
  return html`<section class="hl-kind hl-kind-${kind}">
    <h3>${told}</h3>
    <div class="hl-tiles" style="--heads: ${heads}">
      ${heads === above?.heads && !given.isFolded ? nothing : headings(page, heads, given.orders)}
      ${repeat(
        entriesOf(page, kind, given),
        (entry) => entry.key,
        ({ key, line }) =>
          line ? html`<span class="hl-layer">${line}</span>` : tile(key, about(key), key === here),
      )}
    </div>
  </section>`;
}

/** The same place in another kind, which may have fewer layers and heads.
 * @param {{layer: number, head: number}} chosen @param {Maps} maps */
const withinKind = ({ layer, head }, { layers, heads }) => ({
  layer: Math.min(layer, layers - 1),
  head: Math.min(head, heads - 1),
});

/**
 * The heads' numbers, omitted if the kind above has the same number; when sorted, columns mean
 * nothing.
 * @param {Page} page @param {number} heads @param {Tiles["orders"]} orders
 */
const headings = ({ t }, heads, orders) =>
  orders
    ? html`<span class="hl-corner hl-whole">${t("heads.sorted")}</span>`
    : html`<span class="hl-corner">${t("heads.head")}</span>
        ${Array.from({ length: heads }, (_, head) => {
          const isSaid = heads < 10 || head % 2 === 0; // two digits take the room of two tiles
          return html`<span>${isSaid ? head + 1 : nothing}</span>`;
        })}`;

/** The tiles of a kind in rows, each row with its layer, or its ranks, before it.
 * @param {Page} page @param {string} kind @param {Tiles} given */
function entriesOf({ t }, kind, { attention, orders }) {
  const { heads } = attention[kind];
  const names = orders?.[kind] ?? namesOf(kind, attention[kind]);
  return names.flatMap((name, i) => {
    if (i % heads !== 0) return [{ key: name, line: "" }];
    const layer = t("heads.layer", { n: i / heads + 1 });
    const line = orders ? `${i + 1}–${Math.min(i + heads, names.length)}` : layer;
    return [
      { key: `line ${i}`, line },
      { key: name, line: "" },
    ];
  });
}

/** @param {string} name @param {About} about @param {boolean} isHere */
function tile(name, about, isHere) {
  const { layer, head } = headOf(name);
  return html`<button type="button" class="hl-tile ${about.class ?? ""}" data-head=${name}
    data-measure=${about.value ?? ""} style="--measure: ${((about.share ?? 0) * 100).toFixed(1)}%"
    title=${about.title} aria-label=${about.title}
    aria-pressed=${isHere} tabindex=${isHere ? 0 : -1}>
    <img alt=""><i class="hl-tag">${layer + 1}·${head + 1}</i><i class="hl-gauge"></i>
  </button>`;
}

/** @typedef {"light"|"dark"} Look */
/** @typedef {(cells: Float32Array) => number} ScaleOf the weight with the full colour */

/**
 * Returns paint(root, attention, look, scaleOf, kind): paints the tiles below `root` that are not
 * painted yet, as many as a frame has time for, beginning with those of `kind`.
 */
export function createPainter() {
  /** @type {WeakMap<Float32Array, {key: string, url: string}>} */
  const urls = new WeakMap(); // of the cells of a head
  let round = 0;

  /**
   * @param {Element} root @param {Attention} attention @param {Look} look @param {ScaleOf} scaleOf
   * @param {string} kind
   */
  return function paint(root, attention, look, scaleOf, kind) {
    round += 1;
    const mine = round;
    const all = [...root.querySelectorAll(".hl-tile")];
    const nameIn = (/** @type {Element} */ button) => button.getAttribute("data-head") ?? "";
    const first = all.filter((button) => nameIn(button).startsWith(kind));
    const waiting = new Set([...first, ...all]);
    const paintSome = () => {
      if (mine !== round) return; // another sentence, or another colour, has its own round
      const started = performance.now();
      root.toggleAttribute("data-painting", true); // for code that waits for the picture
      for (const button of waiting) {
        if (performance.now() - started > BUDGET) return requestAnimationFrame(paintSome);
        waiting.delete(button);
        const { kind: own, layer, head } = headOf(nameIn(button));
        const url = urlOf(attention[own], attention[own].head(layer, head), look, scaleOf);
        const image = button.querySelector("img");
        if (image?.getAttribute("src") !== url) image?.setAttribute("src", url);
      }
      root.toggleAttribute("data-painting", false);
    };
    paintSome();
  };

  /** @param {Maps} maps @param {Float32Array} cells @param {Look} look @param {ScaleOf} scaleOf */
  function urlOf({ queries, keys }, cells, look, scaleOf) {
    const most = scaleOf(cells);
    const key = `${look} ${most}`;
    const known = urls.get(cells);
    if (known?.key === key) return known.url;
    const url = picture(pool(cells, queries, keys, FINEST, FINEST), most, SHADED[look]);
    urls.set(cells, { key, url });
    return url;
  }
}

/** @param {number[][]} ramp */
const shades = (ramp) =>
  Uint8Array.from(
    { length: 3 * (SHADES + 1) },
    (_, i) => colourOf(ramp, Math.floor(i / 3) / SHADES)[i % 3],
  );

const SHADED = { light: shades(ramps.light), dark: shades(ramps.dark) };

/**
 * A map as the address of an image. Seventy canvases on the page would each be a separate layer,
 * which the browser recomposes whenever anything on the page changes.
 * @param {ReturnType<typeof pool>} map @param {number} most @param {Uint8Array} colours
 */
function picture({ cells, rows, columns }, most, colours) {
  const places = new Uint8Array(cells.length); // 0 where masked
  for (let i = 0; i < cells.length; i += 1) {
    if (!Number.isNaN(cells[i])) places[i] = 1 + Math.round(Math.min(1, cells[i] / most) * SHADES);
  }
  return pngUrl(places, columns, rows, colours);
}
