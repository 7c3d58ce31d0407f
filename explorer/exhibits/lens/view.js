// The prediction of each decoder layer at every step, and the tokens near one in the embedding; or
// the decoder's output when it reads a lower layer of the encoder.

import { exhibit } from "../../../assets/kit/exhibit.js";
import { choice } from "../../../assets/kit/fields.js";
import { percentText, roundPercent, weightText } from "../../../assets/kit/numbers.js";
import { pending } from "../../../assets/kit/request.js";
import { marked } from "../../../assets/kit/sentence.js";
import { steps } from "../../../assets/kit/telling.js";
import { distinct, token } from "../../../assets/kit/token.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { picture } from "./picture.js";
import { spokenFinding, spokenList, spokenSheet, standsFrom } from "./spoken.js";

const QUESTIONS = { decoder: "lens", encoder: "decoder_lens" };

export const { mount } = exhibit({
  name: "lens",
  fields: () => ({ stack: choice(Object.keys(QUESTIONS), { first: "decoder" }) }),
  ask: ({ stack }) => [QUESTIONS[stack], {}],
  scene: ({ answer: { layers }, record, selection: { step } }) => ({
    written: record.tgt_out[step],
    column: layers?.map((steps) => steps[step]),
  }),
  telling: ({ answer, record }) =>
    answer?.layers ? steps(record, (step) => doubtOf(answer.layers, record, step)) : null,
  cell: ({ selection: { step } }) => ({ step, weights: null }),
  finding: (s) => (s.answer.spoken ? spokenFinding(s) : finding(s)),
  nothing: ({ answer: { spoken }, column, written }) =>
    spoken ? standsFrom(spoken) === 0 : column.every(([first]) => first.id === written.id),
  picture: (s, size) => (s.answer.spoken ? spokenList(s) : picture(s, size)),
  files: ({ answer }) => (answer.spoken ? { svg: null } : {}),
  controls: ["stack"],
  numbers: (s) => [
    s.answer.spoken ? spokenSheet(s) : layerSheet(s),
    nearSheet(s, "source", s.record.src[s.selection.src]),
    nearSheet(s, "target", s.written),
  ],
  reading: ({ t, answer }) => html`<p>${t(answer.spoken ? "spoken.note" : "note")}</p>`,
});

/** How sure the last layer that would write another token is of it, and the next one of the written
 * token; 0 if that is the embedding, which repeats its input, or the top, which wrote it. */
function doubtOf(layers, { tgt_out: written }, /** @type {number} */ step) {
  const firsts = layers.map((tokens) => tokens[step][0]);
  const last = firsts.findLastIndex(({ id }) => id !== written[step].id);
  if (last <= 0 || last === firsts.length - 1) return 0;
  return Math.exp(firsts[last].log_prob + firsts[last + 1].log_prob);
}

/** The layer from which the written token is the first choice, and the first choice before it. */
function finding({ say, written, column }) {
  const chance = ({ log_prob }) => marked(roundPercent(Math.exp(log_prob)));
  const firsts = column.map(([first]) => first);
  const top = firsts.at(-1);
  const last = firsts.findLastIndex(({ id }) => id !== written.id); // the last that disagrees
  if (last === firsts.length - 1) return say("finding.other", { written, top, p: chance(top) });
  if (last < 0) return say("finding.always", { written, p: chance(top) });
  if (last === 0) return say("finding.first", { written, p: chance(top) }); // it repeats its input
  return say("finding.lead", {
    written,
    n: last,
    p: chance(firsts[last + 1]),
    before: firsts[last],
  });
}

/** The most likely tokens of every layer at the chosen step. */
const layerSheet = ({ t, column, written, selection: { step } }) => ({
  name: t("name", { n: step + 1 }),
  file: `lens-step${step + 1}`,
  class: "hl-lens-table",
  rows: column.flatMap((tokens, layer) =>
    distinct(tokens).map((label, i) => ({ layer, rank: i + 1, label, ...tokens[i] })),
  ),
  chosen: ({ id }) => id === written.id,
  columns: {
    layer: { cell: ({ layer }) => layer },
    rank: { cell: ({ rank }) => rank },
    token: { text: true, cell: ({ label }) => token(label), csv: ({ piece }) => piece },
    id: { cell: ({ id }) => id },
    log_prob: {
      cell: ({ log_prob }) => percentText(Math.exp(log_prob)),
      csv: ({ log_prob }) => log_prob,
    },
  },
});

/** The nearest neighbours of a token of one side. */
function nearSheet({ t, page, ask }, side, label) {
  const answer = ask("near", { id: label.id, side });
  const { tokens = [], shared = false } = answer.value ?? {};
  const note = html`${t("near.note")} ${shared ? t("near.shared") : ""}`;
  return {
    name: t(`near.${side}`, { token: label.line ?? label.text }),
    file: `lens-near-${side}`,
    class: `hl-lens-near hl-lens-${side}`,
    note: answer.value ? note : pending(page, answer),
    rows: tokens,
    columns: {
      token: { text: true, cell: (one) => token(one), csv: ({ piece }) => piece },
      cosine: { cell: ({ cosine }) => weightText(cosine), csv: ({ cosine }) => cosine },
    },
  };
}
