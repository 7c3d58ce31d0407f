// What each decoder layer would predict, and the tokens that lie near one in the embedding.

import { bars } from "../../../assets/kit/bars.js";
import { choice } from "../../../assets/kit/choice.js";
import { downloads } from "../../../assets/kit/download.js";
import { oneOf } from "../../../assets/kit/keep.js";
import { percentText, weightText } from "../../../assets/kit/numbers.js";
import { answered, createRequest } from "../../../assets/kit/request.js";
import { table } from "../../../assets/kit/table.js";
import { distinct, token } from "../../../assets/kit/token.js";
import { liveView } from "../../../assets/kit/view.js";
import { html } from "../../../assets/vendor/lit-html.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

const SIDES = ["src", "tgt"];

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const state = page.keep({ side: "src" }, { side: oneOf(SIDES) }); // whose chosen token the neighbours are of
  const changed = () => view.redraw();
  const lens = createRequest(page, "lens", { changed });
  const near = createRequest(page, "near", { changed });
  const view = liveView({
    el,
    page,
    stores: [page.selection, state],
    template() {
      const record = page.record.get();
      if (record === null) return null;
      return html`<div class="hl-lens hl-split hl-wide-left">
        ${layers(page, record, lens)} ${neighbours(page, record, near, state)}
      </div>`;
    },
  });
  return view.end;
}

/** Rows: the states from the embedding to the top, the highest first. */
function layers(/** @type {Page} */ page, record, lens) {
  const { t } = page;
  const { step } = page.selection.get();
  const answer = lens(record);
  const label = t("lens.name", { n: step + 1, count: record.tgt_out.length });
  return html`<section class="hl-stack">
    <h2 class="hl-lens-name">${label}</h2>
    <p class="hl-note">${t("lens.note")}</p>
    ${answered(page, answer, (value) => [
      table({
        label,
        class: "hl-lens-table",
        columns: ["layer", "first", "rank", "others"].map((name) => ({
          name: t(`lens.${name}`),
          text: name !== "rank",
        })),
        rows: rowsOf(page, record, value.layers, step),
      }),
      downloads(page, `lens-step${step + 1}`, { csv: () => csvOf(value.layers, step) }),
    ])}
  </section>`;
}

function rowsOf(/** @type {Page} */ { t }, record, layers, /** @type {number} */ step) {
  const written = record.tgt_out[step].id;
  const top = layers.length - 1;
  const share = (one) => percentText(Math.exp(one.log_prob));
  return layers
    .map((steps, layer) => {
      const [first, ...others] = distinct(steps[step]);
      const rank = steps[step].findIndex((one) => one.id === written) + 1;
      const name = layer === 0 ? "lens.embedding" : layer === top ? "lens.top" : "lens.of";
      return {
        chosen: layer === top,
        cells: [
          t(name, { n: layer }),
          html`${token(first)} ${share(first)}`,
          rank === 0 ? t("lens.beyond", { n: steps[step].length }) : rank,
          others.map((one) => html`<span>${token(one)} ${share(one)}</span> `),
        ],
      };
    })
    .reverse();
}

const csvOf = (layers, /** @type {number} */ step) => [
  ["layer", "rank", "token", "id", "log_prob"],
  ...layers.flatMap((steps, layer) =>
    steps[step].map((one, /** @type {number} */ i) => [
      layer,
      i + 1,
      one.piece,
      one.id,
      one.log_prob,
    ]),
  ),
];

function neighbours(/** @type {Page} */ page, record, near, state) {
  const { t } = page;
  const { src, step } = page.selection.get();
  const { side } = state.get();
  const word = side === "src" ? record.src[src] : record.tgt_out[step];
  const answer = near(record, { id: word.id, side: side === "src" ? "source" : "target" });
  return html`<section class="hl-stack">
    <h2>${t("lens.near")}</h2>
    <p class="hl-note">${t("lens.near.note")}</p>
    ${choice({
      name: `${page.uid}-side`,
      label: t("lens.side"),
      class: "hl-lens-side",
      options: SIDES.map((value) => ({ value, label: t(`lens.side.${value}`) })),
      value: side,
      onChange: (value) => state.merge({ side: value }),
    })}
    <p class="hl-lens-word">${t("lens.word")} ${token(word)}</p>
    ${answered(page, answer, ({ tokens, shared }) => [
      shared ? html`<p class="hl-note">${t("lens.near.shared")}</p>` : null,
      bars({
        class: "hl-lens-near",
        label: t("lens.near"),
        bars: tokens.map((one) => ({
          name: token(one),
          share: one.cosine,
          text: weightText(one.cosine),
        })),
      }),
    ])}
  </section>`;
}
