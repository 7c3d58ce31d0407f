// Formats the number of an answer. Pure.

import { percentText, signedText } from "./numbers.js";

/** @type {Record<string, (value: number) => string>} */
const WRITTEN = { share: percentText, log_prob: (value) => signedText(value), flag: () => "" };

/** A number, or its old and new value if the answer is a change.
 * @param {{value: number, shown: string, change?: number[]|null}} option */
export const valueText = ({ value, shown, change }) =>
  (change ?? [value]).map(WRITTEN[shown]).join(" → ");
