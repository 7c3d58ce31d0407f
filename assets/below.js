// Below the sentence: the decoding steps, the hypotheses, and the tabs.

import { element } from "./elements.js";
import { percentText, signedText } from "./numbers.js";
import { sheets } from "./sheets.js";
import { choose, record, selection } from "./state.js";
import { mountTabs } from "./tabs.js";
import { ask } from "./wire.js";
import { langOf, language, number, t } from "./words.js";

export function mount(root) {
  mountHypotheses(root.querySelector("#hl-hypotheses"));
  mountStepper(root.querySelector("#hl-stepper"));
  mountTabs(root.querySelector(".hl-groups"), root.querySelector(".hl-tabs"));
  sheets(root);
}

function mountHypotheses(sheet) {
  const summary = sheet.querySelector("summary");
  const list = sheet.querySelector(".hl-sheet");
  const draw = () => {
    const shown = record.get();
    if (shown === null) return;
    summary.textContent = summaryOf(shown);
    list.replaceChildren(heading(), ...shown.hypotheses.map((hypothesis, i) => row(hypothesis, i, shown, sheet)),
      element("p", { class: "hl-note" }, t("hypothesis.note")));
  };
  record.watch(draw);
  language.watch(draw);
}

// Which hypothesis is on show; or that it is a prefix only, and what the search did with it.
function summaryOf({ hypotheses, search, shown, node }) {
  if (node !== null) {
    const fate = search.steps[node[0]].fates[node[1]];
    return t(`hypothesis.prefix.${fate}`, { n: number(node[0]) });
  }
  return t("hypothesis.summary", {
    n: number(shown), count: hypotheses.length, score: signedText(hypotheses[shown].score),
  });
}

function heading() {
  const names = ["rank", "text", "score", "log_prob", "length"];
  return element("div", { class: "hl-hypothesis hl-heading" },
    ...names.map((name) => element("span", {}, t(`hypothesis.${name}`))));
}

function row(hypothesis, i, shown, sheet) {
  const text = hypothesis.text || t("hypothesis.empty");
  const here = i === shown.shown && shown.node === null;
  return element(
    "button",
    { type: "button", class: "hl-hypothesis", "aria-pressed": String(here), onclick: () => {
      sheet.open = false;
      if (!here) ask({ shown: i });
    } },
    element("span", {}, number(i)), element("span", { lang: langOf(text) }, text),
    element("span", {}, signedText(hypothesis.score)), element("span", {}, signedText(hypothesis.log_prob)),
    element("span", {}, t(hypothesis.finished ? "hypothesis.tokens" : "hypothesis.cut", { n: hypothesis.length })),
  );
}

function mountStepper(stepper) {
  const slider = stepper.querySelector("#hl-slider");
  const place = stepper.querySelector("#hl-step");
  const story = stepper.querySelector("#hl-story");
  const go = {
    first: () => 0, back: (step) => step - 1, forward: (step) => step + 1, last: () => Infinity,
  };
  for (const button of stepper.querySelectorAll("[data-go]")) {
    button.addEventListener("click", () => goTo(go[button.dataset.go](selection.get().step)));
  }
  slider.addEventListener("input", () => choose({ step: Number(slider.value) - 1 }));
  const draw = () => {
    const shown = record.get();
    if (shown === null) return;
    const { step } = selection.get();
    slider.max = shown.tgt_out.length;
    slider.value = number(step);
    place.textContent = `${number(step)} / ${shown.tgt_out.length}`;
    story.replaceChildren(...tell(shown, step));
  };
  for (const store of [record, selection, language]) store.watch(draw);
}

function goTo(step) {
  const shown = record.get();
  if (shown !== null) choose({ step: Math.max(0, Math.min(shown.tgt_out.length - 1, step)) });
}

// How the text on show ends: by its end token, as the prefix that was asked for, or at the limit.
function endOf({ node }, written) {
  if (written.piece === "</s>") return "story.ends";
  return node === null ? "story.cut" : "story.prefix";
}

// One step in one line: what was read last, what is written, what else was likely, what comes next.
function tell(shown, step) {
  const { top, log_prob: logProb } = shown.steps[step];
  const written = shown.tgt_out[step];
  const word = (label) => element("b", { lang: langOf(label.text), class: `hl-${label.kind}` }, label.text);
  const chance = (label) => [word(label), ` ${percentText(Math.exp(label.log_prob))}`];
  const others = top.filter((label) => label.id !== written.id).slice(0, 2);
  const last = step === shown.tgt_out.length - 1;
  const end = last ? endOf(shown, written) : "story.back";
  return [
    element("span", {}, t("story.reads"), word(shown.tgt_in[step])),
    element("span", {}, t("story.writes"), ...chance({ ...written, log_prob: logProb })),
    element("span", { class: "hl-faint" }, t("story.others"), ...others.flatMap((label, i) =>
      [i ? t("story.comma") : "", ...chance(label)])),
    element("span", {}, t(end)),
  ];
}
