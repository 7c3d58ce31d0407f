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
export const nameOf = ({ t }, { name, layer = 0, head = 0, n = 0 }) =>
  t(`name.${name}`, { layer: layer + 1, head: `${layer + 1}·${head + 1}`, n });

/** @param {Scene} s @param {import("./parts.js").Grouped} parts */
export function table(s, { queries, keys, cells, total }) {
  const most = Math.max(...cells.flat().map(Math.abs), 1e-9);
  const paint = (/** @type {number} */ value, own = "") => {
    const colour = colourOf(
      diverging[s.page.theme.get()],
      0.5 + (SHADE * Math.max(-1, Math.min(1, value / most))) / 2,
    );
    return html`<td class=${own} style="background:${cssOf(colour)};color:${inkOn(colour)}"
      >${changeText(value, s.digits)}</td>`;
  };
  const ownOf = (/** @type {number} */ j) =>
    `${keys[j].writer === s.lead.writer ? "hl-looks-lead" : ""} ${isOut(s, keys[j]) ? "hl-looks-gone" : ""}`;
  const plain = (/** @type {number} */ value, own = "") =>
    html`<td class="hl-looks-sum ${own}">${changeText(value, s.digits)}</td>`;
  return html`<div class="hl-looks-table">
    <p id="${s.page.uid}-looks">${caption(s)}</p>
    <table aria-labelledby="${s.page.uid}-looks">
      <thead><tr><td class="hl-looks-corner">${s.t("rows")}</td>
        ${keys.map(
          ({ writer }, j) =>
            html`<th scope="col" class=${ownOf(j)}>${named(s, writer, s.ahead, "key")}</th>`,
        )}
        <th scope="col">${s.t("sum")}</th></tr></thead>
      <tbody>${queries.map(
        ({ writer, value }, i) => html`<tr>
          <th scope="row">${named(s, writer, s.at.row, "query")}</th>
          ${cells[i].map((one, j) => paint(one, ownOf(j)))}
          ${plain(value)}</tr>`,
      )}</tbody>
      <tfoot><tr><th scope="row">${s.t("sum")}</th>
        ${keys.map((part, j) => toggle(s, part, ownOf(j)))}
        ${plain(total, "hl-looks-total")}</tr>${left(s, keys.length)}</tfoot>
    </table></div>`;
}

/** @param {Scene} s @param {import("./parts.js").Part} part */
const isOut = ({ without }, { writer }) => without?.writer === writer;

/** The sum of a part of the key, which takes it out and puts it back.
 * @param {Scene} s @param {import("./parts.js").Part} part @param {string} own */
function toggle(s, part, own) {
  const { writer, value } = part;
  const text = changeText(value, s.digits);
  if (writer.name === "others") return html`<td class="hl-looks-sum ${own}">${text}</td>`;
  const isGone = isOut(s, part);
  return html`<td class="hl-looks-sum ${own}">${button({
    label: text,
    title: s.t(isGone ? "put_back" : "take_out", { part: nameOf(s, writer) }),
    pressed: isGone,
    class: "hl-looks-take",
    onClick: () => s.set({ out: isGone ? "" : idOf(writer) }),
  })}</td>`;
}

/** What is left without a part: by the table, and in a run without it.
 * @param {Scene} s @param {number} columns */
function left(s, columns) {
  const { without, digits } = s;
  if (without === null) return nothing;
  const row = (/** @type {string} */ name, /** @type {unknown} */ value) =>
    html`<tr><th scope="row" colspan=${columns + 1}>${s.t(name)}</th>
      <td class="hl-looks-sum hl-looks-left">${value}</td></tr>`;
  const real = without.real === null ? pending(s.page, without.open) : without.real;
  return html`${row("left.table", changeText(without.kept, digits))}
    ${row("left.run", typeof real === "number" ? changeText(real, digits) : real)}`;
}

/** What rows and columns are. @param {Scene} s */
function caption(s) {
  const { query, keys, ahead, behind } = s;
  const labels = { query, ahead: keys[ahead], behind: keys[behind ?? ahead] };
  return told(s, behind === null ? "table.whole" : "table", labels);
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
    title: s.t("go", { head: `${layer + 1}·${head + 1}` }),
    class: `hl-looks-go hl-looks-${side}`,
    onClick: () =>
      s.page.choose({ exhibit: "attention", kind, layer, head, row: place, col: null, ...at }),
  });
}
