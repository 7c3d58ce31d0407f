// The toy: a table of five letters, the real search on it, and every text beside it.

import { element, svg, whenChanged } from "../elements.js";
import { decodeSearch } from "../payload.js";
import { drawInPanel, room } from "../panel.js";
import { record } from "../state.js";
import { question } from "../wire.js";
import { language, number, t } from "../words.js";
import { lostAt, nodesOf, shortText, standing } from "./toy_sums.js";
import { createTable } from "./toy_table.js";
import { createTree, nodeText } from "./toy_tree.js";

const PAUSE = 200; // ms between the last keystroke and the question
const LISTED = 40; // texts that are listed; what search found comes in any case
const FATES = ["kept", "pruned", "finished"];

export function mount(root) {
  const at = (name) => root.querySelector(`#hl-toy-${name}`);
  const example = JSON.parse(root.querySelector(".hl-toy").dataset.example);
  const chosen = { table: example, beam: 2, length: 3 };
  let answer = null; // what Python said to the last table that was whole
  let found = null; // {seed, wins} of a table that was looked for
  let seed = 0;
  let timer = 0;
  let asked = false;
  const changed = whenChanged();

  const trouble = (text) => { at("trouble").textContent = text; };
  const table = createTable(at("table"), trouble, (numbers) => {
    root.querySelector(".hl-toy").toggleAttribute("data-stale", numbers === null);
    if (numbers === null) return;
    found = null;
    chosen.table = numbers;
    soon();
  });
  const fields = createFields(at("fields"), chosen, soon);
  const tree = createTree(at("picture"), (node) => {
    at("node").textContent = node === null ? t("toy.node.hint")
      : nodeText(node, answer.columns[node.step].length, marksOf(answer));
  });
  const redraw = drawInPanel(root, [record, language], draw);

  function soon() {
    clearTimeout(timer);
    timer = setTimeout(search, PAUSE);
    redraw();
  }

  async function search() {
    const { table: numbers, beam, length } = chosen;
    const reply = await question("toy", { table: numbers, beam, length }).catch(refused);
    if (!reply) return;
    answer = { ...reply, beam, length, columns: nodesOf(await decodeSearch(reply.search)) };
    redraw();
  }

  async function lookFor() {
    seed += 1;
    const reply = await question("toy_table", { seed, length: chosen.length }).catch(refused);
    if (!reply) return;
    chosen.beam = 2;
    fields.draw();
    table.set(reply.table);
    found = { seed, length: chosen.length, wins: reply.beam_wins };
    redraw();
  }

  const refused = ({ sentence }) => trouble(sentence[language.get()]);

  function reset() {
    Object.assign(chosen, { beam: 2, length: 3 });
    fields.draw();
    table.set(example);
  }

  at("random").addEventListener("click", lookFor);
  at("reset").addEventListener("click", reset);

  function draw() {
    room(root.querySelector(".hl-toy"));
    if (!asked && record.get() !== null) {
      asked = true;
      table.set(example);
    }
    const { fontSize } = getComputedStyle(at("picture"));
    if (!changed(answer, language.get(), found, chosen.table, fontSize)) return;
    table.name();
    at("found").textContent = found !== null ? t(found.wins ? "toy.found.wins" : "toy.found.loses", found)
      : String(chosen.table) === String(example) ? t("toy.chosen") : "";
    at("legend").replaceChildren(...legend());
    at("node").textContent = t("toy.node.hint");
    if (answer === null) return;
    tree.draw(answer.columns, marksOf(answer), answer.hypotheses.map(({ text }) => text));
    at("said").textContent = said(answer);
    at("count").textContent = t("toy.all.count", { n: answer.all.length, length: answer.length });
    at("all").replaceChildren(...list(answer));
  }
}

const marksOf = ({ greedy, all }) => ({ greedy: greedy.text, best: all[0][0] });

function createFields(place, chosen, onChange) {
  const limits = { beam: [1, 5], length: [2, 4] };
  const inputs = Object.entries(limits).map(([name, [min, max]]) => {
    const input = element("input", { type: "number", min, max, step: 1, id: `hl-toy-${name}`, oninput: () => {
      if (!input.checkValidity() || input.value === "") return;
      chosen[name] = Number(input.value);
      onChange();
    } });
    place.append(element("label", {}, element("span", { "data-t": `toy.${name}` }), input));
    return [name, input];
  });
  const draw = () => { for (const [name, input] of inputs) input.value = chosen[name]; };
  draw();
  return { draw };
}

// What the search found, how good that is, and where it lost the best.
function said({ hypotheses, greedy, all, columns, beam }) {
  const [best] = all;
  const { text } = hypotheses[0];
  const { rank, isBest } = standing(all, text, best[1]);
  const facts = { beam, text, p: shortText(all[rank][1]), rank: number(rank), best: best[0], q: shortText(best[1]) };
  const greedyFacts = { text: greedy.text, p: shortText(Math.exp(greedy.log_prob)) };
  const also = greedy.text === text ? t("toy.said.greedy.best") : t("toy.said.greedy", greedyFacts);
  const joined = (text) => text + (language.get() === "zh" ? "" : " ") + also;
  if (isBest) return joined(t("toy.said.best", facts));
  const { step, node } = lostAt(columns, best[0]);
  const lost = { ...facts, step: number(step), lost: best[0].slice(0, step + 1) };
  if (node === null) return joined(t("toy.said.unseen", lost));
  const kept = columns[step].filter(({ fate }) => fate !== "pruned").length;
  return joined(t("toy.said.missed", { ...lost, r: shortText(node.probability), place: number(node.candidate), kept }));
}

// All texts, the likeliest first, with who found which. A bar tells how likely, beside the number.
function list({ all, hypotheses, greedy }) {
  const rankOf = Object.fromEntries(hypotheses.map(({ text }, rank) => [text, rank]));
  const rows = all.flatMap(([text, probability], i) => {
    const tags = [];
    if (text in rankOf) tags.push(element("b", { class: "hl-toy-found" }, t("toy.tag.beam", { rank: number(rankOf[text]) })));
    if (text === greedy.text) tags.push(element("span", { class: "hl-toy-tag-greedy" }, t("toy.tag.greedy")));
    if (i < hypotheses.length && !(text in rankOf)) tags.push(element("span", { class: "hl-toy-missed" }, t("toy.tag.missed")));
    if (i >= LISTED && tags.length === 0) return [];
    const bar = element("i", { style: `width:${((probability / all[0][1]) * 100).toFixed(1)}%` });
    return [element("tr", { class: text in rankOf ? "hl-toy-picked" : "", "data-all": text },
      element("td", {}, number(i)), element("td", {}, text),
      element("td", {}, element("span", { class: "hl-toy-bar" }, bar), shortText(probability)), element("td", {}, ...tags))];
  });
  const names = ["rank", "text", "probability", "found"];
  const more = all.length - rows.length;
  return [
    element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, t(`toy.all.${name}`))))),
    element("tbody", {}, ...rows),
    ...(more > 0 ? [element("caption", {}, t("toy.all.more", { n: more }))] : []),
  ];
}

function legend() {
  const box = (fate) => svg("svg", { viewBox: "-0.2 -0.2 2.4 1.6", class: "hl-toy-sample", "aria-hidden": "true" },
    svg("g", { class: `hl-toy-box hl-toy-${fate}` }, svg("rect", { width: 2, height: 1.2, rx: 0.2 }),
      ...(fate === "finished" ? [svg("rect", { class: "hl-toy-inner", x: 0.14, y: 0.14, width: 1.72, height: 0.92, rx: 0.1 })] : [])));
  const greedy = svg("svg", { viewBox: "0 0 1 1.2", class: "hl-toy-sample", "aria-hidden": "true" },
    svg("path", { class: "hl-toy-greedy", d: "M0.2 0.2 l0.62 0.42 l-0.62 0.42 Z" }));
  return [
    ...FATES.map((fate) => element("li", {}, box(fate), t(`toy.fate.${fate}`))),
    element("li", {}, greedy, t("toy.mark.greedy")),
    element("li", {}, element("span", { class: "hl-toy-best", "aria-hidden": "true" }, "★"), t("toy.mark.best")),
  ];
}
