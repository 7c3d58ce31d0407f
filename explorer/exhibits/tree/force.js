// Decoding from the visitor's own prefix, beside the earlier search.

import { button } from "../../../assets/kit/choice.js";
import { text } from "../../../assets/kit/keep.js";
import { languagePair } from "../../../assets/kit/languages.js";
import { LANGUAGES } from "../../../assets/kit/languagetable.js";
import { signedText } from "../../../assets/kit/numbers.js";
import { pending } from "../../../assets/kit/request.js";
import { createStore } from "../../../assets/kit/store.js";
import { table } from "../../../assets/kit/table.js";
import { langOf } from "../../../assets/kit/token.js";
import { html, live, nothing } from "../../../assets/vendor/lit-html.js";
import { TreeView } from "./canvas.js";
import { grow, layOut, prefixText, shownPath } from "./shape.js";
import { ownStanding } from "./standing.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

const DIGITS = 4;
const LONGEST = 200; // characters of a beginning
const FOLDED = { all: false, parents: new Set(), always: new Set() };

/** The box for a prefix: force(changes) sends the request; a refusal appears at the box. */
export function createForce(/** @type {Page} */ page) {
  /** @type {import("../../../assets/kit/types.js").Store<any>} */
  const at = page.keep({ text: "", error: null, retry: () => {} }, { text: text(LONGEST) });
  async function force(changes) {
    at.merge({ error: null, retry: () => force(changes) });
    const error = await page.explain(changes);
    at.merge({ error });
    if (error === null && changes.begin) at.merge({ text: "" });
  }
  const submit = (event) => {
    event.preventDefault();
    const begin = at.get().text.trim();
    if (begin) force({ prefix: [], begin });
    else event.target.elements[0].focus();
  };
  const template = () => {
    const { text: typed, error, retry } = at.get();
    const target = LANGUAGES[languagePair(page).split("-")[1]];
    return html`<form class="hl-tree-begin" @submit=${submit}>
      <label><span>${page.t("tree.begin")}</span>
        <input type="text" lang=${target?.tag ?? nothing} maxlength=${LONGEST} autocomplete="off" .value=${live(typed)}
          aria-invalid=${String(error !== null)}
          @input=${(event) => at.merge({ text: event.target.value })}></label>
      <button type="submit" class="hl-button">${page.t("tree.begin.go")}</button>
      ${error && pending(page, { value: null, waiting: false, error, retry })}
    </form>`;
  };
  return { at, force, template };
}

/** The forced prefix of a record as text; empty if nothing is forced. */
function forcedText(tree, { prefix }) {
  const nodes = prefix.length === 0 ? [] : (tree.steps[prefix.length - 1] ?? []);
  const last = nodes.find(({ byVisitor }) => byVisitor);
  return last ? prefixText(last) : "";
}

/** The earlier search, small, with the two best translations: shown while a beginning is forced. */
export function createEarlier(/** @type {Page} */ page, letGo) {
  const at = createStore({ cursor: null, pointed: null, focused: false });
  /** @type {any} */
  // scene: {tree, layout, upTo, path}; drawn: the last
  let [view, scene, drawn] = [null, null, null];
  page.earlier.watch((record) => {
    scene = record && sceneOf(record);
    at.merge({ cursor: scene?.tree.steps[0]?.[0] ?? null, pointed: null });
  });
  const deeds = {
    point: (found) => at.merge({ pointed: found?.node ?? null }),
    walk: (node) => at.merge({ cursor: node }),
    focus: (focused) => at.merge({ focused }),
    now: () => ({ ...scene, ...at.get() }),
  };

  function template(record, tree) {
    if (record.prefix.length === 0) return nothing;
    const old = page.earlier.get();
    const { t } = page;
    return html`<div class="hl-tree-earlier ${old ? "" : "hl-tree-alone"}">
      <div class="hl-stack">
        <p>${t("tree.forced.now", { prefix: forcedText(tree, record) })}
          ${button({ label: t("tree.let_go"), onClick: letGo })}</p>
        ${old && comparison(page, record, old, scene.tree)}
      </div>
      ${old && fieldOf(t, old)}
    </div>`;
  }

  function draw(/** @type {Element} */ el) {
    const field = /** @type {HTMLElement|null} */ (el.querySelector(".hl-tree-small"));
    if (field === null) return;
    if (view?.field !== field) view = new TreeView(field, deeds, { isLegible: false });
    view.draw(deeds.now(), { refit: drawn !== scene });
    if (drawn === scene && at.get().focused) view.show(at.get().cursor);
    drawn = scene;
  }

  /** The node under the pointer or cursor, with its record and ranking; null if there is none. */
  const told = () => {
    const { cursor, pointed, focused } = at.get();
    const node = pointed ?? (focused ? cursor : null);
    return node && { node, record: page.earlier.get(), now: scene };
  };
  return { at, template, draw, told };
}

const fieldOf = (
  t,
  /** @type {any} */ { hypotheses: [{ text, score }] },
) => html`<div class="hl-tree-small"
  tabindex="0" role="application"
  aria-label=${t("tree.before.tree", { text, score: signedText(score, DIGITS) })}>
  <canvas class="hl-tree-canvas" aria-hidden="true"></canvas></div>`;

function sceneOf(record) {
  const tree = grow(record);
  const path = new Set(shownPath(tree, record.hypotheses[0].path));
  const upTo = tree.steps.length - 1;
  return { tree, layout: layOut(tree, FOLDED), upTo, path, ...ownStanding(tree) };
}

function comparison(/** @type {Page} */ { t }, record, old, tree) {
  const [now, was] = [record.hypotheses[0], old.hypotheses[0]];
  const prefix = forcedText(tree, old);
  const before = prefix ? t("tree.before.begun", { prefix }) : t("tree.before");
  const row = (name, text, score) => ({
    cells: [name, html`<span lang=${langOf(text)}>${text}</span>`, signedText(score, DIGITS)],
  });
  const rest = ({ settings, interventions }) => JSON.stringify([settings, interventions]);
  return [
    table({
      label: t("tree.difference"),
      columns: [{ name: "", text: true }, { name: "", text: true }, { name: "" }],
      rows: [
        row(t("tree.now"), now.text, now.score),
        row(before, was.text, was.score),
        row(t("tree.difference"), "", now.score - was.score),
      ],
    }),
    rest(record) === rest(old) ? nothing : html`<p class="hl-note">${t("tree.otherwise")}</p>`,
  ];
}
