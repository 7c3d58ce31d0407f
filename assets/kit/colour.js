// The colour of a weight. Lightness in OKLab falls (light page) or rises (dark page) by equal
// steps, so equal differences of weight look equally large with any kind of colour vision.

const STEPS = 256;

// Ends in OKLCH: lightness, chroma, hue in degrees; `peak` is the chroma in the middle.
const RAMPS = {
  light: { from: [0.985, 0.004, 285], to: [0.3, 0.13, 285], peak: 0.15 },
  dark: { from: [0.26, 0.015, 285], to: [0.97, 0.03, 285], peak: 0.14 },
};

export const ramps = { light: build(RAMPS.light), dark: build(RAMPS.dark) };

// For differences: colourOf(diverging.light, 0.5 + change / 2 / most) is blue for a decrease, the
// page's own grey at 0, orange for an increase.
const DIVERGING = {
  light: { low: [0.5, 0.13, 250], middle: [0.975, 0.003, 285], high: [0.62, 0.15, 55] },
  dark: { low: [0.78, 0.12, 250], middle: [0.26, 0.008, 285], high: [0.8, 0.13, 65] },
};

export const diverging = { light: twoSided(DIVERGING.light), dark: twoSided(DIVERGING.dark) };

/**
 * [red, green, blue], 0..255, of a weight from 0 to 1.
 * @param {number[][]} ramp @param {number} weight
 */
export function colourOf(ramp, weight) {
  const i = Math.round(Math.max(0, Math.min(1, weight)) * (STEPS - 1));
  return ramp[i];
}

/** @param {number[]} colour */
export const cssOf = ([red, green, blue]) => `rgb(${red} ${green} ${blue})`;

/** True if white text reads better than black on a colour (W3C relative luminance).
 * @param {number[]} colour */
export function isDark([red, green, blue]) {
  const [r, g, b] = [red, green, blue].map((c) => {
    const part = c / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b < 0.18;
}

/** The colour of text on a colour: black or white, whichever is more legible.
 * @param {number[]} colour */
export const inkOn = (colour) => (isDark(colour) ? "#ffffff" : "#000000");

/** A ramp between two colours of [lightness, chroma, hue].
 * @param {{from: number[], to: number[], peak: number}} ends `peak`: chroma between them */
function build({ from, to, peak }) {
  return Array.from({ length: STEPS }, (_, i) => {
    const x = i / (STEPS - 1);
    const lightness = from[0] + (to[0] - from[0]) * x;
    const ends = from[1] + (to[1] - from[1]) * x;
    const chroma = ends + (peak - Math.max(from[1], to[1])) * 4 * x * (1 - x);
    return inGamut(lightness, chroma, from[2]);
  });
}

/** @param {{low: number[], middle: number[], high: number[]}} colours */
function twoSided({ low, middle, high }) {
  return Array.from({ length: STEPS }, (_, i) => {
    const x = (2 * i) / (STEPS - 1) - 1;
    const end = x < 0 ? low : high;
    const between = (/** @type {number} */ part) =>
      middle[part] + (end[part] - middle[part]) * Math.abs(x);
    return inGamut(between(0), between(1), end[2]);
  });
}

/** The colour with as much of its chroma as a screen can show; lightness is never changed.
 * @param {number} lightness @param {number} chroma @param {number} hue */
function inGamut(lightness, chroma, hue) {
  for (let c = chroma; c >= 0; c -= 0.002) {
    const rgb = toRgb(lightness, c, hue);
    if (rgb.every((part) => part >= 0 && part <= 1))
      return rgb.map((part) => Math.round(part * 255));
  }
  return toRgb(lightness, 0, hue).map((part) => Math.round(Math.max(0, Math.min(1, part)) * 255));
}

/** Source: Björn Ottosson, "A perceptual color space for image processing" (2020).
 * @param {number} lightness @param {number} chroma @param {number} hue */
function toRgb(lightness, chroma, hue) {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((part) => (part <= 0.0031308 ? 12.92 * part : 1.055 * part ** (1 / 2.4) - 0.055));
}
