// A picture on a sheet of its own size: the browser prints it, and a PDF that it saves has the
// faces of all texts in it. Below the picture stands what it is of.

import { headText } from "./heads.js";

const CLASS = "hl-paper";
const EDGE = 8; // px beside a text
const OF_A_HEAD = ["attention", "looks", "microscope", "summaries"];

let end = () => {}; // of a print of which the browser did not say that it is over

/** @param {number} width @param {number} height */
const styles = (width, height) => `
  .${CLASS} { position: fixed; inset-inline-end: 100vw; width: ${width}px; }
  .${CLASS} svg { display: block; overflow: visible; }
  .${CLASS} p { margin: 0; padding: 4px 8px 8px; font: 10px/1.4 Inter, sans-serif;
    overflow-wrap: anywhere; }
  @page { size: ${width}px ${height}px; margin: 0; }
  @media print {
    body > :not(.${CLASS}) { display: none !important; }
    html, body { margin: 0 !important; min-height: 0 !important; height: auto !important; }
    .${CLASS} { position: static; print-color-adjust: exact; }
  }`;

/**
 * Opens the browser's own window for printing with one picture.
 * @param {import("./types.js").Page} page
 * @param {string} source an SVG document
 * @param {string} name of the file
 * @param {string} [of] the sentence in the picture, if it is not the page's; empty: there is none
 */
export async function print(page, source, name, of) {
  end();
  const drawing = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
  const caption = document.createElement("p");
  caption.textContent = captionOf(page, of);
  const sheet = document.createElement("style");
  const paper = document.createElement("div");
  paper.className = CLASS;
  paper.ariaHidden = "true";
  const { color, backgroundColor } = getComputedStyle(document.body);
  Object.assign(paper.style, { color, backgroundColor });
  const picture = /** @type {any} */ (document.importNode(drawing, true));
  paper.append(sheet, picture, caption);
  document.body.append(paper);
  const { title } = document;
  end = () => {
    window.removeEventListener("afterprint", end);
    paper.remove();
    document.title = title;
    end = () => {};
  };
  sheet.textContent = styles(0, 0);
  await document.fonts.ready;
  if (!paper.isConnected) return; // it was pressed again
  const drawn = picture.getBBox(); // a line of text may be longer than the picture is wide
  const width = Math.ceil(Math.max(picture.width.baseVal.value, drawn.x + drawn.width + EDGE));
  sheet.textContent = styles(width, 0);
  sheet.textContent = styles(width, Math.ceil(paper.getBoundingClientRect().height));
  document.title = `headlight-${name}`; // what the browser calls the file
  window.addEventListener("afterprint", end);
  window.print();
}

/**
 * Model and sentence where the view is about them, then view or head, and address.
 * @param {import("./types.js").Page} page
 * @param {string} [of] the sentence, if it is not the page's
 */
export function captionOf(page, of) {
  const record = page.record.get();
  const address = new URL(window.location.href);
  address.searchParams.delete("class"); // that of a lesson is over
  const selection = page.selection.get();
  const { exhibit } = selection;
  const header = page.shared.exhibits.find(({ name }) => name === exhibit)?.header ?? [];
  const model = header.length > 0 ? record?.model.name : "";
  const sentence = of ?? (header.includes("sentence") ? record?.text : "");
  const what = OF_A_HEAD.includes(exhibit) ? headText(page, selection) : page.t(`${exhibit}.title`);
  const where = address.protocol.startsWith("http") ? address.href : "";
  return [model, sentence, what, where].filter(Boolean).join(" · ");
}
