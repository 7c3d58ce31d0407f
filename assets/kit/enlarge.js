// A chart, large, in a dialog: the same lines as a Plotly figure, drawn by the plotly.min.js of the
// installed package, which is fetched from this server when the first chart is enlarged.

import { html, render } from "../vendor/lit-html.js";

/** By look, as in chart.js. @type {Record<string, string>} */
const DASHES = { 1: "solid", 2: "dash", 3: "dot", 4: "solid", 5: "dashdot", 6: "longdash" };
/** @type {Record<string, string>} */
const HUES = { 2: "--ink", 3: "--quiet", 4: "--faint", 5: "--ink", 6: "--quiet" }; // or accent
const CONFIG = {
  displaylogo: false,
  responsive: true,
  modeBarButtonsToAdd: ["toImage"],
  modeBarButtonsToRemove: ["select2d", "lasso2d"],
};

/** @type {Promise<any>|null} */
let library = null;

function load() {
  library ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = new URL("../../plotly.min.js", import.meta.url).href;
    script.onload = () => resolve(/** @type {any} */ (globalThis).Plotly);
    script.onerror = () => {
      library = null; // lets the next chart try again
      script.remove();
      reject(new Error("plotly.min.js did not come"));
    };
    document.head.append(script);
  });
  return library;
}

/**
 * Opens the chart in a dialog.
 * @param {import("./types.js").Page} page
 * @param {import("./chart.js").Chart} chart
 */
export async function enlarge(page, chart) {
  const dialog = document.createElement("dialog");
  dialog.className = "hl-dialog";
  (document.querySelector(".gradio-container") ?? document.body).append(dialog);
  const close = () => dialog.close();
  dialog.addEventListener("close", () => dialog.remove());
  page.signal.addEventListener("abort", close, { once: true });
  render(
    html`<header><h2>${chart.name}</h2>
      <button type="button" @click=${close}>${page.t("chart.close")}</button></header>
      <div class="hl-dialog-figure"></div>`,
    dialog,
  );
  dialog.showModal();
  const root = /** @type {HTMLElement} */ (dialog.querySelector(".hl-dialog-figure"));
  try {
    const Plotly = await load();
    const style = getComputedStyle(dialog);
    await Plotly.react(root, tracesOf(chart, style), layoutOf(chart, style), CONFIG);
  } catch {
    root.textContent = page.t("error.unreachable");
  }
}

/** @param {CSSStyleDeclaration} style @param {string} name */
const colour = (style, name) => style.getPropertyValue(name).trim();

/** @param {import("./chart.js").Line["look"]} look @param {CSSStyleDeclaration} style */
const hueOf = (look, style) => colour(style, HUES[look] ?? "--accent");
/** @param {import("./chart.js").Chart} chart @param {CSSStyleDeclaration} style */
export function tracesOf({ lines }, style) {
  return lines.map(({ points, look, name }) => ({
    type: "scatter",
    mode: look === "dots" ? "markers" : "lines",
    name,
    x: points.map(([x]) => x),
    y: points.map(([, y]) => y),
    line: look === "dots" ? {} : { dash: DASHES[look], color: hueOf(look, style) },
    marker: { color: hueOf(look, style) },
  }));
}

/** @param {import("./chart.js").Chart} chart @param {CSSStyleDeclaration} style */
function layoutOf({ x, y, marks = [], lines }, style) {
  const shapes = marks.map((mark) => ({
    type: "line",
    line: { color: colour(style, "--strong-line"), dash: "dot", width: 1 },
    ...(mark.x === undefined
      ? { xref: "paper", x0: 0, x1: 1, y0: mark.y, y1: mark.y }
      : { yref: "paper", y0: 0, y1: 1, x0: mark.x, x1: mark.x }),
  }));
  const axis = (/** @type {import("./chart.js").Axis} */ one) => ({
    title: { text: one.name },
    type: one.log ? "log" : "linear",
    gridcolor: colour(style, "--line"),
    linecolor: colour(style, "--strong-line"),
    automargin: true,
  });
  return {
    xaxis: axis(x),
    yaxis: axis(y),
    shapes,
    showlegend: lines.length > 1,
    modebar: {
      bgcolor: "rgba(0,0,0,0)",
      color: colour(style, "--faint"),
      activecolor: colour(style, "--accent"),
    },
    font: { family: style.fontFamily, color: colour(style, "--quiet") },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    margin: { t: 20, r: 20 },
    autosize: true,
  };
}
