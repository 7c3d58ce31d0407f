// The ledger: what each hypothesis adds up to, and who would be first under another length penalty.

import { element, whenChanged } from "../elements.js";
import { signedText } from "../numbers.js";
import { drawInPanel, room } from "../panel.js";
import { choose, record, selection } from "../state.js";
import { ask, current, searchOf } from "../wire.js";
import { langOf, language, number, t } from "../words.js";
import { createPlot } from "./ledger_plot.js";
import { createRows, penaltyText } from "./ledger_rows.js";
import { entriesOf, lineOf, outcomeOf, penaltyOf, ranksOf, reigns, scoreOf } from "./ledger_sums.js";

const LOW = -1;
const HIGH = 3;
const FORMS = ["average", "gnmt"];
const BEAMS = ["beam", "beam_sampling"];

// What the visitor has chosen here; it begins anew with each search.
const FRESH = { searched: null, all: [], alpha: 1, form: "average", beaten: false, ran: null, outcome: null };

export function mount(root) {
  const at = (name) => root.querySelector(`#hl-ledger-${name}`);
  let state = FRESH;
  const change = (changes) => {
    state = { ...state, ...changes };
    redraw();
  };
  const controls = createControls(at("controls"), change);
  const rows = createRows(at("table"), show);
  const plot = createPlot(at("plot"), (alpha) => change({ alpha }));
  const changed = whenChanged();

  const redraw = drawInPanel(root, [record, language], () => {
    const shown = record.get();
    if (shown === null) return;
    room(root.querySelector(".hl-ledger"));
    state = following(state, shown);
    const scene = sceneOf(state, shown);
    controls.draw(state, scene);
    rows.draw(scene, language.get());
    at("honest").replaceChildren(...honest(state, scene, run));
    at("outcome").textContent = state.outcome === null ? "" : outcomeText(state.outcome);
    drawOne(at, scene);
    const { clientWidth, clientHeight } = at("plot");
    const { fontSize } = getComputedStyle(at("plot"));
    if (changed(state.all, state.form, state.beaten, scene.chosen, clientWidth, clientHeight, fontSize, language.get())) {
      plot.draw(scene);
      at("reigns").replaceChildren(...reignTexts(scene).map((text) => element("li", {}, text)));
    } else {
      plot.move(state.alpha);
    }
  });

  function run() {
    const { alpha, form, beaten, all } = state;
    state = { ...state, ran: { text: record.get().text, alpha, form, joined: beaten, entries: all } };
    ask({ settings: { ...current.settings, length_penalty: alpha, penalty_form: form } });
  }
}

// Shows an entry in the whole page: a hypothesis, or the beginning that a beaten one is.
function show(one) {
  if (one.was !== null) ask({ shown: one.was });
  else ask({ shown: 0, node: [one.path.length - 1, one.path.at(-1)] });
}

// The state for the record on show: a new search begins anew, with the outcome if it was run here.
function following(state, shown) {
  const searched = searchOf(shown);
  if (state.searched === searched) return state;
  const { length_penalty: alpha, penalty_form: form } = shown.settings;
  const all = entriesOf(shown);
  const { ran } = state;
  const mine = ran !== null && ran.text === shown.text && ran.alpha === alpha && ran.form === form;
  const outcome = mine ? { ...outcomeOf(ran.entries, ran, all[0].ids), text: all[0].text, alpha, form } : null;
  return { ...FRESH, searched, all, alpha, form, beaten: state.beaten, outcome };
}

// What is drawn: the entries on show with their ranks, and which of them the page shows.
function sceneOf(state, shown) {
  const entries = state.all.filter(({ was }) => state.beaten || was !== null);
  const ranks = ranksOf(entries, state.form, state.alpha);
  const { length_penalty: own, penalty_form: ownForm, method } = shown.settings;
  const low = Math.min(LOW, Math.floor(own));
  const high = Math.max(HIGH, Math.ceil(own));
  const lines = entries.map((one) => ({ ...lineOf(one, entries[0], state.form), listed: one.was !== null }));
  return {
    entries, ranks, lines, low, high, own, ownForm, method, alpha: state.alpha, form: state.form,
    scores: entries.map((one) => scoreOf(one, state.form, state.alpha)),
    penalties: entries.map((one) => penaltyOf(state.form, state.alpha, one.length)),
    chosen: chosenOf(entries, shown), reigning: reigns(lines, low, high), step: selection.get().step,
    same: state.alpha === own && state.form === ownForm, beatenCount: state.all.length - shown.hypotheses.length,
  };
}

function chosenOf(entries, { node, shown }) {
  const at = node === null ? -1 : entries.findIndex(({ path, was }) =>
    was === null && path.length - 1 === node[0] && path.at(-1) === node[1]);
  return at < 0 ? shown : at;
}

function createControls(place, change) {
  const range = element("input", { type: "range", step: 0.01, id: "hl-ledger-alpha", "data-t-label": "ledger.alpha" });
  const box = element("input", { type: "number", step: 0.05, "data-t-label": "ledger.alpha" });
  const take = ({ target }) => {
    if (target.value === "" || !target.checkValidity()) return;
    change({ alpha: Number(target.value) });
  };
  range.addEventListener("input", take);
  box.addEventListener("input", take);
  box.step = "any";
  const forms = FORMS.map((form) => element("input", { type: "radio", name: "hl-ledger-form", value: form, onchange: () => change({ form }) }));
  const own = element("button", { type: "button", id: "hl-ledger-own" });
  const beaten = element("input", { type: "checkbox", id: "hl-ledger-beaten", onchange: () => change({ beaten: beaten.checked }) });
  const beatenText = element("span");
  place.append(
    element("label", { class: "hl-ledger-slide" }, element("span", { "data-t": "ledger.alpha" }), range), box, own,
    element("fieldset", {}, element("legend", { "data-t": "ledger.form" }), ...forms.map((radio, i) =>
      element("label", {}, radio, element("span", { "data-t": `ledger.form.${FORMS[i]}` })))),
    element("label", { class: "hl-ledger-check" }, beaten, beatenText));
  return {
    draw({ alpha, form, beaten: joined }, { low, high, own: ownAlpha, ownForm, same, beatenCount }) {
      for (const input of [range, box]) Object.assign(input, { min: low, max: high });
      range.value = alpha;
      if (document.activeElement !== box || Number(box.value) !== alpha) box.value = alpha;
      for (const radio of forms) radio.checked = radio.value === form;
      own.textContent = t("ledger.own", { alpha: alphaText(ownAlpha) });
      own.disabled = same;
      own.onclick = () => change({ alpha: ownAlpha, form: ownForm });
      beaten.checked = joined;
      beaten.disabled = beatenCount === 0;
      beatenText.textContent = beatenCount === 0 ? t("ledger.beaten.none") : t("ledger.beaten", { n: beatenCount });
    },
  };
}

const alphaText = (alpha) => String(alpha).replace("-", "−");
const settingText = (form, alpha) => t(`ledger.setting.${form}`, { alpha: alphaText(alpha) });

// Only where the ranks are not the search's own: what they say, and what they cannot say.
function honest(state, { same, own, ownForm, method }, run) {
  if (same) return [];
  if (!BEAMS.includes(method)) return [t("ledger.honest.one", { method: t(`settings.method.${method}`) })];
  return [
    t("ledger.honest", { own: settingText(ownForm, own), now: settingText(state.form, state.alpha) }), " ",
    element("button", { type: "button", id: "hl-ledger-run", onclick: run }, t("ledger.run", { alpha: alphaText(state.alpha) })),
  ];
}

function outcomeText({ kind, text, rank, predicted, alpha, form }) {
  return t(`ledger.outcome.${kind}`, { now: settingText(form, alpha), text, predicted, rank: number(rank ?? 0) });
}

function reignTexts({ reigning }) {
  if (reigning.length === 1) return [t("ledger.reign.all", { n: number(reigning[0].who) })];
  return reigning.map(({ who, from, to }, i) => {
    const place = i === 0 ? "first" : i === reigning.length - 1 ? "last" : "between";
    return t(`ledger.reign.${place}`, { n: number(who), from: signedText(from, 2), to: signedText(to, 2) });
  });
}

// The chosen hypothesis: its tokens with their log-probs, and the score with its own numbers.
function drawOne(at, { entries, chosen, scores, penalties, form, alpha, step }) {
  const one = entries[chosen];
  at("name").textContent = t("ledger.one", { n: number(chosen), text: one.text });
  at("steps").replaceChildren(...one.parts.map((part, i) => tokenButton(part, i, i === step)));
  const facts = { sum: signedText(one.log_prob, 4), n: one.length, alpha: alphaText(alpha), penalty: penaltyText(penalties[chosen]), score: signedText(scores[chosen], 4) };
  at("formula").replaceChildren(
    element("span", {}, t("ledger.formula.sum", facts)), " ", element("span", {}, t("ledger.formula.name")), " ",
    element("b", {}, t(`ledger.formula.${form}`, facts)));
}

function tokenButton({ label, log_prob: logProb, free, forced }, i, here) {
  const note = free ? t("ledger.free") : forced ? t("ledger.forced") : null;
  return element("button", { type: "button", class: here ? "hl-here" : "", title: note, "aria-current": here ? "step" : null, onclick: () => choose({ step: i }) },
    element("span", { class: `hl-${label.kind}`, lang: langOf(label.text) }, label.text),
    element("small", { class: free ? "hl-ledger-free" : "" }, signedText(logProb, 4)),
    ...(note ? [element("em", {}, free ? "0" : "!")] : []));
}
