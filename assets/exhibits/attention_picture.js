// The lines between two sentences as one SVG document, to take away. Pure functions.

import { lineOf } from "../heatmap.js";
import { COLOURS, DASHES } from "./attention_heads.js";

const LINE = 26; // px from token to token
const BETWEEN = 420; // px between the two sentences
const LEVELS = 20;

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

// scene: {rows, columns, heads: [{name, place, links}], name}
export function linesSvg({ rows, columns, heads, name }, look) {
  const most = Math.max(rows.length, columns.length);
  const widest = (labels) => Math.max(...labels.map((label) => [...lineOf(label)].length)) * 13 + 24;
  const left = widest(rows);
  const top = 40 + 20 * heads.length;
  const width = left + BETWEEN + widest(columns);
  const ink = look === "dark" ? "#ededf0" : "#1c1c22";
  const y = (i, count) => top + ((i + 0.5) * most * LINE) / count;
  const label = (text, x, at, anchor) =>
    `<text x="${x}" y="${at}" text-anchor="${anchor}" dominant-baseline="central" font-size="14" fill="${ink}">${escaped(text)}</text>`;
  const parts = [`<rect width="100%" height="100%" fill="${look === "dark" ? "#16161b" : "#ffffff"}"/>`, label(name, 12, 18, "start")];
  heads.forEach(({ place, links, name: head }, at) => {
    const [, layer, number] = head.split(".").map(Number);
    const stroke = `stroke="${COLOURS[look][place]}" stroke-dasharray="${DASHES[place].join(" ")}"`;
    parts.push(`<line x1="12" x2="52" y1="${40 + 20 * at}" y2="${40 + 20 * at}" stroke-width="3" ${stroke}/>`,
      label(`${layer + 1}·${number + 1}`, 60, 40 + 20 * at, "start"));
    for (const { level, row, col } of links) {
      const share = level / LEVELS;
      parts.push(`<line x1="${left}" y1="${y(row, rows.length)}" x2="${left + BETWEEN}" y2="${y(col, columns.length)}" stroke-width="${(5 * share).toFixed(2)}" opacity="${(0.12 + 0.88 * share).toFixed(2)}" ${stroke}/>`);
    }
  });
  rows.forEach((one, i) => parts.push(label(lineOf(one), left - 8, y(i, rows.length), "end")));
  columns.forEach((one, i) => parts.push(label(lineOf(one), left + BETWEEN + 8, y(i, columns.length), "start")));
  const height = top + most * LINE + 10;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, 'PingFang SC', 'Noto Sans CJK SC', 'Microsoft YaHei', sans-serif">${parts.join("")}</svg>`;
}
