// The decoder cheats: four decoders on the same tokens, one of them trained without the mask.

import { bands } from "../../../assets/kit/bands.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { percentText, roundPercent, signedText } from "../../../assets/kit/numbers.js";
import { forced } from "../../../assets/kit/requests.js";
import { marked } from "../../../assets/kit/sentence.js";
import { token } from "../../../assets/kit/token.js";
import { html } from "../../../assets/vendor/lit-html.js";

/** @typedef {import("../../../assets/kit/types.js").Label} Label */
/** @typedef {import("../../../assets/kit/types.js").Rec} Rec */
/** @typedef {"shipped"|"unmasked"|"cheater"|"blindfold"} Decoder */
/**
 * The log-probs of the tokens written, by decoder, and the means of their probabilities.
 * @typedef {import("../../../assets/kit/exhibit.js").Base & {answer: Record<Decoder, number[]>,
 *   means: Record<string, number>}} Scene
 */

/** @type {Decoder[]} */
const DECODERS = ["shipped", "unmasked", "cheater", "blindfold"];

/** What differs: the weights, and the mask. @type {Record<Decoder, [string, object]>} */
const RUNS = {
  shipped: ["", {}],
  unmasked: ["", { causal_mask: false }],
  cheater: ["cheat", { causal_mask: false }],
  blindfold: ["cheat", {}],
};

/** @type {import("../../../assets/kit/exhibit.js").View<Scene>} */
const VIEW = {
  name: "cheat",
  ask: ({ record, kept }) => ["record", {}, kept(record, "", () => decodersOf(record))],
  instead: ({ model }) => model,
  prepare: (records) =>
    Object.fromEntries(DECODERS.map((name, i) => [name, logProbsOf(records[i])])),
  scene: ({ answer }) => ({
    means: Object.fromEntries(DECODERS.map((name) => [name, mean(answer[name])])),
  }),
  finding: ({ say, means: { cheater, shipped } }) =>
    say(cheater > shipped ? "finding.copies" : "finding.long", {
      cheater: marked(roundPercent(cheater)),
      shipped: marked(roundPercent(shipped)),
    }),
  nothing: ({ means }) => means.cheater <= means.shipped,
  picture: ({ t, page, record, selection, answer, means }, size) =>
    bands(
      {
        name: t("tokens"),
        labels: record.tgt_out,
        chosen: selection.step,
        onChoose: (step) => page.choose({ step }),
        bands: DECODERS.map((name) => ({
          value: percentText(means[name]),
          name: t(name),
          note: t(`${name}.why`),
          heights: answer[name].map(Math.exp),
          texts: answer[name].map((one) => percentText(Math.exp(one))),
          marks: name === "shipped" ? undefined : answer.shipped.map(Math.exp),
        })),
      },
      size,
    ),
  numbers: (s) => [tokenSheet(s)],
  reading: ({ t, page }) => html`<p>${t("rows")}</p>
    <p>${t("note", { updates: page.facts.updates })}</p>`,
};

export const { mount } = exhibit(VIEW);

/** The requests for what each decoder makes of the tokens on the page. @param {Rec} record */
const decodersOf = (record) => DECODERS.map((name) => forced(record, ...RUNS[name], ["steps"]));

/** @param {import("../../../assets/kit/types.js").Partly<"steps">} record */
const logProbsOf = ({ steps }) => steps.map(({ log_prob: logProb }) => logProb);

/** The mean of the probabilities of some log-probs. @param {number[]} logProbs */
const mean = (logProbs) => logProbs.reduce((sum, x) => sum + Math.exp(x), 0) / logProbs.length;

/** @param {Scene} s @returns {import("../../../assets/kit/sheet.js").Sheet<Label>} */
const tokenSheet = ({ t, page, record, selection, answer }) => ({
  name: t("tokens"),
  class: "hl-cheat-table",
  rows: record.tgt_out,
  chosen: (_, i) => i === selection.step,
  onChoose: (_, i) => page.choose({ step: i }),
  columns: {
    token: { text: true, cell: (label) => token(label), csv: ({ piece }) => piece },
    ...Object.fromEntries(
      DECODERS.map((name) => [
        name,
        {
          cell: (_, i) => percentText(Math.exp(answer[name][i])),
          csv: (_, i) => answer[name][i],
        },
      ]),
    ),
  },
  foot: [
    t("sum"),
    ...DECODERS.map((name) => signedText(answer[name].reduce((sum, x) => sum + x, 0))),
  ],
});
