// Several heads of one kind drawn together: the selection, the colours, and the chips that name and
// change them.

import { headOf, headText, nameOf } from "../../../assets/kit/heads.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { MOST_HEADS } from "./options.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("./options.js").Options} Options */

// Okabe and Ito, "Color Universal Design" (2008), violet in place of yellow, which is lost on
// white; the darkest are made lighter for the dark page.
export const COLOURS = {
  light: "#5b3fc4 #d55e00 #009e73 #cc79a7 #0072b2 #b07800 #1c1c22 #3f9fd8".split(" "),
  dark: "#b5a4ff #ff8a3d #2fd0a2 #e79cc6 #5ab0f0 #e6b030 #ededf0 #8fd0f7".split(" "),
};
export const DASHES = [
  [],
  [7, 3],
  [2, 2],
  [9, 3, 2, 3],
  [14, 4],
  [1, 4],
  [5, 2, 1, 2, 1, 2],
  [3, 7],
];

/**
 * The heads that are drawn as lines, in their order: of the current kind those that were added, and
 * always the chosen one. With `isolated` only that one. `place` says the colour.
 * @returns {{name: string, place: number}[]}
 */
export function drawnHeads(chosen, { heads, isolated }, record) {
  const all = listOf(chosen, heads, record).map((name, place) => ({ name, place }));
  return isolated && all.length > 1 ? all.filter(({ name }) => name === nameOf(chosen)) : all;
}

/** @param {string[]} heads @returns {string[]} */
function listOf(chosen, heads, record) {
  const maps = record.attention[chosen.kind];
  const there = heads.filter((name) => {
    const { kind, layer, head } = headOf(name);
    return kind === chosen.kind && layer < maps.layers && head < maps.heads;
  });
  const own = nameOf(chosen);
  return there.includes(own) ? there : [...there.slice(0, MOST_HEADS - 1), own];
}

const isSameKind = (one, other) => headOf(one).kind === headOf(other).kind;

/**
 * Functions for changing the heads drawn.
 * @param {Page} page
 * @param {import("../../../assets/kit/types.js").Store<Options>} options
 */
export function createHeads(page, options) {
  const choose = (name) => page.choose(headOf(name));

  /** Selects one head. If it is among those drawn together, they stay. */
  function pick(name) {
    const { heads } = options.get();
    if (!heads.includes(name)) {
      options.merge({ heads: heads.filter((one) => !isSameKind(one, name)), isolated: false });
    }
    choose(name);
  }

  /** Adds a head to those drawn together, or removes it; a single remaining one is selected. */
  function toggle(name) {
    const chosen = page.selection.get();
    const { heads, view } = options.get();
    const near = isSameKind(nameOf(chosen), name)
      ? listOf(chosen, heads, page.record.get())
      : heads.filter((one) => isSameKind(one, name));
    if (near.includes(name) && near.length === 1) return;
    const next = near.includes(name) ? near.filter((one) => one !== name) : [...near, name];
    if (next.length > MOST_HEADS) return;
    const kept = heads.filter((one) => !isSameKind(one, name));
    const seen = view === "lines" ? view : "both";
    options.merge({ heads: [...kept, ...next], isolated: false, view: seen });
    const own = nameOf(chosen);
    choose(next.includes(name) ? name : next.includes(own) ? own : String(next.at(-1)));
  }

  /** Only this head, or all of them again. */
  function isolate(name) {
    const isAgain = options.get().isolated && nameOf(page.selection.get()) === name;
    options.merge({ isolated: !isAgain });
    choose(name);
  }
  return { pick, toggle, isolate };
}

/**
 * The chips of the heads drawn, each with its line, number and colour, and the buttons to change
 * them.
 * @param {Page} page
 * @param {import("../../../assets/kit/types.js").Store<Options>} options
 * @param {ReturnType<typeof createHeads>} heads
 */
export function chips(page, options, heads) {
  const { t } = page;
  const now = options.get();
  if (now.view === "map") return nothing;
  const chosen = page.selection.get();
  const own = nameOf(chosen);
  const names = listOf(chosen, now.heads, page.record.get());
  const isAlone = now.isolated && names.length > 1;
  const kind = t(`kind.${chosen.kind}`);
  const hint = now.adding ? t("several.adding", { most: MOST_HEADS, kind }) : t("several.hint");
  return html`<div class="hl-chips" role="group" aria-label=${t("several.name")}>
    ${names.map((name, place) => {
      const off = isAlone && name !== own ? "hl-off" : "";
      return html`<span class="hl-chip ${off}">
        ${named(page, name, place, heads)}
        ${names.length > 1 ? away(page, name, heads) : nothing}
      </span>`;
    })}
    <button type="button" class="hl-add" aria-pressed=${now.adding}
      ?disabled=${names.length >= MOST_HEADS && !now.adding}
      @click=${() => options.merge({ adding: !now.adding })}>${t("several.add")}</button>
    <button type="button" class="hl-alone" aria-pressed=${isAlone} ?disabled=${names.length === 1}
      @click=${() => heads.isolate(own)}>${t("several.alone")}</button>
    ${now.adding || names.length > 1 ? html`<span class="hl-note">${hint}</span>` : nothing}
  </div>`;
}

function named(page, name, place, heads) {
  const { layer, head } = headOf(name);
  const full = headText(page, headOf(name));
  const short = `${place + 1}: ${layer + 1}·${head + 1}`;
  return html`<button type="button" data-chip=${name} title=${full} aria-label="${short} ${full}"
    aria-pressed=${name === nameOf(page.selection.get())}
    @click=${() => heads.pick(name)} @dblclick=${() => heads.isolate(name)}>
    <svg viewBox="0 0 26 6" aria-hidden="true"><line x1="0" x2="26" y1="3" y2="3" stroke-width="3"
      stroke=${COLOURS[page.theme.get()][place]} stroke-dasharray=${DASHES[place].join(" ")}></line>
    </svg>${short}</button>`;
}

function away(page, name, heads) {
  const label = page.t("several.remove", { name: headText(page, headOf(name)) });
  return html`<button type="button" title=${label} aria-label=${label}
    @click=${() => heads.toggle(name)}>×</button>`;
}
