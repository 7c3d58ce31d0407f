// The outputs of greedy, beam search, sampling and beam sampling for the same sentence, and of a
// second model if the server offers one.

import { button } from "../../../assets/kit/choice.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { local } from "../../../assets/kit/fields.js";
import { number, orNull, text, whole } from "../../../assets/kit/keep.js";
import { isAlone } from "../../../assets/kit/languages.js";
import { phrase } from "../../../assets/kit/sentence.js";
import { slider } from "../../../assets/kit/slider.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { ends, engine, NAMES } from "./engine.js";
import {
  chooseHead,
  chooseKind,
  chooseModel,
  modelFiles,
  modelFinding,
  modelPicture,
  modelSheet,
  modelsOf,
  othersOf,
} from "./models.js";
import { lanes, methodSheet, outcomesOf, seedSheet } from "./outcomes.js";

/** @typedef {import("./models.js").Offered} Offered */
/** @typedef {import("./outcomes.js").Outcome} Outcome */

/**
 * `draws`: the first seeds of what was drawn, and with what; `other`: the second model, and of it a
 * layer and a head.
 * @typedef {import("../../../assets/kit/exhibit.js").Base & ReturnType<typeof engine>
 *   & import("./engine.js").Kept & {draws: {about: string, seeds: number[]}, other: string|null,
 *   layer: number, head: number}} Given
 *
 * Methods side by side, see `outcomesOf`.
 * @typedef {Given & {offered: Offered[], models: null} & ReturnType<typeof outcomesOf>} Compared
 *
 * Two models side by side.
 * @typedef {Given & {offered: Offered[], models: import("./models.js").Models}} Paired
 *
 * @typedef {Compared|Paired} Scene
 */

const MAX_SEED = 100; // the end of its slider; a larger value may be typed
const PLACE = whole(0, 63); // of a layer or a head

// Letters of a text in the finding: fewer where each can be a word.
const LONGEST = { alone: 14, spaced: 32 };

/** @type {import("../../../assets/kit/exhibit.js").View<Scene>} */
const VIEW = {
  name: "compare",
  fields: (_, { shared: { ranges } }) => ({
    own: { first: null, fits: orNull(drawingFits(ranges)) }, // null: as the page draws
    typing: local(null), // the settings while a slider is dragged: asked after a pause
    draws: local({ about: "", seeds: [] }), // the first seeds of what was drawn, and with what
    other: { first: null, fits: orNull(text(100)) }, // the other model
    layer: { first: 0, fits: PLACE }, // of its head
    head: { first: 0, fits: PLACE },
  }),
  ends,
  engine,
  scene,
  finding: (s) => (s.models ? modelFinding(s) : finding(s)),
  nothing: (s) => !s.models && s.last !== null && s.drawn.found.length === 0 && isAlike(s.last),
  picture: (s, size) => (s.models ? modelPicture(s, size) : lanes(s)),
  controls: [
    (s) => (s.models ? chooseModel(s) : slide(s, "temperature")),
    (s) => (s.models ? chooseHead(s, "layer") : drawButton(s)),
    (s) => (s.models ? chooseHead(s, "head") : nothing),
  ],
  adjust: [(s) => (s.models ? chooseKind(s) : others(s))],
  numbers: (s) => (s.models ? modelSheet(s) : [...methodSheet(s), ...seedSheet(s)]),
  reading: ({ t, models }) =>
    models
      ? html`<p>${t("models.note")}</p>`
      : html`<p>${t("differs")}</p><p>${t("bars")}</p><p>${t("notes")}</p>`,
  files: (s) =>
    s.models
      ? modelFiles(s)
      : { svg: null, json: () => s.last && { methods: s.last.found, seeds: s.drawn.found } },
};

export const { mount } = exhibit(VIEW);

/** Whether a link's settings of drawing are in their ranges.
 * @param {import("../../../assets/kit/types.js").Shared["ranges"]} ranges
 * @returns {(value: Partial<import("./engine.js").Drawing>|null) => boolean} */
const drawingFits = (ranges) => (value) =>
  NAMES.every((name) => number(...ranges[name])(value?.[name]));

/** @param {Given} s */
function scene(s) {
  const offered = othersOf(s);
  const models = modelsOf(s, offered);
  return models === null ? { offered, models, ...outcomesOf(s) } : { offered, models };
}

// One more space is not another translation.
const wordsOf = (/** @type {Outcome} */ one) => one.text.trim().replace(/\s+/gu, " ");

const textsOf = (/** @type {Outcome[]} */ all) => new Set(all.map(wordsOf));

const isAlike = (/** @type {import("./engine.js").Comparison} */ { found }) =>
  textsOf(found).size === 1;

/** Which methods write the same; after a draw, what the seeds wrote. @param {Compared} s */
function finding(s) {
  const { t, say, last, drawn } = s;
  if (last === null) return "…";
  if (drawn.found.length > 0) {
    const beam = last.found.find(({ method }) => method === "beam");
    const isThere = drawn.found.some((one) => beam && wordsOf(one) === wordsOf(beam));
    const values = { n: drawn.found.length, m: textsOf(drawn.found).size };
    return t(isThere ? "finding.seeds.found" : "finding.seeds.missing", values);
  }
  const groups = [...textsOf(last.found)].map((text) =>
    last.found.filter((one) => wordsOf(one) === text).map(({ method }) => method),
  );
  const [same] = groups.sort((one, other) => other.length - one.length);
  if (same.length === last.found.length) return t("finding.same");
  if (same.length === 1) return allDiffer(s, last.found);
  const [agreed, other] = [true, false].map(
    (isSame) =>
      /** @type {import("./outcomes.js").OfMethod} */ (
        last.found.find(({ method }) => same.includes(method) === isSame)
      ),
  );
  const named = listed(s, same);
  const who = {
    same: named.charAt(0).toUpperCase() + named.slice(1),
    other: listed(s, [other.method]),
  };
  if (wordsOf(agreed).startsWith(wordsOf(other))) return say("finding.shorter", who);
  return say("finding.other", { ...who, text: phrase(newIn(wordsOf(other), wordsOf(agreed))) });
}

/** What greedy decoding writes where beam search writes otherwise.
 * @param {Compared} s @param {import("./outcomes.js").OfMethod[]} found */
function allDiffer({ say }, found) {
  const [greedy, beam] = ["greedy", "beam"].map(
    (name) => found.find(({ method }) => method === name)?.text ?? "",
  );
  if (beam.startsWith(greedy)) return say("finding.different.shorter");
  return say("finding.different", { text: phrase(newIn(greedy, beam)) });
}

/** A text from where it leaves another, as far as it is said in a breath.
 * @param {string} text @param {string} other */
function newIn(text, other) {
  const [letters, its] = [[...text], [...other]];
  const at = letters.findIndex((letter, i) => letter !== its[i]);
  const from = letters.some(isAlone) ? at : letters.slice(0, at).lastIndexOf(" ") + 1;
  const rest = letters.slice(from, from + (letters.some(isAlone) ? LONGEST.alone : LONGEST.spaced));
  const isWhole = from + rest.length === letters.length;
  const end = isWhole ? rest.join("") : `${rest.join("").replace(/\s+\S*$/u, "")}…`;
  return from === 0 ? end : `…${end}`;
}

/** "greedy, beam search and sampling". @param {Compared} s @param {string[]} methods */
function listed({ t, page }, methods) {
  const names = methods.map((one) => page.t(`settings.method.${one}`));
  if (names.length === 1) return names[0];
  return t("and", { first: names.slice(0, -1).join(t("comma")), last: names.at(-1) });
}

/** One of the sliders that both kinds of sampling use.
 * @param {Compared} s @param {(typeof NAMES)[number]} name */
const slide = ({ sliders, settings, record }, name) =>
  sliders(settings, record.model.vocabulary)[NAMES.indexOf(name)];

const others = (/** @type {Compared} */ s) => [
  slide(s, "top_k"),
  slide(s, "top_p"),
  seed(s),
  chooseModel(s),
];

function seed(/** @type {Compared} */ { page: { t, shared }, settings, adjust }) {
  const [min, limit] = shared.ranges.seed;
  return slider({
    class: "hl-compare-seed",
    label: t("settings.seed"),
    title: t("settings.seed.hint"),
    min,
    max: MAX_SEED,
    limit,
    value: settings.seed,
    onInput: (value) => adjust({ seed: value }),
  });
}

/** Sampling with further seeds, more at each press. @param {Compared} s */
function drawButton({ t, page: { facts }, asked, drawn, set }) {
  const many = 2 ** 32;
  const { about, seeds, open } = drawn;
  const next = (asked.seed + seeds.length * facts.draws) % many;
  const last = (next + facts.draws - 1) % many;
  return button({
    class: "hl-compare-draw",
    label: t(seeds.length > 0 ? "more" : "draw", { n: facts.draws, from: next, to: last }),
    disabled: open !== undefined,
    onClick: () => set({ draws: { about, seeds: [...seeds, next] } }),
  });
}
