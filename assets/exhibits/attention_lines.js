// Heads as lines between two sentences: at the left the tokens that read, at the right those that are
// read. The wider and darker a line, the larger its weight. Each head has its own colour and dashes.

import { arrow, element, whenChanged } from "../elements.js";
import { lineOf } from "../heatmap.js";
import { weightText } from "../numbers.js";
import { langOf, number, t } from "../words.js";
import { COLOURS, DASHES } from "./attention_heads.js";

export const LEAST = 0.01; // a lighter link would not be seen, and is not drawn
const LEVELS = 20; // widths and shades of the lines
const WIDEST = 5; // px of a line of weight 1
const PALEST = 0.12;
const CLOSEST = 1.12; // em between two tokens at least
const FARTHEST = 3.4;
const NUMBER = 2.6; // em for the number beside a token
const CUT = { wide: 14, narrow: 8 }; // characters of a token before it is cut: no clip in the style
const NARROW = 30; // em of the picture

// The links that are drawn, by how strong they are: [{level, row, col}], level from 1 to LEVELS.
export function linksOf({ cells, keys, strong }, most) {
  const found = [];
  for (let i = 0; i < cells.length; i += 1) {
    if (!(cells[i] >= LEAST) || (strong !== null && !strong[i])) continue;
    const level = Math.max(1, Math.round((cells[i] / most) * LEVELS));
    found.push({ level, row: Math.floor(i / keys), col: i % keys, weight: cells[i] });
  }
  return found;
}

function cut(text, most) {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : text;
}

// onPoint({end, index} or null), onChoose({end, index}): end is "row" or "col".
export function createLines(root, { onPoint, onChoose }) {
  const ends = { row: element("div", { class: "hl-end-row", role: "group" }), col: element("div", { class: "hl-end-col", role: "group" }) };
  const all = element("canvas", { "aria-hidden": "true" });
  const lit = element("canvas", { "aria-hidden": "true" });
  const between = element("div", { class: "hl-between" }, all, lit);
  root.replaceChildren(element("div", { class: "hl-span" }, ends.row, between, ends.col));
  const rebuilt = whenChanged();
  const redrawn = whenChanged();
  const relit = whenChanged();
  let plan = null;
  let pinned = null;

  // scene: {rows, columns, heads: [{links, place, own}], chosen: {row, col}, theme, pointed: {row, col},
  // sized: [width, height, size of letters]}
  function draw(scene) {
    const most = scene.sized[0] < NARROW * scene.sized[2] ? CUT.narrow : CUT.wide;
    if (rebuilt(scene.rows, scene.columns, most)) build(scene, most);
    if (redrawn(scene.heads, scene.rows, scene.columns, scene.theme, ...scene.sized)) {
      plan = layOut(scene, scene.sized[2]);
      drawLinks(clean(all), scene.heads.map((head) => head.links), scene);
    }
    const pointed = scene.pointed.row !== null || scene.pointed.col !== null ? scene.pointed : pinnedLines(scene);
    if (relit(scene.heads, plan, pointed.row, pointed.col, scene.chosen.row, scene.chosen.col)) light(scene, pointed);
  }

  const pinnedLines = ({ rows, columns }) => {
    const there = pinned !== null && pinned.index < (pinned.end === "row" ? rows : columns).length;
    return { row: null, col: null, ...(there ? { [pinned.end]: pinned.index } : {}) };
  };

  function build({ rows, columns }, most) {
    pinned = null;
    const token = (label, i, end) => element("button", {
      type: "button", class: `hl-end hl-${label.kind}`, "data-end": end, "data-index": i,
      tabindex: i === 0 ? 0 : -1, lang: langOf(label.text), title: `${lineOf(label)} · ${number(i)}`,
    }, element("small"), element("span", {}, cut(lineOf(label), most)));
    ends.row.replaceChildren(...rows.map((label, i) => token(label, i, "row")));
    ends.col.replaceChildren(...columns.map((label, i) => token(label, i, "col")));
    ends.row.setAttribute("aria-label", t("lines.reads"));
    ends.col.setAttribute("aria-label", t("lines.read"));
  }

  function layOut({ rows, columns }, font) {
    const most = Math.max(rows.length, columns.length);
    const height = Math.max(most * CLOSEST * font, Math.min(root.clientHeight, most * FARTHEST * font));
    root.firstChild.style.height = `${height}px`;
    for (const end of Object.values(ends)) {
      end.style.width = "30em"; // room to measure
      const widest = Math.max(...Array.from(end.children, (token) => token.lastChild.offsetWidth));
      end.style.width = `${widest + NUMBER * font}px`;
      for (const [i, token] of [...end.children].entries()) token.style.top = `${((i + 0.5) * height) / end.children.length}px`;
    }
    return { height, width: between.clientWidth, left: height / rows.length, right: height / columns.length };
  }

  function clean(canvas) {
    const sharp = window.devicePixelRatio || 1;
    canvas.width = Math.max(1, Math.round(plan.width * sharp));
    canvas.height = Math.max(1, Math.round(plan.height * sharp));
    const brush = canvas.getContext("2d");
    brush.scale(sharp, sharp);
    return brush;
  }

  // Links of one shade are one path: a few strokes for thousands of lines.
  function drawLinks(brush, links, { heads, theme }) {
    heads.forEach(({ place }, at) => {
      brush.strokeStyle = COLOURS[theme][place];
      brush.setLineDash(DASHES[place]);
      for (let level = 1; level <= LEVELS; level += 1) {
        const share = level / LEVELS;
        brush.globalAlpha = PALEST + (1 - PALEST) * share;
        brush.lineWidth = Math.max(0.6, WIDEST * share);
        brush.beginPath();
        for (const link of links[at]) {
          if (link.level !== level) continue;
          const shift = (at - (heads.length - 1) / 2) * 1.6; // heads stand beside one another
          brush.moveTo(0, (link.row + 0.5) * plan.left + shift);
          brush.lineTo(plan.width, (link.col + 0.5) * plan.right + shift);
        }
        brush.stroke();
      }
    });
  }

  // Only the links of one token, with the numbers of the selected head.
  function light(scene, { row, col }) {
    const any = row !== null || col !== null;
    root.classList.toggle("hl-some", any);
    const wanted = (link) => link.row === row || link.col === col;
    const links = scene.heads.map((head) => (any ? head.links.filter(wanted) : []));
    drawLinks(clean(lit), links, scene);
    const own = links[scene.heads.findIndex((head) => head.own)] ?? [];
    mark(ends.row, { here: scene.chosen.row, lit: row, weights: col === null ? [] : own, end: "row" });
    mark(ends.col, { here: scene.chosen.col, lit: col, weights: row === null ? [] : own, end: "col" });
  }

  function mark(end, { here, lit: pointed, weights, end: side }) {
    const written = new Map(weights.map((link) => [link[side], link.weight]));
    for (const [i, token] of [...end.children].entries()) {
      token.classList.toggle("hl-here", i === here);
      token.classList.toggle("hl-lit", i === pointed);
      const text = written.has(i) ? weightText(written.get(i)).replace(/^0/, "") : "";
      if (token.firstChild.textContent !== text) token.firstChild.textContent = text;
    }
  }

  const tokenOf = (event) => {
    const token = event.target.closest(".hl-end");
    return token === null ? null : { end: token.dataset.end, index: Number(token.dataset.index) };
  };
  root.addEventListener("pointerover", (event) => { if (event.pointerType !== "touch") onPoint(tokenOf(event)); });
  root.addEventListener("pointerleave", () => onPoint(null));
  root.addEventListener("focusin", (event) => { if (event.target.matches(":focus-visible")) onPoint(tokenOf(event)); });
  root.addEventListener("focusout", () => onPoint(null));
  root.addEventListener("click", (event) => {
    const token = tokenOf(event);
    if (token === null) return;
    const again = pinned !== null && pinned.end === token.end && pinned.index === token.index;
    pinned = again ? null : token;
    onChoose(token);
  });
  root.addEventListener("keydown", (event) => {
    const step = arrow(event);
    const token = tokenOf(event);
    if (step === null || token === null) return;
    event.preventDefault();
    const side = step.columns === 0 ? token.end : step.columns < 0 ? "row" : "col";
    const there = ends[side].children;
    const next = there[Math.max(0, Math.min(there.length - 1, token.index + step.rows))];
    for (const one of there) one.tabIndex = one === next ? 0 : -1;
    next.focus();
  });
  return { draw };
}
