// The n-grams of the candidate: counted, clipped, and shown where they stand in the texts.

import { choice } from "../../../assets/kit/choice.js";
import { downloads } from "../../../assets/kit/download.js";
import { table } from "../../../assets/kit/table.js";
import { langOf } from "../../../assets/kit/token.js";
import { html } from "../../../assets/vendor/lit-html.js";

const gramsOf = (tokens, n) =>
  tokens
    .slice(0, Math.max(0, tokens.length - n + 1))
    .map((_, i) => tokens.slice(i, i + n).join(" "));

/**
 * What each token of a text is at an order: "counted" where it stands in an n-gram that counts,
 * "clipped" where only in one that the references have too, but not so often, else "". In the
 * candidate the first occurrences count; in a reference, every one that the candidate has.
 */
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

/** Whether each token stands in the n-gram that is pointed at. */
export function litBy(tokens, gram, order) {
  const lit = tokens.map(() => false);
  gramsOf(tokens, order).forEach((one, start) => {
    if (one === gram) lit.fill(true, start, start + order);
  });
  return lit;
}

/** The candidate and its references, token by token. */
export function lines({ t }, { tokens, references, grams }, { order, gram }) {
  return [tokens, ...references].map((text, which) => {
    const marks = marksOf(text, grams[order - 1], order, which === 0);
    const lit = litBy(text, gram, order);
    const name = which === 0 ? t("bleu.candidate") : t("bleu.reference", { n: which });
    return html`<p class="hl-bleu-line"><span class="hl-side">${name} (${text.length})</span>
      ${text.map(
        (
          token,
          i,
        ) => html`<span class="hl-bleu-token hl-bleu-${marks[i]} ${lit[i] ? "hl-bleu-lit" : ""}"
          lang=${langOf(token)}>${token}</span>`,
      )}</p>`;
  });
}

/**
 * Each n-gram with how often the candidate has it, how often one reference has it at most, and what
 * of it counts.
 */
export function counts(page, found, state) {
  const { t } = page;
  const { order } = state.get();
  const grams = found.grams[order - 1];
  const names = ["gram", "count", "most", "counts"];
  const sum = (name) => grams.reduce((total, one) => total + one[name], 0);
  return html`<section class="hl-stack hl-bleu-counts">
    ${choice({
      name: `${page.uid}-order`,
      class: "hl-bleu-order",
      label: t("bleu.order"),
      options: page.facts.orders.map((n) => ({ value: String(n), label: n })),
      value: String(order),
      onChange: (value) => state.merge({ order: Number(value), gram: null }),
    })}
    <p class="hl-note">${t("bleu.counts.note")}</p>
    ${table({
      label: t("bleu.order"),
      columns: names.map((name, i) => ({ name: t(`bleu.${name}`), text: i === 0 })),
      rows: grams.map((one) => ({
        class: one.clipped > 0 ? "" : "hl-bleu-none",
        cells: [gramButton(one.gram, state), one.count, one.most, countText(page, one)],
      })),
      foot: [t("bleu.total", { n: order }), sum("count"), "", sum("clipped")],
    })}
    ${downloads(page, "bleu-counts", {
      csv: () => [
        ["n", "n-gram", "in_candidate", "most_in_one_reference", "counts"],
        ...found.grams.flatMap((all, i) =>
          all.map(({ gram, count, most, clipped }) => [i + 1, gram, count, most, clipped]),
        ),
      ],
      json: () => found,
    })}
  </section>`;
}

function gramButton(gram, state) {
  const point = () => state.merge({ gram });
  const leave = () => state.merge({ gram: null });
  return html`<button type="button" lang=${langOf(gram)} @pointerenter=${point} @click=${point}
    @pointerleave=${leave} @focus=${point} @blur=${leave}>${gram}</button>`;
}

function countText({ t }, { count, most, clipped }) {
  if (most === 0) return "0";
  return clipped < count ? t("bleu.clipped", { count, clipped }) : clipped;
}
