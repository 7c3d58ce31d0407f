// Side by side: what greedy, beam search, sampling and beam sampling write for the same sentence.

import { element, whenChanged } from "../elements.js";
import { durationText, signedText } from "../numbers.js";
import { drawInPanel } from "../panel.js";
import { record } from "../state.js";
import { ask, question } from "../wire.js";
import { langOf, language, t } from "../words.js";
import { differences } from "./compare_differences.js";

// The settings of drawing, with their bounds in Python.
const FIELDS = [
  { name: "temperature", min: 0.05, max: 10, step: 0.05, slide: 3 },
  { name: "top_k", min: 0, max: 100000, step: 1, slide: 100 },
  { name: "top_p", min: 0.01, max: 1, step: 0.01, slide: 1 },
  { name: "seed", min: 0, max: 4294967295, step: 1 },
];
const DRAWS = FIELDS.map(({ name }) => name);
const SEEDS = 5;
const NEAR = 1e-6; // scores nearer than this are the same: the last digits depend on the batch

export function mount(root) {
  const at = (name) => root.querySelector(`#hl-compare-${name}`);
  const state = { shown: null, drawn: null, asked: null, answer: null, seeds: [], next: null };
  const changed = whenChanged();
  const controls = createControls(at("controls"), (name, value) => {
    state.drawn = { ...state.drawn, [name]: value };
    redraw();
  });
  const redraw = drawInPanel(root, [record, language], draw);
  at("draw").addEventListener("click", draw5);

  function draw() {
    const shown = record.get();
    if (shown === null) return;
    follow(shown);
    if (!changed(state.answer, state.seeds, state.drawn, shown, language.get())) return;
    controls.draw(state.drawn);
    const pending = state.answer === null || state.answer.key !== state.asked;
    at("table").toggleAttribute("data-stale", pending);
    if (state.answer !== null) at("table").replaceChildren(...methodTable(state.answer, shown));
    at("draw").textContent = state.seeds.length > 0 ? t("compare.more")
      : t("compare.draw", { from: state.drawn.seed, to: (state.drawn.seed + SEEDS - 1) % 2 ** 32 });
    at("drawn").replaceChildren(...(state.seeds.length > 0 ? seedTable(state.seeds, shown, state) : []));
  }

  // Asks again when the sentence, or a setting that counts, is another one.
  function follow(shown) {
    if (state.shown !== shown) {
      const before = state.shown;
      state.shown = shown;
      // What was set in the page itself counts here too.
      const own = Object.fromEntries(DRAWS.map((name) => [name, shown.settings[name]]));
      const turned = before === null || DRAWS.some((name) => own[name] !== before.settings[name]);
      if (turned) state.drawn = own;
    }
    const key = keyOf(shown, state.drawn);
    if (key === state.asked) return;
    state.asked = key;
    state.seeds = [];
    state.next = state.drawn.seed;
    at("trouble").textContent = "";
    question("methods", state.drawn).then((answer) => {
      if (answer === null || key !== state.asked) return;
      state.answer = { ...answer, key, drawn: state.drawn };
      redraw();
    }, refused);
  }

  async function draw5() {
    const key = state.asked;
    const reply = await question("seeds", { ...state.drawn, seed: state.next }).catch(refused);
    if (!reply || key !== state.asked) return;
    state.next = (state.next + SEEDS) % 2 ** 32;
    state.seeds = [...state.seeds, ...reply.drawn];
    redraw();
  }

  const refused = ({ sentence }) => { at("trouble").textContent = sentence[language.get()]; };
}

// What the four searches depend on: two keys that are the same have the same answer.
function keyOf({ text, prefix, interventions, settings }, drawn) {
  const { beam_size: beam, length_penalty: alpha, penalty_form: form } = settings;
  return JSON.stringify([text, prefix, interventions, beam, alpha, form, DRAWS.map((name) => drawn[name])]);
}

function createControls(place, onChange) {
  const inputs = FIELDS.flatMap(({ name, min, max, step, slide }) => {
    const box = element("input", { type: "number", min, max, step: "any", id: `hl-compare-${name}`, "data-t-label": `settings.${name}` });
    const range = slide ? element("input", { type: "range", min, max: slide, step, "data-t-label": `settings.${name}` }) : null;
    box.addEventListener("change", () => { if (box.value !== "" && box.checkValidity()) onChange(name, Number(box.value)); });
    range?.addEventListener("input", () => { box.value = range.value; });
    range?.addEventListener("change", () => onChange(name, Number(range.value)));
    if (name === "top_k" || name === "seed") box.step = 1;
    place.append(element("div", { "data-t-title": `settings.${name}.hint` },
      element("span", { "data-t": `settings.${name}` }), ...(range ? [range] : []), box));
    return [[name, box, range]];
  });
  return {
    draw(drawn) {
      for (const [name, box, range] of inputs) {
        box.value = drawn[name];
        if (range) range.value = drawn[name];
      }
    },
  };
}

function methodTable({ methods, drawn }, shown) {
  const beam = methods.find(({ method }) => method === "beam");
  const best = Math.max(...methods.map(({ score }) => score));
  const names = ["method", "text", "log_prob", "score", "length", "steps", "prefixes", "candidates", "seconds"];
  return table(names, methods.map((one) => row(one, {
    name: t(`settings.method.${one.method}`), wish: { ...drawn, method: one.method }, shown,
    against: one === beam ? null : beam, best: one.score > best - NEAR,
    numbers: [one.steps, one.prefixes, one.candidates, durationText(one.seconds)],
  })));
}

function seedTable(seeds, shown, { answer, drawn }) {
  const beam = answer?.methods.find(({ method }) => method === "beam") ?? null;
  return table(["seed", "text", "log_prob", "score", "length"], seeds.map((one) => row(one, {
    name: one.seed, wish: { ...drawn, method: "sampling", seed: one.seed }, shown, against: beam, numbers: [],
  })));
}

function table(names, rows) {
  return [
    element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, t(`compare.${name}`))))),
    element("tbody", {}, ...rows),
  ];
}

// One outcome; its button asks the page for the search that it comes from.
function row(one, { name, wish, shown, against, best, numbers }) {
  const settings = { ...shown.settings, ...wish };
  const here = Object.entries(settings).every(([key, value]) => heeded(key, settings.method) ? shown.settings[key] === value : true)
    && shown.shown === 0 && shown.node === null;
  const show = () => ask({ settings, shown: 0, node: null });
  return element("tr", { class: here ? "hl-chosen" : "", "data-method": one.method ?? "sampling", "data-seed": one.seed ?? null },
    element("th", { scope: "row" }, element("button", { type: "button", title: t("compare.show"), "aria-pressed": String(here), onclick: show }, name)),
    element("td", { lang: langOf(one.text), class: "hl-compare-text" }, ...tokens(one, against), ...(one.finished ? [] : [element("small", {}, t("compare.cut"))])),
    element("td", {}, signedText(one.log_prob, 4)),
    element("td", { class: best ? "hl-best" : "", title: best ? t("compare.best") : null }, signedText(one.score, 4)),
    element("td", {}, one.length), ...numbers.map((value) => element("td", {}, value)));
}

const heeded = (name, method) => !DRAWS.includes(name) || method === "sampling" || method === "beam_sampling";

function tokens(one, against) {
  const ids = (outcome) => outcome.tokens.map(({ id }) => id);
  const { changed, gaps } = against === null ? { changed: [], gaps: [] } : differences(ids(one), ids(against));
  const parts = one.tokens.flatMap(({ text, kind, joined }, i) => [
    ...(gaps[i] ? [gap()] : []),
    element("span", { class: `hl-compare-token hl-${kind}${joined ? " hl-joined" : ""}${changed[i] ? " hl-other" : ""}` }, text),
  ]);
  return gaps.at(-1) ? [...parts, gap()] : parts;
}

const gap = () => element("span", { class: "hl-compare-gap" }, "∧");
