// Sheets that open from a summary; Escape or a click elsewhere closes them.

/** @type {Set<any>} */
const open = new Set();

export function sheets(root) {
  for (const sheet of root.querySelectorAll("details.hl-pop")) {
    sheet.addEventListener("toggle", () => {
      if (sheet.open) open.add(sheet);
      else open.delete(sheet);
    });
  }
}

document.addEventListener("pointerdown", (event) => {
  for (const sheet of open) if (!sheet.contains(event.target)) sheet.open = false;
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const sheet of open) {
    const within = sheet.contains(document.activeElement);
    sheet.open = false;
    if (within) sheet.querySelector("summary").focus();
  }
});
