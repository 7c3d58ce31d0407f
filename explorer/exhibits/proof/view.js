// The proof: the browser runs the model again and compares everything with the page.

import { select } from "../../../assets/kit/choice.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { oneOf, orNull, text } from "../../../assets/kit/keep.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { createReruns, compared as rowsOf } from "./again.js";
import { compared, running, said, sheets } from "./table.js";
import { TAMPERS } from "./tamper.js";

/** @typedef {import("../../../assets/kit/types.js").Rec} Rec */
/** @typedef {import("./again.js").Rerun} Rerun */

/**
 * The visitor's change: the line whose number differs, and the sentence; null: none, any. `reruns`
 * is null where the page has no model to run.
 * @typedef {import("../../../assets/kit/exhibit.js").Base & {line: string|null, of: string|null,
 *   reruns: import("./again.js").Reruns|null}} Given
 *
 * With a run, or before it: the record shown, perhaps changed, and its comparison with the run's.
 * @typedef {Given & {reruns: import("./again.js").Reruns, rerun: Rerun, shown: Rec,
 *   rows: import("./compare.js").Row[]|null}} Run
 *
 * A run whose weights are known. @typedef {Run & {rerun: {weights: object}}} Weighed
 *
 * @typedef {Run|(Given & {rerun: null})} Scene
 */

const LONGEST_TEXT = 2_000; // characters of a sentence that a link repeats

/** @type {import("../../../assets/kit/exhibit.js").View<Scene>} */
const VIEW = {
  name: "proof",
  fields: () => ({
    line: { first: null, fits: orNull(oneOf(Object.keys(TAMPERS))) }, // whose number was changed
    of: { first: null, fits: orNull(text(LONGEST_TEXT)) }, // the sentence of the change
  }),
  engine: (page, redraw) => ({
    reruns: page.again && createReruns(page, page.again, redraw),
  }),
  scene,
  finding: (s) => html`<span class="hl-proof-sum">${said(s)}</span>`,
  picture: (s, size) => (isWeighed(s) ? compared(s, size) : nothing),
  controls: [(s) => (isWeighed(s) ? running(s) : nothing), changing],
  numbers: (s) => (isWeighed(s) ? sheets(s) : []),
  reading: ({ t }) => html`<p>${t("how")}</p>`,
  files: (s) => ({
    svg: null,
    ...(s.rerun ? { json: () => ({ rows: s.rows, ties: s.rerun.ties }) } : {}),
  }),
};

export const { mount } = exhibit(VIEW);

/** Whether there are weights to run. @param {Scene} s @returns {s is Weighed} */
const isWeighed = (s) => Boolean(s.rerun?.weights);

/** The browser's own run of the record, and its result; one number may be changed.
 * @param {Given} s */
function scene({ record, reruns, line: wanted, of }) {
  if (!reruns || !record.asked) return { rerun: null };
  const rerun = reruns.of(record);
  const isMine = of === null || of === record.text; // null: a link without a sentence
  const line = isMine && rerun.own !== null ? wanted : null;
  const shown = line === null ? record : TAMPERS[line](record);
  return { rerun, line, shown, rows: rowsOf(rerun, shown) };
}

/** The menu of the line whose number is to be changed. @param {Scene} s */
function changing({ t, rerun, line, record, set }) {
  if (!rerun?.own) return nothing;
  const options = Object.keys(TAMPERS).map((name) => ({ value: name, label: t(`part.${name}`) }));
  return select({
    label: t("change"),
    value: line ?? "",
    options: [{ value: "", label: t("unchanged") }, ...options],
    onChange: (name) => set(name ? { line: name, of: record.text } : { line: null, of: null }),
  });
}
