// Attention: all heads, one of them large as a map or as lines, and its numbers in words.

import { choice as radios, toggle } from "../../../assets/kit/choice.js";
import { ramps } from "../../../assets/kit/colour.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { choice } from "../../../assets/kit/fields.js";
import { axesText, headText, nameOf } from "../../../assets/kit/heads.js";
import { lineOf } from "../../../assets/kit/heatplan.js";
import { isSwitchedOff } from "../../../assets/kit/interventions.js";
import { number, oneOf } from "../../../assets/kit/keep.js";
import { legend } from "../../../assets/kit/legend.js";
import { fileName, rowsOf, svgOf } from "../../../assets/kit/mapfiles.js";
import { roundPercent, weightText } from "../../../assets/kit/numbers.js";
import { unpack } from "../../../assets/kit/packing.js";
import { rowOf, strongest } from "../../../assets/kit/payload.js";
import { pending } from "../../../assets/kit/request.js";
import { isDecoder, sidesOf } from "../../../assets/kit/selection.js";
import { marked } from "../../../assets/kit/sentence.js";
import { slider } from "../../../assets/kit/slider.js";
import { rowsByLinks } from "../../../assets/kit/telling.js";
import { whyHere } from "../../../assets/kit/why.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import {
  againstControl,
  askBeside,
  BESIDE,
  besideFinding,
  besideNote,
  besideSheet,
  measureOf,
} from "./beside.js";
import { engineOf } from "./engine.js";
import { chips } from "./heads.js";
import { wordLabel } from "./look.js";
import { CHECKS, hasLines, PLAIN, sentences, suffix, VIEWS } from "./options.js";
import { measureHelp, measureName, measureText, roleText, sorting } from "./overview.js";
import { linesSvg } from "./picture.js";
import { mapScene } from "./pictures.js";
import { brief, cellOf, toldCell } from "./readout.js";

const ZOOM_STEP = 1.5;
const MOST_ZOOM = 8;
const STRONGEST = 5;
const SIDES = { reads: "read", writes: "written" };
const SPREAD = 0.3; // of the weight of a row's strongest cell: less says nothing
// em; `share` and `least` of the width
const TILE = { beside: 4.6, above: 9.2, gap: 4, most: 3.4, share: 0.42, least: 0.28 };
const FINE = 15; // px of a tile: where those of all kinds are smaller, one kind has the room alone
const NARROW = 46; // em of a picture that has the heads above the large one
/** @type {[string, string|null, (zoom: number) => number][]} */
const ZOOMS = [
  ["out", "−", (zoom) => zoom / ZOOM_STEP],
  ["fit", null, () => 1],
  ["in", "+", (zoom) => zoom * ZOOM_STEP],
];

export const { mount } = exhibit({
  name: "attention",
  fields: () => ({
    ...Object.fromEntries(
      Object.entries(PLAIN).map(([name, first]) => [name, { first, fits: CHECKS[name] }]),
    ),
    view: choice(VIEWS, { first: PLAIN.view }),
    zoom: { first: 1, fits: number(1, MOST_ZOOM) },
    against: { first: BESIDE[0], fits: oneOf(BESIDE) },
  }),
  prepare: async (reply) => ({ ...reply, cells: await unpack(reply.cells, Float32Array) }),
  stores: (page) => [page.effects, page.roles],
  engine: () => ({ mounted: { engine: null } }), // made with the first scene
  scene(s) {
    const beside = askBeside(s);
    const name = `${s.t(`against.${measureOf(s)}`)}, ${headText(s.page, s.selection)}`;
    const second = beside?.value && { ...engineOf(s).secondOf(beside.value.cells), name };
    return { sight: engineOf(s).sight(), beside, second };
  },
  telling,
  cell,
  finding,
  nothing: isSpread,
  picture,
  drawn: (s) => engineOf(s).draw(),
  controls: ["view", againstControl, rowLabels],
  adjust: [mass, switches, (s) => sorting(s.page, s, valuesOf(s)), zooms, (s) => chipsOf(s)],
  numbers: (s) => [...besideSheet(s), measureSheet(s), linkSheet(s)],
  reading: (s) => reading(s),
  files,
});

/** The extra content of a saved file: the role of each head. */
export const questions = () => [{ question: "catalogue", args: {} }];

const valuesOf = (s) => (s.measure === "none" ? null : engineOf(s).measures.all(s.measure));

/** The rows of the chosen head as they are drawn, its pieces of words merged or not.
 * @returns {import("../../../assets/kit/telling.js").Telling[]} */
function telling(s) {
  const sight = engineOf(s).sight();
  const isPair = s.selection.kind === "cross";
  return rowsByLinks({ ...sight, isPair }).map(({ row, says }) => ({
    row: sight.rowTokens[row][0],
    col: null,
    says,
  }));
}

/** The told cell's own tokens: of a word in pieces, the first.
 * @returns {import("../../../assets/kit/types.js").Cell} */
function cell({ page, sight, selection: { kind, labels } }) {
  const told = toldCell(page, sight, null);
  if (told === null) return {};
  const [[row], [col]] = [sight.rowTokens[told.row], sight.columnTokens[told.col]];
  if (kind === "encoder_self") return { src: row };
  const src = kind === "cross" ? col : null;
  return { src, step: row, offset: labels === "reads" ? 0 : 1 };
}

/** The chosen head in the chosen row: the token that it reads, and its weight. */
function finding(s) {
  const compared = besideFinding(s);
  if (compared !== null) return compared;
  const { page, say, selection, sight, t } = s;
  const told = toldCell(page, sight, null);
  if (told === null) return page.t("readout.hidden");
  const { kind } = selection;
  const isRead = isDecoder(kind) && selection.labels === "reads"; // as the names of the rows say
  const labels = {
    head: `${selection.layer + 1}·${selection.head + 1}`,
    ...cellOf(page, sight, told),
    ...(isRead && { read: brief(sight.rows[told.row]) }),
  };
  const weight = sight.cells[told.row * sight.keys + told.col];
  if (Number.isNaN(weight)) return say(`finding.${kind}.masked`, labels);
  const off = isSwitchedOff(page.record.get(), selection) ? t("off.said") : "";
  const key = isRead ? `finding.${kind}.read` : `finding.${kind}`;
  return [say(key, { ...labels, weight: marked(roundPercent(weight)) }), off].flat();
}

/**
 * True if the chosen row reads nothing in particular: even its strongest cell has little weight.
 */
function isSpread({ page, sight, view }) {
  if (view === "beside") return false; // which tells of the measure
  const { cells, keys } = sight;
  const told = toldCell(page, sight, null);
  if (told === null) return false;
  const [best] = strongest(rowOf(cells, keys, told.row), keys, 1);
  return best !== undefined && best.weight < SPREAD;
}

/** The options with a visible effect: in a sentence of whole words there is nothing to merge. */
function asSeen(s) {
  const { rowTokens, columnTokens } = s.sight;
  const isCut = [...rowTokens, ...columnTokens].some((group) => group.length > 1);
  return { ...s, words: s.words && isCut };
}

/** The heads at the left, one large at the right. */
function picture(s, { width, height, em }) {
  const { page, t, selection, view, own, sight, beside, second } = s;
  const notes = sentences(page, asSeen(s));
  if (isSwitchedOff(s.record, selection)) notes.push(t("off"));
  if (second) notes.unshift(besideNote(s));
  const name = (key) => html`<p class="hl-drawn-name" ?hidden=${view !== "beside"}>${t(key)}</p>`;
  const { isFolded, side } = tilesOf(s, { width, height, em });
  return html`<div class="hl-attention-all ${width < NARROW * em ? "hl-narrow" : ""} hl-see-${view}"
      style="--side:${side}px">
    ${engineOf(s).overview.template({ isFolded })}
    <div class="hl-one">
      <div class="hl-caption"><b class="hl-head-name">
          <i class="hl-dot hl-kind-${selection.kind}"></i>${headText(page, selection)}</b>
        <span class="hl-role">${roleText(page, nameOf(selection))}</span>
        <span class="hl-note hl-options-note" title=${notes.join(" ")} ?hidden=${notes.length === 0}
          >${notes.join(" ")}</span>
        ${s.heads.length > 1 ? chips(page, engineOf(s).options, engineOf(s).heads) : nothing}</div>
      <div class="hl-drawn">
        <div class="hl-drawn-part" ?hidden=${view === "lines"}>
          ${name("weight")}<div class="hl-map" ?hidden=${view === "lines"}></div></div>
        <div class="hl-drawn-part" ?hidden=${view !== "beside"}>
          ${name(`against.${measureOf(s)}`)}
          ${beside && !second ? pending(page, beside) : nothing}
          <div class="hl-beside" ?hidden=${!second}></div></div>
        <div class="hl-lines" ?hidden=${!hasLines(view)}></div>
      </div>
      <div class="hl-attention-foot">
        <p class="hl-readout hl-scrolls" id="${page.uid}-axes"></p>
        ${whyOf(s)}
        ${legend({
          name: page.t("legend.name"),
          ramp: ramps[page.theme.get()],
          ends: own ? ["0", weightText(sight.most / 2), weightText(sight.most)] : ["0", "0.5", "1"],
        })}
      </div>
    </div>
  </div>`;
}

/** The way to the parts of the told cell's score: of a word in pieces, the first. */
function whyOf({ page, sight }) {
  const told = toldCell(page, sight, null);
  if (told === null) return nothing;
  return whyHere(page, { row: sight.rowTokens[told.row][0], col: sight.columnTokens[told.col][0] });
}

/** px of a tile, and whether only those of the chosen kind are there. */
function tilesOf(s, room) {
  const { attention } = s.record;
  const [all, one] = [Object.values(attention), [attention[s.selection.kind]]].map((kinds) =>
    tileSize(s, kinds, room),
  );
  const isFolded = all < FINE && one > all;
  return { isFolded, side: Math.max(12, isFolded ? one : all) };
}

/** px of a tile, so that all heads of these kinds are visible. */
function tileSize({ measure, view }, kinds, { width, height, em }) {
  const layers = kinds.reduce((sum, maps) => sum + maps.layers, 0);
  const heads = Math.max(...kinds.map((maps) => maps.heads));
  const isNarrow = width < NARROW * em;
  const isTwo = view === "both" || view === "beside"; // which need the room
  const share = isTwo ? TILE.least : TILE.share;
  const [across, down] = [isNarrow ? width : share * width, isNarrow ? height / 2 : height];
  const foot = measure === "none" ? 0 : 4;
  const wide = (across - TILE.beside * em) / heads - TILE.gap - foot;
  const tall = (down - TILE.above * em) / layers - TILE.gap - foot;
  return Math.floor(Math.min(TILE.most * em, wide, isNarrow ? wide : tall));
}

function mass({ page, mass: value, set }) {
  return slider({
    label: page.t("options.mass"),
    title: page.t("options.mass.hint"),
    class: "hl-mass",
    min: 5,
    max: 100,
    step: 5,
    value,
    text: (one) => `${one} %`,
    onInput: (one) => set({ mass: one }),
  });
}

/** True if a decoder row can be labelled by the token written or the token read. */
function rowLabels({ page, t, selection: { kind, labels } }) {
  if (!isDecoder(kind)) return nothing;
  return radios({
    name: `${page.uid}-labels`,
    label: t("labels"),
    class: "hl-labels",
    options: ["writes", "reads"].map((value) => ({ value, label: t(`labels.${value}`) })),
    value: labels,
    onChange: (value) => page.choose({ labels: value }),
  });
}

/** The display of the weights: which part, and in which form. */
function switches({ page, set, specials, words, own }) {
  const box = (name, key, isOn, checked) =>
    toggle({
      label: page.t(`options.${name}`),
      title: page.t(`options.${name}.hint`),
      class: `hl-${key}`,
      checked,
      onChange: (value) => set({ [key]: value === isOn }),
    });
  return html`${box("hide", "specials", false, !specials)} ${box("words", "words", true, words)}
    ${box("own", "own", true, own)}`;
}

function zooms({ page, view, set }) {
  const to = (next) => Math.max(1, Math.min(MOST_ZOOM, next));
  return html`<div class="hl-zoom" role="group" aria-label=${page.t("zoom.name")}
    ?hidden=${view === "lines"}>${ZOOMS.map(
      ([name, sign, by]) => html`<button type="button" data-zoom=${name}
      aria-label=${page.t(`zoom.${name}`)}
      @click=${() => set(({ zoom }) => ({ zoom: to(by(zoom)) }))}
      >${sign ?? page.t("zoom.fit")}</button>`,
    )}</div>`;
}

const chipsOf = (s) =>
  s.heads.length > 1 || !s.sight ? nothing : chips(s.page, engineOf(s).options, engineOf(s).heads);

/** The head's own numbers: what the tiles can be sorted by. */
function measureSheet(s) {
  const { page, t, selection } = s;
  const { kind, layer, head } = selection;
  return {
    name: page.t("readout.head"),
    file: `measures-${kind}-${layer + 1}-${head + 1}`,
    class: "hl-measures",
    rows: engineOf(s).measures.of(nameOf(selection)),
    columns: {
      measure: {
        text: true,
        cell: ({ measure }) => measureName(page, measure, kind),
        csv: ({ measure }) => measure,
      },
      value: {
        head: t("value"),
        cell: ({ measure, value }) =>
          html`<span data-of=${measure}>${measureText(page, measure, value)}</span>`,
        csv: ({ value }) => value,
      },
    },
  };
}

/** The strongest links: the picture for screen readers. */
function linkSheet({ page, t, sight, selection: { kind, labels } }) {
  const { cells, keys, rows, columns, rowTokens, columnTokens } = sight;
  const token = (label, i) => html`${lineOf(label)} <small>${i + 1}</small>`;
  return {
    name: t("strongest"),
    file: "attention-links",
    class: "hl-links",
    rows: strongest(cells, keys, STRONGEST),
    onChoose: ({ row, col }) => page.choose({ row: rowTokens[row][0], col: columnTokens[col][0] }),
    columns: {
      [isDecoder(kind) ? SIDES[labels] : "token"]: {
        head: t("reads"),
        text: true,
        cell: ({ row }) => token(rows[row], row),
        csv: ({ row }) => lineOf(rows[row]),
      },
      key: {
        head: t("read"),
        text: true,
        cell: ({ col }) => token(columns[col], col),
        csv: ({ col }) => lineOf(columns[col]),
      },
      weight: { cell: ({ weight }) => weightText(weight), csv: ({ weight }) => weight },
    },
  };
}

const reading = ({ page, selection, view, own }) => html`<p>${axesText(page, selection)}</p>
  ${hasLines(view) ? html`<p>${page.t("lines.least")}</p>` : nothing}
  ${view === "beside" ? html`<p>${page.t("attention.beside.means")}</p>` : nothing}
  <p><span class="hl-hatched"></span> ${page.t("legend.masked")}
    ${page.t(own ? "legend.own" : "legend.shared")}</p>
  <p>${page.t("several.hint")}</p>${rolesSaid(page)}${measureHelp(page)}`;

/** The basis of the heads' descriptions. */
function rolesSaid({ t, roles, language, shared }) {
  const found = roles.get();
  if (found === null) return nothing;
  const { few, sentences: n } = found;
  if (few === null) return html`<p>${t("role.many", { n })}</p>`;
  // A file's catalogue grows no more: it holds what was measured when the session was saved.
  const isOver = few.is_over || Boolean(shared.saved);
  if (isOver && !few.is_over && n === 0) return nothing;
  const words = isOver ? (n > 0 ? "role.few" : "role.none") : "role.making";
  const why = (one) => t("role.skipped", { text: one.text, why: one.why[language.get()] });
  return html`<p>${t(words, { n, ...few })}</p>${few.skipped.map((one) => html`<p>${why(one)}</p>`)}`;
}

/** The files of what is shown: they and their names say what was done to the weights. */
function files(s) {
  const { page, selection, sight, second, view } = s;
  const isLines = view === "lines";
  const seen = asSeen(s);
  const note = sentences(page, { ...seen, mass: 100 }).join(" ");
  const labels = Object.entries(sidesOf(s.record, selection.kind));
  const words = (of) => sight.rowTokens.map((tokens) => wordLabel(tokens.map((i) => of[i])));
  const sides = () => Object.fromEntries(labels.map(([name, of]) => [name, words(of)]));
  const scene = () => ({ ...mapScene(page, sight), sides: sides(), note });
  const look = page.theme.get();
  return {
    name: `${fileName(selection)}${suffix(seen)}${isLines ? "-lines" : ""}`,
    csv: () => rowsOf(scene()),
    svg: () =>
      isLines
        ? linesSvg({ ...scene(), heads: engineOf(s).drawn() }, look)
        : svgOf(second ? [scene(), mapScene(page, second)] : [scene()], look),
  };
}
