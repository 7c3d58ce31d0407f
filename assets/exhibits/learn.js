// Watch the heads learn: the sentence on show at points of the training, from random to trained.

import { createAsked } from "../asked.js";
import { element, whenChanged } from "../elements.js";
import { percentText, signedText } from "../numbers.js";
import { drawInPanel, room } from "../panel.js";
import { decodeMaps } from "../payload.js";
import { KINDS } from "../selection.js";
import { record, selection, theme } from "../state.js";
import { langOf, language, t } from "../words.js";
import { createGrid } from "./learn_grid.js";
import { createPair } from "./learn_pair.js";
import { pointName } from "./learn_point.js";

const PACE = 1300; // ms between two points while it plays

export function mount(root) {
  const part = (id) => root.querySelector(`#hl-learn-${id}`);
  const about = createAsked("learn", async (reply) => {
    const maps = await Promise.all(KINDS.map((kind) => decodeMaps(reply.attention[kind])));
    return { ...reply, attention: Object.fromEntries(KINDS.map((kind, i) => [kind, maps[i]])) };
  });
  const grid = createGrid(part("heads"));
  const pair = createPair(root);
  const relisted = whenChanged();
  let shares = [1]; // what there is; the first answer tells
  let at = null; // the share that is wished for
  let playing = null; // a timer
  let last = { shown: null, before: null, now: null }; // what was drawn last

  const redraw = drawInPanel(root, [record, theme, language], () => {
    const shown = record.get();
    if (shown === null) return;
    room(root.querySelector(".hl-learn"));
    const known = gather(shown);
    const wanted = known.get(at ?? 1);
    if (wanted) last = { shown, now: wanted, before: known.get(shares[shares.indexOf(wanted.share) - 1]) ?? null };
    drawWay(known);
    if (last.now === null || last.shown !== shown) return;
    grid.draw(last.now);
    pair.draw({ ...last, chosen: selection.get() });
  });

  // What is known of this sentence: share -> answer. Asks for the wished point first, then for the
  // one before it, then for the others, one after the other, so that the slider never waits again.
  function gather(shown) {
    const first = about(shown, { share: at ?? 1 }, redraw);
    if (first === null) return new Map();
    shares = first.shares;
    at ??= 1;
    const known = new Map([[first.share, first]]);
    const before = shares[shares.indexOf(at) - 1];
    for (const share of [before, ...shares].filter((one) => one !== undefined && one !== at)) {
      const answer = about(shown, { share }, redraw);
      if (answer === null) break;
      known.set(share, answer);
    }
    return known;
  }

  function go(index) {
    at = shares[Math.max(0, Math.min(shares.length - 1, index))];
    redraw();
  }

  function drawWay(known) {
    const slider = part("share");
    slider.max = shares.length - 1;
    slider.value = shares.indexOf(at ?? 1);
    slider.setAttribute("aria-valuetext", pointName(at ?? 1));
    part("now").textContent = pointName(at ?? 1);
    part("play").textContent = t(playing === null ? "learn.play" : "learn.pause");
    part("play").disabled = slider.disabled = shares.length === 1;
    const told = shares.map((share) => known.get(share) ?? null);
    if (relisted(language.get(), at, record.get(), ...told)) part("list").replaceChildren(...told.map(point));
    part("note").textContent = shares.length === 1 && known.size > 0 ? t("learn.none") : t("learn.rounded");
  }

  // One point of the way: how far, what it writes, how likely it finds the output on show.
  function point(told, i) {
    const count = Number(((told?.updates ?? 0) * shares[i]).toPrecision(shares[i] === 1 ? 9 : 1));
    const updates = count > 0 ? t(shares[i] === 1 ? "learn.updates.all" : "learn.updates", { n: count.toLocaleString("en") }) : "";
    return element("li", {}, element("button",
      { type: "button", "aria-pressed": String(shares[i] === at), onclick: () => { stop(); go(i); } },
      element("span", {}, pointName(shares[i]), " ", element("small", {}, updates)),
      element("b", told ? { lang: langOf(told.translation) } : {}, told ? written(told) : t("learn.waiting")),
      element("small", {}, told ? t("learn.finds", { sum: signedText(total(told), 2), mean: percentText(Math.exp(total(told) / told.log_probs.length)) }) : "")));
  }

  function stop() {
    clearInterval(playing);
    playing = null;
  }

  part("share").addEventListener("input", () => { stop(); go(Number(part("share").value)); });
  part("play").addEventListener("click", () => {
    if (playing !== null) stop();
    else {
      if (at === shares.at(-1)) go(0);
      playing = setInterval(() => {
        const next = shares.indexOf(at) + 1;
        if (next >= shares.length - 1 || root.querySelector(".hl-panel").hidden) stop();
        if (!root.querySelector(".hl-panel").hidden) go(next);
      }, PACE);
    }
    redraw();
  });
}

const total = ({ log_probs: logProbs }) => logProbs.reduce((sum, one) => sum + one, 0);

const written = ({ translation, finished }) =>
  (translation === "" ? t("learn.nothing") : `${translation}${finished ? "" : " …"}`);
