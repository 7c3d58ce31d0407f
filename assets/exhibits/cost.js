// Cost: multiply-adds of an encoder layer as sentence and vectors grow, and measured times beside them.

import { slider } from "../controls.js";
import { element } from "../elements.js";
import { drawInPanel, room } from "../panel.js";
import { legend, plot, powerText } from "../plot.js";
import { record, selection, theme } from "../state.js";
import { question } from "../wire.js";
import { language, t } from "../words.js";
import { PARTS, crossings, pace, parts, total } from "./cost_maths.js";

const LONGEST = 16_384; // tokens on the axis
const WIDTHS = [32, 64, 128, 256, 512, 1024, 2048, 4096];
const POINTS = 60;

export function mount(root) {
  const frame = root.querySelector(".hl-cost");
  const at = (name) => root.querySelector(`#hl-cost-${name}`);
  const state = { n: 128, d: 256, times: null, trouble: null, asked: false, factor: 2 };

  const redraw = drawInPanel(root, [record, theme, language], () => {
    room(frame);
    drawCounted(at("plot"), state);
    at("names").replaceChildren(legend([...PARTS.map((part, i) => ({ look: i + 1, name: t(`cost.${part}`) })), { look: 4, name: t("cost.plain") }]));
    at("table").replaceChildren(...countedTable(state));
    at("crossing").textContent = t("cost.crossing", crossings(state.d, state.factor * state.d));
    drawMeasured(at, state);
    inquire();
  });
  const change = (changes) => {
    Object.assign(state, changes);
    redraw();
  };

  const log2 = (value) => Math.round(Math.log2(value) * 4);
  const count = (i) => Math.round(2 ** (i / 4));
  at("controls").append(
    slider({ id: "hl-cost-n", words: "cost.n", min: 0, max: log2(LONGEST), value: log2(state.n), text: (i) => count(i).toLocaleString("en"), onInput: (i) => change({ n: count(i) }) }).node,
    slider({ id: "hl-cost-d", words: "cost.d", min: 0, max: WIDTHS.length - 1, value: WIDTHS.indexOf(state.d), text: (i) => String(WIDTHS[i]), onInput: (i) => change({ d: WIDTHS[i] }) }).node,
    slider({ id: "hl-cost-factor", words: "cost.factor", min: 1, max: 8, value: state.factor, onInput: (value) => change({ factor: value }) }).node,
    element("p", { class: "hl-note", "data-t": "cost.note" }));

  function inquire() {
    const shown = record.get();
    if (state.asked || shown === null || shown.recorded || selection.get().exhibit !== "cost") return;
    state.asked = true;
    question("cost").then((times) => { if (times !== null) change({ times }); })
      .catch((error) => change({ trouble: error.sentence ?? null }));
  }
}

const sizes = (from, to) => Array.from({ length: POINTS + 1 }, (_, i) => from * (to / from) ** (i / POINTS));

function drawCounted(area, { n, d, factor }) {
  const dff = factor * d;
  const ns = sizes(1, LONGEST);
  const line = (part) => ns.map((one) => [one, parts(one, d, dff)[part]]);
  const plain = [(one) => one * one * d, (one) => one * d * d]; // what meets at N = d
  plot(area, {
    name: t("cost.plot.name"),
    x: { from: 1, to: LONGEST, log: true, name: t("cost.axis.n"), text: (value) => value.toLocaleString("en") },
    y: { from: d, to: parts(LONGEST, d, dff).attention * 2, log: true, name: t("cost.axis.count"), text: powerText },
    lines: [...plain.map((of) => ({ points: ns.map((one) => [one, of(one)]), look: 4 })), ...PARTS.map((part, i) => ({ points: line(part), look: i + 1 }))],
    marks: [{ x: n, quiet: true }, { x: d, name: "N = d" }],
  });
}

function countedTable({ n, d, factor }) {
  const dff = factor * d;
  const found = parts(n, d, dff);
  const all = total(n, d, dff);
  const whole = (value) => value.toLocaleString("en");
  return [
    element("thead", {}, element("tr", {}, ...["part", "formula", "count", "share"].map((name) => element("th", { scope: "col" }, t(`cost.head.${name}`, { n, d }))))),
    element("tbody", {}, ...PARTS.map((part) => element("tr", { "data-part": part },
      element("th", { scope: "row" }, t(`cost.${part}`)), element("td", {}, t(`cost.${part}.formula`)),
      element("td", {}, whole(found[part])), element("td", {}, `${((100 * found[part]) / all).toFixed(1)} %`)))),
    element("tfoot", {}, element("tr", {}, element("th", { scope: "row" }, t("cost.all")), element("td", {}), element("td", {}, whole(all)), element("td", {}, "100 %"))),
  ];
}

const timeText = (seconds) => `${(seconds * 1000).toPrecision(3)} ms`;

function drawMeasured(at, { times, trouble }) {
  at("machine").textContent = trouble !== null ? trouble[language.get()] : t("cost.waiting");
  if (times === null) return;
  const { lengths, seconds, d_model: d, d_ff: dff, n_heads: heads, device } = times;
  at("machine").textContent = t("cost.machine", { device, d, heads, dff });
  const factor = pace(lengths, seconds, d, dff);
  const [first, last] = [lengths[0], lengths[lengths.length - 1]];
  const curve = sizes(first, last).map((n) => [n, factor * total(n, d, dff)]);
  const all = [...seconds, ...curve.map(([, value]) => value)];
  plot(at("times"), {
    name: t("cost.times.name"),
    x: { from: first / 1.4, to: last * 1.4, log: true, name: t("cost.axis.n"), ticks: lengths },
    y: { from: Math.min(...all) / 1.5, to: Math.max(...all) * 1.5, log: true, name: t("cost.axis.seconds"), text: powerText },
    lines: [{ points: curve, look: 2 }, { points: lengths.map((n, i) => [n, seconds[i]]), look: "dots" }],
  });
  at("times-names").replaceChildren(legend([{ look: "dots", name: t("cost.dots") }, { look: 2, name: t("cost.curve") }]));
  at("seconds").replaceChildren(
    element("thead", {}, element("tr", {}, element("th", { scope: "row" }, t("cost.axis.n")), ...lengths.map((n) => element("th", { scope: "col" }, String(n))))),
    element("tbody", {}, element("tr", {}, element("th", { scope: "row" }, t("cost.time")), ...seconds.map((one) => element("td", {}, timeText(one))))));
}
