// Files that a visitor takes away.

import { element } from "./elements.js";

// Buttons, one for each format. `makers` gives the file of a format: [name, blob], or a promise of it;
// null where there is nothing to take away yet.
export function offer(root, makers) {
  for (const [format, make] of Object.entries(makers)) {
    root.append(element("button", { type: "button", "data-format": format, onclick: async () => {
      const file = await make();
      if (file !== null) download(...file);
    } }, format.toUpperCase()));
  }
}

function download(name, blob) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// Rows of numbers and texts. The mark at the beginning tells Excel that this is UTF-8.
export const csvFile = (name, rows) =>
  [`headlight-${name}.csv`, new Blob(["\ufeff", csvText(rows)], { type: "text/csv" })];

export const csvText = (rows) => rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");

// A leading sign would make a spreadsheet run a text as a formula; numbers are left alone.
function cell(value) {
  if (typeof value !== "string") return value ?? "";
  if (value === "") return "";
  return `"${(/^[=+\-@]/.test(value) ? `'${value}` : value).replaceAll('"', '""')}"`;
}

export async function pngFile(name, canvas) {
  const blob = await new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
  return [`headlight-${name}.png`, blob];
}
