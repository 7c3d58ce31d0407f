// Formats numbers with the meaningful digits. Pure functions.

/** No sign if all digits are 0: -0.04 -> "0.0". */
export function fixed(/** @type {number} */ value, /** @type {number} */ digits) {
  const text = value.toFixed(digits);
  return Number(text) === 0 ? text.replace("-", "") : text;
}

/** 0.0473 -> "0.047" */
export const weightText = (/** @type {number} */ weight) => fixed(weight, 3);

/** For the inside of a cell: .047. A bare 0 or 1 is exact; .000 is more than 0. */
export function cellText(/** @type {number} */ weight) {
  if (weight === 0 || weight === 1) return String(weight);
  const text = fixed(weight, 3);
  return text.startsWith("0") ? text.slice(1) : text;
}

/** A probability: 0.9312 -> "93.1 %". A value that only rounds to 0 % or 100 % is marked. */
export function percentText(/** @type {number} */ probability) {
  const text = fixed(probability * 100, 1);
  if (probability > 0 && text === "0.0") return "<0.1 %";
  if (probability < 1 && text === "100.0") return ">99.9 %";
  return `${text} %`;
}

/** A probability as it is said: 0.9312 -> "93 %"; neither 0 % nor 100 % unless it is. */
export function roundPercent(/** @type {number} */ probability) {
  const text = fixed(probability * 100, 0);
  if (probability > 0 && text === "0") return "<1 %";
  if (probability < 1 && text === "100") return ">99 %";
  return `${text} %`;
}

/** A score or log-prob, with a true minus sign. */
export const signedText = (/** @type {number} */ value, digits = 3) =>
  fixed(value, digits).replace("-", "−");

/** Behind a plus or a minus: "0.022" or "(−0.022)". */
export const bracketedText = (/** @type {number} */ value, digits = 3) =>
  value < 0 ? `(${signedText(value, digits)})` : signedText(value, digits);

/** How a score or log-prob changed: "+0.519", "−0.044", "0.000". */
export const changeText = (/** @type {number} */ change, digits = 3) => {
  const text = signedText(change, digits);
  return change > 0 && Number(text) !== 0 ? `+${text}` : text;
};

/** 0.0384 -> "38 ms"; 2.31 -> "2.3 s". */
export const durationText = (/** @type {number} */ seconds) =>
  seconds < 1 ? `${Math.max(1, Math.round(seconds * 1000))} ms` : `${seconds.toFixed(1)} s`;

const COUNTS = new Intl.NumberFormat("en"); // made once: that takes longer than its use

/** A count: 12,000. */
export const countText = (/** @type {number} */ count) => COUNTS.format(count);

/**
 * For possibly tiny values, such as the difference of two computations: "4.8 × 10⁻⁷", "3.42", "0".
 */
export function smallText(/** @type {number} */ value) {
  if (value === 0) return "0";
  if (value >= 1000) return countText(Math.round(value));
  if (value >= 0.001) return value.toPrecision(3);
  const [digits, power] = value.toExponential(1).split("e");
  return `${digits}\u00a0×\u00a010${raised(Number(power))}`; // never broken into two lines
}

/** A power of ten: 1000 -> "10³", 0.01 -> "10⁻²". */
export const powerText = (/** @type {number} */ value) =>
  `10${raised(Math.round(Math.log10(value)))}`;

const raised = (/** @type {number} */ power) =>
  [...String(power)].map((sign) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(sign)] ?? "⁻").join("");
