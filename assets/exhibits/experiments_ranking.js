// What each head is worth: all of them switched off one at a time, in one batch.

import { element } from "../elements.js";
import { durationText } from "../numbers.js";
import { choose, effects, record, selection } from "../state.js";
import { question, searchOf } from "../wire.js";
import { language, number, t } from "../words.js";
import { changeBar, mostOf } from "./experiments_controls.js";
import { changeText } from "./experiments_result.js";

// What the output on show depends on; the ranking is that output's.
const outputOf = (shown) => JSON.stringify([searchOf(shown), shown.path]);

export function createRanking(root) {
  const button = element("button", { type: "button", onclick: rank });
  const note = element("p", { class: "hl-note", role: "status" });
  const list = element("ol", { class: "hl-experiments-worth" });
  root.replaceChildren(button, note, list);
  let busy = false;
  let ranked = null; // {answer, seconds, output}
  let trouble = null;

  record.watch((shown) => {
    if (shown === null || ranked === null || ranked.output === outputOf(shown)) return;
    ranked = null;
    effects.set(null);
  });

  async function rank() {
    const output = outputOf(record.get());
    const started = performance.now();
    [busy, trouble] = [true, null];
    draw();
    try {
      const answer = await question("rank_heads");
      if (answer !== null && output === outputOf(record.get())) {
        ranked = { answer, output, seconds: (performance.now() - started) / 1000 };
        effects.set(new Map(answer.heads.map((head, i) => [head.join("."), answer.changes[i]])));
      }
    } catch (error) {
      trouble = error.sentence ?? null;
      if (trouble === null) throw error;
    } finally {
      busy = false;
      draw();
    }
  }

  function draw() {
    button.disabled = busy;
    button.textContent = t(busy ? "experiments.ranking" : "experiments.rank");
    note.textContent = trouble?.[language.get()] ?? (ranked === null ? t("experiments.rank.note") : t("experiments.ranked", {
      count: ranked.answer.heads.length, time: durationText(ranked.seconds), text: ranked.answer.text,
    }));
    list.hidden = ranked === null;
    if (ranked === null) return;
    const most = mostOf(effects.get() ?? new Map([["", 1]]));
    const { kind, layer, head } = selection.get();
    list.replaceChildren(...ranked.answer.heads.map(([k, l, h], i) => element("li", {},
      element("button", {
        type: "button", class: `hl-kind-${k}`, onclick: () => choose({ kind: k, layer: l, head: h }),
        "aria-pressed": String(k === kind && l === layer && h === head),
      },
      element("i", { class: "hl-dot", "aria-hidden": "true" }),
      element("span", {}, t("experiments.worth", { kind: t(`kind.${k}`), layer: number(l), head: number(h) })),
      changeBar(ranked.answer.changes[i], most), element("b", {}, changeText(ranked.answer.changes[i]))))));
  }
  return draw;
}
