// The page on paper. What is left out there is in kit/print.css.

/** Keeps the views as wide as on the screen: a picture is drawn for the room it has there, and the
 * browser makes the whole fit the sheet. */
export function followPrinting() {
  window.addEventListener("beforeprint", () => {
    const width = document.querySelector(".hl-panels")?.clientWidth;
    if (width) document.documentElement.style.setProperty("--printed", `${width}px`);
  });
}
