// BLEU by hand: texts to type, their n-grams counted and clipped, and the score step by step.

import { bleu, suited, TOKENISERS } from "../bleu.js";
import { createAsked } from "../asked.js";
import { element } from "../elements.js";
import { drawInPanel, room } from "../panel.js";
import { record } from "../state.js";
import { language, number, t } from "../words.js";
import { countTable, orderChoice, textLine } from "./bleu_counts.js";
import { scoreSteps } from "./bleu_steps.js";

const LONGEST = 500; // characters of a text
const MOST = 3; // references
const WAYS = { none: ["none", false], exp: ["exp", false], sentence: ["exp", true] };

// Candidate and references of each preset; "own" is made of what the page shows.
const PRESETS = {
  own: null,
  repeated: ["the the the the the the the", ["the cat is on the mat", "there is a cat on the mat"]],
  order: ["on the mat is the cat", ["the cat is on the mat"]],
  short: ["the cat is on", ["the cat is on the mat"]],
  chinese: ["我昨天在车站遇到了他。", ["我昨天在车站见到了他。", "昨天我在车站遇见了他。"]],
};

export function mount(root) {
  const part = (id) => root.querySelector(`#hl-bleu-${id}`);
  const about = createAsked("scores");
  const state = { preset: "own", order: 1, gram: null };
  const boxes = [box("candidate", 0), ...Array.from({ length: MOST }, (_, i) => box(`reference-${i}`, i + 1))];
  const tokeniser = choice("tokeniser", ["auto", ...Object.keys(TOKENISERS)]);
  const way = choice("way", Object.keys(WAYS));

  // Filled from the page's translation as long as the visitor has not written anything of their own.
  function fill(shown) {
    if (state.preset !== "own" || shown === null || state.shown === shown) return;
    state.shown = shown;
    const own = shown.hypotheses[shown.shown].text;
    const other = shown.hypotheses.find(({ text }) => text !== own)?.text ?? own;
    write(own, [other]);
  }

  function write(candidate, references) {
    [candidate, ...references].forEach((text, i) => { boxes[i].input.value = text; });
    for (const { input } of boxes.slice(references.length + 1)) input.value = "";
    state.gram = null;
  }

  function preset(name) {
    state.preset = name;
    state.shown = null;
    if (name === "own") fill(record.get());
    else write(...PRESETS[name]);
    redraw();
  }

  const redraw = drawInPanel(root, [record, language], () => {
    room(root.querySelector(".hl-bleu"));
    fill(record.get());
    const [candidate, ...all] = boxes.map(({ input }) => input.value);
    const references = all.filter((text) => text.trim() !== "");
    const chosen = tokeniser.value === "auto" ? suited([candidate, ...references]) : tokeniser.value;
    const [smoothing, shortened] = WAYS[way.value];
    const found = references.length > 0 ? bleu(candidate, references, { tokeniser: chosen, smoothing, shortened }) : null;
    for (const button of part("presets").querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.dataset.preset === state.preset));
    }
    drawFound(found, smoothing);
    part("note").textContent = t(`bleu.note.${state.preset === "own" ? "own" : "free"}`, { tokeniser: chosen });
    const scores = record.get() && about(record.get(), {}, redraw)?.scores;
    part("card").textContent = scores ? t("bleu.card", { greedy: scores[0].bleu.toFixed(2), beam: scores.at(-1).bleu.toFixed(2) }) : "";
  });

  function drawFound(found, smoothing) {
    part("order").hidden = found === null;
    if (found === null) {
      for (const name of ["lines", "counts"]) part(name).replaceChildren();
      part("sum").replaceChildren(element("p", {}, t("bleu.empty")));
      return;
    }
    const grams = found.grams[state.order - 1];
    if (!grams.some(({ gram }) => gram === state.gram)) state.gram = null;
    const lines = () => {
      const texts = [found.tokens, ...found.references];
      part("lines").replaceChildren(...texts.map((tokens, i) => textLine(tokens, i, grams, state)));
    };
    lines();
    part("counts").replaceChildren(...countTable(grams, state, (gram) => {
      state.gram = gram;
      lines();
    }));
    part("sum").replaceChildren(...scoreSteps(found, smoothing));
  }

  function box(name, i) {
    const input = element("textarea", { id: `hl-bleu-${name}`, rows: 1, maxlength: LONGEST, spellcheck: "false" });
    input.addEventListener("input", () => {
      state.preset = "free";
      redraw();
    });
    const label = element("label", { for: input.id });
    language.watch(() => { label.textContent = i === 0 ? t("bleu.candidate") : t("bleu.reference", { n: number(i - 1) }); });
    return { input, root: element("div", { class: "hl-bleu-box" }, label, input) };
  }

  function choice(name, values) {
    const select = element("select", { id: `hl-bleu-${name}`, onchange: () => redraw() },
      ...values.map((value) => element("option", { value, "data-t": `bleu.${name}.${value}` })));
    part("form").append(element("label", { for: select.id, "data-t": `bleu.${name}` }), select);
    return select;
  }

  part("form").prepend(...boxes.map((one) => one.root));
  part("form").addEventListener("submit", (event) => event.preventDefault());
  part("presets").append(...Object.keys(PRESETS).map((name) =>
    element("button", { type: "button", "data-preset": name, "data-t": `bleu.preset.${name}`, onclick: () => preset(name) })));
  part("order").append(...orderChoice(state, () => redraw()));
  way.value = "exp";
}

