// The races of the playground: any two models of one size, trained alike; which is ahead.

import { select } from "../../../assets/kit/choice.js";
import { countText, percentText } from "../../../assets/kit/numbers.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { halfway, reach } from "./ahead.js";

/** @typedef {import("./trainer.js").Run} Run */

export const WINNERS = ["first", "second", "neither"];

/** @param {any} facts @param {string} name */
export const raceOf = (facts, name) =>
  facts.races.find((/** @type {any} */ one) => one.name === name) ?? null;

/** The names of both models. @param {any} s the scene */
export const entrants = ({ t, first, second }) => ({
  first: t(`made.${first}`),
  second: t(`made.${second}`),
});

/** The numbers of a finished race in one sentence. @param {any} s the scene */
export function raceText({ t, preset, runs }) {
  const [first, second] = /** @type {Run[]} */ (runs);
  if (preset === "further") {
    const [a, b] = [first, second].map((run) => percentText(reach(run)));
    return t("finding.further", { first: a, second: b });
  }
  const at = (/** @type {Run} */ run) => {
    const update = halfway(run);
    return update === null ? t("race.never") : t("race.after", { n: update });
  };
  return t("finding.sooner", { first: at(first), second: at(second) });
}

/** Why the positions of both models may have made the difference. @param {any} s the scene */
export const reasons = ({ t, preset, runs }) =>
  runs.map(
    (/** @type {Run} */ { settings }, /** @type {number} */ i) =>
      html`<b>${"AB"[i]}</b> ${t(`because.${preset}.${settings.positions}`)} `,
  );

/** The two models to train, and their sizes. @param {any} s the scene */
export function entrantsForm(s) {
  const { t, page, race, trainer, first, second, choosePair } = s;
  if (race === null || trainer.isActive) return nothing;
  const all = Object.keys(page.facts.models);
  const menu = (/** @type {"first"|"second"} */ which, /** @type {string} */ value) =>
    select({
      label: t(`entrant.${which}`),
      class: `hl-play-${which}`,
      value,
      options: all.map((name) => ({ value: name, label: t(`made.${name}`) })),
      onChange: (name) => choosePair({ [which]: name }),
    });
  const count = (/** @type {string} */ name) => countText(race.parameters[name]);
  return html`${menu("first", first)} ${menu("second", second)}
    <span class="hl-note">${t("sizes.both", { first: count(first), second: count(second) })}</span>`;
}

/** The share of right outputs by length, with the longest of training. @param {any} s the scene */
export function lengthChart({ t, page: { facts }, runs }, lines) {
  const { task, length } = runs[0].settings;
  return {
    name: t("lengths.alt"),
    file: "playground-lengths",
    x: { from: 1, to: facts.tasks[task].length[2], name: t("lengths") },
    y: { from: 0, to: 1, name: t("accuracy"), text: (v) => `${Math.round(v * 100)} %` },
    marks: [{ x: length, name: t("lengths.trained") }],
    lines,
  };
}

/** The same as a table, wherever training had several lengths. @param {any} s the scene */
export function lengthSheets({ t, runs }, nameOf) {
  const all = runs.flatMap((run, i) => (run.result?.by_length.length ? [{ run, i }] : []));
  if (all.length === 0) return [];
  const rows = all[0].run.result.by_length;
  const shareAt = ({ run }, /** @type {number} */ length) =>
    run.result.by_length.find((one) => one.length === length)?.free_accuracy ?? null;
  const column = (one) => ({
    head: nameOf(runs, one.i) || t("column.free"),
    cell: ({ length }) => percentText(shareAt(one, length)),
    csv: ({ length }) => shareAt(one, length),
  });
  return [
    {
      name: t("lengths.alt"),
      file: "playground-lengths",
      class: "hl-play-lengths",
      note: t("lengths.counted", { tests: rows[0].test_inputs }),
      rows,
      columns: {
        length: { head: t("lengths"), cell: ({ length }) => length },
        ...Object.fromEntries(
          all.map((one) => [`right_${nameOf(runs, one.i) || "A"}`, column(one)]),
        ),
      },
    },
  ];
}
