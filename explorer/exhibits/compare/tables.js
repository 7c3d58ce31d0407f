// The outcomes of the searches as tables; a button shows the search that one comes from.

import { downloads } from "../../../assets/kit/download.js";
import { durationText, signedText } from "../../../assets/kit/numbers.js";
import { table } from "../../../assets/kit/table.js";
import { langOf } from "../../../assets/kit/token.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";

const NEAR = 1e-6; // scores nearer than this are the same: the last digits depend on the batch
const DRAWN = ["temperature", "top_k", "top_p", "seed"]; // settings of the sampling methods alone

export function methodTable(page, record, { found, asked }) {
  const { t } = page;
  const best = Math.max(...found.map(({ score }) => score));
  const names = ["log_prob", "score", "length", "steps", "prefixes", "candidates", "seconds"];
  const rows = found.map((one) => {
    const { cells, chosen } = outcome(page, record, one, {
      name: t(`settings.method.${one.method}`),
      settings: { ...asked, method: one.method },
      isBest: one.score > best - NEAR,
    });
    const time = one.seconds === null ? "…" : durationText(one.seconds); // it comes later
    const counts = [one.steps, one.prefixes, one.candidates, time];
    return { cells: [...cells, ...counts], chosen, class: `hl-compare-${one.method}` };
  });
  return outcomes(page, "compare-methods", ["method", "text", ...names], rows, found);
}

export function seedTable(page, record, { found, asked }) {
  const rows = found.map((one) => ({
    class: "hl-compare-drawn",
    ...outcome(page, record, one, {
      name: one.seed,
      settings: { ...asked, method: "sampling", seed: one.seed },
      isBest: false,
    }),
  }));
  const names = ["seed", "text", "log_prob", "score", "length"];
  return outcomes(page, "compare-seeds", names, rows, found);
}

function outcomes(page, file, names, rows, found) {
  const { t } = page;
  return html`${table({
    label: t(`compare.${names[0]}`),
    class: "hl-compare-table",
    columns: names.map((name, i) => ({ name: t(`compare.${name}`), text: i < 2 })),
    rows,
  })}
    ${downloads(page, file, {
      csv: () => [names, ...found.map((one) => names.map((name) => one[name]))],
      json: () => found,
    })}`;
}

/** The cells of one outcome; its button requests the search with its settings for the page. */
function outcome(page, record, one, { name, settings: own, isBest }) {
  const { t } = page;
  const settings = { ...record.settings, ...own };
  const counts = (key) => !DRAWN.includes(key) || settings.method.endsWith("sampling");
  const isHere =
    record.shown === 0 &&
    record.node === null &&
    Object.entries(settings).every(
      ([key, value]) => !counts(key) || record.settings[key] === value,
    );
  const score = signedText(one.score, 4);
  const show = () => page.explain({ settings, shown: 0, node: null });
  return {
    chosen: isHere,
    cells: [
      html`<button type="button" title=${t("compare.show")} aria-pressed=${String(isHere)}
        @click=${show}>${name}</button>`,
      html`<span class="hl-compare-text" lang=${langOf(one.text)}>${tokens(one)}</span>
        ${one.finished ? nothing : html`<small>${t("compare.cut")}</small>`}`,
      signedText(one.log_prob, 4),
      isBest ? html`<b class="hl-best" title=${t("compare.best")}>${score}</b>` : score,
      one.length,
    ],
  };
}

const gap = html`<span class="hl-compare-gap">∧</span>`;

const tokens = ({ tokens: all, gaps }) => [
  ...all.map(({ text, kind, joined, other }, i) => {
    const marks = `${joined ? "hl-joined" : ""} ${other ? "hl-other" : ""}`;
    return html`${gaps.includes(i) ? gap : nothing}<span
      class="hl-compare-token hl-${kind} ${marks}">${text}</span>`;
  }),
  gaps.includes(all.length) ? gap : nothing,
];
