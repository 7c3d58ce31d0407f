// Masks: which tokens of a batch may read which, three patterns, and three ways to mask a score.

import { exhibit } from "../../../assets/kit/exhibit.js";
import { flag, local, menu } from "../../../assets/kit/fields.js";
import { flag as isFlag, listOf, number, orNull, text, whole } from "../../../assets/kit/keep.js";
import { svgOf } from "../../../assets/kit/mapfiles.js";
import { percentText } from "../../../assets/kit/numbers.js";
import { unpack } from "../../../assets/kit/packing.js";
import { KINDS } from "../../../assets/kit/selection.js";
import { marked } from "../../../assets/kit/sentence.js";
import { slider } from "../../../assets/kit/slider.js";
import { tellingWords } from "../../../assets/kit/telling.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { form, sentencePick, sentencesOf, usualFits } from "./batch.js";
import { biasedCell, biasesOf, rangeText, unpackBiases } from "./biases.js";
import { cellRows, maskPicture, patternPicture, patternsOf, scenesOf } from "./matrices.js";
import { masksOf, readBy, padded as withPadding } from "./patterns.js";
import { LARGEST, leakOf, picks, rowOf, waySheet, waysPicture } from "./ways.js";

const PAD = { text: "<pad>", kind: "special" };
const SHOWS = ["batch", "patterns", "ways"];

const isOwn = ({ batch, scores, masked }) =>
  text(4000)(batch) &&
  listOf(number(-LARGEST, LARGEST), 1000)(scores) &&
  listOf(isFlag, 1000)(masked) &&
  scores.length === masked.length;

/** A place from a link, or null for Python's choice. */
const place = () => ({ first: null, fits: orNull(whole(0, 1000)) });

export const { mount, questions } = exhibit({
  name: "masks",
  fields: ({ fewest, most, longest }) => ({
    show: menu(SHOWS, { first: "batch", quiet: true }),
    kind: menu(KINDS, { first: "decoder_self", quiet: true }),
    sentence: { first: null, fits: orNull(whole(0, most - 1)) }, // null: the page's own
    asked: { first: null, fits: orNull(listOf(orNull(text(longest)), most, fewest)) },
    typed: local(null), // the sentences as typed, until sent
    prefix: { first: 3, fits: whole(0, 1000) },
    lit: local(null), // {map, row, col} that is looked at
    layer: place(),
    head: place(),
    query: place(),
    own: { first: null, fits: orNull(isOwn) }, // scores and mask, if changed by the visitor
    whole: flag(false), // the whole row is masked
  }),
  ask: (s) => ["batch", { sentences: sentencesOf(s) }],
  prepare: async ({ scores, biases, ...reply }, _, { sentences }) => ({
    ...reply,
    key: JSON.stringify(sentences),
    sentences,
    scores: {
      ...scores,
      values: await unpack(scores.values, Float32Array),
      bias: scores.bias && (await unpack(scores.bias, Float32Array)),
    },
    biases: biases && (await unpackBiases(biases)),
  }),
  scene({ answer: given, sentence, kind, prefix, ...s }) {
    const answer = { ...given, rows: withPadding(withOwn(s, given), PAD) };
    const padded = Math.max(0, answer.rows.findIndex(hasPadding(kind)));
    const own = given.sentences.indexOf(s.record.text); // its own one is what a visitor expects
    const at = Math.min(sentence ?? (own >= 0 ? own : padded), answer.rows.length - 1);
    const masks = masksOf(kind, answer.rows[at]);
    return {
      answer,
      at,
      sentenceMasks: masks,
      patterns: patternsOf(answer, prefix),
      ways: rowOf(s, answer),
    };
  },
  telling: (s) => (s.show === "batch" && s.answer ? tellingRows(s) : null),
  cell,
  finding: (s) => FINDINGS[s.show](s),
  nothing: (s) => s.show === "batch" && readByRow(s).key === "all",
  picture: (s, size) => PICTURES[s.show](s, size),
  controls: [
    "show",
    ({ show }) => (show === "batch" ? "kind" : nothing),
    (s) => CONTROLS[s.show](s),
  ],
  adjust: [form, (s) => (s.show === "ways" && s.answer ? picks(s) : nothing)],
  numbers: (s) => [s.show === "ways" ? waySheet(s) : readSheet(s)],
  reading,
  files: (s) => ({ csv: () => cellRows(s), svg: () => svgOf(scenesOf(s), s.page.theme.get()) }),
});

/** The rows of the batch; that of the page's sentence has the translation that the page shows. Of
 * the sentences beside it that the view chose, translations are cut where they are much longer: the
 * batch is about the page's. */
function withOwn({ record, page, asked }, { sentences, rows }) {
  const most = record.tgt_in.length + page.facts.beside;
  const isAbout = asked === null && sentences[0] === record.text;
  return rows.map((row, i) => {
    const isShown = sentences[i] === record.text && record.tgt_in.length <= page.facts.tokens;
    if (isShown) return { ...row, tgt: record.tgt_in };
    return isAbout ? { ...row, tgt: row.tgt.slice(0, most) } : row;
  });
}

const columnsValid = (kind, { srcValid, tgtValid }) =>
  kind === "decoder_self" ? tgtValid : srcValid;

const hasPadding = (kind) => (row) =>
  columnsValid(kind, row) < (kind === "decoder_self" ? row.tgt : row.src).length;

/** The rows of the sentence on show: the one says most that may read about as much as is hidden. */
function tellingRows({ kind, sentenceMasks, answer: { rows }, at }) {
  const { mask, columns, rows: labels } = sentenceMasks.at(-1);
  const own = rows[at];
  const real = labels.slice(0, kind === "encoder_self" ? own.srcValid : own.tgtValid);
  const count = columnsValid(kind, own);
  return tellingWords(real).map((row) => {
    const n = readBy(mask, columns.length, row).length;
    return { [kind === "encoder_self" ? "src" : "step"]: row, says: n * (count - n + 1) };
  });
}

/** The token of the row that the finding is about, if its sentence is the one in the header.
 * @returns {import("../../../assets/kit/types.js").Cell} */
function cell(s) {
  const { record, show, kind, at, answer } = s;
  const isOwn = show === "batch" && answer.sentences[at] === record.text;
  const row = isOwn ? rowLooked(s, s.sentenceMasks.at(-1).rows.length) : null;
  const isSource = kind === "encoder_self";
  return isSource && row !== null
    ? { src: row, weights: null }
    : { src: null, step: row, offset: 0, weights: null };
}

const PICTURES = {
  batch: (s, size) => maskPicture(s, rowLooked(s, s.sentenceMasks.at(-1).rows.length), size),
  patterns: patternPicture,
  ways: waysPicture,
};

const CONTROLS = {
  batch: (s) => sentencePick(s),
  patterns: ({ t, patterns, set }) =>
    slider({
      class: "hl-masks-prefix",
      label: t("prefix"),
      min: 0,
      max: patterns?.count ?? 1,
      value: patterns?.prefix ?? 1,
      onInput: (value) => set({ prefix: value }),
    }),
  ways: () => "whole",
};

const FINDINGS = {
  batch(s) {
    const cell = biasedCell(s);
    if (cell) return s.say(`finding.cell.${cell.may ? "open" : "shut"}`, cell);
    const { key, ...values } = readByRow(s);
    const end = s.t(biasesOf(s) ? "end.biased" : "end");
    return s.say(`finding.${key}`, { ...values, end });
  },
  patterns({ t, patterns: { masks } }) {
    const open = (name) => masks[name].filter(Boolean).length;
    const cells = { causal: open("causal"), prefix: open("prefix") };
    return t("finding.patterns", cells);
  },
  ways({ t, ways, whole: isWhole, answer }) {
    if (isWhole) return t("finding.whole");
    const leak = percentText(leakOf(ways));
    const hidden = ways.bias?.filter((/** @type {number} */ _, i) => ways.masked[i]) ?? [];
    if (hidden.length > 0) return t("finding.biased", { leak, bias: rangeText(t, hidden) });
    const isPadded = answer.scores.padding > 0;
    return t(isPadded ? "finding.ways" : "finding.last", { leak });
  },
};

/** The number of keys that the row may read, and the reason for the others. */
function readByRow(s) {
  const { mask, rows, columns } = s.sentenceMasks.at(-1);
  const row = rowLooked(s, rows.length);
  const n = readBy(mask, columns.length, row).length;
  const valid = columnsValid(s.kind, s.answer.rows[s.at]);
  const [padding, count] = [columns.length - valid, columns.length];
  const future = count - padding - n;
  const key = n === count ? "all" : future > 0 ? (padding > 0 ? "both" : "future") : "padding";
  const hid = future > 0 ? future : padding;
  const seen = marked(s.t("seen", { n }));
  return { key, row: rows[row], n, count, seen, hid: marked(`${hid}`) };
}

/** The row under the pointer, else that of the selection. */
function rowLooked({ lit, selection, kind, at }, /** @type {number} */ count) {
  const own = lit?.map?.startsWith(`${at}.`) ? lit.row : null;
  const usual = kind === "encoder_self" ? selection.src : selection.step;
  return Math.min(own ?? usual, count - 1);
}

/** The keys that each row of the chosen sentence may read. */
function readSheet({ t, sentenceMasks, at, kind }) {
  const { mask, rows, columns } = sentenceMasks.at(-1);
  const readIn = (row) => readBy(mask, columns.length, row);
  return {
    name: t("reads", { n: at + 1 }),
    file: `masks-${kind}-${at + 1}`,
    class: "hl-masks-reads",
    rows,
    columns: {
      row: { text: true, cell: (label) => label.text },
      n: { cell: (_, i) => readIn(i).length },
      tokens: {
        text: true,
        cell: (_, i) =>
          readIn(i)
            .map((col) => columns[col].text)
            .join(t("comma")),
      },
    },
  };
}

function reading(s) {
  const { t, kind, answer, record, page } = s;
  const [{ src, tgt }, ...others] = answer.rows;
  const shape = {
    n: others.length + 1,
    queries: kind === "encoder_self" ? src.length : tgt.length,
    keys: kind === "decoder_self" ? tgt.length : src.length,
  };
  return html`<p>${t("shape", shape)} ${t("axes")}</p><p>${t(`says.${kind}`)}</p>
    ${biasesOf(s) ? html`<p class="hl-masks-biased">${t("biased")}</p>` : nothing}
    <p class="hl-masks-why">${t("why")}</p>
    ${usualFits(record, page.facts) ? nothing : html`<p>${t("unfit", { limit: page.facts.tokens, longest: page.facts.longest })}</p>`}`;
}
