// The stages in their order, with what each leaves, and the distribution in a few numbers.

import { element } from "../elements.js";
import { t } from "../words.js";

const STAGES = ["model", "temperature", "k", "p", "done"];
const MEASURES = ["nats", "bits", "effective", "own_mass"];

const whole = (count) => count.toLocaleString("en");
const sized = (value) => (value >= 1000 ? whole(Math.round(value)) : value.toPrecision(4));
const off = (value, none) => (value === none ? t("sampling.off") : String(value));

// What every stage leaves: {stage: {left, cut, mass}}; mass is of what the temperature made.
export function stagesOf({ counts, sums }) {
  const { all, k, p } = counts;
  return {
    model: { left: all, cut: 0, mass: 1 },
    temperature: { left: all, cut: 0, mass: 1 },
    k: { left: k, cut: all - k, mass: sums.k / sums.all },
    p: { left: p, cut: k - p, mass: sums.p / sums.all },
    done: { left: p, cut: 0, mass: 1 },
  };
}

// {measure: [the model's own, now]}
export function measuresOf({ own, shares }, shape) {
  let mass = 0;
  for (let rank = 0; rank < shape.counts.p; rank += 1) mass += shares[rank];
  return {
    nats: [own.entropy, shape.entropy],
    bits: [own.entropy / Math.LN2, shape.entropy / Math.LN2],
    effective: [Math.exp(own.entropy), Math.exp(shape.entropy)],
    own_mass: [1, mass],
  };
}

export function createNumbers(stages, measures) {
  let stageRows = {};
  let measureRows = {};

  // The words, anew in the language of now.
  function build() {
    stageRows = Object.fromEntries(STAGES.map((stage) => [stage, line(3, swatch(stage))]));
    const heads = ["stage", "left", "cut", "mass"].map((name) => t(`sampling.${name}`));
    stages.replaceChildren(caption(t("sampling.stages")), head(heads), body(stageRows));
    measureRows = Object.fromEntries(MEASURES.map((name) => [name, line(2)]));
    for (const name of ["effective", "own_mass"]) measureRows[name].row.title = t(`sampling.${name}.hint`);
    for (const name of MEASURES) measureRows[name].name.textContent = t(`sampling.${name}`);
    const columns = ["number", "before", "now"].map((name) => t(`sampling.${name}`));
    measures.replaceChildren(caption(t("sampling.numbers")), head(columns), body(measureRows));
  }

  function draw(found, shape, settings) {
    const values = { temperature: settings.temperature, k: off(settings.top_k, 0), p: off(settings.top_p, 1) };
    for (const [stage, { left, cut, mass }] of Object.entries(stagesOf(shape))) {
      const { name, cells } = stageRows[stage];
      put(name, t(`sampling.stage.${stage}`, { value: values[stage] }));
      put(cells[0], whole(left));
      put(cells[1], cut === 0 ? "" : `−${whole(cut)}`);
      put(cells[2], shareText(mass));
    }
    for (const [name, pair] of Object.entries(measuresOf(found, shape))) {
      const text = name === "own_mass" ? shareText : sized;
      pair.forEach((value, i) => put(measureRows[name].cells[i], text(value)));
    }
  }

  return { build, draw };
}

// The pattern of what a stage cuts, as in the curve.
const swatch = (stage) => element("i", { class: `hl-sampling-swatch hl-sampling-is-${stage}` });

function line(count, ...before) {
  const name = element("span");
  const cells = Array.from({ length: count }, () => element("td"));
  return { row: element("tr", {}, element("th", { scope: "row" }, ...before, name), ...cells), name, cells };
}

const caption = (text) => element("caption", { class: "hl-unseen" }, text);
const head = (names) =>
  element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name))));
const body = (rows) => element("tbody", {}, ...Object.values(rows).map(({ row }) => row));

// A share as a percentage, with two digits below a thousandth: "95.8 %", "0.028 %".
export function shareText(share) {
  const percent = share * 100;
  if (percent === 0 || percent >= 0.0995) return `${percent.toFixed(1)} %`;
  return percent < 0.001 ? "<0.001 %" : `${percent.toFixed(percent < 0.00995 ? 4 : 3)} %`;
}

export function put(place, text) {
  if (place.textContent !== text) place.textContent = text;
}
