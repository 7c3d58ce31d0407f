// Decoding on from a beginning of the visitor's own, and the search as it was before beside it.

import { element, whenChanged } from "../elements.js";
import { signedText } from "../numbers.js";
import { answers, message, record } from "../state.js";
import { ask, current } from "../wire.js";
import { langOf, language, t } from "../words.js";
import { grow, layOut, nodeAt, keyOf, prefixText } from "./tree_shape.js";
import { createTreeView } from "./tree_view.js";

const DIGITS = 4;
const FOLDED = { all: false, parents: new Set(), always: new Set() };

// The box for a beginning. Gives force(changes), which asks and tells here where it is refused.
export function mountForce(form) {
  const text = form.querySelector("#hl-tree-text");
  const trouble = form.querySelector("#hl-tree-trouble");
  let waiting = false;
  let refused = null; // the sentence in every language

  const tell = () => {
    trouble.hidden = refused === null;
    trouble.textContent = refused?.[language.get()] ?? "";
    text.setAttribute("aria-invalid", refused !== null);
  };
  const force = (changes) => {
    waiting = true;
    refused = null;
    tell();
    ask(changes);
  };
  answers.watch(() => {
    if (!waiting) return;
    waiting = false;
    refused = message.get()?.sentence ?? null;
    // What was refused is not wished any longer.
    if (refused !== null) current.prefix = record.get()?.prefix ?? [];
    else if (record.get()?.prefix.length > 0) text.value = "";
    tell();
  });
  language.watch(tell);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const begin = text.value.trim();
    if (begin) force({ prefix: [], begin });
    else text.focus();
  });
  return force;
}

// The forced beginning of a record as one reads it; empty where nothing is forced.
export function forcedText(tree, { prefix }) {
  const last = prefix.length === 0 ? null : tree.steps[prefix.length - 1]?.find(({ byVisitor }) => byVisitor);
  return last ? prefixText(last) : "";
}

// The earlier search, small, with the two best translations: drawn while a beginning is forced.
export function mountEarlier(root, letGo) {
  const words = element("div", { class: "hl-tree-pair" });
  const field = element("div", { class: "hl-tree-small", role: "img" });
  root.replaceChildren(words, field);
  const view = createTreeView(field, {}, false);
  const [changed, seen] = [whenChanged(), whenChanged()];
  let before = null; // the earlier record's tree

  return (shown, old, tree, look) => {
    root.hidden = shown.prefix.length === 0;
    if (root.hidden) return;
    field.hidden = old === null;
    root.classList.toggle("hl-tree-alone", old === null);
    const renewed = changed(shown, old, language.get());
    if (renewed) {
      before = old === null ? null : treeOf(old);
      words.replaceChildren(...compare(shown, old, tree, before, letGo));
    }
    const { clientWidth, clientHeight } = field;
    if (!seen(before, look, clientWidth, clientHeight) || before === null) return;
    field.setAttribute("aria-label", t("tree.before.tree", {
      text: old.hypotheses[0].text, score: signedText(old.hypotheses[0].score, DIGITS),
    }));
    view.draw({ ...before, pointed: null, cursor: null, focused: false }, { refit: renewed });
  };
}

function treeOf(old) {
  const tree = grow(old);
  const path = new Set(old.hypotheses[0].path.map((c, step) => nodeAt(tree, keyOf(step, c))));
  return { tree, layout: layOut(tree, FOLDED), upTo: tree.steps.length - 1, path };
}

function compare(shown, old, tree, before, letGo) {
  const begun = element("p", {}, t("tree.forced.now", { prefix: forcedText(tree, shown) }), " ",
    element("button", { type: "button", onclick: letGo }, t("tree.let_go")));
  if (old === null) return [begun];
  const [now, was] = [shown.hypotheses[0], old.hypotheses[0]];
  const forced = forcedText(before.tree, old);
  const line = (name, text, score) => element("tr", {}, element("th", { scope: "row" }, name),
    element("td", { lang: langOf(text) }, text), element("td", {}, signedText(score, DIGITS)));
  const told = [begun, element("table", {}, element("tbody", {},
    line(t("tree.now"), now.text, now.score),
    line(forced ? t("tree.before.begun", { prefix: forced }) : t("tree.before"), was.text, was.score),
    line(t("tree.difference"), "", now.score - was.score)))];
  const rest = ({ settings, interventions }) => JSON.stringify([settings, interventions]);
  if (rest(shown) !== rest(old)) told.push(element("p", { class: "hl-note" }, t("tree.otherwise")));
  return told;
}
