// The learning rate: the paper's schedule under sliders, the shipped model's beside it.

import { createAsked } from "../asked.js";
import { slider } from "../controls.js";
import { element, svg } from "../elements.js";
import { drawInPanel, room } from "../panel.js";
import { legend, plot } from "../plot.js";
import { record } from "../state.js";
import { language, t } from "../words.js";
import { curve, linearRate, paperRate } from "./schedule_maths.js";

const PAPER = { dModel: 512, warmup: 4000 }; // the base model of the paper
const LAST = 20_000; // updates on the axis
const LOOKS = [[1, "paper"], [2, "shipped"], ["dots", "epochs"]];
const HIGHEST = 0.003; // of the axis at least, so that the curve moves and not the axis

export function mount(root) {
  const part = (id) => root.querySelector(`#hl-schedule-${id}`);
  const about = createAsked("schedule");
  const whole = (value) => value.toLocaleString("en");
  const make = (name, from) => slider({
    id: `hl-schedule-${name}`, words: `schedule.${name}`, text: whole, onInput: () => redraw(), ...from,
  });
  const sliders = {
    d_model: make("d_model", { min: 64, max: 2048, step: 64, value: PAPER.dModel }),
    warmup: make("warmup", { min: 100, max: 16_000, step: 100, value: PAPER.warmup }),
    update: make("update", { min: 1, max: LAST, step: 1, value: PAPER.warmup }),
  };
  let shipped = null;
  let chart = null;
  const redraw = drawInPanel(root, [record, language], () => {
    const shown = record.get();
    shipped = (shown && about(shown, {}, redraw)) ?? shipped;
    if (shipped === null) return;
    room(root.querySelector(".hl-schedule"));
    const scene = { shipped, ...settings(sliders) };
    chart = drawRates(part("chart"), scene);
    part("key").replaceChildren(legend(LOOKS.map(([look, name]) => ({ look, name: t(`schedule.key.${name}`) }))));
    part("read").replaceChildren(...readOut(scene));
  });

  const preset = (key, values) => element("button", {
    type: "button", "data-t": key,
    onclick: () => {
      const { dModel, warmup } = values();
      sliders.d_model.set(dModel);
      sliders.warmup.set(warmup);
      redraw();
    },
  });
  part("controls").append(...Object.values(sliders).map((one) => one.node),
    element("div", { class: "hl-schedule-presets" },
      preset("schedule.base", () => PAPER), preset("schedule.big", () => ({ ...PAPER, dModel: 1024 })),
      preset("schedule.ours", () => (shipped ? { dModel: shipped.d_model, warmup: shipped.warmup } : PAPER))));

  for (const type of ["pointerdown", "pointermove"]) {
    part("chart").addEventListener(type, (event) => {
      if (chart === null || (type === "pointermove" && !(event.buttons & 1))) return;
      sliders.update.set(updateAt(event, part("chart"), chart));
      redraw();
    });
  }
}

const settings = (sliders) => ({
  dModel: sliders.d_model.get(), warmup: sliders.warmup.get(), update: sliders.update.get(),
});

// The update below the pointer.
function updateAt(event, root, { x }) {
  const px = event.clientX - root.getBoundingClientRect().left;
  return Math.round(((px - x(0)) / (x(LAST) - x(0))) * LAST);
}

function drawRates(root, { shipped, dModel, warmup, update }) {
  const paper = (step) => paperRate(step, { dModel, warmup });
  const ours = (step) => linearRate(step, shipped);
  const drawn = plot(root, {
    name: t("schedule.alternative", { peak: rateText(paper(warmup)), warmup, ours: rateText(shipped.peak), rise: shipped.warmup, updates: shipped.updates }),
    x: { from: 0, to: LAST, name: t("schedule.updates"), text: (x) => x.toLocaleString("en") },
    y: { from: 0, to: Math.max(HIGHEST, paper(warmup) * 1.05), name: t("schedule.rate"), text: (y) => (y * 1000).toFixed(1) },
    marks: [{ x: update, quiet: true }],
    lines: [
      { points: shipped.epochs.map(({ updates, lr }) => [updates, lr]), look: "dots" },
      { points: curve(ours, shipped.updates + 1, shipped.warmup), look: 2 },
      { points: curve(paper, LAST, warmup), look: 1 },
    ],
  });
  drawn.node.append(svg("circle", { cx: drawn.x(update), cy: drawn.y(paper(update)), r: 5, class: "hl-schedule-here" }));
  return drawn;
}

const rateText = (rate) => rate.toPrecision(4);

function readOut({ shipped, dModel, warmup, update }) {
  const values = {
    update, d_model: dModel, warmup,
    fall: (update ** -0.5).toPrecision(4), rise: (update * warmup ** -1.5).toPrecision(4),
    scale: (dModel ** -0.5).toPrecision(4), rate: rateText(paperRate(update, { dModel, warmup })),
    peak: rateText(paperRate(warmup, { dModel, warmup })), ours: rateText(linearRate(update, shipped)),
    ours_peak: rateText(shipped.peak), ours_warmup: shipped.warmup, updates: shipped.updates,
  };
  const line = (key) => element("p", {}, t(key, values));
  return [
    element("h3", {}, t("schedule.paper")), line("schedule.paper.formula"), line("schedule.paper.numbers"),
    line(update <= warmup ? "schedule.rising" : "schedule.falling"), line("schedule.paper.peak"),
    element("h3", {}, t("schedule.shipped")), line("schedule.shipped.rule"),
    line(update > shipped.updates ? "schedule.shipped.over" : "schedule.shipped.number"), line("schedule.why"),
  ];
}
