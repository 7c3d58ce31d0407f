// Two sentences, one transplant: a state of the first is copied into the run of the second; the
// share of the way shows where the difference between them is.

import { button, select } from "../../../assets/kit/choice.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { choice } from "../../../assets/kit/fields.js";
import { text, whole } from "../../../assets/kit/keep.js";
import { scriptOf } from "../../../assets/kit/languages.js";
import { percentText, signedText, weightText } from "../../../assets/kit/numbers.js";
import { langOf, token } from "../../../assets/kit/token.js";
import { html, live, nothing } from "../../../assets/vendor/lit-html.js";
import { picture } from "./picture.js";
import { headsOf, labelled, lastingUntil, statesOf, strongest } from "./shares.js";

const LEAST = 0.3; // share of the way: a single state with less is not pointed out

export const { mount } = exhibit({
  name: "transplant",
  fields: ({ longest, most_steps: most }) => ({
    giver: { first: null, fits: text(longest) }, // null: the first example
    receiver: { first: null, fits: text(longest) },
    what: choice(["states", "heads"], { first: "states" }),
    step: { first: 0, fits: whole(0, most) }, // from 1; 0: where the two differ most
  }),
  ask: (s) => ["transplant", { ...sentencesOf(s), step: s.step }],
  scene,
  finding,
  nothing: ({ best }) => best.share < LEAST,
  picture,
  controls: [examples, swap, "what", partings],
  adjust: [boxes],
  numbers: (s) => [stateSheet(s), ...(s.heads?.value ? [headSheet(s)] : [])],
  reading: ({ t, answer: { differences, token: own, instead_of: other } }) => {
    const [giver, receiver] = differences.map((one) => signedText(one, 2));
    const words = { token: own.text, other: other.text, giver, receiver };
    return html`<p>${t("way", words)}</p><p>${t("map.says")}</p><p>${t("caveat")}</p>`;
  },
});

/** The examples for the visitor's script; of a model of letters its own, two letters exchanged. */
function pairsFor({ page, record }) {
  const own = record.model.examples.map((text) => [text, exchanged(text)]);
  const pairs = own.filter(([text, other]) => text !== other);
  return pairs.length > 0 ? pairs : page.facts.pairs[scriptOf(record.text)];
}

/** A text with its first two neighbours that differ exchanged. @param {string} text */
const exchanged = (text) => text.replace(/(.)(?!\1)(.)/u, "$2$1");

/** The two sentences of the question. */
function sentencesOf(s) {
  const [[giver, receiver]] = pairsFor(s);
  return { giver: s.giver ?? giver, receiver: s.receiver ?? receiver };
}

function scene(s) {
  const { answer, ask, what, step } = s;
  return {
    columns: labelled(answer.giver, answer.receiver),
    best: strongest(answer.encoder),
    heads: what === "heads" ? ask("transplant_heads", { ...sentencesOf(s), step }) : null,
  };
}

/** The single encoder state with the largest share, and the last layer at which it is large. */
function finding({ say, answer, best, columns }) {
  const values = { share: percentText(best.share), word: columns[best.position] };
  const all = { ...values, token: answer.token };
  if (best.share < LEAST) return say("finding.spread", all);
  const n = lastingUntil(answer.encoder, best);
  const isWhole = best.share >= 1; // what overshoots has gone all the way
  if (n < answer.encoder.length - 1) {
    return say(isWhole ? "finding.until.whole" : "finding.until", { ...all, n });
  }
  const layers = answer.encoder.slice(1); // before them, the input
  const least = Math.min(...layers.map((row) => row[best.position]));
  if (least >= 1) return say("finding.top.whole", all);
  return say(isWhole ? "finding.top.least" : "finding.top", { ...all, least: percentText(least) });
}

/** Pairs of one word swapped. */
function examples(s) {
  const { t, set } = s;
  const [pairs, { giver, receiver }] = [pairsFor(s), sentencesOf(s)];
  const at = pairs.findIndex(([one, other]) => one === giver && other === receiver);
  const names = pairs.map(([one, other], i) => ({ value: String(i), label: `${one} → ${other}` }));
  return select({
    label: t("example"),
    quiet: true,
    class: "hl-transplant-example",
    value: String(at),
    options: at < 0 ? [{ value: "-1", label: t("own") }, ...names] : names,
    onChange: (i) => set({ giver: pairs[i][0], receiver: pairs[i][1], step: 0 }),
  });
}

/** Both directions matter: they differ. */
function swap(s) {
  const { t, set } = s;
  const { giver, receiver } = sentencesOf(s);
  const onClick = () => set({ giver: receiver, receiver: giver, step: 0 });
  return button({ label: t("swap"), class: "hl-transplant-swap", onClick });
}

/** The steps at which the two lead to different words. */
function partings({ t, answer, set }) {
  if (!answer || answer.partings.length < 2) return nothing;
  return select({
    label: t("step"),
    class: "hl-transplant-step",
    value: String(answer.step),
    options: answer.partings.map(({ step, token: own, instead_of: other }) => ({
      value: String(step),
      label: t("step.n", { n: step, own: own.text, other: other.text }),
    })),
    onChange: (step) => set({ step: Number(step) }),
  });
}

/** The visitor's own sentences: sent when a box loses focus or Enter is pressed. */
function boxes(s) {
  const { t, page, set } = s;
  const sentences = sentencesOf(s);
  return html`<div class="hl-transplant-boxes">
  ${["giver", "receiver"].map(
    (name) => html`<label><span>${t(name)}</span>
      <input type="text" lang=${langOf(sentences[name])} maxlength=${page.facts.longest} autocomplete="off"
        .value=${live(sentences[name])} @change=${(event) => set({ [name]: event.target.value, step: 0 })}></label>`,
  )}</div>`;
}

const shareColumn = { cell: ({ share }) => weightText(share), csv: ({ share }) => share };

const stateSheet = ({ t, answer, columns }) => ({
  name: t("states"),
  file: "transplant-states",
  class: "hl-transplant-states",
  rows: statesOf(answer, columns),
  columns: {
    stack: { text: true, cell: ({ stack }) => t(stack), csv: ({ stack }) => stack },
    layer: { cell: ({ layer }) => layer },
    position: { cell: ({ position }) => position + 1 },
    token: { text: true, cell: ({ label }) => token(label), csv: ({ label }) => label.text },
    share: shareColumn,
  },
});

const headSheet = ({ t, page, heads }) => ({
  name: t("heads"),
  file: "transplant-heads",
  class: "hl-transplant-heads",
  rows: headsOf(heads.value),
  columns: {
    kind: { text: true, cell: ({ kind }) => page.t(`kind.${kind}`), csv: ({ kind }) => kind },
    layer: { cell: ({ layer }) => layer + 1 },
    head: { cell: ({ head }) => head + 1 },
    share: shareColumn,
  },
});
