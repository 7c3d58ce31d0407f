// Opens "Why this word?" from any candidate of a step, and "Why it looks there" from any cell of a
// head. Not available without a model.

import { nothing } from "../vendor/lit-html.js";
import { button } from "./choice.js";

/** @typedef {import("./types.js").Page} Page */

/** True if this page has a view and can answer its questions. @param {Page} page */
export const canOpen = ({ shared }, view = "why") =>
  !shared.saved && shared.exhibits?.some((/** @type {any} */ { name }) => name === view) === true;

/**
 * Opens the view at a step; `rival` is the id to compare the written token with, null for the
 * closest one.
 * @param {Page} page
 * @param {{step: number, rival: number|null}} about
 */
export function askWhy(page, { step, rival }) {
  const others = Object.entries(page.choices.get()).filter(([key]) => !key.startsWith("why."));
  const own = rival === null ? [] : [["why.rival", String(rival)]];
  page.choices.set(Object.fromEntries([...others, ...own]));
  page.choose({ exhibit: "why", step });
}

/** The button that opens the parts of a cell's score.
 * @param {Page} page @param {{row: number, col: number}} cell */
export const whyHere = (page, cell) =>
  canOpen(page, "looks")
    ? button({
        label: page.t("looks.open"),
        class: "hl-why-here",
        onClick: () => page.choose({ exhibit: "looks", ...cell }),
      })
    : nothing;
