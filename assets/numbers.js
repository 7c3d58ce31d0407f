// How numbers are written: as many digits as are meant. Pure functions.

// 0.0473 -> "0.047"
export const weightText = (weight) => weight.toFixed(3);

// For the inside of a cell: .047. A bare 0 or 1 is what was sent; .000 is more than 0.
export function cellText(weight) {
  if (weight === 0 || weight === 1) return String(weight);
  const text = weight.toFixed(3);
  return text.startsWith("0") ? text.slice(1) : text;
}

// A probability as a percentage: 0.9312 -> "93.1 %".
export function percentText(probability) {
  const percent = probability * 100;
  if (percent > 0 && percent < 0.05) return "<0.1 %";
  return `${percent.toFixed(1)} %`;
}

// A score or log-prob, with a true minus sign.
export function signedText(value, digits = 3) {
  return value.toFixed(digits).replace("-", "−");
}

// 0.0384 -> "38 ms"; 2.31 -> "2.3 s".
export function durationText(seconds) {
  return seconds < 1 ? `${Math.max(1, Math.round(seconds * 1000))} ms` : `${seconds.toFixed(1)} s`;
}
