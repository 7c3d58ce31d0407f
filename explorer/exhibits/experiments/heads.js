// All heads as buttons, off or on; the masks, the padding, the scaling; single cells to paint.

import { button, choice as radios, toggle } from "../../../assets/kit/choice.js";
import { colourOf, cssOf, diverging, inkOn, ramps } from "../../../assets/kit/colour.js";
import { filled } from "../../../assets/kit/interventions.js";
import { matrix } from "../../../assets/kit/map.js";
import { signedText } from "../../../assets/kit/numbers.js";
import { axes, KINDS } from "../../../assets/kit/selection.js";
import { slider } from "../../../assets/kit/slider.js";
import { html, nothing, svg } from "../../../assets/vendor/lit-html.js";
import { isOff, paintedMask, positioned, toggleCell, toggleHead, toggleLayer } from "./change.js";

const ALLOWED = 0.12; // darkness of a readable cell
const PAD = { text: "<pad>", kind: "special" };
const range = (length) => Array.from({ length }, (_, i) => i);

/** The colour of a change; `most` is at the ends of the ramp. */
const changeColour = ({ theme }, change, most) =>
  colourOf(diverging[theme.get()], 0.5 + change / 2 / (most || 1));

/** A bar from the middle: to the left for a decrease, to the right for an increase. */
export function changeBar(page, change, most) {
  const half = Math.min(1, Math.abs(change) / (most || 1)) * 50;
  return html`<svg class="hl-experiments-bar" viewBox="0 0 100 10" preserveAspectRatio="none"
    aria-hidden="true">${svg`<rect x=${change < 0 ? 50 - half : 50} y="1" width=${half} height="8"
      fill=${cssOf(changeColour(page, Math.sign(change), 1))}></rect>
    <line x1="50" x2="50" y1="0" y2="10"></line>`}</svg>`;
}

export const mostOf = (effects) => Math.max(...Array.from(effects.values(), Math.abs));

/**
 * The heads of each kind, coloured by their effect once ranked. `changes` are those shown;
 * change(update) receives the current ones, as clicks may come faster than drawings.
 */
export function heads(page, record, changes, change) {
  return KINDS.map((kind) => {
    const { layers, heads: count } = record.attention[kind];
    return html`<section class="hl-kind hl-kind-${kind}">
      <h3>${page.t(`kind.${kind}`)}</h3>
      ${range(layers).map(
        (layer) => html`<div class="hl-experiments-layer">
          <span>${page.t("experiments.layer", { n: layer + 1 })}</span>
          ${range(count).map((head) => headButton(page, [kind, layer, head], changes, change))}
          ${kind === "cross" ? layerButton(page, layer, changes, change) : nothing}
        </div>`,
      )}
    </section>`;
  });
}

function headButton(page, head, changes, change) {
  const [kind, layer, index] = head;
  const off = isOff(changes, head) || (kind === "cross" && changes.cross_off.includes(layer));
  const effects = page.effects.get();
  const worth = effects?.get(head.join("."));
  const values = { kind: page.t(`kind.${kind}`), layer: layer + 1, head: index + 1 };
  let [name, style] = [page.t("experiments.head", values), ""];
  if (worth !== undefined) {
    const colour = changeColour(page, worth, mostOf(effects));
    name = page.t("experiments.head.worth", { ...values, change: signedText(worth) });
    style = `background:${cssOf(colour)};color:${inkOn(colour)}`;
  }
  return html`<button type="button" data-head=${head.join(".")} aria-pressed=${String(off)}
    aria-label=${name} title=${name} style=${style}
    @click=${() => change((now) => toggleHead(now, head))}>${off ? "×" : index + 1}</button>`;
}

function layerButton(page, layer, changes, change) {
  const all = page.t("experiments.all");
  const name = page.t("experiments.layer.off", { n: layer + 1 });
  return html`<button type="button" data-layer=${layer} aria-label="${all}: ${name}" title=${name}
    aria-pressed=${String(changes.cross_off.includes(layer))}
    @click=${() => change((now) => toggleLayer(now, layer))}>${all}</button>`;
}

export function masks(page, changes, change) {
  const box = (name) =>
    toggle({
      label: page.t(`experiments.mask.${name}`),
      checked: changes[name],
      onChange: (on) => change((now) => ({ ...now, [name]: on })),
    });
  return html`<fieldset class="hl-experiments-masks">
    <legend>${page.t("experiments.masks")}</legend>
    ${box("causal_mask")} ${box("padding_mask")} ${box("scaling")}
    ${slider({
      label: page.t("experiments.mask.padding"),
      title: page.t("experiments.mask.padding.where"),
      min: 0,
      max: page.facts.padding,
      value: changes.padding,
      onInput: (padding) => change((now) => ({ ...now, padding: Math.round(padding) })),
    })}
  </fieldset>`;
}

/** Whose positions are changed, and how. */
export function positions({ t, page }, changes, change) {
  const { choices } = page.shared.interventions;
  const some = (/** @type {object} */ own) => change((now) => ({ ...now, ...own }));
  const group = (/** @type {string} */ name, onChange) =>
    radios({
      name: `${page.uid}-${name}`,
      label: t(name),
      class: `hl-plain hl-experiments-${name}`,
      options: choices[name].map((value) => ({ value, label: t(`${name}.${value}`) })),
      value: changes[name],
      onChange,
    });
  const again = () => change((now) => ({ ...now, position_seed: now.position_seed + 1 }));
  const shift = slider({
    label: t("shift"),
    min: 1,
    max: page.facts.farthest,
    value: changes.shift,
    onInput: (steps) => some({ shift: Math.round(steps) }),
  });
  return html`<div class="hl-stack">${group("positions", (how) => some(positioned(how)))}
    ${["none", "shifted"].includes(changes.positions) ? group("sides", (sides) => some({ sides })) : nothing}
    ${changes.positions === "shifted" ? shift : nothing}
    ${changes.positions === "shuffled" ? button({ label: t("again"), onClick: again }) : nothing}</div>`;
}

/** The source of a record without the padding that its own interventions added. */
const sourceOf = (page, { src, interventions }) =>
  src.slice(0, src.length - filled(interventions, page.shared.interventions).padding);

/** The mask of one kind, its cells to be toggled. */
export function paint(s, { width, height, em }, change) {
  const { t, page, record, changes, kind, painting, set, selection } = s;
  const source = sourceOf(page, record);
  const lengths = [source.length, record.tgt_out.length];
  const mask = paintedMask(changes, kind, ...lengths);
  const src = [...source, ...range(changes.padding).map(() => PAD)];
  const { rows, columns } = axes({ ...record, src }, kind, selection.labels);
  const { keys, queries, allowed } = mask;
  const at = painting && painting.row < queries && painting.col < keys ? painting : null;
  const scene = {
    ...mask,
    rows: rows.labels,
    columns: columns.labels,
    cells: Float32Array.from(allowed, (may) => (may ? ALLOWED : Number.NaN)),
    ramp: ramps[page.theme.get()],
    width,
    height: height - 2.4 * em,
    font: em,
    large: true,
    lit: at,
    name: t("paint.map", { kind: page.t(`kind.${kind}`) }),
  };
  const values = at && { row: scene.rows[at.row].text, col: scene.columns[at.col].text };
  const says = at && t(allowed[at.row * keys + at.col] ? "paint.may" : "paint.not", values);
  return html`<div class="hl-experiments-paint">
    <p class="hl-note" id="${page.uid}-paint">${says ?? t("paint.how")}</p>
    ${matrix(scene, {
      describedBy: `${page.uid}-paint`,
      onPoint: (cell) => set({ painting: cell }),
      onChoose: (cell) => change((now) => toggleCell(now, kind, cell, ...lengths)),
    })}</div>`;
}
