// The shipped model's training: four curves to zoom into, every number as text, the final scores.

import { createAsked } from "../asked.js";
import { element } from "../elements.js";
import { drawFigure } from "../figure.js";
import { drawInPanel, room } from "../panel.js";
import { message, record, theme } from "../state.js";
import { language, t } from "../words.js";

const SERIES = ["train_loss", "dev_loss", "bleu", "chrf"];
const DIGITS = { train_loss: 3, dev_loss: 3, bleu: 2, chrf: 2 };

export function mount(root) {
  const part = (id) => root.querySelector(`#hl-curves-${id}`);
  const about = createAsked("curves");
  let found = null;
  let drawn = ""; // what the figure shows: language, theme, size
  let chosen = null; // the epoch that is read out
  const redraw = drawInPanel(root, [record, language, theme], () => {
    const shown = record.get();
    found ??= shown && about(shown, {}, redraw);
    if (!found) return;
    room(root.querySelector(".hl-curves"));
    chosen ??= found.lines.length - 1;
    part("means").replaceChildren(...SERIES.flatMap((name) =>
      [element("dt", {}, t(`curves.${name}`)), element("dd", {}, t(`curves.${name}.means`))]));
    part("scores").replaceChildren(...scoreTable(found.scores));
    part("table").replaceChildren(...epochTable(found.lines, read));
    read(chosen);
    const { fontSize } = getComputedStyle(part("figure"));
    const wanted = [language.get(), theme.get(), fontSize, part("figure").clientWidth].join();
    if (wanted !== drawn) draw(wanted);
  });

  function draw(wanted) {
    drawn = wanted;
    drawFigure(part("figure"), found.figures[language.get()]).then(listen, () => {
      drawn = "";
      message.set({ words: "curves.trouble" });
    });
  }

  let listening = false;
  function listen() {
    if (listening) return;
    listening = true;
    part("figure").on("plotly_hover", ({ points }) => read(points[0].pointIndex));
  }

  // Says one epoch in words, and marks it in the table.
  function read(index) {
    chosen = index;
    part("now").textContent = nowText(found.lines[index]);
    for (const [i, row] of [...part("table").querySelectorAll("tbody tr")].entries()) {
      row.classList.toggle("hl-chosen", i === index);
      row.querySelector("button").setAttribute("aria-pressed", String(i === index));
    }
  }
}

function nowText(line) {
  const numbers = Object.fromEntries(SERIES.map((name) => [name, line[name].toFixed(DIGITS[name])]));
  return t("curves.now", { epoch: line.epoch, updates: line.updates, ...numbers });
}

const head = (keys) => element("thead", {}, element("tr", {}, ...keys.map((key) => element("th", { scope: "col" }, t(key)))));

function scoreTable(scores) {
  return [
    head(["curves.method", "curves.score.bleu", "curves.score.chrf", "curves.score.bleu_unlike", "curves.score.chrf_unlike"]),
    element("tbody", {}, ...scores.map((score) => {
      const way = score.method === "greedy" ? "greedy" : "beam";
      return element("tr", {}, element("th", { scope: "row" }, t(`curves.method.${way}`)),
        ...["bleu", "chrf", "bleu_unlike", "chrf_unlike"].map((name) => element("td", {}, score[name].toFixed(2))));
    })),
  ];
}

function epochTable(lines, read) {
  return [
    head(["curves.epoch", "curves.updates", ...SERIES.map((name) => `curves.short.${name}`)]),
    element("tbody", {}, ...lines.map((line, i) => element("tr", { onclick: () => read(i) },
      element("td", {}, element("button", { type: "button" }, line.epoch)), element("td", {}, line.updates),
      ...SERIES.map((name) => element("td", {}, line[name].toFixed(DIGITS[name])))))),
  ];
}
