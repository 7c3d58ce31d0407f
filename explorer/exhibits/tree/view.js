// The search as a tree with its scores: α changes the ranks, and you can decode from any candidate.

import { exhibit } from "../../../assets/kit/exhibit.js";
import { adjust, alphaSlider, runButton } from "./controls.js";
import { finding, verdictOf } from "./finding.js";
import { createEarlier, createForce } from "./force.js";
import { partings } from "./opening.js";
import { picture } from "./picture.js";
import { createCanvas } from "./place.js";
import { createPlayer } from "./player.js";
import { reading } from "./reading.js";
import { createDeeds, createModel, sceneOf } from "./scene.js";
import { candidates, idsTo } from "./shape.js";
import { sheets } from "./sheets.js";
import { reignOf } from "./standing.js";

/** The winner, where it is not the text whose line the header has. @param {any} s */
function otherThanShown(s) {
  const { hypotheses, shown } = s.record;
  const { text } = verdictOf(s);
  return text === hypotheses[shown].text ? "" : text;
}

export const { mount, questions } = exhibit({
  name: "tree",
  engine,
  telling: ({ record }) => partings(record),
  scene: ({ model, steps }) => ({ ...sceneOf(model), player: steps.state() }),
  finding,
  about: (s) => otherThanShown(s),
  nothing: (s) => ["alone", "always"].includes(reignOf(s).key),
  picture,
  drawn(s) {
    s.canvas.draw(s);
    s.earlier.draw(s.el);
  },
  controls: [alphaSlider, runButton],
  adjust,
  numbers: sheets,
  reading,
  files: ({ canvas, tree }) => ({
    name: "search",
    svg: canvas.svg,
    csv: () => candidates(tree),
  }),
});

/** State that lives as long as the view: the tree, the actions, the canvas. */
function engine(page, redraw) {
  const model = createModel(page);
  const force = createForce(page);
  const deeds = createDeeds(page, model, (node) => force.force({ prefix: idsTo(node) }));
  const steps = createPlayer(page, model, deeds.go);
  const earlier = createEarlier(page, () => force.force({ prefix: [] }));
  const canvas = createCanvas(model, deeds, steps);
  let isReady = false;
  for (const { at } of [model, steps, force, earlier, { at: page.earlier }]) {
    at.watch(() => isReady && redraw());
  }
  isReady = true;
  return { model, force, deeds, steps, earlier, canvas };
}
