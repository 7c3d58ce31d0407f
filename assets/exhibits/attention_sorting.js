// The measures of the heads on show, and the controls that mark, sort and filter the tiles by one.

import { element } from "../elements.js";
import { signedText, weightText } from "../numbers.js";
import { axes, KINDS } from "../selection.js";
import { effects, record } from "../state.js";
import { language, t } from "../words.js";
import { MEASURES, measuresOf, share } from "./attention_measures.js";
import { options } from "./attention_options.js";

let known = { shown: null, all: null };

// All measures of every head of a record: "kind.layer.head" -> {entropy, diagonal, ...}. Taken once.
function allMeasures(shown) {
  if (known.shown === shown) return known.all;
  const all = new Map();
  for (const kind of KINDS) {
    const maps = shown.attention[kind];
    const columns = axes(shown, kind, "reads").columns.labels;
    for (let layer = 0; layer < maps.layers; layer += 1) {
      for (let head = 0; head < maps.heads; head += 1) {
        const map = { cells: maps.head(layer, head), queries: maps.queries, keys: maps.keys, columns };
        all.set(`${kind}.${layer}.${head}`, measuresOf(kind, map));
      }
    }
  }
  known = { shown, all };
  return all;
}

const valueOf = (name, measure, found) => (measure === "effect" ? effects.get()?.get(name) ?? null : found[measure]);

// One measure of every head: name -> {value, share}; value is null where it has none.
export function measured(shown, measure) {
  const all = [...allMeasures(shown)].map(([name, found]) => [name, valueOf(name, measure, found)]);
  const values = all.map(([, value]) => value);
  return new Map(all.map(([name, value]) => [name, { value, share: share(measure, value, values) }]));
}

// Whether a head has enough of the measure to stay bright.
export const passes = ({ value, share: part }, least) => least <= 0 || (value !== null && part * 100 >= least);

// All measures of one head, those that it has: [{measure, value}].
export function measuresOfHead(shown, name) {
  if (!allMeasures(shown).has(name)) return [];
  const found = allMeasures(shown).get(name);
  return MEASURES.map((measure) => ({ measure, value: valueOf(name, measure, found) })).filter(({ value }) => value !== null);
}

export function measureText(measure, value) {
  if (measure === "effect") return signedText(value);
  return measure === "entropy" ? t("measure.nats", { value: value.toFixed(3) }) : weightText(value);
}

// The list of measures, the tick that sorts, the slider that dims; what each measure is.
export function mountSorting(root) {
  const select = root.querySelector("#hl-measure");
  const sort = root.querySelector("#hl-sort");
  const slider = root.querySelector("#hl-least");
  const output = root.querySelector("#hl-least-value");
  const filter = slider.closest("label");
  select.addEventListener("change", () => {
    options.merge({ measure: select.value, sorted: select.value !== "none" && options.get().sorted, least: 0 });
  });
  sort.addEventListener("change", () => options.merge({ sorted: sort.checked }));
  slider.addEventListener("input", () => options.merge({ least: Number(slider.value) }));

  function draw() {
    const { measure, sorted: inOrder, least } = options.get();
    const offered = ["none", ...MEASURES].filter((one) => one !== "effect" || one === measure || effects.get() !== null);
    select.replaceChildren(...offered.map((one) => element("option", { value: one }, t(`measure.${one}`))));
    select.value = measure;
    sort.checked = inOrder;
    sort.disabled = measure === "none";
    slider.value = least;
    filter.hidden = measure === "none";
    output.textContent = measure === "none" || record.get() === null ? "" : leastText(measure, least);
    root.querySelector("#hl-defined").replaceChildren(...MEASURES.flatMap((one) => [
      element("dt", {}, t(`measure.${one}`)), element("dd", {}, t(`measure.${one}.means`)),
    ]));
  }
  for (const store of [options, effects, record, language]) store.watch(draw);
}

// The least value that keeps a head bright, in the measure's own unit.
function leastText(measure, least) {
  const values = [...measured(record.get(), measure).values()].map(({ value }) => value).filter((value) => value !== null);
  const whole = ["entropy", "effect"].includes(measure) ? Math.max(...values.map(Math.abs), 0) : 1;
  return `≥ ${((least / 100) * whole).toFixed(2)}`;
}
