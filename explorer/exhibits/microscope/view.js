// The microscope: one query and one head, every number between them and the sub-layer's output.

import { select } from "../../../assets/kit/choice.js";
import { downloads } from "../../../assets/kit/download.js";
import { listOf, oneOf, whole } from "../../../assets/kit/keep.js";
import { smallText } from "../../../assets/kit/numbers.js";
import { answered, createRequest, lasting, pending } from "../../../assets/kit/request.js";
import { KINDS } from "../../../assets/kit/selection.js";
import { createSizes } from "../../../assets/kit/sizes.js";
import { createStore } from "../../../assets/kit/store.js";
import { createMatrices, matrixKey, openLayer } from "../../../assets/kit/sublayer.js";
import { liveView } from "../../../assets/kit/view.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { chainOf, columnsIn } from "./chain.js";
import { pythonFor } from "./python.js";
import { marksOf, neighbour, sceneOf } from "./scene.js";
import { numberText, placesOf, STAGE_NAMES } from "./trace.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

const TOLERANCE = 1e-4;
const OPEN = ["product", "weight", "context", "after"]; // the others are long
const FEW = 6; // terms that need no list of their own
const SAID = 2000; // ms that the copy button says what it did

/** Answered in a saved file: the head that is chosen. Each one takes half a megabyte. */
export function questions(_, /** @type {any} */ { selection }) {
  const { kind, layer, head } = selection.get();
  const when = { kind, layer, head };
  return [{ question: "microscope_head", args: { ...when, matrix: true }, when }];
}

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const set = page.keep(
    { stage: "weight", place: 0, open: OPEN },
    { stage: oneOf(STAGE_NAMES), place: whole(0, 65_535), open: listOf(oneOf(STAGE_NAMES), 20) },
  );
  const copied = createStore("copy");
  const about = requestOf(page, () => view.redraw());
  /** @type {any} */
  let scene = null;
  /** @type {unknown[]} */
  let made = []; // of what the scene was made
  const sizes = createSizes(el, () => view.redraw());

  const view = liveView({
    el,
    page,
    stores: [page.selection, set, copied],
    template() {
      const record = page.record.get();
      if (record === null) return null;
      const { kind, layer, head, row, col, labels } = page.selection.get();
      const answer = about(record, { kind, layer, head });
      if (answer.error !== null && scene !== null) return failed(page, scene, answer);
      return answered(page, answer, (value) => {
        const parts = [value, row, col, labels];
        const isCurrent = !answer.waiting;
        if (isCurrent && parts.some((part, i) => part !== made[i])) {
          scene = sceneOf(record, value, page.selection.get());
          made = parts;
        }
        const columns = columnsIn(sizes.of(".hl-micro-chain", 0));
        const open = new Set(set.get().open);
        const shown = { ...scene, ...marksOf(scene, set.get()), open, columns };
        return layout(page, shown, { isCurrent, copied, ...moves(page, set, scene.at.row) });
      });
    },
    drawn: () => sizes.check(),
  });

  return view.end;
}

/** What a press on a number, an arrow key and a press on a heading do. */
function moves(/** @type {Page} */ page, set, /** @type {number} */ row) {
  function pick(/** @type {Element|null} */ cell) {
    if (!(cell instanceof HTMLElement)) return;
    const { stage = "", place, key } = cell.dataset;
    set.merge({ stage, place: Number(place ?? 0) });
    if (key !== undefined) page.choose({ row, col: Number(key) });
  }

  function walk(event) {
    const next = neighbour(event.currentTarget, event);
    if (next === null) return;
    event.preventDefault();
    pick(next);
    next.focus();
  }

  function fold(/** @type {string} */ stage) {
    const { open } = set.get();
    const others = open.filter((/** @type {string} */ one) => one !== stage);
    set.merge({ open: others.length < open.length ? others : [...open, stage] });
  }
  return { pick, walk, fold };
}

/** What went wrong, with the lists to choose another head. */
function failed(/** @type {Page} */ page, scene, answer) {
  const { kind, layer, head } = page.selection.get();
  return html`<div class="hl-microscope">
    ${bar(page, { ...scene, at: { ...scene.at, kind, layer, head } })}
    <div>${pending(page, answer)}</div></div>`;
}

/** @param {Page} page @param {() => void} changed */
function requestOf(page, changed) {
  const matrices = createMatrices();
  const keyOf = (record, { kind, layer }) => matrixKey(record.model, kind, layer);
  const request = createRequest(page, "microscope_head", {
    changed,
    add: (args, record) => ({ matrix: !matrices.has(keyOf(record, args)) }),
    prepare: async (reply, record, args) => ({
      args,
      numbers: matrices.complete(keyOf(record, args), await openLayer(reply)),
    }),
  });
  return lasting(request);
}

function layout(/** @type {Page} */ page, shown, { isCurrent, pick, walk, fold, copied }) {
  return html`<div class="hl-microscope ${isCurrent ? "" : "hl-waiting"}">
    ${bar(page, shown)}
    <div class="hl-micro-chain hl-stack ${shown.isMany ? "hl-micro-many" : ""}" @keydown=${walk}
      @click=${(event) => pick(event.target.closest(".hl-micro-cell"))}>
      ${chainOf(page, shown, fold)}
    </div>
    <aside class="hl-micro-aside hl-stack">
      ${numberBox(page, shown)} ${check(page, shown)} ${python(page, shown, copied)}
      ${downloads(page, "microscope", { json: () => numbersOf(shown) })}
    </aside>
  </div>`;
}

/** Head, query and key as lists. */
function bar(/** @type {Page} */ page, { record, at, rows, keys }) {
  const { t } = page;
  const { layers, heads } = record.attention[at.kind];
  const count = (n) => Array.from({ length: n }, (_, i) => ({ value: String(i), label: i + 1 }));
  const named = (labels) =>
    labels.map((one, i) => ({ value: String(i), label: `${i + 1} ${one.line ?? one.text}` }));
  const lists = {
    kind: KINDS.map((kind) => ({ value: kind, label: t(`kind.${kind}`) })),
    layer: count(layers),
    head: count(heads),
    row: named(rows),
    col: named(keys),
  };
  return html`<div class="hl-micro-bar hl-row">
    ${Object.entries(lists).map(([name, options]) =>
      select({
        label: t(`microscope.choose.${name}`),
        options,
        value: String(at[name]),
        onChange: (value) => page.choose({ [name]: name === "kind" ? value : Number(value) }),
      }),
    )}
  </div>`;
}

/** Formula text with its small letters: "x_{3}", "W^{Q}". @param {string} formula */
const written = (formula) =>
  formula.split(/([_^]\{[^}]*\})/).map((piece) => {
    const small = /^([_^])\{(.*)\}$/.exec(piece);
    if (small === null) return piece;
    return small[1] === "_" ? html`<sub>${small[2]}</sub>` : html`<sup>${small[2]}</sup>`;
  });

/** The picked number: its name, its formula, the sum with the real numbers, all its terms. */
function numberBox(/** @type {Page} */ { t }, { origin, stage, place }) {
  const { value, formula, expression, terms, tail } = origin;
  return html`<div class="hl-micro-number" aria-live="polite">
    <h2>${t(`microscope.name.${stage}`)}${place === null ? "" : ` ${place + 1}`}</h2>
    <b class="hl-micro-value">${numberText(value, placesOf(value))}</b>
    <p class="hl-micro-formula">${written(formula)}</p>
    <p>= ${expression}</p>
    ${
      terms === null || terms.length < FEW
        ? nothing
        : html`<details><summary>${t("microscope.terms", { n: terms.length })}</summary>
            <p>${terms.join(" + ")}${tail}</p></details>`
    }
    <p class="hl-note">${t(`microscope.says.${stage}`)}</p>
  </div>`;
}

/** How far the chain is from what the model itself gave for this row. */
function check(/** @type {Page} */ { t }, { row }) {
  const off = Math.max(row.deviation, row.deviationAfter);
  const name = off <= TOLERANCE ? "good" : "bad";
  return html`<p class="hl-micro-check hl-micro-${name}" role="status"
    data-deviation=${String(off)}>
    ${t(`microscope.check.${name}`, { off: smallText(off), most: smallText(TOLERANCE) })}</p>`;
}

function python(/** @type {Page} */ page, { origin, stage, place, at, record, layer }, copied) {
  const { t, shared } = page;
  const code = pythonFor(stage, place ?? 0, at, {
    record,
    defaults: shared.defaults,
    untouched: shared.interventions.defaults,
    places: placesOf(origin.value),
    zero: origin.value === 0,
    off: layer.off,
    pre: layer.pre,
  });
  const copy = async (event) => {
    const box = event.target.closest("section").querySelector("pre");
    try {
      await navigator.clipboard.writeText(code);
      copied.set("copied");
    } catch {
      getSelection()?.selectAllChildren(box); // not allowed to copy: selected, so that Ctrl+C does
      copied.set("selected");
    }
    setTimeout(() => copied.set("copy"), SAID);
  };
  return html`<section class="hl-micro-python">
    <h2>${t("microscope.python")}</h2>
    <button type="button" class="hl-button hl-micro-copy" @click=${copy}>
      ${t(`microscope.${copied.get()}`)}</button>
    <p class="hl-note">${t("microscope.python.note")}</p>
    <pre class="hl-micro-code" tabindex="0" aria-label=${t("microscope.python")}>${code}</pre>
  </section>`;
}

/** Every number of the scene, for a file. */
function numbersOf({ at, head, row }) {
  const plain = (values) =>
    Object.fromEntries(
      Object.entries(values).map(([name, one]) => [
        name,
        ArrayBuffer.isView(one) ? [.../** @type {any} */ (one)] : one,
      ]),
    );
  return { at, head: plain(head), row: plain(row) };
}
