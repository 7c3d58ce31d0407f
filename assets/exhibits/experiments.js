// Experiments: one value, `draft`, says what is changed; both models answer, side by side.

import { element, whenChanged } from "../elements.js";
import { differences, filled, isUntouched, UNTOUCHED } from "../interventions.js";
import { unpack } from "../packing.js";
import { drawInPanel, narrow, room } from "../panel.js";
import { createStore } from "../store.js";
import { effects, record, selection, theme } from "../state.js";
import { ask, question, wishOf } from "../wire.js";
import { language, t } from "../words.js";
import { onlyPositions, presets, stories } from "./experiments_change.js";
import { createHeads, createMasks, createPaint } from "./experiments_controls.js";
import { createMaps } from "./experiments_maps.js";
import { createRanking } from "./experiments_ranking.js";
import { FORMAT, nextTokens, texts, tokenTable } from "./experiments_result.js";

const draft = createStore(UNTOUCHED);
const result = createStore(null); // {answer, attention, changes} of the last experiment that could be run
const trouble = createStore(null); // the sentence why the latest one could not

export function mount(root) {
  const find = (name) => root.querySelector(`#hl-experiments-${name}`);
  const controls = [createHeads(find("heads"), draft), createMasks(find("masks"), draft), createPaint(find("paint"), draft)];
  const ranking = createRanking(find("rank"));
  const maps = createMaps(find("maps"));
  const asked = whenChanged();
  mountStarts(find("starts"));
  mountButtons(find);
  followRecord();

  drawInPanel(root, [record, theme, language, draft, result, trouble, effects], () => {
    const shown = record.get();
    if (shown === null) return;
    const layout = root.querySelector(".hl-experiments");
    room(layout);
    narrow(layout);
    for (const draw of [...controls, ranking]) draw();
    for (const button of find("starts").children) {
      const wanted = presets(draft.get(), shown.attention.cross.layers - 1)[button.dataset.start];
      button.setAttribute("aria-pressed", String(same(wanted, draft.get())));
    }
    find("clear").disabled = same(draft.get(), onlyPositions(draft.get()));
    find("everywhere").disabled = same(draft.get(), filled(shown.interventions));
    find("back").disabled = isUntouched(shown.interventions);
    find("trouble").textContent = trouble.get()?.[language.get()] ?? "";
    const { kind, layer, head } = selection.get();
    if (asked(shown, JSON.stringify(draft.get()), kind, layer, head)) run(shown);
    drawResult(find, maps);
  });
}

const same = (one, other) => JSON.stringify(differences(one)) === JSON.stringify(differences(other));

function drawResult(find, maps) {
  const now = result.get();
  maps(now?.attention ?? null, now?.answer);
  if (now === null) return;
  const { answer, changes } = now;
  const told = isUntouched(changes) ? [{ key: "experiments.story.none", values: {} }]
    : stories(answer, differences(changes), FORMAT);
  find("story").replaceChildren(...told.map(({ key, values }) => element("p", {}, t(key, values))));
  find("texts").replaceChildren(...texts(answer));
  find("tokens").replaceChildren(...tokenTable(answer, selection.get().step));
  find("next").replaceChildren(...nextTokens(answer));
}

// Asks both models. What was there stays until the answer comes, and where none can be given.
async function run(shown) {
  const changes = draft.get();
  const { kind, layer, head } = selection.get();
  const wish = wishOf(shown);
  // A hypothesis or a node of the changed model's search is none of the untouched model's.
  if (!isUntouched(shown.interventions)) Object.assign(wish, { shown: 0, node: null });
  try {
    const answer = await question("before_after", { kind, layer, head }, { ...wish, interventions: changes });
    if (answer === null) return;
    const [before, after] = await Promise.all(
      [answer.attention.before, answer.attention.after].map((packed) => unpack(packed, Float32Array)));
    trouble.set(null);
    result.set({ answer, attention: { ...answer.attention, before, after }, changes });
  } catch (error) {
    if (!error.sentence) throw error;
    trouble.set(error.sentence);
  }
}

// Where the whole page shows other changes, or another sentence, the draft begins there.
function followRecord() {
  let before = null;
  record.watch((shown) => {
    if (shown === null) return;
    const moved = before === null || !same(before.interventions, shown.interventions);
    if (moved) draft.set(filled(shown.interventions));
    else if (before.text !== shown.text) draft.merge({ cells: [] });
    before = shown;
  });
}

function mountStarts(row) {
  row.replaceChildren(...["cheat", "leak", "blind", "unscaled"].map((name) => element("button", {
    type: "button", "data-start": name, "data-t": `experiments.start.${name}`, "data-t-title": `experiments.start.${name}.hint`,
    onclick: () => draft.set(presets(draft.get(), record.get().attention.cross.layers - 1)[name]),
  })));
}

function mountButtons(find) {
  find("clear").addEventListener("click", () => draft.set(onlyPositions(draft.get())));
  find("everywhere").addEventListener("click", () => ask({ interventions: draft.get() }));
  find("back").addEventListener("click", () => ask({ interventions: {} }));
}
