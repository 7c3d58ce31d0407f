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
 * The log-probs of the tokens written, by decoder, and the means of their probabilities. `answer` has
 * those that every model has, `cheats` those of the decoder trained without the mask; `names` are
 * the decoders that are there.
 * @typedef {import("../../../assets/kit/exhibit.js").Base & {answer: number[][],
 *   cheats: import("../../../assets/kit/request.js").Answer<number[][]>, names: Decoder[],
 *   runs: Record<string, number[]>, means: Record<string, number>}} Scene
 */

/** @type {Decoder[]} */
const USUAL = ["shipped", "unmasked"];
/** @type {Decoder[]} */
const CHEATS = ["cheater", "blindfold"];

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
  ask: ({ record, kept }) => ["record", {}, kept(record, "", () => requestsOf(record, USUAL))],
  instead: ({ model }) => model,
  lacks: ({ cheats }) => Boolean(cheats.error?.isAway),
  prepare: (records) => records.map(logProbsOf),
  scene,
  finding,
  nothing: ({ cheats, means }) => cheats.value !== null && means.cheater <= means.shipped,
  picture: ({ t, page, record, selection, names, runs, means }, size) =>
    bands(
      {
        name: t("tokens"),
        labels: record.tgt_out,
        chosen: selection.step,
        onChoose: (step) => page.choose({ step }),
        bands: names.map((name) => ({
          value: percentText(means[name]),
          name: t(name),
          note: t(`${name}.why`),
          heights: runs[name].map(Math.exp),
          texts: runs[name].map((one) => percentText(Math.exp(one))),
          marks: name === "shipped" ? undefined : runs.shipped.map(Math.exp),
        })),
      },
      size,
    ),
  numbers: (s) => [tokenSheet(s)],
  reading: ({ t, page }) => html`<p>${t("rows")}</p>
    <p>${t("note", { updates: page.facts.updates })}</p>`,
};

export const { mount } = exhibit(VIEW);

/** The requests for what some decoders make of the tokens on the page.
 * @param {Rec} record @param {Decoder[]} names */
const requestsOf = (record, names) => names.map((name) => forced(record, ...RUNS[name], ["steps"]));

/** @param {Scene} s */
function scene({ answer, ask, record, kept }) {
  const subject = kept(record, "cheats", () => requestsOf(record, CHEATS));
  const cheats = ask("record", {}, subject);
  const all = [...answer, ...(cheats.value ?? [])];
  const names = [...USUAL, ...CHEATS].slice(0, all.length);
  return {
    cheats,
    names,
    runs: Object.fromEntries(names.map((name, i) => [name, all[i]])),
    means: Object.fromEntries(names.map((name, i) => [name, mean(all[i])])),
  };
}

/** @param {Scene} s */
function finding({ say, cheats, means }) {
  if (cheats.waiting) return "…";
  const [shipped, unmasked, cheater] = ["shipped", "unmasked", "cheater"].map(
    (name) => name in means && marked(roundPercent(means[name])),
  );
  if (!cheater) return say("finding.unmasked", { shipped, unmasked });
  const key = means.cheater > means.shipped ? "finding.copies" : "finding.long";
  return say(key, { cheater, shipped });
}

/** @param {import("../../../assets/kit/types.js").Partly<"steps">} record */
const logProbsOf = ({ steps }) => steps.map(({ log_prob: logProb }) => logProb);

/** The mean of the probabilities of some log-probs. @param {number[]} logProbs */
const mean = (logProbs) => logProbs.reduce((sum, x) => sum + Math.exp(x), 0) / logProbs.length;

/** @param {Scene} s @returns {import("../../../assets/kit/sheet.js").Sheet<Label>} */
const tokenSheet = ({ t, page, record, selection, names, runs }) => ({
  name: t("tokens"),
  class: "hl-cheat-table",
  rows: record.tgt_out,
  chosen: (_, i) => i === selection.step,
  onChoose: (_, i) => page.choose({ step: i }),
  columns: {
    token: { text: true, cell: (label) => token(label), csv: ({ piece }) => piece },
    ...Object.fromEntries(
      names.map((name) => [
        name,
        {
          cell: (_, i) => percentText(Math.exp(runs[name][i])),
          csv: (_, i) => runs[name][i],
        },
      ]),
    ),
  },
  foot: [t("sum"), ...names.map((name) => signedText(runs[name].reduce((sum, x) => sum + x, 0)))],
});
