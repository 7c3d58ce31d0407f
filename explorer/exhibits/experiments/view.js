// Experiments: you set the changes once; both models answer, side by side.

import { button, choice as radios, select } from "../../../assets/kit/choice.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { local, menu } from "../../../assets/kit/fields.js";
import { differences, filled, fromText, isUntouched } from "../../../assets/kit/interventions.js";
import { oneOf, orNull, text, whole } from "../../../assets/kit/keep.js";
import { hasLines } from "../../../assets/kit/readersline.js";
import { pending } from "../../../assets/kit/request.js";
import { KINDS } from "../../../assets/kit/selection.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { presets, stories } from "./change.js";
import { heads, masks, paint, positions } from "./heads.js";
import { mapFilesOf, maps, picks } from "./maps.js";
import { encoder, encoderFinding, otherOrder, pair, pairFinding, pairs } from "./order.js";
import { rankButton, rankSheets } from "./ranking.js";
import { comparison, originalOf, padded, textsOf, translations } from "./records.js";
import { FORMAT, nextSheet, nextTokens, texts, tokenBars, tokenSheet } from "./result.js";
import { finding as brokenFinding } from "./said.js";

const LONGEST = 20_000; // characters of the changes
// What pictures ask about other words than those on the page or their order.
const ASKED = {
  pair: (s, changes) => ["record", {}, pairOf(s, changes), "pair"],
  encoder: (s, changes) => ["equivariance", { seed: s.draw }, subjectOf(s, changes)],
};
// Changes for which the view's opener is measured (explorer/openers/effects.py).
const MEASURED = ["leak", "unordered"];
const SHOWS = ["tokens", "next", "attention", "paint", ...Object.keys(ASKED)];

export const { mount } = exhibit({
  name: "experiments",
  fields: ({ pairs: all }) => ({
    draft: { first: null, fits: orNull(text(LONGEST)) }, // as a text; null: the initial changes
    show: menu(SHOWS, { first: "tokens", quiet: true }),
    kind: { first: "cross", fits: oneOf(KINDS) }, // kind of the painted mask
    pair: { first: Object.keys(all.en)[0], fits: oneOf(Object.keys(all.en)) },
    draw: { first: 1, fits: whole(1, 1e9) },
    painting: local(null),
    looked: local(null),
    ranking: local(null), // the output of the ranking
  }),
  stores: (page) => [page.effects],
  engine: () => ({ seen: { answer: null, step: 0 } }), // the answer and step last scrolled to
  ask: (s) => ASKED[s.show]?.(s, changesOf(s)) ?? ["record", {}, comparedOf(s, changesOf(s))],
  prepare,
  scene(s) {
    const isPlain = isUntouched(s.answer.interventions, factsOf(s));
    return { changes: changesOf(s), isPlain, start: startOf(s, s.answer.interventions) };
  },
  telling,
  cell,
  finding,
  drawn,
  nothing: ({ show, answer, start }) =>
    !(show in ASKED) &&
    MEASURED.includes(start) &&
    answer.texts[0] === answer.texts[1] && ["draft"],
  picture,
  controls: [
    (s) => html`${starts(s)} ${network(s)}`,
    "show",
    (s) => CHOICES[s.show]?.(s) ?? nothing,
  ],
  adjust: [applied, (s) => rankButton(s)],
  numbers: (s) => [...(s.show in ASKED ? [] : [tokenSheet(s), nextSheet(s)]), ...rankSheets(s)],
  reading,
  files: (s) => (s.show === "attention" ? mapFilesOf(s) : { svg: null }),
});

const factsOf = ({ page }) => page.shared.interventions;

/**
 * The changes: from the link, else from the page, else an example of a broken model. What does not
 * exist for this sentence or model is left out, and only a source can be shuffled.
 */
function changesOf(s) {
  const { record, draft } = s;
  const facts = factsOf(s);
  if (draft !== null) return thereIn(record, filled(fromText(draft, facts), facts));
  const own = filled(record.interventions, facts);
  return isUntouched(record.interventions, facts) ? filled(presets(0).leak, facts) : own;
}

function thereIn({ attention, src, tgt_out: written, interventions }, changes) {
  const source = src.length - (interventions.padding ?? 0) + changes.padding;
  const isHead = ([kind, layer, head]) =>
    layer < attention[kind].layers && head < attention[kind].heads;
  const isCell = ([kind, row, col]) =>
    row < (kind === "encoder_self" ? source : written.length) &&
    col < (kind === "decoder_self" ? written.length : source);
  return {
    ...changes,
    ...(changes.positions === "shuffled" && { sides: "source" }),
    heads_off: changes.heads_off.filter(isHead),
    cross_off: changes.cross_off.filter((layer) => layer < attention.cross.layers),
    cells: changes.cells.filter(isCell),
  };
}

/** The requests of the comparison; that of the original record until it is there. */
function comparedOf(s, changes) {
  const original = originalOf(s, factsOf(s));
  const before = original === s.record ? original : s.ask("record", {}, original).value;
  if (before === null) return original;
  return s.kept(s.record, changes, () => comparison(before, changes));
}

/** The requests of the chosen pair of sentences. */
const pairOf = ({ kept, record, page, pair: name }, changes) =>
  kept(record, [name, changes], () =>
    translations(record, changes, textsOf(record, page.facts.pairs, name)),
  );

/** The record on the page with the changes of the draft. */
const subjectOf = ({ kept, record }, changes) =>
  kept(record, ["own", changes], () => ({ ...record, interventions: changes }));

/** What the records say together; a reply has its changes: the current ones may have moved on. */
function prepare(reply, { reading, interventions }) {
  return reading?.(reply) ?? { ...reply, interventions };
}

/** Updates the changes; `update` receives the current ones. */
const change = (s, update) =>
  s.set((now) => ({ draft: draftText(update(changesOf({ ...s, ...now })), factsOf(s)) }));

const draftText = (changes, facts) => JSON.stringify(differences(changes, facts));

const isSame = (one, other, facts) => draftText(one, facts) === draftText(other, facts);

/** What was broken, and what happened. */
function finding(s) {
  if (s.isPlain) return s.t("finding.none");
  if (s.show in ASKED) return { pair: pairFinding, encoder: encoderFinding }[s.show](s);
  return brokenFinding(s);
}

/** The steps, by how much the changes cost or help the token. */
function telling({ show, answer }) {
  if (show in ASKED) return [];
  if (!answer) return null;
  const [before, after] = answer.log_probs;
  return before.map((one, step) => ({ step, says: Math.abs(after[step] - one) }));
}

/** Scrolls the list to the chosen token, once: where the visitor scrolls to, it stays. */
function drawn({ el, answer, selection: { step }, seen }) {
  const list = el.querySelector(".hl-experiments-bars");
  if (list === null || (seen.answer === answer && seen.step === step)) return;
  Object.assign(seen, { answer, step });
  const [all, row] = [list, list.children[step]].map((one) => one.getBoundingClientRect());
  list.scrollTop += Math.max(0, row.bottom - all.bottom) - Math.max(0, all.top - row.top);
}

/** A token of the translation; a cell of the maps; nothing on the page beside other sentences.
 * @returns {import("../../../assets/kit/types.js").Cell} */
function cell({ show, selection: { kind, row, col } }) {
  if (show in ASKED) return { src: null, step: null, weights: null };
  if (show !== "attention") return { src: null, weights: null };
  return { src: { encoder_self: row, decoder_self: null, cross: col }[kind] };
}

/** Both translations, and below them the details. */
function picture(s, size) {
  if (s.show in ASKED) return PICTURES[s.show](s);
  return html`<div class="hl-experiments-all"><div class="hl-experiments-texts hl-scrolls">${texts(s)}</div>
    ${PICTURES[s.show](s, { ...size, height: size.height - (hasLines(s.page) ? 8.6 : 6) * size.em })}</div>`;
}

const PICTURES = {
  tokens: tokenBars,
  next: nextTokens,
  attention: maps,
  paint: (s, size) => paint(s, size, (update) => change(s, update)),
  pair,
  encoder,
};

/** What can be chosen about a picture. */
const CHOICES = { attention: picks, paint: painted, pair: pairs, encoder: otherOrder };

const startsOf = ({ record }) => presets(record.attention.cross.layers - 1);

/** The experiment that these changes are, if they are one that starts with one click. */
function startOf(s, changes) {
  const all = startsOf(s);
  const isHere = (/** @type {string} */ name) =>
    isSame(all[name], changes, factsOf(s)) && (!(name in ASKED) || name === s.show);
  return Object.keys(all).find(isHere) ?? "";
}

/** The experiments that start with one click. */
function starts(s) {
  const { t, page, set, show } = s;
  const facts = factsOf(s);
  const changes = changesOf(s);
  const all = startsOf(s);
  const seen = show in ASKED ? "tokens" : show;
  return select({
    label: page.t("experiments.starts"),
    class: "hl-experiments-starts",
    quiet: true,
    options: [
      { value: "", label: t(isUntouched(changes, facts) ? "start.none" : "start.own") },
      ...Object.keys(all).map((name) => ({ value: name, label: t(`start.${name}`) })),
    ],
    value: startOf(s, changes),
    onChange: (name) =>
      set({ draft: draftText(all[name] ?? {}, facts), show: name in ASKED ? name : seen }),
  });
}

/** Buttons that apply the changes to the whole page, and undo them. */
function applied(s) {
  const { t, page, record } = s;
  const facts = factsOf(s);
  const changes = changesOf(s);
  return html`<div class="hl-row">
    ${button({
      class: "hl-experiments-clear",
      label: t("clear"),
      disabled: isUntouched(changes, facts) && changes.padding_mask,
      onClick: () => s.set({ draft: draftText({}, facts) }),
    })}
    ${button({
      class: "hl-experiments-everywhere",
      label: t("everywhere"),
      disabled: isSame(changes, record.interventions, facts),
      onClick: () => page.explain({ interventions: changes }),
    })}
    ${button({
      class: "hl-experiments-back",
      label: t("back"),
      disabled: isUntouched(record.interventions, facts),
      onClick: () => page.explain({ interventions: {} }),
    })}</div>`;
}

/** What can be broken: the heads, the masks, the padding, the scaling, the positions. */
function network(s) {
  const { page, record } = s;
  const changes = changesOf(s);
  const take = (update) => change(s, update);
  return html`<div class="hl-experiments-heads">${heads(page, record, changes, take)}</div>
    ${masks(page, changes, take)} ${positions(s, changes, take)}`;
}

/** The kind of the mask to paint. */
function painted({ page, kind, t, set }) {
  return radios({
    name: `${page.uid}-painted`,
    label: t("paint.kind"),
    class: "hl-plain hl-experiments-painted",
    options: KINDS.map((value) => ({ value, label: page.t(`kind.${value}`) })),
    value: kind,
    onChange: (value) => set({ kind: value, painting: null }),
  });
}

/** The effect of padding with and without its mask, asked for once somebody reads of it. */
function paddingOf(s) {
  const { answer, ask, kept } = s;
  const make = () => padded(answer, factsOf(s));
  return ask("record", {}, kept(answer.records[0], ["padded", answer.interventions], make));
}

/** Further results beyond the finding. */
function reading(s) {
  const { page, t, answer, isPlain, show } = s;
  const { positions: how } = answer.interventions;
  const note = answer.positions === "relative" ? `note.${how}.distance` : `note.${how}`;
  const moved = how === "kept" ? nothing : html`<p>${t(note)}</p>`;
  if (show === "pair") return html`${moved}<p>${t("pair.said")}</p><p>${t("any_text")}</p>`;
  if (show === "encoder")
    return html`${moved}<p>${t("encoder.said", { size: answer.size.toFixed(3) })}</p>
      <p>${t("any_text")}</p>`;
  const differs = differences(answer.interventions, factsOf(s));
  const effect = answer.interventions.padding > 0 ? paddingOf(s) : null;
  const told = isPlain ? [] : stories({ ...answer, padding: effect?.value }, differs, FORMAT);
  return html`${moved}<div class="hl-experiments-story">
      ${told.map(({ key, values }) => html`<p>${page.t(key, values)}</p>`)}
      ${effect?.value === null ? pending(page, effect) : nothing}</div>
    <p>${t("tokens")}</p><p>${t("attention.note")}</p>`;
}
