// The effect of each head: all of them switched off one at a time.

import { button } from "../../../assets/kit/choice.js";
import { changeText } from "../../../assets/kit/numbers.js";
import { inTurns, pending } from "../../../assets/kit/request.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";

/** The inputs of the output on the page; a ranking belongs to that output. */
const outputOf = (/** @type {any} */ { model, text, settings, prefix, interventions, path }) =>
  JSON.stringify([model.key, text, settings, prefix, interventions, path]);

const isRanked = ({ ranking, record }) => ranking !== null && ranking === outputOf(record);

/** The ranking so far, and the missing turn: {heads, changes, text, count, open}. */
function ranked(s) {
  const { ask, record } = s;
  const { values, open } = isRanked(s)
    ? inTurns((_, args) => ask("heads_off", args), record)
    : { values: [], open: null };
  return {
    heads: values.flatMap((found) => found.heads),
    changes: values.flatMap((found) => found.changes),
    text: values[0]?.text ?? "",
    count: values[0]?.count ?? "…",
    open,
  };
}

/** Starts the ranking, or stops it; the heads are coloured by their effect. */
export function rankButton(s) {
  const { t, page, set, ranking, record, ask } = s;
  if (!ask) return nothing;
  if (ranking !== null && !isRanked(s)) queueMicrotask(() => forget(s)); // for a different output
  const { heads, changes, count, open } = ranked(s);
  const waits = open?.waiting ?? false;
  const known = page.effects.get()?.size ?? 0;
  if (isRanked(s) && heads.length !== known) {
    /** @type {Map<string, number>} */
    const effects = new Map(heads.map((head, i) => [head.join("."), changes[i]]));
    queueMicrotask(() => page.effects.set(effects));
  }
  return html`<div class="hl-experiments-rank">
    ${button({
      label: waits ? t("ranking", { done: heads.length, count }) : t("rank"),
      onClick: () => set({ ranking: waits ? null : outputOf(record) }),
    })}
    ${open?.error ? pending(page, open) : nothing}<p class="hl-note">${t("rank.note")}</p></div>`;
}

function forget({ page, set }) {
  page.effects.set(null);
  set({ ranking: null });
}

/** The heads, most costly to remove first. */
export function rankSheets(s) {
  const { t, page, selection } = s;
  const { heads, changes, text, open } = ranked(s);
  if (!isRanked(s) || open !== null) return [];
  const worth = ([kind, layer, head]) =>
    t("worth", { kind: page.t(`kind.${kind}`), layer: layer + 1, head: head + 1 });
  const isHere = ([kind, layer, head]) =>
    kind === selection.kind && layer === selection.layer && head === selection.head;
  return [
    {
      name: t("rank"),
      file: "heads-ranked",
      class: "hl-experiments-worth",
      note: t("ranked", { count: heads.length, text }),
      rows: heads
        .map((head, i) => ({ head, change: changes[i] }))
        .sort((one, other) => one.change - other.change),
      chosen: ({ head }) => isHere(head),
      onChoose: ({ head: [kind, layer, head] }) => page.choose({ kind, layer, head }),
      columns: {
        head: {
          head: t("pick.head"),
          text: true,
          cell: ({ head }) => worth(head),
          csv: ({ head }) => head.join("."),
        },
        change_of_log_prob: {
          head: t("change"),
          cell: ({ change }) => changeText(change),
          csv: ({ change }) => change,
        },
      },
    },
  ];
}
