// A Plotly figure on the page: drawn by the plotly.min.js of the installed package, which comes from
// this server and only when the first figure is wanted. Colours are the page's; zoom stays.

let library = null;

function load() {
  library ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = new URL("plotly.min.js", import.meta.url).href;
    script.onload = () => resolve(window.Plotly);
    script.onerror = () => {
      library = null; // the next figure may try again
      script.remove();
      reject(new Error("plotly.min.js did not come"));
    };
    document.head.append(script);
  });
  return library;
}

const CONFIG = { displaylogo: false, responsive: true, modeBarButtonsToRemove: ["select2d", "lasso2d"] };
const HUES = ["--accent", "--cross", "--encoder-self", "--decoder-self"]; // of the traces, in order

// Draws `figure` ({data, layout} of plotly) in `root`, or changes the one that is there. Lines get
// the page's colours in the order of HUES, so they must be told apart by more than that.
export async function drawFigure(root, figure) {
  const Plotly = await load();
  await Plotly.react(root, figure.data, themed(figure.layout, getComputedStyle(root)), CONFIG);
  await Plotly.Plots.resize(root); // the window may have changed while the figure was out of sight
}

function themed(layout, style) {
  const colour = (name) => style.getPropertyValue(name).trim();
  const size = parseFloat(style.fontSize);
  const axis = { gridcolor: colour("--line"), linecolor: colour("--strong-line"), zerolinecolor: colour("--line"), automargin: true };
  const axes = Object.keys(layout).filter((name) => /^[xy]axis\d*$/.test(name));
  return {
    ...layout,
    ...Object.fromEntries(axes.map((name) => [name, { ...axis, ...layout[name] }])),
    colorway: HUES.map(colour),
    font: { family: style.fontFamily, size: size * 0.9, color: colour("--quiet") },
    hoverlabel: { bgcolor: colour("--sheet"), bordercolor: colour("--line"), font: { color: colour("--ink"), size: size * 0.9 } },
    modebar: { bgcolor: "rgba(0,0,0,0)", color: colour("--faint"), activecolor: colour("--accent") },
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    margin: { l: size * 3.6, r: size, t: size * 2.4, b: size * 3, ...layout.margin },
    autosize: true,
  };
}
