// The likeliest tokens as bars: the model's own probability as an outline, what the settings make of it
// filled, what was drawn as a line. A temperature never changes the order, so no bar ever moves.

import { arrow, element } from "../elements.js";
import { signedText } from "../numbers.js";
import { put, shareText } from "./sampling_numbers.js";
import { langOf, number, t } from "../words.js";

const SHOWN = 30;
const SCALES = [0.05, 0.1, 0.2, 0.5, 1]; // how much the width of a track may stand for
const TICKS = [0, 0.5, 1];

export function createBars(list, axis, { onChoose }) {
  let rows = [];
  let extra = null;
  let scale = SCALES[0];
  const ticks = TICKS.map((at) => element("span", { style: `left:${at * 100}%` }));
  axis.replaceChildren(...ticks);

  // New bars for a distribution.
  function build(found, names) {
    const ranks = Array.from({ length: Math.min(SHOWN, found.ranked.order.length) }, (_, i) => i);
    const labels = ranks.map((rank) => names.label(found.ranked.order[rank]));
    rows = ranks.map((rank, i) => row(found, rank, told(labels[i], labels), onChoose));
    extra = null;
    list.replaceChildren(...rows.map(({ item }) => item));
    for (const [i, { button }] of rows.entries()) button.tabIndex = i === 0 ? 0 : -1;
    scale = SCALES[0];
  }

  // scene: {found, shape, names, tally: {counts by id, n} or null, picked: id or null, dragging}
  function draw(scene) {
    fit(scene);
    join(scene);
    for (const one of [...rows, ...(extra === null ? [] : [extra])]) write(one, scene, scale);
  }

  // One more bar at the end for a token beyond the others that was drawn or chosen.
  function join({ found, names, picked }) {
    const rank = picked === null ? null : found.rankOf[picked];
    const wanted = rank === null || rank < rows.length ? null : rank;
    if (wanted === (extra?.rank ?? null)) return;
    extra?.item.remove();
    extra = wanted === null ? null : row(found, wanted, names.label(picked), onChoose);
    if (extra !== null) list.append(extra.item);
  }

  // The axis grows as it must, and shrinks again when the slider is let go.
  function fit({ found, shape, dragging }) {
    const most = Math.max(found.shares[0], shape.powers[0] / shape.sums.p);
    const wanted = SCALES.find((size) => most <= size) ?? 1;
    scale = dragging ? Math.max(scale, wanted) : wanted;
    ticks.forEach((tick, i) => put(tick, `${Number((TICKS[i] * scale * 100).toFixed(1))} %`));
  }

  list.addEventListener("keydown", (event) => {
    const step = arrow(event);
    const all = extra === null ? rows : [...rows, extra];
    const at = all.findIndex(({ button }) => button === document.activeElement);
    if (step === null || step.rows === 0 || at < 0) return;
    event.preventDefault();
    const to = all[Math.max(0, Math.min(all.length - 1, at + step.rows))].button;
    for (const { button } of all) button.tabIndex = button === to ? 0 : -1;
    to.focus();
  });

  return { build, draw };
}

// The name of a token; its piece, where two of those on show would have one name.
function told(label, labels) {
  const same = labels.filter(({ text }) => text === label.text).length > 1;
  return same ? { ...label, text: label.piece } : label;
}

function row(found, rank, label, onChoose) {
  const own = element("i", { class: "hl-sampling-own" });
  const fill = element("i", { class: "hl-sampling-fill" });
  const share = element("i", { class: "hl-sampling-share" });
  const now = element("b");
  const fate = element("small");
  const logProb = found.logProbs[label.id];
  const title = t("sampling.token", { ...label, rank: number(rank), log_prob: signedText(logProb, 4) });
  const button = element("button", { type: "button", class: "hl-sampling-line", title, "data-id": label.id, onclick: () => onChoose(label.id) },
    element("span", { class: `hl-token hl-${label.kind}`, lang: langOf(label.text) }, label.text),
    element("span", { class: "hl-sampling-track" }, fill, own, share),
    now, element("span", { class: "hl-sampling-before" }, shareText(found.shares[rank])), fate);
  if (logProb === -Infinity) button.disabled = true;
  return { item: element("li", {}, button), button, id: label.id, rank, own, fill, share, now, fate };
}

function write({ item, button, id, rank, own, fill, share, now, fate }, { found, shape, tally, picked }, scale) {
  const { counts, sums, powers } = shape;
  const kept = rank < counts.p;
  const probability = kept ? powers[rank] / sums.p : 0;
  own.style.width = `${(100 * found.shares[rank]) / scale}%`;
  fill.style.transform = `scaleX(${Math.min(1, probability / scale)})`;
  const what = fateOf(rank, counts);
  if (item.dataset.fate !== what) item.dataset.fate = what;
  put(now, kept ? shareText(probability) : "–");
  const times = tally === null ? 0 : tally.counts[id];
  share.style.left = times > 0 ? `${Math.min(100, (100 * times) / tally.n / scale)}%` : "";
  share.hidden = times === 0;
  put(fate, kept ? (tally === null ? "" : t("sampling.times", { n: times })) : t(`sampling.fate.${what}`));
  if (button.ariaPressed !== String(id === picked)) button.ariaPressed = String(id === picked);
}

export function fateOf(rank, { all, k, p }) {
  if (rank < p) return "kept";
  if (rank < k) return "p";
  return rank < all ? "k" : "never";
}

