// The output of each method and each seed: one lane each, with its tokens and its probability. A
// button shows a lane's search on the whole page.

import { tokenChanges } from "../../../assets/kit/differences.js";
import { glossMark } from "../../../assets/kit/gloss.js";
import { durationText, percentText, signedText } from "../../../assets/kit/numbers.js";
import { lineUnder } from "../../../assets/kit/readersline.js";
import { inTurns, pending } from "../../../assets/kit/request.js";
import { best } from "../../../assets/kit/requests.js";
import { table } from "../../../assets/kit/table.js";
import { langOf } from "../../../assets/kit/token.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { drawingOf, isDrawing, keyOf } from "./engine.js";

/** @typedef {import("./engine.js").Drawing} Drawing */
/** @typedef {import("./engine.js").Comparison} Comparison */
/** @typedef {import("./view.js").Compared} Compared */
/** @typedef {import("../../../assets/kit/types.js").Rec} Rec */
/** @typedef {import("../../../assets/kit/types.js").Label} Label */
/**
 * @template R
 * @typedef {import("../../../assets/kit/sheet.js").Sheet<R>} Sheet
 */

/**
 * The best hypothesis of a search beside that of beam search: `other` tokens are not in that one, and
 * before those at `gaps` it has more. What it cost: steps, prefixes read, candidates.
 * @typedef {{text: string, tokens: (Pick<Label, "text"|"kind"|"joined"|"gloss"> & {other: boolean})[],
 *   gaps: number[], log_prob: number, score: number, length: number, finished: boolean,
 *   steps: number, prefixes: number, candidates: number}} Outcome
 *
 * By a method; `seconds` come later. @typedef {Outcome & {method: string, seconds: number|null}}
 *   OfMethod
 *
 * Drawn with a seed. @typedef {Outcome & {seed: number}} OfSeed
 */

const ORDER = ["beam", "greedy", "sampling", "beam_sampling"]; // all are compared with the first
const METHODS = ["greedy", "beam", "sampling", "beam_sampling"];
const NEAR = 1e-6; // scores nearer than this count as equal: the last digits depend on the batch

/** The request of a record with other settings. @param {Rec} record
 * @param {Partial<Rec["settings"]>} changes */
const under = (record, changes) => best(record, { settings: { ...record.settings, ...changes } });

/** The newest comparison, and the texts drawn with further seeds.
 * @param {import("./view.js").Given} s */
export function outcomesOf(s) {
  const { page, record, own, typing, draws, ask, subjectOf, kept, newest } = s;
  const asked = own ?? drawingOf(record);
  const subject = subjectOf(record);
  const search = (/** @type {Partial<Rec["settings"]>} */ settings) =>
    ask(
      "record",
      {},
      kept(subject, settings, () => under(subject, settings)),
    );
  const drawing = (/** @type {string} */ method) => (method.endsWith("sampling") ? asked : {});
  const answers = ORDER.map((method) => search({ ...drawing(method), method }));
  const open = answers.find(({ value }) => value === null) ?? null;
  const records = answers.map(({ value }) => value);
  const now = open === null ? { found: timed(records, timesOf(s, subject, asked)), asked } : null;
  const about = JSON.stringify([keyOf(record), asked]);
  const seeds = draws.about === about ? draws.seeds : [];
  const drawn = seeds
    .flatMap((first) => Array.from({ length: page.facts.draws }, (_, i) => (first + i) % 2 ** 32))
    .map((seed) => ({ seed, answer: search({ ...asked, method: "sampling", seed }) }));
  return {
    asked,
    settings: typing ?? asked,
    open,
    isStale: open !== null || typing !== null,
    last: newest(now),
    drawn: {
      about,
      seeds,
      found: drawn.flatMap(({ seed, answer: { value } }) =>
        value && open === null ? [{ seed, ...outcomeOf(value, records[0]) }] : [],
      ),
      open: drawn.find(({ answer }) => answer.value === null)?.answer,
    },
  };
}

/** The seconds of a search by each method that are there, in their order.
 * @param {import("./view.js").Given} s @param {Rec} subject @param {Drawing} asked
 * @returns {number[]} */
const timesOf = ({ ask }, subject, asked) =>
  inTurns((about, one) => ask("times", one, about), subject, asked).values.flatMap(
    ({ seconds }) => seconds,
  );

/** The outcomes in the order of their lanes, with the times that are there.
 * @param {Rec[]} records @param {number[]} seconds @returns {OfMethod[]} */
function timed(records, seconds) {
  const rows = records.map((record, i) => ({
    ...outcomeOf(record, records[0]),
    method: ORDER[i],
    seconds: seconds[i] ?? null,
  }));
  return METHODS.flatMap((method) => rows.filter((row) => row.method === method));
}

/** The best of a search beside that of beam search. @param {Rec} record @param {Rec} beam
 * @returns {Outcome} */
function outcomeOf({ hypotheses: [best], search: { steps }, tgt_out: written }, beam) {
  const ids = (/** @type {Label[]} */ labels) => labels.map(({ id }) => id);
  const { isNew, gaps } = tokenChanges(ids(written), ids(beam.tgt_out));
  const kept = steps.map(({ fates }) => fates.filter((fate) => fate === "kept").length);
  const sum = (/** @type {number[]} */ all) => all.reduce((a, b) => a + b, 0);
  return {
    ...best,
    tokens: written.map((label, i) => ({ ...label, other: isNew[i] })),
    gaps,
    steps: steps.length,
    prefixes: 1 + sum(kept),
    candidates: sum(steps.map(({ count }) => count)),
  };
}

/** Those with the highest score. @param {OfMethod[]} found */
function bestOf(found) {
  const best = Math.max(...found.map(({ score }) => score));
  return found.filter(({ score }) => score > best - NEAR);
}

/** A lane for each method and each seed. @param {Compared} s */
export function lanes(s) {
  const { t, page, open, last, drawn, isStale } = s;
  if (last === null) return open && pending(page, open);
  const best = bestOf(last.found);
  const columns = ["method", "text", "each", "score"];
  const rows = last.found.map((one) =>
    lane(s, one, {
      name: page.t(`settings.method.${one.method}`),
      settings: { ...last.asked, method: one.method },
      isBest: best.includes(one),
      own: `hl-compare-${one.method}`,
    }),
  );
  const seeds = drawn.found.map((one) =>
    lane(s, one, {
      name: `${t("seed")} ${one.seed}`,
      settings: { ...s.asked, method: "sampling", seed: one.seed },
      isBest: false,
      own: "hl-compare-drawn",
    }),
  );
  return html`<div class="hl-compare-methods hl-scrolls" ?data-stale=${isStale}>
    ${open?.error ? pending(page, open) : nothing}
    ${table({
      label: page.t("compare.method"),
      class: "hl-compare-table",
      columns: columns.map((key, i) => ({ name: t(key), text: i < 2 })),
      rows: [...rows, ...seeds],
    })}
    ${drawn.open ? pending(page, drawn.open) : nothing}
  </div>`;
}

/** One outcome; its button requests the search with its settings for the page.
 * @param {Compared} s @param {Outcome} one
 * @param {{name: string, settings: object, isBest: boolean, own: string}} given */
function lane({ t, page, record }, one, { name, settings: changes, isBest, own }) {
  const settings = { ...record.settings, ...changes };
  const isHere = isOnPage(record, settings);
  const show = () => page.explain({ settings, shown: 0, node: null });
  const each = Math.exp(one.log_prob / one.length);
  return {
    chosen: isHere,
    class: own,
    cells: [
      html`<button type="button" title=${t("show")} aria-pressed=${String(isHere)}
        @click=${show}>${name}</button>`,
      html`<span class="hl-compare-text" lang=${langOf(one.text)}>${tokens(one)}</span>
        ${one.finished ? nothing : html`<small>${t("cut")}</small>`}${lineUnder(page, one.text)}`,
      html`<div class="hl-compare-each"><div class="hl-bar-track"><i
        style="width:${(each * 100).toFixed(2)}%"></i></div>${percentText(each)}</div>`,
      isBest
        ? html`<b class="hl-best" title=${t("best")}>${signedText(one.score)}</b>`
        : signedText(one.score),
    ],
  };
}

/**
 * True if the page shows the best translation of a search with these settings; those of drawing
 * count only if it draws.
 * @param {Rec} record @param {Rec["settings"]} settings
 */
function isOnPage(record, settings) {
  const counts = (/** @type {string} */ key) =>
    !isDrawing(key) || settings.method.endsWith("sampling");
  const isSame = Object.entries(settings).every(
    ([key, value]) => !counts(key) || record.settings[key] === value,
  );
  return record.shown === 0 && record.node === null && isSame;
}

/** @typedef {Sheet<Outcome>["columns"][string]} Column */

const gap = html`<span class="hl-compare-gap">∧</span>`;

const tokens = (/** @type {Outcome} */ { tokens: all, gaps }) => [
  ...all.map((label, i) => {
    const { text, kind, joined, other } = label;
    const marks = `${joined ? "hl-joined" : ""} ${other ? "hl-other" : ""}`;
    return html`${gaps.includes(i) ? gap : nothing}<span data-gloss=${glossMark(label)}
      class="hl-compare-token hl-${kind} ${marks}"><span>${text}</span></span>`;
  }),
  gaps.includes(all.length) ? gap : nothing,
];

/** @param {"text"|"length"|"steps"|"prefixes"|"candidates"} key @returns {Column} */
const plain = (key) => ({ cell: (one) => one[key] });
/** @param {"log_prob"|"score"} key @returns {Column} */
const signed = (key) => ({
  cell: (one) => signedText(one[key], 4),
  csv: (one) => one[key],
});
const OUTCOME = {
  text: { text: true, ...plain("text") },
  log_prob: signed("log_prob"),
  score: signed("score"),
  length: plain("length"),
};

/** The four methods in numbers. @param {Compared} s @returns {Sheet<OfMethod>[]} */
export function methodSheet({ t, page, last }) {
  if (last === null) return [];
  return [
    {
      name: t("method"),
      file: "compare-methods",
      class: "hl-compare-numbers",
      rows: last.found,
      columns: {
        method: {
          text: true,
          cell: ({ method }) => page.t(`settings.method.${method}`),
          csv: ({ method }) => method,
        },
        ...OUTCOME,
        steps: plain("steps"),
        prefixes: plain("prefixes"),
        candidates: plain("candidates"),
        seconds: {
          cell: ({ seconds }) => (seconds === null ? "…" : durationText(seconds)), // it comes later
          csv: ({ seconds }) => seconds,
        },
      },
    },
  ];
}

/** The drawn texts, in numbers. @param {Compared} s @returns {Sheet<OfSeed>[]} */
export function seedSheet({ t, drawn: { found } }) {
  if (found.length === 0) return [];
  return [
    {
      name: t("seeds"),
      file: "compare-seeds",
      class: "hl-compare-seeds",
      rows: found,
      columns: { seed: { cell: ({ seed }) => seed }, ...OUTCOME },
    },
  ];
}
