// Keeps the part of a picture that plays in sight.

const FAR = 80; // px: less the page moves by itself

/**
 * Gives follow(frame, part, at, isPlaying): brings `part` in sight where `at` is not as before, in its
 * frame, or on the page where the frame is as tall as what it holds. A reader who scrolls meanwhile
 * is left alone until he presses a button. `foot`: what lies over the page's foot.
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
    const { top, bottom } = isOwn ? frame.getBoundingClientRect() : freeOf(foot);
    if (!(isPlaying && before.isPlaying)) left = scroller.scrollTop;
    if (Math.abs(scroller.scrollTop - left) > FAR) return;
    const own = part.getBoundingClientRect();
    const by = own.top < top ? own.top - top - 4 : Math.max(0, own.bottom - bottom + 4);
    scroller.scrollBy({ top: by, behavior: "instant" });
    left = scroller.scrollTop;
  };
}

/** What of the window is free between the strip of tokens and what lies at the foot. */
function freeOf(/** @type {Element|null} */ foot) {
  const top = document.querySelector(".hl-sentence")?.getBoundingClientRect().bottom ?? 0;
  const end = foot?.getBoundingClientRect().top ?? 0;
  return { top, bottom: end > window.innerHeight / 2 ? end : window.innerHeight };
}
