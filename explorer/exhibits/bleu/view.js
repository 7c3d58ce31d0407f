// BLEU by hand: texts to type, their n-grams counted and clipped, and the causes of a lower score.

import { exhibit } from "../../../assets/kit/exhibit.js";
import { choice, local, menu } from "../../../assets/kit/fields.js";
import { formula } from "../../../assets/kit/formula.js";
import { listOf, orNull, text } from "../../../assets/kit/keep.js";
import { countText } from "../../../assets/kit/numbers.js";
import { langOf } from "../../../assets/kit/token.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { lossOf } from "./counts.js";
import { picture } from "./picture.js";

const FREE = "free"; // the visitor's own texts
const PAUSE = 300; // ms without typing before the texts are scored

// The candidate and the references of each example; "own" is made from the page's texts.
const PRESETS = {
  short: ["the cat is on", "the cat is on the mat"],
  own: [],
  repeated: ["the the the the the the the", "the cat is on the mat", "there is a cat on the mat"],
  order: ["on the mat is the cat", "the cat is on the mat"],
  chinese: ["我昨天在车站遇到了他。", "我昨天在车站见到了他。", "昨天我在车站遇见了他。"],
};

export const { mount } = exhibit({
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
  scene: (s) => ({ found: s.answer, ...(s.answer && told(s.answer)) }),
  finding: ({ t, found, key, values }) => t(found === null ? "empty" : `loss.${key}`, values),
  nothing: ({ found, key }) => found !== null && key === "full",
  picture,
  controls: ["preset", "order"],
  adjust: ["typed", "tokeniser", "way"],
  numbers: (s) => (s.found === null ? [] : [gramSheet(s), precisionSheet(s)]),
  reading,
  files: ({ found }) => ({ json: () => found }),
});

/** The texts of the boxes: from a link, or from the example. */
function textsOf({ preset, typed, record, page }) {
  const own = preset === "own" ? ownTexts(record) : PRESETS[preset];
  const given = own ?? typed;
  return Array.from({ length: page.facts.references + 1 }, (_, i) => given[i] ?? "");
}

/** The translation on the page, with a different hypothesis in place of a human translation. */
function ownTexts({ hypotheses, shown }) {
  const { text: candidate } = hypotheses[shown];
  return [candidate, hypotheses.find((one) => one.text !== candidate)?.text ?? candidate];
}

/** The loss, and the numbers for the sentences about it. */
function told(found) {
  const { key, n } = lossOf(found);
  const { c, r, score, matches, totals } = found;
  const counts = { match: matches[n - 1], total: totals[n - 1] };
  return { key, values: { n, c, r, ...counts, score: score.toFixed(2) } };
}

/** Boxes for the candidate and its references. Typed text is kept after a pause. */
function textsField(count, longest) {
  let pause = 0;
  const fits = listOf(text(longest), count);
  return {
    first: [],
    fits: (value) => fits(value) && [0, count].includes(value.length),
    control({ label, scene }) {
      const { t, set } = scene;
      const type = (event) => {
        const boxes = [...event.target.closest(".hl-bleu-boxes").querySelectorAll("textarea")];
        const typed = boxes.map(({ value }) => value);
        set({ draft: typed });
        clearTimeout(pause);
        pause = setTimeout(() => set({ preset: FREE, typed, draft: null, gram: null }), PAUSE);
      };
      const box = (one, i) => html`<label class="hl-bleu-box">
        <span>${i === 0 ? t("candidate") : t("reference", { n: i })}</span>
        <textarea rows="1" maxlength=${longest} spellcheck="false" .value=${one}
          @input=${type}></textarea></label>`;
      return html`<div class="hl-bleu-boxes" role="group" aria-label=${label}>${(scene.draft ?? textsOf(scene)).map(box)}</div>`;
    },
  };
}

function gramSheet({ t, set, found, order, gram: chosen }) {
  const grams = found.grams[order - 1];
  const sum = (name) => grams.reduce((total, one) => total + one[name], 0);
  const isClipped = ({ count, most, clipped }) => most > 0 && clipped < count;
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

function precisionSheet(s) {
  const { t, page, found } = s;
  const row = (n) => ({ n, match: found.matches[n - 1], total: found.totals[n - 1] });
  return {
    name: t("precisions"),
    file: "bleu-precisions",
    rows: page.facts.orders.map((n) => ({ ...row(n), p: found.precisions[n - 1] })),
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

function noteOf({ t, found: { orders, smoothing } }, { n, match, total, p }) {
  if (n > orders) return t("left_out");
  if (total === 0) return t("too_short");
  if (match > 0) return "";
  if (smoothing !== "exp" || p === 0) return t("no_match");
  return t("smoothed", { times: Math.round(1 / (p * total)), total });
}

/** From the precisions to the score, each step with its numbers, and the limits of one score. */
function reading({ t, found, preset }) {
  if (found === null) return nothing;
  const { c, r, bp, mean, score, orders, precisions, tokeniser, scores } = found;
  const precise = (value) => value.toFixed(4);
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
