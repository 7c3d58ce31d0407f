// Dropout at work: one draw in numbers, and the mean of many draws.

import { createAsked } from "../asked.js";
import { slider } from "../controls.js";
import { element } from "../elements.js";
import { signedText } from "../numbers.js";
import { unpack } from "../packing.js";
import { drawInPanel, room } from "../panel.js";
import { legend, plot } from "../plot.js";
import { record, selection } from "../state.js";
import { language, number, t } from "../words.js";
import { dropped, expectedError, maskOf, means } from "./dropout_maths.js";

const DRAWS = 1000; // at most
const LOOKS = [[1, "mean"], [2, "true"], [3, "band"]];

export function mount(root) {
  const part = (id) => root.querySelector(`#hl-dropout-${id}`);
  const about = createAsked("dropout", async (reply) => ({ ...reply, values: await unpack(reply.values, Float32Array) }));
  const make = (name, from) => slider({ id: `hl-dropout-${name}`, words: `dropout.${name}`, onInput: () => redraw(), ...from });
  const sliders = {
    share: make("share", { min: 0, max: 0.9, step: 0.05, value: 0.2, text: (p) => p.toFixed(2) }),
    draws: make("draws", { min: 1, max: DRAWS, step: 1, value: 100 }),
  };
  let seed = 1;
  part("controls").append(sliders.share.node, sliders.draws.node,
    element("button", { type: "button", "data-t": "dropout.again", onclick: () => { seed += 1; redraw(); } }),
    element("output", { id: "hl-dropout-seed" }));

  let last = null;
  const redraw = drawInPanel(root, [record, language], () => {
    const shown = record.get();
    if (shown === null) return;
    const { src } = selection.get();
    const found = about(shown, { source: src }, redraw);
    if (found !== null) last = { ...found, token: shown.src[src] };
    if (last === null) return;
    room(root.querySelector(".hl-dropout"));
    const scene = { ...last, share: sliders.share.get(), draws: sliders.draws.get(), seed };
    part("seed").textContent = t("dropout.seed", { seed });
    part("name").textContent = t("dropout.name", { token: scene.token.line ?? scene.token.text, count: scene.values.length, of: scene.of });
    part("numbers").replaceChildren(...numbers(scene));
    part("key").replaceChildren(legend(LOOKS.map(([look, name]) => ({ look, name: t(`dropout.key.${name}`) }))));
    drawMany(part, scene);
  });
}

function numbers({ values, share, seed }) {
  const mask = maskOf(seed, 0, values.length, share);
  const after = dropped(values, mask, share);
  const names = ["place", "before", "mask", "after"];
  const rows = Array.from(values, (value, i) => element("tr", { class: mask[i] ? "" : "hl-dropout-gone" },
    element("td", {}, number(i)), element("td", {}, signedText(value, 4)),
    element("td", {}, mask[i] ? `× ${(1 / (1 - share)).toFixed(3)}` : t("dropout.zero")), element("td", {}, signedText(after[i], 4))));
  return [
    element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, t(`dropout.${name}`))))),
    element("tbody", {}, ...rows),
  ];
}

// The largest number of the vector is followed over the draws: its mean comes to rest on its value.
function drawMany(part, { values, share, draws, seed }) {
  const followed = values.reduce((best, value, i) => (Math.abs(value) > Math.abs(values[best]) ? i : best), 0);
  const way = means(values, seed, draws, share);
  const value = values[followed];
  const band = (sign) => Array.from({ length: draws }, (_, i) => [i + 1, value + sign * expectedError(value, share, i + 1)]);
  const points = way.map((mean, i) => [i + 1, mean[followed]]);
  const reach = Math.max(Math.abs(value) / 2, ...points.map(([, y]) => Math.abs(y - value)));
  const mean = way[draws - 1][followed];
  const words = { n: number(followed), draws, value: signedText(value, 4), mean: signedText(mean, 4), error: expectedError(value, share, draws).toFixed(4) };
  part("title").textContent = t("dropout.heading", words);
  part("means").textContent = t("dropout.means", words);
  const last = Math.max(10, draws);
  plot(part("chart"), {
    name: t("dropout.means", words),
    x: { from: 0, to: last, name: t("dropout.axis") },
    y: { from: value - reach * 1.1, to: value + reach * 1.1, name: "", text: (y) => signedText(y, 2) },
    lines: [
      ...[-1, 1].map((sign) => ({ points: band(sign), look: 3 })),
      { points: [[0, value], [last, value]], look: 2 }, { points, look: 1 },
    ],
  });
}
