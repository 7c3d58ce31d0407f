// The comparison with the browser's own run: its sentence, its table, and a separate line for facts
// that it cannot check.

import { button } from "../../../assets/kit/choice.js";
import { countText, signedText, smallText } from "../../../assets/kit/numbers.js";
import { pending, sentenceOf } from "../../../assets/kit/request.js";
import { unbroken } from "../../../assets/kit/sentence.js";
import { table } from "../../../assets/kit/table.js";
import { token } from "../../../assets/kit/token.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { PARTS } from "./compare.js";

/** @typedef {import("./view.js").Scene} Scene */
/** @typedef {import("./view.js").Weighed} Weighed */
/** @typedef {import("./again.js").Rerun} Rerun */
/** @typedef {import("./compare.js").Row} Row */
/** A difference of a part. @typedef {{name: string} & Row["differences"][number]} Off */

const MEGABYTE = 1e6;
const DIGITS = 6; // digits of a log-prob in single precision
const NARROW = 52; // em of a picture with the second table below

/** Facts that no comparison of numbers can check, in the order of the page. */
export const UNTOLD = ["seconds", "device", "views", "training", "scripts"];

const megabytes = (/** @type {number} */ bytes) => (bytes / MEGABYTE).toFixed(1);
const sum = (/** @type {Row[]} */ rows, /** @type {"count"|"off"} */ name) =>
  rows.reduce((all, one) => all + one[name], 0);

/** The result, in a sentence. @param {Scene} s */
export function said(s) {
  const { t, page } = s;
  if (s.rerun === null) return t("other");
  const { rerun, rows } = s;
  if (rerun.weights === null)
    return rerun.error ? `${sentenceOf(page, rerun.error)} ${t("nothing")}` : t("again.asking");
  if (rows === null) {
    if (rerun.progress?.loaded !== undefined)
      return t("again.loading", {
        done: megabytes(rerun.progress.loaded),
        all: megabytes(rerun.weights.bytes),
      });
    if (rerun.progress) return t("again.running", { step: rerun.progress.step });
    return t("again.first");
  }
  const [n, off] = [sum(rows, "count"), sum(rows, "off")];
  if (rows[0].off > 0) return `✗ ${t("again.weights")}`;
  if (off > 0) return `✗ ${t("again.differs", { n: countText(off), all: countText(n) })}`;
  const most = Math.max(...rows.map(({ deviation }) => deviation));
  const result = `✓ ${t("again.same", { n: countText(n), most: smallText(most) })}`;
  if (rerun.ties.length === 0) return result;
  const steps = rerun.ties.map((step) => step + 1).join(", ");
  return `${result} ${t("again.tie", { steps })}`;
}

/** Buttons: download and run; stop; run again. @param {Weighed} s */
export function running({ t, rerun, reruns, record }) {
  const label = reruns.isOpen(record)
    ? t("again.rerun")
    : t("again.fetch", { all: megabytes(rerun.weights.bytes) });
  return html`${button({
    label: rerun.progress ? t("stop") : label,
    class: "hl-proof-run",
    onClick: () => (rerun.progress ? reruns.stop() : reruns.start(record)),
  })} ${
    rerun.progress
      ? html`<progress max="1" value=${rerun.progress.loaded === undefined ? nothing : rerun.progress.loaded / rerun.weights.bytes}
          aria-label=${t("progress")}></progress>`
      : nothing
  }`;
}

/** The table, the facts that it cannot check, and the log-probs side by side. @param {Weighed} s
 * @param {import("../../../assets/kit/exhibit.js").Size} size */
export function compared(s, { width, em }) {
  const { t, page, rerun, reruns, record, line } = s;
  const retry = () => reruns.start(record);
  const failure = { value: null, waiting: false, error: rerun.error, retry };
  return html`<div class="hl-proof-picture hl-scrolls" ?data-narrow=${width < NARROW * em}>
    <div class="hl-stack">
      ${rerun.error ? pending(page, failure) : nothing}
      ${tableOf(s)}
      <p class="hl-note hl-proof-untold">${t("again.untold")}
        ${UNTOLD.map((name) => t(`untold.${name}`)).join(t("again.comma"))}${t("again.stop")}</p></div>
    <div class="hl-proof-aside">${line ? html`<p class="hl-proof-changed" role="status">${t("changed")}</p>` : nothing}
      ${rerun.own ? besides(s, rerun.own) : nothing}</div></div>`;
}

/** The line's name: whose the weights and the source's tokens are.
 * @param {Weighed["t"]} t @param {string} name @param {Weighed["rerun"]} rerun */
function partOf(t, name, { isGiven, weights }) {
  if (name === "tokens" && isGiven) return t("part.tokens_given");
  if (name === "weights" && !weights.isShipped) return t("part.weights_served");
  return t(`part.${name}`);
}

/** A row for each part; before they are compared, their names. @param {Weighed} s */
const tableOf = ({ t, rows, rerun }) =>
  table({
    label: t("again.table"),
    class: "hl-proof-compared",
    columns: [
      { name: t(rows ? "again.what" : "again.will"), text: true },
      ...(rows
        ? ["count", "deviation", "tolerance"].map((one) => ({ name: t(`column.${one}`) }))
        : []),
      ...(rows ? [{ name: t("column.holds"), text: true }] : []),
    ],
    rows: rows
      ? rows.map((one) => ({ cells: cellsOf(t, one, rerun) }))
      : ["weights", ...Object.keys(PARTS), "answers"].map((name) => ({
          cells: [partOf(t, name, rerun)],
        })),
  });

/** "none": there was nothing to compare. */
const stateOf = (/** @type {Pick<Row, "off"|"count">} */ { off, count }) =>
  off > 0 ? "fails" : count > 0 ? "holds" : "none";
const verdicts = (/** @type {Weighed["t"]} */ t, /** @type {number} */ off) => ({
  fails: `✗ ${t("again.off", { n: countText(off) })}`,
  holds: `✓ ${t("again.equal")}`,
  none: `– ${t("state.none")}`,
});

/** @param {Weighed["t"]} t @param {Row} row @param {Weighed["rerun"]} rerun */
const cellsOf = (t, { name, count, deviation, tolerance, off }, rerun) => [
  partOf(t, name, rerun),
  countText(count),
  Number.isFinite(deviation) ? smallText(deviation) : t("again.other"),
  smallText(tolerance),
  html`<span class="hl-proof-state" data-compared=${name} data-state=${stateOf({ off, count })}>${
    verdicts(t, off)[stateOf({ off, count })]
  }</span>`,
];

/** The log-prob of each written token, from the page and from the browser.
 * @param {Weighed} s @param {import("../../../assets/kit/types.js").Rec} own */
const besides = ({ t, shown }, own) =>
  html`<div class="hl-proof-beside hl-scroll"><table class="hl-table">
    <thead><tr>${["token", "shown", "own"].map(
      (name) => html`<th scope="col">${unbroken(t(`beside.${name}`))}</th>`,
    )}</tr></thead>
    <tbody>${shown.tgt_out.map(
      (label, i) => html`<tr><th scope="row">${token(label)}</th>
        <td>${signedText(shown.steps[i].log_prob, DIGITS)}</td>
        <td>${own.steps[i] ? signedText(own.steps[i].log_prob, DIGITS) : "–"}</td></tr>`,
    )}</tbody></table></div>`;

/** Every part with its comparisons, and each value that differs.
 * @param {Weighed} s @returns {import("../../../assets/kit/sheet.js").Sheet<Off>[]} */
export function sheets({ t, rows }) {
  if (rows === null) return [];
  const off = rows.flatMap(({ name, differences }) => differences.map((one) => ({ name, ...one })));
  const text = (/** @type {unknown} */ value) => String(JSON.stringify(value) ?? "–");
  return [
    {
      name: t("again.differences"),
      file: "proof-differences",
      note: off.length ? undefined : t("again.none"),
      rows: off,
      columns: {
        part: {
          text: true,
          head: t("again.what"),
          csv: (one) => one.name,
          cell: (one) => t(`part.${one.name}`),
        },
        place: { text: true, head: t("again.place"), cell: (one) => one.path },
        shown: { text: true, head: t("again.shown"), cell: (one) => text(one.shown) },
        own: { text: true, head: t("again.own"), cell: (one) => text(one.own) },
      },
    },
  ];
}
