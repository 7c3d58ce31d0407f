// The text that the next token stands after: that of the page's step, or one of the visitor's own.

import { element } from "../elements.js";
import { signedText } from "../numbers.js";
import { langOf, number, t } from "../words.js";
import { sumOf, tokensOf } from "./sampling_walk.js";

// `onWhose("page" | "own")` when the visitor chooses whose text it is.
export function createText(root, { onWhose }) {
  const strip = root.querySelector("#hl-sampling-text");
  const sum = root.querySelector("#hl-sampling-sum");
  const spans = {};
  const radios = ["page", "own"].map((value) => {
    const radio = element("input", { type: "radio", name: "hl-sampling-whose", value });
    radio.addEventListener("change", () => onWhose(value));
    spans[value] = element("span");
    root.querySelector("#hl-sampling-whose").append(element("label", {}, radio, spans[value]));
    return radio;
  });

  // The text of a walk; `start` is what the decoder reads first, `next` the label of the token that
  // is about to be put to it, null where there is none, undefined where the text has ended.
  function draw({ walk, mine, step, start, next }) {
    for (const radio of radios) radio.checked = radio.value === (mine ? "own" : "page");
    spans.page.textContent = t("sampling.whose.page", { n: number(step) });
    spans.own.textContent = t("sampling.whose.own");
    const tokens = tokensOf(walk);
    const chips = tokens.map(({ label }, i) => chip(label, i >= walk.base.length ? "hl-sampling-added" : ""));
    if (next !== undefined) chips.push(chip(next ?? { text: t("sampling.next"), kind: "special" }, "hl-ahead"));
    strip.replaceChildren(chip(start), ...chips);
    strip.scrollLeft = strip.scrollWidth;
    sum.textContent = t("sampling.sum", { n: tokens.length, log_prob: signedText(sumOf(tokens), 4) });
    sum.title = t("sampling.sum.hint");
  }

  return { draw };
}

function chip(label, ...extra) {
  const classes = ["hl-token", `hl-${label.kind}`, ...(label.joined ? ["hl-joined"] : []), ...extra];
  return element("span", { class: classes.join(" "), "data-id": label.id, lang: langOf(label.text) }, label.text);
}
