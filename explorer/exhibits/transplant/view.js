// Two sentences, one transplant: a state of the first is copied into the run of the second; the
// share of the way shows where the difference between them is.

import { button, select } from "../../../assets/kit/choice.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { choice } from "../../../assets/kit/fields.js";
import { text, whole } from "../../../assets/kit/keep.js";
import { ownOf } from "../../../assets/kit/languages.js";
import { roundPercent, signedText, weightText } from "../../../assets/kit/numbers.js";
import { inTurns, pending } from "../../../assets/kit/request.js";
import { KINDS } from "../../../assets/kit/selection.js";
import { marked } from "../../../assets/kit/sentence.js";
import { langOf, token } from "../../../assets/kit/token.js";
import { html, live, nothing } from "../../../assets/vendor/lit-html.js";
import { picture } from "./picture.js";
import { headsOf, labelled, lastingUntil, sharesOf, statesOf, strongest } from "./shares.js";

/** @typedef {import("../../../assets/kit/types.js").Label} Label */
/** @typedef {import("./shares.js").Transplants} Transplants */
/** @typedef {import("./shares.js").Shares} Shares */
/** @typedef {import("../../../assets/kit/request.js").Answer} Answer */
/** @typedef {"giver"|"receiver"} Role of a sentence */

/**
 * The visitor's sentences, null for the first example; `step`: 0 where the two differ most.
 * @typedef {import("../../../assets/kit/exhibit.js").Base & Record<Role, string|null> & {step: number,
 *   what: string, answer: Transplants & {args: object},
 *   subject: {first: import("../../../assets/kit/types.js").Rec|null}}} Given
 *
 * `open`: the turn that is still missing. Once all are there, `states` has the shares of the way,
 * `best` the largest one; `heads`, if they are shown, by kind. `columns`: the receiver's tokens.
 * @typedef {Given & {open: null, columns: Label[], states: {encoder: Shares, decoder: Shares},
 *   best: import("./shares.js").Best,
 *   heads: {open: Answer|null, kinds: Record<string, Shares>}|null}} Done
 *
 * @typedef {Done|(Given & {open: Answer})} Scene
 */

/** @type {Role[]} */
const ROLES = ["giver", "receiver"];
const WHOLE = 0.995; // of the way, to a percent; what overshoots has gone all of it
const LEAST = 0.3; // share of the way: a single state with less is not pointed out

/** @type {import("../../../assets/kit/exhibit.js").View<Scene>} */
const VIEW = {
  name: "transplant",
  fields: ({ longest, most_steps: most }) => ({
    giver: { first: null, fits: text(longest) }, // null: the first example
    receiver: { first: null, fits: text(longest) },
    what: choice(["states", "heads"], { first: "states" }),
    step: { first: 0, fits: whole(0, most) }, // from 1; 0: where the two differ most
  }),
  engine: () => ({ subject: { first: null } }),
  ask: (s) => ["transplant", { ...sentencesOf(s), step: s.step, first: 0 }, subjectOf(s)],
  prepare: (reply, _, args) => ({ ...reply, args }),
  scene,
  finding: (s) => (s.open ? s.page.t("request.waiting") : finding(s)),
  nothing: (s) => s.open === null && s.best.share < LEAST,
  picture: (s, size) => (s.open ? pending(s.page, s.open) : picture(s, size)),
  controls: [examples, swap, "what", partings],
  adjust: [boxes],
  numbers: (s) =>
    s.open ? [] : [stateSheet(s), ...(s.heads?.open === null ? [headSheet(s, s.heads.kinds)] : [])],
  reading: ({ t, answer: { differences, token: own, instead_of: other } }) => {
    const [giver, receiver] = differences.map((one) => signedText(one, 2));
    const words = { token: own.text, other: other.text, giver, receiver };
    return html`<p>${t("way", words)}</p><p>${t("map.says")}</p><p>${t("caveat")}</p>`;
  },
};

export const { mount } = exhibit(VIEW);

/** The examples for the visitor's language; of a model of letters its own, two letters exchanged.
 * @param {Pick<Scene, "page"|"record">} s @returns {[string, string][]} */
function pairsFor({ page, record }) {
  const own = record.model.examples.map(
    (text) => /** @type {[string, string]} */ ([text, exchanged(text)]),
  );
  const pairs = own.filter(([text, other]) => text !== other);
  return pairs.length > 0 ? pairs : ownOf(page.facts.pairs, record.text);
}

/** A text with its first two neighbours that differ exchanged. @param {string} text */
const exchanged = (text) => text.replace(/(.)(?!\1)(.)/u, "$2$1");

/** The two sentences of the question.
 * @param {Pick<Scene, "page"|"record"|Role>} s @returns {Record<Role, string>} */
function sentencesOf(s) {
  const [[giver, receiver]] = pairsFor(s);
  return { giver: s.giver ?? giver, receiver: s.receiver ?? receiver };
}

/** The first record of a model: the two sentences are their own, so that one answer serves all.
 * @param {Pick<Given, "record"|"subject">} s */
function subjectOf({ record, subject }) {
  if (record.recorded) return record;
  if (subject.first?.model.key !== record.model.key) subject.first = record;
  return subject.first ?? record;
}

/** @param {Given} s @returns {Partial<Scene>} */
function scene(s) {
  const { record, answer, ask, what } = s;
  const { differences, giver, receiver, read } = answer;
  const first = { value: answer, waiting: false, error: null, retry: () => {} };
  const about = (/** @type {unknown} */ _, /** @type {any} */ args) =>
    args.first === 0 ? first : ask("transplant", args, subjectOf(s));
  const { values, open } = inTurns(about, record, answer.args);
  if (open) return { open };
  const { encoder_self: encoders, decoder_self: decoders } = record.attention;
  const [encoder, decoder] = sharesOf(values, differences, [
    [encoders.layers + 1, receiver.length],
    [decoders.layers + 1, read.length],
  ]);
  return {
    open,
    columns: labelled(giver, receiver),
    states: { encoder, decoder },
    best: strongest(encoder),
    heads: what === "heads" ? headsFor(s) : null,
  };
}

/** The shares of the heads by kind, once all are there. @param {Given} s */
function headsFor(s) {
  const { answer, ask } = s;
  const { attention } = s.record;
  const about = (/** @type {unknown} */ subject, /** @type {object} */ args) =>
    ask("transplant_heads", args, subject);
  const { values, open } = inTurns(about, subjectOf(s), answer.args);
  const sizes = KINDS.map((kind) => [attention[kind].layers, attention[kind].heads]);
  const shares = sharesOf(values, answer.differences, /** @type {[number, number][]} */ (sizes));
  return { open, kinds: Object.fromEntries(KINDS.map((kind, i) => [kind, shares[i]])) };
}

/** The single encoder state with the largest share, and the last layer at which it is large.
 * @param {Done} s */
function finding({ t, say, answer, states: { encoder }, best }) {
  const [giver, own] = [answer.giver, answer.receiver].map((labels) => labels[best.position]);
  const what = t(giver.id === own.id ? "copied" : "copied.over");
  const share = marked(roundPercent(best.share));
  const all = { what, giver, own, share, token: answer.token };
  if (best.share < LEAST) return say("finding.spread", all);
  const n = lastingUntil(encoder, best);
  const isWhole = best.share >= WHOLE;
  if (n < encoder.length - 1) {
    return say(isWhole ? "finding.until.whole" : "finding.until", { ...all, n });
  }
  const layers = encoder.slice(1); // before them, the input
  const least = Math.min(...layers.map((row) => row[best.position]));
  if (least >= WHOLE) return say("finding.top.whole", all);
  return say(isWhole ? "finding.top.least" : "finding.top", {
    ...all,
    least: marked(roundPercent(least)),
  });
}

/** Pairs of one word swapped. @param {Scene} s */
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
    onChange(i) {
      const [giver, receiver] = pairs[Number(i)];
      set({ giver, receiver, step: 0 });
    },
  });
}

/** Both directions matter: they differ. @param {Scene} s */
function swap(s) {
  const { t, set } = s;
  const { giver, receiver } = sentencesOf(s);
  const onClick = () => set({ giver: receiver, receiver: giver, step: 0 });
  return button({ label: t("swap"), class: "hl-transplant-swap", onClick });
}

/** The steps at which the two lead to different words, once they are known.
 * @param {Pick<Scene, "t"|"set"> & {answer: Transplants|null}} s */
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

/** The visitor's own sentences: sent when a box loses focus or Enter is pressed.
 * @param {Scene} s */
function boxes(s) {
  const { t, page, set } = s;
  const sentences = sentencesOf(s);
  /** @type {(name: Role) => (event: import("../../../assets/kit/types.js").Typed) => void} */
  const keep = (name) => (event) => set({ [name]: event.target.value, step: 0 });
  return html`<div class="hl-transplant-boxes">
  ${ROLES.map(
    (name) => html`<label><span>${t(name)}</span>
      <input type="text" lang=${langOf(sentences[name])} maxlength=${page.facts.longest} autocomplete="off"
        .value=${live(sentences[name])} @change=${keep(name)}></label>`,
  )}</div>`;
}

/** @type {import("../../../assets/kit/sheet.js").SheetColumn<{share: number}>} */
const shareColumn = { cell: ({ share }) => weightText(share), csv: ({ share }) => share };

/** @param {Done} s
 * @returns {import("../../../assets/kit/sheet.js").Sheet<import("./shares.js").State>} */
const stateSheet = ({ t, answer, states, columns }) => ({
  name: t("states"),
  file: "transplant-states",
  class: "hl-transplant-states",
  rows: statesOf(states, answer.read, columns),
  columns: {
    stack: { text: true, cell: ({ stack }) => t(stack), csv: ({ stack }) => stack },
    layer: { cell: ({ layer }) => layer },
    position: { cell: ({ position }) => position + 1 },
    token: { text: true, cell: ({ label }) => token(label), csv: ({ label }) => label.text },
    share: shareColumn,
  },
});

/** @param {Scene} s @param {Record<string, import("./shares.js").Shares>} kinds
 * @returns {import("../../../assets/kit/sheet.js").Sheet<import("./shares.js").Head>} */
const headSheet = ({ t, page }, kinds) => ({
  name: t("heads"),
  file: "transplant-heads",
  class: "hl-transplant-heads",
  rows: headsOf(kinds),
  columns: {
    kind: { text: true, cell: ({ kind }) => page.t(`kind.${kind}`), csv: ({ kind }) => kind },
    layer: { cell: ({ layer }) => layer + 1 },
    head: { cell: ({ head }) => head + 1 },
    share: shareColumn,
  },
});
