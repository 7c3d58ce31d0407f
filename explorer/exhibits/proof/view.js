// The proof: the browser runs the model again and compares everything with the page.

import { select } from "../../../assets/kit/choice.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { oneOf, orNull, text } from "../../../assets/kit/keep.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { createReruns, compared as rowsOf } from "./again.js";
import { compared, running, said, sheets } from "./table.js";
import { TAMPERS } from "./tamper.js";

const LONGEST_TEXT = 2_000; // characters of a sentence that a link repeats

export const { mount } = exhibit({
  name: "proof",
  fields: () => ({
    line: { first: null, fits: orNull(oneOf(Object.keys(TAMPERS))) }, // whose number was changed
    of: { first: null, fits: orNull(text(LONGEST_TEXT)) }, // the sentence of the change
  }),
  engine: (page, redraw) => ({ reruns: createReruns(page, redraw) }),
  scene,
  finding: (s) => html`<span class="hl-proof-sum">${said(s)}</span>`,
  picture: (s, size) => (s.rerun?.weights ? compared(s, size) : nothing),
  controls: [(s) => (s.rerun?.weights ? running(s) : nothing), changing],
  numbers: (s) => (s.rerun?.weights ? sheets(s) : []),
  reading: ({ t }) => html`<p>${t("how")}</p>`,
  files: (s) => ({
    svg: null,
    ...(s.rerun ? { json: () => ({ rows: s.rows, ties: s.rerun.ties }) } : {}),
  }),
});

/** The browser's own run of the record, and its result; one number may be changed. */
function scene({ page, record, reruns, line: wanted, of }) {
  if (!page.again || !record.asked) return { rerun: null };
  const rerun = reruns.of(record);
  const isMine = of === null || of === record.text; // null: a link without a sentence
  const line = isMine && rerun.own !== null ? wanted : null;
  const shown = line === null ? record : TAMPERS[line](record);
  return { rerun, line, shown, rows: rowsOf(rerun, shown) };
}

/** The menu of the line whose number is to be changed. */
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
