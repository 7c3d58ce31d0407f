// The way of the data: the steps of both stacks with their shapes, and the table of weights.

import { createAsked } from "../asked.js";
import { element } from "../elements.js";
import { drawInPanel, room } from "../panel.js";
import { record } from "../state.js";
import { language, t } from "../words.js";
import { forms, wayOf } from "./flow_maths.js";

let norm = null; // the norm on show

export function mount(root) {
  const about = createAsked("anatomy");
  const redraw = drawInPanel(root, [record, language], () => {
    const shown = record.get();
    if (shown === null || shown.recorded) return;
    room(root.querySelector(".hl-flow"));
    const model = about(shown, {}, redraw);
    if (model === null) return;
    norm ??= model.config.norm;
    draw(root, shown, model);
  });
  mountNorm(root.querySelector("#hl-flow-norm"), redraw);
}

function mountNorm(field, redraw) {
  for (const name of ["post", "pre"]) {
    const radio = element("input", { type: "radio", name: "hl-flow-norm", value: name });
    radio.addEventListener("change", () => { norm = name; redraw(); });
    field.append(element("label", {}, radio, element("span", { "data-t": `flow.norm.${name}` })));
  }
}

function draw(root, shown, model) {
  const part = (id) => root.querySelector(`#hl-flow-${id}`);
  for (const radio of part("norm").querySelectorAll("input")) radio.checked = radio.value === norm;
  const own = t(norm === model.config.norm ? "flow.own" : "flow.other");
  part("formula").replaceChildren(element("code", {}, norm === "post" ? "x ← LayerNorm(x + Sublayer(x))" : "x ← x + Sublayer(LayerNorm(x))"), ` ${own}`);
  const sizes = { ...model.config, S: shown.src.length, T: shown.tgt_in.length };
  part("stacks").replaceChildren(...["encoder", "decoder"].map((stack) => stackOf(stack, sizes)));
  part("table").replaceChildren(...table(model.parts));
  const total = model.parts.reduce((sum, row) => sum + row.numbers, 0);
  part("total").textContent = t(total === model.counted ? "flow.total" : "flow.total.wrong", {
    total: total.toLocaleString("en"), counted: model.counted.toLocaleString("en"),
  });
  part("forms").replaceChildren(...formsTable(model.config));
}

function stackOf(stack, sizes) {
  const steps = wayOf(stack, sizes, norm);
  return element("section", { class: `hl-flow-stack hl-flow-${stack}` },
    element("h3", {}, t(`flow.${stack}`, { n: sizes[`n_${stack}_layers`] })),
    element("ol", {}, ...steps.map(({ name, shape, layer }) =>
      element("li", { class: layer ? "hl-flow-inside" : "" },
        element("span", {}, t(`flow.step.${name}`)), element("code", {}, shape)))));
}

function table(parts) {
  const names = ["place", "name", "times", "shape", "numbers"];
  const rows = parts.map((row) => element("tr", {},
    element("td", {}, t(`flow.place.${row.place}`)), element("td", {}, element("code", {}, row.name)),
    element("td", {}, String(row.times)), element("td", {}, row.shape.join(" × ")),
    element("td", {}, row.numbers.toLocaleString("en"))));
  return [
    element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, t(`flow.column.${name}`))))),
    element("tbody", {}, ...rows),
  ];
}

function formsTable(config) {
  const rows = forms(config).map(({ name, formula, numbers }) => element("tr", {},
    element("td", {}, t(`flow.form.${name}`)), element("td", {}, element("code", {}, formula)),
    element("td", {}, numbers.toLocaleString("en"))));
  return [element("tbody", {}, ...rows)];
}
