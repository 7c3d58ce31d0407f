// Controls that exhibits share: a slider with its number, and a choice of a few.

import { element } from "./elements.js";

let count = 0; // radio buttons of one choice share a name of their own

// {node, get, set, limit}. `words` is the key of its name; `text` writes its value.
export function slider({ id, words, min, max, step = 1, value, text = String, onInput }) {
  const input = element("input", { type: "range", id, min, max, step, value });
  const output = element("output", { for: id });
  const write = () => {
    output.textContent = text(Number(input.value));
    input.setAttribute("aria-valuetext", output.textContent);
  };
  input.addEventListener("input", () => {
    write();
    onInput(Number(input.value));
  });
  write();
  const node = element("label", { class: "hl-slider" },
    element("span", { "data-t": words }), output, input);
  return {
    node,
    get: () => Number(input.value),
    set(next) {
      input.value = next;
      write();
    },
    limit(most) {
      input.max = most;
      write();
    },
  };
}

// {node, get, set}. `choices` maps each value to the key of its words.
export function pick({ id, words, choices, value, onChoose }) {
  count += 1;
  const name = `hl-pick-${count}`;
  const radios = Object.entries(choices).map(([choice, key]) => {
    const radio = element("input", { type: "radio", name, value: choice });
    radio.checked = choice === value;
    radio.addEventListener("change", () => onChoose(choice));
    return { choice, radio, label: element("label", {}, radio, element("span", { "data-t": key })) };
  });
  const node = element("fieldset", { class: "hl-pick", id },
    element("legend", { "data-t": words }), ...radios.map(({ label }) => label));
  return {
    node,
    get: () => radios.find(({ radio }) => radio.checked)?.choice,
    set(next) {
      for (const { choice, radio } of radios) radio.checked = choice === next;
    },
  };
}
