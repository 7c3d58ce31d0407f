// The table of a score: a row for each part of the query, a column for each part of the key, the
// largest first. A head's name leads to what that head read there.

import { button } from "../../../assets/kit/choice.js";
import { colourOf, cssOf, diverging, inkOn } from "../../../assets/kit/colour.js";
import { changeText } from "../../../assets/kit/numbers.js";
import { pending } from "../../../assets/kit/request.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { idOf } from "./parts.js";
import { told } from "./told.js";

/** @typedef {import("./view.js").Scene} Scene */
/** @typedef {import("./parts.js").Writer} Writer */

const SHADE = 0.8; // of the full colour, behind digits

/** What a part is called. @param {Pick<Scene, "t">} s @param {Writer} writer */
export const nameOf = ({ t }, writer) =>
  t(`name.${keyOf(writer)}`, { ...placeOf(writer), n: writer.n ?? 0 });

/** The end of the key of its words: the encoder has one kind of attention only.
 * @param {Writer} writer */
export const keyOf = ({ name, stack }) => (name === "self" ? `self_${stack}` : name);

/** Layer and head as they are counted. @param {Writer} writer */
export const placeOf = ({ layer = 0, head = 0 }) => ({
  layer: layer + 1,
  head: `${layer + 1}·${head + 1}`,
});

/** @param {Scene} s @param {import("./parts.js").Grouped} parts
 * @param {{wide: boolean, bar: number, row: number}} room whether a row has some for the bar of its
 *   sum, and em for the bars of the columns and for a row */
export function table(s, { queries, keys, cells, total }, { wide, bar, row }) {
  const most = Math.max(...cells.flat().map(Math.abs), 1e-9);
  const paint = (/** @type {number} */ value, own = "") => {
    const colour = colourAt(s, (SHADE * value) / most);
    return html`<td class=${own} style="background:${cssOf(colour)};color:${inkOn(colour)}"
      >${changeText(value, s.digits)}</td>`;
  };
  const ownOf = (/** @type {number} */ j) =>
    `${keys[j].writer === s.lead.writer ? "hl-looks-lead" : ""} ${isOut(s, keys[j]) ? "hl-looks-gone" : ""}`;
  const left = leftOf(s);
  const sums = [total, ...queries.map(({ value }) => value), ...left.map(({ value }) => value)];
  const across = wide ? barOf(s, sums.filter(Number.isFinite), "across") : () => nothing;
  const up = barOf(
    s,
    keys.map(({ value }) => value),
    "up",
  );
  const sum = (/** @type {number} */ value, own = "") =>
    html`<td class="hl-looks-sum ${own}">${across(value)}<b>${changeText(value, s.digits)}</b></td>`;
  return html`<div class="hl-looks-table ${wide ? "" : "hl-narrow"}" style="--bar:${bar}em;--row:${row}em">
    <p id="${s.page.uid}-looks">${caption(s, "table")}</p>
    <table aria-labelledby="${s.page.uid}-looks">
      <thead><tr><td></td><th scope="colgroup" colspan=${keys.length} class="hl-looks-side"
          >${caption(s, s.behind === null ? "keys.of.whole" : "keys.of")}</th><td></td></tr>
        <tr><th class="hl-looks-side">${caption(s, "queries.of")}</th>
        ${keys.map(
          ({ writer }, j) =>
            html`<th scope="col" class=${ownOf(j)}>${named(s, writer, s.ahead, "key")}</th>`,
        )}
        <th scope="col">${s.t("sum")}</th></tr></thead>
      <tbody>${queries.map(
        ({ writer, value }, i) => html`<tr>
          <th scope="row">${named(s, writer, s.at.row, "query")}</th>
          ${cells[i].map((one, j) => paint(one, ownOf(j)))}
          ${sum(value)}</tr>`,
      )}</tbody>
      <tfoot><tr><th scope="row">${s.t("sum")}</th>
        ${keys.map((part, j) => toggle(s, part, ownOf(j), up(part.value)))}
        ${sum(total, "hl-looks-total")}</tr>
        ${left.map(
          ({ name, value, open }) => html`<tr>
            <th scope="row" colspan=${keys.length + 1}>${s.t(name)}</th>
            ${open ? html`<td>${pending(s.page, open)}</td>` : sum(value, "hl-looks-left")}</tr>`,
        )}</tfoot>
    </table>
    ${s.without ? nothing : html`<p class="hl-looks-press">${pressOf(s, [...queries, ...keys])}</p>`}</div>`;
}

/** @param {Scene} s @param {number} part from −1 to 1 */
const colourAt = ({ page }, part) =>
  colourOf(diverging[page.theme.get()], 0.5 + Math.max(-1, Math.min(1, part)) / 2);

/** Bars of some sums, on one scale from their least or 0 to their most or 0.
 * @param {Scene} s @param {number[]} sums @param {"across"|"up"} way
 * @returns {(value: number) => unknown} */
function barOf(s, sums, way) {
  const least = Math.min(0, ...sums);
  const range = Math.max(0, ...sums) - least || 1;
  const percent = (/** @type {number} */ one) => `${(100 * one) / range}%`;
  return (value) => html`<span class="hl-looks-bar hl-looks-${way}" aria-hidden="true"
    style="--zero:${percent(-least)};--from:${percent(Math.min(0, value) - least)};--size:${percent(
      Math.abs(value),
    )};--own:${cssOf(colourAt(s, Math.sign(value)))}"></span>`;
}

/** @param {Scene} s @param {import("./parts.js").Part} part */
const isOut = ({ without }, { writer }) => without?.writer === writer;

/** The sum of a part of the key, which takes it out and puts it back.
 * @param {Scene} s @param {import("./parts.js").Part} part @param {string} own
 * @param {unknown} bar of the sum */
function toggle(s, part, own, bar) {
  const { writer, value } = part;
  const text = changeText(value, s.digits);
  if (writer.name === "others")
    return html`<td class="hl-looks-sum ${own}">${bar}<span class="hl-looks-plain">${text}</span></td>`;
  const isGone = isOut(s, part);
  return html`<td class="hl-looks-sum ${own}">${bar}${button({
    label: text,
    title: s.t(isGone ? "put_back" : "take_out", { part: nameOf(s, writer) }),
    pressed: isGone,
    class: "hl-looks-take",
    onClick: () => s.set({ out: isGone ? "" : idOf(writer) }),
  })}</td>`;
}

/** What can be pressed. @param {Scene} s @param {import("./parts.js").Part[]} shown */
function pressOf({ t }, shown) {
  const hasHeads = shown.some(({ writer }) => writer.head !== undefined);
  return hasHeads ? `${t("press")} ${t("press.head")}` : t("press");
}

/** What is left without a part: by the table, and in a run without it, `open` until it has come.
 * @param {Scene} s
 * @returns {{name: string, value: number, open?: import("../../../assets/kit/request.js").Answer}[]} */
function leftOf({ without }) {
  if (without === null) return [];
  const { kept, real, open } = without;
  const run = real === null ? { value: Number.NaN, open } : { value: real };
  return [
    { name: "left.table", value: kept },
    { name: "left.run", ...run },
  ];
}

/** What the cells, the rows or the columns are. @param {Scene} s @param {string} key */
function caption(s, key) {
  const { query, keys, ahead, behind } = s;
  return told(s, key, { query, ahead: keys[ahead], behind: keys[behind ?? ahead] });
}

/** A part's name; of a head, the way to what it read at this place.
 * @param {Scene} s @param {Writer} writer @param {number} place @param {"query"|"key"} side */
function named(s, writer, place, side) {
  const name = nameOf(s, writer);
  const { layer, head } = writer;
  if (layer === undefined || head === undefined) return name;
  const kind = writer.name === "cross" ? "cross" : `${writer.stack}_self`;
  const at = kind === "encoder_self" ? { src: place } : { step: place };
  return button({
    label: name,
    title: s.t("go", placeOf(writer)),
    class: `hl-looks-go hl-looks-${side}`,
    onClick: () =>
      s.page.choose({ exhibit: "attention", kind, layer, head, row: place, col: null, ...at }),
  });
}
