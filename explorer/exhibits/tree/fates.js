// The appearance of fates: the only place for the tree's colours and signs. Colours are names of
// the page's variables (--ink, --accent, ...), so they follow the theme.

/** For each fate: the colour and shape of its mark, the colour and dashes of the line to it. */
export const FATES = {
  kept: { mark: "ink", form: "disc", line: "quiet", dash: [] },
  pruned: { mark: "faint", form: "ring", line: "strong-line", dash: [3, 3] },
  finished: { mark: "accent", form: "square", line: "quiet", dash: [] },
  beaten: { mark: "trouble", form: "crossed", line: "quiet", dash: [] },
};

/** The same for paths through the tree, which are not fates. */
export const WAYS = { winner: "weight", path: "tint", joined: "quiet" };

/** The legend, in order. */
export const SIGNS = [...Object.keys(FATES), "folded", ...Object.keys(WAYS), "forced"];

const USED = [
  "ink",
  "quiet",
  "faint",
  "accent",
  "weight",
  "paper",
  "wash",
  "tint",
  "line",
  "strong-line",
];
const SIGN = { width: 26, height: 22 }; // px of a sign in the legend

/** The page's current colours at an element. @param {Element} place */
export function coloursOf(place) {
  const style = getComputedStyle(place);
  const names = [...USED, "trouble"];
  return Object.fromEntries(names.map((n) => [n, style.getPropertyValue(`--${n}`).trim()]));
}

/** Fills a shape. */
export function fill(ink, colour, shape) {
  ink.beginPath();
  shape();
  ink.fillStyle = colour;
  ink.fill();
}

function outline(ink, colour, within, shape) {
  fill(ink, within, shape);
  ink.strokeStyle = colour;
  ink.stroke();
}

/** The mark of a fate, with a diamond above it where the token was forced. */
export function drawMark(ink, { fate, forced }, x, y, radius, colours) {
  const { mark, form } = FATES[fate];
  const colour = colours[mark];
  const square = (r) => () => ink.rect(x - r, y - r, 2 * r, 2 * r);
  const round = (r) => () => ink.arc(x, y, r, 0, 7);
  ink.setLineDash([]);
  ink.lineWidth = radius > 2.5 ? 1.5 : 1;
  if (form === "disc") fill(ink, colour, round(radius * 0.9));
  else if (form === "ring") outline(ink, colour, colours.paper, round(radius * 0.65));
  else outline(ink, colour, colours.paper, square(radius));
  if (form === "square") fill(ink, colour, square(radius * 0.5));
  if (form === "crossed") {
    ink.beginPath();
    ink.moveTo(x - radius * 1.5, y + radius * 1.5);
    ink.lineTo(x + radius * 1.5, y - radius * 1.5);
    ink.stroke();
  }
  if (forced && radius > 2) diamond(ink, x, y - radius * 2, radius * 0.8, colours.ink);
}

function diamond(ink, x, y, r, colour) {
  fill(ink, colour, () => {
    ink.moveTo(x, y - r);
    ink.lineTo(x + r, y);
    ink.lineTo(x, y + r);
    ink.lineTo(x - r, y);
  });
}

/** A pill that holds the count of folded candidates. */
export function drawPill(ink, x, y, width, height, colours, isLit = false) {
  ink.beginPath();
  ink.roundRect(x - width, y - height, 2 * width, 2 * height, height);
  ink.fillStyle = colours.paper;
  ink.fill();
  ink.setLineDash([2, 2]);
  ink.strokeStyle = isLit ? colours.ink : colours["strong-line"];
  ink.stroke();
  ink.setLineDash([]);
}

/** A sign of the legend on its canvas, drawn like in the tree. */
export function drawSign(/** @type {HTMLCanvasElement} */ canvas, colours) {
  const name = canvas.dataset.sign ?? "";
  const sharp = window.devicePixelRatio * 2; // it is scaled with the letters of the page
  canvas.width = SIGN.width * sharp;
  canvas.height = SIGN.height * sharp;
  const ink = canvas.getContext("2d");
  if (ink === null) return;
  ink.scale(sharp, sharp);
  const [x, y] = [SIGN.width - 9, SIGN.height / 2 + 3];
  const line = (colour, width, dash = [], end = SIGN.width - 2) => {
    ink.beginPath();
    ink.moveTo(0, y);
    ink.lineTo(end, y);
    ink.strokeStyle = colours[colour];
    ink.lineWidth = width;
    ink.setLineDash(dash);
    ink.stroke();
  };
  if (name === "folded") {
    drawPill(ink, 12, y, 10.5, 6.5, colours);
    ink.fillStyle = colours.faint;
    ink.font = "10px sans-serif";
    ink.fillText("+9", 6, y + 3.5);
  } else if (name in WAYS) {
    line(WAYS[name], { winner: 3.2, path: 12, joined: 5 }[name]);
    if (name === "joined") line("paper", 2.4);
  } else {
    const fate = name === "forced" ? "kept" : name;
    line(FATES[fate].line, 1.2, FATES[fate].dash, x - 5);
    drawMark(ink, { fate, forced: name === "forced" }, x, y, 4.6, colours);
  }
}
