// The microscope: one query and one head, every number between them and the sub-layer's output.

import { arrow, element, whenChanged } from "../elements.js";
import { lineOf } from "../heatmap.js";
import { drawInPanel, room } from "../panel.js";
import { axes, KINDS } from "../selection.js";
import { choose, facts, record, selection } from "../state.js";
import { hasMatrix, headChain, matrixKey, openLayer, rowChain, weightsOf, withMatrix } from "../sublayer.js";
import { question } from "../wire.js";
import { language, number, t } from "../words.js";
import { chainOf, lastStage } from "./microscope_chain.js";
import { pythonFor } from "./microscope_python.js";
import { KEY_STAGES, numberText, originOf, placesOf } from "./microscope_trace.js";

const TOLERANCE = 1e-4;
const MANY = 64; // numbers that another was made of, beyond which their marks are quiet
const LAST = ["entering", "sum", "after"]; // stages that stand for one number of the output

export function mount(root) {
  const layout = root.querySelector(".hl-microscope");
  const chain = root.querySelector("#hl-micro-chain");
  const changed = whenChanged();
  const bar = mountBar(root.querySelector("#hl-micro-bar"));
  let open = null; // {record, kind, layer, head, numbers}: what Python sent last
  let wanted = null; // the same without numbers: what was asked for
  let picked = { stage: "weight", place: null };
  let data = null;

  const redraw = drawInPanel(root, [record, language], () => {
    const shown = record.get();
    if (shown === null) return;
    room(layout);
    const chosen = selection.get();
    fetch(shown, chosen);
    const current = open !== null && fits(open, shown, chosen);
    layout.classList.toggle("hl-waiting", !current);
    if (!current) return;
    const at = placeOf(open.numbers, chosen);
    const labels = labelsOf(shown, chosen);
    bar(shown, at, labels, chosen);
    if (changed(open, at.row, at.col, language.get(), chosen.labels)) {
      data = { layer: open.numbers, at, head: headChain(open.numbers, at.head, at.row, at.col), row: rowChain(open.numbers, at.row) };
      refill(chain, chainOf(data, { ...labels, row: labels.rows[at.row] }));
      check(root.querySelector("#hl-micro-check"), data);
    }
    if (!(picked.place < placesIn(picked.stage, data))) picked = { ...picked, place: null };
    mark();
  });

  function fetch(shown, { kind, layer, head }) {
    if (wanted !== null && fits(wanted, shown, { kind, layer, head })) return;
    wanted = { record: shown, kind, layer, head };
    const mine = wanted;
    const key = matrixKey(shown.model, kind, layer);
    question("microscope_head", { kind, layer, head, matrix: !hasMatrix(key) })
      .then(async (answer) => {
        if (answer === null) return;
        open = { ...mine, numbers: withMatrix(key, await openLayer(answer)) };
        redraw();
      })
      .catch((error) => {
        root.querySelector("#hl-micro-check").textContent = error.sentence?.[language.get()] ?? t("error.unreachable");
      });
  }

  // Shows where the chosen number came from, and which others it was made of.
  function mark() {
    const { stage } = picked;
    const place = picked.place ?? (KEY_STAGES.includes(stage) ? null : 0);
    const lastAt = ["output", ...LAST].includes(stage) ? place : 0;
    refill(chain.querySelector("#hl-micro-last"), lastStage(data, lastAt));
    const origin = originOf(stage, place ?? 0, data);
    const made = new Set(origin.from.flatMap(([from, at]) => cellsOf(chain, from, at, data.at.col)));
    const here = cellsOf(chain, stage, place ?? undefined, data.at.col)[0];
    chain.classList.toggle("hl-micro-many", made.size > MANY);
    for (const cell of chain.querySelectorAll(".hl-micro-cell")) {
      cell.classList.toggle("hl-micro-from", made.has(cell));
      cell.setAttribute("aria-pressed", String(cell === here));
      cell.tabIndex = cell === here ? 0 : -1;
    }
    tell(root, origin, stage, place);
    root.querySelector("#hl-micro-code").textContent = pythonFor(stage, place ?? 0, data.at, {
      record: open.record, defaults: facts.get().defaults, places: placesOf(origin.value), zero: origin.value === 0, off: data.layer.off, pre: data.layer.pre,
    });
  }

  function pick(cell) {
    const { stage, place, key } = cell.dataset;
    picked = { stage, place: place === undefined ? null : Number(place) };
    if (key !== undefined && Number(key) !== selection.get().col) choose({ row: data.at.row, col: Number(key) });
    else mark();
  }

  chain.addEventListener("click", (event) => {
    const cell = event.target.closest(".hl-micro-cell");
    if (cell !== null) pick(cell);
  });
  chain.addEventListener("keydown", (event) => {
    const next = neighbour(chain, event);
    if (next === null) return;
    event.preventDefault();
    const { stage, place, key } = next.dataset;
    pick(next);
    const focus = () => cellsOf(chain, stage, place === undefined ? undefined : Number(place), Number(key))[0]?.focus();
    focus(); // at once: the next key may follow before the next frame
    requestAnimationFrame(() => requestAnimationFrame(() => {
      if (!chain.contains(document.activeElement)) focus(); // another key's numbers took its place
    }));
  });
  mountCopy(root);
}

const fits = (one, shown, { kind, layer, head }) =>
  one.record === shown && one.kind === kind && one.layer === layer && one.head === head;

// Where the microscope stands: without a chosen key, at the one that is read most.
function placeOf(numbers, { kind, layer, head, row, col }) {
  if (col !== null) return { kind, layer, head, row, col };
  const weights = weightsOf(numbers, head, row);
  return { kind, layer, head, row, col: weights.indexOf(Math.max(...weights)) };
}

function labelsOf(shown, { kind, labels }) {
  const { rows, columns } = axes(shown, kind, labels);
  return { rows: rows.labels, columns: columns.labels };
}

// New content in the same place: what was scrolled to stays in sight.
function refill(box, children) {
  const { scrollTop, scrollLeft } = box;
  box.replaceChildren(...children);
  Object.assign(box, { scrollTop, scrollLeft });
}

function placesIn(stage, { layer }) {
  if (KEY_STAGES.includes(stage)) return 0;
  return ["concat", "output", ...LAST].includes(stage) ? layer.d_model : layer.dk;
}

// The cells of a stage: one place of it, all of it ("all" over the keys), or the chosen key's.
function cellsOf(chain, stage, place, col) {
  const all = [...chain.querySelectorAll(`[data-stage="${stage}"]`)];
  if (KEY_STAGES.includes(stage)) return place === "all" ? all : all.filter((cell) => Number(cell.dataset.key) === col);
  return place === undefined ? all : all.filter((cell) => Number(cell.dataset.place) === place);
}

// The cell that an arrow key leads to: the next one of the line, or the nearest above or below.
function neighbour(chain, event) {
  const step = arrow(event);
  const from = event.target.closest(".hl-micro-cell");
  if (step === null || from === null) return null;
  const cells = [...chain.querySelectorAll(".hl-micro-cell")];
  if (step.columns) return cells[cells.indexOf(from) + step.columns] ?? null;
  const here = from.getBoundingClientRect();
  let best = null;
  for (const cell of cells) {
    const box = cell.getBoundingClientRect();
    const down = (box.top - here.top) * step.rows;
    if (down < here.height / 2) continue;
    const far = down * 4 + Math.abs(box.left - here.left);
    if (best === null || far < best.far) best = { cell, far };
  }
  return best?.cell ?? null;
}

// Formula text with its small letters: "x_{3}", "W^{Q}".
export function written(formula) {
  return formula.split(/([_^]\{[^}]*\})/).map((piece) => {
    const small = /^([_^])\{(.*)\}$/.exec(piece);
    return small ? element(small[1] === "_" ? "sub" : "sup", {}, small[2]) : piece;
  });
}

// The number that was chosen: its name, its formula, the sum with the real numbers, all its terms.
function tell(root, { value, formula, expression, terms, tail }, stage, place) {
  const where = place === null ? "" : ` ${number(place)}`;
  const box = root.querySelector("#hl-micro-number");
  const opened = box.querySelector("details")?.open ?? false;
  const all = terms === null || terms.length < 6 ? [] : [element("details", { open: opened },
    element("summary", {}, t("microscope.terms", { n: terms.length })),
    element("p", {}, terms.join(" + ") + tail))];
  box.replaceChildren(
    element("h3", {}, `${t(`microscope.name.${stage}`)}${where}`),
    element("b", { class: "hl-micro-value", "data-value": numberText(value, placesOf(value)) }, numberText(value, placesOf(value))),
    element("p", { class: "hl-micro-formula" }, ...written(formula)),
    element("p", { class: "hl-micro-sumline" }, `= ${expression}`),
    ...all,
    element("p", { class: "hl-note" }, t(`microscope.says.${stage}`)),
  );
}

// How far the chain is from what the model itself gave for this row.
function check(line, { row }) {
  const off = Math.max(row.deviation, row.deviationAfter);
  const good = off <= TOLERANCE;
  line.dataset.deviation = String(off);
  line.classList.toggle("hl-micro-bad", !good);
  line.textContent = t(good ? "microscope.check.good" : "microscope.check.bad", { off: off.toExponential(1), most: TOLERANCE });
}

function mountCopy(root) {
  const button = root.querySelector("#hl-micro-copy");
  button.addEventListener("click", async () => {
    const code = root.querySelector("#hl-micro-code");
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = t("microscope.copied");
    } catch {
      getSelection().selectAllChildren(code); // not allowed to copy: selected, so that Ctrl+C does
      button.textContent = t("microscope.selected");
    }
    setTimeout(() => { button.textContent = t("microscope.copy"); }, 2000);
  });
}

// The choice of head, query and key as lists; gives a function that writes what is on show.
function mountBar(bar) {
  const lists = {};
  for (const name of ["kind", "layer", "head", "row", "col"]) {
    lists[name] = element("select", { onchange: (event) => {
      const value = name === "kind" ? event.target.value : Number(event.target.value);
      choose({ [name]: value });
    } });
    bar.append(element("label", {}, element("span", { "data-t": `microscope.choose.${name}` }), lists[name]));
  }
  bar.addEventListener("submit", (event) => event.preventDefault());
  const changed = whenChanged();
  return (shown, at, { rows, columns }, chosen) => {
    const { layers, heads } = shown.attention[at.kind];
    if (changed(shown, at.kind, language.get(), chosen.labels)) {
      fill(lists.kind, KINDS.map((kind) => [kind, t(`kind.${kind}`)]));
      fill(lists.layer, Array.from({ length: layers }, (_, i) => [i, number(i)]));
      fill(lists.head, Array.from({ length: heads }, (_, i) => [i, number(i)]));
      fill(lists.row, rows.map((label, i) => [i, `${number(i)} ${lineOf(label)}`]));
      fill(lists.col, columns.map((label, i) => [i, `${number(i)} ${lineOf(label)}`]));
    }
    for (const [name, list] of Object.entries(lists)) list.value = String(at[name]);
  };
}

function fill(list, options) {
  list.replaceChildren(...options.map(([value, text]) => element("option", { value }, text)));
}
