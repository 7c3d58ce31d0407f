// Small helpers that views share.

/** Runs `draw` at most once a frame, however often it is called. @param {() => unknown} draw */
export function eachFrame(draw) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      draw();
    });
  };
}

/** True for a key of which an input method makes use. Safari ends the composition before the Enter
 * that took it over: only the key's old number still says so. @param {KeyboardEvent} event */
export const isComposed = (event) => event.isComposing || event.keyCode === 229;

/** A step for an arrow key in a list or grid: {rows, columns}, or null.
 * @param {KeyboardEvent} event */
export function arrow(event) {
  /** @type {Record<string, number[]>} */
  const steps = {
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
  };
  const isOther = event.altKey || event.ctrlKey || event.metaKey || isComposed(event);
  const step = isOther ? undefined : steps[event.key];
  return step ? { rows: step[0], columns: step[1] } : null;
}

/** Where a box has to be scrolled for one of its parts to be whole in it, no farther than it must.
 * @param {number} first px from the start of the contents to the part @param {number} size of it
 * @param {number} at px that are scrolled now @param {number} room px of the box */
export const inSight = (first, size, at, room) =>
  first < at ? first : Math.max(at, first + size - room);

// Returns a function that is true if any of its arguments changed since the last call.
export function whenChanged() {
  /** @type {unknown[]} */
  let before = [];
  return (/** @type {unknown[]} */ ...values) => {
    const same =
      values.length === before.length && values.every((value, i) => Object.is(value, before[i]));
    before = values;
    return !same;
  };
}

/** Resolves when all changes so far are drawn: views draw once a frame. */
export const drawn = () =>
  new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(resolve));
  });
