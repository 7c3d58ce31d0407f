// How the number of an answer is written. Pure.

import { percentText, signedText } from "./numbers.js";

/** @param {number} value @param {string} shown */
export function valueText(value, shown) {
  if (shown === "flag") return "";
  return shown === "signed" ? signedText(value) : percentText(value);
}
