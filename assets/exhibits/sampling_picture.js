// The distribution on show: as bars, as a curve, in numbers and in sentences.

import { whenChanged } from "../elements.js";
import { reshape } from "../sampling.js";
import { theme } from "../state.js";
import { language, t } from "../words.js";
import { createBars } from "./sampling_bars.js";
import { createCurve } from "./sampling_curve.js";
import { drawAll, drawnText, tallyText } from "./sampling_draw.js";
import { createNumbers, put, shareText } from "./sampling_numbers.js";
import { isSeeded } from "./sampling_walk.js";

export function createPicture(root, { onChoose, onSize }) {
  const get = (name) => root.querySelector(`#hl-sampling-${name}`);
  const bars = createBars(get("bars"), get("axis"), { onChoose });
  const curve = createCurve(get("curve"));
  const numbers = createNumbers(get("stages"), get("numbers"));
  const [turned, sized, other] = [whenChanged(), whenChanged(), whenChanged()];
  new ResizeObserver(onSize).observe(get("curve"));
  let last = null; // what was there before, shown dimmed while the next is on its way
  let fitted = 0; // for how many tokens the curve's axes are
  let powers = null; // room for those of every frame

  // Draws a view of sampling.js. Gives the label of the token that is to come next, null where none
  // is drawn or chosen, undefined where none can come.
  function draw(view) {
    const found = view.found ?? last;
    last = found;
    root.querySelector(".hl-sampling").classList.toggle("hl-sampling-old", view.found === null);
    if (turned(language.get())) numbers.build();
    let drawn = { one: null, tally: null };
    let picked = null;
    if (found !== null) {
      const shape = shaped(found, view.settings);
      if (view.found !== null) {
        drawn = drawAll(found, shape, { seed: view.settings.seed, index: view.index, n: view.draws });
        picked = drawn.one?.id ?? view.chosen;
      }
      paint(found, shape, view, { tally: drawn.tally, picked });
    }
    tell(view, drawn, picked);
    if (view.over !== null) return undefined;
    return picked === null ? null : view.names.label(picked);
  }

  function fitCurve({ ranked }) {
    const { clientWidth, clientHeight } = get("curve");
    const { fontSize } = getComputedStyle(get("curve"));
    const size = ranked.order.length;
    if (sized(theme.get(), language.get(), clientWidth, clientHeight, fontSize, size)) curve.fit(size);
    fitted = size;
  }

  function shaped(found, settings) {
    const size = found.ranked.order.length;
    if (powers?.length !== size) powers = new Float64Array(size);
    return reshape(found.ranked, settings, powers);
  }

  function paint(found, shape, { names, settings, dragging }, { tally, picked }) {
    if (!dragging || fitted !== found.ranked.order.length) fitCurve(found);
    if (other(found, language.get())) bars.build(found, names);
    bars.draw({ found, shape, tally, picked, dragging, names });
    curve.draw({ found, shape });
    numbers.draw(found, shape, settings);
    if (!dragging) get("curve").setAttribute("aria-label", curveText(found, shape));
  }

  // The sentences below, and what the buttons can do.
  function tell(view, { one, tally }, picked) {
    const { over, trouble, found, names, settings, index, writing, walk } = view;
    const { seed } = settings;
    let said = "";
    if (over !== null) said = over === "end" ? t("sampling.end") : t("sampling.longest");
    else if (trouble !== null) said = trouble.sentence?.[language.get()] ?? t("error.unreachable");
    else if (found !== null) said = drawnText({ one, picked, seed, index, found, names });
    put(get("drawn"), said);
    put(get("tally"), tallyText(tally, names));
    put(get("seeded"), isSeeded(walk, settings) ? t("sampling.seeded", { seed }) : "");
    put(get("go"), picked === null ? t("sampling.go.none") : t("sampling.go", { token: names.label(picked).text }));
    put(get("end"), writing ? t("sampling.stop") : t("sampling.finish"));
    put(get("note"), t("sampling.note", { n: view.shown.model.vocabulary.toLocaleString("en") }));
    get("go").disabled = picked === null;
    for (const name of ["one", "many"]) get(name).disabled = found === null;
    get("end").disabled = over !== null || trouble !== null;
    for (const name of ["back", "start"]) get(name).disabled = walk.added.length === 0 && walk.taken === 0;
  }

  // The token that is drawn or chosen, by its id.
  function picked(found, { settings, index, chosen }) {
    const { one } = drawAll(found, reshape(found.ranked, settings), { seed: settings.seed, index, n: 0 });
    return one?.id ?? chosen;
  }

  return { draw, picked };
}

function curveText({ ranked }, { counts: { all, k, p }, powers, sums }) {
  const count = (n) => n.toLocaleString("en");
  return t("sampling.curve", {
    kept: count(p), p: count(k - p), k: count(all - k), never: count(ranked.order.length - all),
    most: shareText(powers[0] / sums.p),
  });
}
