// All numbers of the chain as tables, and as a file.

import { token } from "../../../assets/kit/token.js";
import { wayOut } from "./plan.js";
import { numbersIn } from "./scene.js";
import { keyStagesOf, numberText } from "./trace.js";

const FEW = 6; // terms that need no list of their own

/** @returns {import("../../../assets/kit/sheet.js").Sheet<any>[]} */
export function sheets(s) {
  const { t, query, keys, at, layer } = s;
  const names = { query: lineOf(query), key: lineOf(keys[at.col]), heads: layer.heads };
  return [
    vectors(s, t("stage.product", names), ["query", "key", "product"]),
    keySheet(s, t("stage.weight", names)),
    vectors(s, t("stage.context", names), ["value", "part", "context"]),
    vectors(s, t("stage.way", names), wayOut(s)),
    ...(s.origin.terms && s.origin.terms.length >= FEW ? [termSheet(s)] : []),
  ];
}

const lineOf = (label) => label.line ?? label.text;

/** A column of a stage's numbers. */
const column = (s, /** @type {string} */ stage) => {
  const numbers = numbersIn(s, stage);
  return {
    head: stage === "scaled" && s.layer.scale === 1 ? "/ 1" : s.t(`name.${stage}`),
    cell: (_, i) => numberText(numbers[i]),
    csv: (_, i) => numbers[i],
  };
};

/** Stages that belong together, place by place. */
function vectors(s, /** @type {string} */ name, /** @type {string[]} */ stages) {
  const { t, layer } = s;
  const isWay = stages[0] === "concat";
  const headOf = (/** @type {number} */ i) => Math.floor(i / layer.dk);
  const head = {
    text: true,
    cell: (_, i) => t(layer.kept[headOf(i)] ? "head.line" : "head.off", { head: headOf(i) + 1 }),
    csv: (_, i) => headOf(i) + 1,
  };
  return {
    name,
    file: `microscope-${stages.at(-1)}`,
    class: `hl-micro-${stages.at(-1)}`,
    rows: [...numbersIn(s, stages[0])],
    chosen: (_, i) => stages.includes(s.stage) && i === s.place,
    onChoose: (_, i) => s.pick({ stage: stages.includes(s.stage) ? s.stage : stages[0], place: i }),
    columns: {
      dimension: { cell: (_, i) => i + 1 },
      ...(isWay ? { head } : {}),
      ...Object.fromEntries(stages.map((stage) => [stage, column(s, stage)])),
    },
  };
}

/** One row a key: its dot product, scaled, masked, its exponential and its weight. */
function keySheet(s, /** @type {string} */ name) {
  const { t, keys, at, head } = s;
  const stages = keyStagesOf(s.layer);
  const total = head.weights.reduce((a, b) => a + b, 0);
  return {
    name,
    file: "microscope-weight",
    class: "hl-micro-weight",
    rows: keys,
    chosen: (_, i) => i === at.col,
    onChoose: (_, i) => s.pick({ stage: s.isKeyed ? s.stage : "weight", col: i }),
    columns: {
      key: { text: true, cell: (label) => token(label), csv: ({ piece }) => piece },
      ...Object.fromEntries(stages.map((stage) => [stage, column(s, stage)])),
    },
    foot: [t("sum"), ...stages.slice(2).map(() => ""), numberText(head.sum), numberText(total)],
  };
}

/** All summands of the picked number. */
const termSheet = ({ t, origin: { terms, tail }, stage, place, isKeyed }) => ({
  name: t("terms", { n: terms.length, name: t(`name.${stage}`), place: isKeyed ? "" : place + 1 }),
  file: `microscope-terms-${stage}`,
  class: "hl-micro-terms",
  rows: [...terms, ...(tail ? [tail] : [])],
  columns: {
    dimension: { cell: (_, i) => (i < terms.length ? i + 1 : "") },
    term: { text: true, cell: (term) => term },
  },
});

/** Every number of the scene, for a file. */
export function allNumbers({ at, head, row }) {
  const plain = (values) =>
    Object.fromEntries(
      Object.entries(values).map(([name, one]) => [
        name,
        ArrayBuffer.isView(one) ? [.../** @type {any} */ (one)] : one,
      ]),
    );
  return { at, head: plain(head), row: plain(row) };
}
