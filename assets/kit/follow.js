// Keeps the playing part of a picture in view.

const FAR = 80; // px: less the page moves by itself

/**
 * Returns follow(frame, part, at, isPlaying): scrolls `part` into view when `at` changes, in its
 * frame, or on the page if the frame does not scroll. After the reader scrolls, it pauses until
 * they press a button. `foot`: the elements over the bottom of the page.
 */
export function createFollower() {
  let left = 0; // where it was scrolled to
  let last = { at: /** @type {number|null} */ (null), isPlaying: false };
  return (
    /** @type {HTMLElement} */ frame,
    /** @type {Element|null} */ part,
    /** @type {number|null} */ at,
    /** @type {boolean} */ isPlaying,
    /** @type {Element|null} */ foot = null,
  ) => {
    const before = last;
    last = { at, isPlaying };
    if (part === null || at === null || at === before.at) return;
    const isOwn = frame.scrollHeight > frame.clientHeight + 1;
    const scroller = isOwn ? frame : /** @type {Element} */ (document.scrollingElement);
    const { top, bottom } = isOwn ? frame.getBoundingClientRect() : freeOf(part, foot);
    if (!(isPlaying && before.isPlaying)) left = scroller.scrollTop;
    if (Math.abs(scroller.scrollTop - left) > FAR) return;
    const own = part.getBoundingClientRect();
    const by = own.top < top ? own.top - top - 4 : Math.max(0, own.bottom - bottom + 4);
    scroller.scrollBy({ top: by, behavior: "instant" });
    left = scroller.scrollTop;
  };
}

/** What of the window is free between the strip of tokens and what lies over the part's foot. */
function freeOf(/** @type {Element} */ part, /** @type {Element|null} */ foot) {
  const top = document.querySelector(".hl-sentence")?.getBoundingClientRect().bottom ?? 0;
  const own = part.getBoundingClientRect();
  const over = foot?.getBoundingClientRect();
  const isOver = over && over.left < own.right && own.left < over.right;
  return {
    top,
    bottom: isOver && over.top > window.innerHeight / 2 ? over.top : window.innerHeight,
  };
}
