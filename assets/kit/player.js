// Plays a view: one change of its fields after another, until there is none left, the visitor stops
// it, it is out of view, or the page shows a different translation.

/** Where a view plays. @typedef {{isPlaying: boolean, canPlay: boolean, toggle: () => void,
 *   stop: () => void}} Player */

/**
 * How a view with scenes S plays.
 * @template [S=any]
 * @typedef {object} Play
 * @property {number|((s: S) => number)} pace ms from one change to the next
 * @property {(s: S, isStart: boolean) => object|null} next the changes of the fields; null at the
 *   end, where playing starts over; pure
 */

/**
 * Returns player(s) for the current scene.
 * @param {import("./types.js").Page} page
 * @param {Play} play
 * @param {(changes: object) => void} set
 * @param {() => void} changed
 * @returns {(s: any) => Player}
 */
export function createPlayer(page, { pace, next }, set, changed) {
  let timer = 0; // 0: it stands still
  /** @type {any} */
  let scene = null; // as it was drawn last
  function stop() {
    clearTimeout(timer);
    timer = 0;
    changed();
  }
  function step(isStart = false) {
    const changes = page.visible.get() ? next(scene, isStart) : null;
    if (changes === null) return stop();
    set(changes);
    timer = window.setTimeout(step, typeof pace === "function" ? pace(scene) : pace);
  }
  function toggle() {
    if (timer !== 0) return stop();
    step(true);
    changed();
  }
  let shown = "";
  page.record.watch((record) => {
    const before = shown;
    shown = JSON.stringify([record?.text, record?.translation, record?.node]);
    if (timer !== 0 && shown !== before) stop();
  });
  page.signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  return (s) => {
    scene = s;
    const canPlay = timer !== 0 || next(s, true) !== null;
    return { isPlaying: timer !== 0, canPlay, toggle, stop };
  };
}
