// Paints a tree with an ink, a canvas's or one that writes SVG (kit/ink.js): only the visible part,
// with edges of one style in one stroke.

import { signedText } from "../../../assets/kit/numbers.js";
import { coloursOf, drawMark, drawPill, FATES, fill, WAYS } from "./fates.js";
import { nameOf } from "./shape.js";
import {
  beyond,
  detail,
  foldPlace,
  glossBelow,
  headerHeight,
  inside,
  placeOf,
  startOf,
  widthOf,
} from "./sight.js";

const NUMBER = 0.82; // em: of the numbers
const FINE = 2.5; // px of a mark's radius: what is smaller is drawn plainly
const FADE = [0.9, 0.75, 0.55, 0.35, 0.15]; // fade where the tree continues beyond an edge

/**
 * @typedef {import("./shape.js").Node} Node
 * @typedef {object} Scene
 * @property {import("./shape.js").Tree} tree
 * @property {import("./shape.js").Layout} layout
 * @property {number} upTo the last step that is drawn
 * @property {Set<Node>} path the nodes of the current prefix
 * @property {Set<Node>} winners the nodes of the first hypothesis
 * @property {Map<Node, {rank: number, score: number}>} standings ranks and scores of the ends
 * @property {Node|null} cursor
 * @property {Node|string|null} pointed a node, or the key of the parent whose fold is pointed at
 * @property {boolean} focused
 */

/** The element's size, letters and colours: {size, em, family, colours, key}.
 * @param {HTMLElement} place */
export function frameOf(place) {
  const { clientWidth: width, clientHeight: height } = place;
  const { fontSize, fontFamily: family } = getComputedStyle(place);
  const em = parseFloat(fontSize);
  const key = [width, height, em, window.devicePixelRatio].join();
  return { size: { width, height }, em, family, colours: coloursOf(place), key };
}

/**
 * Paints a scene in a frame at a sight. Gives what it drew: [{node, x, y, from}], `from` being the
 * place of the parent.
 * @param {any} ink
 * @param {any} scene Scene, with {sight} and what frameOf gives
 */
export function paint(ink, scene) {
  const { size, colours, sight, em } = scene;
  const drawn = visible(scene);
  const look = { ...detail(sight, em), ...scene };
  look.flats = flatsOf(ink, drawn, look);
  ink.clearRect(0, 0, size.width, size.height);
  ink.lineJoin = "round";
  const here = startOf(sight, scene.upTo) - em * 0.7;
  fill(ink, colours.wash, () => ink.rect(here, 0, widthOf(sight, scene.upTo), size.height));
  edges(ink, drawn, look);
  marks(ink, drawn, look);
  if (look.labels) labels(ink, drawn, look);
  if (look.folds) folds(ink, look);
  header(ink, look);
  for (const side of beyond(scene, size, em)) goesOn(ink, side, look);
  return drawn;
}

function visible({ tree, layout, sight, size, upTo }) {
  const { first, last, top, bottom } = inside(sight, size);
  const { rows, columns } = layout;
  const spot = (node) => placeOf(sight, node, rows.get(node));
  const drawn = [];
  if (first <= -1) drawn.push({ node: tree.root, ...spot(tree.root), from: null });
  // One more column on the right: its edges start in view.
  for (let step = Math.max(0, first); step <= Math.min(last + 1, upTo); step += 1) {
    for (const node of columns[step].nodes) {
      const [own, other] = [rows.get(node), rows.get(node.parent)];
      if (Math.max(own, other) < top || Math.min(own, other) > bottom) continue;
      drawn.push({ node, ...spot(node), from: spot(node.parent) });
    }
  }
  return drawn;
}

function edges(ink, drawn, look) {
  const { colours, em, path, winners, mark: radius } = look;
  const isFine = radius > FINE;
  const linked = drawn.filter(({ from }) => from !== null);
  const some = (test) => linked.filter(({ node }) => test(node));
  const stroke = (list, colour, width, dash = []) => {
    ink.strokeStyle = colours[colour];
    ink.lineWidth = width;
    ink.setLineDash(isFine ? dash : []);
    // One stroke per column: a path over the whole picture would take far longer to fill.
    for (let i = 0; i < list.length; ) {
      const { x } = list[i];
      ink.beginPath();
      for (; i < list.length && list[i].x === x; i += 1) edge(ink, list[i], look);
      ink.stroke();
    }
    ink.setLineDash([]);
  };
  const { pruned, kept } = FATES;
  const isPlain = (node) => node.fate !== "pruned" && !winners.has(node);
  stroke(
    some((node) => path.has(node)),
    WAYS.path,
    Math.max(5, em * 0.95),
  );
  stroke(
    some(({ fate }) => fate === "pruned"),
    isFine ? pruned.line : "line",
    isFine ? 1 : 0.5,
    pruned.dash,
  );
  stroke(some(isPlain), kept.line, isFine ? 1.2 : 0.8);
  stroke(
    some((node) => winners.has(node)),
    WAYS.winner,
    isFine ? 3.2 : 2,
  );
  // Two lines: the tokens are parts of one word.
  const joined = isFine ? some((node) => node.joined) : [];
  stroke(joined, WAYS.joined, 5);
  stroke(joined, "paper", 2.4);
}

/** The x where the edges of each column turn: after all of its words and numbers, to cross none.
 * {step -> x} */
function flatsOf(ink, drawn, look) {
  const flats = new Map();
  if (!look.labels) return flats;
  for (const { node, x } of drawn) {
    const texts = [
      word(ink, node, look).width,
      ...[...numbersOf(node, look), glossBelow(look.sight, node, look.em).gloss].map(
        widthOfNumber(ink, look),
      ),
    ];
    const right = x + look.mark + look.em * 0.6 + Math.max(...texts);
    flats.set(node.step, Math.max(flats.get(node.step) ?? 0, right));
  }
  return flats;
}

/** The text below the word of a node. */
function numbersOf(node, { numbers, ends, standings }) {
  if (!numbers || node.parent === null) return [];
  const standing = ends ? standings.get(node) : undefined;
  const end = standing ? [`#${standing.rank + 1} ${signedText(standing.score)}`] : [];
  return [signedText(node.total), ...end];
}

const widthOfNumber =
  (ink, { em, family }) =>
  (text) => {
    ink.font = `${em * NUMBER}px ${family}`;
    return ink.measureText(text).width;
  };

function edge(ink, { node, x, y, from }, look) {
  const { labels: hasLabels, mark: radius } = look;
  if (radius <= FINE) {
    ink.moveTo(from.x, from.y);
    ink.lineTo(x, y);
    return;
  }
  const start =
    from.x + radius + (hasLabels ? look.em * 0.6 + word(ink, node.parent, look).width : 0);
  const end = x - radius - 1;
  const turn = Math.min(Math.max(start, look.flats.get(node.step - 1) ?? start), end - 6);
  const bend = Math.max(6, (end - turn) * 0.5);
  ink.moveTo(Math.min(start, turn), from.y);
  ink.lineTo(turn, from.y);
  ink.bezierCurveTo(turn + bend, from.y, end - bend, y, end, y);
}

function marks(ink, drawn, look) {
  const { mark: radius, path, cursor, pointed, colours } = look;
  const isPlain = ({ node }) =>
    radius <= FINE &&
    node.fate === "pruned" &&
    !path.has(node) &&
    node !== cursor &&
    node !== pointed;
  ink.fillStyle = colours[FATES.pruned.mark];
  for (const one of drawn) {
    if (isPlain(one)) ink.fillRect(one.x - 0.5, one.y - 0.5, 1, 1);
  }
  for (const one of drawn) {
    if (!isPlain(one)) mark(ink, one, look);
  }
}

function mark(ink, { node, x, y }, { colours, path, cursor, pointed, focused, mark: radius, em }) {
  if (path.has(node)) fill(ink, colours[WAYS.path], () => ink.arc(x, y, radius + em * 0.25, 0, 7));
  if (node === pointed || node === cursor) {
    ink.beginPath();
    ink.arc(x, y, radius + em * 0.22, 0, 7);
    ink.lineWidth = node === cursor && focused ? 2.5 : 1.5;
    ink.strokeStyle = node === cursor ? colours.accent : colours.ink;
    ink.stroke();
  }
  if (node.parent !== null) drawMark(ink, node, x, y, radius, colours);
  else fill(ink, colours.faint, () => ink.arc(x, y, radius * 0.7, 0, 7));
}

/** The part of a text that fits, and its width; cached for each text. */
const fitting = (() => {
  const known = new Map(); // font, room and text -> {text, width}
  return (ink, text, room) => {
    const key = `${ink.font}|${Math.round(room)}|${text}`;
    if (known.has(key)) return known.get(key);
    if (known.size > 20_000) known.clear();
    const letters = [...text];
    let cut = text;
    while (letters.length > 1 && ink.measureText(cut).width > room) {
      letters.pop();
      cut = `${letters.join("")}…`;
    }
    const fitted = { text: cut, width: ink.measureText(cut).width };
    known.set(key, fitted);
    return fitted;
  };
})();

function word(ink, node, { sight, em, family, winners }) {
  const { joined, label } = node;
  ink.font = `${winners.has(node) ? 600 : 400} ${em}px ${family}`;
  return fitting(
    ink,
    joined && !label.line ? `·${label.text}` : nameOf(label),
    widthOf(sight, node.step) - em * 1.7,
  );
}

function labels(ink, drawn, look) {
  const { colours, em, family, mark: radius } = look;
  ink.textBaseline = "middle";
  ink.textAlign = "left";
  const write = (text, x, y, colour) => {
    ink.lineWidth = 3; // a paper-coloured rim keeps words readable over lines
    ink.strokeStyle = colours.paper;
    ink.strokeText(text, x + radius + em * 0.3, y);
    ink.fillStyle = colour;
    ink.fillText(text, x + radius + em * 0.3, y);
  };
  for (const { node, x, y } of drawn) {
    const quiet = node.fate === "pruned" || node.parent === null || node.label.kind !== "word";
    write(word(ink, node, look).text, x, y, quiet ? colours.faint : colours.ink);
  }
  ink.font = `${em * NUMBER}px ${family}`;
  for (const { node, x, y } of drawn) {
    const [total, end] = numbersOf(node, look);
    const { gloss, line, isForSum } = glossBelow(look.sight, node, em);
    const room = widthOf(look.sight, node.step) - em * 1.7;
    const isWhole = gloss !== "" && fitting(ink, gloss, room).text === gloss;
    if (isWhole) write(gloss, x, y + em * 0.94, colours.faint); // half a word explains nothing
    if (total && !(isForSum && isWhole)) write(total, x, y + em * (0.98 + line), colours.faint);
    if (end) write(end, x, y + em * (1.8 + line), colours.accent);
  }
}

function folds(ink, { layout, sight, size, upTo, colours, em, family, pointed }) {
  const { first, last } = inside(sight, size);
  const isRoomy = sight.high >= 2 * em;
  ink.font = `${em * (isRoomy ? 0.82 : 0.72)}px ${family}`;
  ink.textAlign = "center";
  ink.textBaseline = "middle";
  ink.lineWidth = 1;
  for (let step = Math.max(0, first); step <= Math.min(last + 1, upTo); step += 1) {
    for (const { parent, count } of layout.columns[step].folds) {
      const { x, y } = foldPlace(sight, parent, layout.rows.get(parent), em) ?? {};
      if (x === undefined) continue;
      const isLit = pointed === parent.key;
      const width = ink.measureText(`+${count}`).width / 2 + em * 0.3;
      if (isRoomy) drawPill(ink, x, y, width, em * 0.5, colours, isLit);
      ink.fillStyle = isLit ? colours.ink : colours.faint;
      ink.fillText(`+${count}`, x, y);
    }
  }
}

/** The numbers of the steps, above any content scrolled under them. */
function header(ink, { layout, sight, size, upTo, colours, em, family }) {
  const height = headerHeight(em) - em * 0.3;
  fill(ink, colours.paper, () => ink.rect(0, 0, size.width, height));
  fill(ink, colours.line, () => ink.rect(0, height, size.width, 1));
  const every = Math.max(1, Math.ceil((1.9 * em) / sight.wide));
  ink.textBaseline = "middle";
  ink.textAlign = "left";
  layout.columns.forEach((_, step) => {
    const [isHere, x] = [step === upTo, startOf(sight, step)];
    if (!isHere && step % every !== 0) return;
    if (!isHere && Math.abs(x - startOf(sight, upTo)) < 1.9 * em) return;
    ink.font = `${isHere ? 650 : 400} ${em * 0.86}px ${family}`;
    ink.fillStyle = isHere ? colours.accent : colours.faint;
    ink.fillText(String(step + 1), x - em * 0.2, height / 2);
  });
}

/** An edge beyond which the tree continues: it fades there, with an arrow. */
function goesOn(ink, /** @type {"left"|"right"|"top"|"bottom"} */ side, { size, colours, em }) {
  const isAcross = side === "left" || side === "right";
  const isFirst = side === "left" || side === "top";
  const top = headerHeight(em) - em * 0.3;
  const [wide, high] = [size.width, size.height - top];
  const strip = em * 0.4;
  ink.fillStyle = colours.paper;
  FADE.forEach((share, i) => {
    ink.globalAlpha = share;
    const from = isFirst ? i * strip : (isAcross ? wide : high) - (i + 1) * strip;
    if (isAcross) ink.fillRect(from, top, strip, high);
    else ink.fillRect(0, top + from, wide, strip);
  });
  ink.globalAlpha = 1;
  const tip = isFirst ? 0.3 * em : (isAcross ? wide : high) - 0.3 * em;
  const back = isFirst ? tip + 0.6 * em : tip - 0.6 * em;
  const middle = (isAcross ? high : wide) / 2;
  const points = [
    [tip, middle],
    [back, middle - 0.6 * em],
    [back, middle + 0.6 * em],
  ].map(([along, across]) => (isAcross ? [along, top + across] : [across, top + along]));
  ink.beginPath();
  ink.moveTo(...points[0]);
  ink.lineTo(...points[1]);
  ink.lineTo(...points[2]);
  ink.fillStyle = colours.ink;
  ink.fill();
}
