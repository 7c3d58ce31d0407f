// The curves of one run, or of two laid over each other, with the numbers at their end.

import { chart, sizeOf } from "../../../assets/kit/chart.js";
import { downloads } from "../../../assets/kit/download.js";
import { countText, percentText } from "../../../assets/kit/numbers.js";
import { table } from "../../../assets/kit/table.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { settingText, valueText } from "./form.js";
import { lossText } from "./question.js";
import { differences } from "./trainer.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */
/** @typedef {import("./trainer.js").Run} Run */

const LOOKS = /** @type {const} */ ({ free: [1, 2], forced: [4, 3] });
const LEAST = 3.6; // nats at the top of the loss axis: a guess among some thirty letters

/** "A" and "B", or nothing where there is one run. */
export const nameOf = (/** @type {Run[]} */ runs, i) => (runs.length > 1 ? "AB"[i] : "");

/**
 * @param {Page} page
 * @param {{runs: Run[], at: number|null, place: Element|null,
 *   go: (update: number) => void}} given `at`: the update that is looked at
 */
export function curves(page, { runs, at, place, go }) {
  const { t } = page;
  const size = sizeOf(place, { height: 215 });
  const x = {
    from: 0,
    to: Math.max(...runs.map(({ settings }) => settings.updates)),
    name: t("playground.updates"),
  };
  const shared = {
    x,
    marks: at === null ? [] : [{ x: at, quiet: true }],
    onPoint: (value, event) => event.buttons & 1 && go(Math.round(value)),
  };
  const line = (run, i, look, name, of) => ({
    look,
    name: `${nameOf(runs, i)} ${name}`.trim(),
    points: run.frames.map((frame) => [frame.update, of(frame)]),
  });
  const losses = runs.flatMap(({ frames }) => frames.map(({ loss }) => Math.min(loss, 2 * LEAST)));
  const loss = {
    ...shared,
    name: t("playground.loss.alt"),
    file: "playground-loss",
    y: { from: 0, to: Math.max(LEAST, ...losses), name: t("playground.loss") },
    lines: runs.map((run, i) =>
      line(run, i, LOOKS.free[i], t("playground.loss"), (frame) => frame.loss),
    ),
  };
  const accuracy = {
    ...shared,
    name: t("playground.accuracy.alt"),
    file: "playground-accuracy",
    y: { from: 0, to: 1, name: t("playground.accuracy"), text: (v) => `${Math.round(v * 100)} %` },
    lines: runs.flatMap((run, i) => [
      line(run, i, LOOKS.free[i], t("playground.free"), (frame) => frame.free_accuracy),
      line(run, i, LOOKS.forced[i], t("playground.forced"), (f) => f.teacher_forced_accuracy),
    ]),
  };
  return [
    chart(page, /** @type {any} */ (loss), size),
    chart(page, /** @type {any} */ (accuracy), size),
  ];
}

/** What A and B differ in, the results, and the files. @param {Page} page @param {Run[]} runs */
export function results(page, runs) {
  const { t } = page;
  const apart = runs.length > 1 ? differences(runs[0].settings, runs[1].settings) : [];
  const done = runs.filter(({ result }) => result !== null);
  return html`<div class="hl-stack">
    ${apart.map(
      ({ name, first, second }) =>
        html`<p class="hl-play-apart">${t("playground.apart", {
          name: settingText(page, name),
          first: valueText(page, name, first),
          second: valueText(page, name, second),
        })}</p>`,
    )}
    ${runs.length > 1 && apart.length === 0 ? html`<p>${t("playground.same")}</p>` : nothing}
    ${done.length > 0 ? resultTable(page, runs) : nothing}
    ${
      runs.some(({ frames }) => frames.length > 0)
        ? downloads(page, "playground", { csv: () => rowsOf(runs), json: () => fileOf(runs) })
        : nothing
    }
  </div>`;
}

/** What both runs of a preset came to on five seeds. @param {Page} page @param {string} preset */
export function seeds({ t, facts }, preset) {
  const known = facts.claims[preset];
  if (known === undefined) return nothing;
  const listed = (/** @type {number[]} */ all) =>
    all.map((one) => Math.round(100 * one)).join(", ");
  const values = {
    first: listed(known.first),
    second: listed(known.second),
    n: known.first.length,
  };
  return html`<p class="hl-note hl-play-seeds">${t("playground.seeds", values)}</p>`;
}

function resultTable(page, runs) {
  const { t, facts } = page;
  const names = ["free", "forced", "loss", "updates", "parameters", "seconds"];
  return html`${table({
    label: t("playground.results"),
    class: "hl-play-results",
    columns: [
      ...(runs.length > 1 ? [{ name: "", text: true }] : []),
      ...names.map((name) => ({
        name: t(`playground.column.${name}`),
      })),
    ],
    rows: runs.flatMap(({ result }, i) =>
      result === null
        ? []
        : [
            {
              cells: [
                ...(runs.length > 1 ? [nameOf(runs, i)] : []),
                percentText(result.free_accuracy),
                percentText(result.teacher_forced_accuracy),
                lossText(result.loss),
                result.updates,
                countText(result.parameters),
                `${result.seconds.toFixed(1)} s`,
              ],
            },
          ],
    ),
  })}
  <p class="hl-note">${t("playground.counted", { fresh: facts.fresh, watched: facts.watched })}</p>`;
}

/** The curves as rows. @param {Run[]} runs */
export const rowsOf = (runs) => [
  ["run", "update", "loss", "teacher_forced_accuracy", "free_accuracy", "seconds"],
  ...runs.flatMap(({ frames }, i) =>
    frames.map((frame) => [
      nameOf(runs, i),
      frame.update,
      frame.loss,
      frame.teacher_forced_accuracy,
      frame.free_accuracy,
      frame.seconds,
    ]),
  ),
];

/** Settings, results and curves, without the attention. @param {Run[]} runs */
const fileOf = (runs) =>
  runs.map(({ settings, result, frames }) => ({
    settings,
    result,
    curve: frames.map(({ weights, ...rest }) => rest),
  }));
