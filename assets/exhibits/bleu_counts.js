// The n-grams of the candidate: counted, clipped, and shown where they stand in the texts.

import { gramsOf, ORDERS } from "../bleu.js";
import { element } from "../elements.js";
import { langOf, number, t } from "../words.js";

// What each token of a text is at an order: "counted" where it stands in an n-gram that counts,
// "clipped" where only in one that the references have too, but not so often, else "".
// In the candidate the first occurrences count; in a reference, every one that the candidate has.
export function marksOf(tokens, grams, order, isCandidate) {
  const left = new Map(grams.map(({ gram, clipped }) => [gram, clipped]));
  const known = new Map(grams.map(({ gram, most }) => [gram, most]));
  const marks = tokens.map(() => "");
  gramsOf(tokens, order).forEach((gram, start) => {
    if (!(known.get(gram) > 0)) return;
    const counts = !isCandidate || left.get(gram) > 0;
    if (isCandidate) left.set(gram, left.get(gram) - 1);
    for (let i = start; i < start + order; i += 1) {
      if (counts) marks[i] = "counted";
      else if (marks[i] === "") marks[i] = "clipped";
    }
  });
  return marks;
}

// Whether each token stands in the n-gram that is pointed at.
export function litBy(tokens, gram, order) {
  const lit = tokens.map(() => false);
  gramsOf(tokens, order).forEach((one, start) => {
    if (one === gram) lit.fill(true, start, start + order);
  });
  return lit;
}

export function textLine(tokens, which, grams, { order, gram }) {
  const marks = marksOf(tokens, grams, order, which === 0);
  const lit = litBy(tokens, gram, order);
  const name = which === 0 ? t("bleu.candidate") : t("bleu.reference", { n: number(which - 1) });
  return element("p", { class: "hl-bleu-line" }, element("span", { class: "hl-side" }, `${name} (${tokens.length})`),
    ...tokens.map((token, i) => element("span", {
      class: ["hl-bleu-token", marks[i] && `hl-bleu-${marks[i]}`, lit[i] ? "hl-bleu-lit" : ""].filter(Boolean).join(" "), lang: langOf(token),
    }, token)));
}

export function orderChoice(state, changed) {
  return ORDERS.map((order) => {
    const radio = element("input", { type: "radio", name: "hl-bleu-order", value: order, checked: order === state.order });
    radio.addEventListener("change", () => {
      state.order = order;
      state.gram = null;
      changed();
    });
    return element("label", {}, radio, element("span", {}, String(order)));
  });
}

// Each n-gram with how often the candidate has it, how often one reference has it at most, and
// what of it counts. `point` hears the n-gram that is pointed at, or null.
export function countTable(grams, state, point) {
  const names = ["gram", "count", "most", "counts"];
  const rows = grams.map(({ gram, count, most, clipped }) => element("tr", {
    class: clipped > 0 ? "" : "hl-bleu-none", onpointerenter: () => point(gram), onpointerleave: () => point(null),
  },
  element("td", {}, element("button", { type: "button", lang: langOf(gram), onfocus: () => point(gram), onblur: () => point(null) }, gram)),
  element("td", {}, count), element("td", {}, most), element("td", {}, countText(count, most, clipped))));
  const sum = (name) => grams.reduce((total, one) => total + one[name], 0);
  const total = t("bleu.total", { n: state.order });
  return [
    element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, t(`bleu.${name}`))))),
    element("tbody", {}, ...rows, element("tr", { class: "hl-chosen" }, element("td", {}, total),
      element("td", {}, sum("count")), element("td", {}, ""), element("td", {}, sum("clipped")))),
  ];
}

function countText(count, most, clipped) {
  if (most === 0) return t("bleu.zero");
  return clipped < count ? t("bleu.clipped", { count, clipped }) : String(clipped);
}
