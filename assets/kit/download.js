// Files that a visitor downloads: numbers as CSV or JSON, pictures as SVG or PNG.

import { html, nothing } from "../vendor/lit-html.js";

const SHARPNESS = 2; // pixels of a PNG for one of the SVG or of the page

/**
 * @typedef {object} Files possible downloads; each returns null if there is nothing yet
 * @property {() => (string|number|null)[][]|null} [csv] rows
 * @property {() => unknown} [json]
 * @property {(() => string|SVGElement|null)|null} [svg] a whole SVG document, or a drawing of the
 *   page; null: a declared view draws none
 * @property {() => HTMLCanvasElement|Promise<HTMLCanvasElement>|null} [png] if there is no SVG
 */

/**
 * The buttons of a view's downloads. `name` is part of the files' names, or returns it.
 * @param {import("./types.js").Page} page
 * @param {string|(() => string)} name
 * @param {Files} files
 */
export function downloads(page, name, files) {
  const named = typeof name === "function" ? name : () => name;
  return html`<div class="hl-take" role="group" aria-label=${page.t("download.name")}>
    <span>${page.t("download.name")}</span>${buttons(page, named, files)}
  </div>`;
}

/**
 * The same as a menu, for a view that is declared; nothing where it has no files.
 * @param {import("./types.js").Page} page
 * @param {string} name
 * @param {Files} files
 * @param {string} [of] the sentence in the picture, if it is not the page's; empty: there is none
 */
export function menuOf(page, name, files, of) {
  if (Object.keys(files).length === 0) return nothing;
  return html`<details class="hl-pop hl-at-end hl-download">
    <summary>${page.t("download.name")}</summary>
    <div class="hl-sheet hl-take">${buttons(page, () => name, files, of)}</div>
  </details>`;
}

/**
 * The room of that menu while the files are awaited: its neighbours would move under the pointer.
 * @param {import("./types.js").Page} page
 */
export const menuToCome = (page) =>
  html`<details class="hl-pop hl-download" inert><summary>${page.t("download.name")}</summary></details>`;

/** One for each format. A picture that can be drawn as SVG can be had as PNG and PDF too.
 * @param {import("./types.js").Page} page @param {() => string} named @param {Files} files
 * @param {string} [of] */
function buttons(page, named, files, of) {
  const formats = Object.keys(files);
  if (files.svg && !files.png) formats.push("png");
  if (files.svg) formats.push("pdf");
  return formats.map(
    (format) => html`<button type="button" data-format=${format}
      @click=${() => save(page, format, named(), files, of)}>${format.toUpperCase()}</button>`,
  );
}

/** @param {import("./types.js").Page} page @param {string} format @param {string} name
 * @param {Files} files @param {string} [of] */
async function save(page, format, name, files, of) {
  if (format === "pdf") {
    const source = svgText(files.svg?.() ?? null);
    if (source !== "") (await import("./paper.js")).print(page, source, name, of);
    return;
  }
  const blob = await blobOf(format, files);
  if (blob !== null) saveBlob(blob, `headlight-${name}.${format}`);
}

/** Downloads a file. @param {Blob} blob @param {string} name */
export function saveBlob(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** @param {string} format @param {Files} files @returns {Promise<Blob|null>} */
async function blobOf(format, files) {
  if (format === "png") {
    const canvas = files.png ? await files.png() : await canvasOf(svgText(files.svg?.() ?? null));
    return canvas && new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  }
  const content = files[/** @type {"csv"|"json"|"svg"} */ (format)]?.() ?? null;
  if (content === null) return null;
  if (format === "csv")
    return new Blob(["\ufeff", csvText(/** @type {CsvCell[][]} */ (content))], {
      type: "text/csv",
    });
  if (format === "json") return new Blob([JSON.stringify(content)], { type: "application/json" });
  return new Blob([svgText(content)], { type: "image/svg+xml" });
}

/** @typedef {string|number|boolean|null|undefined} CsvCell */

/** Rows of numbers and texts. @param {CsvCell[][]} rows */
export const csvText = (rows) => rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");

/** What a spreadsheet takes for the beginning of a formula: a sign, a wide one too, also behind
 * blanks; a tab or a line's end. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/u;

/** A text that a spreadsheet would run as a formula begins with an apostrophe; numbers are left
 * alone. @param {CsvCell} value */
function cell(value) {
  if (typeof value !== "string") return value ?? "";
  if (value === "") return "";
  return `"${(FORMULA.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;
}

/**
 * A drawing as a separate document, with the page's styles written into its elements.
 * @param {any} drawing
 * @returns {string}
 */
export function svgText(drawing) {
  if (drawing === null || typeof drawing === "string") return drawing ?? "";
  const copy = drawing.cloneNode(true);
  const from = [drawing, ...drawing.querySelectorAll("*")];
  const to = [copy, ...copy.querySelectorAll("*")];
  const kept = [
    "fill",
    "stroke",
    "stroke-width",
    "stroke-dasharray",
    "opacity",
    "font-size",
    "font-weight",
    "font-family",
    "text-anchor",
    "dominant-baseline",
  ];
  from.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const name of kept) to[i].style?.setProperty(name, style.getPropertyValue(name));
  });
  const { width, height } = drawing.getBoundingClientRect();
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  if (!copy.hasAttribute("viewBox")) copy.setAttribute("viewBox", `0 0 ${width} ${height}`);
  copy.style.background = getComputedStyle(document.body).backgroundColor;
  return new XMLSerializer().serializeToString(copy);
}

/** @param {string} source an SVG document */
async function canvasOf(source) {
  if (source === "") return null;
  const image = new Image();
  const address = URL.createObjectURL(new Blob([source], { type: "image/svg+xml" }));
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width * SHARPNESS;
  canvas.height = image.height * SHARPNESS;
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  return canvas;
}

/** Writes an SVG document made by hand. @param {string} text */
export const escaped = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
