// How numbers are written: as many digits as are meant. Pure functions.

// 0.0473 -> "0.047"
export const weightText = (weight) => weight.toFixed(3);

// For the inside of a cell: .047, 0 for less than half a thousandth, 1 for a full weight.
export function cellText(weight) {
  const text = weight.toFixed(3);
  if (text === "0.000") return "0";
  return text === "1.000" ? "1" : text.slice(1);
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
