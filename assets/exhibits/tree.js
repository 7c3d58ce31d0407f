// The search as a tree that plays, and decoding on from any of its candidates.
//
// The search step is a number of its own: a search may go on longer than the hypothesis on show.
// It is linked both ways: the player takes the page's step along as far as the hypothesis goes, and
// where the page's step changes (strips, stepper, attention) the tree shows the search up to it.
// A new search begins with the whole tree in sight; a new prefix of the same search leaves it alone.

import { whenChanged } from "../elements.js";
import { csvFile, offer, pngFile } from "../files.js";
import { drawInPanel, room } from "../panel.js";
import { choose, earlier, record, selection, theme } from "../state.js";
import { createStore } from "../store.js";
import { ask, searchOf } from "../wire.js";
import { language, number, t } from "../words.js";
import { acts, facts, legend, table } from "./tree_facts.js";
import { mountEarlier, mountForce } from "./tree_force.js";
import { mountPlayer } from "./tree_player.js";
import { candidates, grow, idsTo, layOut, neighbour, nodeAt, prunedOf, shownPath } from "./tree_shape.js";
import { createTreeView, drawnOn } from "./tree_view.js";

// For those who check the picture: what stands on the large canvas, [{node, x, y, from}].
export const drawn = () => drawnOn(document.querySelector("#hl-tree-field canvas"));

const LIST_AFTER = 80; // ms of rest before the table of a step is written
const FIRST = { upTo: 0, cursor: null, pointed: null, all: false, parents: new Set(), focused: false };

export function mount(root) {
  const at = createStore(FIRST);
  const model = follow(at);
  const force = mountForce(root.querySelector("#hl-tree-begin"));
  const does = deeds(at, model, force);
  const field = root.querySelector("#hl-tree-field");
  const view = createTreeView(field, { point: does.point, pick: does.pick, unfold: does.fold });
  const player = mountPlayer(root.querySelector(".hl-tree-bar"), {
    steps: () => model.tree?.steps.length ?? 1, step: () => at.get().upTo, go: does.go,
  });
  const drawEarlier = mountEarlier(root.querySelector("#hl-tree-earlier"), () => force({ prefix: [] }));
  const drawAside = aside(root, at, model, does);
  const marks = root.querySelector("#hl-tree-legend");
  const [relaid, recoloured, moved] = [whenChanged(), whenChanged(), whenChanged()];

  drawInPanel(root, [record, theme, language, earlier, at], () => {
    if (model.tree === null) return;
    room(root.querySelector(".hl-tree"));
    if (recoloured(theme.get(), language.get())) legend(marks);
    drawEarlier(record.get(), earlier.get(), model.tree, theme.get());
    const scene = sceneOf(at.get(), model);
    const fresh = relaid(model.search);
    view.draw(scene, { refit: fresh });
    if (moved(scene.cursor.key, scene.upTo) && !fresh) view.show(scene.focusOn);
    player.draw();
    drawAside(scene);
  });
  listen(field, { at, model, does, view, player });
  offer(root.querySelector("#hl-tree-take"), {
    csv: () => (model.tree === null ? null : csvFile("search", candidates(model.tree))),
    png: () => (model.tree === null ? null : pngFile("search", view.picture())),
  });
  const all = root.querySelector("#hl-tree-all");
  all.addEventListener("change", () => at.merge({ all: all.checked }));
  const zooms = { in: () => view.zoom(1), out: () => view.zoom(-1), fit: () => view.whole() };
  for (const button of root.querySelectorAll("[data-zoom]")) {
    button.addEventListener("click", () => zooms[button.dataset.zoom]());
  }
}

// Keeps the tree of the record on show, and the search step in step with the page's.
function follow(at) {
  const model = { tree: null, path: [], search: null, step: 0, layouts: null };
  record.watch((shown) => {
    if (shown === null) return;
    model.tree = grow(shown);
    model.path = shownPath(model.tree, shown.path);
    const search = searchOf(shown);
    if (search !== model.search) {
      at.set({ ...FIRST, all: at.get().all, upTo: model.tree.steps.length - 1 });
    } else if (shown.node !== null) {
      choose({ step: shown.node[0] }); // the page shows the last token of the prefix
    }
    model.search = search;
    model.step = selection.get().step;
    at.merge({ pointed: null });
  });
  selection.watch(({ step }) => {
    if (model.tree === null || step === model.step) return;
    model.step = step;
    at.merge({ upTo: step, cursor: null });
  });
  return model;
}

// What is drawn now.
function sceneOf({ upTo, cursor, pointed, all, parents, focused }, model) {
  const { tree, path } = model;
  const here = path[Math.min(selection.get().step, path.length - 1)];
  const marked = (cursor !== null && nodeAt(tree, cursor)) || (here.step <= upTo ? here : tree.root);
  const always = new Set([...path, marked].filter(({ fate }) => fate === "pruned").map(({ key }) => key));
  const layout = layoutOf(model, { all, parents, always });
  const last = tree.steps[upTo].find((node) => path.includes(node));
  return {
    tree, layout, upTo, path: new Set(path), cursor: marked, pointed, focused,
    focusOn: cursor === null ? last ?? layout.columns[upTo].nodes[0] : marked,
  };
}

// The layout stays as long as what is folded stays.
function layoutOf(model, open) {
  const key = [open.all, [...open.parents].sort(), open.all ? "" : [...open.always].sort()].join("|");
  if (model.layouts?.tree !== model.tree || model.layouts.key !== key) {
    model.layouts = { tree: model.tree, key, layout: layOut(model.tree, open) };
  }
  return model.layouts.layout;
}

// What a visitor can do with the tree.
function deeds(at, model, force) {
  const take = (step) => {
    choose({ step });
    model.step = selection.get().step; // our own doing: the search step stays
  };
  return {
    point(found) {
      at.merge({ pointed: found?.node ?? found?.fold.key ?? null });
    },
    go(step) {
      const upTo = Math.max(0, Math.min(model.tree.steps.length - 1, step));
      at.merge({ upTo, cursor: null });
      take(Math.min(upTo, model.path.length - 1));
    },
    // Its prefix on the whole page; a whole hypothesis where the node ends one.
    pick(node) {
      at.merge({ cursor: node.key, upTo: Math.max(at.get().upTo, node.step) });
      if (node.parent === null || model.path.includes(node)) take(Math.max(0, node.step));
      else if (node.ends !== null) ask({ shown: node.ends });
      else ask({ node: [node.step, node.rank] });
    },
    fold(node) {
      const parents = new Set(at.get().parents);
      if (!parents.delete(node.key)) parents.add(node.key);
      at.merge({ parents });
    },
    goOn: (node) => force({ prefix: idsTo(node) }),
    whole: () => ask({ shown: record.get().shown }),
  };
}

// The node in words, what can be done with it, and the candidates of the step.
function aside(root, at, model, does) {
  const place = (name) => root.querySelector(`#hl-tree-${name}`);
  const [said, acted, listed] = [whenChanged(), whenChanged(), whenChanged()];
  let late = null; // while the slider runs the long table waits
  let here = null;
  const point = () => {
    for (const line of place("table").querySelectorAll("tr.hl-tree-here")) line.classList.remove("hl-tree-here");
    place("table").querySelector(`[data-node="${here}"]`)?.classList.add("hl-tree-here");
  };
  return ({ cursor, pointed, layout, upTo }) => {
    const shown = record.get();
    const told = pointed?.label ? pointed : cursor;
    if (said(told, shown, language.get())) {
      place("facts").replaceChildren(...facts(told, shown));
    }
    if (acted(cursor, layout, shown, language.get())) {
      const open = at.get().parents.has(cursor.key);
      place("acts").replaceChildren(...acts(cursor, { open, folded: foldedOf(layout, cursor), shown }, {
        goOn: () => does.goOn(cursor), fold: () => does.fold(cursor), whole: does.whole,
      }));
    }
    const nodes = model.tree.steps[upTo];
    if (listed(nodes, language.get())) {
      clearTimeout(late);
      late = setTimeout(() => {
        place("list-name").textContent = t("tree.list", { n: number(upTo), count: nodes.length });
        place("table").replaceChildren(...table(nodes, does.pick));
        point();
      }, LIST_AFTER);
    }
    here = cursor.key;
    point();
  };
}

const foldedOf = ({ columns }, node) =>
  columns[node.step + 1]?.folds.find(({ parent }) => parent === node)?.count ?? 0;

function listen(field, { at, model, does, view, player }) {
  const others = {
    Enter: (node) => does.pick(node),
    " ": () => player.toggle(),
    p: (node) => { if (prunedOf(node) > 0) does.fold(node); },
    "+": () => view.zoom(1), "=": () => view.zoom(1), "-": () => view.zoom(-1),
  };
  field.addEventListener("keydown", (event) => {
    if (model.tree === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const scene = sceneOf(at.get(), model);
    const act = others[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (act) act(scene.cursor);
    else if (/^(Arrow(Left|Right|Up|Down)|Home|End)$/.test(event.key)) {
      const next = neighbour(scene.tree, scene.layout, scene.cursor, event.key);
      // A walk to the right reveals what comes next.
      if (next) at.merge({ cursor: next.key, upTo: Math.max(at.get().upTo, next.step) });
    } else return;
    event.preventDefault();
  });
  field.addEventListener("focus", () => at.merge({ focused: true }));
  field.addEventListener("blur", () => at.merge({ focused: false }));
}
