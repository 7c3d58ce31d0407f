// Paints a tree on a canvas: only what is in sight, edges of one look in one stroke.

import { lineOf } from "../heatmap.js";
import { signedText } from "../numbers.js";
import { number } from "../words.js";
import { detail, foldPlace, headerHeight, inside, placeOf } from "./tree_sight.js";

const NAMES = ["ink", "quiet", "faint", "accent", "paper", "wash", "tint", "line", "strong-line", "trouble"];

// The page's own colours, as they are now.
export function coloursOf(place) {
  const style = getComputedStyle(place);
  return Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}

// scene: {tree, layout, sight, size, upTo, path (Set of nodes on show), cursor, pointed, focused,
// colours, em, family}. Gives what it drew: [{node, x, y, from}], `from` being the place of the parent.
export function paint(ink, scene) {
  const { size, colours, sight, em } = scene;
  const drawn = visible(scene);
  const look = { ...detail(sight, em), ...scene };
  ink.clearRect(0, 0, size.width, size.height);
  ink.lineJoin = "round";
  const here = sight.x + (scene.upTo + 1) * sight.wide - em * 0.7;
  fill(ink, colours.wash, () => ink.rect(here, 0, sight.wide, size.height));
  edges(ink, drawn, look);
  marks(ink, drawn, look);
  if (look.labels) labels(ink, drawn, look);
  if (look.folds) folds(ink, look);
  header(ink, look);
  return drawn;
}

function visible({ tree, layout, sight, size, upTo }) {
  const { first, last, top, bottom } = inside(sight, size);
  const { rows, columns } = layout;
  const spot = (node) => placeOf(sight, node, rows.get(node));
  const drawn = [];
  if (first <= -1) drawn.push({ node: tree.root, ...spot(tree.root), from: null });
  // One column more at the right: its edges begin in sight.
  for (let step = Math.max(0, first); step <= Math.min(last + 1, upTo); step += 1) {
    for (const node of columns[step].nodes) {
      const [own, other] = [rows.get(node), rows.get(node.parent)];
      if (Math.max(own, other) < top || Math.min(own, other) > bottom) continue;
      drawn.push({ node, ...spot(node), from: spot(node.parent) });
    }
  }
  return drawn;
}

// ---------------------------------------------------------------------------------------- edges

function edges(ink, drawn, look) {
  const { colours, em, path, mark: radius } = look;
  const fine = radius > 2.5;
  const linked = drawn.filter(({ from }) => from !== null);
  const some = (test) => linked.filter(({ node }) => test(node));
  const stroke = (list, colour, width, dash = []) => {
    ink.strokeStyle = colour;
    ink.lineWidth = width;
    ink.setLineDash(fine ? dash : []);
    // One stroke a column: a path over the whole picture would take far longer to fill.
    for (let i = 0; i < list.length;) {
      const { x } = list[i];
      ink.beginPath();
      for (; i < list.length && list[i].x === x; i += 1) edge(ink, list[i], look);
      ink.stroke();
    }
    ink.setLineDash([]);
  };
  stroke(some((node) => path.has(node)), colours.tint, Math.max(5, em * 0.95));
  stroke(some(({ fate }) => fate === "pruned"), colours[fine ? "strong-line" : "line"], fine ? 1 : 0.5, [3, 3]);
  stroke(some(({ fate, winner }) => fate !== "pruned" && !winner), colours.quiet, fine ? 1.2 : 0.8);
  stroke(some(({ winner }) => winner), colours.accent, fine ? 3.2 : 2);
  // Two lines: the tokens are parts of one word.
  const joined = fine ? some((node) => node.joined) : [];
  stroke(joined, colours.quiet, 5);
  stroke(joined, colours.paper, 2.4);
}

function edge(ink, { node, x, y, from }, { labels: lettered, mark: radius, ...look }) {
  if (radius <= 2.5) { // too small for a bend to be seen
    ink.moveTo(from.x, from.y);
    ink.lineTo(x, y);
    return;
  }
  const start = from.x + radius + (lettered ? widthOf(ink, node.parent, look) : 0);
  const end = x - radius - 1;
  const bend = Math.max(6, (end - start) * 0.5);
  ink.moveTo(start, from.y);
  ink.bezierCurveTo(start + bend, from.y, end - bend, y, end, y);
}

// ---------------------------------------------------------------------------------------- marks

function marks(ink, drawn, look) {
  const { mark: radius, path, cursor, pointed, colours } = look;
  const plain = ({ node }) => radius <= 2.5 && node.fate === "pruned" && !path.has(node)
    && node !== cursor && node !== pointed;
  ink.fillStyle = colours.faint;
  for (const one of drawn) {
    if (plain(one)) ink.fillRect(one.x - 0.5, one.y - 0.5, 1, 1);
  }
  for (const one of drawn) {
    if (!plain(one)) mark(ink, one, look);
  }
}

function mark(ink, { node, x, y }, look) {
  const { colours, path, cursor, pointed, focused, mark: radius, em } = look;
  if (path.has(node)) fill(ink, colours.tint, () => ink.arc(x, y, radius + em * 0.25, 0, 7));
  if (node === pointed || node === cursor) {
    ink.beginPath();
    ink.arc(x, y, radius + em * 0.22, 0, 7);
    ink.lineWidth = node === cursor && focused ? 2.5 : 1.5;
    ink.strokeStyle = node === cursor ? colours.accent : colours.ink;
    ink.stroke();
  }
  if (node.parent === null) fill(ink, colours.faint, () => ink.arc(x, y, radius * 0.7, 0, 7));
  else drawMark(ink, node, x, y, radius, colours);
}

// The sign of a fate: also drawn in the legend.
export function drawMark(ink, { fate, forced }, x, y, radius, colours) {
  ink.setLineDash([]);
  ink.lineWidth = radius > 2.5 ? 1.5 : 1;
  const square = (r) => ink.rect(x - r, y - r, 2 * r, 2 * r);
  const round = (r) => ink.arc(x, y, r, 0, 7);
  if (fate === "kept") fill(ink, colours.ink, () => round(radius * 0.9));
  else if (fate === "pruned") outline(ink, colours.faint, colours.paper, () => round(radius * 0.65));
  else if (fate === "finished") {
    outline(ink, colours.accent, colours.paper, () => square(radius));
    fill(ink, colours.accent, () => square(radius * 0.5));
  } else {
    outline(ink, colours.trouble, colours.paper, () => square(radius));
    ink.beginPath();
    ink.moveTo(x - radius * 1.5, y + radius * 1.5);
    ink.lineTo(x + radius * 1.5, y - radius * 1.5);
    ink.stroke();
  }
  if (forced && radius > 2) {
    const [top, r] = [y - radius * 2, radius * 0.8];
    fill(ink, colours.ink, () => {
      ink.moveTo(x, top - r);
      ink.lineTo(x + r, top);
      ink.lineTo(x, top + r);
      ink.lineTo(x - r, top);
    });
  }
}

function fill(ink, colour, shape) {
  ink.beginPath();
  shape();
  ink.fillStyle = colour;
  ink.fill();
}

function outline(ink, colour, within, shape) {
  fill(ink, within, shape);
  ink.strokeStyle = colour;
  ink.stroke();
}

// --------------------------------------------------------------------------------------- words

const short = new Map(); // font, room and text -> what fits and how wide it is

function fit(ink, text, room) {
  const key = `${ink.font}|${Math.round(room)}|${text}`;
  const known = short.get(key);
  if (known) return known;
  if (short.size > 20_000) short.clear();
  const letters = [...text];
  let cut = text;
  while (letters.length > 1 && ink.measureText(cut).width > room) {
    letters.pop();
    cut = `${letters.join("")}…`;
  }
  const found = { text: cut, width: ink.measureText(cut).width };
  short.set(key, found);
  return found;
}

// A word of the tree as it stands beside its mark.
const wordOf = ({ joined, label }) => (joined && !label.line ? `·${label.text}` : lineOf(label));

function word(ink, node, { sight, em, family }) {
  ink.font = `${node.winner ? 600 : 400} ${em}px ${family}`;
  return fit(ink, wordOf(node), sight.wide - em * 1.7);
}

const widthOf = (ink, node, look) => look.em * 0.6 + word(ink, node, look).width;

function labels(ink, drawn, look) {
  const { colours, em, family, mark: radius, numbers } = look;
  ink.textBaseline = "middle";
  ink.textAlign = "left";
  for (const { node, x, y } of drawn) {
    const quiet = node.fate === "pruned" || node.parent === null || node.label.kind !== "word";
    const { text } = word(ink, node, look);
    ink.lineWidth = 3; // a paper-coloured rim keeps words readable over lines
    ink.strokeStyle = colours.paper;
    ink.strokeText(text, x + radius + em * 0.3, y);
    ink.fillStyle = quiet ? colours.faint : colours.ink;
    ink.fillText(text, x + radius + em * 0.3, y);
  }
  if (!numbers) return;
  ink.font = `${em * 0.78}px ${family}`;
  for (const { node, x, y } of drawn) {
    if (node.parent === null) continue;
    ink.strokeStyle = colours.paper;
    ink.strokeText(signedText(node.total), x + radius + em * 0.3, y + em * 0.98);
    ink.fillStyle = colours.faint;
    ink.fillText(signedText(node.total), x + radius + em * 0.3, y + em * 0.98);
  }
}

function folds(ink, { layout, sight, size, upTo, colours, em, family, pointed }) {
  const { first, last } = inside(sight, size);
  const roomy = sight.high >= 2 * em;
  ink.font = `${em * (roomy ? 0.82 : 0.72)}px ${family}`;
  ink.textAlign = "center";
  ink.textBaseline = "middle";
  ink.lineWidth = 1;
  for (let step = Math.max(0, first); step <= Math.min(last + 1, upTo); step += 1) {
    for (const { parent, count } of layout.columns[step].folds) {
      const { x, y } = foldPlace(sight, parent, layout.rows.get(parent));
      const lit = pointed === parent.key;
      if (roomy) pill(ink, x, y, ink.measureText(`+${count}`).width / 2 + em * 0.3, em * 0.55, lit, colours);
      ink.fillStyle = lit ? colours.ink : colours.faint;
      ink.fillText(`+${count}`, x, y);
    }
  }
}

function pill(ink, x, y, width, height, lit, colours) {
  ink.beginPath();
  ink.roundRect(x - width, y - height, 2 * width, 2 * height, height);
  ink.fillStyle = colours.paper;
  ink.fill();
  ink.setLineDash([2, 2]);
  ink.strokeStyle = lit ? colours.ink : colours["strong-line"];
  ink.stroke();
  ink.setLineDash([]);
}

// The numbers of the steps, over whatever scrolled under them.
function header(ink, { layout, sight, size, upTo, colours, em, family }) {
  const height = headerHeight(em) - em * 0.3;
  fill(ink, colours.paper, () => ink.rect(0, 0, size.width, height));
  fill(ink, colours.line, () => ink.rect(0, height, size.width, 1));
  const every = Math.max(1, Math.ceil((1.9 * em) / sight.wide));
  ink.textBaseline = "middle";
  ink.textAlign = "left";
  layout.columns.forEach((_, step) => {
    if (step % every !== 0 && step !== upTo) return;
    if (step !== upTo && Math.abs(step - upTo) * sight.wide < 1.9 * em) return;
    ink.font = `${step === upTo ? 650 : 400} ${em * 0.86}px ${family}`;
    ink.fillStyle = step === upTo ? colours.accent : colours.faint;
    ink.fillText(String(number(step)), sight.x + (step + 1) * sight.wide - em * 0.2, height / 2);
  });
}
