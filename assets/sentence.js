// The two strips of tokens: always in sight, and the way to select.

import { arrow, element, whenChanged } from "./elements.js";
import { colourOf, cssOf, ramps } from "./colour.js";
import { rowOf } from "./payload.js";
import { axes, isDecoder, rowOnShow, stripIndex } from "./selection.js";
import { choose, hover, record, selection, theme } from "./state.js";
import { langOf, language, number, t } from "./words.js";

export function mount(root) {
  mountStrip(root.querySelector("#hl-src"), "src");
  mountStrip(root.querySelector("#hl-tgt"), "tgt");
}

// Tokens of the target strip: the start token, then what was written.
const cellsOf = (shown, side) => (side === "src" ? shown.src : [shown.tgt_in[0], ...shown.tgt_out]);

function mountStrip(strip, side) {
  const changed = whenChanged();
  const placed = whenChanged();
  const moved = whenChanged();

  function build(shown) {
    const cells = cellsOf(shown, side);
    strip.replaceChildren(...cells.map((label, i) => token(label, i, side, cells)));
    if (side === "tgt") shown.steps.forEach(({ forced }, i) => { if (forced) markForced(strip.children[i + 1]); });
    strip.scrollLeft = 0;
    strip.lang = langOf(cells.map((label) => label.text).join(""));
  }

  function mark() {
    const shown = record.get();
    if (shown === null) return;
    const chosen = selection.get();
    if (changed(shown, language.get())) build(shown);
    if (placed(shown, chosen, language.get())) place(shown, chosen);
    light(shown, chosen);
  }

  function place(shown, chosen) {
    const here = side === "src" ? sourceHere(chosen) : chosen.step + 1;
    for (const [i, cell] of [...strip.children].entries()) {
      cell.classList.toggle("hl-here", i === here);
      cell.classList.toggle("hl-ahead", side === "tgt" && i > chosen.step + 1);
      cell.setAttribute("aria-pressed", i === here);
      cell.tabIndex = i === Math.max(0, here) ? 0 : -1;
    }
    if (moved(shown, here)) keepInSight(strip, strip.children[here]);
  }

  // What follows the pointer.
  function light(shown, chosen) {
    const lit = litTokens(shown, chosen, hover.get(), side);
    const weights = weightsOn(shown, chosen, hover.get(), side);
    for (const [i, cell] of [...strip.children].entries()) {
      cell.classList.toggle("hl-lit", lit.has(i));
      paint(cell, weights?.[i]);
    }
  }

  listen(strip, side);
  for (const store of [record, selection, hover, theme, language]) store.watch(mark);
}

// The source token that the chosen map's row or column stands for; -1 where there is none.
function sourceHere({ kind, row, col }) {
  if (kind === "encoder_self") return row;
  return kind === "cross" && col !== null ? col : -1;
}

function token(label, i, side, cells) {
  const classes = ["hl-token", `hl-${label.kind}`];
  if (label.joined) classes.push("hl-joined");
  if (cells[i + 1]?.joined) classes.push("hl-goes-on");
  const button = element(
    "button", { type: "button", class: classes.join(" "), "data-index": i, title: describe(label, i, side) },
    element("span", {}, label.text),
  );
  if (label.part) button.append(element("sub", {}, `${label.part[0]}/${label.part[1]}`));
  return button;
}

function markForced(cell) {
  cell.append(element("sub", {}, "◆"));
  cell.title = `${t("token.forced")} · ${cell.title}`;
}

// What a token is, for its tooltip: its name if it is special, its place, its spelling and number.
function describe(label, i, side) {
  const place = side === "src" ? number(i) : i;
  const facts = t("token.facts", { place, piece: label.piece, id: label.id });
  if (label.kind === "special") return `${t(`token.${label.piece}`)} · ${facts}`;
  return label.kind === "word" ? facts : `${t(`token.${label.kind}`)} · ${facts}`;
}

// Which tokens of a strip the pointer's cell or token touches.
function litTokens(shown, chosen, hovered, side) {
  if (hovered === null) return new Set();
  if (hovered.side) return new Set(hovered.side === side ? [hovered.index] : []);
  const { rows, columns } = axes(shown, chosen.kind, chosen.labels);
  const lit = new Set();
  if (rows.side === side) lit.add(stripIndex(rows, hovered.row));
  if (columns.side === side) lit.add(stripIndex(columns, hovered.col));
  return lit;
}

// How strongly the row on show reads each token of this strip, or null where it reads none of them.
function weightsOn(shown, chosen, hovered, side) {
  const { columns } = axes(shown, chosen.kind, chosen.labels);
  if (columns.side !== side) return null;
  const maps = shown.attention[chosen.kind];
  return rowOf(maps.head(chosen.layer, chosen.head), maps.keys, rowOnShow(shown, chosen, hovered));
}

// The bar under a token, in hundredths: of a long sentence few tokens change under a moving pointer,
// and the browser is told of no others.
function paint(cell, weight) {
  const share = weight === undefined || Number.isNaN(weight) ? 0 : Math.round(weight * 100) / 100;
  const colour = share === 0 ? "transparent" : cssOf(colourOf(ramps[theme.get()], 0.25 + 0.75 * share));
  const bar = `${share} ${colour}`;
  if (cell.dataset.bar === bar) return;
  cell.dataset.bar = bar;
  cell.style.setProperty("--weight", share);
  cell.style.setProperty("--ink-weight", colour);
}

function keepInSight(strip, cell) {
  if (!cell || strip.scrollWidth <= strip.clientWidth) return;
  const left = cell.offsetLeft - strip.offsetLeft;
  if (left < strip.scrollLeft) strip.scrollLeft = left - 40;
  else if (left + cell.offsetWidth > strip.scrollLeft + strip.clientWidth) {
    strip.scrollLeft = left + cell.offsetWidth - strip.clientWidth + 40;
  }
}

function listen(strip, side) {
  const indexOf = (event) => {
    const cell = event.target.closest(".hl-token");
    return cell === null ? null : Number(cell.dataset.index);
  };
  strip.addEventListener("pointerover", (event) => {
    const index = indexOf(event);
    if (index !== null && event.pointerType !== "touch") hover.set({ side, index });
  });
  strip.addEventListener("pointerleave", () => hover.set(null));
  strip.addEventListener("click", (event) => {
    const index = indexOf(event);
    if (index !== null) pick(side, index);
  });
  strip.addEventListener("keydown", (event) => {
    const step = arrow(event);
    const index = indexOf(event);
    if (step === null || index === null || step.columns === 0) return;
    event.preventDefault();
    const next = strip.children[index + step.columns];
    if (!next) return;
    pick(side, index + step.columns);
    next.focus();
  });
}

// A source token is the row of the encoder's maps and the column of cross-attention; a target token
// is the step that writes it.
function pick(side, index) {
  if (side === "src") choose(isDecoder(selection.get().kind) ? { src: index } : { row: index });
  else choose({ step: Math.max(0, index - 1) });
}
