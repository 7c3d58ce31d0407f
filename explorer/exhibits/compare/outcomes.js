// The output of each method and each seed: one lane each, with its tokens and its probability. A
// button shows a lane's search on the whole page.

import { glossMark } from "../../../assets/kit/gloss.js";
import { durationText, percentText, signedText } from "../../../assets/kit/numbers.js";
import { inTurns, pending } from "../../../assets/kit/request.js";
import { table } from "../../../assets/kit/table.js";
import { langOf } from "../../../assets/kit/token.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { drawingOf, keyOf, NAMES } from "./engine.js";

const METHODS = ["greedy", "beam", "sampling", "beam_sampling"];
const NEAR = 1e-6; // scores nearer than this count as equal: the last digits depend on the batch

/** The newest comparison, and the texts drawn with further seeds. */
export function outcomesOf(s) {
  const { record, own, typing, draws, ask, subjectOf, newest } = s;
  const asked = own ?? drawingOf(record);
  const subject = subjectOf(record);
  const turns = (/** @type {string} */ question, args) =>
    inTurns((about, one) => ask(question, one, about), subject, args);
  const { values, open } = turns("methods", asked);
  const now = open === null ? { found: timed(values, turns("times", asked)), asked } : null;
  const about = JSON.stringify([keyOf(record), asked]);
  const seeds = draws.about === about ? draws.seeds : [];
  const answers = seeds.map((seed) => turns("seeds", { ...asked, seed }));
  return {
    asked,
    settings: typing ?? asked,
    open,
    isStale: open !== null || typing !== null,
    last: newest(now),
    drawn: {
      about,
      seeds,
      found: answers.flatMap((answer) => answer.values.flatMap((value) => value.drawn)),
      open: answers.find((answer) => answer.open !== null)?.open,
    },
  };
}

/** The outcomes in the order of their lanes, with the times that are there. */
function timed(turns, times) {
  const seconds = times.values.flatMap((value) => value.seconds);
  const found = turns.flatMap((value) => value.outcomes);
  const rows = found.map((one, i) => ({ ...one, seconds: seconds[i] ?? null }));
  return METHODS.map((method) => rows.find((row) => row.method === method));
}

/** Those with the highest score. */
function bestOf(found) {
  const best = Math.max(...found.map(({ score }) => score));
  return found.filter(({ score }) => score > best - NEAR);
}

/** A lane for each method and each seed. */
export function lanes(s) {
  const { t, page, open, last, drawn, isStale } = s;
  if (last === null) return pending(page, open);
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

/** One outcome; its button requests the search with its settings for the page. */
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
        ${one.finished ? nothing : html`<small>${t("cut")}</small>`}`,
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
 */
function isOnPage(record, settings) {
  const counts = (key) => !NAMES.includes(key) || settings.method.endsWith("sampling");
  const isSame = Object.entries(settings).every(
    ([key, value]) => !counts(key) || record.settings[key] === value,
  );
  return record.shown === 0 && record.node === null && isSame;
}

const gap = html`<span class="hl-compare-gap">∧</span>`;

const tokens = ({ tokens: all, gaps }) => [
  ...all.map((label, i) => {
    const { text, kind, joined, other } = label;
    const marks = `${joined ? "hl-joined" : ""} ${other ? "hl-other" : ""}`;
    return html`${gaps.includes(i) ? gap : nothing}<span data-gloss=${glossMark(label)}
      class="hl-compare-token hl-${kind} ${marks}"><span>${text}</span></span>`;
  }),
  gaps.includes(all.length) ? gap : nothing,
];

const plain = (/** @type {string} */ key) => ({ cell: (one) => one[key] });
const signed = (/** @type {string} */ key) => ({
  cell: (one) => signedText(one[key], 4),
  csv: (one) => one[key],
});
const OUTCOME = {
  text: { text: true, ...plain("text") },
  log_prob: signed("log_prob"),
  score: signed("score"),
  length: plain("length"),
};

/** The four methods in numbers. */
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

/** The drawn texts, in numbers. */
export function seedSheet({ t, drawn: { found } }) {
  if (found.length === 0) return [];
  return [
    {
      name: t("seeds"),
      file: "compare-seeds",
      class: "hl-compare-seeds",
      rows: found,
      columns: { seed: plain("seed"), ...OUTCOME },
    },
  ];
}
