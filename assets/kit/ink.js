// Writes SVG through the part of a canvas's drawing context that views use, so that the same code
// paints a canvas and makes the downloaded drawing.

import { escaped } from "./download.js";

/** @type {Record<string, string>} */
const ANCHORS = { left: "start", center: "middle", right: "end" };

/** Paths as SVG writes them, to two places. */
const command = (/** @type {string} */ letter, /** @type {number[]} */ ...numbers) =>
  letter + numbers.map((one) => Number(one.toFixed(2))).join(" ");

/**
 * Paints on a sheet of paper in that colour; `document()` returns the SVG. Arcs are whole circles.
 */
export class SvgInk {
  fillStyle = "";
  strokeStyle = "";
  lineWidth = 1;
  lineJoin = "miter";
  font = "";
  textAlign = "left";
  textBaseline = "";
  #path = "";
  #dashes = "";
  /** @type {string[]} */
  #drawn = [];
  #ruler = document.createElement("canvas").getContext("2d");

  constructor(/** @type {{width: number, height: number}} */ size, /** @type {string} */ paper) {
    this.size = size;
    this.fillStyle = paper;
    this.fillRect(0, 0, size.width, size.height);
  }

  clearRect() {}
  beginPath() {
    this.#path = "";
  }
  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.#path += command("M", x, y);
  }
  /** @param {number} x @param {number} y */
  lineTo(x, y) {
    this.#path += command("L", x, y);
  }
  bezierCurveTo(/** @type {number[]} */ ...numbers) {
    this.#path += command("C", ...numbers);
  }
  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  rect(x, y, width, height) {
    this.#path += `${command("M", x, y)}${command("h", width)}${command("v", height)}${command("h", -width)}z`;
  }
  /** @param {number} x @param {number} y @param {number} r */
  arc(x, y, r) {
    const half = (/** @type {number} */ across) => command("a", r, r, 0, 0, 0, across, 0);
    this.#path += `${command("M", x - r, y)}${half(2 * r)}${half(-2 * r)}`;
  }
  /** @param {number} x @param {number} y @param {number} width
   * @param {number} height @param {number} r */
  roundRect(x, y, width, height, r) {
    const flat = width - 2 * r; // the ends are half circles
    const end = (/** @type {number} */ down) => command("a", r, r, 0, 0, 1, 0, down);
    this.#path += `${command("M", x + r, y)}${command("h", flat)}${end(height)}${command("h", -flat)}${end(-height)}`;
  }
  setLineDash(/** @type {number[]} */ lengths) {
    this.#dashes = lengths.join(" ");
  }
  fill() {
    this.#drawn.push(`<path d="${this.#path}" fill="${this.fillStyle}"/>`);
  }
  stroke() {
    this.#drawn.push(`<path d="${this.#path}" ${this.#stroke()}/>`);
  }
  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  fillRect(x, y, width, height) {
    this.beginPath();
    this.rect(x, y, width, height);
    this.fill();
  }
  /** @param {string} text @param {number} x @param {number} y */
  fillText(text, x, y) {
    this.#write(text, x, y, `fill="${this.fillStyle}"`);
  }
  /** @param {string} text @param {number} x @param {number} y */
  strokeText(text, x, y) {
    this.#write(text, x, y, this.#stroke());
  }
  measureText(/** @type {string} */ text) {
    const ruler = /** @type {CanvasRenderingContext2D} */ (this.#ruler);
    ruler.font = this.font;
    return ruler.measureText(text);
  }

  #stroke() {
    const dashes = this.#dashes && ` stroke-dasharray="${this.#dashes}"`;
    return `fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}"${dashes}`;
  }
  /** @param {string} text @param {number} x @param {number} y @param {string} look attributes */
  #write(text, x, y, look) {
    const middle = this.textBaseline === "middle" ? ` dominant-baseline="central"` : "";
    const place = `x="${x.toFixed(2)}" y="${y.toFixed(2)}" text-anchor="${ANCHORS[this.textAlign]}"`;
    const font = escaped(this.font).replaceAll('"', "'");
    this.#drawn.push(
      `<text ${place}${middle} style="font: ${font}" ${look}>${escaped(text)}</text>`,
    );
  }

  document() {
    const { width, height } = this.size;
    const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
    const lines = this.#drawn.join("\n");
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>\n${lines}\n</svg>`;
  }
}
