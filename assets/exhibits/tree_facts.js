// One candidate in words and numbers, the candidates of a step as a table, and the legend.

import { element } from "../elements.js";
import { percentText, signedText } from "../numbers.js";
import { langOf, number, t } from "../words.js";
import { coloursOf, drawMark } from "./tree_paint.js";
import { prefixText, prunedOf } from "./tree_shape.js";

const DIGITS = 4;
const PREFIX = 7; // letters of a prefix in the table; its end tells prefixes apart
const SIGN = { width: 26, height: 22 }; // px of a sign in the legend

const nameOf = (label) => label.line ?? label.text;

// What is known of a node. `shown` is the record that it belongs to.
export function facts(node, shown) {
  const lines = [heading(node)];
  if (node.parent !== null) {
    lines.push(numbersOf(node, shown), element("p", {}, sentences(node).join(" ")));
  }
  return lines;
}

function heading(node) {
  if (node.parent === null) return element("h3", {}, t("tree.start"));
  const [before, after] = t("tree.node", { n: number(node.step) }).split("{token}");
  const token = element("b", { class: `hl-${node.label.kind}`, lang: langOf(node.label.text) }, nameOf(node.label));
  const prefix = prefixText(node.parent);
  return element("h3", {}, before, token, after,
    element("small", { title: prefix }, prefix ? t("tree.after", { prefix }) : t("tree.after.nothing")));
}

function numbersOf(node, { search, hypotheses }) {
  const pairs = [
    [t("tree.probability"), percentText(Math.exp(node.logProb))],
    [t("tree.log_prob"), signedText(node.logProb, DIGITS)],
    [t("tree.total"), signedText(node.total, DIGITS)],
    [t("tree.rank"), t("tree.rank.of", { n: number(node.rank), count: search.steps[node.step].count })],
  ];
  if (node.ends !== null) {
    pairs.push([t("tree.score", { n: number(node.ends) }), signedText(hypotheses[node.ends].score, DIGITS)]);
  }
  return element("dl", {}, ...pairs.map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, value))));
}

function sentences(node) {
  const said = [t(`tree.fate.${node.fate}`)];
  if (node.winner) said.push(t("tree.winner"));
  if (node.forced) said.push(t(node.byVisitor ? "tree.forced.prefix" : "tree.forced.limit"));
  return said;
}

// All candidates of a step, best first, with everything that the tree tells of them.
export function table(nodes, pick) {
  const names = ["rank", "token", "after", "log_prob", "total", "fate"];
  const before = new Map(); // the same few parents again and again
  const after = ({ parent }) => {
    if (!before.has(parent)) before.set(parent, prefixText(parent));
    return before.get(parent);
  };
  return [
    element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, t(`tree.list.${name}`))))),
    element("tbody", {}, ...nodes.map((node) => row(node, after(node), pick))),
  ];
}

function short(prefix) {
  const letters = [...prefix];
  return letters.length > PREFIX ? `…${letters.slice(-PREFIX).join("")}` : prefix || "–";
}

function row(node, prefix, pick) {
  const { key, label, logProb, total, fate, forced, winner } = node;
  const unseen = (words) => element("span", { class: "hl-unseen" }, ` · ${words}`);
  return element("tr", { "data-node": key, class: `hl-tree-${fate}${winner ? " hl-tree-winner" : ""}` },
    element("td", {}, number(node.rank)),
    element("td", {}, element("button", { type: "button", onclick: () => pick(node), class: `hl-${label.kind}`, lang: langOf(label.text) }, nameOf(label)),
      ...(forced ? [" ◆", unseen(t("tree.mark.forced"))] : [])),
    element("td", { title: prefix, lang: langOf(prefix) }, short(prefix)),
    element("td", {}, signedText(logProb)), element("td", {}, signedText(total)),
    element("td", { title: t(`tree.fate.${fate}`) }, t(`tree.list.${fate}`), ...(winner ? [unseen(t("tree.mark.winner"))] : [])));
}

// Each mark of the picture with its meaning, drawn as the picture draws it.
export function legend(root) {
  const marks = ["kept", "pruned", "folded", "finished", "beaten", "winner", "forced", "joined", "path"];
  root.replaceChildren(...marks.map((name) => {
    const canvas = element("canvas", { "aria-hidden": "true" });
    sign(canvas, name, coloursOf(root));
    return element("li", { title: name in FATES ? t(`tree.fate.${name}`) : "" }, canvas, t(`tree.mark.${name}`));
  }));
}
const FATES = { kept: 0, pruned: 0, finished: 0, beaten: 0 };

function sign(canvas, name, colours) {
  const sharp = window.devicePixelRatio * 2; // it is scaled with the letters of the page
  canvas.width = SIGN.width * sharp;
  canvas.height = SIGN.height * sharp;
  const ink = canvas.getContext("2d");
  ink.scale(sharp, sharp);
  const [x, y] = [SIGN.width - 9, SIGN.height / 2 + 3];
  const line = (colour, width, dash = []) => {
    ink.beginPath();
    ink.moveTo(0, y);
    ink.lineTo(name in FATES || name === "forced" ? x - 5 : SIGN.width - 2, y);
    ink.strokeStyle = colour;
    ink.lineWidth = width;
    ink.setLineDash(dash);
    ink.stroke();
    ink.setLineDash([]);
  };
  if (name === "winner") line(colours.accent, 3.2);
  else if (name === "path") line(colours.tint, 12);
  else if (name === "joined") {
    line(colours.quiet, 5);
    line(colours.paper, 2.4);
  } else if (name === "folded") {
    ink.beginPath();
    ink.roundRect(2, y - 7, 21, 13, 6);
    ink.setLineDash([2, 2]);
    ink.strokeStyle = colours["strong-line"];
    ink.stroke();
    ink.fillStyle = colours.faint;
    ink.font = "10px sans-serif";
    ink.fillText("+9", 6, y + 3.5);
  } else {
    line(name === "pruned" ? colours["strong-line"] : colours.quiet, 1.2, name === "pruned" ? [3, 3] : []);
    drawMark(ink, name === "forced" ? { fate: "kept", forced: true } : { fate: name }, x, y, 4.6, colours);
  }
}

// What can be done with a node, as buttons.
export function acts(node, { open, folded, shown }, does) {
  const button = (words, act) => element("button", { type: "button", onclick: act }, words);
  const buttons = [];
  if (node.parent !== null) buttons.push(button(t("tree.go_on"), does.goOn));
  if (folded > 0) buttons.push(button(t("tree.unfold", { n: folded }), does.fold));
  else if (open && prunedOf(node) > 0) buttons.push(button(t("tree.fold"), does.fold));
  if (shown.node !== null) buttons.push(button(t("tree.whole", { n: number(shown.shown) }), does.whole));
  return buttons;
}
