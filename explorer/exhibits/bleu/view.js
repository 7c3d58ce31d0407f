// BLEU by hand: texts to type, their n-grams counted and clipped, and the causes of a lower score.

import { exhibit } from "../../../assets/kit/exhibit.js";
import { choice, local, menu } from "../../../assets/kit/fields.js";
import { formula } from "../../../assets/kit/formula.js";
import { listOf, orNull, text } from "../../../assets/kit/keep.js";
import { countText } from "../../../assets/kit/numbers.js";
import { marked } from "../../../assets/kit/sentence.js";
import { langOf } from "../../../assets/kit/token.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { lossOf } from "./counts.js";
import { picture } from "./picture.js";

/** @typedef {import("./counts.js").Found} Found */
/** @typedef {import("./counts.js").Gram} Gram */
/**
 * @template R
 * @typedef {import("../../../assets/kit/sheet.js").Sheet<R>} Sheet
 */

/**
 * Texts are the candidate and then its references; `draft` are those being typed. `order` is the
 * length of the n-grams on show, `gram` the chosen one, `way` how zeros are smoothed.
 * @typedef {import("../../../assets/kit/exhibit.js").Base & {preset: string, typed: string[],
 *   draft: string[]|null, order: string, gram: string|null, tokeniser: string, way: string,
 *   answer: Found|null}} Given
 *
 * With texts to score: the cause of a lower score, and the numbers of the sentences about it.
 * @typedef {Given & {found: Found, key: string,
 *   values: {n: number, match: number, score: string}}} Scored
 *
 * @typedef {Scored|(Given & {found: null, key?: undefined, values?: undefined})} Scene
 */

/** A line of the table of precisions: of `total` n-grams of length n, `match` count.
 * @typedef {{n: number, match: number, total: number, p: number}} Precision */

const FREE = "free"; // the visitor's own texts
const PAUSE = 300; // ms without typing before the texts are scored

/** The candidate and the references of each example; "own" is made from the page's texts.
 * @type {Record<string, string[]>} */
const PRESETS = {
  short: ["the cat is on", "the cat is on the mat"],
  own: [],
  repeated: ["the the the the the the the", "the cat is on the mat", "there is a cat on the mat"],
  order: ["on the mat is the cat", "the cat is on the mat"],
  chinese: ["我昨天在车站遇到了他。", "我昨天在车站见到了他。", "昨天我在车站遇见了他。"],
};

/** @type {import("../../../assets/kit/exhibit.js").View<Scene>} */
const VIEW = {
  name: "bleu",
  fields: ({ references, longest, tokenisers, ways, orders }) => ({
    preset: menu([...Object.keys(PRESETS), FREE], { first: "short" }),
    typed: textsField(references + 1, longest),
    draft: local(null), // the text being typed
    order: choice(orders.map(String), { first: "1" }),
    gram: { first: null, fits: orNull(text(longest)) },
    tokeniser: menu(["auto", ...tokenisers], { first: "auto" }),
    way: menu(ways, { first: "exp" }),
  }),
  ask(s) {
    const [candidate, ...references] = textsOf(s);
    const isScored = references.some((one) => one.trim() !== "");
    const { tokeniser, way } = s;
    return isScored ? ["bleu", { candidate, references, tokeniser, way }] : null;
  },
  scene: ({ answer }) => (answer ? { found: answer, ...told(answer) } : { found: null }),
  finding,
  nothing: ({ found, key }) => found !== null && key === "full",
  picture,
  controls: ["preset", "order"],
  adjust: ["typed", "tokeniser", "way"],
  numbers: (s) => (s.found === null ? [] : [gramSheet(s), precisionSheet(s)]),
  reading,
  files: ({ found }) => ({ json: () => found }),
};

export const { mount } = exhibit(VIEW);

/** The texts of the boxes: from a link, or from the example.
 * @param {Pick<Given, "preset"|"typed"|"record"|"page">} s */
function textsOf({ preset, typed, record, page }) {
  const own = preset === "own" ? ownTexts(record) : PRESETS[preset];
  const given = own ?? typed;
  return Array.from({ length: page.facts.references + 1 }, (_, i) => given[i] ?? "");
}

/** The translation on the page, with a different hypothesis in place of a human translation.
 * @param {Given["record"]} record */
function ownTexts({ hypotheses, shown }) {
  const { text: candidate } = hypotheses[shown];
  return [candidate, hypotheses.find((one) => one.text !== candidate)?.text ?? candidate];
}

/** What costs most, and what is left. @param {Scene} s */
function finding({ t, say, found, key, values }) {
  if (found === null) return t("empty");
  const { match, n, score } = values;
  const isUnmet = key === "order" && match === 0; // the score is not 0 where zeros are smoothed
  const given = { order: t(`called.${n}`), match: marked(`${match}`), score: marked(score) };
  return say(`loss.${isUnmet ? "unmet" : key}`, given);
}

/** The loss, and the numbers for the sentences about it. @param {Found} found */
function told(found) {
  const { key, n } = lossOf(found);
  return { key, values: { n, match: found.matches[n - 1], score: found.score.toFixed(2) } };
}

/** Boxes for the candidate and its references. Typed text is kept after a pause.
 * @param {number} count @param {number} longest letters of one
 * @returns {import("../../../assets/kit/fields.js").Field} */
function textsField(count, longest) {
  let pause = 0;
  const fits = listOf(text(longest), count);
  return {
    first: [],
    fits: (value) => fits(value) && [0, count].includes(value.length),
    control({ label, scene }) {
      const { t, set } = scene;
      const type = (/** @type {import("../../../assets/kit/types.js").Typed} */ { target }) => {
        const boxes = target.closest(".hl-bleu-boxes")?.querySelectorAll("textarea") ?? [];
        const typed = Array.from(boxes, ({ value }) => value);
        set({ draft: typed });
        clearTimeout(pause);
        pause = window.setTimeout(
          () => set({ preset: FREE, typed, draft: null, gram: null }),
          PAUSE,
        );
      };
      const box = (
        /** @type {string} */ one,
        /** @type {number} */ i,
      ) => html`<label class="hl-bleu-box">
        <span>${i === 0 ? t("candidate") : t("reference", { n: i })}</span>
        <textarea rows="1" maxlength=${longest} spellcheck="false" .value=${one}
          @input=${type}></textarea></label>`;
      return html`<div class="hl-bleu-boxes" role="group" aria-label=${label}>${(scene.draft ?? textsOf(scene)).map(box)}</div>`;
    },
  };
}

/** @param {Scored} s @returns {Sheet<Gram>} */
function gramSheet({ t, set, found, order, gram: chosen }) {
  const grams = found.grams[Number(order) - 1];
  const sum = (/** @type {"count"|"clipped"} */ name) =>
    grams.reduce((total, one) => total + one[name], 0);
  const isClipped = (/** @type {Gram} */ { count, most, clipped }) => most > 0 && clipped < count;
  return {
    name: t("order.n", { n: order }),
    file: "bleu-counts",
    class: "hl-bleu-counts",
    note: t("counts.note"),
    rows: grams,
    chosen: ({ gram }) => gram === chosen,
    onChoose: ({ gram }) => set({ gram: gram === chosen ? null : gram }),
    columns: {
      gram: {
        text: true,
        csv: ({ gram }) => gram,
        cell: ({ gram }) => html`<span lang=${langOf(gram)}>${gram}</span>`,
      },
      count: { cell: ({ count }) => count },
      most: { cell: ({ most }) => most },
      counts: {
        cell: (one) => (isClipped(one) ? t("clipped", one) : one.clipped),
        csv: ({ clipped }) => clipped,
      },
    },
    foot: [t("total", { n: order }), sum("count"), "", sum("clipped")],
  };
}

/** @param {Scored} s @returns {Sheet<Precision>} */
function precisionSheet(s) {
  const { t, page, found } = s;
  const { matches, totals, precisions } = found;
  return {
    name: t("precisions"),
    file: "bleu-precisions",
    rows: page.facts.orders.map((/** @type {number} */ n) => {
      return { n, match: matches[n - 1], total: totals[n - 1], p: precisions[n - 1] };
    }),
    columns: {
      n: { cell: ({ n }) => n },
      matches: { cell: ({ match, total }) => `${match} / ${total}`, csv: ({ match }) => match },
      precision: {
        cell: ({ n, p }) => html`<span data-precision=${n}>${p.toFixed(4)}</span>`,
        csv: ({ p }) => p,
      },
      note: { text: true, cell: (one) => noteOf(s, one) },
    },
  };
}

/** @param {Scored} s @param {Precision} precision */
function noteOf({ t, found: { orders, smoothing } }, { n, match, total, p }) {
  if (n > orders) return t("left_out");
  if (total === 0) return t("too_short");
  if (match > 0) return "";
  if (smoothing !== "exp" || p === 0) return t("no_match");
  return t("smoothed", { times: Math.round(1 / (p * total)), total });
}

/** From the precisions to the score, each step with its numbers, and the limits of one score.
 * @param {Scene} s */
function reading({ t, found, preset }) {
  if (found === null) return nothing;
  const { c, r, bp, mean, score, orders, precisions, tokeniser, scores } = found;
  const precise = (/** @type {number} */ value) => value.toFixed(4);
  const product = precisions.slice(0, orders).map(precise).join(" · ");
  const numbers = { c, r, bp: precise(bp), mean: precise(mean), product, orders };
  const side = c > r ? "long" : c === r ? "equal" : "short";
  const [greedy, beam] = [scores[0], scores.at(-1)].map((one) => one?.toFixed(2));
  const { name, sentences } = found.held_out;
  return html`<p>${t("bars")}</p>
    <p>${t(`penalty.${side}`, numbers)}</p>
    <p>${formula(t("mean.numbers", numbers))}</p>
    <p>${t("score", { ...numbers, score: score.toFixed(2) })}</p>
    <p>${t(preset === "own" ? "note.own" : "note.free", { tokeniser })}</p>
    ${
      scores.length > 0
        ? html`<p class="hl-bleu-card">${t("card", { greedy, beam, name, count: countText(sentences) })}</p>`
        : nothing
    }`;
}
