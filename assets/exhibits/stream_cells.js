// Numbers of either sign as cells: blue below zero, orange above, the page's own grey at zero.

const ENDS = {
  light: { zero: [246, 246, 248], below: [31, 95, 170], above: [190, 88, 8] },
  dark: { zero: [34, 34, 41], below: [108, 182, 245], above: [242, 163, 94] },
};

// Draws rows x columns cells, one pixel each; the furthest from zero has the full colour.
export function drawSigned(canvas, numbers, rows, columns, look) {
  canvas.width = columns;
  canvas.height = rows;
  const most = numbers.reduce((found, x) => Math.max(found, Math.abs(x)), 1e-12);
  const image = new ImageData(columns, rows);
  for (let i = 0; i < numbers.length; i += 1) image.data.set([...signedColour(numbers[i] / most, look), 255], 4 * i);
  canvas.getContext("2d").putImageData(image, 0, 0);
}

// [red, green, blue] of a number from -1 to 1.
export function signedColour(x, look) {
  const { zero, below, above } = ENDS[look];
  const share = Math.min(1, Math.abs(x)) ** 0.7; // small numbers stay visible
  const end = x < 0 ? below : above;
  return zero.map((part, i) => Math.round(part + (end[i] - part) * share));
}
