// The checkpoint's rules for decoding among the settings: a switch for each, and what it did in
// this search.

import { percentText, signedText } from "../kit/numbers.js";
import { html, live, nothing } from "../vendor/lit-html.js";

/** @typedef {import("../kit/types.js").Rec} Rec */
/** @typedef {import("../kit/types.js").Rule} Rule */
/** @typedef {Pick<import("../kit/types.js").Page, "t"|"record">} Page */
/** @typedef {{step: number, id: number, value: number}} Place of a token, and its number */

const CHANGE = 1e-4; // a smaller difference of sums is rounding
const DIGITS = 4;

/**
 * The switches; nothing for a model without rules.
 * @param {Page} page @param {string[]} off @param {(name: string, isOn: boolean) => void} turn
 */
export function rulesList({ t, record }, off, turn) {
  const now = record.get();
  if (!now?.rules) return nothing;
  return html`<fieldset class="hl-rules"><legend>${t("settings.rules_off")}</legend>
    <p class="hl-note">${t("rules.note")}</p>
    ${now.rules.map(
      (rule) => html`<label><input type="checkbox" name=${rule.name}
          aria-describedby=${`hl-rule-${rule.name}`} .checked=${live(!off.includes(rule.name))}
          @change=${(/** @type {import("../kit/types.js").Typed} */ { target }) =>
            turn(rule.name, target.checked)}>
        <span>${nameOf(t, rule)}</span></label>
        <p class="hl-note" id=${`hl-rule-${rule.name}`}>${deedOf(t, rule, now)}</p>`,
    )}</fieldset>`;
}

/** @param {Page["t"]} t @param {Rule} rule */
function nameOf(t, { name, value, tokens = [] }) {
  const texts = tokens.map(({ text }) => text).join(", ");
  const left = name === "banned" ? Number(value) - tokens.length : 0;
  const all = left > 0 ? t("rules.more", { tokens: texts, n: left }) : texts;
  const key = name === "early_stopping" ? `rules.${name}.${value}` : `rules.${name}`;
  return t(key, { value, tokens: all });
}

/** What a rule did in the search of a record. @param {Page["t"]} t @param {Rule} rule
 * @param {Rec} record */
export function deedOf(t, rule, record) {
  const { settings, search, prefix } = record;
  const { name } = rule;
  if (settings.rules_off?.includes(name)) return t("rules.off");
  if (name === "renormalise") return t("rules.renormalise.did");
  if (name === "early_stopping")
    return settings.method.includes("beam")
      ? t("rules.stopped", { n: search.steps.length })
      : t("rules.beams_only");
  if (name === "no_repeat" && settings.no_repeat !== rule.value)
    return t("rules.no_repeat.other", { n: settings.no_repeat });
  if (name === "forced_first_id") return prefix.length > 0 ? "" : firstOf(t, record);
  if (name === "forced_end_id") return t("rules.cut", { n: cutBy(record) });
  if (name === "repetition_penalty") return penalisedIn(t, record);
  const all = forbiddenBy(record, name);
  if (all.length === 0) return t(name === "banned" ? "rules.none.likely" : "rules.none");
  const { step, id, value } = all.reduce((best, one) => (one.value > best.value ? one : best));
  const share = percentText(Math.exp(value));
  return t("rules.forbade", { n: all.length, token: textOf(record, id), at: step + 1, share });
}

/** @param {Rec} record @param {number} id */
const textOf = ({ search: { labels } }, id) => labels[id].line ?? labels[id].text;

/** @param {Rec} record @param {string} name @returns {Place[]} */
const forbiddenBy = ({ search: { steps } }, name) =>
  steps.flatMap(({ forbidden }, step) =>
    forbidden
      .filter(({ rule }) => rule === name)
      .map(({ id, log_prob: value }) => ({ step, id, value })),
  );

/** The forced first token beside the one that the model prefers. @param {Page["t"]} t
 * @param {Rec} record */
function firstOf(t, record) {
  const { ids, log_probs: logProbs, forced } = record.search.steps[0];
  const own = forced.indexOf(1);
  const best = logProbs.indexOf(Math.max(...logProbs));
  const share = percentText(Math.exp(logProbs[own]));
  if (own === best) return t("rules.forced.same", { share });
  const other = percentText(Math.exp(logProbs[best]));
  return t("rules.forced.other", { share, token: textOf(record, ids[best]), other });
}

/** How many hypotheses the length limit ended. @param {Rec} record */
function cutBy({ search: { steps }, prefix }) {
  const last = steps[steps.length - 1];
  return steps.length > Math.max(1, prefix.length) ? last.forced.filter(Boolean).length : 0;
}

/** The candidates whose totals the penalty lowered. @param {Page["t"]} t @param {Rec} record */
function penalisedIn(t, record) {
  const lower = record.search.steps.flatMap((_, at) => loweredAt(record, at));
  if (lower.length === 0) return t("rules.penalised.none");
  const most = lower.reduce((best, one) => (one.value < best.value ? one : best));
  const texts = { token: textOf(record, most.id), by: signedText(-most.value, DIGITS) };
  return t("rules.penalised", { n: lower.length, at: most.step + 1, ...texts });
}

/** @param {Rec} record @param {number} at @returns {Place[]} */
function loweredAt({ search: { steps } }, at) {
  const { ids, parents, totals, log_probs: logProbs, forced } = steps[at];
  return Array.from(ids, (id, c) => {
    const before = at === 0 ? 0 : steps[at - 1].totals[parents[c]];
    return { step: at, id, value: forced[c] ? 0 : totals[c] - before - logProbs[c] };
  }).filter(({ id, value }, c) => value < -CHANGE && isWritten(steps, at - 1, parents[c], id));
}

/** True if a hypothesis, by its last candidate, has this token. @param {Rec["search"]["steps"]} steps
 * @param {number} at @param {number} c @param {number} id @returns {boolean} */
const isWritten = (steps, at, c, id) =>
  at >= 0 && (steps[at].ids[c] === id || isWritten(steps, at - 1, steps[at].parents[c], id));
