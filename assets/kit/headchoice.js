// Lists of the kinds, layers and heads of a model, and of the tokens of one head's map.

import { select } from "./choice.js";
import { axes, KINDS } from "./selection.js";

/** A list that chooses a part of the selection; `value` is what it stands at.
 * @param {{page: import("./types.js").Page, record: import("./types.js").Rec,
 *   selection: import("./types.js").Selection}} s
 * @param {"kind"|"layer"|"head"|"row"|"col"} name @param {string|number|null} [value] */
export function headChoice({ page, record, selection }, name, value = selection[name]) {
  const { layers, heads } = record.attention[selection.kind];
  const { rows, columns } = axes(record, selection.kind, selection.labels);
  const count = (/** @type {number} */ n) =>
    Array.from({ length: n }, (_, i) => ({ value: String(i), label: i + 1 }));
  const named = (/** @type {import("./selection.js").Axis} */ { labels }) =>
    labels.map((one, i) => ({ value: String(i), label: `${i + 1} ${one.line ?? one.text}` }));
  const options = {
    kind: () => KINDS.map((kind) => ({ value: kind, label: page.t(`kind.${kind}`) })),
    layer: () => count(layers),
    head: () => count(heads),
    row: () => named(rows),
    col: () => named(columns),
  };
  return select({
    label: page.t(`choose.${name}`),
    class: "hl-choose-head",
    options: options[name](),
    value: String(value ?? ""),
    onChange: (next) => page.choose({ [name]: name === "kind" ? next : Number(next) }),
  });
}
