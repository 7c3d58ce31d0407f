// The lines between two sentences as one SVG document, for a file. Pure functions.

import { headOf } from "../../../assets/kit/heads.js";
import { lineOf } from "../../../assets/kit/heatplan.js";
import { INK, svgDocument, text } from "../../../assets/kit/mapfiles.js";
import { COLOURS, DASHES } from "./heads.js";
import { LEVELS } from "./look.js";

const LINE = 26; // px from token to token
const BETWEEN = 420; // px between the two sentences
const KEY = 20; // px of the line that names a head
const TOP = 40; // px above the first of these

/**
 * @param {{rows: any[], columns: any[], name: string, note?: string,
 *   heads: {name: string, place: number, links: any[]}[]}} scene
 * @param {"light"|"dark"} look
 */
export function linesSvg({ rows, columns, heads, name, note = "" }, look) {
  const most = Math.max(rows.length, columns.length);
  const longest = (labels) => Math.max(...labels.map((label) => [...lineOf(label)].length));
  const left = longest(rows) * 13 + 24;
  const width = left + BETWEEN + longest(columns) * 13 + 24;
  const top = TOP + KEY * heads.length;
  const y = (i, count) => top + ((i + 0.5) * most * LINE) / count;
  const font = `dominant-baseline="central" font-size="14" fill="${INK[look]}"`;
  const style = (width, opacity) => `stroke-width="${width}" opacity="${opacity}"`;
  const label = (content, x, at, anchor) =>
    text(content, `x="${x}" y="${at}" text-anchor="${anchor}" ${font}`);
  const tokens = (labels, x, anchor) =>
    labels.map((one, i) => label(lineOf(one), x, y(i, labels.length), anchor));
  return svgDocument(width, top + most * LINE + 10, look, [
    label(note ? `${name}. ${note}` : name, 12, 18, "start"),
    ...heads.flatMap(({ place, links, name: one }, at) => {
      const { layer, head } = headOf(one);
      const pen = `stroke="${COLOURS[look][place]}" stroke-dasharray="${DASHES[place].join(" ")}"`;
      const line = (x1, y1, x2, y2, width, opacity) =>
        `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" ${pen} ${style(width, opacity)}/>`;
      const here = TOP + KEY * at;
      const drawn = links.map(({ level, row, col }) => {
        const [width, opacity] = [(5 * level) / LEVELS, 0.12 + (0.88 * level) / LEVELS];
        const [from, to] = [y(row, rows.length), y(col, columns.length)];
        return line(left, from, left + BETWEEN, to, width.toFixed(2), opacity.toFixed(2));
      });
      return [
        line(12, here, 52, here, 3, 1),
        label(`${layer + 1}·${head + 1}`, 60, here, "start"),
        ...drawn,
      ];
    }),
    ...tokens(rows, left - 8, "end"),
    ...tokens(columns, left + BETWEEN + 8, "start"),
  ]);
}
