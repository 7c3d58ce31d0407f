// The shipped model's training: losses and scores over the updates, every number, the final scores.

import { chart, sizeOf } from "../../../assets/kit/chart.js";
import { toggle } from "../../../assets/kit/choice.js";
import { downloads } from "../../../assets/kit/download.js";
import { flag, orNull, whole } from "../../../assets/kit/keep.js";
import { countText } from "../../../assets/kit/numbers.js";
import { answered, createRequest } from "../../../assets/kit/request.js";
import { table } from "../../../assets/kit/table.js";
import { liveView } from "../../../assets/kit/view.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

// Series of known names; a training may have recorded more of the same kinds.
const KINDS = { loss: ["train_loss", "dev_loss"], score: ["bleu", "chrf"] };
const KNOWN = { "BLEU, unlike": "bleu_novel", "chrF, unlike": "chrf_novel" }; // columns of the card

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const state = page.keep(
    { epoch: null, isListed: false }, // the one that is read, null: the last; all as a table
    { epoch: orNull(whole(0, 10_000)), isListed: flag },
  );
  const read = (/** @type {number} */ epoch) => state.merge({ epoch });
  const about = createRequest(page, "curves", { changed: () => view.redraw() });
  const view = liveView({
    el,
    page,
    stores: [state],
    template() {
      const record = page.record.get();
      if (record === null) return null;
      return answered(page, about(record), (found) => {
        const last = found.lines.length - 1;
        const at = Math.min(state.get().epoch ?? last, last);
        const size = sizeOf(el.querySelector(".hl-curves-charts"), { height: 190 });
        const charts = Object.keys(KINDS).map((kind) =>
          chartOf(page, found.lines, kind, at, read, size),
        );
        return html`<div class="hl-curves hl-split">
          <div class="hl-curves-charts hl-stack">${charts}</div>
          <aside class="hl-stack">
            ${numbers(page, found, at)} ${epochs(page, found.lines, at, state)}
          </aside>
        </div>`;
      });
    },
  });
  return view.end;
}

/** The names of a kind's series in the lines of a training. */
const seriesOf = (lines, /** @type {string} */ kind) =>
  Object.keys(lines[0]).filter((name) => KINDS[kind].some((one) => name.startsWith(one)));

const nameOf = ({ t }, /** @type {string} */ name) =>
  Object.values(KINDS).flat().includes(name) ? t(`curves.${name}`) : name;

/** The curves of one kind; the pointer reads the epoch that is nearest. */
function chartOf(/** @type {Page} */ page, lines, kind, /** @type {number} */ at, onRead, size) {
  const { t } = page;
  const series = seriesOf(lines, kind);
  const last = lines.at(-1).updates;
  const drawn = {
    name: t(`curves.${kind}.name`),
    file: `training-${kind}`,
    x: { from: 0, to: last, name: t("curves.updates"), text: countText },
    y: {
      from: 0,
      to: 1.05 * Math.max(...series.flatMap((name) => valuesOf(lines, name))),
      name: t(`curves.${kind}`),
    },
    marks: [{ x: lines[at].updates, quiet: true }, ...beginnings(page, lines)],
    lines: series.map((name, i) => ({
      name: nameOf(page, name),
      look: 1 + (i % 4),
      points: lines.map((line) => [line.updates, line[name]]),
    })),
    onPoint(x) {
      const away = lines.map(({ updates }) => Math.abs(updates - x));
      onRead(away.indexOf(Math.min(...away)));
    },
  };
  return html`<div class="hl-curves-${kind}">
    ${chart(page, /** @type {any} */ (drawn), size)}
  </div>`;
}

/** Where the runs after the first begin. */
const beginnings = (/** @type {Page} */ { t }, lines) =>
  lines.flatMap(({ run }, i) =>
    i > 0 && run !== lines[i - 1].run
      ? [{ x: lines[i - 1].updates, name: t("curves.run", { n: run }) }]
      : [],
  );

const valuesOf = (lines, /** @type {string} */ name) => lines.map((line) => line[name]);

const namesOf = (lines) => Object.keys(KINDS).flatMap((kind) => seriesOf(lines, kind));
const textOf = (line, /** @type {string} */ name) =>
  line[name].toFixed(name.includes("loss") ? 3 : 2);

/** What the epoch that is read has, what the curves are, and the final scores. */
function numbers(/** @type {Page} */ page, { lines, scores, smoothing }, /** @type {number} */ at) {
  const { t } = page;
  const count = lines.length;
  const above = lines.filter((line) => line.train_loss > line.dev_loss).length;
  const shown = Object.fromEntries(namesOf(lines).map((name) => [name, textOf(lines[at], name)]));
  return html`
    <p class="hl-curves-now" aria-live="polite">${t("curves.now", { ...lines[at], ...shown, updates: countText(lines[at].updates) })}</p>
    <dl class="hl-curves-means">${Object.values(KINDS)
      .flat()
      .map(
        (name) => html`<dt>${t(`curves.${name}`)}</dt>
        <dd>${t(`curves.${name}.means`, { smoothing, above, count })}</dd>`,
      )}</dl>
    <h2>${t("curves.scores")}</h2>
    ${scoreTable(page, scores)}
    <p class="hl-note">${t("curves.scores.note")}</p>`;
}

/** Every epoch as a row, for those who want that many. */
function epochs(/** @type {Page} */ page, lines, /** @type {number} */ at, state) {
  const { t } = page;
  const names = namesOf(lines);
  const { isListed } = state.get();
  const rows = () =>
    lines.map((line, i) => ({
      chosen: i === at,
      onChoose: () => state.merge({ epoch: i }),
      cells: [line.epoch, line.updates, ...names.map((name) => textOf(line, name))],
    }));
  return html`
    ${toggle({
      label: t("curves.epochs", { n: lines.length }),
      class: "hl-curves-all",
      checked: isListed,
      onChange: (checked) => state.merge({ isListed: checked }),
    })}
    ${
      isListed
        ? table({
            label: t("curves.epochs", { n: lines.length }),
            class: "hl-curves-table",
            columns: ["epoch", "updates"]
              .map((name) => ({ name: t(`curves.${name}`) }))
              .concat(names.map((name) => ({ name: nameOf(page, name) }))),
            rows: rows(),
          })
        : nothing
    }
    ${downloads(page, "training", {
      csv: () => [Object.keys(lines[0]), ...lines.map((line) => Object.values(line))],
    })}`;
}

/** The final scores, with every column that the card has. */
function scoreTable(/** @type {Page} */ page, scores) {
  const { t } = page;
  const others = Object.keys(scores[0].others);
  const beam = (/** @type {string} */ method) => /^beam (\d+)/.exec(method)?.[1];
  const methodOf = (/** @type {string} */ method) => {
    if (method === "greedy") return t("curves.method.greedy");
    const n = beam(method);
    return n === undefined ? method : t("curves.method.beam", { n });
  };
  const columns = [
    t("curves.method"),
    "BLEU",
    "chrF",
    ...others.map((name) => (name in KNOWN ? t(`curves.score.${KNOWN[name]}`) : name)),
  ];
  return table({
    label: t("curves.scores"),
    class: "hl-curves-scores",
    columns: columns.map((name, i) => ({ name, text: i === 0 })),
    rows: scores.map((score) => ({
      cells: [
        methodOf(score.method),
        ...[score.bleu, score.chrf, ...others.map((name) => score.others[name])].map(
          (value) => value?.toFixed(2) ?? "",
        ),
      ],
    })),
  });
}
