// Dropout at work: one draw in numbers, and the mean of many draws.

import { chart, sizeOf } from "../../../assets/kit/chart.js";
import { button } from "../../../assets/kit/choice.js";
import { colourOf, cssOf, diverging } from "../../../assets/kit/colour.js";
import { downloads } from "../../../assets/kit/download.js";
import { number, whole } from "../../../assets/kit/keep.js";
import { signedText } from "../../../assets/kit/numbers.js";
import { unpack } from "../../../assets/kit/packing.js";
import { answered, createRequest, lasting } from "../../../assets/kit/request.js";
import { slider } from "../../../assets/kit/slider.js";
import { table } from "../../../assets/kit/table.js";
import { liveView } from "../../../assets/kit/view.js";
import { html } from "../../../assets/vendor/lit-html.js";
import { dropped, expectedError, maskOf, means } from "./maths.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {{values: Float32Array, mask: boolean[], after: number[], of: number, share: number,
 *   draws: number, seed: number, token: import("../../../assets/kit/types.js").Label}} Scene */

const MOST = 0.9; // of the share

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const settings = page.keep(
    { share: page.facts.trained, draws: 100, seed: 1 },
    { share: number(0, MOST), draws: whole(1, page.facts.draws), seed: whole(0, 1e9) },
  );
  const about = lasting(
    createRequest(page, "dropout", {
      changed: () => view.redraw(),
      prepare: async (reply, record, args) => ({
        ...reply,
        token: record.src[args.source],
        values: await unpack(reply.values, Float32Array),
      }),
    }),
  );
  const view = liveView({
    el,
    page,
    stores: [page.selection, page.theme, settings],
    template() {
      const record = page.record.get();
      if (record === null) return null;
      const source = page.selection.get().src;
      return html`<div class="hl-dropout hl-stack">
        ${controls(page, settings)}
        ${answered(page, about(record, { source }), (value) => {
          const scene = sceneOf({ ...value, ...settings.get() });
          return html`<div class="hl-split hl-wide-right">
            ${oneDraw(page, scene)} ${manyDraws(page, scene, el.querySelector(".hl-chart"))}
          </div>`;
        })}
      </div>`;
    },
  });
  return view.end;
}

/** @returns {Scene} */
function sceneOf(scene) {
  const mask = maskOf(scene.seed, 0, scene.values.length, scene.share);
  return { ...scene, mask, after: dropped(scene.values, mask, scene.share) };
}

function controls(/** @type {Page} */ { t, facts }, settings) {
  const { share, draws, seed } = settings.get();
  const range = (name, value, from) =>
    slider({
      ...from,
      class: `hl-dropout-${name}`,
      label: t(`dropout.${name}`),
      value,
      onInput: (next) => settings.merge({ [name]: next }),
    });
  return html`<div class="hl-row">
    ${range("share", share, { min: 0, max: MOST, step: 0.05, text: (p) => p.toFixed(2) })}
    ${range("draws", draws, { min: 1, max: facts.draws })}
    ${button({
      label: t("dropout.again"),
      onClick: () => settings.merge({ seed: settings.get().seed + 1 }),
    })}
    <output>${t("dropout.seed", { seed })}</output>
  </div>`;
}

function oneDraw(/** @type {Page} */ page, /** @type {Scene} */ scene) {
  const { t, facts } = page;
  const { values, mask, after, token, of, share } = scene;
  const label = t("dropout.name", { token: token.line ?? token.text, count: values.length, of });
  const kept = `× ${(1 / (1 - share)).toFixed(3)}`;
  return html`<section class="hl-stack">
    <h2>${label}</h2>
    ${strips(page, scene)}
    ${table({
      label,
      class: "hl-dropout-numbers",
      columns: ["place", "before", "mask", "after"].map((name) => ({ name: t(`dropout.${name}`) })),
      rows: Array.from(values, (value, i) => ({
        class: mask[i] ? "" : "hl-dropout-gone",
        cells: [
          i + 1,
          signedText(value, 4),
          mask[i] ? kept : t("dropout.zero"),
          signedText(after[i], 4),
        ],
      })),
    })}
    <p class="hl-note">${t("dropout.where", { paper: facts.paper, trained: facts.trained })}</p>
    ${downloads(page, "dropout", {
      csv: () => [
        ["place", "before", "kept", "after"],
        ...Array.from(values, (value, i) => [i + 1, value, Number(mask[i]), after[i]]),
      ],
    })}
  </section>`;
}

/** The vector before and after as two strips of colour; what was dropped is an empty cell. */
function strips(/** @type {Page} */ { t, theme }, /** @type {Scene} */ { values, mask, after }) {
  const most = after.reduce(
    (so, x) => Math.max(so, Math.abs(x)),
    Math.max(...values.map(Math.abs)),
  );
  const colour = (x) => cssOf(colourOf(diverging[theme.get()], 0.5 + x / most / 2));
  const strip = (name, numbers) => html`<span>${t(`dropout.${name}`)}</span>
    <div>${Array.from(numbers, (x, i) =>
      name === "after" && !mask[i] ? html`<i></i>` : html`<i style="background:${colour(x)}"></i>`,
    )}</div>`;
  return html`<div class="hl-dropout-strips" aria-hidden="true">
    ${strip("before", values)} ${strip("after", after)}
  </div>`;
}

/** The largest number of the vector, followed over the draws: its mean comes to rest on it. */
function manyDraws(/** @type {Page} */ page, /** @type {Scene} */ scene, element) {
  const { t } = page;
  const { values, share, draws, seed } = scene;
  const largest = values.reduce((so, x, i) => (Math.abs(x) > Math.abs(values[so]) ? i : so), 0);
  const value = values[largest];
  const points = means(values, seed, draws, share).map((mean, i) => [i + 1, mean[largest]]);
  const error = (n) => expectedError(value, share, n);
  const band = (sign) => points.map(([n]) => [n, value + sign * error(n)]);
  const reach = Math.max(Math.abs(value) / 2, ...points.map(([, y]) => Math.abs(y - value)));
  const said = t("dropout.means", {
    n: largest + 1,
    draws,
    value: signedText(value, 4),
    mean: signedText(points[draws - 1][1], 4),
    error: error(draws).toFixed(4),
  });
  const to = Math.max(10, draws);
  const line = (look, name, all) => ({ look, name: name && t(`dropout.key.${name}`), points: all });
  return html`<section class="hl-stack">
    <h2>${t("dropout.heading", { n: largest + 1 })}</h2>
    ${chart(
      page,
      {
        name: said,
        file: "dropout-mean",
        x: { from: 0, to, name: t("dropout.axis") },
        y: {
          from: value - reach * 1.1,
          to: value + reach * 1.1,
          name: "",
          text: (y) => signedText(y, 2),
        },
        lines: [
          line(3, "band", band(1)),
          line(3, "", band(-1)),
          line(2, "true", [
            [0, value],
            [to, value],
          ]),
          line(1, "mean", points),
        ],
      },
      sizeOf(element),
    )}
    <p class="hl-dropout-means" aria-live="polite">${said}</p>
  </section>`;
}
