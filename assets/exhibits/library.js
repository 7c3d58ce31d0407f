// Query, key and value in words: a librarian's shelf, and a red cup among papers.

import { pick, slider } from "../controls.js";
import { element } from "../elements.js";
import { percentText } from "../numbers.js";
import { drawInPanel, room } from "../panel.js";
import { theme } from "../state.js";
import { language, t } from "../words.js";
import { BOOKS, CONTENTS, NEEDS, THINGS, TOPICS, gaze, looked, mixed } from "./library_maths.js";
import { desk, shelf } from "./library_pictures.js";

const MOST = 4; // of a number of the query

export function mount(root) {
  const frame = root.querySelector(".hl-library");
  const at = (name) => root.querySelector(`#hl-library-${name}`);
  const state = { need: [...NEEDS.supper], sought: "nothing", strength: 3 };

  const redraw = drawInPanel(root, [theme, language], () => {
    room(frame);
    drawShelf(at, state);
    drawDesk(at, state);
  });
  const change = (changes) => {
    Object.assign(state, changes);
    TOPICS.forEach((_, i) => topics[i].set(state.need[i]));
    need.set(Object.keys(NEEDS).find((name) => NEEDS[name].every((value, i) => value === state.need[i])) ?? "");
    strength.node.hidden = state.sought === "nothing";
    redraw();
  };

  const need = pick({ id: "hl-library-need", words: "library.need", value: "supper", onChoose: (name) => change({ need: [...NEEDS[name]] }),
    choices: { sea: "library.need.sea", supper: "library.need.supper", past: "library.need.past", any: "library.need.any" } });
  const topicWords = { sea: "library.topic.sea", cooking: "library.topic.cooking", history: "library.topic.history" };
  const topics = TOPICS.map((topic, i) => slider({ id: `hl-library-${topic}`, words: topicWords[topic], min: 0, max: MOST, step: 0.5, value: state.need[i],
    onInput: (value) => change({ need: state.need.map((old, at_) => (at_ === i ? value : old)) }) }));
  at("query").append(need.node, element("div", { class: "hl-library-sliders" }, ...topics.map(({ node }) => node)));

  const sought = pick({ id: "hl-library-sought", words: "library.sought", value: state.sought, onChoose: (name) => change({ sought: name }),
    choices: { nothing: "library.sought.nothing", read: "library.sought.read", drink: "library.sought.drink" } });
  const strength = slider({ id: "hl-library-strength", words: "library.strength", min: 0, max: MOST, step: 0.5, value: state.strength, onInput: (value) => change({ strength: value }) });
  strength.node.hidden = true;
  at("cue").append(sought.node, strength.node);
}

const vector = (numbers) => `(${numbers.map((one) => String(Number(one.toFixed(2)))).join(", ")})`;

function rows(items, group, { scores, weights }, extra) {
  return items.map((item, i) => element("tr", { "data-name": item.name },
    element("th", { scope: "row" }, t(`library.${group}.${item.name}`)), element("td", {}, vector(item.key)),
    element("td", {}, String(scores[i])), element("td", {}, percentText(weights[i])), ...extra(item)));
}

function table(heads, body, foot = []) {
  return [
    element("thead", {}, element("tr", {}, ...heads.map((name) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, ...body), element("tfoot", {}, ...foot),
  ];
}

function drawShelf(at, { need }) {
  const found = looked(need, BOOKS.map(({ key }) => key));
  at("shelf").replaceChildren(shelf(BOOKS, found.weights));
  const home = mixed(found.weights, BOOKS.map(({ value }) => value));
  at("books").replaceChildren(...table(
    [t("library.book"), t("library.label"), t("library.score", { query: vector(need) }), t("library.weight"), t("library.content")],
    rows(BOOKS, "book", found, ({ value }) => [element("td", {}, vector(value))]),
    [element("tr", {}, element("th", { scope: "row", colspan: 4 }, t("library.home")), element("td", { "data-home": "" }, vector(home)))]));
  at("said").textContent = t("library.said", Object.fromEntries(CONTENTS.map((name, i) => [name, home[i].toFixed(1)])));
}

function drawDesk(at, { sought, strength }) {
  const query = gaze(sought, strength);
  const found = looked(query, THINGS.map(({ key }) => key));
  at("desk").replaceChildren(desk(THINGS, found.weights));
  at("things").replaceChildren(...table(
    [t("library.thing"), t("library.strikes"), t("library.score", { query: vector(query) }), t("library.weight")],
    rows(THINGS, "thing", found, () => [])));
  at("gaze").textContent = t(`library.gaze.${sought}`);
}
