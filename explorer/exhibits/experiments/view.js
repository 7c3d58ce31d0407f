// Experiments: you set the changes once; both models answer, side by side.

import { button, choice as radios, select } from "../../../assets/kit/choice.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { local, menu } from "../../../assets/kit/fields.js";
import { differences, filled, fromText, isUntouched } from "../../../assets/kit/interventions.js";
import { oneOf, orNull, text } from "../../../assets/kit/keep.js";
import { changeText, percentText, signedText } from "../../../assets/kit/numbers.js";
import { unpack } from "../../../assets/kit/packing.js";
import { KINDS } from "../../../assets/kit/selection.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { onlyPositions, presets, stories } from "./change.js";
import { heads, masks, paint } from "./heads.js";
import { mapFilesOf, maps, picks } from "./maps.js";
import { rankButton, rankSheets } from "./ranking.js";
import { FORMAT, nextSheet, nextTokens, texts, tokenBars, tokenSheet } from "./result.js";

const LONGEST = 20_000; // characters of the changes
const SHOWS = ["tokens", "next", "attention", "paint"];

export const { mount } = exhibit({
  name: "experiments",
  fields: () => ({
    draft: { first: null, fits: orNull(text(LONGEST)) }, // as a text; null: the initial changes
    show: menu(SHOWS, { first: "tokens", quiet: true }),
    kind: { first: "cross", fits: oneOf(KINDS) }, // kind of the painted mask
    painting: local(null),
    looked: local(null),
    ranking: local(null), // the output of the ranking
  }),
  stores: (page) => [page.effects],
  ask(s) {
    const { kind, layer, head } = s.selection;
    return ["before_after", { kind, layer, head }, subjectOf(s, changesOf(s))];
  },
  prepare,
  scene: (s) => ({ changes: changesOf(s), isPlain: isUntouched(s.answer.changes, factsOf(s)) }),
  finding,
  nothing: ({ answer, isPlain }) => !isPlain && answer.texts[0] === answer.texts[1],
  picture,
  controls: [starts, "show", (s) => (s.show === "attention" ? picks(s) : nothing)],
  adjust: [applied, parts, (s) => rankButton(s)],
  numbers: (s) => [tokenSheet(s), nextSheet(s), ...rankSheets(s)],
  reading,
  files: (s) => (s.show === "attention" ? mapFilesOf(s) : { svg: null }),
});

const factsOf = ({ page }) => page.shared.interventions;

/**
 * The changes: from the link, else from the page, else an example of a broken model. Cells and
 * heads that do not exist for this sentence or model are left out.
 */
function changesOf(s) {
  const { record, draft } = s;
  const facts = factsOf(s);
  if (draft !== null) return thereIn(record, filled(fromText(draft, facts), facts));
  const own = filled(record.interventions, facts);
  return isUntouched(record.interventions, facts) ? presets(own, 0, facts).leak : own;
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
    heads_off: changes.heads_off.filter(isHead),
    cross_off: changes.cross_off.filter((layer) => layer < attention.cross.layers),
    cells: changes.cells.filter(isCell),
  };
}

/** Changes by their records, so that each question is asked once. @type {WeakMap<any, Map>} */
const subjects = new WeakMap();

/** The record of the question: the one on the page, with the changes of the draft. */
function subjectOf(s, changes) {
  const { record } = s;
  const own = subjects.get(record) ?? new Map();
  subjects.set(record, own);
  const key = JSON.stringify(changes);
  // A hypothesis or node of the modified model's search does not exist in the original's.
  const best = isUntouched(record.interventions, factsOf(s)) ? {} : { shown: 0, node: null };
  if (!own.has(key)) own.set(key, { ...record, ...best, interventions: changes });
  return own.get(key);
}

/** The reply unpacked, with its changes: the current ones may have moved on. */
async function prepare(reply, record) {
  if (!reply.attention) return reply;
  const { before, after } = reply.attention;
  const [one, other] = await Promise.all([before, after].map((all) => unpack(all, Float32Array)));
  const attention = { ...reply.attention, before: one, after: other };
  return { ...reply, attention, changes: record.interventions };
}

/** Updates the changes; `update` receives the current ones. */
const change = (s, update) =>
  s.set((now) => ({ draft: draftText(update(changesOf({ ...s, ...now })), factsOf(s)) }));

const draftText = (changes, facts) => JSON.stringify(differences(changes, facts));

const isSame = (one, other, facts) => draftText(one, facts) === draftText(other, facts);

/** The effect on the translation, in one sentence. */
function finding({ t, answer, isPlain }) {
  if (isPlain) return t("finding.none");
  const [before, after] = answer.log_probs.map((all) => all.reduce((sum, one) => sum + one, 0));
  const stays = answer.texts[0] === answer.texts[1];
  const times = percentText(Math.exp(after - before));
  return t(stays ? "finding.same" : "finding.other", {
    before: signedText(before),
    after: signedText(after),
    change: changeText(after - before),
    times,
  });
}

/** Both translations, and below them the details. */
function picture(s, size) {
  return html`<div class="hl-experiments-all"><div class="hl-experiments-texts hl-scrolls">${texts(s)}</div>
    ${PICTURES[s.show](s, { ...size, height: size.height - 6 * size.em })}</div>`;
}

const PICTURES = {
  tokens: tokenBars,
  next: nextTokens,
  attention: maps,
  paint: (s, size) => paint(s, size, (update) => change(s, update)),
};

/** The experiments that start with one click. */
function starts(s) {
  const { t, page, record } = s;
  const facts = factsOf(s);
  const changes = changesOf(s);
  const all = presets(changes, record.attention.cross.layers - 1, facts);
  const value = Object.keys(all).find((name) => isSame(all[name], changes, facts)) ?? "";
  const options = Object.keys(all).map((name) => ({ value: name, label: t(`start.${name}`) }));
  return select({
    label: page.t("experiments.starts"),
    class: "hl-experiments-starts",
    quiet: true,
    options: [
      { value: "", label: t(isUntouched(changes, facts) ? "start.none" : "start.own") },
      ...options,
    ],
    value,
    onChange: (name) => change(s, (now) => (name ? all[name] : onlyPositions(now, facts))),
  });
}

/** Buttons that apply the changes to the whole page, and undo them. */
function applied(s) {
  const { t, page, record } = s;
  const facts = factsOf(s);
  const changes = changesOf(s);
  const clear = onlyPositions(changes, facts);
  return html`<div class="hl-row">
    ${button({
      class: "hl-experiments-clear",
      label: t("clear"),
      disabled: isSame(changes, clear, facts) && changes.padding_mask === clear.padding_mask,
      onClick: () => change(s, (now) => onlyPositions(now, facts)),
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

/** The heads, the masks, the padding, the scaling, and the mask to paint. */
function parts(s) {
  const { page, record, kind, t, set } = s;
  const changes = changesOf(s);
  const take = (update) => change(s, update);
  return html`<div class="hl-experiments-heads">${heads(page, record, changes, take)}</div>
    ${masks(page, changes, take)}
    ${
      s.show === "paint"
        ? radios({
            name: `${page.uid}-painted`,
            label: t("paint.kind"),
            class: "hl-plain hl-experiments-painted",
            options: KINDS.map((value) => ({ value, label: page.t(`kind.${value}`) })),
            value: kind,
            onChange: (value) => set({ kind: value, painting: null }),
          })
        : nothing
    }`;
}

/** Further results beyond the finding. */
function reading(s) {
  const { page, t, answer, isPlain } = s;
  const differs = differences(answer.changes, factsOf(s));
  const told = isPlain ? [] : stories(answer, differs, FORMAT).slice(1);
  return html`<div class="hl-experiments-story">
      ${told.map(({ key, values }) => html`<p>${page.t(key, values)}</p>`)}</div>
    <p>${t("tokens")}</p><p>${t("attention.note")}</p>`;
}
