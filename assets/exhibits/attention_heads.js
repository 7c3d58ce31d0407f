// Several heads of one kind at a time: which ones, in which colours, and the chips that name them.

import { element, svg } from "../elements.js";
import { choose, record, selection } from "../state.js";
import { number, t } from "../words.js";
import { MOST_HEADS, options } from "./attention_options.js";

// Okabe and Ito, "Color Universal Design" (2008), violet in place of yellow, which is lost on white;
// the darkest are made lighter for the dark page.
export const COLOURS = {
  light: ["#5b3fc4", "#d55e00", "#009e73", "#cc79a7", "#0072b2", "#b07800", "#1c1c22", "#3f9fd8"],
  dark: ["#b5a4ff", "#ff8a3d", "#2fd0a2", "#e79cc6", "#5ab0f0", "#e6b030", "#ededf0", "#8fd0f7"],
};
export const DASHES = [[], [7, 3], [2, 2], [9, 3, 2, 3], [14, 4], [1, 4], [5, 2, 1, 2, 1, 2], [3, 7]];

export const nameOf = ({ kind, layer, head }) => `${kind}.${layer}.${head}`;

// The heads that are drawn as lines, in their order: of the kind on show those that were added, and
// always the selected one. With `isolated` only that one. [{name, place}]: place says the colour.
export function drawnHeads(chosen, { heads, isolated }, shown) {
  const listed = listOf(chosen, heads, shown);
  const all = listed.map((name, place) => ({ name, place }));
  return isolated && listed.length > 1 ? all.filter(({ name }) => name === nameOf(chosen)) : all;
}

function listOf(chosen, heads, shown) {
  const { layers, heads: count } = shown.attention[chosen.kind];
  const there = heads.filter((name) => {
    const [kind, layer, head] = name.split(".");
    return kind === chosen.kind && Number(layer) < layers && Number(head) < count;
  });
  const own = nameOf(chosen);
  return there.includes(own) ? there : [...there.slice(0, MOST_HEADS - 1), own];
}

// Makes one head the selected one. If it is among those drawn together they stay, else it is alone.
export function pick(name) {
  const { heads } = options.get();
  if (!heads.includes(name)) options.merge({ heads: heads.filter((other) => !sameKind(other, name)), isolated: false });
  select(name);
}

// Adds a head to those drawn together, or takes it away; what is left is selected.
export function toggle(name) {
  const chosen = selection.get();
  const before = options.get().heads;
  const kept = before.filter((other) => !sameKind(other, name));
  const near = sameKind(nameOf(chosen), name) ? listOf(chosen, before, record.get()) : before.filter((other) => sameKind(other, name));
  if (near.includes(name) && near.length === 1) return;
  const next = near.includes(name) ? near.filter((other) => other !== name) : [...near, name];
  if (next.length > MOST_HEADS) return;
  const { view } = options.get();
  options.merge({ heads: [...kept, ...next], isolated: false, view: view === "map" ? "both" : view });
  select(next.includes(name) ? name : next.includes(nameOf(chosen)) ? nameOf(chosen) : next.at(-1));
}

// Only this head, or all of them again.
export function isolate(name) {
  const chosen = selection.get();
  const again = options.get().isolated && nameOf(chosen) === name;
  options.merge({ isolated: !again });
  select(name);
}

const sameKind = (one, other) => one.split(".")[0] === other.split(".")[0];

function select(name) {
  const [kind, layer, head] = name.split(".");
  choose({ kind, layer: Number(layer), head: Number(head) });
}

// The heads that are drawn, each with its line, number and colour; and the ways to change them.
export function createChips(root) {
  function draw(shown, chosen, now, theme) {
    root.hidden = now.view === "map";
    if (root.hidden) return;
    const all = listOf(chosen, now.heads, shown).map((name, place) => ({ name, place }));
    const several = all.length > 1;
    root.replaceChildren(
      ...all.map((head) => chip(head, head.name === nameOf(chosen), now.isolated && several, theme, several)),
      element("button", {
        type: "button", class: "hl-add", "aria-pressed": String(now.adding), disabled: all.length >= MOST_HEADS && !now.adding,
        onclick: () => options.merge({ adding: !options.get().adding }),
      }, t("several.add")),
      element("button", {
        type: "button", class: "hl-alone", "aria-pressed": String(now.isolated && several), disabled: !several,
        onclick: () => isolate(nameOf(selection.get())),
      }, t("several.alone")),
      element("span", { class: "hl-note" }, now.adding
        ? t("several.adding", { most: MOST_HEADS, kind: t(`kind.${chosen.kind}`) }) : t("several.hint")),
    );
  }
  return { draw };
}

function chip({ name, place }, here, isolated, theme, several) {
  const [kind, layer, head] = name.split(".");
  const values = { kind: t(`kind.${kind}`), layer: Number(layer) + 1, head: Number(head) + 1 };
  const full = t("heads.tile", values);
  const line = svg("svg", { viewBox: "0 0 26 6", "aria-hidden": "true" }, svg("line", {
    x1: 0, x2: 26, y1: 3, y2: 3, stroke: COLOURS[theme][place], "stroke-width": 3, "stroke-dasharray": DASHES[place].join(" "),
  }));
  const named = element("button", {
    type: "button", "data-chip": name, "aria-pressed": String(here), "aria-label": full, title: full,
    onclick: () => pick(name), ondblclick: () => isolate(name),
  }, line, `${number(place)}: ${values.layer}·${values.head}`);
  const away = several && element("button", {
    type: "button", "aria-label": t("several.remove", { name: full }), title: t("several.remove", { name: full }), onclick: () => toggle(name),
  }, "×");
  return element("span", { class: `hl-chip${isolated && !here ? " hl-off" : ""}` }, named, ...(away ? [away] : []));
}
