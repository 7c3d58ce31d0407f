// Beam search small enough to see completely: a table of five letters, the real search on it, and
// every possible text.

import { button } from "../../../assets/kit/choice.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { local, range } from "../../../assets/kit/fields.js";
import { listOf, number, orNull, text, whole } from "../../../assets/kit/keep.js";
import { decodeSearch } from "../../../assets/kit/payload.js";
import { pending } from "../../../assets/kit/request.js";
import { rowsOf } from "../../../assets/kit/sheet.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { allFindIt, finding, said } from "./finding.js";
import { picture } from "./picture.js";
import { nodesOf, shortText, tagsOf } from "./sums.js";
import { cellsOf, judge, keptCells, readCells, tableOf } from "./table.js";

/** @typedef {import("./sums.js").Searched} Searched */
/** @typedef {import("./table.js").Kept} Kept */
/** The search for a table in which greedy loses: its seed, and the length of its texts.
 * @typedef {{seed: number, length: number}} Wanted */
/** What was found. @typedef {{table: number[][], beam_wins: boolean}} Table */

/**
 * The fields, see `fields`.
 * @typedef {import("../../../assets/kit/exhibit.js").Base & {typed: Kept[][]|null, beam: number,
 *   length: number, seed: number, sound: Kept[][]|null, wanted: Wanted|null,
 *   taken: (Wanted & Table)|null, pointed: string|null}} Given
 *
 * `trouble`: what is wrong with the table, ""; `looked`: the answer that is looked for.
 * @typedef {Given & {answer: Searched, trouble: string, marks: import("./tree.js").Marks,
 *   looked: import("../../../assets/kit/request.js").Answer<Table>|null}} Scene
 */

/** A text of the list with its rank. @typedef {{rank: number, text: string, p: number}} Row */

/** @type {import("../../../assets/kit/exhibit.js").View<Scene>} */
const VIEW = {
  name: "toy",
  fields,
  ask(s) {
    const { table, trouble } = judgeTyped(s, s.typed);
    const { beam, length, sound } = s;
    return ["toy", { table: trouble ? judgeTyped(s, sound).table : table, beam, length }];
  },
  prepare: async (reply, _, args) => {
    if (!reply.search) return reply; // a table from the search for one
    const columns = nodesOf(await decodeSearch(reply.search));
    return { ...reply, ...args, columns };
  },
  scene: (s) => ({
    trouble: judgeTyped(s, s.typed).trouble,
    looked: s.wanted && s.ask("toy_table", s.wanted),
    marks: { greedy: s.answer.greedy.text, best: s.answer.all[0][0] },
  }),
  finding: (s) => s.trouble || finding(s),
  nothing: (s) => !s.trouble && allFindIt(s.answer),
  picture,
  drawn: take,
  controls: ["beam", "length", lookButton],
  adjust: [tableControl, story],
  numbers: (s) => [textSheet(s)],
  reading: (s) => html`<p class="hl-toy-said">${said(s)}</p><p>${s.t("picture")}</p>
    <p>${s.t("all.picture")}</p>`,
  files: (s) => ({ csv: () => rowsOf(textSheet(s)) }),
};

export const { mount } = exhibit(VIEW);

/**
 * `typed`: the table as a link keeps it, null for the example; `sound`: the last whose rows summed
 * to 1; `wanted`: the table being searched for; `taken`: the one found.
 * @param {{example: number[][], start: {beam: number, length: number},
 *   limits: Record<"beam"|"length", [number, number]>}} facts
 * @returns {Record<string, import("../../../assets/kit/fields.js").Field>}
 */
function fields({ example, start, limits }) {
  const rows = example.length;
  const [beam, length] = [limits.beam, limits.length];
  const isKept = (/** @type {unknown} */ value) => text(8)(value) || number(0, 1)(value);
  return {
    typed: { first: null, fits: orNull(listOf(listOf(isKept, rows - 1, rows - 1), rows, rows)) },
    beam: range(beam[0], beam[1], { first: start.beam }),
    length: range(length[0], length[1], { first: start.length }),
    seed: { first: 0, fits: whole(0, 1e6) },
    sound: local(null),
    wanted: local(null),
    taken: local(null),
    pointed: local(null), // a text
  };
}

/** @param {Pick<Given, "page">} s @param {Kept[][]|null} typed */
const cellsNow = ({ page }, typed) =>
  typed === null ? cellsOf(page.facts.example) : readCells(typed);

/** The numbers of a kept table, and the error in them.
 * @param {Pick<Given, "page"|"t">} s @param {Kept[][]|null} typed */
const judgeTyped = (s, typed) => judge(s, cellsNow(s, typed));

/** The editable table. @param {Given} s */
function tableControl(s) {
  /** @type {Parameters<typeof tableOf>[2]} */
  const onRow = (row, change) =>
    s.set((/** @type {Given} */ { typed, sound }) => {
      const cells = cellsNow(s, typed);
      return {
        typed: keptCells(cells.with(row, change(cells[row]))),
        sound: judgeTyped(s, typed).trouble ? sound : typed,
        taken: null,
      };
    });
  const { trouble } = judgeTyped(s, s.typed);
  return html`<div class="hl-stack">
    <h3>${s.t("table")}</h3>
    ${tableOf(s, cellsNow(s, s.typed), onRow)}
    <p class="hl-toy-trouble" role="status">${trouble}</p>
  </div>`;
}

/** Searches for a table in which greedy loses, and shows the outcome.
 * @param {Given & Partial<Pick<Scene, "looked">>} s */
function lookButton({ t, page, set, looked }) {
  const look = () =>
    set(({ seed, length }) => ({ seed: seed + 1, wanted: { seed: seed + 1, length } }));
  return html`${button({ label: t("random"), onClick: look, class: "hl-toy-random" })}
    ${looked ? pending(page, looked) : nothing}`;
}

/** Replaces the old table by the one found, when it arrives. @param {Scene} s */
function take({ page, set, wanted, looked }) {
  if (!looked?.value) return;
  const { table } = looked.value;
  set({
    typed: keptCells(cellsOf(table)),
    beam: page.facts.start.beam,
    wanted: null,
    taken: { ...wanted, ...looked.value },
  });
}

/** The origin of the table, and a button back to the first. @param {Given} s */
function story({ t, page, set, typed, taken }) {
  const reset = () => set({ ...page.facts.start, typed: null, taken: null, wanted: null });
  const own = typed === null ? t("chosen") : "";
  return html`<div class="hl-stack">
    ${button({ label: t("reset"), onClick: reset, class: "hl-toy-reset" })}
    <p class="hl-note" role="status">${
      taken ? t(taken.beam_wins ? "found.wins" : "found.loses", taken) : own
    }</p>
  </div>`;
}

/** All texts, most likely first, with the methods that found them.
 * @param {Scene} s @returns {import("../../../assets/kit/sheet.js").Sheet<Row>} */
function textSheet({ t, answer }) {
  const { all, hypotheses, greedy, length } = answer;
  const rows = all.map(([one, p], /** @type {number} */ i) => ({ rank: i + 1, text: one, p }));
  const isFound = (/** @type {Row} */ row) => hypotheses.some((one) => one.text === row.text);
  const bar = (/** @type {Row} */ { p }) => html`<span class="hl-toy-bar"
    ><i style="width:${((p / all[0][1]) * 100).toFixed(1)}%"></i></span>`;
  return {
    name: t("all"),
    file: "letters",
    class: "hl-toy-all",
    note: t("all.count", { n: all.length, length }),
    rows,
    chosen: isFound,
    columns: {
      rank: { head: t("all.rank"), text: true, cell: ({ rank }) => rank },
      text: { head: t("all.text"), text: true, cell: (row) => row.text },
      probability: {
        head: t("all.probability"),
        text: true,
        cell: (row) => html`${bar(row)}${shortText(row.p)}`,
        csv: ({ p }) => p,
      },
      found: {
        head: t("all.found"),
        text: true,
        cell: (row) => tagsOf(row, hypotheses, greedy).map((one) => tag(t, one)),
        csv: null,
      },
    },
  };
}

/** The methods that found a text, or that it was missed.
 * @param {Scene["t"]} t @param {import("./sums.js").Tag} tag */
const tag = (t, { name, rank = 0 }) => html`<span class="hl-toy-tag-${name}"
  title=${name === "missed" ? t("tag.missed.title") : nothing}>${t(`tag.${name}`, { rank })}</span> `;
