// Order: what the model does without positions, with shuffled or with shifted ones.

import { button, choice as radios } from "../../../assets/kit/choice.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { choice, local, menu, range } from "../../../assets/kit/fields.js";
import { oneOf, whole } from "../../../assets/kit/keep.js";
import { changeText, signedText, smallText } from "../../../assets/kit/numbers.js";
import { KINDS } from "../../../assets/kit/selection.js";
import { token } from "../../../assets/kit/token.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { equivariance } from "./equivariance.js";
import { pair } from "./pair.js";
import { decodeResult, files, runs, sameTokens, sums } from "./result.js";

const CHANGED = ["positions", "sides", "shift", "position_seed"];
const POSITIONS = ["none", "shuffled", "shifted"];
const SIDES = ["both", "source", "target"];
const SHOWS = ["runs", "pair", "encoder"];

export const { mount } = exhibit({
  name: "order",
  fields: ({ farthest, pairs }) => ({
    show: menu(SHOWS, { first: "runs", quiet: true }),
    positions: choice(POSITIONS, { first: "none" }),
    sides: { first: "both", fits: oneOf(SIDES) },
    shift: range(1, farthest, { first: 20 }),
    seed: { first: 0, fits: whole(0, 2 ** 31) },
    pair: { first: Object.keys(pairs)[0], fits: oneOf(Object.keys(pairs)) },
    draw: { first: 1, fits: whole(1, 1e9) },
    lit: local(null), // the cell that is looked at
  }),
  ask: (s) => QUESTIONS[s.show](s),
  prepare: (reply, _, args) => (reply.weights ? decodeResult(reply, args) : reply),
  scene({ show, answer, record }) {
    if (show !== "runs") return {};
    return { isSame: sameTokens(answer.ids, record.tgt_out), sums: sums(answer) };
  },
  finding: (s) => FINDINGS[s.show](s),
  nothing: ({ show, answer }) => NOTHING[show](answer),
  picture: (s, size) => PICTURES[s.show](s, size),
  controls: ["show", (s) => (s.show === "runs" ? "positions" : other(s)), amount],
  adjust: [(s) => (s.show === "runs" ? [sides(s), kinds(s), wholePage(s)] : nothing)],
  numbers: (s) => (s.show === "runs" && s.isSame ? [tokenSheet(s)] : []),
  reading: (s) => reading(s),
  files: (s) => (s.show === "runs" && s.isSame ? files(s) : { svg: null }),
});

/** The arguments of a change: a shift counts only where positions are shifted, a seed where they
 * are shuffled; and only the source, which is there from the start, can be shuffled alone. */
function changeOf(/** @type {any} */ { positions, sides: chosen, shift, seed }) {
  const isShuffled = positions === "shuffled";
  return {
    positions,
    sides: isShuffled && chosen === "target" ? "source" : chosen,
    shift: positions === "shifted" ? shift : 0,
    seed: isShuffled ? seed : 0,
  };
}

const QUESTIONS = {
  runs({ selection: { kind, layer, head }, ...s }) {
    return ["order", { ...changeOf(s), kind, layer, head }];
  },
  pair: ({ pair: name }) => ["pair", { pair: name }],
  encoder: ({ draw }) => ["equivariance", { seed: draw }],
};

const PICTURES = {
  runs,
  pair: (s) => pair(s.page, s.answer),
  encoder: (s) => equivariance(s.page, s.record.src, s.answer),
};

const FINDINGS = {
  runs({ t, positions, shift, answer, sums: [before, after] }) {
    const isSame = answer.before.text === answer.after.text;
    const values = { before: signedText(before), after: signedText(after) };
    const how = t(`how.${positions}`, { n: shift });
    return t(isSame ? "finding.same" : "finding.other", { how, ...values });
  },
  pair({ t, answer: { sentences } }) {
    const of = (name) => (sentences[0][name].text === sentences[1][name].text ? "alike" : "other");
    return t(`finding.pair.${of("kept")}.${of("none")}`);
  },
  encoder({ t, answer }) {
    const most = (name) => smallText(Math.max(...answer[name]));
    return t("finding.encoder", { none: most("none"), kept: most("kept") });
  },
};

/** Whether positions make no difference to what is compared. */
const NOTHING = {
  runs: ({ before, after }) => before.text === after.text,
  pair: ({ sentences: [one, other] }) => one.kept.text === other.kept.text,
  encoder: () => false,
};

/** Which pair of sentences, or another order. */
const other = ({ t, show, page, set, pair: chosen, draw }) =>
  show === "pair"
    ? html`<div class="hl-row" lang="en">${Object.entries(page.facts.pairs).map(([name, both]) =>
        button({
          label: /** @type {string[]} */ (both).join(" / "),
          pressed: name === chosen,
          class: `hl-order-${name}`,
          onClick: () => set({ pair: name }),
        }),
      )}</div>`
    : button({ label: t("encoder.again"), onClick: () => set({ draw: draw + 1 }) });

/** How far, or how else. */
function amount({ t, show, positions, set }) {
  if (show !== "runs" || positions === "none") return nothing;
  if (positions === "shifted") return "shift";
  const again = () => set(({ seed }) => ({ seed: seed + 1 }));
  return button({ label: t("again"), onClick: again });
}

function sides({ t, page, set, positions, sides: chosen }) {
  return radios({
    name: `${page.uid}-sides`,
    label: t("sides"),
    class: "hl-plain hl-order-sides",
    options: SIDES.map((value) => ({
      value,
      label: t(`sides.${value}`),
      disabled: value === "target" && positions === "shuffled",
    })),
    value: changeOf({ positions, sides: chosen, shift: 0, seed: 0 }).sides,
    onChange: (value) => set({ sides: value }),
  });
}

/** Which attention the maps are of; its head is the one selected on the page. */
const kinds = ({ t, page, selection: { kind } }) =>
  radios({
    name: `${page.uid}-kind`,
    label: t("kind"),
    class: "hl-plain",
    options: KINDS.map((value) => ({ value, label: page.t(`kind.${value}`) })),
    value: kind,
    onChange: (value) => page.choose({ kind: value }),
  });

/** The change for every view of the page, and the way back. */
function wholePage({ t, page: { explain }, record: { interventions }, ...s }) {
  const { seed, ...change } = changeOf(/** @type {any} */ (s));
  const rest = Object.entries(interventions).filter(([name]) => !CHANGED.includes(name));
  const isChanged = (interventions.positions ?? "kept") !== "kept";
  const moved = { ...interventions, ...change, position_seed: seed };
  const kept = Object.fromEntries(rest);
  const set = (/** @type {object} */ next) => () => explain({ interventions: next });
  return [
    button({ label: t("whole"), onClick: set(moved) }),
    isChanged ? button({ label: t("undo"), onClick: set(kept) }) : nothing,
  ];
}

/** The log-prob of each token of the normal run: there, and read by the changed model. */
function tokenSheet({ t, record, selection, page, answer, sums: [before, after] }) {
  const [own, changed] = answer.again;
  const change = (i) => changed[i] - own[i];
  return {
    name: t("original"),
    file: "order-tokens",
    class: "hl-order-tokens",
    rows: record.tgt_out,
    chosen: (_, i) => i === selection.step,
    onChoose: (_, i) => page.choose({ step: i }),
    columns: {
      token: { text: true, cell: (label) => token(label), csv: ({ text }) => text },
      before: { cell: (_, i) => signedText(own[i]), csv: (_, i) => own[i] },
      after: { cell: (_, i) => signedText(changed[i]), csv: (_, i) => changed[i] },
      change: { cell: (_, i) => changeText(change(i)), csv: (_, i) => change(i) },
    },
    foot: [t("total"), signedText(before), signedText(after), changeText(after - before)],
  };
}

const reading = ({ t, show, positions, answer }) =>
  show === "runs"
    ? html`<p>${t(`note.${positions}`)}</p><p>${t("axes")}</p>`
    : show === "pair"
      ? html`<p>${t("pair.said")}</p>`
      : html`<p>${t("encoder.said")}</p>
          <p>${t("encoder.size", { size: answer.size.toFixed(3) })}</p>`;
