// Positions: five views of the same table of sinusoids, and one of what a model has instead.

import { button, choice as radios } from "../../../assets/kit/choice.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { index, menu, range } from "../../../assets/kit/fields.js";
import { formula } from "../../../assets/kit/formula.js";
import { listOf, oneOf, orNull, whole } from "../../../assets/kit/keep.js";
import { countText, signedText } from "../../../assets/kit/numbers.js";
import { marked } from "../../../assets/kit/sentence.js";
import { pairs, partOf, rate, wavelength } from "../../../assets/kit/sinusoids.js";
import { slider } from "../../../assets/kit/slider.js";
import { tellingWords } from "../../../assets/kit/telling.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { distanceRows, distanceView, dotProduct } from "./distance.js";
import { ownFinding, ownReading, ownRows, ownView, placeOf } from "./own.js";
import { rotationReading, rotationView } from "./rotation.js";
import { decodeSums, sumFinding, sumReading, sumRows, sumView } from "./sum.js";
import { formulaText, tableRows, tableView } from "./table.js";
import { lengthSheet, otherBoxes, wavesView } from "./waves.js";

const BASES = [10, 100, 1000, 10_000, 100_000];
const MAX_LENGTH = 256;
const MAX_SIZE = 512;
const OWN = { size: null, base: null, layout: null }; // the model's
const VIEWS = ["table", "waves", "distance", "rotation", "sum", "own"];
const OF_MODEL = ["sum", "own"]; // show the model's own numbers; the others follow the formula
const MOST = { heads: 127, layers: 63 };
const OPENING = 20; // positions at the start, whose waves can be told apart
/**
 * The controls of each view: the first visible, the others, which the picture also sets, folded.
 */
const SLIDERS = {
  table: ["position", "dimension"],
  waves: ["dimension"],
  distance: ["k"],
  rotation: ["k", "position", "dimension"],
  sum: ["dimension"],
  own: ["k"],
};

/** Values that may differ from the model's: null means the model's. */
const own = (fits) => ({ first: null, fits: orNull(fits) });

/** Answered in a saved file. */
export const questions = () => [{ question: "positions", args: {} }];

export const { mount } = exhibit({
  name: "positions",
  fields: ({ layouts, reach }) => ({
    view: menu(VIEWS, { first: null, quiet: true, usual: ({ shown = "table" }) => shown }),
    length: range(8, MAX_LENGTH, { first: 64 }),
    size: own((value) => whole(4, MAX_SIZE)(value) && value % 2 === 0),
    base: own(oneOf(BASES)),
    layout: own(oneOf(layouts)),
    position: index(
      null,
      MAX_LENGTH - 1,
      ({ length }) => length,
      ({ position }) => position ?? 0,
    ),
    dimension: range(0, 65_535, { first: 40, most: ({ shape }) => (shape?.size ?? 1) - 1 }),
    k: range(0, reach, { first: 5 }),
    others: { first: [0, 85, 170], fits: listOf(whole(0, 65_535), 3, 3) },
    side: { first: "source", fits: oneOf(["source", "target"]) },
    head: index(
      null,
      MOST.heads,
      ({ own, side }) => own?.heads?.[side] ?? 1,
      ({ place }) => place.head,
    ),
    layer: index(
      null,
      MOST.layers,
      ({ own, side }) => own?.layers?.[side] ?? 1,
      ({ place }) => place.layer,
    ),
  }),
  engine: () => ({ held: { end: null } }), // the dragged one of the circle's two points
  // Which picture comes first depends on the model; the recorded example is of one with waves.
  ask: ({ view, record }) =>
    OF_MODEL.includes(view) || (view === null && !record.recorded) ? ["positions", {}] : null,
  prepare: (reply) => decodeSums(reply),
  scene({ answer, ask, page, record, view, side, head, layer, ...chosen }) {
    const { size, base, layout, position, dimension, length, k } = chosen;
    const asked = answer ?? ask("positions", {}).value;
    const usual = { size: 256, base: page.facts.base, layout: page.facts.layouts[0] };
    const model = asked?.shape ?? usual; // until the model's is known
    const shape = {
      size: size ?? model.size,
      base: base ?? model.base,
      layout: layout ?? model.layout,
    };
    const own = asked?.own ?? null;
    return {
      position: Math.min(position ?? openingOf(record), length - 1),
      farthest: page.facts.reach,
      shape,
      dimension: Math.min(dimension, shape.size - 1),
      k,
      foreign: asked?.foreign ?? null, // it has other positions than the waves drawn
      shown: view ?? (own ? "own" : "table"),
      own,
      place: own?.kind === "distance" ? placeOf({ own, record, side, head, layer }) : null,
    };
  },
  finding: (s) =>
    s.foreign && !OF_MODEL.includes(s.shown) ? s.t(s.foreign) : FINDINGS[s.shown](s),
  picture: (s, size) => PICTURES[s.shown](s, size),
  controls: [
    "view",
    (s) => SLIDERS[s.shown]?.[0] ?? nothing,
    (s) => (s.shown === "own" && s.place ? "head" : nothing),
  ],
  adjust: [
    (s) => (OF_MODEL.includes(s.shown) ? nothing : "length"),
    (s) => SLIDERS[s.shown]?.[1] ?? nothing,
    (s) => SLIDERS[s.shown]?.[2] ?? nothing,
    (s) => (OF_MODEL.includes(s.shown) || !s.shape ? nothing : shapeOf(s)),
    (s) => (s.shown === "waves" && s.shape ? otherBoxes(s) : nothing),
    (s) => (s.shown === "own" && s.own ? sideOf(s) : nothing),
    (s) => (s.shown === "own" && s.place && s.own.layers[s.side] > 1 ? "layer" : nothing),
  ],
  numbers: (s) => (s.shown === "own" ? [] : [lengthSheet(s)]),
  reading: (s) => html`${READINGS[s.shown](s)}<p>${s.t("counted")}</p>`,
  files: (s) => (s.shown === "sum" ? FILES.sum(s) : { ...FILES[s.shown](s), of: "" }),
});

/** The place of the last word that means something by itself, within the positions in which the
 * waves already differ. @param {import("../../../assets/kit/types.js").Rec} record */
const openingOf = ({ src }) => tellingWords(src).findLast((place) => place <= OPENING) ?? 0;

/** Which of the two stacks. */
const sideOf = ({ t, page, side, set }) =>
  radios({
    label: t("own.side"),
    value: side,
    name: "hl-positions-side",
    class: "hl-positions-side",
    options: ["source", "target"].map((value) => ({ value, label: page.t(`strip.${value}`) })),
    onChange: (value) => set({ side: value }),
  });

const PICTURES = {
  table: tableView,
  waves: wavesView,
  distance: distanceView,
  rotation: rotationView,
  sum: sumView,
  own: ownView,
};

/** The angle of k steps in the pair of the chosen dimension. */
function turnOf({ k, dimension, shape }) {
  const { pair } = partOf(dimension, shape);
  return { pair, degrees: ((k * rate(pair, shape) * 180) / Math.PI).toFixed(1) };
}

const FINDINGS = {
  table({ say, position, record: { src } }) {
    const place = marked(`${position + 1}`);
    if (position >= src.length) return say("finding.table", { position: place });
    return say("finding.table.word", { position: place, token: src[position] });
  },
  waves: ({ say, dimension, shape }) =>
    say("finding.waves", {
      turn: marked(wavelength(partOf(dimension, shape).pair, shape).toFixed(1)),
      longest: countText(Math.round(wavelength(pairs(shape) - 1, shape))),
    }),
  distance: (s) =>
    s.say("finding.distance", { k: s.k, value: marked(signedText(dotProduct(s), 2)) }),
  rotation: (s) => s.t("finding.rotation", { k: s.k, degrees: turnOf(s).degrees }),
  sum: sumFinding,
  own: ownFinding,
};

const READINGS = {
  table: (s) => html`<p>${s.t("table.axes")}</p><p>${formula(formulaText(s))}</p>
    <p>${s.t("binary.note", tableRows.bits(s))}</p>`,
  waves: ({ t }) => html`<p>${t("waves.lengths")}</p>`,
  distance: (s) => distanceRows.reading(s),
  rotation: rotationReading,
  sum: sumReading,
  own: ownReading,
};

const FILES = {
  table: (s) => tableRows.files(s),
  waves: () => ({}),
  distance: (s) => distanceRows.files(s),
  rotation: () => ({}),
  sum: (s) => ({ svg: null, csv: () => sumRows(s) }),
  own: (s) => (s.own ? { csv: () => ownRows(s) } : { svg: null }),
};

/** The shape of the table: the model's, until changed. */
function shapeOf({ t, set, page, shape }) {
  return html`
    ${slider({
      label: t("size"),
      class: "hl-positions-size",
      min: 4,
      max: MAX_SIZE,
      step: 2,
      value: shape.size,
      onInput: (size) => set({ size }),
    })}
    ${slider({
      label: t("base"),
      class: "hl-positions-base",
      min: 0,
      max: BASES.length - 1,
      value: BASES.indexOf(shape.base),
      text: (i) => countText(BASES[i]),
      typed: false,
      onInput: (i) => set({ base: BASES[i] }),
    })}
    ${page.facts.layouts.map((value) =>
      button({
        label: t(`layout.${value}`),
        class: `hl-positions-${value}`,
        pressed: shape.layout === value,
        onClick: () => set({ layout: value }),
      }),
    )}
    ${button({ label: t("reset"), onClick: () => set(OWN) })}`;
}
