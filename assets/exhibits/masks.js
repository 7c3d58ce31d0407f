// The mask laboratory: a batch, its masks by layer kind, patterns, and three ways to mask a score.

import { element, whenChanged } from "../elements.js";
import { ramps } from "../colour.js";
import { unpack } from "../packing.js";
import { drawInPanel, narrow, room } from "../panel.js";
import { KINDS } from "../selection.js";
import { createSmallMap, roomForRows } from "../smallmap.js";
import { createStore } from "../store.js";
import { record, theme } from "../state.js";
import { question } from "../wire.js";
import { langOf, language, number, t } from "../words.js";
import { bidirectionalMask, causalMask, masksOf, padded, prefixMask, readBy } from "./masks_patterns.js";
import { createWays } from "./masks_ways.js";

const FIRST = ["I like cats.", "She is a good student.", "No."];
const FEWEST = 2;
const MOST = 4;
const LONGEST = 60;
const PAUSE = 500; // ms without typing before the batch is made anew
const ALLOWED = 0.12; // how dark a cell is that may be read
const PAD = { text: "<pad>", kind: "special" };

const batch = createStore(null); // {rows: padded sentences, scores}
const view = createStore({ sentences: FIRST, kind: "encoder_self", prefix: 3 });
const trouble = createStore(null);
const pointed = createStore(null); // {columns, text, keys} of the row that is looked at

export function mount(root) {
  const find = (name) => root.querySelector(`#hl-masks-${name}`);
  mountForm(find("form"));
  mountKinds(find("kinds"));
  const patterns = createPatterns(find("patterns"));
  const ways = createWays(find("ways"), scoresOnShow);
  const matrices = find("matrices");
  const fresh = whenChanged();
  const asked = whenChanged();
  const reshaped = whenChanged();
  const repatterned = whenChanged();
  const reworded = whenChanged();

  drawInPanel(root, [record, theme, language, batch, view, trouble, pointed], () => {
    const layout = root.querySelector(".hl-masks");
    room(layout);
    narrow(layout);
    if (record.get() !== null && asked(JSON.stringify(view.get().sentences))) make();
    find("trouble").textContent = trouble.get()?.[language.get()] ?? "";
    const now = batch.get();
    if (now === null) return;
    const { kind, prefix } = view.get();
    find("kind-note").textContent = t(`masks.kind.${kind}`);
    find("shape").textContent = t("masks.shape", shapeOf(now, kind));
    const look = [now, theme.get(), language.get(), matrices.clientWidth, getComputedStyle(matrices).fontSize];
    if (reshaped(...look, kind)) drawMatrices(matrices, now, kind);
    if (repatterned(...look, prefix)) patterns(now);
    if (reworded(now, language.get())) {
      drawForm(find("form"), now);
      ways(fresh(now.scores));
    }
    drawReads(find("reads"));
  });
}

const shapeOf = ({ rows }, kind) => ({
  n: rows.length,
  queries: kind === "encoder_self" ? rows[0].src.length : rows[0].tgt.length,
  keys: kind === "decoder_self" ? rows[0].tgt.length : rows[0].src.length,
});

async function make() {
  try {
    const answer = await question("batch", { sentences: view.get().sentences });
    if (answer === null) return;
    const values = await unpack(answer.scores.values, Float32Array);
    trouble.set(null);
    pointed.set(null);
    batch.set({ rows: padded(answer.rows, PAD), scores: { ...answer.scores, values }, which: answer.which });
  } catch (error) {
    if (!error.sentence) throw error;
    trouble.set(error.sentence);
  }
}

function scoresOnShow() {
  const now = batch.get();
  if (now === null) return null;
  return { ...now.scores, columns: now.rows[now.which].src };
}

// The sentences, as many as there are, with their tokens.
function mountForm(form) {
  let waiting = null;
  const read = () => {
    clearTimeout(waiting);
    view.merge({ sentences: [...form.querySelectorAll("input")].map((input) => input.value) });
  };
  form.addEventListener("submit", (event) => { event.preventDefault(); read(); });
  form.addEventListener("change", read);
  form.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(read, PAUSE); });
  form.addEventListener("click", (event) => {
    const remove = event.target.closest("[data-remove]");
    if (remove) view.merge({ sentences: view.get().sentences.filter((_, i) => i !== Number(remove.dataset.remove)) });
    if (event.target.closest("[data-add]")) view.merge({ sentences: [...view.get().sentences, "Where is it?"] });
  });
  const build = whenChanged();
  view.watch(({ sentences }) => {
    if (build(sentences.length)) form.replaceChildren(...sentences.map(lineOfForm), addButton(sentences));
    [...form.querySelectorAll("input")].forEach((input, i) => { if (input.value !== sentences[i]) input.value = sentences[i]; });
  });
  language.watch(() => [...form.children].forEach(nameParts));
}

function lineOfForm(sentence, i, { length }) {
  const line = element("div", { class: "hl-masks-line" },
    element("input", { type: "text", maxlength: LONGEST, "data-number": i, value: sentence, autocomplete: "off" }),
    length > FEWEST ? element("button", { type: "button", "data-remove": i }, "×") : "",
    element("div", { class: "hl-masks-tokens" }), element("small", { class: "hl-note" }));
  nameParts(line);
  return line;
}

function addButton({ length }) {
  const add = element("button", { type: "button", "data-add": "", disabled: length >= MOST });
  nameParts(add);
  return add;
}

// Names what is in a line, in the language on show.
function nameParts(line) {
  if (line.dataset.add !== undefined) line.textContent = t("masks.add");
  const input = line.querySelector("input");
  input?.setAttribute("aria-label", t("masks.sentence", { n: number(Number(input.dataset.number)) }));
  line.querySelector("[data-remove]")?.setAttribute("aria-label", t("masks.remove", { n: number(Number(input.dataset.number)) }));
}

function drawForm(form, { rows }) {
  [...form.querySelectorAll(".hl-masks-line")].forEach((line, i) => {
    if (rows[i] === undefined) return;
    const { src, srcValid, tgtValid } = rows[i];
    line.querySelector(".hl-masks-tokens").replaceChildren(...src.map((label) =>
      element("span", { class: `hl-${label.kind}`, lang: langOf(label.text) }, label.line ?? label.text)));
    line.querySelector("small").textContent = t("masks.length", { n: srcValid, count: src.length, written: tgtValid });
  });
}

function mountKinds(field) {
  for (const kind of KINDS) {
    const radio = element("input", { type: "radio", name: "hl-masks-kind", value: kind });
    radio.addEventListener("change", () => { pointed.set(null); view.merge({ kind }); });
    field.append(element("label", {}, radio, element("span", { "data-t": `kind.${kind}` })));
  }
  view.watch(({ kind }) => {
    for (const radio of field.querySelectorAll("input")) radio.checked = radio.value === kind;
  });
}

// A matrix of zeros and -inf, with a line of words that tells what its rows read.
function drawMask(place, { mask, rows, columns }, { width, name, bare = false, most = 1.6, digits = true }) {
  const keys = columns.length;
  const map = createSmallMap(place, {
    describedBy: "hl-masks-reads",
    onPoint: (cell) => {
      map.light(cell);
      if (cell) pointed.set({ row: rows[cell.row], read: readBy(mask, keys, cell.row).map((i) => columns[i]), keys });
    },
  });
  map.draw({
    cells: Float32Array.from(mask, (may) => (may ? ALLOWED : NaN)), queries: rows.length, keys, rows, columns,
    ramp: ramps[theme.get()], name, width, bare, most, text: digits ? (value) => (Number.isNaN(value) ? "−∞" : "0") : null,
  });
}

function drawMatrices(place, { rows }, kind) {
  const font = parseFloat(getComputedStyle(place).fontSize);
  const labels = roomForRows(kind === "encoder_self" ? rows[0].src : rows[0].tgt, font);
  const beside = place.clientWidth > 30 * font; // else each matrix has a line of its own
  const three = (place.clientWidth - labels - 7 * font) / 3;
  const width = !beside ? place.clientWidth : kind === "decoder_self" ? three + labels : place.clientWidth / 2 - 1.5 * font;
  place.replaceChildren();
  rows.forEach((row, i) => {
    const masks = masksOf(kind, row);
    const line = element("div", { class: "hl-masks-sentence", "data-sentence": i });
    place.append(line);
    masks.forEach((one, at) => {
      const body = element("div");
      if (at > 0) line.append(element("span", { class: "hl-masks-sign" }, at === masks.length - 1 ? "=" : "+"));
      const what = t(`masks.mask.${one.name}`);
      const caption = at === 0 ? t("masks.matrix", { n: number(i), what }) : what;
      line.append(element("figure", { "data-mask": one.name }, element("figcaption", {}, caption), body));
      const bare = at > 0 && beside;
      drawMask(body, one, { bare, width: bare ? three : width, name: t("masks.matrix", { n: number(i), what }) });
    });
  });
}

function drawReads(line) {
  const now = pointed.get();
  line.textContent = now === null ? t("masks.reads.how") : t("masks.reads", {
    row: now.row.text, n: now.read.length, count: now.keys,
    tokens: now.read.map((label) => label.text).join(t("masks.comma")) || "–",
  });
}

// Bidirectional, causal and prefix, on the same tokens.
function createPatterns(root) {
  const slider = element("input", { type: "range", min: 0, max: 3, step: 1, id: "hl-masks-prefix" });
  slider.addEventListener("input", () => view.merge({ prefix: Number(slider.value) }));
  const said = element("output", { for: "hl-masks-prefix" });
  const row = element("div", { class: "hl-masks-row" });
  root.append(element("label", { class: "hl-masks-slider" }, element("span", { "data-t": "masks.prefix" }), slider, said), row);
  return function draw({ rows }) {
    const [{ src, srcValid }] = rows;
    const tokens = src.slice(0, srcValid);
    const n = tokens.length;
    const prefix = Math.min(view.get().prefix, n);
    [slider.max, slider.value, said.textContent] = [n, prefix, prefix];
    const patterns = { bidirectional: bidirectionalMask(n), causal: causalMask(n), prefix: prefixMask(n, prefix) };
    const font = parseFloat(getComputedStyle(root).fontSize);
    const width = (root.clientWidth - 24) / (root.clientWidth < 27 * font ? 1 : 3);
    row.replaceChildren();
    for (const [name, mask] of Object.entries(patterns)) {
      const body = element("div");
      row.append(element("figure", { "data-pattern": name }, element("figcaption", {}, t(`masks.pattern.${name}`)), body,
        element("p", { class: "hl-note" }, t(`masks.pattern.${name}.who`))));
      drawMask(body, { mask, rows: tokens, columns: tokens }, { width, name: t(`masks.pattern.${name}`), most: 1.5, digits: false });
    }
  };
}
