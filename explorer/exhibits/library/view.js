// Query, key and value in words: a librarian's shelf, and a red cup among papers.

import { select } from "../../../assets/kit/choice.js";
import { exhibit } from "../../../assets/kit/exhibit.js";
import { choice, range } from "../../../assets/kit/fields.js";
import { listOf, number } from "../../../assets/kit/keep.js";
import { percentText, roundPercent } from "../../../assets/kit/numbers.js";
import { marked, phrase } from "../../../assets/kit/sentence.js";
import { slider } from "../../../assets/kit/slider.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { BOOKS, gaze, looked, mixed, NEEDS, THINGS, TOPICS } from "./maths.js";
import { desk, shelf } from "./pictures.js";

/** @typedef {import("./maths.js").Looked} Looked */
/** @typedef {typeof BOOKS[number]} Book */
/** @typedef {typeof THINGS[number]} Thing */
/**
 * @template R
 * @typedef {import("../../../assets/kit/sheet.js").Sheet<R>} Sheet
 */

/**
 * `need` is the query at the shelf, `query` the one at the desk; `home` the contents taken home.
 * @typedef {import("../../../assets/kit/exhibit.js").Base & {show: string, need: number[],
 *   sought: string, strength: number, books: Looked, things: Looked, query: number[],
 *   home: number[], isShelf: boolean}} Scene
 */

const STRENGTH = { min: 0, max: 4, step: 0.5 }; // of each number of the query
const SOUGHT = ["nothing", "read", "drink"];

/** @type {import("../../../assets/kit/exhibit.js").View<Scene>} */
const VIEW = {
  name: "library",
  fields: () => ({
    show: choice(["shelf", "desk"], { first: "shelf" }),
    need: {
      first: NEEDS.supper,
      fits: listOf(number(STRENGTH.min, STRENGTH.max), TOPICS.length, TOPICS.length),
    },
    sought: choice(SOUGHT, { first: "nothing" }),
    strength: range(STRENGTH.min, STRENGTH.max, { first: 3, step: STRENGTH.step }),
  }),
  scene({ show, need, sought, strength }) {
    const keys = (/** @type {{key: number[]}[]} */ items) => items.map(({ key }) => key);
    const query = gaze(sought, strength);
    const [books, things] = [looked(need, keys(BOOKS)), looked(query, keys(THINGS))];
    const values = BOOKS.map(({ value }) => value);
    return { books, things, query, home: mixed(books.weights, values), isShelf: show === "shelf" };
  },
  finding: (s) => (s.isShelf ? shelfFinding(s) : deskFinding(s)),
  picture: ({ t, isShelf, books, things }, size) =>
    isShelf ? shelf(t, BOOKS, books.weights, size) : desk(t, THINGS, things.weights, size),
  controls: [
    "show",
    (s) => (s.isShelf ? needs(s) : "sought"),
    (s) => (s.isShelf ? nothing : hard(s)),
  ],
  adjust: [(s) => (s.isShelf ? topics(s) : nothing)],
  numbers: (s) => [bookSheet(s), thingSheet(s)],
  reading: ({ t, sought }) => html`<p>${t("librarian.how")}</p><p>${t("cup.how")}</p>
    <p>${t(`gaze.${sought}`)}</p><p>${t("analogy")}</p>`,
};

export const { mount } = exhibit(VIEW);

const heaviest = (/** @type {number[]} */ weights) => weights.indexOf(Math.max(...weights));

function shelfFinding(/** @type {Scene} */ { t, say, books: { weights } }) {
  const best = heaviest(weights);
  const isAny = Math.max(...weights) - Math.min(...weights) < 1e-9;
  return say(isAny ? "finding.any" : "finding.shelf", {
    share: marked(roundPercent(weights[best])),
    book: phrase(t(`short.${BOOKS[best].name}`)),
  });
}

function deskFinding(/** @type {Scene} */ { t, say, things: { weights }, sought }) {
  const best = heaviest(weights);
  const key = sought === "nothing" ? "finding.catches" : "finding.rests";
  const thing = t(`thing.${THINGS[best].name}`);
  return say(key, { thing, share: marked(roundPercent(weights[best])) });
}

/** The needs that have a name. @param {Scene} s */
function needs({ t, need, set }) {
  const chosen = Object.keys(NEEDS).find((name) => String(NEEDS[name]) === String(need));
  return select({
    label: t("need"),
    class: "hl-library-need",
    options: [
      ...Object.keys(NEEDS).map((value) => ({ value, label: t(`need.${value}`) })),
      ...(chosen ? [] : [{ value: "", label: t("need.own") }]),
    ],
    value: chosen ?? "",
    onChange: (name) => set({ need: NEEDS[name] ?? need }),
  });
}

const hard = (/** @type {Scene} */ { sought }) => (sought === "nothing" ? nothing : "strength");

/** The need itself: the numbers of the query. @param {Scene} s */
const topics = ({ t, need, set }) => html`<div class="hl-library-sliders">
  ${TOPICS.map((topic, i) =>
    slider({
      ...STRENGTH,
      label: t(`topic.${topic}`),
      value: need[i],
      onInput: (value) => set((now) => ({ need: now.need.with(i, value) })),
    }),
  )}</div>`;

const vector = (/** @type {number[]} */ numbers) =>
  `(${numbers.map((one) => String(Number(one.toFixed(2)))).join(", ")})`;

/** The columns of both tables: the label, its product with the query, the weight.
 * @param {Scene["t"]} t @param {number[]} query @param {Looked} looked
 * @returns {Sheet<{key: number[]}>["columns"]} */
const columnsOf = (t, query, { scores, weights }) => ({
  key: { cell: ({ key }) => vector(key) },
  score: { head: t("score", { query: vector(query) }), cell: (_, i) => scores[i] },
  weight: { cell: (_, i) => percentText(weights[i]), csv: (_, i) => weights[i] },
});

/** @param {Scene} s @returns {Sheet<Book>} */
function bookSheet({ t, need, books, home }) {
  const { key, ...others } = columnsOf(t, need, books);
  return {
    name: t("librarian"),
    file: "shelf",
    class: "hl-library-books",
    rows: BOOKS,
    columns: {
      name: { text: true, head: t("book"), cell: ({ name }) => t(`book.${name}`) },
      key: { ...key, head: t("label") },
      ...others,
      content: { cell: ({ value }) => vector(value) },
    },
    foot: [t("home"), "", "", "", vector(home)],
  };
}

/** @param {Scene} s @returns {Sheet<Thing>} */
function thingSheet({ t, query, things }) {
  const { key, ...others } = columnsOf(t, query, things);
  return {
    name: t("cup"),
    file: "desk",
    class: "hl-library-things",
    rows: THINGS,
    columns: {
      name: { text: true, head: t("thing"), cell: ({ name }) => t(`thing.${name}`) },
      key: { ...key, head: t("strikes") },
      ...others,
    },
  };
}
