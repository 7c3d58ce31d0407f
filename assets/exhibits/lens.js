// What each decoder layer would predict, and the tokens that lie near one in the embedding.

import { createAsked } from "../asked.js";
import { element } from "../elements.js";
import { percentText, weightText } from "../numbers.js";
import { drawInPanel } from "../panel.js";
import { record, selection } from "../state.js";
import { createStore } from "../store.js";
import { langOf, language, number, t } from "../words.js";

const side = createStore("src"); // whose chosen token the neighbours are of

export function mount(root) {
  const aboutLayers = createAsked("lens");
  const aboutToken = createAsked("near");
  mountSide(root.querySelector("#hl-lens-side"));
  const redraw = drawInPanel(root, [record, language, side], () => {
    const shown = record.get();
    if (shown === null || shown.recorded) return;
    const word = chosenToken(shown);
    draw(root, shown, word, {
      lens: aboutLayers(shown, {}, redraw), near: aboutToken(shown, { id: word.id }, redraw),
    });
  });
}

const chosenToken = (shown) => {
  const { src, step } = selection.get();
  return side.get() === "src" ? shown.src[src] : shown.tgt_out[step];
};

function mountSide(field) {
  for (const name of ["src", "tgt"]) {
    const radio = element("input", { type: "radio", name: "hl-lens-side", value: name });
    radio.addEventListener("change", () => side.set(name));
    field.append(element("label", {}, radio, element("span", { "data-t": `lens.side.${name}` })));
  }
  side.watch((now) => {
    for (const radio of field.querySelectorAll("input")) radio.checked = radio.value === now;
  });
}

function draw(root, shown, word, { lens, near }) {
  const part = (id) => root.querySelector(`#hl-lens-${id}`);
  const { step } = selection.get();
  part("name").textContent = t("lens.name", { n: number(step), count: shown.tgt_out.length });
  if (lens !== null) part("table").replaceChildren(...table(lens.layers, shown, step));
  part("word").replaceChildren(`${t("lens.word")} `, chip(word));
  if (near !== null) part("near").replaceChildren(...bars(near.tokens));
}

const chip = (label) => element("span", { class: `hl-token hl-${label.kind}`, lang: langOf(label.text), title: label.piece }, label.line ?? label.text);

// Rows: the layers from the embedding to the top. Columns: the likeliest five.
function table(layers, shown, step) {
  const head = ["layer", "first", "rank", "others"].map((name) => element("th", { scope: "col" }, t(`lens.${name}`)));
  const written = shown.tgt_out[step].id;
  const rows = layers.map((steps, layer) => {
    const [first, ...others] = steps[step];
    const at = steps[step].findIndex(({ id }) => id === written);
    const here = layer === layers.length - 1;
    return element("tr", { class: here ? "hl-chosen" : "" },
      element("td", {}, layer === 0 ? t("lens.embedding") : t(here ? "lens.top" : "lens.of", { n: layer })),
      element("td", {}, chip(first), ` ${percentText(Math.exp(first.log_prob))}`),
      element("td", {}, at < 0 ? t("lens.beyond", { n: steps[step].length }) : String(number(at))),
      element("td", {}, ...others.flatMap((label) => [chip(label), ` ${percentText(Math.exp(label.log_prob))} `])));
  });
  return [
    element("thead", {}, element("tr", {}, ...head)),
    element("tbody", {}, ...rows.reverse()),
  ];
}

function bars(tokens) {
  return tokens.map((label) => element("li", {}, chip(label),
    element("div", { class: "hl-bar-track" }, element("i", { style: `width:${(Math.max(0, label.cosine) * 100).toFixed(2)}%` })),
    element("b", {}, weightText(label.cosine)), element("small", {})));
}
