// One head in numbers: one query, every number between q · k and the sub-layer's output, each with
// the numbers that it was made of.

import { exhibit } from "../../../assets/kit/exhibit.js";
import { index } from "../../../assets/kit/fields.js";
import { headChoice } from "../../../assets/kit/headchoice.js";
import { oneOf } from "../../../assets/kit/keep.js";
import { roundPercent } from "../../../assets/kit/numbers.js";
import { marked } from "../../../assets/kit/sentence.js";
import { createMatrices, matrixKey, openLayer } from "../../../assets/kit/sublayer.js";
import { headRows } from "../../../assets/kit/telling.js";
import { picture } from "./picture.js";
import { createCopied, reading } from "./reading.js";
import { scene } from "./scene.js";
import { allNumbers, sheets } from "./sheets.js";
import { STAGE_NAMES } from "./trace.js";

/** Answered in a saved file: the head that is chosen. Each one takes half a megabyte. */
export function questions(_, /** @type {any} */ { selection }) {
  const { kind, layer, head } = selection.get();
  const when = { kind, layer, head };
  return [{ question: "microscope_head", args: { ...when, matrix: true }, when }];
}

const keyOf = (record, { kind, layer }) => matrixKey(record.model, kind, layer);

export const { mount } = exhibit({
  name: "microscope",
  fields: () => ({
    stage: { first: "weight", fits: oneOf(STAGE_NAMES) }, // of the number that is picked
    place: index(0, 65_535), // and which of them
  }),
  engine: (_, redraw) => ({ matrices: createMatrices(), copied: createCopied(redraw) }),
  ask: ({ selection: { kind, layer, head } }) => ["microscope_head", { kind, layer, head }],
  add: (args, record, { matrices }) => ({ matrix: !matrices.has(keyOf(record, args)) }),
  prepare: async (reply, record, args, { matrices }) => ({
    args,
    numbers: matrices.complete(keyOf(record, args), await openLayer(reply)),
  }),
  scene: (s) => {
    const made = scene(s);
    return { ...made, pick: (/** @type {any} */ one) => pick(s, made.at.row, one) };
  },
  telling: headRows,
  cell: ({ at: { kind, row, col }, selection: { labels } }) =>
    kind === "encoder_self"
      ? { src: row }
      : { src: kind === "cross" ? col : null, step: row, offset: labels === "reads" ? 0 : 1 },
  finding,
  nothing: ({ head }) => openOf(head) === 1,
  picture,
  controls: [
    (s) => headChoice(s, "kind"),
    (s) => headChoice(s, "layer"),
    (s) => headChoice(s, "head"),
  ],
  adjust: [(s) => headChoice(s, "row"), (s) => headChoice(s, "col", s.selection.col ?? s.at?.col)],
  numbers: sheets,
  reading,
  files: (s) => ({ json: () => allNumbers(s) }),
});

/** Picks a number; of a key, the key too. */
function pick({ set }, /** @type {number} */ row, { stage, place, col }) {
  set({
    stage,
    ...(place === undefined ? {} : { place }),
    ...(col === undefined ? {} : { selection: { row, col } }),
  });
}

/** How many keys may be read. */
const openOf = ({ masked }) => masked.filter(Number.isFinite).length;

/** How much the chosen key gets, and what its score has to do with it. */
function finding({ say, query, keys, at, head, lead }) {
  const { weights, masked } = head;
  const best = masked.reduce((most, score, j) => (score > masked[most] ? j : most), 0);
  const values = {
    query,
    key: keys[at.col],
    p: marked(roundPercent(weights[at.col])),
  };
  if (masked[at.col] === -Infinity) return say("finding.masked", values);
  if (openOf(head) === 1) return say("finding.only", values);
  if (lead !== null) return say("finding.most", { ...values, lead: marked(lead) });
  const q = marked(roundPercent(weights[best]));
  return say("finding.less", { ...values, best: keys[best], q });
}
