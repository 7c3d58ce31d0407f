// The player: buttons, slider and speed over the steps of the search.

import { element } from "../elements.js";
import { drawIcons } from "../icons.js";
import { language, number, t } from "../words.js";

const PAUSES = { slow: 1600, normal: 800, fast: 300 }; // ms from step to step

// `steps()` is how many there are, `step()` the one on show, go(step) shows another.
export function mountPlayer(root, { steps, step, go }) {
  const slider = root.querySelector("#hl-tree-slider");
  const place = root.querySelector("#hl-tree-place");
  const play = root.querySelector("#hl-tree-play");
  const speed = root.querySelector("#hl-tree-speed");
  let timer = null;

  speed.replaceChildren(...Object.keys(PAUSES).map((name) =>
    element("option", { value: name, selected: name === "normal", "data-t": `tree.speed.${name}` })));

  function stop() {
    clearTimeout(timer);
    timer = null;
    face();
  }
  function next() {
    if (root.closest(".hl-panel").hidden || step() >= steps() - 1) return stop();
    go(step() + 1);
    timer = setTimeout(next, PAUSES[speed.value]);
  }
  function toggle() {
    if (timer !== null) return stop();
    if (step() >= steps() - 1) go(0);
    timer = setTimeout(next, PAUSES[speed.value]);
    face();
  }
  function face() {
    const name = timer === null ? "play" : "pause";
    if (play.dataset.icon !== name || play.childElementCount === 0) {
      play.dataset.icon = name;
      drawIcons(play.parentElement);
    }
    const words = timer === null ? t("tree.play") : t("tree.pause");
    play.setAttribute("aria-label", words);
    play.title = words;
  }
  function draw() {
    slider.max = steps();
    slider.value = number(step());
    place.textContent = `${number(step())} / ${steps()}`;
  }

  const to = { first: () => 0, back: () => step() - 1, forward: () => step() + 1, last: () => steps() - 1 };
  for (const button of root.querySelectorAll("[data-play]")) {
    button.addEventListener("click", () => {
      stop();
      go(to[button.dataset.play]());
    });
  }
  play.addEventListener("click", toggle);
  slider.addEventListener("input", () => {
    stop();
    go(Number(slider.value) - 1);
  });
  language.watch(face);
  return { draw, toggle, stop };
}
