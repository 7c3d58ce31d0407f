// Query, key and value in words: a librarian's shelf, and a red cup among papers.

import { choice } from "../../../assets/kit/choice.js";
import { downloads } from "../../../assets/kit/download.js";
import { listOf, number, oneOf } from "../../../assets/kit/keep.js";
import { percentText } from "../../../assets/kit/numbers.js";
import { slider } from "../../../assets/kit/slider.js";
import { table } from "../../../assets/kit/table.js";
import { liveView } from "../../../assets/kit/view.js";
import { html, nothing } from "../../../assets/vendor/lit-html.js";
import { BOOKS, CONTENTS, gaze, looked, mixed, NEEDS, THINGS, TOPICS } from "./maths.js";
import { desk, shelf } from "./pictures.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

const STRENGTH = { min: 0, max: 4, step: 0.5 }; // of each number of the query
const SOUGHT = ["nothing", "read", "drink"];
const strong = number(STRENGTH.min, STRENGTH.max);

/** @param {{el: HTMLElement, page: Page}} given */
export function mount({ el, page }) {
  const at = page.keep(
    { need: NEEDS.supper, sought: "nothing", strength: 3 },
    {
      need: listOf(strong, TOPICS.length, TOPICS.length),
      sought: oneOf(SOUGHT),
      strength: strong,
    },
  );
  const view = liveView({
    el,
    page,
    stores: [at],
    template: () => html`<div class="hl-library hl-split">
      ${librarian(el, page, at)} ${eye(el, page, at)}
    </div>`,
  });
  return view.end;
}

const vector = (/** @type {number[]} */ numbers) =>
  `(${numbers.map((one) => String(Number(one.toFixed(2)))).join(", ")})`;

function librarian(el, /** @type {Page} */ page, at) {
  const { t } = page;
  const { need } = at.get();
  const scored = looked(
    need,
    BOOKS.map(({ key }) => key),
  );
  const home = mixed(
    scored.weights,
    BOOKS.map(({ value }) => value),
  );
  const chosen = Object.keys(NEEDS).find((name) => String(NEEDS[name]) === String(need));
  return html`<section class="hl-stack">
    <h2>${t("library.librarian")}</h2>
    <p class="hl-note">${t("library.librarian.how")}</p>
    ${choice({
      ...{ name: `${page.uid}-need`, label: t("library.need"), class: "hl-library-need" },
      options: Object.keys(NEEDS).map((value) => ({ value, label: t(`library.need.${value}`) })),
      value: chosen ?? "",
      onChange: (name) => at.merge({ need: NEEDS[name] }),
    })}
    <div class="hl-library-sliders">
      ${TOPICS.map((topic, i) =>
        slider({
          ...{ ...STRENGTH, label: t(`library.topic.${topic}`), value: need[i] },
          onInput: (value) => at.merge({ need: at.get().need.with(i, value) }),
        }),
      )}
    </div>
    ${shelf(t, BOOKS, scored.weights)}
    ${table({
      ...{ label: t("library.librarian"), class: "hl-library-books" },
      columns: columnsOf(t, "book", need, "label", [t("library.content")]),
      rows: rowsOf(t, "book", BOOKS, scored, ({ value }) => [vector(value)]),
      foot: [t("library.home"), "", "", "", vector(home)],
    })}
    <p class="hl-library-said" role="status">
      ${t("library.said", Object.fromEntries(CONTENTS.map((name, i) => [name, home[i].toFixed(1)])))}
    </p>
    ${taken(el, page, "shelf", BOOKS, scored)}
  </section>`;
}

function eye(el, /** @type {Page} */ page, at) {
  const { t } = page;
  const { sought, strength } = at.get();
  const query = gaze(sought, strength);
  const scored = looked(
    query,
    THINGS.map(({ key }) => key),
  );
  return html`<section class="hl-stack">
    <h2>${t("library.cup")}</h2>
    <p class="hl-note">${t("library.cup.how")}</p>
    ${choice({
      ...{ name: `${page.uid}-sought`, label: t("library.sought"), class: "hl-library-sought" },
      options: SOUGHT.map((value) => ({
        value,
        label: t(`library.sought.${value}`),
      })),
      value: sought,
      onChange: (value) => at.merge({ sought: value }),
    })}
    <div class="hl-library-sliders">
      ${
        sought === "nothing"
          ? nothing
          : slider({
              ...{ ...STRENGTH, label: t("library.strength"), value: strength },
              onInput: (value) => at.merge({ strength: value }),
            })
      }
    </div>
    ${desk(t, THINGS, scored.weights)}
    ${table({
      ...{ label: t("library.cup"), class: "hl-library-things" },
      columns: columnsOf(t, "thing", query, "strikes"),
      rows: rowsOf(t, "thing", THINGS, scored),
    })}
    <p class="hl-library-gaze" role="status">${t(`library.gaze.${sought}`)}</p>
    ${taken(el, page, "desk", THINGS, scored)}
    <p class="hl-note">${t("library.analogy")}</p>
  </section>`;
}

/** @param {string[]} more */
const columnsOf = (t, group, query, key, more = []) => [
  { name: t(`library.${group}`), text: true },
  { name: t(`library.${key}`) },
  { name: t("library.score", { query: vector(query) }) },
  { name: t("library.weight") },
  ...more.map((name) => ({ name })),
];

function rowsOf(t, group, items, { scores, weights }, more = (_item) => /** @type {any[]} */ ([])) {
  return items.map((item, i) => ({
    class: `hl-library-${item.name}`,
    cells: [
      t(`library.${group}.${item.name}`),
      vector(item.key),
      scores[i],
      percentText(weights[i]),
      ...more(item),
    ],
  }));
}

const taken = (el, page, name, items, { scores, weights }) =>
  downloads(page, name, {
    csv: () => [
      ["name", "key", "score", "weight"],
      ...items.map((item, i) => [item.name, vector(item.key), scores[i], weights[i]]),
    ],
    svg: () => el.querySelector(`.hl-library-${name}`),
  });
