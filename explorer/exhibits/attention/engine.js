// State that survives redrawing: the heads, their measures, the pictures.

import { eachFrame } from "../../../assets/kit/elements.js";
import { nameOf } from "../../../assets/kit/heads.js";
import { render } from "../../../assets/vendor/lit-html.js";
import { besideText } from "./beside.js";
import { createHeads } from "./heads.js";
import { createMeasures } from "./measures.js";
import { hasLines } from "./options.js";
import { createOverview } from "./overview.js";
import { createDrawn, createPictures } from "./pictures.js";
import { readout, toldCell } from "./readout.js";
import { createSecond, createSights } from "./sight.js";

/** The engine of a scene's view; it reads the options of the newest scene. */
export function engineOf(s) {
  s.mounted.engine ??= createEngine(s);
  s.mounted.engine.take(s);
  return s.mounted.engine;
}

function createEngine({ el, page }) {
  /** @type {any} the newest scene */
  let now = null;
  /** @type {any} */
  const options = { get: () => now, merge: (changes) => now.set(changes) };
  const heads = createHeads(page, options);
  const measures = createMeasures(page);
  const overview = createOverview(page, options, heads, measures);
  const sightOf = createSights(page, options);
  const secondOf = createSecond(page, options);
  const drawn = createDrawn(page, options, sightOf);
  const sight = () => sightOf(nameOf(page.selection.get()));
  const part = (name) => /** @type {HTMLElement} */ (el.querySelector(name));
  /** @type {any} */
  let pictures = null;

  const follow = eachFrame(() => {
    const place = part(".hl-readout");
    if (place === null || pictures === null || !page.visible.get() || page.signal.aborted) return;
    pictures.light();
    const told = toldCell(page, sight(), page.hover.get());
    render(readout(page, sight(), told, now.second && besideText(now, told)), place);
  });
  page.hover.watch(follow);

  function draw() {
    if (part(".hl-map") === null) return;
    overview.paint(el);
    if (pictures === null) {
      pictures = createPictures(page, part);
      observer.observe(part(".hl-drawn"));
    }
    const lines = hasLines(now.view) ? drawn() : [];
    pictures.draw({ sight: sight(), second: now.second }, lines, now.zoom);
    follow();
  }
  const observer = new ResizeObserver(eachFrame(() => page.visible.get() && draw()));
  page.signal.addEventListener("abort", () => observer.disconnect(), { once: true });

  return {
    options,
    heads,
    measures,
    overview,
    drawn,
    sight,
    secondOf,
    take(s) {
      now = s;
    },
    draw,
  };
}
