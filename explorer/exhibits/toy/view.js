// Beam search small enough to see all of it: a table of five letters, the real search on it, and
// every text beside it.

import { button } from "../../../assets/kit/choice.js";
import { downloads } from "../../../assets/kit/download.js";
import { listOf, number, orNull, text, whole } from "../../../assets/kit/keep.js";
import { memo } from "../../../assets/kit/memo.js";
import { decodeSearch } from "../../../assets/kit/payload.js";
import { createRequest, pending } from "../../../assets/kit/request.js";
import { joined } from "../../../assets/kit/sentence.js";
import { slider } from "../../../assets/kit/slider.js";
import { table } from "../../../assets/kit/table.js";
import { liveView } from "../../../assets/kit/view.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { lostAt, nodesOf, shortText, standing } from "./sums.js";
import { cellsOf, judge, keptCells, readCells, tableOf } from "./table.js";
import { legendOf, nodeText, treeOf } from "./tree.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

const TIE = 1e-9; // of probabilities that are the same
const LISTED = 40; // texts that are listed; those that the search found come in any case

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const { facts } = page;
  const example = { typed: null, ...facts.start };
  // `typed`: the table as it is kept, null for the example; `wanted`: the table that is looked for;
  // `taken`: the one that was found
  const start = { ...example, seed: 0, wanted: null, taken: null, pointed: null };
  const rows = facts.example.length;
  const isKept = (value) => text(8)(value) || number(0, 1)(value);
  const state = page.keep(start, {
    typed: orNull(listOf(listOf(isKept, rows - 1, rows - 1), rows, rows)),
    beam: whole(...facts.limits.beam),
    length: whole(...facts.limits.length),
    seed: whole(0, 1e6),
  });
  const cellsNow = memo((/** @type {(string|number)[][]|null} */ typed) =>
    typed === null ? cellsOf(facts.example) : readCells(typed),
  );
  const { search, table: tableAt } = createQuestions(page, state, () => view.redraw());
  let last = null; // the newest search: shown while the next is on its way
  const actions = actionsOf(state, example, cellsNow);
  const view = liveView({
    el,
    page,
    stores: [state],
    template() {
      if (page.record.get() === null) return null;
      const now = state.get();
      const { numbers, trouble } = judge(page, cellsNow(now.typed));
      const { beam, length, wanted } = now;
      const answer = trouble ? null : search({ table: numbers, beam, length });
      if (answer?.value) last = { ...answer.value, beam, length };
      return html`<div class="hl-toy">
        ${controls(page, { ...now, cells: cellsNow(now.typed) }, trouble, wanted && tableAt(wanted), actions)}
        ${last ? results(page, last, now, answer, actions) : answer && pending(page, answer)}
      </div>`;
    },
  });
  return view.end;
}

/** The two questions. Their answers do not depend on the sentence: one record keeps them all. */
function createQuestions(/** @type {Page} */ page, state, /** @type {() => void} */ redraw) {
  /** @type {any} */
  let first = null;
  const about = () => {
    first ??= page.record.get();
    return first;
  };
  const search = createRequest(page, "toy", {
    changed: redraw,
    prepare: async (reply) => ({ ...reply, columns: nodesOf(await decodeSearch(reply.search)) }),
  });
  const tables = createRequest(page, "toy_table", { changed: take });

  /** Puts the table that was looked for in the place of the old one, when it is there. */
  function take() {
    const { wanted } = state.get();
    const value = wanted && tables(about(), wanted).value;
    const { beam } = page.facts.start;
    if (value) state.merge({ ...EDITED, typed: keptCells(cellsOf(value.table)), beam });
    if (value) state.merge({ wanted: null, taken: { ...wanted, ...value } });
    redraw();
  }
  return { search: (args) => search(about(), args), table: (args) => tables(about(), args) };
}

const EDITED = { taken: null, pointed: null };

const actionsOf = (state, example, cellsNow) => ({
  edit: (changes) => state.merge({ ...EDITED, ...changes }),
  editRow(row, change) {
    const cells = cellsNow(state.get().typed);
    state.merge({ ...EDITED, typed: keptCells(cells.with(row, change(cells[row]))) });
  },
  look() {
    const { seed, length } = state.get();
    state.merge({ seed: seed + 1, wanted: { seed: seed + 1, length } });
  },
  reset: () => state.merge({ ...EDITED, ...example, wanted: null }),
  point: (pointed) => state.merge({ pointed }),
});

/** The table, the beam and the length. */
function controls(/** @type {Page} */ page, now, /** @type {string} */ trouble, found, actions) {
  const { t, facts } = page;
  const { cells, taken, typed } = now;
  const field = (/** @type {"beam"|"length"} */ name) =>
    slider({
      label: t(`toy.${name}`),
      class: `hl-toy-${name}`,
      min: facts.limits[name][0],
      max: facts.limits[name][1],
      value: now[name],
      onInput: (value) => actions.edit({ [name]: value, taken }),
    });
  const story = typed === null ? t("toy.chosen") : "";
  return html`<div class="hl-stack">
    <h2>${t("toy.table")}</h2>
    ${tableOf(page, cells, actions.editRow)}
    <p class="hl-toy-trouble" role="status">${trouble}</p>
    <div class="hl-row">${field("beam")} ${field("length")}</div>
    <div class="hl-row">
      ${button({ label: t("toy.random"), onClick: actions.look, class: "hl-toy-random" })}
      ${button({ label: t("toy.reset"), onClick: actions.reset, class: "hl-toy-reset" })}
    </div>
    ${found ? pending(page, found) : nothing}
    <p class="hl-note" role="status">${
      taken ? t(taken.beam_wins ? "toy.found.wins" : "toy.found.loses", taken) : story
    }</p>
  </div>`;
}

/** What the search did, and every text. */
function results(/** @type {Page} */ page, found, { pointed }, answer, { point }) {
  const { t } = page;
  const { greedy, all, columns } = found;
  const marks = { greedy: greedy.text, best: all[0][0] };
  const isThere = pointed !== null && columns[pointed.step]?.includes(pointed);
  const pointer = { pointed: isThere ? pointed : null, onPoint: point };
  const count = isThere ? columns[pointed.step].length : 0;
  const old = answer?.value ? "" : "hl-toy-old";
  return html`<div class="hl-stack ${old}">
      <h2>${t("toy.search")}</h2>
      ${answer?.error ? pending(page, answer) : nothing}
      <p class="hl-toy-said" aria-live="polite">${said(page, found)}</p>
      ${treeOf(page, found, marks, pointer)}
      <p class="hl-toy-node">
        ${isThere ? nodeText(page, pointed, count, marks) : t("toy.node.hint")}</p>
      ${legendOf(page)}
    </div>
    <div class="hl-stack ${old}">
      <h2>${t("toy.all")}</h2>
      <p class="hl-note">${t("toy.all.count", { n: all.length, length: found.length })}</p>
      ${list(page, found)}
      ${downloads(page, "letters", { csv: () => [["text", "probability"], ...all] })}
    </div>`;
}

/** What the search found, how good that is, and where it lost the best. */
function said(/** @type {Page} */ page, { hypotheses, greedy, all, columns, beam }) {
  const { t } = page;
  const [[best, q]] = all;
  const { text } = hypotheses[0];
  const { rank, isBest } = standing(all, text, q);
  const p = shortText(all[rank][1]);
  const facts = { beam, text, p, rank: rank + 1, best, q: shortText(q) };
  const also = greedy.text === text ? "toy.said.greedy.same" : "toy.said.greedy";
  const end = t(also, { text: greedy.text, p: shortText(Math.exp(greedy.log_prob)) });
  if (isBest) return joined(page, t("toy.said.best", facts), end);
  const { step, node } = /** @type {any} */ (lostAt(columns, best));
  const lost = { ...facts, step: step + 1, lost: best.slice(0, step + 1) };
  if (node === null) return joined(page, t("toy.said.unseen", lost), end);
  const kept = columns[step].filter(({ fate }) => fate !== "pruned").length;
  const place = node.candidate + 1;
  const placed = { ...lost, r: shortText(node.probability), place, kept };
  return joined(page, t("toy.said.missed", placed), end);
}

/** All texts, the most likely first, with who found which. */
function list(/** @type {Page} */ { t }, { all, hypotheses, greedy }) {
  const least = Math.min(...hypotheses.map(({ log_prob: logProb }) => Math.exp(logProb)));
  const rows = all.flatMap(([text, probability], /** @type {number} */ i) => {
    const rank = hypotheses.findIndex((one) => one.text === text);
    const tags = [
      rank >= 0 && html`<b>${t("toy.tag.beam", { rank: rank + 1 })}</b> `,
      text === greedy.text && html`<span class="hl-toy-tag-greedy">${t("toy.tag.greedy")}</span> `,
      rank < 0 &&
        probability > least + TIE &&
        html`<span class="hl-toy-missed"
          title=${t("toy.tag.missed.title")}>${t("toy.tag.missed")}</span>`,
    ].filter(Boolean);
    if (i >= LISTED && tags.length === 0) return [];
    const width = `width:${((probability / all[0][1]) * 100).toFixed(1)}%`;
    const bar = html`<span class="hl-toy-bar"><i style=${width}></i></span>`;
    const cells = [i + 1, text, html`${bar}${shortText(probability)}`, tags];
    return [{ cells, chosen: rank >= 0 }];
  });
  const columns = ["rank", "text", "probability", "found"];
  const more = all.length - rows.length;
  return html`${table({
    label: t("toy.all"),
    class: "hl-toy-all",
    columns: columns.map((name) => ({ name: t(`toy.all.${name}`), text: true })),
    rows,
    head: false,
  })}
    ${more > 0 ? html`<p class="hl-note">${t("toy.all.more", { n: more })}</p>` : nothing}`;
}
