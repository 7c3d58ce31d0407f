// Label smoothing on the logits of the step on show: target, gradient, loss, and every step's loss.

import { createAsked } from "../asked.js";
import { slider } from "../controls.js";
import { element, svg } from "../elements.js";
import { percentText, signedText } from "../numbers.js";
import { unpack } from "../packing.js";
import { drawInPanel, room } from "../panel.js";
import { legend, plot } from "../plot.js";
import { choose, record, selection, theme } from "../state.js";
import { language, langOf, number, t } from "../words.js";
import { bestGap, bestOdds, bestProbability, gradientOf, logSoftmax, lossOf, moved, summary, targetOf } from "./smoothing_maths.js";

const PAPER = 0.1; // the epsilon of the paper, and of the shipped model
const POINTS = 120; // of a curve
const ODDS = { from: -6, to: 12 }; // of the chart, as long as the step on show is inside

export function mount(root) {
  const part = (id) => root.querySelector(`#hl-smoothing-${id}`);
  const eps = slider({
    id: "hl-smoothing-eps", words: "smoothing.eps", min: 0, max: 0.5, step: 0.005, value: PAPER,
    text: (value) => value.toFixed(3), onInput: () => redraw(),
  });
  part("controls").append(eps.node);
  const dataOf = createData();
  const redraw = drawInPanel(root, [record, language, theme], () => {
    const shown = record.get();
    const found = shown && dataOf(shown, selection.get().step, redraw);
    if (!found) return;
    room(root.querySelector(".hl-smoothing"));
    const scene = { ...found, shown, eps: eps.get(), right: shown.tgt_out[found.step].id };
    part("formula").textContent = formula(scene);
    part("tokens").replaceChildren(...tokenTable(scene));
    part("note").textContent = t("smoothing.note", { count: found.now.size - scene.top.length });
    drawLoss(part("chart"), scene);
    part("key").replaceChildren(key());
    part("best").textContent = verdict(scene);
    part("steps").replaceChildren(...stepTable(scene));
    part("sum").textContent = sumText(scene);
  });
}

// The step on show, or the one before it until Python has told of the new one.
function createData() {
  const about = createAsked("smoothing", async (reply, shown) => {
    const logits = await unpack(reply.logits, Float32Array);
    const logProbs = logSoftmax(logits);
    return { ...reply, logits, logProbs, now: summary(logProbs, shown.tgt_out[reply.step].id) };
  });
  let last = { shown: null, found: null };
  return (shown, step, ready) => {
    const found = about(shown, { step }, ready);
    if (found !== null) last = { shown, found };
    return last.shown === shown ? last.found : null;
  };
}

function formula({ eps, now }) {
  const target = (right) => targetOf(right, eps, now.size).toFixed(6);
  return t("smoothing.formula", {
    eps: eps.toFixed(3), keep: (1 - eps).toFixed(3), size: now.size, right: target(true), other: target(false),
  });
}

const chip = (label) => element("span", {
  class: `hl-token hl-${label.kind}`, lang: langOf(label.text), title: t("token.facts", { place: "–", ...label }),
}, label.line ?? label.text);

// Where training pushes a logit: against its gradient. Arrow and sign say it beside the colour.
function push(gradient) {
  const width = `width:${Math.min(100, Math.abs(gradient) * 100).toFixed(2)}%`;
  return element("td", { class: `hl-smoothing-push hl-smoothing-${gradient < 0 ? "up" : "down"}` },
    element("span", {}, `${gradient < 0 ? "↑" : "↓"} ${signedText(gradient, 5)}`),
    element("b", { "aria-hidden": "true" }, element("i", { style: width })));
}

function tokenTable({ top, logits, logProbs, now, eps, right }) {
  const names = ["token", "logit", "probability", "target", "gradient"];
  let [rest, push_, aim] = [1, 0, 1];
  const rows = top.map((label) => {
    const probability = Math.exp(logProbs[label.id]);
    const gradient = gradientOf(probability, label.id === right, eps, now.size);
    const target = targetOf(label.id === right, eps, now.size);
    [rest, push_, aim] = [rest - probability, push_ - gradient, aim - target];
    return element("tr", { class: label.id === right ? "hl-chosen" : "" },
      element("td", {}, chip(label)), element("td", {}, signedText(logits[label.id])),
      element("td", {}, probability.toFixed(5)), element("td", {}, target.toFixed(5)), push(gradient));
  });
  return [
    element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, t(`smoothing.${name}`))))),
    element("tbody", {}, ...rows, element("tr", { class: "hl-rest" },
      element("td", {}, t("smoothing.rest", { count: now.size - top.length })), element("td", {}, ""),
      element("td", {}, Math.max(0, rest).toFixed(5)), element("td", {}, Math.max(0, aim).toFixed(5)), push(push_))),
  ];
}

const oddsOf = (now) => now.log_prob - now.rest;

function drawLoss(root, { now, eps }) {
  const odds = oddsOf(now);
  const [from, to] = [Math.min(ODDS.from, Math.floor(odds) - 1), Math.max(ODDS.to, Math.ceil(odds) + 1)];
  const places = Array.from({ length: POINTS + 1 }, (_, i) => from + ((to - from) * i) / POINTS);
  const curve = (e) => places.map((place) => [place, lossOf(moved(now, place), e)]);
  const lines = [{ points: curve(eps), look: 1 }, { points: curve(0), look: 2 }];
  const best = bestOdds(eps, now.size);
  const drawn = plot(root, {
    name: t("smoothing.chart.alternative", { p: percentText(Math.exp(now.log_prob)), best: percentText(bestProbability(eps, now.size)) }),
    x: { from, to, name: t("smoothing.odds"), text: signedTick },
    y: { from: 0, to: Math.max(...lines.flatMap(({ points }) => points.map(([, y]) => y))), name: t("smoothing.loss") },
    lines,
  });
  const at = (place) => ({ cx: drawn.x(place), cy: drawn.y(lossOf(moved(now, place), eps)) });
  drawn.node.append(svg("circle", { ...at(odds), r: 4.5, class: "hl-smoothing-now" }));
  if (best >= from && best <= to) drawn.node.append(svg("circle", { ...at(best), r: 5.5, class: "hl-smoothing-best" }));
}

function key() {
  const list = legend([{ look: 1, name: t("smoothing.curve.with") }, { look: 2, name: t("smoothing.curve.without") }]);
  const dot = (name) => svg("svg", { width: "0.9em", height: "0.9em", viewBox: "0 0 10 10", "aria-hidden": "true" },
    svg("circle", { cx: 5, cy: 5, r: 3.5, class: `hl-smoothing-${name}` }));
  list.append(...["now", "best"].map((name) => element("li", {}, dot(name), t(`smoothing.curve.${name}`))));
  return list;
}

const signedTick = (value) => String(value).replace("-", "−");

// Whether the model is surer than the target wants it to be.
function verdict({ now, eps }) {
  const values = {
    p: percentText(Math.exp(now.log_prob)), best: percentText(bestProbability(eps, now.size)),
    loss: lossOf(now, eps).toFixed(4), gap: eps > 0 ? bestGap(eps, now.size).toFixed(3) : "∞",
  };
  if (eps === 0) return t("smoothing.verdict.none", values);
  const over = Math.exp(now.log_prob) > bestProbability(eps, now.size);
  return over ? t("smoothing.verdict.over", values) : t("smoothing.verdict.under", values);
}

function stepTable({ steps, shown, now, eps }) {
  const names = ["step", "writes", "probability", "plain", "smoothed", "push"];
  const { step } = selection.get();
  const rows = steps.map((one, i) => {
    const probability = Math.exp(one.log_prob);
    const gradient = gradientOf(probability, true, eps, now.size);
    return element("tr", { class: i === step ? "hl-chosen" : "", onclick: () => choose({ step: i }) },
      element("td", {}, element("button", { type: "button", "aria-pressed": String(i === step) }, number(i))),
      element("td", {}, chip(shown.tgt_out[i])), element("td", {}, percentText(probability)),
      element("td", {}, lossOf(one, 0).toFixed(4)), element("td", {}, lossOf(one, eps).toFixed(4)), push(gradient));
  });
  return [
    element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, t(`smoothing.${name}`))))),
    element("tbody", {}, ...rows),
  ];
}

function sumText({ steps, eps, now }) {
  const mean = (e) => (steps.reduce((sum, one) => sum + lossOf(one, e), 0) / steps.length).toFixed(4);
  const over = steps.filter((one) => Math.exp(one.log_prob) > bestProbability(eps, now.size)).length;
  return t("smoothing.sum", { plain: mean(0), smoothed: mean(eps), over, count: steps.length });
}
