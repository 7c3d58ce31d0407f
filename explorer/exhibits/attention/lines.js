// Heads as lines between two sentences: the reading tokens on the left, the tokens read on the
// right. The wider and darker a line, the larger its weight. Each head has a colour and dashes.

import { arrow, whenChanged } from "../../../assets/kit/elements.js";
import { GLOSS_LINE, glossMark } from "../../../assets/kit/gloss.js";
import { lineOf } from "../../../assets/kit/heatplan.js";
import { weightText } from "../../../assets/kit/numbers.js";
import { langOf } from "../../../assets/kit/token.js";
import { html, nothing, render } from "../../../assets/vendor/lit-html.js";
import { COLOURS, DASHES } from "./heads.js";
import { LEVELS } from "./look.js";

const WIDEST = 5; // px of a line of weight 1
const PALEST = 0.12;
const CLOSEST = 1.12; // em between two tokens at least
const FARTHEST = 3.4;
const SMALLEST = 0.75; // of the size of the letters, so that a long sentence fits
const CUT = { wide: 14, narrow: 8 }; // characters of a token before it is cut
const NARROW = 30; // em of the picture

/** @typedef {{end: "row"|"col", index: number}} End a token of the picture */

function cut(text, most) {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : text;
}

/**
 * Returns {draw(scene, lights, pointed), light(lights, pointed)}: `lights` are the chosen row and
 * column, `pointed` those whose links are shown alone. `draw` measures the box, `light` does not.
 * @param {HTMLElement} root
 * @param {import("../../../assets/kit/types.js").Page} page
 * @param {{onPoint: (end: End|null) => void, onChoose: (end: End) => void}} given
 */
export function createLines(root, page, given) {
  const parts = skeleton(root);
  const isRedrawn = whenChanged();
  const isRelit = whenChanged();
  const isElsewhere = whenChanged(); // the chosen row, or its place
  /** @type {any} */
  const state = { scene: null, plan: null, pinned: null };

  function draw(scene, lights, pointed) {
    const { heads, rows, columns, theme } = scene;
    if (state.scene?.rows !== rows || state.scene?.columns !== columns) state.pinned = null;
    state.scene = scene;
    const font = parseFloat(getComputedStyle(root).fontSize);
    const most = root.clientWidth < NARROW * font ? CUT.narrow : CUT.wide;
    showEnds(page, parts, scene, { ...lights, most, shown: toShow(state, pointed) });
    const plan = { ...layOut(root, parts, scene, font), most };
    if (isRedrawn(heads, rows, columns, theme, plan.width, plan.height, most)) {
      state.plan = plan;
      drawLinks(
        clean(parts.all, plan),
        heads.map((head) => head.links),
        scene,
        plan,
      );
    }
    showLinks(toShow(state, pointed));
    const isMoved = isElsewhere(scene.rows, lights.row, plan.height, root.clientHeight);
    if (isMoved && lights.row !== null) show(lights.row);
  }

  /** Scrolls a row into the middle, where there are too many for the height.
   * @param {number} row */
  function show(row) {
    const { left } = state.plan;
    root.scrollTop = (row + 0.5) * left - root.clientHeight / 2;
  }

  function light(lights, pointed) {
    if (state.plan === null) return;
    const shown = toShow(state, pointed);
    showEnds(page, parts, state.scene, { ...lights, most: state.plan.most, shown });
    showLinks(shown);
  }

  /** Shows only the links of one token. */
  function showLinks({ row, col }) {
    const { scene, plan } = state;
    if (!isRelit(scene.heads, plan, row, col)) return;
    root.classList.toggle("hl-some", row !== null || col !== null);
    const links = scene.heads.map((head) => linksAt(head, row, col));
    drawLinks(clean(parts.lit, plan), links, scene, plan);
  }

  listen(root, parts, state, given);
  return { draw, light };
}

/** The tokens of both sides; where one is pointed at, with the weights of the chosen head. */
function showEnds({ t }, parts, scene, { row, col, most, shown }) {
  const own = linksAt(scene.heads.find((head) => head.own) ?? { links: [] }, shown.row, shown.col);
  const weights = (end, other) =>
    new Map(other === null ? [] : own.map((link) => [link[end], weightText(link.weight)]));
  const left = { here: row, lit: shown.row, weights: weights("row", shown.col) };
  const right = { here: col, lit: shown.col, weights: weights("col", shown.row) };
  render(endTokens("row", scene.rows, most, left), parts.row);
  render(endTokens("col", scene.columns, most, right), parts.col);
  parts.row.setAttribute("aria-label", t("lines.reads"));
  parts.col.setAttribute("aria-label", t("lines.read"));
}

const linksAt = ({ links }, row, col) =>
  row === null && col === null ? [] : links.filter((link) => link.row === row || link.col === col);

/** The token under the pointer, else the one pinned by a click. */
function toShow({ scene, pinned }, pointed) {
  if (pointed.row !== null || pointed.col !== null || pinned === null) return pointed;
  const isThere = pinned.index < (pinned.end === "row" ? scene.rows : scene.columns).length;
  return isThere ? { ...pointed, [pinned.end]: pinned.index } : pointed;
}

function skeleton(root) {
  render(
    html`<div class="hl-span">
      <div class="hl-end-row" role="group"></div>
      <div class="hl-between" aria-hidden="true"><canvas></canvas><canvas></canvas></div>
      <div class="hl-end-col" role="group"></div>
    </div>`,
    root,
  );
  const span = /** @type {any} */ (root.querySelector(".hl-span"));
  const [row, between, col] = span.children;
  const [all, lit] = between.children;
  return { span, row, between, col, all, lit };
}

const endTokens = (end, labels, most, { here, lit, weights }) =>
  labels.map((label, i) => {
    const text = lineOf(label);
    const state = `${i === here ? " hl-here" : ""}${i === lit ? " hl-lit" : ""}`;
    return html`<button type="button" class="hl-end hl-${label.kind}${state}" data-end=${end}
      data-index=${i} tabindex=${i === 0 ? 0 : -1} lang=${langOf(label.text) || nothing}
      title="${text} · ${i + 1}"><small>${(weights.get(i) ?? "").replace(/^0/, "")}</small><span
      data-gloss=${glossMark(label)}>${cut(text, most)}</span></button>`;
  });

function layOut(root, { span, between, row, col }, { rows, columns }, font) {
  const most = Math.max(rows.length, columns.length);
  const fits = Math.min(root.clientHeight, most * FARTHEST * font);
  const share = Math.max(SMALLEST, Math.min(1, fits / (most * CLOSEST * font)));
  const height = Math.max(most * CLOSEST * font * share, fits);
  span.style.fontSize = `${share}em`;
  span.style.height = `${height}px`;
  const [left, right] = [height / rows.length, height / columns.length];
  const isRoomy = (/** @type {number} */ each) => each >= (1.2 + GLOSS_LINE) * font * share;
  row.classList.toggle("hl-below", isRoomy(left));
  col.classList.toggle("hl-below", isRoomy(right));
  return { height, width: between.clientWidth, left, right };
}

function clean(canvas, /** @type {{width: number, height: number}} */ plan) {
  const sharp = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(plan.width * sharp));
  canvas.height = Math.max(1, Math.round(plan.height * sharp));
  const brush = canvas.getContext("2d");
  brush.scale(sharp, sharp);
  return brush;
}

/** Links of one shade are one path: a few strokes for thousands of lines. */
function drawLinks(brush, links, { heads, theme }, plan) {
  heads.forEach(({ place }, at) => {
    const shift = (at - (heads.length - 1) / 2) * 1.6; // heads are side by side
    brush.strokeStyle = COLOURS[theme][place];
    brush.setLineDash(DASHES[place]);
    for (let level = 1; level <= LEVELS; level += 1) {
      const share = level / LEVELS;
      brush.globalAlpha = PALEST + (1 - PALEST) * share;
      brush.lineWidth = Math.max(0.6, WIDEST * share);
      brush.beginPath();
      for (const link of links[at]) {
        if (link.level !== level) continue;
        brush.moveTo(0, (link.row + 0.5) * plan.left + shift);
        brush.lineTo(plan.width, (link.col + 0.5) * plan.right + shift);
      }
      brush.stroke();
    }
  });
}

function listen(root, parts, state, { onPoint, onChoose }) {
  const endOf = ({ target }) => {
    const token = target.closest(".hl-end");
    return token && { end: token.dataset.end, index: Number(token.dataset.index) };
  };
  root.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "touch") onPoint(endOf(event));
  });
  root.addEventListener("focusin", (event) => {
    if (/** @type {Element} */ (event.target).matches(":focus-visible")) onPoint(endOf(event));
  });
  for (const away of ["pointerleave", "focusout"]) root.addEventListener(away, () => onPoint(null));
  root.addEventListener("click", (event) => {
    const token = endOf(event);
    if (token === null) return;
    const isAgain = state.pinned?.end === token.end && state.pinned?.index === token.index;
    state.pinned = isAgain ? null : token;
    onChoose(token);
  });
  root.addEventListener("keydown", (event) => {
    const step = arrow(event);
    const token = endOf(event);
    if (step === null || token === null) return;
    event.preventDefault();
    const side = step.columns === 0 ? token.end : step.columns < 0 ? "row" : "col";
    const there = parts[side].children;
    there[Math.max(0, Math.min(there.length - 1, token.index + step.rows))].focus();
  });
}
