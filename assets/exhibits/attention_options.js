// How the visitor wishes to see the heads: one store, its controls, and its place in the address.

import { createStore } from "../store.js";
import { KINDS } from "../selection.js";
import { element } from "../elements.js";
import { t } from "../words.js";
import { MEASURES } from "./attention_measures.js";

export const MOST_HEADS = 8; // drawn as lines at a time
export const VIEWS = ["map", "lines", "both"];

// measure, sorted, least   what marks and orders the tiles, and how much of it keeps one bright, 0..100
// view, mass, specials, words, own   the large picture: what it is, and what of the weights it shows
// heads, isolated          names "kind.layer.head" drawn as lines together; whether one of them stands alone
// adding                   whether a click on a tile adds it to these
export const PLAIN = {
  measure: "none", sorted: false, least: 0, view: "map", mass: 100, specials: true, words: false,
  own: false, heads: [], isolated: false, adding: false,
};

export const options = createStore(PLAIN);

const FLAGS = { sorted: ["sorted", true], words: ["words", true], nospecials: ["specials", false], own: ["own", true] };
const NUMBERS = { mass: [5, 100], least: [1, 100] };

// The options of an address, as `write` put them there; what is absent or absurd is left out.
export function read(text) {
  const found = { ...PLAIN };
  for (const part of (text ?? "").split("~")) {
    const [name, ...rest] = part.split("-");
    if (VIEWS.includes(name)) found.view = name;
    else if (Object.hasOwn(FLAGS, name)) found[FLAGS[name][0]] = FLAGS[name][1];
    else if (Object.hasOwn(NUMBERS, name)) found[name] = within(Number(rest[0]), ...NUMBERS[name], PLAIN[name]);
    else if (name === "by" && MEASURES.includes(rest[0])) [found.measure] = rest;
    else if (name === "with" && /^\w+-\d{1,3}-\d{1,3}$/.test(rest.join("-")) && KINDS.includes(rest[0])) {
      found.heads = [...found.heads, `${rest[0]}.${rest[1] - 1}.${rest[2] - 1}`].slice(0, MOST_HEADS);
    }
  }
  return found;
}

// "lines~mass-80~words~by-entropy~with-cross-1-2": what is not as it is at first. Counted from 1.
export function write(now) {
  const parts = now.view === PLAIN.view ? [] : [now.view];
  for (const [name, [key, value]] of Object.entries(FLAGS)) if (now[key] === value) parts.push(name);
  for (const name of Object.keys(NUMBERS)) if (now[name] !== PLAIN[name]) parts.push(`${name}-${now[name]}`);
  if (now.measure !== PLAIN.measure) parts.push(`by-${now.measure}`);
  for (const head of now.heads) {
    const [kind, layer, index] = head.split(".");
    parts.push(`with-${kind}-${Number(layer) + 1}-${Number(index) + 1}`);
  }
  return parts.join("~");
}

const within = (value, low, high, otherwise) =>
  (Number.isInteger(value) && value >= low && value <= high ? value : otherwise);

// What was done to the weights, for the end of a file's name.
export function suffix({ words, specials, mass, own }) {
  return [words && "words", !specials && "nospecials", mass < 100 && `strongest${mass}`, own && "ownscale"]
    .filter(Boolean).map((part) => `-${part}`).join("");
}

// The options that the address asks for, and the address as they change.
export function followOptions() {
  const name = "heads";
  options.set(read(new URLSearchParams(window.location.search).get(name)));
  options.watch((now) => {
    const query = new URLSearchParams(window.location.search);
    if ((query.get(name) ?? "") === write(now)) return;
    if (write(now)) query.set(name, write(now));
    else query.delete(name);
    window.history.replaceState(window.history.state, "", `?${query}${window.location.hash}`);
  });
}

// The controls above the large picture.
export function mountOptions(root) {
  const part = (id) => root.querySelector(`#${id}`);
  const boxes = [["hl-specials", "specials", true], ["hl-words", "words", false], ["hl-own", "own", false]];
  for (const [id, key, negated] of boxes) {
    part(id).addEventListener("change", ({ target }) => options.merge({ [key]: target.checked !== negated }));
  }
  part("hl-mass").addEventListener("input", ({ target }) => options.merge({ mass: Number(target.value) }));
  for (const button of root.querySelectorAll("[data-view]")) {
    button.addEventListener("click", () => options.merge({ view: button.dataset.view, adding: false }));
  }
  options.watch((now) => {
    for (const [id, key, negated] of boxes) part(id).checked = now[key] !== negated;
    part("hl-mass").value = now.mass;
    part("hl-mass-value").textContent = `${now.mass} %`;
    for (const button of root.querySelectorAll("[data-view]")) {
      button.setAttribute("aria-pressed", button.dataset.view === now.view);
    }
  });
}

// What the options do to what is seen, in sentences; nothing where they do nothing.
export function describe({ words, specials, mass }) {
  return [
    words && t("options.says.words"), !specials && t("options.says.specials"),
    mass < 100 && t("options.says.mass", { mass }),
  ].filter(Boolean).map((sentence) => element("span", {}, sentence, " "));
}
