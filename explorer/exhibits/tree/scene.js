// The state of the tree, and the visitor's actions.
//
// The search step (`upTo`) is a separate number: a search may take more steps than the current
// hypothesis. It is linked both ways: the player moves the page's step as far as the hypothesis
// goes, and when the page's step changes the tree shows the search up to it. A new search of the
// visitor begins with the whole tree; a new prefix of the same search leaves it alone.

import { flag, listOf, number, oneOf, orNull, text, whole } from "../../../assets/kit/keep.js";
import { searchOf } from "../../../assets/kit/requests.js";
import { entriesOf, outcomeOf } from "./scores.js";
import { grow, layOut, nodeAt, shownPath } from "./shape.js";
import { standingOf } from "./standing.js";

/** @typedef {import("../../../assets/kit/types.js").Page} Page */

const OF_SEARCH = {
  upTo: null, // the last step shown; null: all of them
  cursor: null, // key of a node; null: one at the last step shown
  parents: [], // keys of those whose pruned followers are unfolded
  // How the hypotheses are ranked; null: as the search does.
  alpha: null,
  form: null,
  withBeaten: false,
};
// `ran` is the search begun here.
const OF_VIEW = { pointed: null, focused: false, ran: null, outcome: null, refusal: null };

const KEY = text(40);
const checks = (/** @type {string[]} */ forms) => ({
  upTo: orNull(whole(0, 1000)),
  cursor: orNull(KEY),
  all: flag,
  parents: listOf(KEY, 100),
  alpha: orNull(number(-5, 5)),
  form: orNull(oneOf(forms)),
  withBeaten: flag,
});

/** The tree of the current record, and its display state `at`. */
export function createModel(/** @type {Page} */ page) {
  const first = { ...OF_SEARCH, ...OF_VIEW, all: false };
  const ends = (before, record) =>
    searchOf(before) === searchOf(record) ? [] : Object.keys(OF_SEARCH);
  const at = page.keep(first, checks(page.facts.forms), ends);
  /** @type {any} */
  const model = { at, tree: null, path: [], search: null, step: 0 };
  model.begin = null; // if a link opened the tree: the step of its prefix
  /** @type {any} */
  let kept = {};

  page.record.watch((record) => {
    if (record === null) return;
    Object.assign(model, { record, tree: grow(record), facts: page.facts });
    model.path = shownPath(model.tree, record.path);
    const search = searchOf(record);
    if (search !== model.search) {
      const outcome = outcomeIn(at.get(), record);
      model.entries = entriesOf(record);
      model.begin = record.node?.[0] ?? null;
      at.merge({ ...(model.search === null ? {} : OF_VIEW), outcome });
    }
    model.search = search;
    model.step = page.selection.get().step;
    at.merge({ pointed: null });
  });
  page.selection.watch(({ step }) => {
    if (model.tree === null || step === model.step) return;
    [model.step, model.begin] = [step, null];
    if (page.chosen.place) at.merge({ upTo: upToOf(model, step), cursor: null });
  });

  /** The layout stays while the folds stay. */
  model.layoutOf = (open) => {
    const { all, parents, always } = open;
    const told = [page.gloss.get(), page.language.get()]; // a column has room for its glosses
    const key = [all, [...parents].sort(), all ? "" : [...always].sort(), ...told].join("|");
    if (kept.tree !== model.tree || kept.key !== key) {
      const layout = layOut(model.tree, { ...open, parents: new Set(parents) });
      kept = { key, tree: model.tree, layout };
    }
    return kept.layout;
  };
  return model;
}

/** The result of the search started here, if this is its record. */
function outcomeIn({ ran }, record) {
  const { length_penalty: alpha, penalty_form: form } = record.settings;
  const isSame = ran?.text === record.text && ran.model === record.model.key;
  if (!isSame || ran.alpha !== alpha || ran.form !== form) return null;
  const [{ path, text }] = record.hypotheses;
  const ids = path.map(
    (/** @type {number} */ c, /** @type {number} */ t) => record.search.steps[t].ids[c],
  );
  return { ...outcomeOf(ran.entries, ran, ids), text, alpha, form };
}

/** The stored form of `upTo`. */
const upToOf = (model, /** @type {number} */ step) => (step >= lastOf(model) ? null : step);
const lastOf = (model) => (model.tree?.steps.length ?? 1) - 1;

/** At the end the candidate is named: the whole search opens elsewhere. */
const lastKey = ({ tree, path }, /** @type {number} */ upTo) =>
  upTo < tree.steps.length - 1 ? null : currentOf(tree.steps[upTo], path).key;

/** The last step of the search that is shown. */
export const shownUpTo = (model) =>
  Math.min(model.at.get().upTo ?? model.begin ?? Infinity, lastOf(model));

/** The current drawing. */
export function sceneOf(model) {
  const { tree, path } = model;
  const { cursor, pointed, focused, all, parents } = model.at.get();
  const upTo = shownUpTo(model);
  const own = cursor === null ? openedOn(model) : nodeAt(tree, cursor);
  const marked = own ?? currentOf(tree.steps[upTo], path);
  const pruned = [...path, marked].filter(({ fate }) => fate === "pruned");
  const always = new Set(pruned.map(({ key }) => key));
  const layout = model.layoutOf({ all, parents, always });
  const shown = { tree, layout, upTo, pointed, focused, cursor: marked, path: new Set(path) };
  return { ...shown, ...standingOf(model) };
}

// The whole search opens on the page's step, where another text of it came close (opening.js).
function openedOn({ at, begin, path, step }) {
  return at.get().upTo === null && begin === null ? path[step] : undefined;
}

// The candidate of a step: the current prefix's, else the best that continues or ends, else the
// best of all.
const currentOf = (nodes, path) =>
  nodes.find((node) => path.includes(node)) ??
  nodes.find(({ fate }) => fate !== "pruned") ??
  nodes[0];

/** The visitor's actions on the tree and its scores. */
export function createDeeds(/** @type {Page} */ page, model, goOn) {
  const { at } = model;
  const take = (step) => {
    page.choose({ step });
    model.step = page.selection.get().step; // caused by this view: the search step stays
  };
  const deeds = {
    point: (found) => at.merge({ pointed: found?.node ?? found?.fold.key ?? null }),
    focus: (focused) => at.merge({ focused }),
    // Moving right reveals the next step.
    walk(node) {
      const upTo = Math.max(shownUpTo(model), node.step);
      model.begin = null;
      at.merge({ cursor: node.key, upTo: upToOf(model, upTo) });
    },
    go(step) {
      model.begin = null;
      const upTo = Math.max(0, Math.min(lastOf(model), step));
      at.merge({ upTo: upToOf(model, upTo), cursor: lastKey(model, upTo) });
      take(Math.min(upTo, model.path.length - 1));
    },
    // Shows its prefix on the whole page; the whole hypothesis if the node ends one.
    pick(node) {
      deeds.walk(node);
      if (node.parent === null || model.path.includes(node)) take(Math.max(0, node.step));
      else if (node.ends !== null) page.explain({ shown: node.ends });
      else page.explain({ node: [node.step, node.rank] });
    },
    fold(node) {
      const { parents } = at.get();
      const others = parents.filter((/** @type {string} */ one) => one !== node.key);
      at.merge({ parents: others.length < parents.length ? others : [...parents, node.key] });
    },
    goOn,
    whole: () => page.explain({ shown: page.record.get()?.shown ?? 0 }),
    // An entry of the scores: a hypothesis, or the prefix that a dropped one is.
    show({ was, path }) {
      const end = [path.length - 1, path.at(-1)];
      deeds.walk(nodeAt(model.tree, end.join("."))); // so that its own card is shown
      page.explain(was === null ? { shown: 0, node: end } : { shown: was });
    },
    /** Searches again with the penalty that is looked at. */
    async run() {
      const { record, entries } = model;
      const { alpha, form } = standingOf(model);
      const { text, model: own } = record;
      const ran = { model: own.key, text, alpha, form, joined: at.get().withBeaten, entries };
      at.merge({ ran, refusal: null });
      const settings = { ...page.current.settings, length_penalty: alpha, penalty_form: form };
      at.merge({ refusal: await page.explain({ settings }) });
    },
  };
  return deeds;
}
